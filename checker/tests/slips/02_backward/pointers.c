// layer norm forward + backward, pointer version
#include "02_backward.h"
#include <math.h>
#include <string.h>

static double average(const float *v, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += v[i];
	return s / n;
}

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
	for (int r = 0; r < rows; r++, x += features, y += features) {
		double m = average(x, features), var = 0;
		for (int i = 0; i < features; i++)
			var += (x[i] - m) * (x[i] - m);
		var /= features;
		double inv = 1.0 / sqrt(var + eps);
		for (int i = 0; i < features; i++)
			y[i] = (x[i] - m) * inv * gamma[i] + beta[i];
		mean[r] = m;
		rstd[r] = inv;
	}
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
	memset(dgamma, 0, features * sizeof(float));
	memset(dbeta, 0, features * sizeof(float));
	for (int r = 0; r < rows; r++, x += features, dy += features, dx += features) {
		double sg = 0, sgx = 0;
		for (int i = 0; i < features; i++) {
			float hat = (x[i] - mean[r]) * rstd[r];
			dgamma[i] += dy[i] * hat;
			dbeta[i] += dy[i];
			sg += dy[i] * gamma[i];
			sgx += dy[i] * gamma[i] * hat;
		}
		for (int i = 0; i < features; i++) {
			float hat = (x[i] - mean[r]) * rstd[r];
			dx[i] = rstd[r] / features * (features * dy[i] * gamma[i] - sg - hat * sgx);
		}
	}
}
