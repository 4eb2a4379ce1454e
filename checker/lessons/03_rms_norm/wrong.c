/* The mistakes that lesson 03 names, in the ways of learners that are no small change of the
 * solution; those that are one stand in wrong.txt. A test builds each section in place of the
 * solution's functions and demands that exactly this mistake is named. Nothing here comes from the
 * oracle: the two agree only because both do the same thing wrong. */

/* ---- mistake: layer_norm ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean) / sqrtf(var + eps);
    }
}

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

/* ---- mistake: square_of_mean ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0.0f;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j];
        float mean = sum / features;
        float rms = sqrtf(mean * mean + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] / rms * gamma[j];
    }
}

/* ---- mistake: mean_absolute ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float total = 0.0f;
        for (int j = 0; j < features; j++)
            total += fabsf(x[r * features + j]);
        total = total / features + eps;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] / total);
    }
}

/* ---- mistake: statistics_of_all ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    int count = rows * features;
    double ss = 0;
    for (int i = 0; i < count; i++)
        ss += x[i] * x[i];
    float rms = sqrtf((float)(ss / count) + eps);
    for (int i = 0; i < count; i++)
        y[i] = gamma[i % features] * x[i] / rms;
}

/* ---- mistake: statistics_per_feature ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float ss = 0;
        for (int r = 0; r < rows; r++)
            ss += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(ss / rows + eps);
        for (int r = 0; r < rows; r++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
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

/* ---- mistake: layer_norm + gamma_missing ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    (void)gamma;
    for (int r = 0; r < rows; r++) {
        double mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[r * features + j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += pow(x[r * features + j] - mean, 2);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (x[r * features + j] - mean) / sqrt(var / features + eps);
    }
}

/* ---- mistake: statistics_of_all + gamma_plus_one ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float ss = 0;
    for (int i = 0; i < rows * features; i++)
        ss += x[i] * x[i];
    ss /= rows * features;
    for (int i = 0; i < rows * features; i++)
        y[i] = x[i] / sqrtf(ss + eps) * (1 + gamma[i % features]);
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
