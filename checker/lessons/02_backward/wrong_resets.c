/* Sums that run on into the next row, and one over features in int, as learners write them. See
 * wrong.c. The forward pass is asked for the mean alone first: where the variance suffers from the
 * same slip, that is named once the mean is right. */

/* ---- mistake: mean_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float m = 0, var = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        for (int j = 0; j < features; j++)
            m += in[j];
        m /= features;
        mean[r] = m;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean[r]) * (in[j] - mean[r]);
        var /= features;
        rstd[r] = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: mean_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float m = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        for (int j = 0; j < features; j++)
            m += in[j];
        m /= features;
        mean[r] = m;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean[r]) * (in[j] - mean[r]);
        rstd[r] = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: sum_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float squares = 0;
        for (int j = 0; j < features; j++)
            sum += in[j];
        mean[r] = sum / features;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean[r]) * (in[j] - mean[r]);
        rstd[r] = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: mean_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float m = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float var = 0;
        for (int j = 0; j < features; j++)
            m += in[j];
        m /= features;
        mean[r] = m;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean[r]) * (in[j] - mean[r]);
        var /= features;
        rstd[r] = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: squares_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float squares = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float m = 0;
        for (int j = 0; j < features; j++)
            m += in[j];
        m /= features;
        mean[r] = m;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean[r]) * (in[j] - mean[r]);
        rstd[r] = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: variance_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float var = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += in[j];
        mean[r] = sum / features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean[r]) * (in[j] - mean[r]);
        var /= features;
        rstd[r] = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: mean_reciprocal ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float sum = 0, var = 0;
        for (int j = 0; j < features; j++)
            sum += in[j];
        mean[r] = sum * (1 / features);
        for (int j = 0; j < features; j++)
            var += (in[j] - mean[r]) * (in[j] - mean[r]);
        var /= features;
        rstd[r] = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: variance_reciprocal ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float sum = 0, var = 0;
        for (int j = 0; j < features; j++)
            sum += in[j];
        mean[r] = sum / features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean[r]) * (in[j] - mean[r]);
        var *= 1 / features;
        rstd[r] = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: mean_g_not_reset + mean_g_xhat_not_reset ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float sum_g = 0, sum_gx = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sum_g_not_reset ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float sum_g = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - (sum_g + xhat * sum_gx) / features);
        }
    }
}

/* ---- mistake: mean_g_not_reset ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float sum_g = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sum_g_xhat_not_reset ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float sum_gx = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g / features - xhat * sum_gx / features);
        }
    }
}

/* ---- mistake: mean_g_xhat_not_reset ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float sum_gx = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sum_g_reciprocal ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        sum_g *= 1 / features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: variance_term_missing ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        sum_g /= features;
        sum_gx *= 1 / features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}
