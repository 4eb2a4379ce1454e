/* columns with strides, the statistics in a small struct */
#include "05_batch_norm.h"
#include <math.h>

typedef struct { double mean, var; } Stats;

#define AT(a, b, f) ((a)[(b) * features + (f)])

static Stats stats_of(const float *col, int n, int stride)
{
    Stats s = {0, 0};
    int i = n;
    while (i > 0) {
        i -= 1;
        s.mean += col[i * stride];
    }
    s.mean /= n;
    for (i = 0; i != n; ++i)
        s.var += (col[i * stride] - s.mean) * (col[i * stride] - s.mean);
    s.var /= n;
    return s;
}

static void move(float *old, double towards, double momentum)
{
    *old += momentum * (towards - *old);
}

void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int f = 0; f < features; ++f) {
        Stats s = stats_of(x + f, batch, features);
        double scale = gamma[f] / sqrt(s.var + eps);
        double shift = beta[f] - scale * s.mean;
        for (int b = 0; b < batch; ++b)
            AT(y, b, f) = scale * AT(x, b, f) + shift;
        move(&running_mean[f], s.mean, momentum);
        if (batch != 1)
            move(&running_var[f], s.var * batch / (batch - 1), momentum);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int f = 0; f < features; ++f) {
        double scale = gamma[f] / sqrt((double)running_var[f] + eps);
        double shift = beta[f] - scale * running_mean[f];
        for (int b = 0; b < batch; ++b)
            AT(y, b, f) = scale * AT(x, b, f) + shift;
    }
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int f = 0; f < features; ++f) {
        Stats s = stats_of(x + f, batch, features);
        double rstd = 1 / sqrt(s.var + eps), sum = 0, dot = 0;
        for (int b = 0; b < batch; ++b) {
            sum += AT(dy, b, f);
            dot += AT(dy, b, f) * (AT(x, b, f) - s.mean);
        }
        for (int b = 0; b < batch; ++b)
            AT(dx, b, f) = gamma[f] * rstd *
                           (AT(dy, b, f) - sum / batch -
                            (AT(x, b, f) - s.mean) * rstd * rstd * dot / batch);
        dgamma[f] = dot * rstd;
        dbeta[f] = sum;
    }
}
