/* Lesson 09: Group Normalization. The reference solution, in float. In memory the groups of all
 * images follow one another: group k is the `count` numbers from k * count on. */
#include "09_group_norm.h"

#include <math.h>
#include <stddef.h>

/* y, x: batch x channels x pixels; mean, rstd: batch x groups; gamma, beta: channels */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int of_group = channels / groups; /* channels */
    size_t count = (size_t)of_group * (size_t)pixels;
    for (int k = 0; k < batch * groups; k++, x += count, y += count) {
        float sum = 0.0f, squares = 0.0f;
        for (size_t i = 0; i < count; i++)
            sum += x[i];
        mean[k] = sum / (float)count;
        for (size_t i = 0; i < count; i++)
            squares += (x[i] - mean[k]) * (x[i] - mean[k]);
        rstd[k] = 1.0f / sqrtf(squares / (float)count + eps);

        int first = k % groups * of_group; /* this group's first channel */
        for (int c = 0; c < of_group; c++) {
            for (int p = 0; p < pixels; p++) {
                size_t i = (size_t)c * (size_t)pixels + (size_t)p;
                y[i] = gamma[first + c] * (x[i] - mean[k]) * rstd[k] + beta[first + c];
            }
        }
    }
}

/* dx, dy, x: batch x channels x pixels; dgamma, dbeta, gamma: channels; mean, rstd: batch x groups
 */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int of_group = channels / groups;
    size_t count = (size_t)of_group * (size_t)pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0.0f;
    for (int k = 0; k < batch * groups; k++, x += count, dy += count, dx += count) {
        int first = k % groups * of_group;
        float sum_g = 0.0f, sum_g_xhat = 0.0f;
        for (int c = 0; c < of_group; c++) {
            float sum_dy = 0.0f, sum_dy_xhat = 0.0f; /* of this channel of this image */
            for (int p = 0; p < pixels; p++) {
                size_t i = (size_t)c * (size_t)pixels + (size_t)p;
                sum_dy += dy[i];
                sum_dy_xhat += dy[i] * (x[i] - mean[k]) * rstd[k];
            }
            dbeta[first + c] += sum_dy;
            dgamma[first + c] += sum_dy_xhat;
            sum_g += gamma[first + c] * sum_dy;
            sum_g_xhat += gamma[first + c] * sum_dy_xhat;
        }

        float mean_g = sum_g / (float)count, mean_g_xhat = sum_g_xhat / (float)count;
        for (int c = 0; c < of_group; c++) {
            for (int p = 0; p < pixels; p++) {
                size_t i = (size_t)c * (size_t)pixels + (size_t)p;
                float xhat = (x[i] - mean[k]) * rstd[k], g = gamma[first + c] * dy[i];
                dx[i] = rstd[k] * (g - mean_g - xhat * mean_g_xhat);
            }
        }
    }
}
