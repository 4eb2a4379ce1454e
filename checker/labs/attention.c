/* Products, attention and Adam of the labs that train a transformer: see attention.h. The compiler
 * is not told to reorder sums, so it would add one number at a time: columns side by side are
 * spelled out. The invariant: every sum is added up in the order of its terms, whatever the width,
 * so that a lab's numbers are those of every machine. */
#include "attention.h"

#include <math.h>
#include <string.h>

/* ---- products ---- */
/* Where the processor has wider registers than its kind must have, they are used. */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif
#define INLINE static inline __attribute__((always_inline))

typedef float Eight __attribute__((vector_size(32)));
enum { EIGHT = 8, MOST = 4 };

/* 8 columns, or 16 or 32, of one row of c. a: `inner` numbers, `step` apart. */
INLINE void block_of_row(float *c, const float *a, int step, const float *b, int inner, int columns,
                         int eights)
{
    Eight sum[MOST] = {0};
    for (int i = 0; i < inner; i++, a += step, b += columns)
        for (int k = 0; k < eights; k++) {
            Eight more;
            memcpy(&more, b + EIGHT * k, sizeof more);
            sum[k] += *a * more;
        }
    memcpy(c, sum, (size_t)eights * sizeof *sum);
}

WIDEST static void row_of_product(float *c, const float *a, int step, const float *b, int inner,
                                  int columns)
{
    int j = 0;
    for (; j + 4 * EIGHT <= columns; j += 4 * EIGHT)
        block_of_row(c + j, a, step, b + j, inner, columns, 4);
    for (; j + 2 * EIGHT <= columns; j += 2 * EIGHT)
        block_of_row(c + j, a, step, b + j, inner, columns, 2);
    for (; j + EIGHT <= columns; j += EIGHT)
        block_of_row(c + j, a, step, b + j, inner, columns, 1);
    for (int k = j; k < columns; k++)
        c[k] = 0;
    for (int i = 0; i < inner; i++)
        for (int k = j; k < columns; k++)
            c[k] += a[i * step] * b[i * columns + k];
}

void product(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
    for (int r = 0; r < rows; r++)
        row_of_product(c + r * columns, a + r * inner, 1, b, inner, columns);
}

void product_of_columns(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
    for (int r = 0; r < rows; r++)
        row_of_product(c + r * columns, a + r, rows, b, inner, columns);
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

/* ---- attention ---- */
/* One head's numbers of one sequence, TIME x HEAD_SIZE, out of an array of rows of `features`. */
static void take_head(float *head, const float *from, int features)
{
    for (int t = 0; t < TIME; t++)
        memcpy(head + t * HEAD_SIZE, from + t * features, HEAD_SIZE * sizeof *head);
}

static void put_head(float *to, const float *head, int features)
{
    for (int t = 0; t < TIME; t++)
        memcpy(to + t * features, head + t * HEAD_SIZE, HEAD_SIZE * sizeof *head);
}

static void softmax_row(float *row)
{
    float largest = row[0], sum = 0;
    for (int s = 1; s < TIME; s++)
        largest = row[s] > largest ? row[s] : largest;
    for (int s = 0; s < TIME; s++) {
        row[s] = (float)exp((double)row[s] - largest);
        sum += row[s];
    }
    for (int s = 0; s < TIME; s++)
        row[s] /= sum;
}

static const float SCALE = 0.35355339f; /* 1 / sqrt(HEAD_SIZE) */

void attend(float *context, float *weights, const float *q, const float *k, const float *v,
            int batch, int features)
{
    float query[TIME * HEAD_SIZE], key[TIME * HEAD_SIZE], turned[HEAD_SIZE * TIME];
    float value[TIME * HEAD_SIZE], out[TIME * HEAD_SIZE];
    for (int b = 0; b < batch; b++)
        for (int at = b * TIME * features, h = 0; h < features; h += HEAD_SIZE) {
            take_head(query, q + at + h, features);
            take_head(key, k + at + h, features);
            take_head(value, v + at + h, features);
            transpose(turned, key, TIME, HEAD_SIZE);
            product(weights, query, turned, TIME, HEAD_SIZE, TIME);
            for (int t = 0; t < TIME * TIME; t++)
                weights[t] *= SCALE;
            for (int t = 0; t < TIME; t++)
                softmax_row(weights + t * TIME);
            product(out, weights, value, TIME, TIME, HEAD_SIZE);
            put_head(context + at + h, out, features);
            weights += TIME * TIME;
        }
}

/* The slopes of the scores, from those of the weights: dweights becomes them. */
static void softmax_backward(float *dweights, const float *weights)
{
    for (int t = 0; t < TIME; t++, dweights += TIME, weights += TIME) {
        float sum = 0;
        for (int s = 0; s < TIME; s++)
            sum += dweights[s] * weights[s];
        for (int s = 0; s < TIME; s++)
            dweights[s] = SCALE * weights[s] * (dweights[s] - sum);
    }
}

void attend_backward(float *dq, float *dk, float *dv, const float *dcontext, const float *weights,
                     const float *q, const float *k, const float *v, int batch, int features)
{
    float query[TIME * HEAD_SIZE], key[TIME * HEAD_SIZE], value[TIME * HEAD_SIZE];
    float turned[HEAD_SIZE * TIME], dout[TIME * HEAD_SIZE], dweights[TIME * TIME];
    float slope[TIME * HEAD_SIZE];
    for (int b = 0; b < batch; b++)
        for (int at = b * TIME * features, h = 0; h < features; h += HEAD_SIZE) {
            take_head(query, q + at + h, features);
            take_head(key, k + at + h, features);
            take_head(value, v + at + h, features);
            take_head(dout, dcontext + at + h, features);
            product_of_columns(slope, weights, dout, TIME, TIME, HEAD_SIZE);
            put_head(dv + at + h, slope, features);
            transpose(turned, value, TIME, HEAD_SIZE);
            product(dweights, dout, turned, TIME, HEAD_SIZE, TIME);
            softmax_backward(dweights, weights);
            product(slope, dweights, key, TIME, TIME, HEAD_SIZE);
            put_head(dq + at + h, slope, features);
            product_of_columns(slope, dweights, query, TIME, TIME, HEAD_SIZE);
            put_head(dk + at + h, slope, features);
            weights += TIME * TIME;
        }
}

/* ---- Adam ---- */
void adam(float *values, float *mean, float *square, const float *slopes, int count, float rate,
          int step)
{
    const float keep_mean = 0.9f, keep_square = 0.999f;
    float whole_mean = (float)(1 - pow(0.9, step)), whole_square = (float)(1 - pow(0.999, step));
    for (int i = 0; i < count; i++) {
        mean[i] = keep_mean * mean[i] + (1 - keep_mean) * slopes[i];
        square[i] = keep_square * square[i] + (1 - keep_square) * slopes[i] * slopes[i];
        values[i] -= rate * (mean[i] / whole_mean) / (sqrtf(square[i] / whole_square) + 1e-8f);
    }
}
