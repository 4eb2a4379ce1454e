/* Honest ways to write lesson 02's functions. A test builds each section in place of the solution's
 * functions and demands that every check passes. Further ones are in right_fast.c. */

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
                s * ((double)d[j] * gamma[j] - a / features - (in[j] - m) * s * b / features);
    }
}

/* ---- style: float sums ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0.f, v = 0.f;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++) {
            float d = x[r * features + j] - m;
            v += d * d;
        }
        mean[r] = m;
        rstd[r] = powf(v / features + eps, -0.5f);
        for (int j = 0; j < features; j++) {
            float xhat = (x[r * features + j] - m) / sqrtf(v / features + eps);
            y[r * features + j] = xhat * gamma[j] + beta[j];
        }
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        float sum = 0.f, sum_xhat = 0.f;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            sum += dy[i];
            sum_xhat += dy[i] * (x[i] - mean[r]) * rstd[r];
        }
        dbeta[j] = sum;
        dgamma[j] = sum_xhat;
    }
    for (int r = 0; r < rows; r++) {
        float sum_g = 0.f, sum_gx = 0.f;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            sum_g += dy[i] * gamma[j];
            sum_gx += dy[i] * gamma[j] * (x[i] - mean[r]);
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float along = rstd[r] * rstd[r] * (x[i] - mean[r]) * sum_gx;
            dx[i] = rstd[r] / features * (features * dy[i] * gamma[j] - sum_g - along);
        }
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

/* ---- style: pairwise sums ---- */
static float pairwise(const float *a, const float *b, const float *c, float off, int n)
{
    if (n > 1)
        return pairwise(a, b, c, off, n / 2) +
               pairwise(a + n / 2, b ? b + n / 2 : b, c ? c + n / 2 : c, off, n - n / 2);
    return (*a - off) * (b ? *b : 1) * (c ? *c : 1);
}

static float pairwise_square(const float *a, float off, int n)
{
    if (n > 1)
        return pairwise_square(a, off, n / 2) + pairwise_square(a + n / 2, off, n - n / 2);
    return (*a - off) * (*a - off);
}

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features;
        mean[r] = pairwise(in, NULL, NULL, 0, features) / features;
        rstd[r] = 1 / sqrtf(pairwise_square(in, mean[r], features) / features + eps);
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = (in[j] - mean[r]) * (rstd[r] * gamma[j]) + beta[j];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dy + (size_t)r * features;
        float mean_g = pairwise(d, gamma, NULL, 0, features) / features;
        float mean_gx = pairwise(in, d, gamma, mean[r], features) * rstd[r] / features;
        for (int j = 0; j < features; j++) {
            float xhat = (in[j] - mean[r]) * rstd[r];
            dbeta[j] += d[j];
            dgamma[j] += xhat * d[j];
            dx[(size_t)r * features + j] = (d[j] * gamma[j] - mean_g - xhat * mean_gx) * rstd[r];
        }
    }
}

/* ---- style: loops reversed ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = rows - 1; r >= 0; r--) {
        float m = 0, v = 0;
        for (int j = features; j-- > 0;)
            m += x[r * features + j] / features;
        for (int j = features; j-- > 0;)
            v += (m - x[r * features + j]) * (m - x[r * features + j]) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(eps + v);
        for (int j = features; j-- > 0;)
            y[r * features + j] = beta[j] - gamma[j] * rstd[r] * (m - x[r * features + j]);
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int r = rows - 1; r >= 0; r--) {
        float a = 0, b = 0;
        for (int i = (r + 1) * features - 1, j = features - 1; j >= 0; i--, j--) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] = (r == rows - 1 ? 0 : dbeta[j]) + dy[i];
            dgamma[j] = (r == rows - 1 ? 0 : dgamma[j]) + xhat * dy[i];
            a -= dy[i] * gamma[j] / features;
            b -= xhat * dy[i] * gamma[j] / features;
        }
        for (int i = (r + 1) * features - 1, j = features - 1; j >= 0; i--, j--)
            dx[i] = rstd[r] * (a + (b * ((x[i] - mean[r]) * rstd[r]) + dy[i] * gamma[j]));
    }
}
