/* The mistakes in batch_norm_backward's dx that lesson 05 names, as learners write them: see
 * wrong.c. */

/* ---- mistake: gamma_missing ---- */
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
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch, b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = rstd * (dy[i] - a - (x[i] - mean) * rstd * b);
    }
}

/* ---- mistake: gamma_missing ---- */
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
        var /= batch;
        float rstd = 1.0f / sqrtf(var + eps), sum1 = 0, sum2 = 0;
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            sum1 += dy[i];
            sum2 += dy[i] * hat;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: statistics_constant ---- */
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
        for (int i = j; i < batch * features; i += features) {
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] - mean) * rstd;
            dx[i] = dy[i] * gamma[j] * rstd;
        }
    }
}

/* ---- mistake: dx_misses_mean ---- */
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
        var /= batch;
        float rstd = 1.0f / sqrtf(var + eps), sum1 = 0, sum2 = 0;
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            float dxhat = dy[i] * gamma[j];
            sum1 += dxhat;
            sum2 += dxhat * hat;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - hat * sum2);
        }
    }
}

/* ---- mistake: dx_misses_variance ---- */
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
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] - a);
    }
}

/* ---- mistake: dx_sums ---- */
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
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j], b = dgamma[j];
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] - a - (x[i] - mean) * rstd * b);
    }
}

/* ---- mistake: dx_sums ---- */
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
        var /= batch;
        float rstd = 1.0f / sqrtf(var + eps), sum1 = 0, sum2 = 0;
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            float dxhat = dy[i] * gamma[j];
            sum1 += dxhat;
            sum2 += dxhat * hat;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: dx_means_per_row ---- */
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
        for (int i = j; i < batch * features; i += features) {
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] - mean) * rstd;
            dx[i] = (x[i] - mean) * rstd; /* xhat, for the loop below */
        }
    }
    for (int r = 0; r < batch; r++) {
        float sum1 = 0, sum2 = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            sum1 += dy[i] * gamma[j];
            sum2 += dy[i] * gamma[j] * dx[i];
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            double mean = 0, var = 0; /* again: nothing was kept */
            for (int k = j; k < batch * features; k += features)
                mean += (double)x[k] / batch;
            for (int k = j; k < batch * features; k += features)
                var += (x[k] - mean) * (x[k] - mean) / batch;
            dx[i] =
                (dy[i] * gamma[j] - sum1 / features - dx[i] * sum2 / features) / sqrt(var + eps);
        }
    }
}

/* ---- mistake: dx_hat_missing ---- */
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
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch, b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] - a - b);
    }
}

/* ---- mistake: dx_sign ---- */
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
        var /= batch;
        float rstd = 1.0f / sqrtf(var + eps), sum1 = 0, sum2 = 0;
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            float dxhat = dy[i] * gamma[j];
            sum1 += dxhat;
            sum2 += dxhat * hat;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 + hat * sum2);
        }
    }
}

/* ---- mistake: rstd_missing ---- */
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
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch, b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * (dy[i] - a - (x[i] - mean) * rstd * b);
    }
}

/* ---- mistake: gamma_missing + dx_misses_mean ---- */
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
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = rstd * (dy[i] - (x[i] - mean) * rstd * b);
    }
}
