/* The mistakes in the forward pass that lesson 02 names, as learners write them; those in the
 * backward pass are in the other wrong_*.c. A test builds each section in place of the solution's
 * functions and demands that exactly this mistake is named. Nothing here comes from the oracles:
 * the two agree only because both do the same thing wrong. */

/* ---- mistake: mean_not_divided ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m);
        v /= features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - m) * rstd[r] + beta[j];
    }
}

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

/* ---- mistake: root_missing ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float m = 0.f, var = 0.f;
        for (int j = 0; j < features; j++)
            m += x[j] / features;
        for (int j = 0; j < features; j++)
            var += (x[j] - m) * (x[j] - m) / features;
        mean[r] = m;
        rstd[r] = 1.f / (var + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * ((x[j] - m) * rstd[r]) + beta[j];
    }
}

/* ---- mistake: epsilon_outside ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int i = 0; i < rows; i++) {
        float sum = 0, sq = 0;
        for (int j = 0; j < features; j++)
            sum += x[i * features + j];
        mean[i] = sum / features;
        for (int j = 0; j < features; j++) {
            float d = x[i * features + j] - mean[i];
            sq += d * d;
        }
        float std = sqrtf(sq / features);
        rstd[i] = 1.0f / (std + eps);
        for (int j = 0; j < features; j++)
            y[i * features + j] =
                (x[i * features + j] - mean[i]) / (std + eps) * gamma[j] + beta[j];
    }
}

/* ---- mistake: epsilon_missing ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    (void)eps;
    for (int i = 0; i < rows; i++) {
        float sum = 0, sq = 0;
        for (int j = 0; j < features; j++)
            sum += x[i * features + j];
        mean[i] = sum / features;
        for (int j = 0; j < features; j++)
            sq += powf(x[i * features + j] - mean[i], 2);
        rstd[i] = 1.0f / sqrtf(sq / features);
        for (int j = 0; j < features; j++)
            y[i * features + j] = gamma[j] * (x[i * features + j] - mean[i]) * rstd[i] + beta[j];
    }
}

/* ---- mistake: epsilon_fixed ---- */
#define EPSILON 1e-5f
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int i = 0; i < rows; i++) {
        float sum = 0, sq = 0;
        for (int j = 0; j < features; j++)
            sum += x[i * features + j];
        mean[i] = sum / features;
        for (int j = 0; j < features; j++)
            sq += (x[i * features + j] - mean[i]) * (x[i * features + j] - mean[i]);
        rstd[i] = 1.0f / sqrtf(sq / features + EPSILON);
        for (int j = 0; j < features; j++)
            y[i * features + j] = gamma[j] * (x[i * features + j] - mean[i]) * rstd[i] + beta[j];
    }
}

/* ---- mistake: saves_variance ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float mu = 0, var = 0;
        for (int j = 0; j < features; j++)
            mu += in[j];
        mu /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mu) * (in[j] - mu);
        var /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mu) / sqrtf(var + eps) + beta[j];
        mean[r] = mu;
        rstd[r] = var;
    }
}

/* ---- mistake: saves_std ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float mu = 0, var = 0;
        for (int j = 0; j < features; j++)
            mu += in[j];
        mu /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mu) * (in[j] - mu);
        mean[r] = mu;
        rstd[r] = sqrtf(var / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mu) / rstd[r] + beta[j];
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

/* ---- mistake: gamma_missing ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    (void)gamma;
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m);
        mean[r] = m;
        rstd[r] = 1 / sqrt(v / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (x[r * features + j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: beta_missing ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m);
        mean[r] = m;
        rstd[r] = 1 / sqrt(v / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean[r]) * rstd[r];
    }
}

/* ---- mistake: gamma_missing + beta_missing ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m);
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (x[r * features + j] - m) * rstd[r]; /* xhat */
    }
}

/* ---- mistake: sum_not_reset ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    float sum = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++)
            sum += x[r * features + j];
        mean[r] = sum / features;
        for (int j = 0; j < features; j++)
            squares += (x[r * features + j] - mean[r]) * (x[r * features + j] - mean[r]);
        rstd[r] = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean[r]) * rstd[r] + beta[j];
    }
}

/* ---- mistake: rstd_taken_for_std ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += in[j] / features;
        for (int j = 0; j < features; j++)
            v += (in[j] - m) * (in[j] - m) / features;
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (in[j] - m) / rstd[r] * gamma[j] + beta[j];
    }
}

/* ---- mistake: mean_reciprocal ---- */
void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += 1 / features * in[j];
        for (int j = 0; j < features; j++)
            v += 1 / features * (in[j] - m) * (in[j] - m);
        mean[r] = m;
        rstd[r] = 1 / sqrtf(v + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (in[j] - m) * rstd[r] * gamma[j] + beta[j];
    }
}
