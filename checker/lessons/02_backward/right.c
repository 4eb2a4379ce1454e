/* Honest ways to write lesson 02's functions. A test builds each section in place of the solution's
 * functions and demands that every check passes. */

/* ---- style: double sums ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features;
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += in[j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (in[j] - m) * (in[j] - m);
        double s = 1 / sqrt(v / features + eps);
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = gamma[j] * (in[j] - m) * s + beta[j];
        mean[r] = m;
        rstd[r] = s;
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        double sum = 0, sum_xhat = 0;
        for (int r = 0; r < rows; r++) {
            size_t i = (size_t)r * features + j;
            sum += dy[i];
            sum_xhat += (double)dy[i] * (x[i] - (double)mean[r]) * rstd[r];
        }
        dbeta[j] = sum;
        dgamma[j] = sum_xhat;
    }
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        double a = 0, b = 0, m = mean[r], s = rstd[r];
        for (int j = 0; j < features; j++) {
            a += (double)d[j] * gamma[j];
            b += (double)d[j] * gamma[j] * (in[j] - m) * s;
        }
        for (int j = 0; j < features; j++)
            dx[(size_t)r * features + j] =
                s / features * (features * (double)d[j] * gamma[j] - a - (in[j] - m) * s * b);
    }
}

/* ---- style: welford, and the paths one by one ---- */
#include <string.h>

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features;
        float m = 0, m2 = 0;
        for (int j = 0; j < features; j++) {
            float delta = in[j] - m;
            m += delta / (j + 1);
            m2 += delta * (in[j] - m);
        }
        mean[r] = m;
        rstd[r] = 1 / sqrtf(m2 / features + eps);
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = gamma[j] * ((in[j] - m) * rstd[r]) + beta[j];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    memset(dgamma, 0, features * sizeof *dgamma);
    memset(dbeta, 0, features * sizeof *dbeta);
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        float *out = dx + (size_t)r * features;
        float drstd = 0, dmean = 0, rest = 0;
        for (int j = 0; j < features; j++) {
            float dxhat = d[j] * gamma[j];
            dbeta[j] += d[j];
            dgamma[j] += d[j] * (in[j] - mean[r]) * rstd[r];
            drstd += dxhat * (in[j] - mean[r]);
            dmean -= dxhat * rstd[r];
            rest += in[j] - mean[r];
        }
        float dvar = -0.5f * drstd * powf(rstd[r], 3);
        dmean += dvar * -2 * rest / features;
        for (int j = 0; j < features; j++)
            out[j] = d[j] * gamma[j] * rstd[r] + dvar * 2 * (in[j] - mean[r]) / features +
                     dmean / features;
    }
}

/* ---- style: precomputed scale and shift, the last row first ---- */
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
    for (int r = rows; r-- > 0;) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        float scale = rstd[r], shift = -rstd[r] * mean[r], ds = 0, db = 0;
        for (int j = 0; j < features; j++) {
            dgamma[j] = (r < rows - 1 ? dgamma[j] : 0) + d[j] * (scale * in[j] + shift);
            dbeta[j] = (r < rows - 1 ? dbeta[j] : 0) + d[j];
            ds += d[j] * in[j] * gamma[j];
            db += d[j] * gamma[j];
        }
        float b = (db * mean[r] - ds) * scale * scale * scale / features;
        float c = -b * mean[r] - db * scale / features;
        for (int j = 0; j < features; j++)
            dx[(size_t)r * features + j] = scale * d[j] * gamma[j] + b * in[j] + c;
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

/* ---- style: as the hints say ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0.0f, squares = 0.0f;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j];
        mean[r] = sum / (float)features;
        for (int j = 0; j < features; j++)
            squares += (x[r * features + j] - mean[r]) * (x[r * features + j] - mean[r]);
        rstd[r] = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean[r]) * rstd[r] + beta[j];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        float mean_g = 0.0f, mean_g_xhat = 0.0f;
        for (int i = r * features; i < (r + 1) * features; i++) {
            int j = i - r * features;
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            mean_g += g;
            mean_g_xhat += g * xhat;
        }
        mean_g /= (float)features;
        mean_g_xhat /= (float)features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dx[i] = rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
}
