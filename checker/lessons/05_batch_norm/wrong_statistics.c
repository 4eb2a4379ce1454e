/* Statistics that go on from column to column in the backward pass, as learners write them: see
 * wrong.c. */

/* ---- mistake: mean_not_reset + variance_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float mean = 0, var = 0;
    for (int j = 0; j < features; j++) {
        float sum_g = 0, sum_g_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        var /= batch;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float g = gamma[j] * dy[i], hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
            sum_g += g;
            sum_g_hat += g * hat;
        }
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - (sum_g + hat * sum_g_hat) / batch);
        }
    }
}

/* ---- mistake: mean_not_reset + squares_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float mean = 0, squares = 0;
    for (int j = 0; j < features; j++) {
        float sum_g = 0, sum_g_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            squares += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(squares / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float g = gamma[j] * dy[i], hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
            sum_g += g;
            sum_g_hat += g * hat;
        }
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - (sum_g + hat * sum_g_hat) / batch);
        }
    }
}

/* ---- mistake: squares_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float squares = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, sum_g = 0, sum_g_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            squares += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(squares / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float g = gamma[j] * dy[i], hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
            sum_g += g;
            sum_g_hat += g * hat;
        }
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - (sum_g + hat * sum_g_hat) / batch);
        }
    }
}

/* ---- mistake: sum_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum = 0;
    for (int j = 0; j < features; j++) {
        float var = 0, sum_g = 0, sum_g_hat = 0;
        for (int i = j; i < batch * features; i += features)
            sum += x[i];
        float mean = sum / batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float g = gamma[j] * dy[i], hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
            sum_g += g;
            sum_g_hat += g * hat;
        }
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - (sum_g + hat * sum_g_hat) / batch);
        }
    }
}
