/* conditional layer norm; four loops, no helpers, all the indices written out */
#include "04_conditional_layer_norm.h"
#include <math.h>
#include <stdlib.h>

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int j = 0; j < features; j++) {
        b_gamma[j] = 1;
        b_beta[j] = 0;
        for (int k = 0; k < condition_size; k++) {
            w_gamma[j * condition_size + k] = 0;
            w_beta[j * condition_size + k] = 0;
        }
    }
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j];
            float b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            gamma[r * features + j] = g;
            beta[r * features + j] = b;
        }
    }
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float *gamma = malloc(sizeof(float) * rows * features);
    float *beta = malloc(sizeof(float) * rows * features);
    conditional_affine(gamma, beta, condition, w_gamma, b_gamma, w_beta, b_beta, rows, features,
                       condition_size);
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[r * features + j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += pow(x[r * features + j] - mean, 2);
        var /= features;
        for (int j = 0; j < features; j++) {
            float normalized = (x[r * features + j] - mean) / sqrt(var + eps);
            y[r * features + j] = gamma[r * features + j] * normalized + beta[r * features + j];
        }
    }
    free(gamma);
    free(beta);
}

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    for (int j = 0; j < features; j++) {
        db_gamma[j] = 0;
        db_beta[j] = 0;
        for (int k = 0; k < condition_size; k++) {
            dw_gamma[j * condition_size + k] = 0;
            dw_beta[j * condition_size + k] = 0;
        }
    }
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < condition_size; k++)
            dcondition[r * condition_size + k] = 0;
        for (int j = 0; j < features; j++) {
            float dg = dgamma[r * features + j];
            float db = dbeta[r * features + j];
            db_gamma[j] += dg;
            db_beta[j] += db;
            for (int k = 0; k < condition_size; k++) {
                dw_gamma[j * condition_size + k] += dg * condition[r * condition_size + k];
                dw_beta[j * condition_size + k] += db * condition[r * condition_size + k];
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
    }
}
