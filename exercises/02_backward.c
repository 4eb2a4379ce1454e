/* Lesson 02: the backward pass. Read lessons/02_backward.md, then fill in the two
 * functions and save. `make check` tells you how far you are; `make hint` helps. */
#include "02_backward.h"

#include <math.h>
#include <stddef.h>

/* y, x: rows x features; mean, rstd: rows; gamma, beta: features */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    /* Your code here: lesson 01's layer norm, which saves each row's mean and rstd. */
}

/* dx, dy, x: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    /* Your code here: dbeta first, then dgamma, then dx. */
}
