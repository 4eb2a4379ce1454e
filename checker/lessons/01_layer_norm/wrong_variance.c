/* The mistakes in the variance that lesson 01 names, as learners write them. See wrong.c. */

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
