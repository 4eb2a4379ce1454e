/* Right answers for lesson 08 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double, and every function on its own ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < inner; i++) {
            double m = 0, v = 0;
            for (int j = 0; j < features; j++)
                m += x[(o * features + j) * inner + i];
            m /= features;
            for (int j = 0; j < features; j++)
                v += (x[(o * features + j) * inner + i] - m) *
                     (x[(o * features + j) * inner + i] - m);
            for (int j = 0; j < features; j++)
                y[(o * features + j) * inner + i] =
                    (x[(o * features + j) * inner + i] - m) / sqrt(v / features + eps);
        }
}

void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    for (int token = 0; token < batch * time; token++) {
        const float *row = x + token * features;
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += row[j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m);
        for (int j = 0; j < features; j++)
            y[token * features + j] = gamma[j] * (row[j] - m) / sqrt(v / features + eps) + beta[j];
    }
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    int n = channels * height * width;
    for (int b = 0; b < batch; b++) {
        double m = 0, v = 0;
        for (int c = 0; c < channels; c++)
            for (int h = 0; h < height; h++)
                for (int w = 0; w < width; w++)
                    m += x[((b * channels + c) * height + h) * width + w];
        m /= n;
        for (int k = 0; k < n; k++)
            v += (x[b * n + k] - m) * (x[b * n + k] - m);
        for (int k = 0; k < n; k++)
            y[b * n + k] = gamma[k] * (x[b * n + k] - m) / sqrt(v / n + eps) + beta[k];
    }
}

void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    for (int b = 0; b < batch; b++)
        for (int h = 0; h < height; h++)
            for (int w = 0; w < width; w++) {
                double m = 0, v = 0;
                for (int c = 0; c < channels; c++)
                    m += x[((b * channels + c) * height + h) * width + w];
                m /= channels;
                for (int c = 0; c < channels; c++)
                    v += pow(x[((b * channels + c) * height + h) * width + w] - m, 2);
                double rstd = 1 / sqrt(v / channels + eps);
                for (int c = 0; c < channels; c++) {
                    int at = ((b * channels + c) * height + h) * width + w;
                    y[at] = gamma[c] * ((x[at] - m) * rstd) + beta[c];
                }
            }
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int b = 0; b < batch; b++)
        for (int c = 0; c < channels; c++) {
            double m = 0, v = 0;
            for (int t = 0; t < length[b]; t++)
                m += x[(b * time + t) * channels + c];
            m /= length[b];
            for (int t = 0; t < length[b]; t++)
                v += pow(x[(b * time + t) * channels + c] - m, 2);
            double sd = sqrt(v / length[b] + eps);
            for (int t = 0; t < time; t++) {
                int at = (b * time + t) * channels + c;
                y[at] = t < length[b] ? gamma[c] * (x[at] - m) / sd + beta[c] : 0;
            }
        }
}

/* ---- style: one walk over the groups, Welford, a factor and a summand ---- */
static void norm_group(float *y, const float *x, int first, int count, int step, float eps)
{
    float m = 0, squares = 0;
    for (int j = 0, at = first; j < count; j++, at += step) {
        float before = x[at] - m;
        m += before / (j + 1);
        squares += before * (x[at] - m);
    }
    float factor = 1 / sqrtf(squares / count + eps), summand = -m * factor;
    for (int j = 0, at = first; j < count; j++, at += step)
        y[at] = x[at] * factor + summand;
}

void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int k = 0; k < outer * inner; k++)
        norm_group(y, x, k / inner * features * inner + k % inner, features, inner, eps);
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int k = 0; k < batch * time * channels; k++)
        y[k] = 0;
    for (int k = 0; k < batch * channels; k++) {
        int b = k / channels, c = k % channels, first = b * time * channels + c;
        norm_group(y, x, first, length[b], channels, eps);
        for (int t = 0; t < length[b]; t++)
            y[first + t * channels] = gamma[c] * y[first + t * channels] + beta[c];
    }
}

/* ---- style: a shifted sum in float, in one pass ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int o = 0; o < outer; o++, x += features * inner, y += features * inner)
        for (int i = 0; i < inner; i++) {
            float sum = 0, squares = 0;
            for (int j = 0; j < features; j++) {
                float d = x[j * inner + i] - x[i];
                sum += d;
                squares += d * d;
            }
            float m = sum / features, sd = sqrtf(squares / features - m * m + eps);
            for (int j = 0; j < features; j++)
                y[j * inner + i] = (x[j * inner + i] - x[i] - m) / sd;
        }
}

/* ---- style: fast, all along memory ---- */
#include <stdlib.h>

void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    float *mean = malloc(2 * (size_t)inner * sizeof *mean), *squares = mean + inner;
    for (int o = 0; o < outer; o++) {
        const float *block = x + (size_t)o * features * inner;
        float *out = y + (size_t)o * features * inner;
        for (int i = 0; i < inner; i++)
            mean[i] = squares[i] = 0;
        for (int j = 0; j < features; j++)
            for (int i = 0; i < inner; i++)
                mean[i] += block[j * inner + i];
        for (int i = 0; i < inner; i++)
            mean[i] /= features;
        for (int j = 0; j < features; j++)
            for (int i = 0; i < inner; i++) {
                float d = out[j * inner + i] = block[j * inner + i] - mean[i];
                squares[i] += d * d;
            }
        for (int i = 0; i < inner; i++)
            squares[i] = 1 / sqrtf(squares[i] / features + eps);
        for (int j = 0; j < features; j++)
            for (int i = 0; i < inner; i++)
                out[j * inner + i] *= squares[i];
    }
    free(mean);
}

void layer_norm_text(float *y, const float *x, const float *gamma, const float *beta, int batch,
                     int time, int features, float eps)
{
    for (int t = 0; t < batch * time; t++, x += features, y += features) {
        float sum[4] = {0}, squares[4] = {0};
        int j = 0;
        for (; j + 4 <= features; j += 4)
            for (int k = 0; k < 4; k++)
                sum[k] += x[j + k];
        for (; j < features; j++)
            sum[0] += x[j];
        float m = ((sum[0] + sum[1]) + (sum[2] + sum[3])) / features;
        for (j = 0; j + 4 <= features; j += 4)
            for (int k = 0; k < 4; k++)
                squares[k] += (x[j + k] - m) * (x[j + k] - m);
        for (; j < features; j++)
            squares[0] += (x[j] - m) * (x[j] - m);
        float rstd =
            1 / sqrtf(((squares[0] + squares[1]) + (squares[2] + squares[3])) / features + eps);
        for (j = 0; j < features; j++)
            y[j] = gamma[j] * rstd * (x[j] - m) + beta[j];
    }
}

/* ---- style: the axis is brought to the end, text does the rest ---- */
#include <stdlib.h>
#include <string.h>

/* to: rows x columns, from: columns x rows */
static void transpose(float *to, const float *from, int rows, int columns)
{
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++)
            to[r * columns + k] = from[k * rows + r];
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    layer_norm_text(y, x, gamma, beta, batch, 1, channels * height * width, eps);
}

void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    int pixels = height * width, n = channels * pixels;
    float *turned = malloc(2 * (size_t)n * sizeof *turned), *normed = turned + n;
    for (int b = 0; b < batch; b++) {
        transpose(turned, x + b * n, pixels, channels);
        layer_norm_text(normed, turned, gamma, beta, 1, pixels, channels, eps);
        transpose(y + b * n, normed, channels, pixels);
    }
    free(turned);
}

void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    memset(y, 0, (size_t)batch * time * channels * sizeof *y);
    for (int b = 0; b < batch; b++, x += time * channels, y += time * channels) {
        layer_norm_axis(y, x, 1, length[b], channels, eps);
        for (int k = 0; k < length[b] * channels; k++)
            y[k] = fmaf(gamma[k % channels], y[k], beta[k % channels]);
    }
}

/* ---- style: pointers, and the sizes multiplied as size_t ---- */
void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    const size_t pixels = (size_t)height * width, image = pixels * channels;
    for (const float *from = x; from < x + batch * image; from += image)
        for (size_t p = 0; p < pixels; p++) {
            const float *at = from + p, *end = at + image;
            float sum = 0, squares = 0;
            for (; at < end; at += pixels)
                sum += *at;
            const float mean = sum / channels;
            for (at = from + p; at < end; at += pixels)
                squares += (*at - mean) * (*at - mean);
            const float sd = sqrtf(squares / channels + eps);
            for (int c = 0; c < channels; c++)
                y[(from - x) + c * pixels + p] =
                    (from[c * pixels + p] - mean) / sd * gamma[c] + beta[c];
        }
}

void layer_norm_image(float *y, const float *x, const float *gamma, const float *beta, int batch,
                      int channels, int height, int width, float eps)
{
    const int n = channels * height * width;
    while (batch-- > 0) {
        float sum = 0, squares = 0;
        for (int k = 0; k < n; k++)
            sum += x[k] / n;
        for (int k = 0; k < n; k++)
            squares += powf(x[k] - sum, 2) / n;
        for (int k = 0; k < n; k++)
            *y++ = gamma[k] * (x[k] - sum) / sqrtf(squares + eps) + beta[k];
        x += n;
    }
}

/* ---- style: a series is what it selects, step by step ---- */
void layer_norm_series(float *y, const float *x, const int *length, const float *gamma,
                       const float *beta, int batch, int time, int channels, float eps)
{
    for (int k = 0; k < batch * channels; k++) {
        int c = k % channels, steps = 0;
        const float *from = x + k / channels * time * channels + c;
        float *to = y + k / channels * time * channels + c, sum = 0, squares = 0;
        for (int t = 0; t < time; t++)
            if (t < length[k / channels])
                sum += from[t * channels], steps++;
        for (int t = 0; t < time; t++) {
            float d = t < length[k / channels] ? from[t * channels] - sum / steps : 0;
            squares += d * d;
        }
        for (int t = 0; t < time; t++)
            if (t >= length[k / channels])
                to[t * channels] = 0;
            else
                to[t * channels] =
                    gamma[c] / sqrtf(squares / steps + eps) * (from[t * channels] - sum / steps) +
                    beta[c];
    }
}
