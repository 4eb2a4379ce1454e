/* Lesson 01: Layer Normalization. Read lessons/01_layer_norm.md, then fill in the three
 * functions and save. `make check` tells you how far you are; `make hint` helps. */
#include "01_layer_norm.h"

#include <math.h>
#include <stddef.h>

/* x: features */
float row_mean(const float *x, int features)
{
    /* Your code here: the average of the row. */
    return 0.0f;
}

/* x: features */
float row_variance(const float *x, int features, float mean)
{
    /* Your code here: the average squared distance from `mean`. */
    return 0.0f;
}

/* y, x: rows x features; gamma, beta: features */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    /* Your code here: normalize each row, then scale by gamma and shift by beta. */
}
