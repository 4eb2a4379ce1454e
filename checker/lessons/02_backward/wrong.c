/* The mistakes that lesson 02 names, in the ways of learners that are no small change of the
 * solution; those that are one stand in wrong.txt. A test builds each section in place of the
 * solution's functions and demands that exactly this mistake is named. Nothing here comes from the
 * oracles: the two agree only because both do the same thing wrong. */

/* ---- mistake: n_minus_1 ---- */
static float sample_variance(const float *row, int n, float mean)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(row[i] - mean, 2);
    return sum / (n - 1);
}

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        double sum = 0;
        for (int i = 0; i < features; i++)
            sum += row[i];
        mean[r] = sum / features;
        rstd[r] = 1.0 / sqrt(sample_variance(row, features, mean[r]) + eps);
        for (int i = 0; i < features; i++)
            y[r * features + i] = (row[i] - mean[r]) * rstd[r] * gamma[i] + beta[i];
    }
}

/* ---- mistake: cancellation ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            sum += in[j];
            squares += in[j] * in[j];
        }
        mean[r] = sum / features;
        float var = squares / features - mean[r] * mean[r];
        rstd[r] = 1.0f / sqrtf(fmaxf(var, 0) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean[r]) * rstd[r] + beta[j];
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
