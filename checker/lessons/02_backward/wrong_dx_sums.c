/* The mistakes in the two sums of dx that lesson 02 names, as learners write them. */

/* ---- mistake: sums_not_divided ---- */
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
            dx[i] = rstd[r] * (g - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sums_by_n_minus_1 ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0, n = features - 1;
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
            dx[i] = rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: sums_unfinished ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r], g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
            dx[i] = rstd[r] * (g - sum_g / features - xhat * sum_gx / features);
        }
    }
}

/* ---- mistake: sum_g_not_reset + sum_g_xhat_not_reset ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    float sum_g = 0, sum_gx = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += gamma[j] * dy[i];
            sum_gx += gamma[j] * dy[i] * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - (sum_g + xhat * sum_gx) / features);
        }
    }
}

/* ---- mistake: sum_g_not_divided ---- */
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
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sum_g_xhat_not_divided ---- */
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
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sums_by_rows ---- */
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
        sum_g /= rows;
        sum_gx /= rows;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: sums_reciprocal ---- */
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
        sum_g *= 1 / features;
        sum_gx *= 1 / features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = (x[i] - mean[r]) * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}

/* ---- mistake: mean_term_added + sums_by_n_minus_1 ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] += dy[r * features + j] * (x[r * features + j] - mean[r]) * rstd[r];
        }
    }
    for (int r = 0; r < rows; r++) {
        double a = 0, b = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            a += gamma[j] * dy[i] / (features - 1.0);
            b += gamma[j] * dy[i] * (x[i] - mean[r]) * rstd[r] / (features - 1.0);
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dx[i] = (gamma[j] * dy[i] + a - (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}
