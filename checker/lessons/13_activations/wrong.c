/* Mistakes of lesson 13 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */
#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- mistake: batch_statistics ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    int n = features;
    for (int l = 0; l < layers; l++, w += n * n) {
        for (int i = 0; i < rows * n; i++) {
            h[i] = 0;
            for (int k = 0; k < n; k++)
                h[i] += w[i % n * n + k] * x[i / n * n + k];
        }
        for (int j = 0; j < n && normalized; j++) {
            float mean = 0, variance = 0;
            for (int r = 0; r < rows; r++)
                mean += h[r * n + j] / rows;
            for (int r = 0; r < rows; r++)
                variance += (h[r * n + j] - mean) * (h[r * n + j] - mean) / rows;
            for (int r = 0; r < rows; r++)
                h[r * n + j] = (h[r * n + j] - mean) / sqrtf(variance + eps);
        }
        for (int i = 0; i < rows * n; i++)
            h[i] = tanhf(h[i]);
        x = h;
        h += rows * n;
    }
}

/* ---- mistake: layer_statistics ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    int count = rows * features;
    for (int l = 0; l < layers; l++) {
        const float *in = l == 0 ? x : h + (l - 1) * count;
        float *out = h + l * count, mean = 0, variance = 0;
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < features; j++) {
                float a = 0;
                for (int k = 0; k < features; k++)
                    a += in[r * features + k] * w[(l * features + j) * features + k];
                out[r * features + j] = a;
            }
        for (int i = 0; i < count; i++)
            mean += out[i];
        mean /= count;
        for (int i = 0; i < count; i++)
            variance += (out[i] - mean) * (out[i] - mean);
        variance /= count;
        for (int i = 0; i < count; i++)
            out[i] = tanhf(normalized ? (out[i] - mean) / sqrtf(variance + eps) : out[i]);
    }
}

/* ---- mistake: inside_only ---- */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    int inside = 0;
    memset(share, 0, bins * sizeof *share);
    for (int i = 0; i < count; i++) {
        if (!(x[i] >= low && x[i] <= high))
            continue;
        int b = (x[i] - low) / (high - low) * bins;
        share[b < bins ? b : bins - 1]++;
        inside++;
    }
    for (int b = 0; b < bins; b++)
        share[b] /= inside;
}
