/* Lesson 03: RMS Normalization. The reference solution: one pass for a row's sums, one that writes
 * the row. The backward pass keeps nothing of the forward pass and works out rstd again. */
#include "03_rms_norm.h"

#include <math.h>
#include <stddef.h>

/* 1 / sqrt(the row's mean square + eps). row: features */
static float row_rstd(const float *row, int features, float eps)
{
    float squares = 0.0f;
    for (int j = 0; j < features; j++)
        squares += row[j] * row[j];
    return 1.0f / sqrtf(squares / (float)features + eps);
}

/* y, x: rows x features; gamma: features */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float rstd = row_rstd(row, features, eps);
        for (int j = 0; j < features; j++)
            out[j] = gamma[j] * (row[j] * rstd);
    }
}

/* dx, dy, x: rows x features; dgamma, gamma: features */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        const float *drow = dy + (size_t)r * (size_t)features;
        float *out = dx + (size_t)r * (size_t)features;
        float rstd = row_rstd(row, features, eps);

        float dot = 0.0f; /* of g = gamma * dy with the normalized row */
        for (int j = 0; j < features; j++) {
            float xhat = row[j] * rstd;
            dot += gamma[j] * drow[j] * xhat;
            dgamma[j] += drow[j] * xhat;
        }
        float mean = dot / (float)features;
        for (int j = 0; j < features; j++)
            out[j] = rstd * (gamma[j] * drow[j] - row[j] * rstd * mean);
    }
}
