/* transformer encoder block, plain indices, VLAs for everything in between */
#include "10_transformer_block.h"
#include <math.h>
#include <stdlib.h>

void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            y[r * outputs + o] = b[o];
            for (int i = 0; i < inputs; i++)
                y[r * outputs + o] += w[o * inputs + i] * x[r * inputs + i];
        }
}

void softmax(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float max = -INFINITY;
        float sum = 0;
        for (int j = 0; j < features; j++)
            max = fmaxf(max, x[r * features + j]);
        for (int j = 0; j < features; j++)
            sum += expf(x[r * features + j] - max);
        for (int j = 0; j < features; j++)
            y[r * features + j] = expf(x[r * features + j] - max) / sum;
    }
}

void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads)
{
    int n = batch * time * features;
    int square = features * features;
    int size = features / heads;
    float *q = malloc(4 * n * sizeof(float));
    float *k = q + n;
    float *v = k + n;
    float *context = v + n;
    float *weight = malloc(time * sizeof(float));

    linear(q, x, w, b, batch * time, features, features);
    linear(k, x, w + square, b + features, batch * time, features, features);
    linear(v, x, w + 2 * square, b + 2 * features, batch * time, features, features);

    for (int s = 0; s < batch; s++) {
        for (int h = 0; h < heads; h++) {
            for (int t = 0; t < time; t++) {
                const float *query = q + (s * time + t) * features + h * size;
                float *out = context + (s * time + t) * features + h * size;
                for (int u = 0; u < time; u++) {
                    const float *key = k + (s * time + u) * features + h * size;
                    float dot = 0;
                    for (int i = 0; i < size; i++)
                        dot += query[i] * key[i];
                    weight[u] = dot / sqrtf(size);
                    if (!keep[s * time + u])
                        weight[u] = -INFINITY;
                }
                softmax(weight, weight, 1, time);
                for (int i = 0; i < size; i++) {
                    out[i] = 0;
                    for (int u = 0; u < time; u++)
                        out[i] += weight[u] * v[(s * time + u) * features + h * size + i];
                }
            }
        }
    }
    linear(y, context, w + 3 * square, b + 3 * features, batch * time, features, features);
    free(weight);
    free(q);
}

void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden)
{
    float *h = malloc(rows * hidden * sizeof(float));
    linear(h, x, w1, b1, rows, features, hidden);
    for (int i = 0; i < rows * hidden; i++)
        h[i] = h[i] > 0 ? h[i] : 0;
    linear(y, h, w2, b2, rows, hidden, features);
    free(h);
}

static void add_and_norm(float *y, const float *a, const float *b, const float *gamma,
                         const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++) {
            y[r * features + j] = a[r * features + j] + b[r * features + j];
            mean += y[r * features + j] / features;
        }
        for (int j = 0; j < features; j++)
            var += (y[r * features + j] - mean) * (y[r * features + j] - mean) / features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (y[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int rows = batch * time;
    float *a = malloc(rows * features * sizeof(float));
    float *x1 = malloc(rows * features * sizeof(float));
    attention(a, x, keep, attention_w, attention_b, batch, time, features, heads);
    add_and_norm(x1, x, a, norms, norms + features, rows, features, eps);
    feed_forward(a, x1, w1, b1, w2, b2, rows, features, hidden);
    add_and_norm(y, x1, a, norms + 2 * features, norms + 3 * features, rows, features, eps);
    free(a);
    free(x1);
}
