/* Lesson 05: Batch Normalization. The reference solution: one column at a time, two passes over it,
 * in float. */
#include "05_batch_norm.h"

#include <math.h>
#include <stddef.h>

/* The mean of one column and its sum of squared distances from that mean. `column` points at the
 * column's first element; the next one is a whole row of `features` elements further on. */
static void column_statistics(const float *column, int batch, int features, float *mean,
                              float *squares)
{
    float sum = 0.0f;
    for (int r = 0; r < batch; r++)
        sum += column[(size_t)r * (size_t)features];
    *mean = sum / (float)batch;
    *squares = 0.0f;
    for (int r = 0; r < batch; r++) {
        float distance = column[(size_t)r * (size_t)features] - *mean;
        *squares += distance * distance;
    }
}

/* y, x: batch x features; running_mean, running_var (read and written), gamma, beta: features */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean, squares;
        column_statistics(x + j, batch, features, &mean, &squares);
        float rstd = 1.0f / sqrtf(squares / (float)batch + eps);
        for (int r = 0; r < batch; r++) {
            size_t i = (size_t)r * (size_t)features + (size_t)j;
            y[i] = gamma[j] * (x[i] - mean) * rstd + beta[j];
        }
        running_mean[j] = (1.0f - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1) {
            float unbiased = squares / (float)(batch - 1);
            running_var[j] = (1.0f - momentum) * running_var[j] + momentum * unbiased;
        }
    }
}

/* y, x: batch x features; running_mean, running_var, gamma, beta: features */
void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++) {
        for (int j = 0; j < features; j++) {
            size_t i = (size_t)r * (size_t)features + (size_t)j;
            float rstd = 1.0f / sqrtf(running_var[j] + eps);
            y[i] = gamma[j] * (x[i] - running_mean[j]) * rstd + beta[j];
        }
    }
}

/* dx, dy, x: batch x features; dgamma, dbeta, gamma: features */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean, squares;
        column_statistics(x + j, batch, features, &mean, &squares);
        float rstd = 1.0f / sqrtf(squares / (float)batch + eps);
        float sum_dy = 0.0f, sum_dy_xhat = 0.0f;
        for (int r = 0; r < batch; r++) {
            size_t i = (size_t)r * (size_t)features + (size_t)j;
            sum_dy += dy[i];
            sum_dy_xhat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_xhat;
        float mean_dy = sum_dy / (float)batch, mean_dy_xhat = sum_dy_xhat / (float)batch;
        for (int r = 0; r < batch; r++) {
            size_t i = (size_t)r * (size_t)features + (size_t)j;
            float xhat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - mean_dy - xhat * mean_dy_xhat);
        }
    }
}
