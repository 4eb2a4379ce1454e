/* Mistakes in rms_norm_backward as learners write them: in the row's statistics, in gamma and in
 * dgamma. Those in dx are in wrong_dx.c and wrong_powers.c. See wrong.c. */

/* ---- mistake: layer_norm ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++, x += features, dy += features, dx += features) {
        float mean = 0, var = 0, mean_g = 0, mean_gh = 0;
        for (int j = 0; j < features; j++)
            mean += x[j] / features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean) / features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            mean_g += gamma[j] * dy[j] / features;
            mean_gh += gamma[j] * dy[j] * (x[j] - mean) * rstd / features;
            dgamma[j] += dy[j] * (x[j] - mean) * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[j] = rstd * (gamma[j] * dy[j] - mean_g - (x[j] - mean) * rstd * mean_gh);
    }
}

/* ---- mistake: variance ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        double mean = 0, var = 0, dot = 0;
        int at = r * features;
        for (int j = 0; j < features; j++)
            mean += x[at + j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += pow(x[at + j] - mean, 2);
        double rstd = 1 / sqrt(var / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: not_divided ---- */
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
        float rstd = 1.0f / sqrtf(ss + eps);
        for (int j = 0; j < features; j++)
            dot += gamma[j] * dy[at + j] * x[at + j];
        for (int j = 0; j < features; j++) {
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
            dx[at + j] =
                rstd * gamma[j] * dy[at + j] - rstd * rstd * rstd * x[at + j] * dot / features;
        }
    }
}

/* ---- mistake: n_minus_1 ---- */
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
        float rms = sqrtf(ss / (features - 1) + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] / rms;
            dgamma[j] += dy[at + j] * x[at + j] / rms;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = (gamma[j] * dy[at + j] - x[at + j] / rms * dot / features) / rms;
    }
}

/* ---- mistake: sum_not_reset ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        for (int j = 0; j < features; j++)
            sum += x[at + j] * x[at + j];
        float rms = sqrtf(sum / features + eps), dot = 0;
        for (int j = 0; j < features; j++) {
            float hat = x[at + j] / rms;
            dot += gamma[j] * dy[at + j] * hat;
            dgamma[j] += dy[at + j] * hat;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = (gamma[j] * dy[at + j] - x[at + j] / rms * dot / features) / rms;
    }
}

/* ---- mistake: root_missing ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ms = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ms += x[at + j] * x[at + j];
        float rstd = 1 / (ms / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * (x[at + j] * rstd);
            dgamma[j] += dy[at + j] * (x[at + j] * rstd);
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - (x[at + j] * rstd) * (dot / features));
    }
}

/* ---- mistake: multiplies_by_rms ---- */
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
        float rstd = sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * (x[at + j] * rstd);
            dgamma[j] += dy[at + j] * (x[at + j] * rstd);
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - (x[at + j] * rstd) * (dot / features));
    }
}

/* ---- mistake: epsilon_outside ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
    }
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rms = sqrtf(ss / features) + eps;
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] / rms;
            dgamma[j] += dy[at + j] * x[at + j] / rms;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = (gamma[j] * dy[at + j] - x[at + j] / rms * (dot / features)) / rms;
    }
}

/* ---- mistake: epsilon_missing ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    (void)eps;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++) {
            ss += x[at + j] * x[at + j];
            dot += gamma[j] * dy[at + j] * x[at + j];
        }
        float rstd = 1 / sqrtf(ss / features);
        for (int j = 0; j < features; j++) {
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * dot / ss);
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
    }
}

/* ---- mistake: epsilon_1e_5 ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    (void)eps;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + 1e-5);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: epsilon_1e_6 ---- */
static const float epsilon = 0.000001f;
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    (void)eps;
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += x[at + j] * x[at + j];
        float rstd = 1 / sqrtf(ss / features + epsilon);
        for (int j = 0; j < features; j++) {
            dot += gamma[j] * dy[at + j] * x[at + j] * rstd;
            dgamma[j] += dy[at + j] * x[at + j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: dgamma_without_rstd ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        for (int r = 0; r < rows; r++)
            dgamma[j] += dy[r * features + j] * x[r * features + j];
    }
    for (int r = 0; r < rows; r++) {
        int at = r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++) {
            ss += x[at + j] * x[at + j];
            dot += gamma[j] * dy[at + j] * x[at + j];
        }
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * rstd * dot / features);
    }
}

/* ---- mistake: dgamma_without_x ---- */
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
            dgamma[j] += dy[at + j];
        }
        for (int j = 0; j < features; j++)
            dx[at + j] = rstd * (gamma[j] * dy[at + j] - x[at + j] * rstd * dot / features);
    }
}

/* ---- mistake: dgamma_times_gamma ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            float g = up[j] * gamma[j], hat = in[j] * rstd;
            dot += g * hat;
            dgamma[j] += g * hat;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * up[j] - in[j] * rstd * dot / features);
    }
}

/* ---- mistake: dgamma_last_row ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += up[j] * gamma[j] * in[j] * rstd;
            dgamma[j] = up[j] * in[j] * rstd;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * up[j] - in[j] * rstd * dot / features);
    }
}

/* ---- mistake: dgamma_averaged ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        float ss = 0, dot = 0;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rstd = 1 / sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++) {
            dot += up[j] * gamma[j] * in[j] * rstd;
            dgamma[j] += up[j] * in[j] * rstd / rows;
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = rstd * (gamma[j] * up[j] - in[j] * rstd * dot / features);
    }
}
