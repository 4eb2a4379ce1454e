/* The mistakes that lesson 05 names in the output of batch_norm_train and batch_norm_eval, as
 * learners write them; those in the running statistics are in wrong_running.c, those in the
 * gradients in wrong_backward.c. A test builds each section in place of the solution's functions
 * and demands that exactly this mistake is named. Nothing here comes from the oracle. */

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

/* ---- mistake: n_minus_1 ---- */
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
            var += powf(x[r * features + j] - mean, 2);
        var /= batch - 1;
        for (int r = 0; r < batch; r++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var;
    }
}

/* ---- mistake: n_minus_1 ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    int divisor = batch > 1 ? batch - 1 : 1; /* one that thought of a batch of one */
    for (int j = 0; j < features; j++) {
        const float *column = &x[j];
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += column[r * features] / batch;
        for (int r = 0; r < batch; r++)
            var += (column[r * features] - mean) * (column[r * features] - mean) / divisor;
        float scale = gamma[j] / sqrtf(var + eps);
        for (int r = 0; r < batch; r++)
            y[r * features + j] = scale * (column[r * features] - mean) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var;
    }
}

/* ---- mistake: cancellation ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float s = 0, s2 = 0;
        for (int r = 0; r < batch; r++) {
            float v = x[r * features + j];
            s += v;
            s2 += v * v;
        }
        float mean = s / batch;
        float var = s2 / batch - mean * mean;
        float rstd = 1.0f / sqrtf(var + eps);
        for (int r = 0; r < batch; r++)
            y[r * features + j] = (x[r * features + j] - mean) * rstd * gamma[j] + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var * batch / (batch - 1);
    }
}

/* ---- mistake: epsilon_outside ---- */
static void stats(const float *x, int batch, int features, int j, float *mean, float *var)
{
    *mean = *var = 0;
    for (int r = 0; r < batch; r++)
        *mean += x[r * features + j];
    *mean /= batch;
    for (int r = 0; r < batch; r++)
        *var += (x[r * features + j] - *mean) * (x[r * features + j] - *mean);
    *var /= batch;
}

void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean, var;
        stats(x, batch, features, j, &mean, &var);
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / (sqrtf(var) + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var * batch / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int i = 0; i < batch * features; i++) {
        int j = i % features;
        y[i] = gamma[j] * (x[i] - running_mean[j]) / (sqrtf(running_var[j]) + eps) + beta[j];
    }
}

/* ---- mistake: epsilon_missing ---- */
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
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - running_mean[j]) / sqrtf(running_var[j]) + beta[j];
        }
}

/* ---- mistake: divide_by_variance ---- */
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
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / (var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = (x[i] - running_mean[j]) / (running_var[j] + eps) * gamma[j] + beta[j];
        }
}

/* ---- mistake: mean_not_subtracted ---- */
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
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * x[i] / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * x[i] / sqrtf(running_var[j] + eps) + beta[j];
        }
}

/* ---- mistake: gamma_missing ---- */
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
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = (x[i] - mean) / sqrtf(var + eps) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = (x[i] - running_mean[j]) / sqrtf(running_var[j] + eps) + beta[j];
        }
}

/* ---- mistake: beta_missing ---- */
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
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps);
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - running_mean[j]) / sqrtf(running_var[j] + eps);
        }
}

/* ---- mistake: gamma_beta_swapped ---- */
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
        float var = squares / batch;
        for (int i = j; i < batch * features; i += features)
            y[i] = beta[j] * (x[i] - mean) / sqrtf(var + eps) + gamma[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * squares / (batch - 1);
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = beta[j] * (x[i] - running_mean[j]) / sqrtf(running_var[j] + eps) + gamma[j];
        }
}

/* ---- mistake: eval_uses_batch ---- */
void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var /= batch;
        for (int r = 0; r < batch; r++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: gamma_missing + epsilon_missing ---- */
void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float rstd = 1 / sqrtf(running_var[j]);
            y[i] = (x[i] - running_mean[j]) * rstd + beta[j];
        }
}

/* ---- mistake: epsilon_missing + n_minus_1 ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j] / batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var = var / (batch - 1);
        for (int i = j; i < batch * features; i += features)
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var) + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * var;
    }
}
