/* Lesson 07: Stability. The reference solution, all in float. layer_norm_wide measures a row in a
 * unit of its own, a power of two near its largest number: dividing by that rounds nothing. */
#include "07_stability.h"

#include <math.h>
#include <stddef.h>

/* mean, variance: rows; x: rows x features */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float so_far = 0.0f, squares = 0.0f;
        for (int j = 0; j < features; j++) {
            float before = row[j] - so_far;
            so_far += before / (float)(j + 1);
            squares += before * (row[j] - so_far);
        }
        mean[r] = so_far;
        variance[r] = squares / (float)features;
    }
}

/* All arrays: rows */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float count = (float)features_a + (float)features_b;
    float share_a = (float)features_a / count, share_b = (float)features_b / count;
    for (int r = 0; r < rows; r++) {
        float apart = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + share_b * apart;
        variance[r] =
            share_a * variance_a[r] + share_b * variance_b[r] + share_a * share_b * apart * apart;
    }
}

/* The row is measured in units of 2 to this power: none of its numbers is above 1 then, nor is eps
 * in the square of that unit. row: features */
static int row_unit(const float *row, int features, float eps)
{
    float largest = sqrtf(eps);
    int unit = 0;
    for (int j = 0; j < features; j++)
        if (fabsf(row[j]) > largest)
            largest = fabsf(row[j]);
    if (isfinite(largest))
        frexpf(largest, &unit);
    return unit;
}

/* y, x: rows x features; gamma, beta: features */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        int unit = row_unit(row, features, eps);
        float first = ldexpf(row[0], -unit), sum = 0.0f, squares = 0.0f;
        for (int j = 0; j < features; j++) { /* distances from the first: 0 where all are equal */
            out[j] = ldexpf(row[j], -unit) - first;
            sum += out[j];
        }
        float mean = sum / (float)features;
        for (int j = 0; j < features; j++) {
            out[j] -= mean;
            squares += out[j] * out[j];
        }
        float spread = sqrtf(squares / (float)features + ldexpf(eps, -2 * unit));
        for (int j = 0; j < features; j++)
            out[j] = gamma[j] * (spread == 0.0f ? 0.0f : out[j] / spread) + beta[j];
    }
}
