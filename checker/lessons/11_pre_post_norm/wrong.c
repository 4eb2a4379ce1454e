/* Mistakes in lesson 11 as learners write them. Each section takes the place of the functions of
 * the same name in the solution. More of them, as changes of the solution, in wrong.txt. */

/* ---- mistake: branch_alone ---- */
void post_norm(float *y, float *mean, float *rstd, const float *x, const float *branch,
               const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *b = branch + r * features;
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += b[j] / features;
        for (int j = 0; j < features; j++)
            v += (b[j] - m) * (b[j] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = x[i] + (gamma[j] * ((b[j] - m) / sqrtf(v + eps)) + beta[j]);
        }
    }
}

/* ---- mistake: shortcut_through ---- */
#include <stdlib.h>

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    float *both = malloc(sizeof(float) * rows * features);
    for (int i = 0; i < rows * features; i++)
        both[i] = dy[i] + dinput[i];
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float a = 0, b = 0;
        for (int i = r * features; i < (r + 1) * features; i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[i % features] * both[i];
            dgamma[i % features] += both[i] * xhat;
            dbeta[i % features] += both[i];
            a += g / features;
            b += g * xhat / features;
        }
        for (int i = r * features; i < (r + 1) * features; i++)
            dx[i] = rstd[r] * (gamma[i % features] * both[i] - a - (x[i] - mean[r]) * rstd[r] * b);
    }
    free(both);
}

/* ---- mistake: layers_run_on ---- */
void gradient_norms(float *norm, const float *gradient, int layers, int count)
{
    float sum = 0;
    for (int l = 0; l < layers; l++) {
        for (int i = 0; i < count; i++)
            sum += powf(gradient[l * count + i], 2);
        norm[l] = sqrtf(sum);
    }
}
