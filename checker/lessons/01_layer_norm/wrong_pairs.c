/* Two mistakes at once, as learners make them. See wrong.c. */

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
        float mean = row_mean(x, features), var = 0;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        float std = sqrtf(var / (features - 1));
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / (std + eps) + beta[j];
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

/* ---- mistake: gamma_missing + beta_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float std = sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = (x[j] - mean) / std;
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

/* ---- mistake: mean_not_reset + variance_not_reset ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    float mean = 0, var = 0;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}
