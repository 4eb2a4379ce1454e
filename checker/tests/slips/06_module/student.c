/* Layer norm as an "object" in C */
#include "06_module.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias) {
    long long count = 1;
    memset(m, 0, sizeof(struct layer_norm));
    if (dims <= 0)
        return -1;
    for (int i = 0; i < dims; i++) {
        if (shape[i] <= 0)
            return -1;
        count *= shape[i];
        if (count > INT_MAX)
            return -1;
    }
    m->features = (int)count;
    m->eps = eps;
    m->gamma = malloc(count * sizeof(float));
    m->dgamma = malloc(count * sizeof(float));
    if (bias) {
        m->beta = malloc(count * sizeof(float));
        m->dbeta = malloc(count * sizeof(float));
    }
    if (m->gamma == NULL || m->dgamma == NULL || (bias && (m->beta == NULL || m->dbeta == NULL))) {
        layer_norm_free(m);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        m->gamma[i] = 1;
        if (bias)
            m->beta[i] = 0;
    }
    layer_norm_zero_grad(m);
    return 0;
}

int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows) {
    int n = m->features;
    if (rows <= 0 || (long long)rows * n > INT_MAX)
        return -1;
    float *xhat = malloc(sizeof(float) * rows * n);
    float *rstd = malloc(sizeof(float) * rows);
    if (xhat == NULL || rstd == NULL) {
        free(xhat);
        free(rstd);
        return -1;
    }
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int i = 0; i < n; i++)
            mean += x[r * n + i];
        mean /= n;
        for (int i = 0; i < n; i++)
            var += (x[r * n + i] - mean) * (x[r * n + i] - mean);
        var /= n;
        rstd[r] = 1 / sqrtf(var + m->eps);
        for (int i = 0; i < n; i++) {
            xhat[r * n + i] = (x[r * n + i] - mean) * rstd[r];
            y[r * n + i] = m->gamma[i] * xhat[r * n + i];
            if (m->beta)
                y[r * n + i] += m->beta[i];
        }
    }
    free(m->xhat);
    free(m->rstd);
    m->xhat = xhat;
    m->rstd = rstd;
    m->rows = rows;
    return 0;
}

void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy) {
    int n = m->features;
    for (int r = 0; r < m->rows; r++) {
        float mean_g = 0, mean_gx = 0;
        for (int i = 0; i < n; i++) {
            float d = dy[r * n + i], h = m->xhat[r * n + i];
            m->dgamma[i] += d * h;
            if (m->dbeta)
                m->dbeta[i] += d;
            mean_g += d * m->gamma[i] / n;
            mean_gx += d * m->gamma[i] * h / n;
        }
        for (int i = 0; i < n; i++)
            dx[r * n + i] = m->rstd[r] * (dy[r * n + i] * m->gamma[i] - mean_g -
                                          m->xhat[r * n + i] * mean_gx);
    }
}

void layer_norm_zero_grad(struct layer_norm *m) {
    memset(m->dgamma, 0, sizeof(float) * m->features);
    if (m->dbeta)
        memset(m->dbeta, 0, sizeof(float) * m->features);
}

void layer_norm_step(struct layer_norm *m, float rate) {
    for (int i = 0; i < m->features; i++) {
        m->gamma[i] = m->gamma[i] - rate * m->dgamma[i];
        if (m->beta)
            m->beta[i] = m->beta[i] - rate * m->dbeta[i];
    }
}

void layer_norm_free(struct layer_norm *m) {
    free(m->gamma);
    free(m->beta);
    free(m->dgamma);
    free(m->dbeta);
    free(m->xhat);
    free(m->rstd);
    memset(m, 0, sizeof(struct layer_norm));
}
