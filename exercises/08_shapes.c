/* Lesson 08: Shapes. Read lessons/08_shapes.md, then fill in the five functions and save.
 * `make check` tells you how far you are; `make hint` helps. */
#include "08_shapes.h"

#include <math.h>
#include <stddef.h>

/* y, x: outer x features x inner */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    /* Your code here: for each o and i, layer norm of features numbers that lie inner apart. */
}

/* y, x: batch x time x features; gamma, beta: features */
void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    /* Your code here: what are outer, features and inner of a text? */
}

/* y, x: batch x channels x height x width; gamma, beta: channels x height x width */
void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    /* Your code here: the whole of each image together. */
}

/* y, x: batch x channels x height x width; gamma, beta: channels */
void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    /* Your code here: the channels of each pixel together. */
}

/* y, x: batch x time x channels; length: batch; gamma, beta: channels */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    /* Your code here: each channel over the steps that are there, and 0 behind them. */
}
