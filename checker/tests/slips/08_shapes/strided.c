/* All shapes are one thing: a start, a stride and a count. */
#include "08_shapes.h"
#include <math.h>

/* normalizes n numbers, each `stride` behind the one before */
static void normalize(float *y, const float *x, int n, int stride, float eps)
{
    double mean = 0, var = 0;
    for (int i = 0; i < n; i++)
        mean += x[i * stride];
    mean /= n;
    for (int i = 0; i < n; i++) {
        double d = x[i * stride] - mean;
        var += d * d;
    }
    var /= n;
    double s = sqrt(var + eps);
    for (int i = 0; i < n; i++)
        y[i * stride] = (x[i * stride] - mean) / s;
}

void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            int start = o * features * inner + i;
            normalize(y + start, x + start, features, inner, eps);
        }
}

void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    for (int token = 0; token < batch * time; token++) {
        float *out = y + token * features;
        normalize(out, x + token * features, features, 1, eps);
        for (int j = 0; j < features; j++)
            out[j] = out[j] * gamma[j] + beta[j];
    }
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    int size = channels * height * width;
    for (int b = 0; b < batch; b++) {
        float *out = y + b * size;
        normalize(out, x + b * size, size, 1, eps);
        for (int i = 0; i < size; i++)
            out[i] = out[i] * gamma[i] + beta[i];
    }
}

void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    int pixels = height * width;
    for (int b = 0; b < batch; b++)
        for (int p = 0; p < pixels; p++) {
            int first = b * channels * pixels + p;
            normalize(y + first, x + first, channels, pixels, eps);
            for (int c = 0; c < channels; c++)
                y[first + c * pixels] = y[first + c * pixels] * gamma[c] + beta[c];
        }
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int b = 0; b < batch; b++)
        for (int c = 0; c < channels; c++) {
            int at = b * time * channels + c;
            normalize(y + at, x + at, length[b], channels, eps);
            for (int t = 0; t < time; t++, at += channels) {
                if (t < length[b])
                    y[at] = gamma[c] * y[at] + beta[c];
                else
                    y[at] = 0;
            }
        }
}
