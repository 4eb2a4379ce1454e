/* Lesson 11: pre-norm and post-norm. What exercises/11_pre_post_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. For any y, dy[i] is how
 * fast the loss grows with y[i], its gradient; dx, dgamma and so on are the same. */
#ifndef LESSON_11_PRE_POST_NORM_H
#define LESSON_11_PRE_POST_NORM_H

/* The end of a post-norm block. `branch` is F(x), which was computed before. With
 * s[r][j] = x[r][j] + branch[r][j], y is the layer norm of s:
 *     mean[r] is the mean of row r of s, rstd[r] = 1 / sqrt(its variance + eps), the biased one
 *     y[r][j] = gamma[j] * (s[r][j] - mean[r]) * rstd[r] + beta[j] */
void post_norm(float *y,            /* rows x features */
               float *mean,         /* rows */
               float *rstd,         /* rows */
               const float *x,      /* rows x features */
               const float *branch, /* rows x features */
               const float *gamma,  /* features */
               const float *beta,   /* features */
               int rows, int features, float eps);

/* Its backward pass. dx is what reaches x along the shortcut; what F hands down to x from
 * dbranch comes later and is no business of this function. mean and rstd are the forward
 * pass's: use them. (A dx in the long form, with a path through the mean and one through rstd, is
 * as right; it differs only where the mean is not the row's own, and no such dx is asked for.) */
void post_norm_backward(float *dx,           /* rows x features */
                        float *dbranch,      /* rows x features */
                        float *dgamma,       /* features */
                        float *dbeta,        /* features */
                        const float *dy,     /* rows x features */
                        const float *x,      /* rows x features */
                        const float *branch, /* rows x features */
                        const float *gamma,  /* features */
                        const float *mean,   /* rows */
                        const float *rstd,   /* rows */
                        int rows, int features);

/* The backward pass of a whole pre-norm block, y = x + F(norm(x)). F is somebody else's: dinput is
 * the gradient that F hands down to its input, norm(x). mean and rstd are those of the rows of x.
 * dx is what reaches x on both ways, and dgamma and dbeta are those of the norm. */
void pre_norm_backward(float *dx,           /* rows x features */
                       float *dgamma,       /* features */
                       float *dbeta,        /* features */
                       const float *dy,     /* rows x features */
                       const float *dinput, /* rows x features */
                       const float *x,      /* rows x features */
                       const float *gamma,  /* features */
                       const float *mean,   /* rows */
                       const float *rstd,   /* rows */
                       int rows, int features);

/* How long the gradient of each layer is: length[l] is the root of the sum of the squares of layer
 * l, the numbers from gradient[l * count] on. */
void gradient_norms(float *length,         /* layers */
                    const float *gradient, /* layers x count */
                    int layers, int count);

#endif
