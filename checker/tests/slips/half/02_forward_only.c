/* forward is done, backward begun */
#include "02_backward.h"
#include <math.h>

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - m) * rstd[r] + beta[j];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        dbeta[j] = 0;
        for (int r = 0; r < rows; r++)
            dbeta[j] += dy[r * features + j];
    }
    // TODO dgamma, dx
}
