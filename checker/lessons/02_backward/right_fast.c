/* Honest ways to write lesson 02's functions, as libraries do or with less work. See right.c. */

/* ---- style: precomputed scale and shift ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features;
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += in[j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (in[j] - m) * (in[j] - m);
        float scale = 1 / sqrtf(v / features + eps), shift = -m * scale;
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = (in[j] * scale + shift) * gamma[j] + beta[j];
        mean[r] = m;
        rstd[r] = scale;
    }
}

/* dx = rstd * g + b * x + c, with the row's b and c, as PyTorch's own kernel has it. */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        float scale = rstd[r], shift = -rstd[r] * mean[r], ds = 0, db = 0;
        for (int j = 0; j < features; j++) {
            dgamma[j] += d[j] * (scale * in[j] + shift);
            dbeta[j] += d[j];
            ds += d[j] * in[j] * gamma[j];
            db += d[j] * gamma[j];
        }
        float b = (db * mean[r] - ds) * scale * scale * scale / features;
        float c = -b * mean[r] - db * scale / features;
        for (int j = 0; j < features; j++)
            dx[(size_t)r * features + j] = scale * d[j] * gamma[j] + b * in[j] + c;
    }
}

/* ---- style: vector extensions ---- */
#include <string.h>

typedef float Four __attribute__((vector_size(16), aligned(4)));

static Four four_at(const float *p)
{
    Four v;
    memcpy(&v, p, sizeof v);
    return v;
}

static float sum_of_four(Four v)
{
    return (v[0] + v[2]) + (v[1] + v[3]);
}

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features;
        float *out = y + (size_t)r * features;
        int whole = features / 4 * 4;
        Four sums = {0}, squares = {0};
        for (int j = 0; j < whole; j += 4)
            sums += four_at(in + j);
        float sum = sum_of_four(sums);
        for (int j = whole; j < features; j++)
            sum += in[j];
        float m = sum / features;
        for (int j = 0; j < whole; j += 4)
            squares += (four_at(in + j) - m) * (four_at(in + j) - m);
        float square = sum_of_four(squares);
        for (int j = whole; j < features; j++)
            square += (in[j] - m) * (in[j] - m);
        float s = 1 / sqrtf(square / features + eps);
        for (int j = 0; j < whole; j += 4)
            *(Four *)(out + j) = four_at(gamma + j) * (four_at(in + j) - m) * s + four_at(beta + j);
        for (int j = whole; j < features; j++)
            out[j] = gamma[j] * (in[j] - m) * s + beta[j];
        mean[r] = m;
        rstd[r] = s;
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    int whole = features / 4 * 4;
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        float *out = dx + (size_t)r * features, a = 0, b = 0;
        Four as = {0}, bs = {0};
        for (int j = 0; j < whole; j += 4) {
            Four xhat = (four_at(in + j) - mean[r]) * rstd[r], dys = four_at(d + j);
            *(Four *)(dbeta + j) = r ? four_at(dbeta + j) + dys : dys;
            *(Four *)(dgamma + j) = r ? four_at(dgamma + j) + dys * xhat : dys * xhat;
            as += dys * four_at(gamma + j);
            bs += dys * four_at(gamma + j) * xhat;
        }
        for (int j = whole; j < features; j++) {
            float xhat = (in[j] - mean[r]) * rstd[r];
            dbeta[j] = (r ? dbeta[j] : 0) + d[j];
            dgamma[j] = (r ? dgamma[j] : 0) + d[j] * xhat;
            a += d[j] * gamma[j];
            b += d[j] * gamma[j] * xhat;
        }
        a = (a + sum_of_four(as)) / features;
        b = (b + sum_of_four(bs)) / features;
        for (int j = 0; j < features; j++)
            out[j] = rstd[r] * (d[j] * gamma[j] - a - (in[j] - mean[r]) * rstd[r] * b);
    }
}

/* ---- style: shifted sums, and xhat kept in memory ---- */
#include <stdlib.h>

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features;
        float near = in[0], sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            sum += in[j] - near;
            squares += (in[j] - near) * (in[j] - near);
        }
        float off = sum / features;
        mean[r] = near + off;
        rstd[r] = 1 / sqrtf(fmaxf(squares / features - off * off, 0) + eps);
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = gamma[j] * ((in[j] - near) - off) * rstd[r] + beta[j];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float *xhat = malloc(((size_t)rows * features + 1) * sizeof *xhat);
    if (!xhat)
        return;
    for (int i = 0; i < rows * features; i++) {
        xhat[i] = (x[i] - mean[i / features]) * rstd[i / features];
        dx[i] = gamma[i % features] * dy[i]; /* g for now */
    }
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] += dy[r * features + j] * xhat[r * features + j];
        }
    }
    for (int r = 0; r < rows; r++) {
        float *g = dx + r * features, *h = xhat + r * features, mean_g = 0, mean_gh = 0;
        for (int j = 0; j < features; j++) {
            mean_g += (g[j] - mean_g) / (j + 1);
            mean_gh += (g[j] * h[j] - mean_gh) / (j + 1);
        }
        for (int j = 0; j < features; j++)
            g[j] = rstd[r] * (g[j] - mean_g - h[j] * mean_gh);
    }
    free(xhat);
}

/* ---- style: the whole Jacobian ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        for (int j = 0; j < features; j++) {
            float xhat = (in[j] - mean[r]) * rstd[r], sum = 0;
            dbeta[j] += d[j];
            dgamma[j] += d[j] * xhat;
            for (int k = 0; k < features; k++) {
                float xhat_k = (in[k] - mean[r]) * rstd[r];
                sum += d[k] * gamma[k] * ((j == k) - (1 + xhat * xhat_k) / features);
            }
            dx[(size_t)r * features + j] = rstd[r] * sum;
        }
    }
}
