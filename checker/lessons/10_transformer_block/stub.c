/* Lesson 10: The Transformer Block. Read lessons/10_transformer_block.md, then fill in the five
 * functions and save. Each may call those above it, and you may write others. `make check` tells
 * you how far you are; `make hint` helps. */
#include "10_transformer_block.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* y: rows x outputs; x: rows x inputs; w: outputs x inputs; b: outputs */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    /* Your code here: for each row and each output, its bias plus a sum over the inputs. */
}

/* y, x: rows x features */
void softmax(float *y, const float *x, int rows, int features)
{
    /* Your code here: for each row, exp of everything, over their sum. Mind large numbers. */
}

/* y, x: batch x time x features; keep: batch x time; w: 4 x features x features; b: 4 x features */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    /* Your code here: query, key and value; for each head scores, weights, averages; the output. */
}

/* y, x: rows x features; w1: hidden x features; b1: hidden; w2: features x hidden; b2: features */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    /* Your code here: linear, what is negative becomes 0, linear. */
}

/* y, x: batch x time x features; keep: batch x time; attention_w: 4 x features x features;
 * attention_b, norms: 4 x features; w1: hidden x features; b1: hidden; w2: features x hidden;
 * b2: features */
void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    /* Your code here: attention, add x, norm; feed_forward, add what went in, norm. */
}
