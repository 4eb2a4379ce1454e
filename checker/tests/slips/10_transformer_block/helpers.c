/* One helper for each idea: a row, a dot product, one head, one norm. */
#include "10_transformer_block.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *floats(int count) {
    return calloc(count, sizeof(float));
}

static double dot(const float *a, const float *b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (double)a[i] * b[i];
    return s;
}

void linear(float *y, const float *x, const float *w, const float *b, int rows, int inputs,
            int outputs) {
    while (rows > 0) {
        for (int o = 0; o < outputs; o++) y[o] = b[o] + dot(w + o * inputs, x, inputs);
        x += inputs;
        y += outputs;
        rows--;
    }
}

static void softmax_row(float *y, const float *x, int n) {
    float top = x[0];
    double total = 0;
    for (int i = 1; i < n; i++) {
        if (x[i] > top) top = x[i];
    }
    for (int i = 0; i < n; i++) {
        double e = exp((double)x[i] - top);
        y[i] = e;
        total += e;
    }
    for (int i = 0; i < n; i++) y[i] /= total;
}

void softmax(float *y, const float *x, int rows, int features) {
    for (int r = 0; r < rows; r++) softmax_row(&y[r * features], &x[r * features], features);
}

/* what one token of one head hears */
static void listen(float *out, const float *query, const float *keys, const float *values,
                   const int *keep, float *scores, int time, int step, int size) {
    int kept = 0;
    for (int t = 0; t < time; t++) {
        if (keep[t]) {
            scores[kept] = dot(query, keys + t * step, size) / sqrt(size);
            kept++;
        }
    }
    softmax_row(scores, scores, kept);
    for (int i = 0; i < size; i++) out[i] = 0;
    kept = 0;
    for (int t = 0; t < time; t++) {
        if (!keep[t]) continue;
        for (int i = 0; i < size; i++) out[i] += scores[kept] * values[t * step + i];
        kept++;
    }
}

void attention(float *y, const float *x, const int *keep, const float *w, const float *b, int batch,
               int time, int features, int heads) {
    int size = features / heads, rows = batch * time;
    float *maps[3], *heard = floats(rows * features), *scores = floats(time);
    for (int m = 0; m < 3; m++) {
        maps[m] = floats(rows * features);
        linear(maps[m], x, w + m * features * features, b + m * features, rows, features, features);
    }
    for (int n = 0; n < batch; n++) {
        int first = n * time * features;
        for (int h = 0; h < heads; h++) {
            for (int t = 0; t < time; t++) {
                int at = first + t * features + h * size;
                listen(heard + at, maps[0] + at, maps[1] + first + h * size,
                       maps[2] + first + h * size, keep + n * time, scores, time, features, size);
            }
        }
    }
    linear(y, heard, w + 3 * features * features, b + 3 * features, rows, features, features);
    for (int m = 0; m < 3; m++) free(maps[m]);
    free(heard);
    free(scores);
}

void feed_forward(float *y, const float *x, const float *w1, const float *b1, const float *w2,
                  const float *b2, int rows, int features, int hidden) {
    float *inside = floats(hidden);
    for (int r = 0; r < rows; r++) {
        linear(inside, x + r * features, w1, b1, 1, features, hidden);
        for (int i = 0; i < hidden; i++) {
            if (inside[i] < 0) inside[i] = 0;
        }
        linear(y + r * features, inside, w2, b2, 1, hidden, features);
    }
    free(inside);
}

static void norm_row(float *row, const float *gamma, const float *beta, int n, float eps) {
    double mean = 0, var = 0;
    for (int i = 0; i < n; i++) mean += row[i];
    mean /= n;
    for (int i = 0; i < n; i++) var += (row[i] - mean) * (row[i] - mean);
    var /= n;
    for (int i = 0; i < n; i++) row[i] = gamma[i] * (row[i] - mean) / sqrt(var + eps) + beta[i];
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps) {
    int all = batch * time * features;
    float *middle = floats(all);
    attention(middle, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < all; i++) middle[i] += x[i];
    for (int i = 0; i < all; i += features)
        norm_row(middle + i, norms, norms + features, features, eps);
    feed_forward(y, middle, w1, b1, w2, b2, batch * time, features, hidden);
    for (int i = 0; i < all; i++) y[i] += middle[i];
    for (int i = 0; i < all; i += features)
        norm_row(y + i, norms + 2 * features, norms + 3 * features, features, eps);
    free(middle);
}
