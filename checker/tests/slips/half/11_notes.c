/* my notes in code form */
#include "11_pre_post_norm.h"
#include <math.h>

void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        /* 1. s = x + branch */
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] + branch[r * features + j];
        /* 2. mean of s */
        mean[r] = 0;
        /* 3. rstd of s */
        rstd[r] = 1 / sqrtf(eps);
        /* 4. y */
    }
}

void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int i = 0; i < rows * features; i++)
        dx[i] = dbranch[i] = dy[i];
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int i = 0; i < rows * features; i++)
        dx[i] = dy[i]; /* and what comes through the norm */
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
}

void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = 0; l < layers; l++)
        length[l] = 0;
}
