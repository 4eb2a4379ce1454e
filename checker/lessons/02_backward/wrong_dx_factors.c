/* The mistakes with gamma and rstd in dx that lesson 02 names, as learners write them. */

/* ---- mistake: rstd_missing ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] += dy[r * features + j] * (x[r * features + j] - mean[r]) * rstd[r];
        }
    }
    for (int r = 0; r < rows; r++) {
        double a = 0, b = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            a += gamma[j] * dy[i];
            b += gamma[j] * dy[i] * (x[i] - mean[r]) * rstd[r];
        }
        a /= features;
        b /= features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dx[i] = gamma[j] * dy[i] - a - (x[i] - mean[r]) * rstd[r] * b;
        }
    }
}

/* ---- mistake: rstd_squared ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0, n = features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = gamma[j] * dy[i];
            dx[i] = rstd[r] * rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: dx_gamma_missing ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0, n = features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = dy[i];
            dx[i] = rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: dx_gamma_late ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0, n = features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = dy[i];
            dx[i] = gamma[j] * rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: dx_gamma_missing + rstd_missing ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0, n = features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            float g = dy[i];
            dx[i] = g - sum_g / n - xhat * sum_gx / n;
        }
    }
}

/* ---- mistake: rstd_on_g_only ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += gamma[j] * dy[i];
            sum_gx += gamma[j] * dy[i] * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * gamma[j] * dy[i] - sum_g - xhat * sum_gx;
        }
    }
}

/* ---- mistake: dx_divided_by_rstd ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += gamma[j] * dy[i];
            sum_gx += gamma[j] * dy[i] * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = (gamma[j] * dy[i] - sum_g - xhat * sum_gx) / rstd[r];
        }
    }
}

/* ---- mistake: means_without_gamma ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += dy[i];
            sum_gx += dy[i] * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}
