/* Lesson 15: Adaptive Norms. The reference solution, in float. Both backward passes end in layer
 * norm's, which is a function of its own. */
#include "15_adaptive_norm.h"

#include <math.h>
#include <stddef.h>

/* The row's m; *s becomes sqrt(variance + eps). row: features */
static float statistics(float *s, const float *row, int features, float eps)
{
    float sum = 0.0f, squares = 0.0f;
    for (int j = 0; j < features; j++)
        sum += row[j];
    float m = sum / (float)features;
    for (int j = 0; j < features; j++)
        squares += (row[j] - m) * (row[j] - m);
    *s = sqrtf(squares / (float)features + eps);
    return m;
}

/* Layer norm's backward pass: dx holds the gradient of xhat, and then that of the row. dx, row:
 * features */
static void norm_backward(float *dx, const float *row, int features, float m, float s)
{
    float sum = 0.0f, sum_xhat = 0.0f;
    for (int j = 0; j < features; j++) {
        sum += dx[j];
        sum_xhat += dx[j] * ((row[j] - m) / s);
    }
    float mean = sum / (float)features, mean_xhat = sum_xhat / (float)features;
    for (int j = 0; j < features; j++)
        dx[j] = (dx[j] - mean - (row[j] - m) / s * mean_xhat) / s;
}

/* y, x: rows x features */
void ada_norm(float *y, const float *x, int rows, int features, float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float s, m = statistics(&s, row, features, eps);
        for (int j = 0; j < features; j++) {
            float xhat = (row[j] - m) / s;
            out[j] = scale * (1.0f - k * xhat) * xhat;
        }
    }
}

/* dx, dy, x: rows x features */
void ada_norm_backward(float *dx, const float *dy, const float *x, int rows, int features,
                       float scale, float k, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        const float *dy_row = dy + (size_t)r * (size_t)features;
        float *dx_row = dx + (size_t)r * (size_t)features;
        float s, m = statistics(&s, row, features, eps);
        for (int j = 0; j < features; j++) {
            float xhat = (row[j] - m) / s;
            dx_row[j] = scale * (1.0f - k * xhat) * dy_row[j];
        }
        norm_backward(dx_row, row, features, m, s);
    }
}

/* y, x: rows x features; parameters: 6 x features */
void adaptive_norm(float *y, const float *x, const float *parameters, int rows, int features,
                   float eps)
{
    const float *g = parameters, *b = g + features, *u = b + features, *v = u + features;
    const float *p = v + features, *q = p + features;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float *out = y + (size_t)r * (size_t)features;
        float s, m = statistics(&s, row, features, eps);
        for (int j = 0; j < features; j++) {
            float scale = g[j] + u[j] * m + v[j] * s, shift = b[j] + p[j] * m + q[j] * s;
            out[j] = scale * ((row[j] - m) / s) + shift;
        }
    }
}

/* dx, dy, x: rows x features; dparameters, parameters: 6 x features */
void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    const float *g = parameters, *u = g + 2 * features, *v = u + features;
    const float *p = v + features, *q = p + features;
    float *dg = dparameters, *db = dg + features, *du = db + features, *dv = du + features;
    float *dp = dv + features, *dq = dp + features;
    for (int i = 0; i < 6 * features; i++)
        dparameters[i] = 0.0f;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        const float *dy_row = dy + (size_t)r * (size_t)features;
        float *dx_row = dx + (size_t)r * (size_t)features;
        float s, m = statistics(&s, row, features, eps), dm = 0.0f, ds = 0.0f;
        for (int j = 0; j < features; j++) {
            float xhat = (row[j] - m) / s, dscale = dy_row[j] * xhat, dshift = dy_row[j];
            dg[j] += dscale;
            du[j] += dscale * m;
            dv[j] += dscale * s;
            db[j] += dshift;
            dp[j] += dshift * m;
            dq[j] += dshift * s;
            dm += dscale * u[j] + dshift * p[j];
            ds += dscale * v[j] + dshift * q[j];
            dx_row[j] = dy_row[j] * (g[j] + u[j] * m + v[j] * s);
        }
        norm_backward(dx_row, row, features, m, s);
        for (int j = 0; j < features; j++)
            dx_row[j] += (dm + ds * ((row[j] - m) / s)) / (float)features;
    }
}
