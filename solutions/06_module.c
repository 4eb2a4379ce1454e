/* Lesson 06: the module. The reference solution: every array is a block of its own, and nothing in
 * the struct changes before all that may fail is done. */
#include "06_module.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* count floats, all 0; NULL: memory is out */
static float *zeros(int count)
{
    return calloc((size_t)count, sizeof(float));
}

/* shape: dims */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    *m = (struct layer_norm){0};
    int features = dims > 0 ? 1 : 0;
    for (int d = 0; d < dims; d++) {
        if (shape[d] <= 0 || features > INT_MAX / shape[d])
            return -1;
        features *= shape[d];
    }
    if (features == 0)
        return -1;

    m->features = features;
    m->eps = eps;
    m->gamma = zeros(features);
    m->dgamma = zeros(features);
    m->beta = bias ? zeros(features) : NULL;
    m->dbeta = bias ? zeros(features) : NULL;
    if (!m->gamma || !m->dgamma || (bias && (!m->beta || !m->dbeta))) {
        layer_norm_free(m);
        return -1;
    }
    for (int j = 0; j < features; j++)
        m->gamma[j] = 1.0f;
    return 0;
}

/* y, xhat, row: features. Returns the row's rstd. */
static float normalize(const struct layer_norm *m, float *y, float *xhat, const float *row)
{
    int features = m->features;
    float sum = 0.0f, squares = 0.0f;
    for (int j = 0; j < features; j++)
        sum += row[j];
    float mean = sum / (float)features;
    for (int j = 0; j < features; j++)
        squares += (row[j] - mean) * (row[j] - mean);
    float rstd = 1.0f / sqrtf(squares / (float)features + m->eps);
    for (int j = 0; j < features; j++) {
        xhat[j] = (row[j] - mean) * rstd;
        y[j] = m->gamma[j] * xhat[j] + (m->beta ? m->beta[j] : 0.0f);
    }
    return rstd;
}

/* y, x: rows x features */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    if (rows <= 0 || rows > INT_MAX / m->features)
        return -1;
    float *xhat = malloc((size_t)rows * (size_t)m->features * sizeof(float));
    float *rstd = malloc((size_t)rows * sizeof(float));
    if (!xhat || !rstd) {
        free(xhat);
        free(rstd);
        return -1;
    }
    free(m->xhat);
    free(m->rstd);
    m->xhat = xhat;
    m->rstd = rstd;
    m->rows = rows;
    for (int r = 0; r < rows; r++) {
        size_t at = (size_t)r * (size_t)m->features;
        rstd[r] = normalize(m, y + at, xhat + at, x + at);
    }
    return 0;
}

/* dx, dy: rows x features */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    int features = m->features;
    for (int r = 0; r < m->rows; r++) {
        size_t at = (size_t)r * (size_t)features;
        const float *xhat = m->xhat + at, *dy_row = dy + at;
        float sum_g = 0.0f, sum_g_xhat = 0.0f;
        for (int j = 0; j < features; j++) {
            float g = m->gamma[j] * dy_row[j];
            sum_g += g;
            sum_g_xhat += g * xhat[j];
            m->dgamma[j] += dy_row[j] * xhat[j];
            if (m->dbeta)
                m->dbeta[j] += dy_row[j];
        }
        float mean_g = sum_g / (float)features, mean_g_xhat = sum_g_xhat / (float)features;
        for (int j = 0; j < features; j++) {
            float g = m->gamma[j] * dy_row[j];
            dx[at + (size_t)j] = m->rstd[r] * (g - mean_g - xhat[j] * mean_g_xhat);
        }
    }
}

void layer_norm_zero_grad(struct layer_norm *m)
{
    for (int j = 0; j < m->features; j++) {
        m->dgamma[j] = 0.0f;
        if (m->dbeta)
            m->dbeta[j] = 0.0f;
    }
}

void layer_norm_step(struct layer_norm *m, float rate)
{
    for (int j = 0; j < m->features; j++) {
        m->gamma[j] -= rate * m->dgamma[j];
        if (m->beta)
            m->beta[j] -= rate * m->dbeta[j];
    }
}

void layer_norm_free(struct layer_norm *m)
{
    free(m->gamma);
    free(m->beta);
    free(m->dgamma);
    free(m->dbeta);
    free(m->xhat);
    free(m->rstd);
    *m = (struct layer_norm){0};
}
