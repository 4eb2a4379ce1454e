/* as short as I could make it */
#include "03_rms_norm.h"
#include <math.h>
#define FOR(i, n) for (int i = 0; i < (n); i++)

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps) {
  FOR(r, rows) {
    double ss = 0;
    FOR(j, features) ss += (double)x[r * features + j] * x[r * features + j];
    double s = pow(ss / features + eps, -0.5);
    FOR(j, features) y[r * features + j] = x[r * features + j] * s * gamma[j];
  }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps) {
  FOR(j, features) dgamma[j] = 0;
  FOR(r, rows) {
    const float *xr = x + r * features, *dr = dy + r * features;
    double ss = 0, dot = 0;
    FOR(j, features) ss += xr[j] * xr[j];
    double s = pow(ss / features + eps, -0.5);
    FOR(j, features) {
      dgamma[j] += dr[j] * xr[j] * s;
      dot += gamma[j] * dr[j] * xr[j];
    }
    dot = dot * s * s / features;
    FOR(j, features) dx[r * features + j] = s * (gamma[j] * dr[j] - xr[j] * dot);
  }
}
