/* Lesson 13: Activations Seen. What exercises/13_activations.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element. Every size is at least 1.
 *
 * A layer of `rows` rows of `features` numbers makes the next one. Layer 0 is the first that is
 * computed, from x; what it gives is h[0]. */
#ifndef LESSON_13_ACTIVATIONS_H
#define LESSON_13_ACTIVATIONS_H

/* All layers of a network, none forgotten. In layer l, for each row r, with h[-1] = x:
 *     a[j] = sum over k of w[l][j][k] * h[l - 1][r][k]
 *     h[l][r][j] = tanh(a[j])                                       where normalized is 0
 *     h[l][r][j] = tanh((a[j] - mean) / sqrt(variance + eps))       where it is any other number
 * mean and variance are those of the row's a, the variance being the biased one (lesson 01). There
 * is no gamma and no beta. tanh() is in <math.h>, as tanhf() for floats. */
void deep_forward(float *h,       /* layers x rows x features */
                  const float *x, /* rows x features */
                  const float *w, /* layers x features x features */
                  int layers, int rows, int features, int normalized, float eps);

/* Of all the rows * features numbers of each layer together: their mean, and their spread, which is
 * the root of their biased variance. A layer may be far from zero, up to 1000 spreads, and its
 * numbers may all be equal. */
void layer_spread(float *mean,    /* layers */
                  float *spread,  /* layers */
                  const float *h, /* layers x rows x features */
                  int layers, int rows, int features);

/* Cuts the way from low to high into `bins` equal parts: share[b] is the part of all `count`
 * numbers that lie in part b, so the shares add up to 1. A number on an edge belongs to the part
 * above it. What lies outside, however far, infinities too, counts in the first or the last part,
 * and so does `high` itself in the last. (Where rounding decides on which side of an edge a number
 * lies, either part is right. Where every step of the way is exact, say 0 or 0.5 with low -1, high
 * 1 and 4 bins, one is.) low is below high, high - low is no infinity, and x holds no NaN. */
void histogram(float *share,   /* bins */
               const float *x, /* count */
               int count, int bins, float low, float high);

#endif
