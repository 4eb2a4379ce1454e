/* the loops stand, the inside is missing */
#include "07_stability.h"

void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        mean[r] = 0;
        variance[r] = 0;
        for (int j = 0; j < features; j++) {
            // delta = ...
        }
    }
}

void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    for (int r = 0; r < rows; r++) {
        mean[r] = mean_a[r]; /* plus something */
        variance[r] = variance_a[r];
    }
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++)
            y[r * features + j] = beta[j];
}
