/* Only init so far. The others write zeros, so that nothing crashes. */
#include "04_conditional_layer_norm.h"

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int j = 0; j < features; j++)
        b_gamma[j] = b_beta[j] = 0; /* ??? */
    for (int i = 0; i < features; i++)
        w_gamma[i] = w_beta[i] = 1;
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int i = 0; i < rows * features; i++)
        gamma[i] = beta[i] = condition[0];
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int i = 0; i < rows * features; i++)
        y[i] = 0;
}

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
}
