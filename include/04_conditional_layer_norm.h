/* Lesson 04: Conditional Layer Normalization. What exercises/04_conditional_layer_norm.c defines.
 *
 * Each row of x comes with a condition vector, and that row's scale and shift are linear in it:
 *     gamma[r][j] = b_gamma[j] + sum over k of w_gamma[j][k] * condition[r][k]
 *     beta[r][j]  = b_beta[j]  + sum over k of w_beta[j][k]  * condition[r][k]
 * Weights are stored as PyTorch's Linear.weight: one row of condition_size numbers per feature.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. */
#ifndef LESSON_04_CONDITIONAL_LAYER_NORM_H
#define LESSON_04_CONDITIONAL_LAYER_NORM_H

/* The parameters before training: with them, conditional_layer_norm is plain layer norm (gamma 1,
 * beta 0) whatever the condition is. */
void conditional_init(float *w_gamma, /* features x condition_size */
                      float *b_gamma, /* features */
                      float *w_beta,  /* features x condition_size */
                      float *b_beta,  /* features */
                      int features, int condition_size);

/* Every row's own scale and shift, by the two formulas above. */
void conditional_affine(float *gamma,           /* rows x features */
                        float *beta,            /* rows x features */
                        const float *condition, /* rows x condition_size */
                        const float *w_gamma,   /* features x condition_size */
                        const float *b_gamma,   /* features */
                        const float *w_beta,    /* features x condition_size */
                        const float *b_beta,    /* features */
                        int rows, int features, int condition_size);

/* y[r][j] = gamma[r][j] * (x[r][j] - mean_r) / sqrt(variance_r + eps) + beta[r][j] */
void conditional_layer_norm(float *y,               /* rows x features */
                            const float *x,         /* rows x features */
                            const float *condition, /* rows x condition_size */
                            const float *w_gamma,   /* features x condition_size */
                            const float *b_gamma,   /* features */
                            const float *w_beta,    /* features x condition_size */
                            const float *b_beta,    /* features */
                            int rows, int features, int condition_size, float eps);

/* The gradients of conditional_affine, from those of the gamma and beta that it gave each row. */
void conditional_affine_backward(float *dw_gamma,        /* features x condition_size */
                                 float *db_gamma,        /* features */
                                 float *dw_beta,         /* features x condition_size */
                                 float *db_beta,         /* features */
                                 float *dcondition,      /* rows x condition_size */
                                 const float *dgamma,    /* rows x features */
                                 const float *dbeta,     /* rows x features */
                                 const float *condition, /* rows x condition_size */
                                 const float *w_gamma,   /* features x condition_size */
                                 const float *w_beta,    /* features x condition_size */
                                 int rows, int features, int condition_size);

#endif
