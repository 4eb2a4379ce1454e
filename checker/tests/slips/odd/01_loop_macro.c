/* A macro that is a loop. */
#include "01_layer_norm.h"
#include <math.h>

#define SUM(into, i, n, what)      \
    do {                           \
        into = 0;                  \
        for (int i = 0; i < n; i++) \
            into += what;          \
    } while (0)

float row_mean(const float *x, int features)
{
    float s;
    SUM(s, j, features, x[j]);
    return s / features;
}

float row_variance(const float *x, int features, float mean)
{
    float s;
    SUM(s, j, features, (x[j] - mean) * (x[j] - mean));
    return s / features;
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
