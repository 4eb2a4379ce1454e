/* Lesson 01: Layer Normalization. What exercises/01_layer_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. */
#ifndef LESSON_01_LAYER_NORM_H
#define LESSON_01_LAYER_NORM_H

/* The average of one row. */
float row_mean(const float *x, /* features */
               int features);

/* The biased estimate of the row's variance: divides by features. Uses the mean it is given. */
float row_variance(const float *x, /* features */
                   int features, float mean);

/* y[r][j] = gamma[j] * (x[r][j] - mean_r) / sqrt(variance_r + eps) + beta[j] */
void layer_norm(float *y,           /* rows x features */
                const float *x,     /* rows x features */
                const float *gamma, /* features */
                const float *beta,  /* features */
                int rows, int features, float eps);

#endif
