/* The mistakes in dbeta and dgamma that lesson 02 names, as learners write them. See wrong.c. */

/* ---- mistake: last_row_only ---- */
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
            dbeta[j] = dy[i];
            dgamma[j] = dy[i] * xhat;
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

/* ---- mistake: last_row_only ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] = dy[r * features + j] * (x[r * features + j] - mean[r]) * rstd[r];
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
            dx[i] = (gamma[j] * dy[i] - a - (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}

/* ---- mistake: last_row_only ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int r = 0; r < rows; r++) {
        float sum1 = 0, sum2 = 0;
        /* cleared for every row, as the sums are */
        for (int j = 0; j < features; j++)
            dgamma[j] = dbeta[j] = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float norm = (x[i] - mean[r]) * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * norm;
            sum1 += gamma[j] * dy[i];
            sum2 += gamma[j] * dy[i] * norm;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float norm = (x[i] - mean[r]) * rstd[r];
            dx[i] = (gamma[j] * dy[i] - sum1 / features - norm * (sum2 / features)) * rstd[r];
        }
    }
}

/* ---- mistake: averaged_over_rows ---- */
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
            dx[i] = rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
    for (int j = 0; j < features; j++) {
        dgamma[j] /= rows;
        dbeta[j] /= rows;
    }
}

/* ---- mistake: averaged_over_rows ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] += dy[r * features + j] * (x[r * features + j] - mean[r]) * rstd[r] / rows;
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
            dx[i] = (gamma[j] * dy[i] - a - (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}

/* ---- mistake: parameters_times_gamma ---- */
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
            dbeta[j] += g;
            dgamma[j] += g * xhat;
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

/* ---- mistake: parameters_times_gamma ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] +=
                gamma[j] * dy[r * features + j] * (x[r * features + j] - mean[r]) * rstd[r];
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
            dx[i] = (gamma[j] * dy[i] - a - (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}

/* ---- mistake: last_row_only + parameters_times_gamma ---- */
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
            dbeta[j] = g;
            dgamma[j] = g * xhat;
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

/* ---- mistake: dgamma_dbeta_swapped ---- */
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
            dbeta[j] += dy[i] * xhat;
            dgamma[j] += dy[i];
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

/* ---- mistake: dgamma_uses_x ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        dbeta[j] = 0;
        for (int r = 0; r < rows; r++) {
            dbeta[j] += dy[r * features + j];
            dgamma[j] += dy[r * features + j] * x[r * features + j];
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
            dx[i] = (gamma[j] * dy[i] - a - (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}
