/* Lesson 11: pre-norm and post-norm. The reference solution, in float: the backward pass of a layer
 * norm, written once for one row, and what each of the two blocks makes of it. */
#include "11_pre_post_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x, branch: rows x features; mean, rstd: rows; gamma, beta: features */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        size_t row = (size_t)r * (size_t)features;
        float sum = 0.0f, squares = 0.0f;
        for (int j = 0; j < features; j++)
            sum += x[row + j] + branch[row + j];
        mean[r] = sum / (float)features;
        for (int j = 0; j < features; j++) {
            float distance = x[row + j] + branch[row + j] - mean[r];
            squares += distance * distance;
        }
        rstd[r] = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++)
            y[row + j] = gamma[j] * (x[row + j] + branch[row + j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* Layer norm's backward pass for one row: row[j] is the normalized number j, and becomes the slope
 * of what was normalized. Adds to dgamma and dbeta. slope: that of the norm's output. All: features
 */
static void norm_backward(float *row, float *dgamma, float *dbeta, const float *slope,
                          const float *gamma, float rstd, int features)
{
    float sum_g = 0.0f, sum_g_xhat = 0.0f;
    for (int j = 0; j < features; j++) {
        float g = gamma[j] * slope[j];
        dbeta[j] += slope[j];
        dgamma[j] += slope[j] * row[j];
        sum_g += g;
        sum_g_xhat += g * row[j];
    }
    float mean_g = sum_g / (float)features, mean_g_xhat = sum_g_xhat / (float)features;
    for (int j = 0; j < features; j++)
        row[j] = rstd * (gamma[j] * slope[j] - mean_g - row[j] * mean_g_xhat);
}

/* dx, dbranch, dy, x, branch: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        size_t row = (size_t)r * (size_t)features;
        for (int j = 0; j < features; j++)
            dx[row + j] = (x[row + j] + branch[row + j] - mean[r]) * rstd[r];
        norm_backward(dx + row, dgamma, dbeta, dy + row, gamma, rstd[r], features);
        for (int j = 0; j < features; j++)
            dbranch[row + j] = dx[row + j];
    }
}

/* dx, dy, dinput, x: rows x features; dgamma, dbeta, gamma: features; mean, rstd: rows */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        size_t row = (size_t)r * (size_t)features;
        for (int j = 0; j < features; j++)
            dx[row + j] = (x[row + j] - mean[r]) * rstd[r];
        norm_backward(dx + row, dgamma, dbeta, dinput + row, gamma, rstd[r], features);
        for (int j = 0; j < features; j++)
            dx[row + j] += dy[row + j];
    }
}

/* length: layers; gradient: layers x count */
void gradient_norms(float *length, const float *gradient, int layers, int count)
{
    for (int l = 0; l < layers; l++) {
        const float *layer = gradient + (size_t)l * (size_t)count;
        float squares = 0.0f;
        for (int i = 0; i < count; i++)
            squares += layer[i] * layer[i];
        length[l] = sqrtf(squares);
    }
}
