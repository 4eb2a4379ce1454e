/* Lesson 03: RMS Normalization. Read lessons/03_rms_norm.md, then fill in the two
 * functions and save. `make check` tells you how far you are; `make hint` helps. */
#include "03_rms_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x: rows x features; gamma: features */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    /* Your code here: divide each row by its root mean square, then scale by gamma. */
}

/* dx, dy, x: rows x features; dgamma, gamma: features */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    /* Your code here: dgamma first (a sum over the rows), then dx, row by row. */
}
