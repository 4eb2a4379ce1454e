/* Lesson 17: Fast. What exercises/17_fast.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none.
 *
 * An array may begin anywhere a float may, and so may every row: no row is aligned to more than a
 * float. features may be 1, and need not be a multiple of anything. A row may lie 10,000 times its
 * own spread away from zero. The numbers may be added in any order.
 *
 * A function may start threads, if it waits for them all before it returns. Keep nothing in a
 * global or static variable for a later call. */
#ifndef LESSON_17_FAST_H
#define LESSON_17_FAST_H

/* The sum of a row. */
float row_sum_fast(const float *x, /* features */
                   int features);

/* The mean of each row, and its biased variance, which divides by features. */
void row_statistics_fast(float *mean,     /* rows */
                         float *variance, /* rows */
                         const float *x,  /* rows x features */
                         int rows, int features);

/* Layer norm as in lesson 01:
 *     y[r][j] = gamma[j] * (x[r][j] - mean_r) / sqrt(variance_r + eps) + beta[j] */
void layer_norm_fast(float *y,           /* rows x features */
                     const float *x,     /* rows x features */
                     const float *gamma, /* features */
                     const float *beta,  /* features */
                     int rows, int features, float eps);

/* Its backward pass as in lesson 02. With xhat[r][j] = (x[r][j] - mean[r]) * rstd[r] and
 * g[r][j] = gamma[j] * dy[r][j]:
 *     dbeta[j] and dgamma[j] are sums over the rows, of dy and of dy * xhat
 *     dx[r][j] = rstd[r] * (g[r][j] - mean(g) - xhat[r][j] * mean(g * xhat)), means over the row r
 * mean and rstd = 1 / sqrt(variance + eps) are those of the forward pass: use them. */
void layer_norm_backward_fast(float *dx,          /* rows x features */
                              float *dgamma,      /* features */
                              float *dbeta,       /* features */
                              const float *dy,    /* rows x features */
                              const float *x,     /* rows x features */
                              const float *gamma, /* features */
                              const float *mean,  /* rows */
                              const float *rstd,  /* rows */
                              int rows, int features);

#endif
