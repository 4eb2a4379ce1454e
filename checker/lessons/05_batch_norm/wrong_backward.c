/* The mistakes in batch_norm_backward that lesson 05 names, as learners write them: see wrong.c.
 * Those in dx alone are in wrong_dx.c. */

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
            float hat = (in[j] - mean) * rstd;
            a += gamma[j] * d[j];
            b += gamma[j] * d[j] * hat;
            dgamma[j] += d[j] * hat;
            dbeta[j] += d[j];
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] =
                rstd * (gamma[j] * d[j] - a / features - (in[j] - mean) * rstd * b / features);
    }
}

/* ---- mistake: n_minus_1 ---- */
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
        var /= batch > 1 ? batch - 1 : 1;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch, b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] - a - (x[i] - mean) * rstd * b);
    }
}

/* ---- mistake: cancellation ---- */
void batch_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, int batch, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < batch; r++) {
            mean += x[r * features + j];
            var += x[r * features + j] * x[r * features + j];
        }
        mean /= batch;
        var = var / batch - mean * mean;
        float rstd = 1 / sqrtf(var + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch, b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] - a - (x[i] - mean) * rstd * b);
    }
}

/* ---- mistake: epsilon_outside ---- */
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
        float rstd = 1 / (sqrtf(var) + eps);
        dgamma[j] = dbeta[j] = 0;
        for (int i = j; i < batch * features; i += features) {
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        float a = dbeta[j] / batch, b = dgamma[j] / batch;
        for (int i = j; i < batch * features; i += features)
            dx[i] = gamma[j] * rstd * (dy[i] - a - (x[i] - mean) * rstd * b);
    }
}

/* ---- mistake: epsilon_missing ---- */
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
        float rstd = 1.0f / sqrtf(var), sum1 = 0, sum2 = 0;
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
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: dgamma_of_x ---- */
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
            dgamma[j] += dy[i] * x[i];
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: dgamma_not_scaled ---- */
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
            dgamma[j] += dy[i] * (x[i] - mean);
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: gradients_averaged ---- */
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
            dbeta[j] += dy[i] / batch;
            dgamma[j] += dy[i] * hat / batch;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: gradients_swapped ---- */
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
            dgamma[j] += dy[i];
            dbeta[j] += dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: gradients_of_last ---- */
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
            dbeta[j] = dy[i];
            dgamma[j] = dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}

/* ---- mistake: dgamma_of_x + gradients_averaged ---- */
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
            dbeta[j] += dy[i] / batch;
            dgamma[j] += dy[i] * x[i] / batch;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = rstd / batch * (batch * dy[i] * gamma[j] - sum1 - hat * sum2);
        }
    }
}
