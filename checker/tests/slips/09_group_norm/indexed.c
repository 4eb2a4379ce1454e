/* group norm with one index function */
#include "09_group_norm.h"

#include <math.h>

static int idx(int b, int c, int p, int channels, int pixels)
{
    return b * channels * pixels + c * pixels + p;
}

void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per_group = channels / groups;
    int count = per_group * pixels;

    for (int b = 0; b < batch; b++) {
        for (int g = 0; g < groups; g++) {
            int from = g * per_group;
            int to = from + per_group;

            float sum = 0.0f;
            for (int c = from; c < to; c++)
                for (int p = 0; p < pixels; p++)
                    sum += x[idx(b, c, p, channels, pixels)];
            float m = sum / count;

            float sum_sq = 0.0f;
            for (int c = from; c < to; c++)
                for (int p = 0; p < pixels; p++) {
                    float diff = x[idx(b, c, p, channels, pixels)] - m;
                    sum_sq += diff * diff;
                }
            float r = 1.0f / sqrtf(sum_sq / count + eps);

            mean[b * groups + g] = m;
            rstd[b * groups + g] = r;

            for (int c = from; c < to; c++)
                for (int p = 0; p < pixels; p++) {
                    int i = idx(b, c, p, channels, pixels);
                    y[i] = gamma[c] * (x[i] - m) * r + beta[c];
                }
        }
    }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int per_group = channels / groups;
    int count = per_group * pixels;

    for (int c = 0; c < channels; c++) {
        float sum_dy = 0.0f, sum_dy_xhat = 0.0f;
        int g = c / per_group;
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++) {
                int i = idx(b, c, p, channels, pixels);
                float xhat = (x[i] - mean[b * groups + g]) * rstd[b * groups + g];
                sum_dy += dy[i];
                sum_dy_xhat += dy[i] * xhat;
            }
        dbeta[c] = sum_dy;
        dgamma[c] = sum_dy_xhat;
    }

    for (int b = 0; b < batch; b++)
        for (int g = 0; g < groups; g++) {
            float m = mean[b * groups + g], r = rstd[b * groups + g];
            float mean_g = 0.0f, mean_g_xhat = 0.0f;
            for (int c = g * per_group; c < (g + 1) * per_group; c++)
                for (int p = 0; p < pixels; p++) {
                    int i = idx(b, c, p, channels, pixels);
                    mean_g += gamma[c] * dy[i];
                    mean_g_xhat += gamma[c] * dy[i] * (x[i] - m) * r;
                }
            mean_g /= count;
            mean_g_xhat /= count;
            for (int c = g * per_group; c < (g + 1) * per_group; c++)
                for (int p = 0; p < pixels; p++) {
                    int i = idx(b, c, p, channels, pixels);
                    dx[i] = r * (gamma[c] * dy[i] - mean_g - (x[i] - m) * r * mean_g_xhat);
                }
        }
}
