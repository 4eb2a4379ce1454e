/* Honest ways to write lesson 05's functions. Each must pass every check. */

/* ---- style: as the hints say ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, squares = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] = (1 - momentum) * running_var[j] + momentum * (squares / (batch - 1));
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(squares / batch + eps) + beta[j];
        }
    }
}

void batch_norm_eval(float *y, const float *running_mean, const float *running_var, const float *x,
                     const float *gamma, const float *beta, int batch, int features, float eps)
{
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - running_mean[j]) / sqrtf(running_var[j] + eps) +
                beta[j];
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, squares = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            squares += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float rstd = 1 / sqrtf(squares / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float xhat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float xhat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - dbeta[j] / batch - xhat * dgamma[j] / batch);
        }
    }
}

/* ---- style: double sums ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        double mean = 0, var = 0;
        for (int r = 0; r < batch; r++)
            mean += x[r * features + j];
        mean /= batch;
        for (int r = 0; r < batch; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        for (int r = 0; r < batch; r++)
            y[r * features + j] =
                (x[r * features + j] - mean) / sqrt(var / batch + eps) * gamma[j] + beta[j];
        running_mean[j] += momentum * (mean - running_mean[j]);
        if (batch > 1)
            running_var[j] += momentum * (var / (batch - 1) - running_var[j]);
    }
}

/* ---- style: float sums, row by row into arrays of features ---- */
void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    float *mean = malloc((size_t)features * sizeof *mean);
    float *var = malloc((size_t)features * sizeof *var);
    for (int j = 0; j < features; j++)
        mean[j] = var[j] = 0.0f;
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++)
            mean[j] += x[r * features + j];
    for (int j = 0; j < features; j++)
        mean[j] /= (float)batch;
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++)
            var[j] += (x[r * features + j] - mean[j]) * (x[r * features + j] - mean[j]);
    for (int j = 0; j < features; j++)
        var[j] /= (float)batch;
    for (int r = 0; r < batch; r++)
        for (int j = 0; j < features; j++)
            y[r * features + j] =
                gamma[j] * ((x[r * features + j] - mean[j]) / sqrtf(var[j] + eps)) + beta[j];
    for (int j = 0; j < features; j++) {
        running_mean[j] = (1.0f - momentum) * running_mean[j] + momentum * mean[j];
        if (batch == 1)
            continue;
        float unbiased = var[j] * (float)batch / (float)(batch - 1);
        running_var[j] = (1.0f - momentum) * running_var[j] + momentum * unbiased;
    }
    free(mean);
    free(var);
}

/* ---- style: gradients step by step, as on paper: dvar, dmean, dx ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, dvar = 0, dmean = 0, off = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float dhat = dy[i] * gamma[j];
            dgamma[j] += dy[i] * (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dvar += dhat * (x[i] - mean) * -0.5f * powf(var + eps, -1.5f);
            dmean += dhat * -rstd;
            off += -2 * (x[i] - mean);
        }
        dmean += dvar * off / batch; /* nothing but rounding: the distances add up to 0 */
        for (int i = j; i < batch * features; i += features)
            dx[i] = dy[i] * gamma[j] * rstd + dvar * 2 * (x[i] - mean) / batch + dmean / batch;
    }
}

/* ---- style: Welford ---- */
static void welford(const float *x, int n, int step, float *mean, float *m2)
{
    *mean = *m2 = 0.0f;
    for (int k = 0; k < n; k++) {
        float delta = x[k * step] - *mean;
        *mean += delta / (float)(k + 1);
        *m2 += delta * (x[k * step] - *mean);
    }
}

void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean, m2, sum1 = 0, sum2 = 0;
        welford(x + j, batch, features, &mean, &m2);
        float rstd = 1.0f / sqrtf(m2 / (float)batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum1 += dy[i];
            sum2 += dy[i] * (x[i] - mean);
        }
        dbeta[j] = sum1;
        dgamma[j] = sum2 * rstd;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd / (float)batch *
                    ((float)batch * dy[i] - sum1 - (x[i] - mean) * rstd * rstd * sum2);
    }
}

/* ---- style: shifted by the column's first value, in one pass ---- */
static void shifted(const float *x, int n, int step, float *mean, float *var)
{
    float s1 = 0, s2 = 0; /* what is left after the shift is small */
    for (int k = 0; k < n; k++) {
        float d = x[k * step] - x[0];
        s1 += d;
        s2 += d * d;
    }
    *mean = x[0] + s1 / n;
    *var = s2 / n - (s1 / n) * (s1 / n);
}

void batch_norm_train(float *y, float *running_mean, float *running_var, const float *x,
                      const float *gamma, const float *beta, int batch, int features,
                      float momentum, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean, var;
        shifted(x + j, batch, features, &mean, &var);
        for (int i = j; i < batch * features; i += features)
            y[i] = (x[i] - mean) / sqrtf(var + eps) * gamma[j] + beta[j];
        running_mean[j] = (1 - momentum) * running_mean[j] + momentum * mean;
        if (batch > 1)
            running_var[j] =
                (1 - momentum) * running_var[j] + momentum * var * ((float)batch / (batch - 1));
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
