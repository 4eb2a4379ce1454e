/* Lesson 08: Shapes. The reference solution: one function for any axis, and four that say which
 * sizes an array has when it is seen from their axis. */
#include "08_shapes.h"

#include <math.h>
#include <stddef.h>

/* y, x: outer x features x inner */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            size_t first = (size_t)o * (size_t)features * (size_t)inner + (size_t)i;
            float sum = 0.0f, squares = 0.0f;
            for (int j = 0; j < features; j++)
                sum += x[first + (size_t)j * (size_t)inner];
            float mean = sum / (float)features;
            for (int j = 0; j < features; j++) {
                float distance = x[first + (size_t)j * (size_t)inner] - mean;
                squares += distance * distance;
            }
            float rstd = 1.0f / sqrtf(squares / (float)features + eps);
            for (int j = 0; j < features; j++) {
                size_t at = first + (size_t)j * (size_t)inner;
                y[at] = (x[at] - mean) * rstd;
            }
        }
}

/* y: outer x features x inner, read and written; gamma, beta: features */
static void scale_and_shift(float *y, const float *gamma, const float *beta, int outer,
                            int features, int inner)
{
    for (int o = 0; o < outer; o++)
        for (int j = 0; j < features; j++)
            for (int i = 0; i < inner; i++, y++)
                *y = gamma[j] * *y + beta[j];
}

/* y, x: batch x time x features; gamma, beta: features */
void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    layer_norm_axis(y, x, batch * time, features, 1, eps);
    scale_and_shift(y, gamma, beta, batch * time, features, 1);
}

/* y, x: batch x channels x height x width; gamma, beta: channels x height x width */
void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    int features = channels * height * width;
    layer_norm_axis(y, x, batch, features, 1, eps);
    scale_and_shift(y, gamma, beta, batch, features, 1);
}

/* y, x: batch x channels x height x width; gamma, beta: channels */
void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    layer_norm_axis(y, x, batch, channels, height * width, eps);
    scale_and_shift(y, gamma, beta, batch, channels, height * width);
}

/* y, x: batch x time x channels; length: batch; gamma, beta: channels */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int b = 0; b < batch; b++) {
        size_t first = (size_t)b * (size_t)time * (size_t)channels;
        layer_norm_axis(y + first, x + first, 1, length[b], channels, eps);
        scale_and_shift(y + first, gamma, beta, length[b], channels, 1);
        for (int k = length[b] * channels; k < time * channels; k++)
            y[first + (size_t)k] = 0.0f;
    }
}
