/* Lesson 06: the module. What exercises/06_module.c defines.
 *
 * A struct layer_norm is one layer: its parameters, their gradients, and what its last forward pass
 * left for the backward pass. The arrays in it belong to it: the functions below allocate and free
 * them, and a caller may read and write what is in them.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. `features` is
 * always the struct's. What an output array holds before the call is garbage. */
#ifndef LESSON_06_MODULE_H
#define LESSON_06_MODULE_H

struct layer_norm {
    int features;  /* how many numbers are normalized together: the product of the shape */
    float eps;     /* added to the variance, under the root */
    float *gamma;  /* features */
    float *beta;   /* features; NULL without a bias */
    float *dgamma; /* features: the gradient of gamma */
    float *dbeta;  /* features: the gradient of beta; NULL without a bias */
    int rows;      /* of the last forward; 0: there was none */
    float *xhat;   /* rows x features, saved: the rows normalized, before gamma and beta */
    float *rstd;   /* rows, saved: 1 / sqrt(variance + eps) */
};

/* Makes *m a new layer, whatever *m held before: gamma 1, beta 0, the gradients 0, nothing saved
 * (rows 0, xhat and rstd NULL). `bias` 0: there is no beta. Returns 0.
 * Returns -1 when dims or a number in shape is not positive, when the product of the shape does not
 * fit an int, or when memory is out. *m is all zeros then, no memory is kept, and only init and
 * free are called on it. */
int layer_norm_init(struct layer_norm *m, const int *shape, /* dims */
                    int dims, float eps, int bias);

/* y[r][j] = gamma[j] * xhat[r][j] + beta[j], and xhat and rstd are saved. Every call may bring
 * another number of rows. x may change or go away afterwards. The gradients are left alone.
 * Returns 0, or -1 when rows is not positive, when rows * features does not fit an int, or when
 * memory is out. y and what was saved are as before then. */
int layer_norm_forward(struct layer_norm *m, float *y, /* rows x features */
                       const float *x,                 /* rows x features */
                       int rows);

/* For the last forward: dx, and the gradients of the parameters, which are *added* to dgamma and
 * dbeta. dy[r][j] is how fast the loss grows with y[r][j]. */
void layer_norm_backward(struct layer_norm *m, float *dx, /* rows x features */
                         const float *dy);                /* rows x features */

/* Sets dgamma and dbeta to 0. */
void layer_norm_zero_grad(struct layer_norm *m);

/* gamma -= rate * dgamma, beta -= rate * dbeta. The gradients stay as they are. */
void layer_norm_step(struct layer_norm *m, float rate);

/* Gives all memory back and leaves *m all zeros. On a struct of zeros it does nothing. */
void layer_norm_free(struct layer_norm *m);

#endif
