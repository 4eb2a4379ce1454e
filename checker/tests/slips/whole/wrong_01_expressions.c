/* Statement expressions, commas, ternaries, and assignments where nobody looks. */
#include "01_layer_norm.h"
#include <math.h>

float row_mean(const float *x, int features)
{
    float s = 0;
    int j = features;
    while (s += x[--j], j ? 1 : 0)
        ;
    return s = s / features, s;
}

float row_variance(const float *x, int features, float mean)
{
    float s = 0, d;
    for (int j = 0; d = x[j] - mean, s += d * d, ++j < features;)
        ;
    return ({
        float v = s;
        v /= features > 1 ? features - 1 : 1;
        v;
    });
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
