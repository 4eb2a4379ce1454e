/* post norm / pre norm, first the sums then the formula, straight from my notes */
#include "11_pre_post_norm.h"
#include <math.h>
#include <stdlib.h>

void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    float *s = malloc(features * sizeof(float)); // s = x + branch
    for (int r = 0; r < rows; r++)
    {
        float sum = 0;
        for (int j = 0; j < features; j++)
        {
            s[j] = x[r * features + j] + branch[r * features + j];
            sum += s[j];
        }
        mean[r] = sum / features;
        float var = 0;
        for (int j = 0; j < features; j++)
        {
            var += (s[j] - mean[r]) * (s[j] - mean[r]);
        }
        rstd[r] = 1.0 / sqrt(var / features + eps);
        for (int j = 0; j < features; j++)
        {
            y[r * features + j] = gamma[j] * (s[j] - mean[r]) * rstd[r] + beta[j];
        }
    }
    free(s);
}

void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++)
    {
        dgamma[j] = 0;
        dbeta[j] = 0;
    }
    for (int r = 0; r < rows; r++)
    {
        float mean_g = 0, mean_gx = 0;
        for (int j = 0; j < features; j++)
        {
            int i = r * features + j;
            float xhat = (x[i] + branch[i] - mean[r]) * rstd[r];
            float g = gamma[j] * dy[i];
            dgamma[j] += dy[i] * xhat;
            dbeta[j] += dy[i];
            mean_g += g / features;
            mean_gx += g * xhat / features;
        }
        for (int j = 0; j < features; j++)
        {
            int i = r * features + j;
            float xhat = (x[i] + branch[i] - mean[r]) * rstd[r];
            float g = gamma[j] * dy[i];
            dx[i] = rstd[r] * (g - mean_g - xhat * mean_gx);
            dbranch[i] = dx[i];
        }
    }
}

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++)
    {
        float sum_gamma = 0, sum_beta = 0;
        for (int r = 0; r < rows; r++)
        {
            int i = r * features + j;
            sum_beta += dinput[i];
            sum_gamma += dinput[i] * (x[i] - mean[r]) * rstd[r];
        }
        dgamma[j] = sum_gamma;
        dbeta[j] = sum_beta;
    }
    for (int r = 0; r < rows; r++)
    {
        float a = 0, b = 0;
        for (int j = 0; j < features; j++)
        {
            int i = r * features + j;
            a += gamma[j] * dinput[i];
            b += gamma[j] * dinput[i] * (x[i] - mean[r]) * rstd[r];
        }
        a /= features;
        b /= features;
        for (int j = 0; j < features; j++)
        {
            int i = r * features + j;
            float through = rstd[r] * (gamma[j] * dinput[i] - a - (x[i] - mean[r]) * rstd[r] * b);
            dx[i] = dy[i] + through;
        }
    }
}

void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = 0; l < layers; l++)
    {
        float sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += gradient[l * count + i] * gradient[l * count + i];
        }
        length[l] = sqrt(sum);
    }
}
