/* Mistakes of lesson 16 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: zeros_visited ---- */
#include <stdlib.h>

/* The row written out, and then a linear layer as everybody knows it. */
void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    float *x = malloc(features * sizeof *x);
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++)
            x[j] = base[r];
        for (int i = start[r]; i < start[r + 1]; i++)
            x[column[i]] += delta[i];
        for (int o = 0; o < outputs; o++) {
            y[r * outputs + o] = wb[o];
            for (int j = 0; j < features; j++)
                y[r * outputs + o] += w[o * features + j] * gamma[j] * x[j];
        }
    }
    free(x);
}

/* ---- mistake: nothing ---- */
#include <stdlib.h>

/* It goes through all the zeros, and adds nothing for them: only the clock sees it. */
void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    float *x = calloc(features, sizeof *x);
    for (int r = 0; r < rows; r++) {
        for (int i = start[r]; i < start[r + 1]; i++)
            x[column[i]] = delta[i];
        for (int o = 0; o < outputs; o++) {
            y[r * outputs + o] = wb[o] + base[r] * wg[o];
            for (int j = 0; j < features; j++)
                if (x[j] != 0)
                    y[r * outputs + o] += w[o * features + j] * gamma[j] * x[j];
        }
        for (int i = start[r]; i < start[r + 1]; i++)
            x[column[i]] = 0;
    }
    free(x);
}

/* ---- mistake: nothing ---- */
/* So does this one, for the zeros' part of the variance. */
void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            m += (double)value[i] / features;
        for (int j = 0; j < features; j++) {
            double x = start[r] + j < start[r + 1] ? value[start[r] + j] : 0;
            v += (x - m) * (x - m) / features;
        }
        mean[r] = m;
        rstd[r] = 1 / sqrt(v + eps);
    }
}

/* ---- mistake: nothing ---- */
#include <stdlib.h>

/* And here the rows are written out, which takes more memory than there is. */
void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        float *x = calloc(features, sizeof *x);
        double m = 0, v = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            x[i - start[r]] = value[i];
        for (int j = 0; j < features; j++)
            m += (double)x[j] / features;
        for (int j = 0; j < features; j++)
            v += (x[j] - m) * (x[j] - m) / features;
        base[r] = -m / sqrt(v + eps);
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = value[i] / sqrt(v + eps);
        free(x);
    }
}
