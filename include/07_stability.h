/* Lesson 07: Stability. What exercises/07_stability.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. Every variance is the
 * biased one: it divides by the count. */
#ifndef LESSON_07_STABILITY_H
#define LESSON_07_STABILITY_H

/* Mean and variance of each row, in one pass: every x is read once. */
void welford_statistics(float *mean,     /* rows */
                        float *variance, /* rows */
                        const float *x,  /* rows x features */
                        int rows, int features);

/* Each row was cut in two: the first features_a of its numbers and the other features_b. From the
 * statistics of the two parts, those of the whole row. Both counts are at least 1. Their sum fits
 * an int, their product may not. */
void merge_statistics(float *mean,             /* rows */
                      float *variance,         /* rows */
                      const float *mean_a,     /* rows */
                      const float *variance_a, /* rows */
                      const float *mean_b,     /* rows */
                      const float *variance_b, /* rows */
                      int rows, int features_a, int features_b);

/* Layer norm: y[r][j] = gamma[j] * (x[r][j] - mean_r) / sqrt(variance_r + eps) + beta[j], and
 *   - right for rows of any size from 1e-30 to 1e38, also with eps 0;
 *   - a row whose numbers are all equal gives beta, exactly, with eps 0 too;
 *   - a row that holds a NaN or an infinity, or nothing else, gives NaN in its whole y; no other
 * row notices. */
void layer_norm_wide(float *y,           /* rows x features */
                     const float *x,     /* rows x features */
                     const float *gamma, /* features */
                     const float *beta,  /* features */
                     int rows, int features, float eps);

#endif
