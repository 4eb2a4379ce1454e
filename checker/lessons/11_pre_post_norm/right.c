/* Right answers for lesson 11 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double throughout ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int i = r * features; i < (r + 1) * features; i++)
            m += (double)x[i] + branch[i];
        m /= features;
        for (int i = r * features; i < (r + 1) * features; i++)
            v += ((double)x[i] + branch[i] - m) * ((double)x[i] + branch[i] - m);
        double s = 1 / sqrt(v / features + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * ((double)x[i] + branch[i] - m) * s + beta[j];
        }
        mean[r] = m;
        rstd[r] = s;
    }
}

void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        double a = 0, b = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            a += dy[i];
            b += dy[i] * (((double)x[i] + branch[i] - mean[r]) * rstd[r]);
        }
        dbeta[j] = a;
        dgamma[j] = b;
    }
    for (int r = 0; r < rows; r++) {
        double a = 0, b = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            double xhat = ((double)x[i] + branch[i] - mean[r]) * rstd[r];
            a += (double)gamma[j] * dy[i] / features;
            b += (double)gamma[j] * dy[i] * xhat / features;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            double xhat = ((double)x[i] + branch[i] - mean[r]) * rstd[r];
            dx[i] = dbranch[i] = rstd[r] * ((double)gamma[j] * dy[i] - a - xhat * b);
        }
    }
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++) {
        double a = 0, b = 0;
        for (int i = j; i < rows * features; i += features) {
            a += dinput[i];
            b += dinput[i] * (((double)x[i] - mean[i / features]) * rstd[i / features]);
        }
        dbeta[j] = a;
        dgamma[j] = b;
    }
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dinput + r * features;
        double a = 0, b = 0, m = mean[r], s = rstd[r];
        for (int j = 0; j < features; j++) {
            a += (double)d[j] * gamma[j];
            b += (double)d[j] * gamma[j] * (in[j] - m) * s;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] =
                dy[r * features + j] +
                s * ((double)d[j] * gamma[j] - (a + (in[j] - m) * s * b) / features);
    }
}

void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = 0; l < layers; l++, gradient += count) {
        double squares = 0;
        for (int i = 0; i < count; i++)
            squares += (double)gradient[i] * gradient[i];
        length[l] = sqrt(squares);
    }
}

/* ---- style: the sum first, in an array; one layer norm for both blocks ---- */
#include <stdlib.h>
#include <string.h>

static void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy,
                                const float *x, const float *gamma, const float *mean,
                                const float *rstd, int rows, int features)
{
    memset(dgamma, 0, features * sizeof *dgamma);
    memset(dbeta, 0, features * sizeof *dbeta);
    for (int r = 0; r < rows; r++) {
        float mean_g = 0, mean_gh = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            mean_g += gamma[j] * dy[i];
            mean_gh += gamma[j] * dy[i] * xhat;
        }
        mean_g /= features;
        mean_gh /= features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - mean_g - xhat * mean_gh);
        }
    }
}

void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    size_t size = (size_t)rows * features * sizeof(float);
    float *sum = malloc(size);
    if (!sum)
        return;
    for (int i = 0; i < rows * features; i++)
        sum[i] = x[i] + branch[i];
    layer_norm_backward(dx, dgamma, dbeta, dy, sum, gamma, mean, rstd, rows, features);
    memcpy(dbranch, dx, size);
    free(sum);
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    layer_norm_backward(dx, dgamma, dbeta, dinput, x, gamma, mean, rstd, rows, features);
    for (int i = 0; i < rows * features; i++)
        dx[i] += dy[i];
}

/* ---- style: y as the place for the sum; a shifted sum; backwards ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = rows - 1; r >= 0; r--) {
        float *row = y + r * features, sum = 0, squares = 0;
        for (int j = features - 1; j >= 0; j--)
            row[j] = x[r * features + j] + branch[r * features + j];
        float first = row[0];
        for (int j = features - 1; j >= 0; j--) {
            sum += row[j] - first;
            squares += (row[j] - first) * (row[j] - first);
        }
        float off = sum / features;
        mean[r] = first + off;
        rstd[r] = powf(fmaxf(squares / features - off * off, 0) + eps, -0.5f);
        for (int j = features - 1; j >= 0; j--)
            row[j] = beta[j] + gamma[j] * rstd[r] * (row[j] - first - off);
    }
}

void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = layers - 1; l >= 0; l--) {
        length[l] = 0;
        for (int i = count - 1; i >= 0; i--)
            length[l] += powf(gradient[l * count + i], 2);
        length[l] = powf(length[l], 0.5f);
    }
}

/* ---- style: Welford's recurrence; the long form, a path at a time ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float s = x[r * features + j] + branch[r * features + j], d = s - m;
            m += d / (j + 1);
            squares += d * (s - m);
        }
        mean[r] = m;
        rstd[r] = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++) {
            float s = x[r * features + j] + branch[r * features + j];
            y[r * features + j] = (s - m) / sqrtf(squares / features + eps) * gamma[j] + beta[j];
        }
    }
}

static void long_form(float *ds, const float *slope, const float *x, const float *branch,
                      const float *gamma, float mean, float rstd, int features)
{
    float drstd = 0, dmean = 0, rest = 0;
    for (int j = 0; j < features; j++) {
        float distance = x[j] + (branch ? branch[j] : 0) - mean, dhat = slope[j] * gamma[j];
        drstd += dhat * distance;
        dmean -= dhat * rstd;
        rest += distance;
    }
    float dvariance = -0.5f * drstd * rstd * rstd * rstd;
    dmean -= 2 * dvariance * rest / features;
    for (int j = 0; j < features; j++) {
        float distance = x[j] + (branch ? branch[j] : 0) - mean;
        ds[j] = slope[j] * gamma[j] * rstd + 2 * dvariance * distance / features + dmean / features;
    }
}

void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        int i = r * features;
        long_form(dx + i, dy + i, x + i, branch + i, gamma, mean[r], rstd[r], features);
        for (int j = 0; j < features; j++, i++) {
            dbranch[i] = dx[i];
            dbeta[j] = (r ? dbeta[j] : 0) + dy[i];
            dgamma[j] = (r ? dgamma[j] : 0) + dy[i] * (x[i] + branch[i] - mean[r]) * rstd[r];
        }
    }
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        int i = r * features;
        long_form(dx + i, dinput + i, x + i, NULL, gamma, mean[r], rstd[r], features);
        for (int j = 0; j < features; j++, i++) {
            dx[i] += dy[i];
            dbeta[j] = (r ? dbeta[j] : 0) + dinput[i];
            dgamma[j] = (r ? dgamma[j] : 0) + dinput[i] * (x[i] - mean[r]) * rstd[r];
        }
    }
}

/* ---- style: the whole Jacobian ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *a = x + r * features, *b = branch + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++) {
            float xhat = (a[j] + b[j] - mean[r]) * rstd[r], sum = 0;
            dbeta[j] = r == 0 ? d[j] : dbeta[j] + d[j];
            dgamma[j] = r == 0 ? d[j] * xhat : dgamma[j] + d[j] * xhat;
            for (int k = 0; k < features; k++) {
                float other = (a[k] + b[k] - mean[r]) * rstd[r];
                sum += d[k] * gamma[k] * ((j == k) - (1 + xhat * other) / features);
            }
            dx[r * features + j] = dbranch[r * features + j] = rstd[r] * sum;
        }
    }
}

/* ---- style: as the hints say ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float mean_g = 0, mean_gh = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dinput[i];
            dgamma[j] += dinput[i] * xhat;
            mean_g += gamma[j] * dinput[i] / features;
            mean_gh += gamma[j] * dinput[i] * xhat / features;
        }
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dinput[i] - mean_g - xhat * mean_gh);
            dx[i] += dy[i];
        }
    }
}

/* ---- style: the largest number first ---- */
void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = 0; l < layers; l++) {
        float largest = 0, squares = 0;
        for (int i = 0; i < count; i++)
            largest = fmaxf(largest, fabsf(gradient[l * count + i]));
        for (int i = 0; i < count && largest > 0; i++) {
            float part = gradient[l * count + i] / largest;
            squares += part * part;
        }
        length[l] = largest * sqrtf(squares);
    }
}

/* ---- style: fast, four sums side by side; scale and shift of a row ---- */
typedef struct {
    float g, g_x;
} Sums;

static Sums four_sums(const float *slope, const float *x, const float *gamma, int features)
{
    float g[4] = {0}, g_x[4] = {0};
    int j = 0;
    for (; j + 4 <= features; j += 4)
        for (int k = 0; k < 4; k++) {
            g[k] += slope[j + k] * gamma[j + k];
            g_x[k] += slope[j + k] * gamma[j + k] * x[j + k];
        }
    for (; j < features; j++) {
        g[0] += slope[j] * gamma[j];
        g_x[0] += slope[j] * gamma[j] * x[j];
    }
    return (Sums){g[0] + g[1] + g[2] + g[3], g_x[0] + g_x[1] + g_x[2] + g_x[3]};
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + (size_t)r * features, *d = dinput + (size_t)r * features;
        float *out = dx + (size_t)r * features, s = rstd[r];
        Sums sums = four_sums(d, in, gamma, features);
        float factor = (sums.g * mean[r] - sums.g_x) * s * s * s / features;
        float shift = -factor * mean[r] - sums.g * s / features;
        for (int j = 0; j < features; j++) {
            dgamma[j] += d[j] * (s * in[j] - s * mean[r]);
            dbeta[j] += d[j];
            out[j] = dy[(size_t)r * features + j] + s * d[j] * gamma[j] + factor * in[j] + shift;
        }
    }
}

void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = 0; l < layers; l++) {
        const float *block = gradient + (size_t)l * count;
        float squares[4] = {0};
        int i = 0;
        for (; i + 4 <= count; i += 4)
            for (int k = 0; k < 4; k++)
                squares[k] += block[i + k] * block[i + k];
        for (; i < count; i++)
            squares[0] += block[i] * block[i];
        length[l] = sqrtf((squares[0] + squares[1]) + (squares[2] + squares[3]));
    }
}
