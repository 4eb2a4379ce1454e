/* Columns that are looked for where rows begin, and the forward pass's sums that go on from column
 * to column, as learners write them: see wrong.c. */

/* ---- mistake: columns_overlap ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        const float *column = x + j * features;
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += column[r] / batch;
        for (int r = 0; r < batch; r++)
            var += (column[r] - mean) * (column[r] - mean);
        for (int r = 0; r < batch; r++)
            y[j * features + r] =
                gamma[j] * (column[r] - mean) / sqrtf(var / batch + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var / (batch - 1);
    }
}

/* ---- mistake: columns_overlap ---- */
void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++)
        for (int r = 0; r < batch; r++) {
            int i = j * features + r;
            y[i] = gamma[j] * (x[i] - running_mean[j]) / sqrtf(running_var[j] + eps) + beta[j];
        }
}

/* ---- mistake: columns_overlap ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[j * features + r];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[j * features + r] - mean) * (x[j * features + r] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            int i = j * features + r;
            dgamma[j] += dy[i] * (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
        }
        for (int r = 0; r < batch; r++) {
            int i = j * features + r;
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - dbeta[j] / batch - hat * dgamma[j] / batch);
        }
    }
}

/* ---- mistake: mean_not_reset + squares_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float mean = 0, squares = 0;
    for (int j = 0; j < features; j++) {
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

/* ---- mistake: sum_not_reset + squares_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float sum = 0, squares = 0;
    for (int j = 0; j < features; j++) {
        for (int r = 0; r < batch; r++)
            sum += x[r * features + j];
        float mean = sum / batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

/* ---- mistake: sum_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float sum = 0;
    for (int j = 0; j < features; j++) {
        float var = 0;
        for (int r = 0; r < batch; r++)
            sum += x[r * features + j];
        float mean = sum / batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var * batch / (batch - 1);
    }
}

/* ---- mistake: mean_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float mean = 0;
    for (int j = 0; j < features; j++) {
        float squares = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

/* ---- mistake: squares_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float squares = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

/* ---- mistake: variance_not_reset ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float var = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var * batch / (batch - 1);
    }
}
