/* For labs that train a transformer: attention and Adam. Every sum is taken in one order, and exp
 * is rounded from double, so the numbers don't depend on the machine. */
#ifndef LABS_ATTENTION_H
#define LABS_ATTENTION_H

#include "products.h"

/* Heads of HEAD_SIZE numbers, over sequences of TIME tokens: every token looks at all. */
enum { TIME = 8, HEAD_SIZE = 8 };

/* context, q, k, v: batch x TIME x features; weights: batch x heads x TIME x TIME, for later. */
void attend(float *context, float *weights, const float *q, const float *k, const float *v,
            int batch, int features);
void attend_backward(float *dq, float *dk, float *dv, const float *dcontext, const float *weights,
                     const float *q, const float *k, const float *v, int batch, int features);

/* One step of Adam: its usual moments .9 and .999, and 1e-8. `step` counts from 1. */
void adam(float *values, float *mean, float *square, const float *slopes, int count, float rate,
          int step);

#endif
