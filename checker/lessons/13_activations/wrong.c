/* Mistakes in lesson 13 in the forms that learners give them: whole functions, in styles unlike the
 * solution's. Each must fail with its name, and the slips ("nothing") with none. */
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

/* ---- mistake: norm_behind_tanh + weights_transposed ---- */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    for (int l = 0; l < layers; l++)
        for (int r = 0; r < rows; r++) {
            float *out = h + (l * rows + r) * features, mean = 0, variance = 0;
            const float *in = l ? out - rows * features : x + r * features;
            for (int j = 0; j < features; j++) {
                double a = 0;
                for (int k = 0; k < features; k++)
                    a += (double)in[k] * w[l * features * features + k * features + j];
                out[j] = tanh(a);
                mean += out[j];
            }
            mean /= features;
            for (int j = 0; j < features; j++)
                variance += (out[j] - mean) * (out[j] - mean) / features;
            for (int j = 0; j < features && normalized; j++)
                out[j] = (out[j] - mean) / sqrtf(variance + eps);
        }
}

/* ---- mistake: rows_averaged ---- */
void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    for (int l = 0; l < layers; l++) {
        mean[l] = spread[l] = 0;
        for (int r = 0; r < rows; r++) {
            const float *row = h + (l * rows + r) * features;
            float m = 0, v = 0;
            for (int j = 0; j < features; j++)
                m += row[j] / features;
            for (int j = 0; j < features; j++)
                v += (row[j] - m) * (row[j] - m) / features;
            mean[l] += m / rows;
            spread[l] += sqrtf(v) / rows;
        }
    }
}

/* ---- mistake: n_minus_1 ---- */
void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    int n = rows * features;
    for (int l = 0; l < layers; l++, h += n) {
        double m = 0, m2 = 0;
        for (int i = 0; i < n; i++) {
            double distance = h[i] - m;
            m += distance / (i + 1);
            m2 += distance * (h[i] - m);
        }
        mean[l] = m;
        spread[l] = sqrt(m2 / (n - 1));
    }
}

/* ---- mistake: nothing ---- */
void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    /* the variances of the rows are averaged, and the rows' means are not looked at */
    for (int l = 0; l < layers; l++) {
        float m = 0, v = 0;
        for (int r = 0; r < rows; r++, h += features) {
            float own = 0;
            for (int j = 0; j < features; j++)
                own += h[j] / features;
            for (int j = 0; j < features; j++)
                v += (h[j] - own) * (h[j] - own) / (rows * features);
            m += own / rows;
        }
        mean[l] = m;
        spread[l] = sqrtf(v);
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

/* ---- mistake: edge_below ---- */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    float width = (high - low) / bins;
    for (int b = 0; b < bins; b++) {
        int own = 0;
        for (int i = 0; i < count; i++)
            own += (b == 0 || x[i] > low + b * width) &&
                   (b == bins - 1 || x[i] <= low + (b + 1) * width);
        share[b] = (float)own / count;
    }
}

/* ---- mistake: density ---- */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    double width = ((double)high - low) / bins;
    memset(share, 0, bins * sizeof *share);
    for (int i = 0; i < count; i++) {
        double b = floor(((double)x[i] - low) / width);
        share[(int)fmax(0, fmin(bins - 1, b))] += 1 / (count * width);
    }
}

/* ---- mistake: nothing ---- */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    /* the ends take nothing of what lies further out than one part */
    float width = (high - low) / bins;
    memset(share, 0, bins * sizeof *share);
    for (int i = 0; i < count; i++) {
        float b = floorf((x[i] - low) / width);
        if (b == -1)
            b = 0;
        if (b == bins)
            b = bins - 1;
        if (b >= 0 && b < bins)
            share[(int)b] += 1.0f / count;
    }
}
