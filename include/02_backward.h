/* Lesson 02: the backward pass. What exercises/02_backward.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. */
#ifndef LESSON_02_BACKWARD_H
#define LESSON_02_BACKWARD_H

/* Layer norm as in lesson 01, which also saves what the backward pass needs of each row:
 *     mean[r], and rstd[r] = 1 / sqrt(variance_r + eps)
 *     y[r][j] = gamma[j] * (x[r][j] - mean[r]) * rstd[r] + beta[j] */
void layer_norm_forward(float *y,           /* rows x features */
                        float *mean,        /* rows */
                        float *rstd,        /* rows */
                        const float *x,     /* rows x features */
                        const float *gamma, /* features */
                        const float *beta,  /* features */
                        int rows, int features, float eps);

/* dy[r][j] is how fast the loss grows with y[r][j]; dx, dgamma and dbeta are the same for x, gamma
 * and beta. With xhat[r][j] = (x[r][j] - mean[r]) * rstd[r] and g[r][j] = gamma[j] * dy[r][j]:
 *     dbeta[j] and dgamma[j] are sums over the rows, of dy and of dy * xhat
 *     dx[r][j] = rstd[r] * (g[r][j] - mean(g) - xhat[r][j] * mean(g * xhat)), means over the row r
 * mean and rstd are the forward pass's. Use them: there is no eps here to work them out again. (A
 * dx in the long form, with a path through the mean and one through rstd, is as right: it differs
 * only where the mean is not the row's own, and no such dx is asked for.) */
void layer_norm_backward(float *dx,          /* rows x features */
                         float *dgamma,      /* features */
                         float *dbeta,       /* features */
                         const float *dy,    /* rows x features */
                         const float *x,     /* rows x features */
                         const float *gamma, /* features */
                         const float *mean,  /* rows */
                         const float *rstd,  /* rows */
                         int rows, int features);

#endif
