/* Slips of C in lesson 05's functions, as learners write them: see wrong.c. */

/* ---- mistake: index_transposed ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[j * batch + r];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[j * batch + r] - mean) * (x[j * batch + r] - mean);
        for (int r = 0; r < batch; r++)
            y[j * batch + r] =
                gamma[j] * (x[j * batch + r] - mean) / sqrtf(var / batch + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var / (batch - 1);
    }
}

/* ---- mistake: index_transposed ---- */
void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float scale = gamma[j] / sqrtf(running_var[j] + eps);
        for (int r = 0; r < batch; r++)
            y[batch * j + r] = (x[batch * j + r] - running_mean[j]) * scale + beta[j];
    }
}

/* ---- mistake: index_transposed ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        const float *column = x + j * batch, *d = dy + j * batch;
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += column[r] / batch;
        for (int r = 0; r < batch; r++)
            var += (column[r] - mean) * (column[r] - mean) / batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            dgamma[j] += d[r] * (column[r] - mean) * rstd;
            dbeta[j] += d[r];
        }
        for (int r = 0; r < batch; r++)
            dx[j * batch + r] =
                gamma[j] * rstd *
                (d[r] - dbeta[j] / batch - (column[r] - mean) * rstd * dgamma[j] / batch);
    }
}

/* ---- mistake: mean_not_reset + variance_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float mean = 0, var = 0;
    for (int j = 0; j < features; j++) {
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] += momentum * (mean - running_mean[j]);
        if (batch > 1)
            running_var[j] += momentum * (var * batch / (batch - 1) - running_var[j]);
    }
}

/* ---- mistake: parentheses_missing ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, squares = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j] / batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(squares / batch + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1) {
            float unbiased = squares / batch - 1;
            running_var[j] = (1 - momentum) * running_var[j] + momentum * unbiased;
        }
    }
}

/* ---- mistake: dx_too_early ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
            dx[i] = gamma[j] * rstd * (dy[i] - dbeta[j] / batch - hat * dgamma[j] / batch);
        }
    }
}

/* ---- mistake: moved_per_example ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var / batch + eps) + beta[j];
            running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
            if (batch > 1)
                running_var[j] = (1 - momentum) * running_var[j] + momentum * var / (batch - 1);
        }
    }
}

/* ---- mistake: parameters_times_gamma ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        double mean = 0, var = 0, a = 0, b = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        double rstd = 1 / sqrt(var / batch + eps);
        for (int r = 0; r < batch; r++) {
            a += dy[r * features + j] * gamma[j];
            b += dy[r * features + j] * gamma[j] * (x[r * features + j] - mean) * rstd;
        }
        dbeta[j] = a; /* the sums for dx, handed on as they are */
        dgamma[j] = b;
        for (int i = j; i < batch * features; i += features)
            dx[i] = rstd * (gamma[j] * dy[i] - a / batch - (x[i] - mean) * rstd * b / batch);
    }
}

/* ---- mistake: gamma_twice ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, a = 0, b = 0;
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            float g = dy[i] * gamma[j], hat = (x[i] - mean) * rstd;
            a += g / batch;
            b += g * hat / batch;
            dgamma[j] += dy[i] * hat;
            dbeta[j] += dy[i];
        }
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] * gamma[j] - a - (x[i] - mean) * rstd * b);
    }
}
