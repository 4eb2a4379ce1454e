/* Lesson 12: The Normalized LSTM. The reference solution.
 *
 * Nearly all the time goes into three products of matrices. Each is made of add_rows, whose inner
 * loop runs along a row, so that a compiler does 8 or 16 of its steps at once. No sum is reordered
 * for that: neighbours in a row belong to different sums. */
#include "12_lstm.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* sum += the `count` rows from `rows` on, each times its factor. Factors are `step` apart. Four
 * rows at a time, so that sum is read and written only once for four. */
static void add_rows(float *restrict sum, const float *rows, const float *factor, size_t step,
                     int count, int columns)
{
    size_t n = (size_t)columns;
    int k = 0;
    for (; k + 4 <= count; k += 4, rows += 4 * n, factor += 4 * step) {
        float f0 = factor[0], f1 = factor[step], f2 = factor[2 * step], f3 = factor[3 * step];
        for (size_t j = 0; j < n; j++)
            sum[j] += f0 * rows[j] + f1 * rows[n + j] + f2 * rows[2 * n + j] + f3 * rows[3 * n + j];
    }
    for (; k < count; k++, rows += n, factor += step)
        for (size_t j = 0; j < n; j++)
            sum[j] += *factor * rows[j];
}

/* How much of w is turned round at a time, so that its columns are rows. */
enum { SIDE = 64 };

/* z: batch x outputs, x: batch x inputs, w: outputs x inputs */
static void multiply(float *z, const float *x, const float *w, int batch, int inputs, int outputs)
{
    float turned[SIDE * SIDE];
    for (size_t i = 0; i < (size_t)batch * (size_t)outputs; i++)
        z[i] = 0.0f;
    for (int from = 0; from < outputs; from += SIDE) {
        int width = outputs - from < SIDE ? outputs - from : SIDE;
        for (int first = 0; first < inputs; first += SIDE) {
            int height = inputs - first < SIDE ? inputs - first : SIDE;
            for (int j = 0; j < width; j++)
                for (int k = 0; k < height; k++)
                    turned[k * width + j] =
                        w[(size_t)(from + j) * (size_t)inputs + (size_t)(first + k)];
            for (int r = 0; r < batch; r++)
                add_rows(z + (size_t)r * (size_t)outputs + from, turned,
                         x + (size_t)r * (size_t)inputs + first, 1, height, width);
        }
    }
}

/* Mean and 1 / sqrt(variance + eps) of a row. */
typedef struct {
    float mean, rstd;
} Statistics;

static Statistics statistics(const float *x, int count, float eps)
{
    float sum = 0.0f, squares = 0.0f;
    for (int j = 0; j < count; j++)
        sum += x[j];
    float mean = sum / (float)count;
    for (int j = 0; j < count; j++)
        squares += (x[j] - mean) * (x[j] - mean);
    return (Statistics){mean, 1.0f / sqrtf(squares / (float)count + eps)};
}

/* a: batch x 4 * hidden; x: batch x inputs; w: 4 * hidden x inputs; gamma: 4 * hidden */
void lstm_project(float *a, const float *x, const float *w, const float *gamma, int batch,
                  int inputs, int hidden, float eps)
{
    int count = 4 * hidden;
    multiply(a, x, w, batch, inputs, count);
    for (int r = 0; r < batch; r++, a += count) {
        Statistics s = statistics(a, count, eps);
        for (int j = 0; j < count; j++)
            a[j] = gamma[j] * (a[j] - s.mean) * s.rstd;
    }
}

/* One row of z becomes its gradient: dz = rstd * (dhat - mean(dhat) - hat * mean(dhat * hat)),
 * where dhat = gamma * da. dgamma gets this row's part. */
static void row_backward(float *z, float *dgamma, const float *da, const float *gamma, int count,
                         float eps)
{
    Statistics s = statistics(z, count, eps);
    float sum_dhat = 0.0f, sum_dhat_hat = 0.0f;
    for (int j = 0; j < count; j++) {
        z[j] = (z[j] - s.mean) * s.rstd; /* hat */
        dgamma[j] += da[j] * z[j];
        sum_dhat += gamma[j] * da[j];
        sum_dhat_hat += gamma[j] * da[j] * z[j];
    }
    float mean_dhat = sum_dhat / (float)count, mean_dhat_hat = sum_dhat_hat / (float)count;
    for (int j = 0; j < count; j++)
        z[j] = s.rstd * (gamma[j] * da[j] - mean_dhat - z[j] * mean_dhat_hat);
}

/* dx, x: batch x inputs; dw, w: 4 * hidden x inputs; dgamma, gamma: 4 * hidden;
 * da: batch x 4 * hidden */
void lstm_project_backward(float *dx, float *dw, float *dgamma, const float *da, const float *x,
                           const float *w, const float *gamma, int batch, int inputs, int hidden,
                           float eps)
{
    int count = 4 * hidden;
    size_t n = (size_t)count;
    float *z = malloc((size_t)batch * n * sizeof *z);
    if (!z)
        abort();
    multiply(z, x, w, batch, inputs, count);
    for (size_t j = 0; j < n; j++)
        dgamma[j] = 0.0f;
    for (int r = 0; r < batch; r++)
        row_backward(z + (size_t)r * n, dgamma, da + (size_t)r * n, gamma, count, eps);

    /* Now z holds dz, and z = x wT: dx = dz w, dw = dzT x. */
    for (size_t i = 0; i < (size_t)batch * (size_t)inputs; i++)
        dx[i] = 0.0f;
    for (int r = 0; r < batch; r++)
        add_rows(dx + (size_t)r * (size_t)inputs, w, z + (size_t)r * n, 1, count, inputs);
    for (size_t i = 0; i < n * (size_t)inputs; i++)
        dw[i] = 0.0f;
    for (size_t j = 0; j < n; j++)
        add_rows(dw + j * (size_t)inputs, x, z + j, n, batch, inputs);
    free(z);
}

/* Both from exp() in double, whose float is the same on every machine. tanhf() is slower. */
static float sigmoid(float v)
{
    return (float)(1.0 / (1.0 + exp(-(double)v)));
}

static float hyperbolic(float v)
{
    return (float)(1.0 - 2.0 / (1.0 + exp(2.0 * (double)v)));
}

/* h_next, c_next, c: batch x hidden; a: batch x 4 * hidden; gamma, beta: hidden */
void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int hidden, float eps)
{
    for (int r = 0; r < batch; r++) {
        const float *i = a, *f = i + hidden, *g = f + hidden, *o = g + hidden;
        for (int j = 0; j < hidden; j++)
            c_next[j] = sigmoid(f[j]) * c[j] + sigmoid(i[j]) * hyperbolic(g[j]);
        Statistics s = statistics(c_next, hidden, eps);
        for (int j = 0; j < hidden; j++) {
            float n = gamma[j] * (c_next[j] - s.mean) * s.rstd + beta[j];
            h_next[j] = sigmoid(o[j]) * hyperbolic(n);
        }
        a += 4 * hidden;
        c += hidden;
        h_next += hidden;
        c_next += hidden;
    }
}

/* da, a: batch x 4 * hidden; dc, dh_next, dc_next, c: batch x hidden; dgamma, dbeta, gamma, beta:
 * hidden */
void lstm_cell_backward(float *da, float *dc, float *dgamma, float *dbeta, const float *dh_next,
                        const float *dc_next, const float *a, const float *c, const float *gamma,
                        const float *beta, int batch, int hidden, float eps)
{
    for (int j = 0; j < hidden; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < batch; r++) {
        /* Until its gradient replaces it, da holds the value of a gate, and dc holds c_next. */
        float *i = da, *f = i + hidden, *g = f + hidden, *o = g + hidden;
        for (int j = 0; j < hidden; j++) {
            i[j] = sigmoid(a[j]);
            f[j] = sigmoid(a[hidden + j]);
            g[j] = hyperbolic(a[2 * hidden + j]);
            o[j] = sigmoid(a[3 * hidden + j]);
            dc[j] = f[j] * c[j] + i[j] * g[j];
        }

        /* h_next = o * tanh(n): o, and back through the tanh to n. dc becomes gamma * dn. */
        Statistics s = statistics(dc, hidden, eps);
        float sum = 0.0f, sum_hat = 0.0f;
        for (int j = 0; j < hidden; j++) {
            float hat = (dc[j] - s.mean) * s.rstd, t = hyperbolic(gamma[j] * hat + beta[j]);
            float dn = dh_next[j] * o[j] * (1.0f - t * t);
            o[j] = dh_next[j] * t * o[j] * (1.0f - o[j]);
            dgamma[j] += dn * hat;
            dbeta[j] += dn;
            dc[j] = gamma[j] * dn;
            sum += dc[j];
            sum_hat += dc[j] * hat;
        }

        /* Through the norm to c_next, where later steps' part is added; then to f, c, i and g. */
        float mean = sum / (float)hidden, mean_hat = sum_hat / (float)hidden;
        for (int j = 0; j < hidden; j++) {
            float hat = (f[j] * c[j] + i[j] * g[j] - s.mean) * s.rstd;
            float all = dc_next[j] + s.rstd * (dc[j] - mean - hat * mean_hat), i_was = i[j];
            dc[j] = all * f[j];
            i[j] = all * g[j] * i[j] * (1.0f - i[j]);
            f[j] = all * c[j] * f[j] * (1.0f - f[j]);
            g[j] = all * i_was * (1.0f - g[j] * g[j]);
        }
        da += 4 * hidden;
        dc += hidden;
        dh_next += hidden;
        dc_next += hidden;
        a += 4 * hidden;
        c += hidden;
    }
}
