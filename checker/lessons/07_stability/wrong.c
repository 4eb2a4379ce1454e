/* What lesson 07 names, and slips that it does not ("nothing"), as learners write them in a way
 * that is not the solution's; see wrong.txt for the others. */

/* ---- mistake: cancellation ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            sum += x[r * features + j];
            squares += x[r * features + j] * x[r * features + j];
        }
        mean[r] = sum / features;
        variance[r] = squares / features - mean[r] * mean[r];
    }
}

/* ---- mistake: cancellation ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float square_a = variance_a[r] + mean_a[r] * mean_a[r];
        float square_b = variance_b[r] + mean_b[r] * mean_b[r];
        mean[r] = (mean_a[r] * features_a + mean_b[r] * features_b) / n;
        variance[r] = (square_a * features_a + square_b * features_b) / n - mean[r] * mean[r];
    }
}

/* ---- mistake: squares_not_scaled ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float m = 0, v = 0;
        int equal = isfinite(row[0]);
        for (int j = 0; j < features; j++)
            m += row[j] / features, equal = equal && row[j] == row[0];
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m) / features;
        for (int j = 0; j < features; j++)
            out[j] = equal ? beta[j] : gamma[j] * (row[j] - m) / sqrtf(v + eps) + beta[j];
    }
}

/* ---- mistake: squares_not_scaled ---- */
/* lesson 01 as it is: rows of equal numbers are not seen to yet */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float mean = 0, variance = 0;
        for (int j = 0; j < features; j++)
            mean += row[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            variance += (row[j] - mean) * (row[j] - mean);
        variance /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(variance + eps) + beta[j];
    }
}

/* ---- mistake: squares_not_scaled + tiny_is_equal ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float m = 0, v = 0;
        int equal = isfinite(row[0]);
        for (int j = 0; j < features; j++)
            m += row[j] / features, equal = equal && row[j] == row[0];
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m) / features;
        for (int j = 0; j < features; j++)
            out[j] = equal || v == 0 ? beta[j] : gamma[j] * (row[j] - m) / sqrtf(v + eps) + beta[j];
    }
}

/* ---- mistake: epsilon_not_scaled ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float unit = 0, sum = 0, squares = 0;
        int equal = 1;
        for (int j = 0; j < features; j++) {
            unit = fmaxf(unit, fabsf(row[j]));
            equal = equal && row[j] == row[0] && isfinite(row[0]);
        }
        for (int j = 0; j < features; j++)
            sum += row[j] / unit;
        float m = sum / features;
        for (int j = 0; j < features; j++)
            squares += (row[j] / unit - m) * (row[j] / unit - m);
        float sd = sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++)
            out[j] = equal ? beta[j] : gamma[j] * (row[j] / unit - m) / sd + beta[j];
    }
}

/* ---- mistake: tiny_is_equal ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += row[j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m) / features;
        for (int j = 0; j < features; j++)
            out[j] =
                v < 1e-12 ? beta[j] : gamma[j] * (float)((row[j] - m) / sqrt(v + eps)) + beta[j];
    }
}

/* ---- mistake: nothing ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float unit = sqrtf(eps), sum = 0, squares = 0;
        int equal = 1;
        for (int j = 0; j < features; j++) {
            unit = fmaxf(unit, fabsf(row[j]));
            equal = equal && row[j] == row[0];
        }
        for (int j = 0; j < features; j++)
            sum += row[j] / unit;
        float m = sum / features;
        for (int j = 0; j < features; j++)
            squares += (row[j] / unit - m) * (row[j] / unit - m);
        float sd = sqrtf(squares / features + eps / unit / unit);
        for (int j = 0; j < features; j++)
            out[j] = equal ? beta[j] : gamma[j] * (row[j] / unit - m) / sd + beta[j];
    }
}

/* ---- mistake: nothing ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int i = 0; i < rows * features; i++)
        if (!isfinite(x[i])) {
            for (int k = 0; k < rows * features; k++)
                y[k] = NAN;
            return;
        }
    solution_layer_norm_wide(y, x, gamma, beta, rows, features, eps);
}

/* ---- mistake: nothing ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    float copy[rows * features];
    for (int i = 0; i < rows * features; i++)
        copy[i] = isfinite(x[i]) ? x[i] : 0;
    solution_layer_norm_wide(y, copy, gamma, beta, rows, features, eps);
}
