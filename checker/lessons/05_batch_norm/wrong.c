/* Mistakes of lesson 05 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: statistics_per_row ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < batch; r++) { /* lesson 02's layer_norm_backward, pasted */
        const float *in = x + r * features, *d = dy + r * features;
        float mean = 0, var = 0, a = 0, b = 0;
        for (int j = 0; j < features; j++)
            mean += in[j] / features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean) / features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float xhat = (in[j] - mean) * rstd;
            a += gamma[j] * d[j];
            b += gamma[j] * d[j] * xhat;
            dgamma[j] += d[j] * xhat;
            dbeta[j] += d[j];
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] =
                rstd * (gamma[j] * d[j] - a / features - (in[j] - mean) * rstd * b / features);
    }
}

/* ---- mistake: statistics_of_all ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    int n = batch * features;
    double mean = 0, var = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (int i = 0; i < n; i++)
        var += (x[i] - mean) * (x[i] - mean) / n;
    for (int i = 0; i < n; i++)
        y[i] = gamma[i % features] * (x[i] - mean) / sqrt(var + eps) + beta[i % features];
    for (int j = 0; j < features; j++) {
        running_mean[j] += momentum * (mean - running_mean[j]);
        if (n > 1)
            running_var[j] += momentum * (var * n / (n - 1) - running_var[j]);
    }
}

/* ---- mistake: statistics_per_row ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int r = 0; r < batch; r++) { /* lesson 01's layer_norm, pasted */
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[r * features + j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
            running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var;
        }
    }
}

/* ---- mistake: dx_means_per_row ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float *rstd = malloc(features * sizeof *rstd);
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        rstd[j] = 1 / sqrtf(var / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            dx[i] = (x[i] - mean) * rstd[j]; /* xhat, for the loop below */
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * dx[i];
        }
    }
    for (int r = 0; r < batch * features; r += features) {
        float sum1 = 0, sum2 = 0;
        for (int j = 0; j < features; j++) {
            sum1 += dy[r + j] * gamma[j];
            sum2 += dy[r + j] * gamma[j] * dx[r + j];
        }
        for (int j = 0; j < features; j++)
            dx[r + j] = rstd[j] * (dy[r + j] * gamma[j] - (sum1 + dx[r + j] * sum2) / features);
    }
    free(rstd);
}
