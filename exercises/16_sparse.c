/* Lesson 16: Sparse Rows. Read lessons/16_sparse.md, then fill in the three functions and save.
 * `make check` tells you how far you are; `make hint` helps. */
#include "16_sparse.h"

#include <math.h>
#include <stddef.h>

/* mean, rstd: rows; start: rows + 1; value: nonzeros */
void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    /* Your code here: for each row the mean over all features, and rstd; loops over the non-zeros.
     */
}

/* base: rows; delta, value: nonzeros; start: rows + 1 */
void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    /* Your code here: what a zero becomes, and how much more each non-zero becomes. */
}

/* y: rows x outputs; base: rows; delta, column: nonzeros; start: rows + 1; w: outputs x features;
 * gamma: features; wg, wb: outputs */
void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    /* Your code here: what every column gives, and what the non-zeros add to it. */
}
