/* Lesson 13: Activations Seen. The reference solution, in float. */
#include "13_activations.h"

#include <math.h>
#include <stddef.h>

/* Lesson 01 in place, without gamma and beta. a: features */
static void normalize(float *a, int features, float eps)
{
    float sum = 0.0f, squares = 0.0f;
    for (int j = 0; j < features; j++)
        sum += a[j];
    float mean = sum / (float)features;
    for (int j = 0; j < features; j++)
        squares += (a[j] - mean) * (a[j] - mean);
    float rstd = 1.0f / sqrtf(squares / (float)features + eps);
    for (int j = 0; j < features; j++)
        a[j] = (a[j] - mean) * rstd;
}

/* h: layers x rows x features; x: rows x features; w: layers x features x features */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    size_t n = (size_t)features;
    for (int l = 0; l < layers; l++, w += n * n) {
        for (int r = 0; r < rows; r++, x += n, h += n) {
            for (size_t j = 0; j < n; j++) {
                float sum = 0.0f;
                for (size_t k = 0; k < n; k++)
                    sum += w[j * n + k] * x[k];
                h[j] = sum;
            }
            if (normalized)
                normalize(h, features, eps);
            for (size_t j = 0; j < n; j++)
                h[j] = tanhf(h[j]);
        }
        x = h - (size_t)rows * n; /* what this layer gave is the next one's input */
    }
}

/* mean, spread: layers; h: layers x rows x features */
void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    size_t count = (size_t)rows * (size_t)features;
    for (int l = 0; l < layers; l++, h += count) {
        float sum = 0.0f, squares = 0.0f;
        for (size_t i = 0; i < count; i++)
            sum += h[i];
        mean[l] = sum / (float)count;
        for (size_t i = 0; i < count; i++)
            squares += (h[i] - mean[l]) * (h[i] - mean[l]);
        spread[l] = sqrtf(squares / (float)count);
    }
}

/* share: bins; x: count */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    for (int b = 0; b < bins; b++)
        share[b] = 0.0f;
    for (int i = 0; i < count; i++) {
        float place = (x[i] - low) / (high - low) * (float)bins;
        if (place < 0.0f)
            place = 0.0f;
        if (place >= (float)bins) /* before it becomes an int, which holds no infinity */
            place = (float)(bins - 1);
        share[(int)place] += 1.0f;
    }
    for (int b = 0; b < bins; b++)
        share[b] /= (float)count;
}
