/* One pass, and numbers of any size: double is my friend */
#include "07_stability.h"
#include <math.h>

void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, s = 0;
        int n = 0;
        for (int i = 0; i < features; i++) {
            double v = x[r * features + i];
            n++;
            double delta = v - m;
            m += delta / n;
            s += delta * (v - m);
        }
        mean[r] = m;
        variance[r] = s / n;
    }
}

void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    double a = features_a, b = features_b, n = a + b;
    for (int r = 0; r < rows; r++) {
        double delta = (double)mean_b[r] - mean_a[r];
        mean[r] = (a * mean_a[r] + b * mean_b[r]) / n;
        variance[r] = (a * variance_a[r] + b * variance_b[r] + delta * delta * a * b / n) / n;
    }
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        double m = 0, s = 0;
        int same = 1;
        for (int i = 0; i < features; i++) {
            m += row[i];
            if (row[i] != row[0])
                same = 0;
        }
        m /= features;
        for (int i = 0; i < features; i++)
            s += (row[i] - m) * (row[i] - m);
        double root = sqrt(s / features + eps);
        for (int i = 0; i < features; i++) {
            if (same && isfinite(row[0]))
                out[i] = beta[i];
            else
                out[i] = gamma[i] * ((row[i] - m) / root) + beta[i];
        }
    }
}
