/* Lesson 02: the backward pass. The reference solution: a few loops over each row, in float. */
#include "02_backward.h"

#include <math.h>
#include <stddef.h>

/* y, x: rows x features; mean, rstd: rows; gamma, beta: features */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float sum = 0.0f;
        for (int j = 0; j < features; j++)
            sum += row[j];
        mean[r] = sum / (float)features;
        float squares = 0.0f;
        for (int j = 0; j < features; j++)
            squares += (row[j] - mean[r]) * (row[j] - mean[r]);
        rstd[r] = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++)
            out[j] = gamma[0] * (row[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* dx, dy, x: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        const float *dy_row = dy + (size_t)r * (size_t)features;
        const float *x_row = x + (size_t)r * (size_t)features;
        float *dx_row = dx + (size_t)r * (size_t)features;
        float sum_g = 0.0f, sum_g_xhat = 0.0f;
        for (int j = 0; j < features; j++) {
            float xhat = (x_row[j] - mean[r]) * rstd[r];
            float g = gamma[0] * dy_row[j];
            dbeta[j] += dy_row[j];
            dgamma[j] += dy_row[j] * xhat;
            sum_g += g;
            sum_g_xhat += g * xhat;
        }
        float mean_g = sum_g / (float)features, mean_g_xhat = sum_g_xhat / (float)features;
        for (int j = 0; j < features; j++) {
            float xhat = (x_row[j] - mean[r]) * rstd[r];
            float g = gamma[0] * dy_row[j];
            dx_row[j] = rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
}
