/* Mistakes in lesson 11 as learners make them: the two backward passes. Each section takes
 * the place of the function of the same name in the solution. "nothing": a slip that fails, and
 * that is not one of the mistakes that have a name. */

/* ---- mistake: branch_forgotten ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dbranch[i] = dx[i];
}

/* ---- mistake: shortcut_around ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] + branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++) {
        dbranch[i] = dx[i];
        dx[i] += dy[i];
    }
}

/* ---- mistake: slope_halved ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] + branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dbranch[i] = dx[i] /= 2;
}

/* ---- mistake: statistics_constant ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] + branch[i] - mean[r]) * rstd[r];
            dx[i] = dbranch[i] = rstd[r] * gamma[j] * dy[i];
        }
    }
}

/* ---- mistake: shortcut_around + slope_halved ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] + branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++) {
        dbranch[i] = dx[i] / 2;
        dx[i] = dbranch[i] + dy[i];
    }
}

/* ---- mistake: statistics_constant + slope_halved ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] + branch[i] - mean[r]) * rstd[r];
            dx[i] = dbranch[i] = 0.5f * rstd[r] * gamma[j] * dy[i];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] + branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dbranch[i] = dy[i];
}

/* ---- mistake: nothing ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dbranch[i] = dx[i];
}

/* ---- mistake: nothing ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dbranch[i] = dx[i];
}

/* ---- mistake: nothing ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] + branch[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dy + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dbranch[i] = x[i] * dx[i];
}

/* ---- mistake: nothing ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += gamma[j] * dy[i];
            dgamma[j] += gamma[j] * dy[i] * (x[i] + branch[i] - mean[r]) * rstd[r];
            dx[i] = dbranch[i] = rstd[r] * gamma[j] * dy[i];
        }
    }
}

/* ---- mistake: nothing ---- */
void post_norm_backward(float *dx, float *dbranch, float *dgamma, float *dbeta, const float *dy,
                        const float *x, const float *branch, const float *gamma, const float *mean,
                        const float *rstd, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] + branch[i] - mean[r]) * rstd[r];
            dx[i] = dbranch[i] = gamma[j] * dy[i] / rstd[r];
        }
    }
}

/* ---- mistake: shortcut_forgotten ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dinput + r * n, gamma, rstd[r], n);
}

/* ---- mistake: shortcut_through ---- */
#include <stdlib.h>

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    float *slope = malloc(rows * n * sizeof *slope);
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++) {
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
        slope[i] = dinput[i] + dy[i];
    }
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, slope + r * n, gamma, rstd[r], n);
    free(slope);
}

/* ---- mistake: dy_for_dinput ---- */
#include <stdlib.h>

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    float *slope = malloc(rows * n * sizeof *slope);
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++) {
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
        slope[i] = dy[i];
    }
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, slope + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dx[i] += dy[i];
    free(slope);
}

/* ---- mistake: statistics_constant ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += dinput[i];
            dgamma[j] += dinput[i] * (x[i] - mean[r]) * rstd[r];
            dx[i] = dy[i] + rstd[r] * gamma[j] * dinput[i];
        }
    }
}

/* ---- mistake: shortcut_forgotten + statistics_constant ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            dbeta[j] += dinput[i];
            dgamma[j] += dinput[i] * (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * gamma[j] * dinput[i];
        }
    }
}

/* ---- mistake: nothing ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dinput + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dx[i] += dinput[i];
}

/* ---- mistake: nothing ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dinput + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dx[i] = dy[i] - dx[i];
}

/* ---- mistake: nothing ---- */
#include <stdlib.h>

void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    float *slope = malloc(rows * n * sizeof *slope);
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++) {
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
        slope[i] = dinput[i] * dy[i];
    }
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, slope + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dx[i] += dy[i];
    free(slope);
}

/* ---- mistake: nothing ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dinput + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dx[i] += 2 * dy[i];
}

/* ---- mistake: nothing ---- */
void pre_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *dinput,
                       const float *x, const float *gamma, const float *mean, const float *rstd,
                       int rows, int features)
{
    int n = features;
    for (int j = 0; j < n; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int i = 0; i < rows * n; i++)
        dx[i] = (x[i] - mean[i / n]) * rstd[i / n];
    for (int r = 0; r < rows; r++)
        norm_backward(dx + r * n, dgamma, dbeta, dinput + r * n, gamma, rstd[r], n);
    for (int i = 0; i < rows * n; i++)
        dx[i] += gamma[i % n] * dy[i];
}
