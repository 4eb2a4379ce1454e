/* Lesson 03: RMS Normalization. What exercises/03_rms_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. */
#ifndef LESSON_03_RMS_NORM_H
#define LESSON_03_RMS_NORM_H

/* y[r][j] = gamma[j] * x[r][j] / sqrt(mean_square_r + eps), mean_square_r: the mean of x[r][j]^2 */
void rms_norm(float *y,           /* rows x features */
              const float *x,     /* rows x features */
              const float *gamma, /* features */
              int rows, int features, float eps);

/* The gradients, given dy, that of the loss with respect to y. dgamma is summed over the rows. */
void rms_norm_backward(float *dx,          /* rows x features */
                       float *dgamma,      /* features */
                       const float *dy,    /* rows x features */
                       const float *x,     /* rows x features */
                       const float *gamma, /* features */
                       int rows, int features, float eps);

#endif
