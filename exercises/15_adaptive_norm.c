/* Lesson 15: Adaptive Norms. Read lessons/15_adaptive_norm.md, then fill in the four functions and
 * save. `make check` tells you how far you are; `make hint` helps. */
#include "15_adaptive_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x: rows x features */
void ada_norm(float *y, const float *x, int rows, int features, float scale, float k, float eps)
{
    /* Your code here: for each row m and s, then y from xhat. */
}

/* dx, dy, x: rows x features */
void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    /* Your code here: the gradient of xhat, its two means over the row, then dx. */
}

/* y, x: rows x features; parameters: 6 x features */
void adaptive_norm(float *y, const float *x, const float *parameters, int rows, int features,
                   float eps)
{
    /* Your code here: for each row m and s, then the scale and the shift of each feature. */
}

/* dx, dy, x: rows x features; dparameters, parameters: 6 x features */
void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    /* Your code here: six sums for the parameters; then dx, through xhat, through m, through s. */
}
