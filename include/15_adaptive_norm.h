/* Lesson 15: Adaptive Norms. What exercises/15_adaptive_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none.
 *
 * Of each row: m is its mean, s = sqrt(variance + eps) with the biased variance, and
 * xhat[j] = (x[j] - m) / s. eps may be 0 where no row is constant. Nothing is saved between the
 * passes: the backward ones work m and s out again, from x and the same eps. */
#ifndef LESSON_15_ADAPTIVE_NORM_H
#define LESSON_15_ADAPTIVE_NORM_H

/* y[r][j] = scale * (1 - k * xhat[r][j]) * xhat[r][j] */
void ada_norm(float *y,       /* rows x features */
              const float *x, /* rows x features */
              int rows, int features, float scale, float k, float eps);

/* dx from dy, with the factor scale * (1 - k * xhat[r][j]) held constant, as PyTorch does with
 * detach(): each factor has the value that ada_norm gave it, and no gradient goes through it.
 * Through xhat, its mean and its s the gradient goes as in layer norm. */
void ada_norm_backward(float *dx,       /* rows x features */
                       const float *dy, /* rows x features */
                       const float *x,  /* rows x features */
                       int rows, int features, float scale, float k, float eps);

/* Scale and shift follow the row's own m and s:
 *     y[r][j] = (g[j] + u[j] * m + v[j] * s) * xhat[r][j] + b[j] + p[j] * m + q[j] * s
 * `parameters` holds these six, `features` numbers each, in the order g, b, u, v, p, q. */
void adaptive_norm(float *y,                /* rows x features */
                   const float *x,          /* rows x features */
                   const float *parameters, /* 6 x features */
                   int rows, int features, float eps);

/* The gradients, given dy. Nothing is held constant: x acts through xhat, m and s. dparameters is
 * in the order of parameters, each summed over the rows. */
void adaptive_norm_backward(float *dx,               /* rows x features */
                            float *dparameters,      /* 6 x features */
                            const float *dy,         /* rows x features */
                            const float *x,          /* rows x features */
                            const float *parameters, /* 6 x features */
                            int rows, int features, float eps);

#endif
