/* Lesson 16: Sparse Rows. The reference solution, in float. No loop runs over the features. */
#include "16_sparse.h"

#include <math.h>
#include <stddef.h>

/* value: the count non-zeros of one row */
static void row_statistics(float *mean, float *rstd, const float *value, int count, int features,
                           float eps)
{
    float sum = 0.0f;
    for (int i = 0; i < count; i++)
        sum += value[i];
    *mean = sum / (float)features;

    float squares = (float)(features - count) * *mean * *mean; /* of the zeros' distances */
    for (int i = 0; i < count; i++)
        squares += (value[i] - *mean) * (value[i] - *mean);
    *rstd = 1.0f / sqrtf(squares / (float)features + eps);
}

/* mean, rstd: rows; start: rows + 1; value: nonzeros */
void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++)
        row_statistics(&mean[r], &rstd[r], value + start[r], start[r + 1] - start[r], features,
                       eps);
}

/* base: rows; delta, value: nonzeros; start: rows + 1 */
void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean, rstd;
        row_statistics(&mean, &rstd, value + start[r], start[r + 1] - start[r], features, eps);
        base[r] = -mean * rstd;
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = value[i] * rstd;
    }
}

/* y: rows x outputs; base: rows; delta, column: nonzeros; start: rows + 1; w: outputs x features;
 * gamma: features; wg, wb: outputs */
void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    for (int r = 0; r < rows; r++) {
        for (int o = 0; o < outputs; o++) {
            const float *weights = w + (size_t)o * (size_t)features;
            float sum = wb[o] + base[r] * wg[o];
            for (int i = start[r]; i < start[r + 1]; i++)
                sum += weights[column[i]] * gamma[column[i]] * delta[i];
            y[(size_t)r * (size_t)outputs + (size_t)o] = sum;
        }
    }
}
