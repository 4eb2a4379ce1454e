/* Lesson 09: Group Normalization. Read lessons/09_group_norm.md, then fill in the two functions and
 * save. `make check` tells you how far you are; `make hint` helps. */
#include "09_group_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x: batch x channels x pixels; mean, rstd: batch x groups; gamma, beta: channels */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    /* Your code here: for each group of each image, mean, rstd, and then y channel by channel. */
}

/* dx, dy, x: batch x channels x pixels; dgamma, dbeta, gamma: channels; mean, rstd: batch x groups
 */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    /* Your code here: two sums for each channel, two means for each group, then dx. */
}
