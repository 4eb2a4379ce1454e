/* Lesson 11: pre-norm and post-norm. Read lessons/11_pre_post_norm.md, then fill in the four
 * functions and save. `make check` tells you how far you are; `make hint` helps. */
#include "11_pre_post_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x, branch: rows x features; mean, rstd: rows; gamma, beta: features */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    /* Your code here: the layer norm of x + branch, which saves mean and rstd. */
}

/* dx, dbranch, dy, x, branch: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    /* Your code here: back through the norm, then through the sum. */
}

/* dx, dy, dinput, x: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    /* Your code here: dinput goes back through the norm, dy goes past it. */
}

/* length: layers; gradient: layers x count */
void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    /* Your code here: for each layer, the root of the sum of the squares. */
}
