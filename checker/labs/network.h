/* For labs that train a network: linear layers, the loss, and passes over the examples. The
 * invariant: every sum is taken in one order, and exp and log are rounded from double, so that the
 * numbers don't depend on the machine. */
#ifndef LABS_NETWORK_H
#define LABS_NETWORK_H

#include "run.h"

/* Ends the lab where there is no memory for them. Caller frees. */
float *zeros(int count);

typedef struct {
    int inputs, outputs;
    float *w, *dw;       /* inputs x outputs */
    float *turned;       /* outputs x inputs: w, for the way back */
    float *bias, *dbias; /* outputs */
} Linear;

/* Weights whose squares are `square` / inputs on average; biases of 0. */
void linear_start(Linear *l, int inputs, int outputs, double square, Rng *rng);
void linear_free(Linear *l);
/* y: batch x outputs, x: batch x inputs */
void linear_forward(const Linear *l, float *y, const float *x, int batch);
/* Sets dw and dbias, too. dx may be NULL: nobody asks for the data's gradient. */
void linear_backward(Linear *l, float *dx, const float *dy, const float *x, int batch);
void linear_step(Linear *l, float rate);

void relu_forward(float *y, const float *x, int count);
/* x: what went in. dx may be dy. */
void relu_backward(float *dx, const float *dy, const float *x, int count);

/* Softmax and cross-entropy: the loss summed over the batch, and dscores, the gradient of its mean.
 * `right` grows with every example whose largest score is its own class's. */
double softmax_loss(float *dscores, const float *scores, const int *classes, int batch,
                    int class_count, int *right);

/* Gradient descent: values -= rate * slopes. */
void descend(float *values, const float *slopes, int count, float rate);

/* Once through all the examples, in an order drawn anew (`order` holds the one before; at first
 * first_order()'s), `batch` at a time, a divisor of `examples`. The sum of what step() returned,
 * the loss of each batch before its step, over `examples`. */
void first_order(int *order, int examples);
double pass_over(int *order, int examples, int batch, Rng *rng,
                 double (*step)(void *network, const int *chosen, int batch), void *network);

#endif
