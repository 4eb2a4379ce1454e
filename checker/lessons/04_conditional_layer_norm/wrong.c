/* What lesson 04 names, as learners write it in a way that is not the solution's; see wrong.txt for
 * the others. */

/* ---- mistake: init_memset_one ---- */
#include <string.h>

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    size_t bytes = (size_t)features * condition_size * sizeof *w_gamma;
    memset(w_gamma, 0, bytes);
    memset(w_beta, 0, bytes);
    memset(b_gamma, 1, features * sizeof *b_gamma);
    memset(b_beta, 0, features * sizeof *b_beta);
}

/* ---- mistake: residual_one ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int i = 0; i < rows * features; i++) {
        const float *c = condition + i / features * condition_size;
        int j = i % features;
        gamma[i] = 1.0f + b_gamma[j];
        beta[i] = b_beta[j];
        for (int k = 0; k < condition_size; k++) {
            gamma[i] += c[k] * w_gamma[j * condition_size + k];
            beta[i] += c[k] * w_beta[j * condition_size + k];
        }
    }
}

/* ---- mistake: beta_uses_w_gamma + beta_uses_b_gamma ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float sum = 0;
            for (int k = 0; k < condition_size; k++)
                sum += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            gamma[r * features + j] = sum + b_gamma[j];
            sum = 0; /* pasted, and one name changed */
            for (int k = 0; k < condition_size; k++)
                sum += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            beta[r * features + j] = sum + b_gamma[j];
        }
}

/* ---- mistake: weights_transposed + bias_missing ---- */
#include <string.h>

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    memset(gamma, 0, sizeof(float) * rows * features);
    memset(beta, 0, sizeof(float) * rows * features);
    for (int r = 0; r < rows; r++) /* a matrix product as in the textbook: condition times w */
        for (int k = 0; k < condition_size; k++)
            for (int j = 0; j < features; j++) {
                float c = condition[r * condition_size + k];
                gamma[r * features + j] += c * w_gamma[k * features + j];
                beta[r * features + j] += c * w_beta[k * features + j];
            }
}

/* ---- mistake: statistics_of_all ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    int n = rows * features;
    double mean = 0, var = 0;
    for (int i = 0; i < n; i++)
        mean += x[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        var += (x[i] - mean) * (x[i] - mean);
    double std = sqrt(var / n + eps);
    for (int i = 0; i < n; i++) {
        int r = i / features, j = i % features;
        float g = b_gamma[j], b = b_beta[j];
        for (int k = 0; k < condition_size; k++) {
            g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
        }
        y[i] = g * (x[i] - mean) / std + b;
    }
}

/* ---- mistake: scale_before_norm ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * x[j] + b;
            mean += y[j] / features;
        }
        for (int j = 0; j < features; j++)
            var += (y[j] - mean) * (y[j] - mean) / features;
        for (int j = 0; j < features; j++)
            y[j] = (y[j] - mean) / sqrtf(var + eps);
    }
}

/* ---- mistake: condition_first_row ---- */
#include <stdlib.h>

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float *gamma = malloc(features * sizeof(float)), *beta = malloc(features * sizeof(float));
    conditional_affine(gamma, beta, condition, w_gamma, b_gamma, w_beta, b_beta, 1, features,
                       condition_size);
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / sqrtf(var / features + eps) + beta[j];
    }
    free(gamma);
    free(beta);
}

/* ---- mistake: last_row_only ---- */
void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < condition_size; k++)
            dcondition[r * condition_size + k] = 0;
        for (int j = 0; j < features; j++) {
            float dg = dgamma[r * features + j], db = dbeta[r * features + j];
            db_gamma[j] = dg;
            db_beta[j] = db;
            for (int k = 0; k < condition_size; k++) {
                int w = j * condition_size + k;
                dw_gamma[w] = dg * condition[r * condition_size + k];
                dw_beta[w] = db * condition[r * condition_size + k];
                dcondition[r * condition_size + k] += dg * w_gamma[w] + db * w_beta[w];
            }
        }
    }
}

/* ---- mistake: db_every_k + rows_averaged ---- */
#include <string.h>

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    memset(dw_gamma, 0, sizeof(float) * features * condition_size);
    memset(dw_beta, 0, sizeof(float) * features * condition_size);
    memset(db_gamma, 0, sizeof(float) * features);
    memset(db_beta, 0, sizeof(float) * features);
    memset(dcondition, 0, sizeof(float) * rows * condition_size);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float dg = dgamma[r * features + j], db = dbeta[r * features + j];
            for (int k = 0; k < condition_size; k++) {
                db_gamma[j] += dg / rows;
                db_beta[j] += db / rows;
                float c = condition[r * condition_size + k];
                dw_gamma[j * condition_size + k] += dg * c / rows;
                dw_beta[j * condition_size + k] += db * c / rows;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: weights_transposed + dcondition_gamma_only ---- */
#include <string.h>

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    memset(dw_gamma, 0, sizeof(float) * features * condition_size);
    memset(dw_beta, 0, sizeof(float) * features * condition_size);
    memset(db_gamma, 0, sizeof(float) * features);
    memset(db_beta, 0, sizeof(float) * features);
    memset(dcondition, 0, sizeof(float) * rows * condition_size);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float dg = dgamma[r * features + j], db = dbeta[r * features + j];
            db_gamma[j] += dg;
            db_beta[j] += db;
            for (int k = 0; k < condition_size; k++) {
                float c = condition[r * condition_size + k];
                dw_gamma[j * condition_size + k] += dg * c;
                dw_beta[j * condition_size + k] += db * c;
                dcondition[r * condition_size + k] += dg * w_gamma[k * features + j];
            }
        }
}
