/* Lesson 02: what the hints say, put together. Each section is a style; see the README. */

/* ---- style: as the hints say ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0.0f, squares = 0.0f;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j];
        mean[r] = sum / (float)features;
        for (int j = 0; j < features; j++)
            squares += (x[r * features + j] - mean[r]) * (x[r * features + j] - mean[r]);
        rstd[r] = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean[r]) * rstd[r] + beta[j];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        float mean_g = 0.0f, mean_g_xhat = 0.0f;
        for (int i = r * features; i < (r + 1) * features; i++) {
            int j = i - r * features;
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            mean_g += g;
            mean_g_xhat += g * xhat;
        }
        mean_g /= (float)features;
        mean_g_xhat /= (float)features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dx[i] = rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
}
