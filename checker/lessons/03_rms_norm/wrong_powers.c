/* Mistakes in rms_norm_backward as learners write them: in dx's powers of rstd, layer norm's
 * extra term, two slips of C; then pairs of mistakes. See wrong.c. */

/* ---- mistake: rstd_squared ---- */
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
            dot += gamma[j] * dy[at + j] * x[at + j];
        }
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dx[at + j] = rstd * gamma[j] * dy[at + j] - rstd * rstd * x[at + j] * dot / features;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
    }
}

/* ---- mistake: rstd_once ---- */
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
            dot += gamma[j] * dy[at + j] * x[at + j];
        }
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * dot / features);
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
    }
}

/* ---- mistake: rstd_left_out ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, mean = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            mean += gamma[j] * dy[at + j] * x[at + j] * rstd / features;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = gamma[j] * dy[at + j] - x[at + j] * rstd * mean;
    }
}

/* ---- mistake: mean_of_g_subtracted ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, mean_g = 0, mean_gh = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            mean_g += gamma[j] * dy[at + j];
            mean_gh += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        mean_g /= features;
        mean_gh /= features;
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - mean_g - x[at + j] * rstd * mean_gh);
    }
}

/* ---- mistake: integer_division ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0, each = 1 / features;
        for (int j = 0; j < features; j++)
            ss += each * x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: first_row_repeated ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[j] * x[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[j] * x[j] * rstd;
            dgamma[j] += dy[j] * x[j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * dy[j] - x[j] * rstd * dot / features);
    }
}

/* ---- mistake: dgamma_averaged + dgamma_without_rstd ---- */
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
            dot += gamma[j] * dy[at + j] * x[at + j];
            dgamma[j] += dy[at + j] * x[at + j];
        }
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * gamma[j] * dy[at + j] - powf(rstd, 3) * x[at + j] * dot / features;
    }
    for (int j = 0; j < features; j++)
        dgamma[j] /= rows;
}

/* ---- mistake: gamma_not_in_sum + projection_not_divided ---- */
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
            sum += dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * sum);
    }
}

/* ---- mistake: mean_of_g_subtracted + projection_sign ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        double ss = 0, mean_g = 0, mean_gh = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        double rstd = 1 / sqrt(ss / features + eps);
        for (int j = 0; j < features; j++) {
            mean_g += gamma[j] * dy[at + j] / features;
            mean_gh += gamma[j] * dy[at + j] * x[at + j] * rstd / features;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - mean_g + x[at + j] * rstd * mean_gh);
    }
}
