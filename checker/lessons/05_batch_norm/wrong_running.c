/* The mistakes in the running statistics that lesson 05 names, as learners write them: see wrong.c.
 */

/* ---- mistake: normalizes_with_old ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - running_mean[j]) / sqrtf(running_var[j] + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var * batch / (batch - 1);
    }
}

/* ---- mistake: normalizes_with_new ---- */
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
        var /= batch;
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var * batch / (batch - 1);
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - running_mean[j]) / sqrtf(running_var[j] + eps) + beta[j];
    }
}

/* ---- mistake: running_not_updated ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: running_mean_only ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] += momentum * (mean - running_mean[j]);
    }
}

/* ---- mistake: running_overwritten ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = mean;
        if (batch > 1)
            running_var[j] = var * batch / (batch - 1);
    }
}

/* ---- mistake: momentum_reversed ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = momentum * running_mean[j] + (1 - momentum) * mean;
        if (batch > 1) {
            float unbiased = var * batch / (batch - 1);
            running_var[j] = momentum * running_var[j] + (1 - momentum) * unbiased;
        }
    }
}

/* ---- mistake: old_not_shrunk ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] += momentum * mean;
        if (batch > 1)
            running_var[j] += momentum * var * batch / (batch - 1);
    }
}

/* ---- mistake: running_var_biased ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var;
    }
}

/* ---- mistake: running_var_biased + batch_of_one_is_zero ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        running_var[j] = (1 - momentum) * running_var[j] + momentum * var;
    }
}

/* ---- mistake: running_var_is_std ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1) {
            float std = sqrtf(var * batch / (batch - 1));
            running_var[j] = (1 - momentum) * running_var[j] + momentum * std;
        }
    }
}

/* ---- mistake: running_var_with_eps ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1) {
            float unbiased = var * batch / (batch - 1) + eps;
            running_var[j] = (1 - momentum) * running_var[j] + momentum * unbiased;
        }
    }
}

/* ---- mistake: batch_of_one_divides ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        running_var[j] = (1 - momentum) * running_var[j] + momentum * (var * batch / (batch - 1));
    }
}

/* ---- mistake: batch_of_one_is_zero ---- */
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
        var /= batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        float unbiased = batch > 1 ? var * batch / (batch - 1) : 0;
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        running_var[j] = (1 - momentum) * running_var[j] + momentum * unbiased;
    }
}
