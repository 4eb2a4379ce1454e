/* The mistakes in rms_norm that lesson 03 names, as learners write them, and pairs of them; those
 * in the backward pass are in wrong_backward.c. A test builds each section in place of the
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

/* ---- mistake: variance ---- */
static float variance(const float *v, int n)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < n; i++)
        mean += v[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        sum += (v[i] - mean) * (v[i] - mean);
    return (float)(sum / n);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float scale = 1 / sqrtf(variance(&x[r * features], features) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] * scale * gamma[j];
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

/* ---- mistake: not_divided ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; ++r) {
        const float *row = x + r * features;
        float ss = 0;
        for (int j = 0; j < features; ++j)
            ss += row[j] * row[j];
        float inv = 1.0f / sqrtf(ss + eps);
        for (int j = 0; j < features; ++j)
            y[r * features + j] = gamma[j] * (inv * row[j]);
    }
}

/* ---- mistake: n_minus_1 ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float ss = 0;
        for (int j = 0; j < features; j++)
            ss += powf(x[r * features + j], 2);
        ss /= features - 1;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / sqrtf(ss + eps);
    }
}

/* ---- mistake: integer_division ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float ss = 0;
        for (int j = 0; j < features; j++)
            ss += in[j] * in[j];
        float rms = sqrtf(1 / features * ss + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = in[j] / rms * gamma[j];
    }
}

/* ---- mistake: sum_not_reset ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
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

/* ---- mistake: statistics_of_first_row ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float ss = 0;
    for (int j = 0; j < features; j++)
        ss += x[j] * x[j];
    float rms = sqrtf(ss / features + eps);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
}

/* ---- mistake: first_row_repeated ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float ss = 0;
        for (int j = 0; j < features; j++)
            ss += x[j] * x[j];
        float rms = sqrtf(ss / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[j] / rms;
    }
}

/* ---- mistake: root_missing ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float ms = 0;
        for (int j = 0; j < features; j++)
            ms += x[r * features + j] * x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / (ms + eps);
    }
}

/* ---- mistake: multiplies_by_rms ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rstd = sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] * rstd * gamma[j];
    }
}

/* ---- mistake: epsilon_outside ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(sum / features) + eps;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
    }
}

/* ---- mistake: epsilon_missing ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    (void)eps;
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int j = 0; j < features; j++)
            sum += (double)x[r * features + j] * x[r * features + j];
        double rms = sqrt(sum / features);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (float)(gamma[j] * x[r * features + j] / rms);
    }
}

/* ---- mistake: epsilon_1e_5 ---- */
#define EPS 1e-5f
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    (void)eps;
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(sum / features + EPS);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
    }
}

/* ---- mistake: epsilon_1e_6 ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    eps = 1e-6;
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
    }
}

/* ---- mistake: gamma_missing ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    (void)gamma;
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] / sqrtf(sum / features + eps);
    }
}

/* ---- mistake: gamma_plus_one ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (1.0f + gamma[j]) * x[r * features + j] / rms;
    }
}

/* ---- mistake: gamma_first_only ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float scale = *gamma / sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = scale * x[r * features + j];
    }
}

/* ---- mistake: not_divided + epsilon_outside ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float norm = 0;
        for (int j = 0; j < features; j++)
            norm += x[r * features + j] * x[r * features + j];
        norm = sqrtf(norm) + eps;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / norm;
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

/* ---- mistake: sum_not_reset + n_minus_1 ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++)
            sum += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(sum / (features - 1) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
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
