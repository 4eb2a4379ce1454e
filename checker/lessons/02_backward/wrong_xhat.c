/* The mistakes in xhat, or in a row's mean and rstd, that lesson 02 names in the backward pass, as
 * learners write them. See wrong.c. */

/* ---- mistake: xhat_not_centered ---- */
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
            float xhat = x[i] * rstd[r];
            float g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = x[i] * rstd[r];
            float g = gamma[j] * dy[i];
            dx[i] = rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: xhat_not_centered ---- */
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
            b += gamma[j] * dy[i] * x[i] * rstd[r];
        }
        a /= features;
        b /= features;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dx[i] = (gamma[j] * dy[i] - a - x[i] * rstd[r] * b) * rstd[r];
        }
    }
}

/* ---- mistake: xhat_not_scaled ---- */
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
            float xhat = x[i] - mean[r];
            float g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = x[i] - mean[r];
            float g = gamma[j] * dy[i];
            dx[i] = rstd[r] * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: rstd_taken_for_std ---- */
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
            float xhat = (x[i] - mean[r]) / rstd[r];
            float g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - mean[r]) / rstd[r];
            float g = gamma[j] * dy[i];
            dx[i] = (g - sum_g / n - xhat * sum_gx / n) / rstd[r];
        }
    }
}

/* ---- mistake: first_row_statistics ---- */
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
            float xhat = (x[i] - *mean) * *rstd;
            float g = gamma[j] * dy[i];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += g;
            sum_gx += g * xhat;
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float xhat = (x[i] - *mean) * *rstd;
            float g = gamma[j] * dy[i];
            dx[i] = *rstd * (g - sum_g / n - xhat * sum_gx / n);
        }
    }
}

/* ---- mistake: mean_recomputed ---- */
static float row_average(const float *row, int n)
{
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += row[j];
    return sum / n;
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        float m = row_average(in, features), a = 0, b = 0;
        for (int j = 0; j < features; j++) {
            float norm = (in[j] - m) * rstd[r];
            dbeta[j] += d[j];
            dgamma[j] += d[j] * norm;
            a += d[j] * gamma[j] / features;
            b += d[j] * gamma[j] * norm / features;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd[r] * (d[j] * gamma[j] - a - (in[j] - m) * rstd[r] * b);
    }
}

/* ---- mistake: rstd_recomputed ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        float var = 0, a = 0, b = 0;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean[r]) * (in[j] - mean[r]);
        float s = 1.0f / sqrtf(var / features + 1e-5f);
        for (int j = 0; j < features; j++) {
            float norm = (in[j] - mean[r]) * s;
            dbeta[j] += d[j];
            dgamma[j] += d[j] * norm;
            a += d[j] * gamma[j] / features;
            b += d[j] * gamma[j] * norm / features;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = s * (d[j] * gamma[j] - a - (in[j] - mean[r]) * s * b);
    }
}

/* ---- mistake: xhat_not_scaled ---- */
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
        dvar *= -0.5f * rstd[r];
        for (int j = 0; j < features; j++)
            out[j] = d[j] * gamma[j] * rstd[r] + dmean / features +
                     dvar * 2 * (in[j] - mean[r]) / features;
    }
}

/* ---- mistake: xhat_parentheses ---- */
void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float sum_g = 0, sum_gx = 0;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = x[i] - mean[r] * rstd[r];
            dbeta[j] += dy[i];
            dgamma[j] += dy[i] * xhat;
            sum_g += gamma[j] * dy[i];
            sum_gx += gamma[j] * dy[i] * xhat;
        }
        sum_g /= features;
        sum_gx /= features;
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float xhat = x[i] - mean[r] * rstd[r];
            dx[i] = rstd[r] * (gamma[j] * dy[i] - sum_g - xhat * sum_gx);
        }
    }
}
