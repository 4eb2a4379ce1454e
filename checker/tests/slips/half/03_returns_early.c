/* rms norm; the return is for testing the first half */
#include "03_rms_norm.h"
#include <math.h>

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float ms = 0;
        for (int j = 0; j < features; j++)
            ms += x[r * features + j] * x[r * features + j];
        ms /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = ms;
        return;
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int i = 0; i < rows * features; i++)
        dx[i] = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    return;
}
