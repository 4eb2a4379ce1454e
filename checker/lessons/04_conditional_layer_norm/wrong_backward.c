/* The mistakes in the gradients of weights and biases that lesson 04 names, as learners write them,
 * and pairs. See wrong.c. */

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

/* ---- mistake: rows_averaged ---- */
void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    for (int j = 0; j < features; j++) {
        float bias_gamma = 0, bias_beta = 0;
        for (int r = 0; r < rows; r++) {
            bias_gamma += dgamma[r * features + j] / rows;
            bias_beta += dbeta[r * features + j] / rows;
        }
        db_gamma[j] = bias_gamma;
        db_beta[j] = bias_beta;
        for (int k = 0; k < condition_size; k++) {
            float gamma = 0, beta = 0;
            for (int r = 0; r < rows; r++) {
                gamma += dgamma[r * features + j] * condition[r * condition_size + k];
                beta += dbeta[r * features + j] * condition[r * condition_size + k];
            }
            dw_gamma[j * condition_size + k] = gamma / rows;
            dw_beta[j * condition_size + k] = beta / rows;
        }
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < condition_size; k++) {
            float sum = 0;
            for (int j = 0; j < features; j++)
                sum += dgamma[r * features + j] * w_gamma[j * condition_size + k] +
                       dbeta[r * features + j] * w_beta[j * condition_size + k];
            dcondition[r * condition_size + k] = sum;
        }
}

/* ---- mistake: gradients_swapped ---- */
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
            float dg = dbeta[r * features + j], db = dgamma[r * features + j];
            db_gamma[j] += dg;
            db_beta[j] += db;
            for (int k = 0; k < condition_size; k++) {
                float c = condition[r * condition_size + k];
                dw_gamma[j * condition_size + k] += dg * c;
                dw_beta[j * condition_size + k] += db * c;
                dcondition[r * condition_size + k] += db * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += dg * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: db_every_k ---- */
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
                db_gamma[j] += dg;
                db_beta[j] += db;
                float c = condition[r * condition_size + k];
                dw_gamma[j * condition_size + k] += dg * c;
                dw_beta[j * condition_size + k] += db * c;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: db_times_condition ---- */
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
                float c = condition[r * condition_size + k];
                db_gamma[j] += dg * c;
                db_beta[j] += db * c;
                dw_gamma[j * condition_size + k] += dg * c;
                dw_beta[j * condition_size + k] += db * c;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: dw_transposed ---- */
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
                dw_gamma[k * features + j] += dg * c;
                dw_beta[k * features + j] += db * c;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: dw_without_condition ---- */
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
                dw_gamma[j * condition_size + k] += dg;
                dw_beta[j * condition_size + k] += db;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: condition_first_row ---- */
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
                float c = condition[k];
                dw_gamma[j * condition_size + k] += dg * c;
                dw_beta[j * condition_size + k] += db * c;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
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

/* ---- mistake: dw_transposed + condition_first_row ---- */
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
                float c = condition[k];
                dw_gamma[k * features + j] += dg * c;
                dw_beta[k * features + j] += db * c;
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}
