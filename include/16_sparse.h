/* Lesson 16: Sparse Rows. What exercises/16_sparse.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none.
 *
 * A row has `features` numbers, nearly all of them 0. Only the others, the non-zeros, are stored,
 * those of all rows one after the other: the non-zeros of row r are value[start[r]] to
 * value[start[r + 1] - 1], and column[i] is where in its row value[i] stands. start[0] is 0,
 * start[rows] is `nonzeros`. A row may have none, or as many as features; so nonzeros may be 0, or
 * far more than rows. The columns of a row come in any order, and none comes twice. A stored value
 * may happen to be 0: then it is a 0 like the others.
 *
 * features may be as large as an int can be. Do work for the non-zeros, and none for the zeros. */
#ifndef LESSON_16_SPARSE_H
#define LESSON_16_SPARSE_H

/* For each row, over all its features, the zeros too:
 *     mean[r], and rstd[r] = 1 / sqrt(variance + eps), the variance being the biased one */
void sparse_statistics(float *mean,        /* rows */
                       float *rstd,        /* rows */
                       const int *start,   /* rows + 1 */
                       const float *value, /* nonzeros */
                       int rows, int features, int nonzeros, float eps);

/* The normalized rows, (x - mean) * rstd, in two parts: base[r] is the number that stands in every
 * column of row r where there was a zero; in the column of non-zero i it is base[r] + delta[i]. */
void sparse_layer_norm(float *base,        /* rows */
                       float *delta,       /* nonzeros */
                       const int *start,   /* rows + 1 */
                       const float *value, /* nonzeros */
                       int rows, int features, int nonzeros, float eps);

/* The linear layer behind it:
 *     y[r][o] = sum over all j of w[o][j] * (gamma[j] * normalized[r][j] + beta[j])
 * of rows that are given by base and delta as above. What all rows have in common is given, too:
 *     wg[o] = sum over all j of w[o][j] * gamma[j]
 *     wb[o] = sum over all j of w[o][j] * beta[j]
 * Use it: no more of w and gamma is looked at than the columns of the non-zeros. */
void sparse_norm_linear(float *y,           /* rows x outputs */
                        const float *base,  /* rows */
                        const float *delta, /* nonzeros */
                        const int *start,   /* rows + 1 */
                        const int *column,  /* nonzeros */
                        const float *w,     /* outputs x features */
                        const float *gamma, /* features */
                        const float *wg,    /* outputs */
                        const float *wb,    /* outputs */
                        int rows, int features, int nonzeros, int outputs);

#endif
