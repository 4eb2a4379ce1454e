/* Lesson 04: Conditional Layer Normalization. The reference solution: plain loops in float, every
 * output set before anything is added to it. */
#include "04_conditional_layer_norm.h"

#include <math.h>
#include <stddef.h>

/* w_gamma, w_beta: features x condition_size; b_gamma, b_beta: features */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (size_t i = 0; i < (size_t)features * (size_t)condition_size; i++)
        w_gamma[i] = w_beta[i] = 0.0f;
    for (int j = 0; j < features; j++) {
        b_gamma[j] = 1.0f;
        b_beta[j] = 0.0f;
    }
}

/* One gamma or beta: the bias of a feature, and its row of weights times a row's condition. */
static float affine(float bias, const float *weights, const float *condition, int condition_size)
{
    float sum = bias;
    for (int k = 0; k < condition_size; k++)
        sum += weights[k] * condition[k];
    return sum;
}

/* gamma, beta: rows x features; condition: rows x condition_size;
 * w_gamma, w_beta: features x condition_size; b_gamma, b_beta: features */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++) {
        const float *own = condition + (size_t)r * (size_t)condition_size;
        for (int j = 0; j < features; j++) {
            size_t i = (size_t)r * (size_t)features + (size_t)j;
            size_t w = (size_t)j * (size_t)condition_size;
            gamma[i] = affine(b_gamma[j], w_gamma + w, own, condition_size);
            beta[i] = affine(b_beta[j], w_beta + w, own, condition_size);
        }
    }
}

/* y, x: rows x features; condition: rows x condition_size;
 * w_gamma, w_beta: features x condition_size; b_gamma, b_beta: features */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        const float *own = condition + (size_t)r * (size_t)condition_size;
        float *out = y + (size_t)r * (size_t)features;

        float mean = 0.0f, variance = 0.0f;
        for (int j = 0; j < features; j++)
            mean += row[j];
        mean /= (float)features;
        for (int j = 0; j < features; j++)
            variance += (row[j] - mean) * (row[j] - mean);
        variance /= (float)features;
        float rstd = 1.0f / sqrtf(variance + eps);

        for (int j = 0; j < features; j++) {
            size_t w = (size_t)j * (size_t)condition_size;
            float gamma = affine(b_gamma[j], w_gamma + w, own, condition_size);
            float beta = affine(b_beta[j], w_beta + w, own, condition_size);
            out[j] = gamma * (row[j] - mean) * rstd + beta;
        }
    }
}

/* dw, db: what one of the two linear maps owes its parameters. Both sum over the rows. */
static void parameter_gradients(float *dw, float *db, const float *dout, const float *condition,
                                int rows, int features, int condition_size)
{
    for (int j = 0; j < features; j++) {
        float *dw_row = dw + (size_t)j * (size_t)condition_size;
        db[j] = 0.0f;
        for (int k = 0; k < condition_size; k++)
            dw_row[k] = 0.0f;
        for (int r = 0; r < rows; r++) {
            const float *own = condition + (size_t)r * (size_t)condition_size;
            float d = dout[(size_t)r * (size_t)features + (size_t)j];
            db[j] += d;
            for (int k = 0; k < condition_size; k++)
                dw_row[k] += d * own[k];
        }
    }
}

/* dw_gamma, dw_beta, w_gamma, w_beta: features x condition_size; db_gamma, db_beta: features;
 * dcondition, condition: rows x condition_size; dgamma, dbeta: rows x features */
void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    parameter_gradients(dw_gamma, db_gamma, dgamma, condition, rows, features, condition_size);
    parameter_gradients(dw_beta, db_beta, dbeta, condition, rows, features, condition_size);

    for (int r = 0; r < rows; r++) {
        const float *dgamma_row = dgamma + (size_t)r * (size_t)features;
        const float *dbeta_row = dbeta + (size_t)r * (size_t)features;
        for (int k = 0; k < condition_size; k++) {
            float sum = 0.0f;
            for (int j = 0; j < features; j++) {
                size_t w = (size_t)j * (size_t)condition_size + (size_t)k;
                sum += dgamma_row[j] * w_gamma[w] + dbeta_row[j] * w_beta[w];
            }
            dcondition[(size_t)r * (size_t)condition_size + (size_t)k] = sum;
        }
    }
}
