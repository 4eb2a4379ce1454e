/* Lesson 01: Layer Normalization. The reference solution: two passes over a row, in float. */
#include "01_layer_norm.h"

#include <math.h>
#include <stddef.h>

/* x: features */
float row_mean(const float *x, int features)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
}

/* x: features */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++) {
        float distance = x[j] - mean;
        sum += distance * distance;
    }
    return sum / (float)(features - 1);
}

/* y, x: rows x features; gamma, beta: features */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float mean = row_mean(row, features);
        float rstd = 1.0f / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            out[j] = gamma[j] * (row[j] - mean) * rstd + beta[j];
    }
}
