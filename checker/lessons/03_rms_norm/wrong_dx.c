/* Mistakes in rms_norm_backward as learners write them: in the gammas and in the two terms of dx.
 * See wrong.c. */

/* ---- mistake: gamma_missing ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    (void)gamma;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: gamma_plus_one ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += (gamma[j] + 1) * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * ((gamma[j] + 1) * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: gamma_first_only ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++) {
            ss += x[at + j] * x[at + j];
            dot += dy[at + j] * x[at + j];
        }
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dx[at + j] = *gamma * rstd * (dy[at + j] - x[at + j] * rstd * rstd * dot / features);
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
    }
}

/* ---- mistake: gamma_not_in_sum ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, sum = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            float share = dy[at + j] * (x[at + j] * rstd);
            sum += share;
            dgamma[j] += share;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * sum / features);
    }
}

/* ---- mistake: gamma_not_in_first ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j];
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * dy[at + j] - powf(rstd, 3) * x[at + j] * dot / features;
    }
}

/* ---- mistake: gamma_outside ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = gamma[j] * rstd * (dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: projection_missing ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float ss = 0;
        for (int j = 0; j < features; j++)
            ss += x[r * features + j] * x[r * features + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dx[r * features + j] = dy[r * features + j] * gamma[j] * rstd;
            dgamma[j] += dy[r * features + j] * x[r * features + j] * rstd;
        }
    }
}

/* ---- mistake: projection_sign ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] + x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: projection_not_divided ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rms = sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j];
            dgamma[j] += dy[at + j] * x[at + j] / rms;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = gamma[j] * dy[at + j] / rms - x[at + j] * dot / (rms * rms * rms);
    }
}

/* ---- mistake: projection_without_epsilon ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float xx = 0, xg = 0;
        for (int j = 0; j < features; j++) {
            xx += x[at + j] * x[at + j];
            xg += x[at + j] * gamma[j] * dy[at + j];
        }
        float rstd = 1 / sqrtf(xx / features + eps);
        for (int j = 0; j < features; j++) {
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * xg / xx);
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
    }
}

/* ---- mistake: projection_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float dot = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: rstd_squared ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * dot / features);
    }
}
