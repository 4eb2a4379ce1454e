/* Lesson 05: what the hints say, put together. Each section is a style; see the README. */

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
            float hat = (x[i] - mean) * rstd;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * hat;
        }
        for (int r = 0; r < batch; r++) {
            int i = r * features + j;
            float hat = (x[i] - mean) * rstd;
            dx[i] = gamma[j] * rstd * (dy[i] - dbeta[j] / batch - hat * dgamma[j] / batch);
        }
    }
}
