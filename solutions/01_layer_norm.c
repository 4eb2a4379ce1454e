// STUB: /* Lesson 01: Layer Normalization. Read lessons/01_layer_norm.md, then fill in the three
// STUB:  * functions and save. `make check` tells you how far you are; `make hint` helps. */
// SOLUTION
/* Lesson 01: Layer Normalization. The reference solution: two passes over a row, in float. */
// END
#include "01_layer_norm.h"

#include <math.h>
#include <stddef.h>

/* x: features */
float row_mean(const float *x, int features)
{
    // STUB: /* Your code here: the average of the row. */
    // STUB: return 0.0f;
    // SOLUTION
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
    // END
}

/* x: features */
float row_variance(const float *x, int features, float mean)
{
    // STUB: /* Your code here: the average squared distance from `mean`. */
    // STUB: return 0.0f;
    // SOLUTION
    float sum = 0.0f;
    for (int j = 0; j < features; j++) {
        float distance = x[j] - mean;
        sum += distance * distance;
    }
    return sum / (float)features;
    // END
}

/* y, x: rows x features; gamma, beta: features */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    // STUB: /* Your code here: normalize each row, then scale by gamma and shift by beta. */
    // SOLUTION
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float mean = row_mean(row, features);
        float rstd = 1.0f / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            out[j] = gamma[j] * (row[j] - mean) * rstd + beta[j];
    }
    // END
}
