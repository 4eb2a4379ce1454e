/* Batch norm. My plan: 1. the mean of the column, 2. the variance, 3. normalize, 4. running stats */
#include <math.h>
#include "05_batch_norm.h"

void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    int f, b;
    for (f = 0; f < features; f++)
    {
        // 1. the mean of the column
        float mean = 0.0;
        for (b = 0; b < batch; b++)
        {
            mean = mean + x[b * features + f];
        }
        mean = mean / batch;

        // 2. the variance
        float variance = 0.0;
        for (b = 0; b < batch; b++)
        {
            float diff = x[b * features + f] - mean;
            variance = variance + diff * diff;
        }
        float sum_of_squares = variance;
        variance = variance / batch;

        // 3. normalize
        for (b = 0; b < batch; b++)
        {
            float xhat = (x[b * features + f] - mean) / sqrtf(variance + eps);
            y[b * features + f] = gamma[f] * xhat + beta[f];
        }

        // 4. running stats
        running_mean[f] = (1 - momentum) * running_mean[f] + momentum * mean;
        if (batch > 1)
        {
            float unbiased = sum_of_squares / (batch - 1);
            running_var[f] = (1 - momentum) * running_var[f] + momentum * unbiased;
        }
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    int f, b;
    for (b = 0; b < batch; b++)
    {
        for (f = 0; f < features; f++)
        {
            float xhat = (x[b * features + f] - running_mean[f]) / sqrtf(running_var[f] + eps);
            y[b * features + f] = gamma[f] * xhat + beta[f];
        }
    }
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    int f, b;
    for (f = 0; f < features; f++)
    {
        // everything from the forward pass once more
        float mean = 0.0;
        for (b = 0; b < batch; b++)
            mean = mean + x[b * features + f] / batch;
        float variance = 0.0;
        for (b = 0; b < batch; b++)
            variance = variance + (x[b * features + f] - mean) * (x[b * features + f] - mean) / batch;
        float std = sqrtf(variance + eps);

        dgamma[f] = 0;
        dbeta[f] = 0;
        for (b = 0; b < batch; b++)
        {
            float xhat = (x[b * features + f] - mean) / std;
            dgamma[f] = dgamma[f] + dy[b * features + f] * xhat;
            dbeta[f] = dbeta[f] + dy[b * features + f];
        }
        for (b = 0; b < batch; b++)
        {
            float xhat = (x[b * features + f] - mean) / std;
            float inner = batch * dy[b * features + f] - dbeta[f] - xhat * dgamma[f];
            dx[b * features + f] = gamma[f] * inner / (batch * std);
        }
    }
}
