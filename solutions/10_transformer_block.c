/* Lesson 10: The Transformer Block. The reference solution: each function is made of the ones above
 * it. */
#include "10_transformer_block.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* y: rows x outputs; x: rows x inputs; w: outputs x inputs; b: outputs */
void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)inputs;
        for (int o = 0; o < outputs; o++) {
            const float *weights = w + (size_t)o * (size_t)inputs;
            float sum = b[o];
            for (int i = 0; i < inputs; i++)
                sum += weights[i] * row[i];
            y[(size_t)r * (size_t)outputs + (size_t)o] = sum;
        }
    }
}

/* y, x: rows x features */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float largest = row[0], sum = 0.0f;
        for (int j = 1; j < features; j++)
            if (row[j] > largest)
                largest = row[j];
        for (int j = 0; j < features; j++) {
            out[j] = expf(row[j] - largest);
            sum += out[j];
        }
        for (int j = 0; j < features; j++)
            out[j] /= sum;
    }
}

/* One head of one sequence. out, query, key, value: that head's features of the first token; those
 * of the next are `features` further on. scores, weights, keep: time */
static void one_head(float *out, float *scores, float *weights, const float *query,
                     const float *key, const float *value, const int *keep, int time, int features,
                     int size)
{
    for (int t = 0; t < time; t++) {
        for (int s = 0; s < time; s++) {
            float sum = 0.0f;
            for (int i = 0; i < size; i++)
                sum += query[t * features + i] * key[s * features + i];
            scores[s] = keep[s] ? sum / sqrtf((float)size) : -INFINITY;
        }
        softmax(weights, scores, 1, time);
        for (int i = 0; i < size; i++) {
            float sum = 0.0f;
            for (int s = 0; s < time; s++)
                sum += weights[s] * value[s * features + i];
            out[t * features + i] = sum;
        }
    }
}

/* y, x: batch x time x features; keep: batch x time; w: 4 x features x features; b: 4 x features */
void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int rows = batch * time, size = features / heads;
    size_t all = (size_t)rows * (size_t)features, square = (size_t)features * (size_t)features;
    float *room = malloc((4 * all + 2 * (size_t)time) * sizeof *room);
    if (!room)
        abort();
    float *query = room, *key = query + all, *value = key + all, *heard = value + all;
    float *scores = heard + all, *weights = scores + time;
    linear(query, x, w, b, rows, features, features);
    linear(key, x, w + square, b + features, rows, features, features);
    linear(value, x, w + 2 * square, b + 2 * features, rows, features, features);
    for (int n = 0; n < batch; n++)
        for (int h = 0; h < heads; h++) {
            size_t at = (size_t)(n * time) * (size_t)features + (size_t)(h * size);
            one_head(heard + at, scores, weights, query + at, key + at, value + at, keep + n * time,
                     time, features, size);
        }
    linear(y, heard, w + 3 * square, b + 3 * features, rows, features, features);
    free(room);
}

/* y, x: rows x features; w1: hidden x features; b1: hidden; w2: features x hidden; b2: features */
void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    size_t count = (size_t)rows * (size_t)hidden;
    float *inner = malloc(count * sizeof *inner);
    if (!inner)
        abort();
    linear(inner, x, w1, b1, rows, features, hidden);
    for (size_t i = 0; i < count; i++)
        if (inner[i] < 0.0f)
            inner[i] = 0.0f;
    linear(y, inner, w2, b2, rows, hidden, features);
    free(inner);
}

/* Layer norm of x + added, as in lesson 01. y, x, added: rows x features */
static void norm_of_sum(float *y, const float *x, const float *added, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        size_t row = (size_t)r * (size_t)features;
        float *out = y + row;
        float sum = 0.0f, squares = 0.0f;
        for (int j = 0; j < features; j++) {
            out[j] = x[row + (size_t)j] + added[row + (size_t)j];
            sum += out[j];
        }
        float mean = sum / (float)features;
        for (int j = 0; j < features; j++)
            squares += (out[j] - mean) * (out[j] - mean);
        float rstd = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++)
            out[j] = gamma[j] * (out[j] - mean) * rstd + beta[j];
    }
}

/* y, x: batch x time x features; keep: batch x time; attention_w: 4 x features x features;
 * attention_b, norms: 4 x features; w1: hidden x features; b1: hidden; w2: features x hidden;
 * b2: features */
void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int rows = batch * time;
    size_t all = (size_t)rows * (size_t)features;
    float *branch = malloc(2 * all * sizeof *branch);
    if (!branch)
        abort();
    float *x1 = branch + all;
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    norm_of_sum(x1, x, branch, norms, norms + features, rows, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, rows, features, hidden);
    norm_of_sum(y, x1, branch, norms + 2 * features, norms + 3 * features, rows, features, eps);
    free(branch);
}
