/* The mistakes in the three terms of dx that lesson 02 names, as learners write them. */

/* ---- mistake: statistics_constant ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] - mean[r]) * rstd[r];
            dx[i] = dy[i] * gamma[j] * rstd[r];
        }
}

/* ---- mistake: mean_term_missing ---- */
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
            dx[i] = (gamma[j] * dy[i] - (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}

/* ---- mistake: mean_term_missing ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float dvar = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * (x[i] - mean[r]) * rstd[r];
            dvar += dy[i] * gamma[j] * (x[i] - mean[r]) * -0.5f * rstd[r] * rstd[r] * rstd[r];
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dx[i] = dy[i] * gamma[j] * rstd[r] + dvar * 2 * (x[i] - mean[r]) / features;
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
            dx[i] = rstd[r] * (g - sum_g / n);
        }
    }
}

/* ---- mistake: mean_term_added ---- */
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
            dx[i] = rstd[r] * (g + sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: variance_term_added ---- */
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
            dx[i] = rstd[r] * (g - sum_g / n + xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: variance_term_added ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        float *out = dx + r * features;
        float dvar = 0, dmean = 0;
        for (int j = 0; j < features; j++) {
            dbeta[j] += d[j];
            dgamma[j] += d[j] * (in[j] - mean[r]) * rstd[r];
            dvar += d[j] * gamma[j] * (in[j] - mean[r]);
            dmean -= d[j] * gamma[j] * rstd[r];
        }
        dvar *= 0.5f * powf(rstd[r], 3);
        for (int j = 0; j < features; j++)
            out[j] = d[j] * gamma[j] * rstd[r] + dmean / features +
                     dvar * 2 * (in[j] - mean[r]) / features;
    }
}

/* ---- mistake: variance_term_halved ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        float *out = dx + r * features;
        float dvar = 0, dmean = 0;
        for (int j = 0; j < features; j++) {
            dbeta[j] += d[j];
            dgamma[j] += d[j] * (in[j] - mean[r]) * rstd[r];
            dvar += d[j] * gamma[j] * (in[j] - mean[r]);
            dmean -= d[j] * gamma[j] * rstd[r];
        }
        dvar *= -0.5f * powf(rstd[r], 3);
        for (int j = 0; j < features; j++)
            out[j] =
                d[j] * gamma[j] * rstd[r] + dmean / features + dvar * (in[j] - mean[r]) / features;
    }
}

/* ---- mistake: variance_term_doubled ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        float *out = dx + r * features;
        float dvar = 0, dmean = 0;
        for (int j = 0; j < features; j++) {
            dbeta[j] += d[j];
            dgamma[j] += d[j] * (in[j] - mean[r]) * rstd[r];
            dvar += d[j] * gamma[j] * (in[j] - mean[r]);
            dmean -= d[j] * gamma[j] * rstd[r];
        }
        dvar *= -powf(rstd[r], 3);
        for (int j = 0; j < features; j++)
            out[j] = d[j] * gamma[j] * rstd[r] + dmean / features +
                     dvar * 2 * (in[j] - mean[r]) / features;
    }
}

/* ---- mistake: mean_term_added + variance_term_added ---- */
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
            dx[i] = (gamma[j] * dy[i] + a + (x[i] - mean[r]) * rstd[r] * b) * rstd[r];
        }
    }
}
