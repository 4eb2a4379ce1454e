/* Lesson 08: Shapes. What exercises/08_shapes.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape, the outermost
 * dimension first. What an output array holds before the call is garbage: write every element, add
 * to none. Every size is at least 1, and so is every length.
 *
 * "Normalized" is the same everywhere: (number - mean) / sqrt(variance + eps), with the mean and
 * the biased variance (it divides by their count) of the numbers that are normalized together. The
 * functions differ in which numbers these are. Where there are gamma and beta, y is gamma *
 * normalized + beta. */
#ifndef LESSON_08_SHAPES_H
#define LESSON_08_SHAPES_H

/* Along the middle axis: for every o and i, the `features` numbers x[o][0][i] to
 * x[o][features - 1][i] together. */
void layer_norm_axis(float *y,       /* outer x features x inner */
                     const float *x, /* outer x features x inner */
                     int outer, int features, int inner, float eps);

/* Text: each token, x[b][t], alone. */
void layer_norm_text(float *y,           /* batch x time x features */
                     const float *x,     /* batch x time x features */
                     const float *gamma, /* features */
                     const float *beta,  /* features */
                     int batch, int time, int features, float eps);

/* Images: each image, x[b], as a whole. Every number in it has its own gamma and beta. It is
 * PyTorch's LayerNorm([channels, height, width]). */
void layer_norm_image(float *y,           /* batch x channels x height x width */
                      const float *x,     /* batch x channels x height x width */
                      const float *gamma, /* channels x height x width */
                      const float *beta,  /* channels x height x width */
                      int batch, int channels, int height, int width, float eps);

/* Images, pixel by pixel: the channels of one pixel together. Channel c has gamma[c], beta[c]. */
void layer_norm_pixels(float *y,           /* batch x channels x height x width */
                       const float *x,     /* batch x channels x height x width */
                       const float *gamma, /* channels */
                       const float *beta,  /* channels */
                       int batch, int channels, int height, int width, float eps);

/* Series of measurements: each channel of each series alone, over its first length[b] steps, 1 to
 * time. Behind them y is 0, whatever x holds there: NaN and infinity, too. */
void layer_norm_series(float *y,           /* batch x time x channels */
                       const float *x,     /* batch x time x channels */
                       const int *length,  /* batch */
                       const float *gamma, /* channels */
                       const float *beta,  /* channels */
                       int batch, int time, int channels, float eps);

#endif
