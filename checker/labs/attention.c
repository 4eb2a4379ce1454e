/* Attention and Adam of the labs that train a transformer: see attention.h. */
#include "attention.h"

#include <math.h>
#include <string.h>

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
