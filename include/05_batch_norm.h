/* Lesson 05: Batch Normalization. What exercises/05_batch_norm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. The two arrays that are
 * "read and written" hold the running statistics so far; move them, don't start anew.
 *
 * In all three functions mean_j is the average of column j of x over the batch, and variance_j its
 * biased variance, which divides by batch. */
#ifndef LESSON_05_BATCH_NORM_H
#define LESSON_05_BATCH_NORM_H

/* y[r][j] = gamma[j] * (x[r][j] - mean_j) / sqrt(variance_j + eps) + beta[j]
 * running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean_j
 * running_var[j] likewise, towards the unbiased variance, which divides by batch - 1. With a batch
 * of one there is no such thing: running_var then stays as it was. */
void batch_norm_train(float *y,            /* batch x features */
                      float *running_mean, /* features, read and written */
                      float *running_var,  /* features, read and written */
                      const float *x,      /* batch x features */
                      const float *gamma,  /* features */
                      const float *beta,   /* features */
                      int batch, int features, float momentum, float eps);

/* y[r][j] = gamma[j] * (x[r][j] - running_mean[j]) / sqrt(running_var[j] + eps) + beta[j] */
void batch_norm_eval(float *y,                  /* batch x features */
                     const float *running_mean, /* features */
                     const float *running_var,  /* features */
                     const float *x,            /* batch x features */
                     const float *gamma,        /* features */
                     const float *beta,         /* features */
                     int batch, int features, float eps);

/* The gradients of batch_norm_train's y. dgamma and dbeta are summed over the batch. */
void batch_norm_backward(float *dx,          /* batch x features */
                         float *dgamma,      /* features */
                         float *dbeta,       /* features */
                         const float *dy,    /* batch x features */
                         const float *x,     /* batch x features */
                         const float *gamma, /* features */
                         int batch, int features, float eps);

#endif
