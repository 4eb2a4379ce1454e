/* Sums that run on, one loop too few and a pair of parentheses, as learners write them. See
 * wrong.c. The backward pass is asked for dgamma first, which only the sum of squares can spoil:
 * where both sums run on, the second is named once the first is right. */

/* ---- mistake: mean_square_not_reset ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        sum /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / sqrtf(sum + eps);
    }
}

/* ---- mistake: rms_not_reset ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float rms = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++)
            rms += x[r * features + j] * x[r * features + j];
        rms = sqrtf(rms / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
    }
}

/* ---- mistake: mean_square_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float ss = 0, dot = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        ss /= features;
        float rstd = 1 / sqrtf(ss + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * d[j] * in[j] * rstd;
            dgamma[j] += d[j] * in[j] * rstd;
        }
        dot /= features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * d[j] - in[j] * rstd * dot);
    }
}

/* ---- mistake: mean_square_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float ss = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float dot = 0;
        const float *in = x + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        ss /= features;
        float rstd = 1 / sqrtf(ss + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * d[j] * in[j] * rstd;
            dgamma[j] += d[j] * in[j] * rstd;
        }
        dot /= features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * d[j] - in[j] * rstd * dot);
    }
}

/* ---- mistake: rms_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float ss = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float dot = 0;
        const float *in = x + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        ss = sqrtf(ss / features + eps);
        float rstd = 1 / ss;
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * d[j] * in[j] * rstd;
            dgamma[j] += d[j] * in[j] * rstd;
        }
        dot /= features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * d[j] - in[j] * rstd * dot);
    }
}

/* ---- mistake: sum_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float ss = 0, dot = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * d[j] * in[j] * rstd;
            dgamma[j] += d[j] * in[j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * d[j] - in[j] * rstd * dot / features);
    }
}

/* ---- mistake: projection_mean_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float dot = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float ss = 0;
        const float *in = x + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * d[j] * in[j] * rstd;
            dgamma[j] += d[j] * in[j] * rstd;
        }
        dot /= features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * d[j] - in[j] * rstd * dot);
    }
}

/* ---- mistake: rstd_squared ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float ss = 0, dot = 0;
        const float *in = x + r * features, *d = dy + r * features;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * d[j] * in[j] * rstd;
            dgamma[j] += d[j] * in[j] * rstd;
        }
        dot /= features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * gamma[j] * d[j] - in[j] * rstd * dot;
    }
}

/* ---- mistake: projection_unfinished ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[r * features + j] * x[r * features + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0, i = r * features; j < features; j++, i++) {
            float hat = x[i] * rstd, g = gamma[j] * dy[i];
            dgamma[j] += dy[i] * hat;
            dot += g * hat;
            dx[i] = rstd * (g - hat * dot / features);
        }
    }
}
