/* The mistakes in the mean that lesson 01 names, as learners write them; the others are in
 * wrong_variance.c, wrong_formula.c and wrong_pairs.c. A test builds each section in place of the
 * solution's functions and demands that exactly this mistake is named. Nothing here comes from the
 * oracle: the two agree only because both do the same thing wrong. */

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

/* ---- mistake: mean_cut ---- */
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += x[i];
    int mean = sum / features;
    return mean;
}

/* ---- mistake: mean_cut ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        int mean = row_mean(x, features);
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
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
