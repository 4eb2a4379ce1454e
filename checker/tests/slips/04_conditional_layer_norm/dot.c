/* Everything is a dot product, so I wrote dot() once. */
#include "04_conditional_layer_norm.h"
#include <math.h>
#include <string.h>

static double dot(const float *a, int a_step, const float *b, int b_step, int n) {
    double s = 0;
    while (n-- > 0) {
        s += (double)*a * *b;
        a += a_step;
        b += b_step;
    }
    return s;
}

static double sum(const float *a, int step, int n) {
    const float one = 1;
    return dot(a, step, &one, 0, n);
}

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size) {
    memset(w_gamma, 0, sizeof(float) * features * condition_size);
    memset(w_beta, 0, sizeof(float) * features * condition_size);
    memset(b_beta, 0, sizeof(float) * features);
    while (features--)
        *b_gamma++ = 1;
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size) {
    int c = condition_size;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            *gamma++ = b_gamma[j] + dot(w_gamma + j * c, 1, condition + r * c, 1, c);
            *beta++ = b_beta[j] + dot(w_beta + j * c, 1, condition + r * c, 1, c);
        }
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps) {
    float gamma[features], beta[features];
    for (int r = 0; r < rows; r++) {
        conditional_affine(gamma, beta, condition, w_gamma, b_gamma, w_beta, b_beta, 1, features,
                           condition_size);
        double mean = sum(x, 1, features) / features;
        for (int j = 0; j < features; j++)
            y[j] = x[j] - mean;
        double scale = sqrt(dot(y, 1, y, 1, features) / features + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (y[j] / scale) + beta[j];
        x += features;
        y += features;
        condition += condition_size;
    }
}

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size) {
    int c = condition_size;
    for (int j = 0; j < features; j++) {
        db_gamma[j] = sum(dgamma + j, features, rows);
        db_beta[j] = sum(dbeta + j, features, rows);
        for (int k = 0; k < c; k++) {
            dw_gamma[j * c + k] = dot(dgamma + j, features, condition + k, c, rows);
            dw_beta[j * c + k] = dot(dbeta + j, features, condition + k, c, rows);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < c; k++)
            dcondition[r * c + k] = dot(dgamma + r * features, 1, w_gamma + k, c, features) +
                                    dot(dbeta + r * features, 1, w_beta + k, c, features);
}
