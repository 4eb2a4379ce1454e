/* Right answers for lesson 15 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double sums, every index written out ---- */
#include <stdlib.h>
void ada_norm(float *y, const float *x, int rows, int features, float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, variance = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            variance += (x[r * features + j] - m) * (x[r * features + j] - m) / features;
        for (int j = 0; j < features; j++) {
            double xhat = (x[r * features + j] - m) / sqrt(variance + eps);
            y[r * features + j] = scale * (1 - k * xhat) * xhat;
        }
    }
}

void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, variance = 0, a = 0, b = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            variance += (x[r * features + j] - m) * (x[r * features + j] - m) / features;
        double s = sqrt(variance + eps);
        for (int j = 0; j < features; j++) {
            double xhat = (x[r * features + j] - m) / s;
            a += scale * (1 - k * xhat) * dy[r * features + j] / features;
            b += scale * (1 - k * xhat) * dy[r * features + j] * xhat / features;
        }
        for (int j = 0; j < features; j++) {
            double xhat = (x[r * features + j] - m) / s;
            dx[r * features + j] =
                (scale * (1 - k * xhat) * dy[r * features + j] - a - xhat * b) / s;
        }
    }
}

void adaptive_norm(float *y, const float *x, const float *parameters, int rows, int features,
                   float eps)
{
    int n = features;
    for (int r = 0; r < rows; r++) {
        double m = 0, variance = 0;
        for (int j = 0; j < n; j++)
            m += x[r * n + j];
        m /= n;
        for (int j = 0; j < n; j++)
            variance += (x[r * n + j] - m) * (x[r * n + j] - m) / n;
        double s = sqrt(variance + eps);
        for (int j = 0; j < n; j++)
            y[r * n + j] = (parameters[j] + parameters[2 * n + j] * m + parameters[3 * n + j] * s) *
                               (x[r * n + j] - m) / s +
                           parameters[n + j] + parameters[4 * n + j] * m +
                           parameters[5 * n + j] * s;
    }
}

void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    int n = features;
    double *sums = calloc(6 * n, sizeof *sums);
    for (int r = 0; r < rows; r++) {
        double m = 0, variance = 0, dm = 0, ds = 0;
        for (int j = 0; j < n; j++)
            m += x[r * n + j];
        m /= n;
        for (int j = 0; j < n; j++)
            variance += (x[r * n + j] - m) * (x[r * n + j] - m) / n;
        double s = sqrt(variance + eps);
        /* xhat grows 1/s as fast as x, falls 1/s as fast as m grows, and xhat/s as fast as s */
        for (int j = 0; j < n; j++) {
            double d = dy[r * n + j], xhat = (x[r * n + j] - m) / s;
            double part[6] = {d * xhat, d, d * xhat * m, d * xhat * s, d * m, d * s};
            double dxhat =
                d * (parameters[j] + parameters[2 * n + j] * m + parameters[3 * n + j] * s);
            for (int i = 0; i < 6; i++)
                sums[i * n + j] += part[i];
            dm += d * (parameters[2 * n + j] * xhat + parameters[4 * n + j]) - dxhat / s;
            ds += d * (parameters[3 * n + j] * xhat + parameters[5 * n + j]) - dxhat * xhat / s;
        }
        for (int j = 0; j < n; j++) {
            double xhat = (x[r * n + j] - m) / s;
            double a = parameters[j] + parameters[2 * n + j] * m + parameters[3 * n + j] * s;
            dx[r * n + j] = dy[r * n + j] * a / s + dm / n + ds * xhat / n;
        }
    }
    for (int i = 0; i < 6 * n; i++)
        dparameters[i] = sums[i];
    free(sums);
}

/* ---- style: as PyTorch does it: y = a x + b, and dx = a d + b x + c, with sums of d * x ---- */
#include <stdlib.h>

static void welford(const float *x, int n, float eps, float *m, float *rstd)
{
    float mean = 0, squares = 0;
    for (int j = 0; j < n; j++) {
        float d = x[j] - mean;
        mean += d / (j + 1);
        squares += d * (x[j] - mean);
    }
    *m = mean;
    *rstd = 1 / sqrtf(squares / n + eps);
}

static void from_xhat(float *dx, const float *d, const float *x, int n, float m, float rstd,
                      float dm, float ds)
{
    float plain = 0, with_x = 0;
    for (int j = 0; j < n; j++) {
        plain += d[j];
        with_x += d[j] * x[j];
    }
    float b = (plain * m - with_x) * rstd * rstd * rstd / n + ds * rstd / n;
    float c = dm / n - b * m - plain * rstd / n;
    for (int j = 0; j < n; j++)
        dx[j] = rstd * d[j] + b * x[j] + c;
}

void ada_norm(float *y, const float *x, int rows, int features, float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float m, rstd;
        welford(x, features, eps, &m, &rstd);
        for (int j = 0; j < features; j++) {
            float xhat = x[j] * rstd - m * rstd;
            y[j] = scale * xhat - scale * k * xhat * xhat;
        }
    }
}

void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    float *d = malloc(features * sizeof *d);
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        float m, rstd;
        welford(x, features, eps, &m, &rstd);
        for (int j = 0; j < features; j++)
            d[j] = dy[j] * (scale - scale * k * (x[j] - m) * rstd);
        from_xhat(dx, d, x, features, m, rstd, 0, 0);
    }
    free(d);
}

void adaptive_norm(float *y, const float *x, const float *parameters, int rows, int features,
                   float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float m, rstd;
        welford(x, features, eps, &m, &rstd);
        for (int j = 0; j < features; j++) {
            const float *p = parameters + j;
            float a = p[0] * rstd + p[2 * features] * m * rstd + p[3 * features];
            float b = p[features] + p[4 * features] * m + p[5 * features] / rstd;
            y[j] = a * (x[j] - m) + b;
        }
    }
}

void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    int n = features;
    float *d = malloc(n * sizeof *d);
    for (int i = 0; i < 6 * n; i++)
        dparameters[i] = 0;
    for (int r = 0; r < rows; r++, x += n, dx += n, dy += n) {
        float m, rstd, dm = 0, ds = 0;
        welford(x, n, eps, &m, &rstd);
        float s = 1 / rstd;
        for (int j = 0; j < n; j++) {
            const float *p = parameters + j;
            float *q = dparameters + j, h = dy[j] * (x[j] * rstd - m * rstd);
            q[0] += h;
            q[n] += dy[j];
            q[2 * n] += h * m;
            q[3 * n] += h * s;
            q[4 * n] += dy[j] * m;
            q[5 * n] += dy[j] * s;
            dm += h * p[2 * n] + dy[j] * p[4 * n];
            ds += h * p[3 * n] + dy[j] * p[5 * n];
            d[j] = dy[j] * p[0] + dy[j] * p[2 * n] * m + dy[j] * p[3 * n] * s;
        }
        from_xhat(dx, d, x, n, m, rstd, dm, ds);
    }
    free(d);
}

/* ---- style: distances from the row's first number; dx by the rows of the Jacobian ---- */
#include <stdlib.h>

static float *normalize(const float *x, int n, float eps, float *m, float *s)
{
    float sum = 0, squares = 0, *xhat = malloc(n * sizeof *xhat);
    for (int j = 0; j < n; j++) {
        sum += x[j] - x[0];
        squares += (x[j] - x[0]) * (x[j] - x[0]);
    }
    sum /= n;
    *m = x[0] + sum;
    *s = sqrtf(fmaxf(squares / n - sum * sum, 0) + eps);
    for (int j = 0; j < n; j++)
        xhat[j] = (x[j] - x[0] - sum) / *s;
    return xhat;
}

void ada_norm(float *y, const float *x, int rows, int features, float scale, float k, float eps)
{
    for (int r = rows - 1; r >= 0; r--) {
        float m, s, *xhat = normalize(x + r * features, features, eps, &m, &s);
        for (int j = 0; j < features; j++)
            y[r * features + j] = xhat[j] * scale * (1 - xhat[j] * k);
        free(xhat);
    }
}

void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    for (int r = rows - 1; r >= 0; r--) {
        float m, s, *xhat = normalize(x + r * features, features, eps, &m, &s);
        for (int i = 0; i < features; i++) {
            float sum = 0;
            for (int j = 0; j < features; j++) {
                float grows = (i == j) - 1.0f / features - xhat[i] * xhat[j] / features;
                sum += grows * scale * (1 - k * xhat[j]) * dy[r * features + j];
            }
            dx[r * features + i] = sum / s;
        }
        free(xhat);
    }
}

void adaptive_norm(float *y, const float *x, const float *parameters, int rows, int features,
                   float eps)
{
    for (int r = 0; r < rows; r++) {
        float m, s, *xhat = normalize(x + r * features, features, eps, &m, &s);
        const float follows[3] = {1, m, s};
        for (int j = 0; j < features; j++) {
            static const int in_scale[] = {0, 2, 3}, in_shift[] = {1, 4, 5};
            float sum = 0;
            for (int i = 0; i < 3; i++)
                sum += follows[i] * (parameters[in_scale[i] * features + j] * xhat[j] +
                                     parameters[in_shift[i] * features + j]);
            y[r * features + j] = sum;
        }
        free(xhat);
    }
}

void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    int n = features;
    const float *g = parameters, *u = g + 2 * n, *v = g + 3 * n, *p = g + 4 * n, *q = g + 5 * n;
    for (int r = 0; r < rows; r++) {
        float m, s, *xhat = normalize(x + r * n, n, eps, &m, &s);
        const float *d = dy + r * n;
        for (int j = 0; j < n; j++) {
            const float part[] = {xhat[j], 1, xhat[j] * m, xhat[j] * s, m, s};
            for (int i = 0; i < 6; i++) {
                float before = r ? dparameters[i * n + j] : 0;
                dparameters[i * n + j] = before + part[i] * d[j];
            }
        }
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int j = 0; j < n; j++) {
                float grows = ((i == j) - (1 + xhat[i] * xhat[j]) / n) / s; /* xhat[j] */
                sum += d[j] * (g[j] + u[j] * m + v[j] * s) * grows;
                sum += d[j] * (u[j] * xhat[j] + p[j]) / n;
                sum += d[j] * (v[j] * xhat[j] + q[j]) * xhat[i] / n;
            }
            dx[r * n + i] = sum;
        }
        free(xhat);
    }
}

/* ---- style: xhat kept in dx; the way through s by the variance ---- */
static float center(float *out, const float *x, int n, float eps, float *s)
{
    float m = 0, squares = 0;
    for (int j = 0; j < n; j++)
        m += x[j] / n;
    for (int j = 0; j < n; j++) {
        out[j] = x[j] - m;
        squares += out[j] * out[j] / n;
    }
    *s = sqrtf(squares + eps);
    return m;
}

void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    int n = features;
    for (int r = 0; r < rows; r++, dx += n, dy += n) {
        float s, dmean = 0, dvariance = 0, spare = 0;
        center(dx, x + r * n, n, eps, &s);
        for (int j = 0; j < n; j++) {
            float d = dy[j] * scale * (1 - k * dx[j] / s);
            dmean -= d / s;
            dvariance += d * dx[j] * -0.5f / (s * s * s);
            spare += dx[j];
        }
        dmean += dvariance * -2 * spare / n;
        for (int j = 0; j < n; j++)
            dx[j] = dy[j] * scale * (1 - k * dx[j] / s) / s + dvariance * 2 * dx[j] / n + dmean / n;
    }
}

void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    int n = features;
    for (int i = 0; i < 6 * n; i++)
        dparameters[i] = 0;
    for (int r = 0; r < rows; r++, dx += n, dy += n) {
        float s, m = center(dx, x + r * n, n, eps, &s), dmean = 0, ds = 0, spare = 0;
        for (int j = 0; j < n; j++) {
            float xhat = dx[j] / s, d = dy[j];
            float part[] = {d * xhat, d, d * xhat * m, d * dx[j], d * m, d * s};
            for (int i = 0; i < 6; i++)
                dparameters[i * n + j] += part[i];
            float dxhat =
                d * (parameters[j] + parameters[2 * n + j] * m) + d * parameters[3 * n + j] * s;
            dmean += parameters[2 * n + j] * part[0] + parameters[4 * n + j] * d - dxhat / s;
            ds += parameters[3 * n + j] * part[0] + parameters[5 * n + j] * d - dxhat * xhat / s;
            spare += dx[j];
        }
        float dvariance = ds / (2 * s);
        dmean += dvariance * -2 * spare / n;
        for (int j = 0; j < n; j++) {
            float scale = parameters[j] + parameters[2 * n + j] * m + parameters[3 * n + j] * s;
            dx[j] = dy[j] * scale / s + dvariance * 2 * dx[j] / n + dmean / n;
        }
    }
}

/* ---- style: fast: four sums at once, a factor and a shift for each number ---- */
void ada_norm(float *restrict y, const float *restrict x, int rows, int features, float scale,
              float k, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float sum[4] = {0}, squares[4] = {0};
        for (int j = 0; j < features; j++)
            sum[j & 3] += x[j];
        float m = (sum[0] + sum[1] + sum[2] + sum[3]) / features;
        for (int j = 0; j < features; j++)
            squares[j & 3] += (x[j] - m) * (x[j] - m);
        float all = squares[0] + squares[1] + squares[2] + squares[3];
        float rstd = 1 / sqrtf(all / features + eps), bend = -scale * k * rstd * rstd;
        for (int j = 0; j < features; j++)
            y[j] = (scale * rstd + bend * (x[j] - m)) * (x[j] - m);
    }
}

/* ---- style: scale and shift of the row as lesson 04 has them ---- */
void adaptive_norm(float *y, const float *x, const float *parameters, int rows, int features,
                   float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float m = 0, variance = 0;
        for (int j = 0; j < features; j++)
            m += row[j];
        m /= features;
        for (int j = 0; j < features; j++)
            variance += (row[j] - m) * (row[j] - m);
        float s = sqrtf(variance / features + eps);
        for (int j = 0; j < features; j++) {
            const float *p = parameters + j;
            float normal = p[0] * (row[j] - m) / s, plain = p[3 * features] * (row[j] - m);
            y[r * features + j] = normal + m * (p[2 * features] * (row[j] - m) / s) + plain +
                                  p[features] + m * p[4 * features] + s * p[5 * features];
        }
    }
}
