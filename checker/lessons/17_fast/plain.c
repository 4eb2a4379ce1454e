/* What lesson 17's race is against: the loops of lessons 01 and 02, one number after the other. */
#include <math.h>
#include <stddef.h>

#include "17_fast.h"

float row_sum_fast(const float *x, int features)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum;
}

void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++, x += features) {
        float squares = 0.0f;
        mean[r] = row_sum_fast(x, features) / (float)features;
        for (int j = 0; j < features; j++)
            squares += (x[j] - mean[r]) * (x[j] - mean[r]);
        variance[r] = squares / (float)features;
    }
}

void layer_norm_fast(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean, variance;
        row_statistics_fast(&mean, &variance, x, 1, features);
        float rstd = 1.0f / sqrtf(variance + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

void layer_norm_backward_fast(float *dx, float *dgamma, float *dbeta, const float *dy,
                              const float *x, const float *gamma, const float *mean,
                              const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++, dx += features, dy += features, x += features) {
        float sum_g = 0.0f, sum_g_xhat = 0.0f;
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - mean[r]) * rstd[r], g = gamma[j] * dy[j];
            dbeta[j] += dy[j];
            dgamma[j] += dy[j] * xhat;
            sum_g += g;
            sum_g_xhat += g * xhat;
        }
        float mean_g = sum_g / (float)features, mean_g_xhat = sum_g_xhat / (float)features;
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - mean[r]) * rstd[r], g = gamma[j] * dy[j];
            dx[j] = rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
}
