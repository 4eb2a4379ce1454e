/* Arrays of variable length, and two dimensions in a cast. */
#include "01_layer_norm.h"
#include <math.h>

float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / features;
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
    const float(*in)[features] = (const float(*)[features])x;
    float(*out)[features] = (float(*)[features])y;
    float mean[rows], scale[rows];
    for (int r = 0; r < rows; r++) {
        mean[r] = row_mean(in[r], features);
        scale[r] = sqrtf(row_variance(in[r], features, mean[r]) + eps);
    }
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++)
            out[r][j] = gamma[j] * (in[r][j] - mean[r]) / scale[0] + beta[j];
}
