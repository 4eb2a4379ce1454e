/* More honest ways to write lesson 05's functions, some of them for speed: see right.c. */

/* ---- style: loops reversed ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = features - 1; j >= 0; j--) {
        float mean = 0, var = 0;
        for (int r = batch - 1; r >= 0; r--)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = batch - 1; r >= 0; r--)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        if (batch > 1)
            running_var[j] = momentum * var / (batch - 1) + (1 - momentum) * running_var[j];
        running_mean[j] = momentum * mean + (1 - momentum) * running_mean[j];
        for (int r = batch - 1; r >= 0; r--)
            y[r * features + j] =
                beta[j] + (x[r * features + j] - mean) * gamma[j] / sqrtf(var / batch + eps);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = batch - 1; r >= 0; r--)
        for (int j = features - 1; j >= 0; j--)
            y[r * features + j] = beta[j] + (x[r * features + j] - running_mean[j]) * gamma[j] /
                                                sqrtf(running_var[j] + eps);
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = features - 1; j >= 0; j--) {
        float mean = 0, var = 0, sum1 = 0, sum2 = 0;
        for (int r = batch - 1; r >= 0; r--)
            mean += x[r * features + j] / batch;
        for (int r = batch - 1; r >= 0; r--)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean) / batch;
        for (int r = batch - 1; r >= 0; r--) {
            sum1 += dy[r * features + j] * gamma[j];
            sum2 +=
                dy[r * features + j] * gamma[j] * ((x[r * features + j] - mean) / sqrtf(var + eps));
        }
        dbeta[j] = dgamma[j] = 0;
        for (int r = batch - 1; r >= 0; r--) {
            float hat = (x[r * features + j] - mean) / sqrtf(var + eps);
            dbeta[j] += dy[r * features + j];
            dgamma[j] += dy[r * features + j] * hat;
            dx[r * features + j] =
                (dy[r * features + j] * gamma[j] - sum1 / batch - hat * sum2 / batch) /
                sqrtf(var + eps);
        }
    }
}

/* ---- style: precomputed scale and shift ---- */
static void scale_and_shift(float *y, const float *x, float scale, float shift, int batch,
                            int features)
{
    for (int r = 0; r < batch; r++)
        y[r * features] = x[r * features] * scale + shift;
}

void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, squares = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean *= 1.0f / batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float scale = gamma[j] / sqrtf(squares * (1.0f / batch) + eps);
        scale_and_shift(y + j, x + j, scale, beta[j] - mean * scale, batch, features);
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum / (batch - 1) * squares;
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float scale = gamma[j] / sqrtf(running_var[j] + eps);
        scale_and_shift(y + j, x + j, scale, beta[j] - running_mean[j] * scale, batch, features);
    }
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum1 = 0, sum2 = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum1 += dy[i];
            sum2 += dy[i] * ((x[i] - mean) * rstd);
        }
        dbeta[j] = sum1;
        dgamma[j] = sum2;
        /* dx = a * dy + b * x + c, one a, b and c for the column */
        float a = gamma[j] * rstd, b = -a * rstd * sum2 / batch, c = -a * sum1 / batch - b * mean;
        for (int i = j; i < batch * features; i += features)
            dx[i] = a * dy[i] + b * x[i] + c;
    }
}

/* ---- style: vector extensions, four columns at a time ---- */
#include <string.h>

typedef float Four __attribute__((vector_size(16)));

static Four load(const float *x, int count)
{
    float part[4] = {0};
    memcpy(part, x, count * sizeof *part);
    Four four;
    memcpy(&four, part, sizeof four);
    return four;
}

static void store(float *y, Four four, int count)
{
    memcpy(y, &four, count * sizeof *y);
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int j = 0; j < features; j += 4) {
        int n = features - j < 4 ? features - j : 4;
        Four rstd = load(running_var + j, n) + eps, mean = load(running_mean + j, n);
        for (int k = 0; k < 4; k++)
            rstd[k] = 1 / sqrtf(rstd[k]);
        for (int r = 0; r < batch; r++)
            store(y + r * features + j,
                  (load(x + r * features + j, n) - mean) * rstd * load(gamma + j, n) +
                      load(beta + j, n),
                  n);
    }
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j += 4) {
        int n = features - j < 4 ? features - j : 4;
        Four mean = {0}, var = {0}, sum1 = {0}, sum2 = {0}, rstd;
        for (int r = 0; r < batch; r++)
            mean += load(x + r * features + j, n);
        mean /= (float)batch;
        for (int r = 0; r < batch; r++) {
            Four off = load(x + r * features + j, n) - mean;
            var += off * off;
        }
        for (int k = 0; k < 4; k++)
            rstd[k] = 1 / sqrtf(var[k] / batch + eps);
        for (int r = 0; r < batch; r++) {
            Four d = load(dy + r * features + j, n);
            sum1 += d;
            sum2 += d * (load(x + r * features + j, n) - mean) * rstd;
        }
        store(dbeta + j, sum1, n);
        store(dgamma + j, sum2, n);
        sum1 /= (float)batch;
        sum2 /= (float)batch;
        for (int r = 0; r < batch; r++) {
            Four hat = (load(x + r * features + j, n) - mean) * rstd;
            Four d = load(dy + r * features + j, n);
            store(dx + r * features + j, load(gamma + j, n) * rstd * (d - sum1 - hat * sum2), n);
        }
    }
}
