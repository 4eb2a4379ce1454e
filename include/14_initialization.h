/* Lesson 14: Initialization. What exercises/14_initialization.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. The two arrays that are
 * "read and written" hold what the step before left; move them, don't start anew.
 *
 * The layer norm spoken of is lesson 01's, with this eps: a row's mean and its biased variance,
 * which divides by features, and y[r][j] = gamma[j] * normalized[r][j] + beta[j] with
 *     normalized[r][j] = (x[r][j] - mean_r) / sqrt(variance_r + eps) */
#ifndef LESSON_14_INITIALIZATION_H
#define LESSON_14_INITIALIZATION_H

/* Layer norm with these gives the row x back: every gamma[j] is sqrt(variance + eps), every beta[j]
 * the row's mean. Where eps is 0 the row is not of equal numbers. */
void identity_init(float *gamma,   /* features */
                   float *beta,    /* features */
                   const float *x, /* features */
                   int features, float eps);

/* Layer norm of x with these gives feature j, over the rows, the mean mean[j] and the standard
 * deviation spread[j], the biased one, which divides by rows, with no eps of its own. gamma is not
 * negative. spread[j] may be 0: then gamma[j] is 0. Over the rows no feature of the normalized rows
 * is constant: there are two rows or more, and two features or more. Where eps is 0 no row is of
 * equal numbers. */
void target_init(float *gamma,        /* features */
                 float *beta,         /* features */
                 const float *x,      /* rows x features */
                 const float *mean,   /* features */
                 const float *spread, /* features */
                 int rows, int features, float eps);

/* One step of torch.optim.SGD (dampening 0, no Nesterov), for each of the numbers:
 *     velocity = momentum * velocity + gradient + decay * parameter
 *     parameter = parameter - rate * velocity
 * with the parameter as it was on the first line, and the new velocity on the second. Before the
 * first step of all, whoever trains has set the velocity to 0. */
void momentum_step(float *parameter,      /* count, read and written */
                   float *velocity,       /* count, read and written */
                   const float *gradient, /* count */
                   int count, float rate, float momentum, float decay);

#endif
