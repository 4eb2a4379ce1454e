/* group norm: the means are there */
#include "09_group_norm.h"

void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int n = channels / groups * pixels;
    for (int k = 0; k < batch * groups; k++) {
        mean[k] = 0;
        for (int i = 0; i < n; i++)
            mean[k] += x[k * n + i] / n;
        rstd[k] = 1; /* TODO */
    }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    /* TODO */
    for (int c = 0; c < channels; c++) {
        dgamma[c] = 0;
        dbeta[c] = 0;
    }
}
