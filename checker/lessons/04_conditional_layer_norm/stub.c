/* Lesson 04: Conditional Layer Normalization. Read the lesson of that name, under
 * lessons/, then fill in the four functions and save. `make check` tells you how far
 * you are; `make hint` helps. */
#include "04_conditional_layer_norm.h"

#include <math.h>
#include <stddef.h>

/* w_gamma, w_beta: features x condition_size; b_gamma, b_beta: features */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    /* Your code here: the values with which every row gets gamma 1 and beta 0. */
}

/* gamma, beta: rows x features; condition: rows x condition_size;
 * w_gamma, w_beta: features x condition_size; b_gamma, b_beta: features */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    /* Your code here: one gamma and one beta for every row and feature. */
}

/* y, x: rows x features; condition: rows x condition_size;
 * w_gamma, w_beta: features x condition_size; b_gamma, b_beta: features */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    /* Your code here: normalize each row, then give it its own scale and shift. */
}

/* dw_gamma, dw_beta, w_gamma, w_beta: features x condition_size; db_gamma, db_beta: features;
 * dcondition, condition: rows x condition_size; dgamma, dbeta: rows x features */
void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    /* Your code here: the biases' gradients first, then the weights', then dcondition. */
}
