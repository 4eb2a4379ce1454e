/* Lesson 05: Batch Normalization. Read lessons/05_batch_norm.md, then fill in the three
 * functions and save. `make check` tells you how far you are; `make hint` helps. */
#include "05_batch_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x: batch x features; running_mean, running_var (read and written), gamma, beta: features */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    /* Your code here: normalize each column of x with its own mean and variance, scale and
     * shift it, and move the running statistics a little towards this batch's. */
}

/* y, x: batch x features; running_mean, running_var, gamma, beta: features */
void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    /* Your code here: the same line, with the running statistics in place of the
     * batch's. */
}

/* dx, dy, x: batch x features; dgamma, dbeta, gamma: features */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    /* Your code here: the gradients of batch_norm_train, again one column at a time. */
}
