/* The backward pass's sums that go on from column to column, as learners write them: see wrong.c.
 */

/* ---- mistake: dbeta_not_reset + dgamma_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_dy = 0, sum_dy_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum_dy += dy[i];
            sum_dy_hat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_hat;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - sum_dy / batch - hat * sum_dy_hat / batch);
        }
    }
}

/* ---- mistake: dbeta_mean_not_reset + dgamma_mean_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_dy = 0, sum_dy_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum_dy += dy[i];
            sum_dy_hat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_hat;
        sum_dy /= batch;
        sum_dy_hat /= batch;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - sum_dy - hat * sum_dy_hat);
        }
    }
}

/* ---- mistake: dbeta_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_dy = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_dy_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum_dy += dy[i];
            sum_dy_hat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_hat;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - sum_dy / batch - hat * sum_dy_hat / batch);
        }
    }
}

/* ---- mistake: dgamma_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_dy_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_dy = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum_dy += dy[i];
            sum_dy_hat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_hat;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - sum_dy / batch - hat * sum_dy_hat / batch);
        }
    }
}

/* ---- mistake: dbeta_mean_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_dy = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_dy_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum_dy += dy[i];
            sum_dy_hat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_hat;
        sum_dy /= batch;
        sum_dy_hat /= batch;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - sum_dy - hat * sum_dy_hat);
        }
    }
}

/* ---- mistake: dgamma_mean_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_dy_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_dy = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
        for (int i = j; i < batch * features; i += features)
            var += (x[i] - mean) * (x[i] - mean);
        float rstd = 1 / sqrtf(var / batch + eps);
        for (int i = j; i < batch * features; i += features) {
            sum_dy += dy[i];
            sum_dy_hat += dy[i] * (x[i] - mean) * rstd;
        }
        dbeta[j] = sum_dy;
        dgamma[j] = sum_dy_hat;
        sum_dy /= batch;
        sum_dy_hat /= batch;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - sum_dy - hat * sum_dy_hat);
        }
    }
}

/* ---- mistake: dx_sum_not_reset + dx_hat_sum_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_g = 0, sum_g_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
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

/* ---- mistake: dx_mean_not_reset + dx_hat_mean_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_g = 0, sum_g_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
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
        sum_g /= batch;
        sum_g_hat /= batch;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - sum_g - hat * sum_g_hat);
        }
    }
}

/* ---- mistake: dx_sum_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_g = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_g_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
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

/* ---- mistake: dx_hat_sum_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_g_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_g = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
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

/* ---- mistake: dx_mean_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_g = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_g_hat = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
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
        sum_g /= batch;
        sum_g_hat /= batch;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - sum_g - hat * sum_g_hat);
        }
    }
}

/* ---- mistake: dx_hat_mean_not_reset ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    float sum_g_hat = 0;
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0, sum_g = 0;
        for (int i = j; i < batch * features; i += features)
            mean += x[i];
        mean /= batch;
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
        sum_g /= batch;
        sum_g_hat /= batch;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd * (gamma[j] * dy[i] - sum_g - hat * sum_g_hat);
        }
    }
}
