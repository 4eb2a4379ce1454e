/* Products of matrices, for labs that train something. The invariant: every sum is added up in the
 * order of its terms, however many are added side by side, so that a lab's numbers are those of
 * every machine. */
#ifndef LABS_PRODUCTS_H
#define LABS_PRODUCTS_H

/* Of a function with a loop that takes time: where the processor has wider registers than its kind
 * must have, they are used. */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__
#define WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define WIDEST
#endif

/* Eight numbers that are added and multiplied side by side. */
typedef float Eight __attribute__((vector_size(32)));
enum { EIGHT = 8 };

/* c = a b. c: rows x columns, a: rows x inner, b: inner x columns. */
void product(float *c, const float *a, const float *b, int rows, int inner, int columns);
/* c += a b: the sums begin with what c holds. */
void add_product(float *c, const float *a, const float *b, int rows, int inner, int columns);
/* c = aT b: a is inner x rows. */
void product_of_columns(float *c, const float *a, const float *b, int rows, int inner, int columns);
/* to: columns x rows, from: rows x columns */
void transpose(float *to, const float *from, int rows, int columns);

/* One row of a linear layer's bias added to each row of y, and its gradient. */
void add_bias(float *y, const float *bias, int rows, int features);
void sum_rows(float *dbias, const float *dy, int rows, int features);

#endif
