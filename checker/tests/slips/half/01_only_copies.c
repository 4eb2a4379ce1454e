/* y = x for a start, so that something is there */
#include "01_layer_norm.h"

float row_mean(const float *x, int features)
{
    return x[0];
}

float row_variance(const float *x, int features, float mean)
{
    return mean;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int i = 0; i < rows * features; i++)
        y[i] = x[i];
}
