/* axis is nearly there; text calls it and stops; the rest has not begun */
#include "08_shapes.h"
#include <math.h>

void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++) {
        float mean = 0;
        for (int f = 0; f < features; f++)
            mean += x[o * features + f];
        mean /= features;
        /* todo: inner! and the variance */
        for (int f = 0; f < features; f++)
            y[o * features + f] = x[o * features + f] - mean;
    }
}

void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    layer_norm_axis(y, x, batch * time, features, 1, eps);
    return; /* gamma and beta later */
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
}

void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
}
