/* For labs that train on images: a convolution, and pooling. Images are square, and one after the
 * other: batch x channels x side x side. The invariant is network.h's. */
#ifndef LABS_IMAGE_H
#define LABS_IMAGE_H

#include "network.h"

/* 3 x 3, with zeros around the image, so that it keeps its size. No bias: a norm follows. */
typedef struct {
    int inputs, outputs, side; /* channels that go in and come out */
    float *w, *dw;             /* outputs x inputs x 3 x 3 */
    float *framed;             /* one image's channels, each in its frame of zeros */
    float *eights;             /* eight channels' pixels, eight by eight */
} Conv;

/* Weights whose squares are 2 / (9 * inputs) on average. */
void conv_start(Conv *c, int inputs, int outputs, int side, Rng *rng);
void conv_free(Conv *c);
/* y: batch x outputs x side x side, x: batch x inputs x side x side */
void conv_forward(const Conv *c, float *y, const float *x, int batch);
/* Sets dw, too. dx may be NULL: nobody asks for the data's gradient. */
void conv_backward(Conv *c, float *dx, const float *dy, const float *x, int batch);
void conv_step(Conv *c, float rate);

/* The largest of every 2 x 2 pixels. An odd side's last row and column are left out.
 * y: planes x side / 2 x side / 2, x: planes x side x side; planes is batch * channels */
void pool_forward(float *y, const float *x, int planes, int side);
/* x: what went in. The first of equal ones gets it all. */
void pool_backward(float *dx, const float *dy, const float *x, int planes, int side);

#endif
