/* The mistakes that lesson 01 names, in the ways of learners that are no small change of the
 * solution; those that are one stand in wrong.txt. A test builds each section in place of the
 * solution's functions and demands that exactly this mistake is named. Nothing here comes from the
 * oracle: the two agree only because both do the same thing wrong. */

/* ---- mistake: mean_by_n_minus_1 ---- */
float row_mean(const float *x, int features)
{
    double total = 0;
    for (const float *end = x + features; x < end; x++)
        total += *x;
    return total / (features - 1);
}

/* ---- mistake: mean_misses_last ---- */
static float mean_of(const float *v, int n)
{
    float s = 0.0f;
    int i = 0;
    while (i + 1 < n) {
        s += v[i];
        i++;
    }
    return s / n;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = mean_of(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            *y++ = (x[r * features + j] - mean) / std * gamma[j] + beta[j];
    }
}

/* ---- mistake: n_minus_1 ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = 0.0f;
        float m2 = 0.0f;
        for (int j = 0; j < features; j++) {
            float delta = x[r * features + j] - mean;
            mean += delta / (j + 1);
            m2 += delta * (x[r * features + j] - mean);
        }
        float scale = 1.0f / sqrtf(m2 / (features - 1) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) * scale + beta[j];
    }
}

/* ---- mistake: variance_own_mean ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    mean = 0;
    for (int i = 0; i < features; i++)
        mean += x[i] / features;
    for (int i = 0; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / features;
}

/* ---- mistake: cancellation ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float *out = y + r * features;
        float s1 = 0, s2 = 0;
        for (int j = 0; j < features; j++) {
            s1 += in[j];
            s2 += in[j] * in[j];
        }
        float mean = s1 / features;
        float rstd = 1 / sqrtf(s2 / features - mean * mean + eps);
        for (int j = 0; j < features; j++)
            out[j] = (in[j] - mean) * rstd * gamma[j] + beta[j];
    }
}

/* ---- mistake: statistics_per_feature ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < rows; r++)
            mean += x[r * features + j] / rows;
        for (int r = 0; r < rows; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean) / rows;
        for (int r = 0; r < rows; r++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: statistics_of_all ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    float mean = row_mean(x, rows * features);
    float std = sqrtf(row_variance(x, rows * features, mean) + eps);
    for (int i = 0; i < rows * features; i++)
        y[i] = gamma[i % features] * (x[i] - mean) / std + beta[i % features];
}

/* ---- mistake: mean_misses_last + variance_misses_last ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    int last = features - 1;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = 0, var = 0;
        for (int j = 0; j < last; j++)
            mean += x[j] / features;
        for (int j = 0; j < last; j++)
            var += (x[j] - mean) * (x[j] - mean) / features;
        for (int j = 0; j <= last; j++)
            y[j] = gamma[j] * (x[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: n_minus_1 + epsilon_outside ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        double mean = row_mean(x, features), var = 0;
        for (int j = 0; j < features; j++)
            var += pow(x[j] - mean, 2);
        double std = sqrt(var / (features - 1)) + eps;
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / std + beta[j];
    }
}

/* ---- mistake: n_minus_1 + statistics_per_feature ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float mean = 0, var = 0;
        for (int r = 0; r < rows; r++)
            mean += x[r * features + j];
        mean /= rows;
        for (int r = 0; r < rows; r++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        var /= rows - 1;
        for (int r = 0; r < rows; r++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: variance_not_divided + epsilon_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features), norm = 0;
        for (int j = 0; j < features; j++)
            norm += (x[j] - mean) * (x[j] - mean);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / sqrtf(norm) + beta[j];
    }
}
