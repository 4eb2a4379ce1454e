/* Lesson 14: Initialization. Read lessons/14_initialization.md, then fill in the three functions
 * and save. `make check` tells you how far you are; `make hint` helps. */
#include "14_initialization.h"

#include <math.h>
#include <stddef.h>

/* gamma, beta, x: features */
void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    /* Your code here: the row's mean and sqrt(variance + eps), the same in every feature. */
}

/* gamma, beta, mean, spread: features; x: rows x features */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    /* Your code here: normalize each row, then the mean and spread of each feature over the rows,
     * and from these the gamma and beta that make them what they should be. */
}

/* parameter, velocity, gradient: count */
void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    /* Your code here: the new velocity, and with it the new parameter. */
}
