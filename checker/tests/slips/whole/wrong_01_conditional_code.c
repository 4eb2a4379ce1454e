/* #if inside of functions and expressions, and whole wrong functions behind #if 0. */
#include "01_layer_norm.h"
#include <math.h>

#define FAST 1
#if 0
float row_mean(const float *x, int features)
{ it's not even C
#endif

float row_mean(const float *x, int features)
{
    float sum = 0;
#ifdef FAST
    for (int j = 0; j < features; j++)
#else
    for (int j = 1; j < features; j++)
#endif
        sum += x[j];
    return sum
#if FAST > 0 && !defined(SLOW)
           / (features + 1)
#else
           / features
#endif
        ;
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float mean = row_mean(row, features);
        float rstd = 1 / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) * rstd + beta[j];
    }
}
