/* Products of matrices: see products.h. The compiler is not told to reorder sums, so it would add
 * one number at a time: columns side by side are spelled out. */
#include "products.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { MOST = 4 };

/* 8 columns, or 16 or 32, of one row of c, which the sums begin with. a: `inner` numbers, `step`
 * apart. */
INLINE void block_of_row(float *c, const float *a, int step, const float *b, int inner, int columns,
                         int eights)
{
    Eight sum[MOST];
    memcpy(sum, c, (size_t)eights * sizeof *sum);
    for (int i = 0; i < inner; i++, a += step, b += columns)
        for (int k = 0; k < eights; k++) {
            Eight more;
            memcpy(&more, b + EIGHT * k, sizeof more);
            sum[k] += *a * more;
        }
    memcpy(c, sum, (size_t)eights * sizeof *sum);
}

WIDEST static void add_row(float *c, const float *a, int step, const float *b, int inner,
                           int columns)
{
    int j = 0;
    for (; j + 4 * EIGHT <= columns; j += 4 * EIGHT)
        block_of_row(c + j, a, step, b + j, inner, columns, 4);
    for (; j + 2 * EIGHT <= columns; j += 2 * EIGHT)
        block_of_row(c + j, a, step, b + j, inner, columns, 2);
    for (; j + EIGHT <= columns; j += EIGHT)
        block_of_row(c + j, a, step, b + j, inner, columns, 1);
    for (int i = 0; i < inner; i++)
        for (int k = j; k < columns; k++)
            c[k] += a[i * step] * b[i * columns + k];
}

void add_product(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
    for (int r = 0; r < rows; r++)
        add_row(c + r * columns, a + r * inner, 1, b, inner, columns);
}

void product(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
    memset(c, 0, (size_t)(rows * columns) * sizeof *c);
    add_product(c, a, b, rows, inner, columns);
}

void product_of_columns(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
    memset(c, 0, (size_t)(rows * columns) * sizeof *c);
    for (int r = 0; r < rows; r++)
        add_row(c + r * columns, a + r, rows, b, inner, columns);
}

void transpose(float *to, const float *from, int rows, int columns)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < columns; j++)
            to[j * rows + r] = from[r * columns + j];
}

void add_bias(float *y, const float *bias, int rows, int features)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++)
            y[r * features + j] += bias[j];
}

void sum_rows(float *dbias, const float *dy, int rows, int features)
{
    memset(dbias, 0, (size_t)features * sizeof *dbias);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++)
            dbias[j] += dy[r * features + j];
}
