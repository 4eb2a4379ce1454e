/* The mistakes in dcondition that lesson 04 names, as learners write them, and a pair. See wrong.c.
 */

/* ---- mistake: dcondition_gamma_only ---- */
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
                dcondition[r * condition_size + k] += dg * w_gamma[j * condition_size + k];
            }
        }
}

/* ---- mistake: dcondition_beta_only ---- */
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
                dcondition[r * condition_size + k] += db * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: dcondition_weights_swapped ---- */
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
                dcondition[r * condition_size + k] += dg * w_beta[j * condition_size + k];
                dcondition[r * condition_size + k] += db * w_gamma[j * condition_size + k];
            }
        }
}

/* ---- mistake: weights_transposed ---- */
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
                dcondition[r * condition_size + k] += db * w_beta[k * features + j];
            }
        }
}

/* ---- mistake: dcondition_last_feature ---- */
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
                dcondition[r * condition_size + k] = dg * w_gamma[j * condition_size + k];
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
