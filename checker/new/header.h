/* Lesson 00: New Norm. What exercises/00_new_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. */

/* y[r][j] = gamma[j] * x[r][j] */
void new_norm(float *y,           /* rows x features */
              const float *x,     /* rows x features */
              const float *gamma, /* features */
              int rows, int features);

/* The gradients, given dy, that of the loss with respect to y. dgamma is summed over the rows. */
void new_norm_backward(float *dx,          /* rows x features */
                       float *dgamma,      /* features */
                       const float *dy,    /* rows x features */
                       const float *x,     /* rows x features */
                       const float *gamma, /* features */
                       int rows, int features);
