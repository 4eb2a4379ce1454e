/* The mistakes in mean and variance that lesson 01 names, as learners write them; those of the
 * formula are in wrong_formula.c. A test builds each section in place of the solution's functions
 * and demands that exactly this mistake is named. Nothing here comes from the oracle: the two agree
 * only because both do the same thing wrong. */

/* ---- mistake: sum_not_divided ---- */
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += x[i];
    return sum;
}

/* ---- mistake: sum_not_divided ---- */
float row_mean(const float *x, int features)
{
    float mean = 0.0f;
    for (int i = 0; i < features; ++i) {
        mean = mean + x[i];
    }
    return mean;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(&x[r * features], features);
        float var = row_variance(&x[r * features], features, mean);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            y[i] = gamma[j] * (x[i] - mean) / sqrtf(var + eps) + beta[j];
        }
    }
}

/* ---- mistake: mean_by_n_minus_1 ---- */
float row_mean(const float *x, int features)
{
    double total = 0;
    for (int i = 0; i < features; i++)
        total += x[i];
    return total / (features - 1);
}

/* ---- mistake: mean_by_n_minus_1 ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features - 1;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = (in[j] - mean) / sqrtf(var + eps) * gamma[j] + beta[j];
    }
}

/* ---- mistake: mean_misses_last ---- */
float row_mean(const float *x, int features)
{
    float sum = 0.0f;
    for (int j = 0; j < features - 1; j++)
        sum += x[j];
    return sum / features;
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
        float rstd = 1.0f / sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (x[r * features + j] - mean) * rstd * gamma[j] + beta[j];
    }
}

/* ---- mistake: mean_misses_first ---- */
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int i = 1; i < features; i++)
        sum += x[i];
    return sum / (float)features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x, features);
        float deviation = sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            *y++ = gamma[j] * (*x++ - mean) / deviation + beta[j];
    }
}

/* ---- mistake: mean_in_int ---- */
float row_mean(const float *x, int features)
{
    int sum = 0;
    for (int i = 0; i < features; i++)
        sum += x[i];
    return (float)sum / features;
}

/* ---- mistake: mean_in_int ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        int total = 0;
        for (int j = 0; j < features; j++)
            total = total + in[j];
        float mean = total / (float)features;
        float std = sqrtf(row_variance(in, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (in[j] - mean) / std * gamma[j] + beta[j];
    }
}

/* ---- mistake: mean_of_ints ---- */
float row_mean(const float *x, int features)
{
    int sum = 0;
    for (int i = 0; i < features; i++)
        sum += x[i];
    return sum / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float variance = row_variance(x + r * features, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(variance + eps) + beta[j];
    }
}

/* ---- mistake: mean_reciprocal ---- */
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += x[i];
    return 1 / features * sum;
}

/* ---- mistake: mean_reciprocal ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    const float each = 1 / features;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = 0;
        for (int j = 0; j < features; j++)
            mean += each * x[j];
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: n_minus_1 ---- */
float row_variance(const float *x, int features, float mean)
{
    float var = 0;
    for (int i = 0; i < features; i++)
        var += powf(x[i] - mean, 2);
    return var / (features - 1);
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

/* ---- mistake: variance_not_divided ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i < features; i++) {
        float d = x[i] - mean;
        sum += d * d;
    }
    return sum;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = row_mean(x + r * features, features);
        float v = row_variance(x + r * features, features, m);
        for (int c = 0; c < features; c++)
            y[r * features + c] = gamma[c] * ((x[r * features + c] - m) / sqrt(v + eps)) + beta[c];
    }
}

/* ---- mistake: variance_misses_last ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i <= features - 2; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = row_mean(x + r * features, features);
        float s = sqrtf(row_variance(x + r * features, features, m) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - m) / s + beta[j];
    }
}

/* ---- mistake: variance_reciprocal ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return (1 / features) * sum;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: variance_is_std ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrtf(sum / features);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *xr = x + r * features;
        float mean = row_mean(xr, features);
        float rstd = 1.0f / sqrtf(row_variance(xr, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (xr[j] - mean) * rstd * gamma[j] + beta[j];
    }
}

/* ---- mistake: variance_own_mean ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    mean = 0;
    for (int i = 0; i < features; i++)
        mean += x[i];
    mean /= features;
    for (int i = 0; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / features;
}

/* ---- mistake: variance_about_zero ---- */
float row_variance(const float *x, int features, float mean)
{
    float squares = 0;
    for (int i = 0; i < features; i++)
        squares += x[i] * x[i];
    return squares / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float var = row_variance(x + r * features, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] =
                gamma[j] * (x[r * features + j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: variance_absolute ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += fabsf(x[i] - mean);
    return sum / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float var = row_variance(x + r * features, features, mean);
        float std = sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / std + beta[j];
    }
}

/* ---- mistake: cancellation ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum_of_squares = 0;
    for (int i = 0; i < features; i++)
        sum_of_squares += x[i] * x[i];
    return sum_of_squares / features - mean * mean;
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
