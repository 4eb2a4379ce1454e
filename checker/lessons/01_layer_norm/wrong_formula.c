/* The mistakes in layer_norm's formula that lesson 01 names, as learners write them. See
 * wrong.c. */

/* ---- mistake: epsilon_outside ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean));
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / (std + eps) + beta[j];
    }
}

/* ---- mistake: epsilon_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    (void)eps;
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean));
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / std + beta[j];
    }
}

/* ---- mistake: epsilon_fixed ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    eps = 1e-5;
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / std + beta[j];
    }
}

/* ---- mistake: divide_by_variance ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float var = row_variance(x + r * features, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / (var + eps) + beta[j];
    }
}

/* ---- mistake: multiply_by_std ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float rstd = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: division_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float var = row_variance(x + r * features, features, mean);
        float std = powf(var + eps, 1 / 2);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / std + beta[j];
    }
}

/* ---- mistake: gamma_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    (void)gamma;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: beta_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    (void)beta;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = (x[j] - mean) * rstd * gamma[j];
    }
}

/* ---- mistake: gamma_beta_swapped ---- */
void layer_norm(float *y, const float *x, const float *beta, const float *gamma, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = (x[j] - mean) * rstd * gamma[j] + beta[j];
    }
}

/* ---- mistake: gamma_first_only + beta_first_only ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = *gamma * (x[r * features + j] - mean) / std + *beta;
    }
}

/* ---- mistake: gamma_by_row ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float mean = row_mean(row, features);
        float rstd = 1.0f / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[r] * (row[j] - mean) * rstd + beta[r];
    }
}

/* ---- mistake: beta_inside ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * ((x[r * features + j] - mean) / std + beta[j]);
    }
}

/* ---- mistake: mean_not_subtracted ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * x[r * features + j] / std + beta[j];
    }
}

/* ---- mistake: parentheses_missing ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++) {
            float normalized = x[r * features + j] - mean / std;
            y[r * features + j] = gamma[j] * normalized + beta[j];
        }
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

/* ---- mistake: statistics_of_first_row ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x, features);
        float std = sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / std + beta[j];
    }
}

/* ---- mistake: first_row_again ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x, features);
        float std = sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[j] - mean) / std + beta[j];
    }
}

/* ---- mistake: rows_overlap ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = &x[r];
        float mean = row_mean(row, features);
        float rstd = 1.0f / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: row_stride ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * rows;
        float mean = row_mean(row, features);
        float rstd = 1.0f / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: sum_not_reset ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    float sum = 0;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        for (int j = 0; j < features; j++)
            sum += x[j];
        float mean = sum / features;
        float var = row_variance(x, features, mean);
        float rstd = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: mean_not_reset ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    float mean = 0;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        float var = row_variance(x, features, mean);
        float rstd = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: squares_not_reset ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    float squares = 0;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        for (int j = 0; j < features; j++)
            squares += (x[j] - mean) * (x[j] - mean);
        float var = squares / features;
        float rstd = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: variance_not_reset ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    float var = 0;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}

/* ---- mistake: circulating_formula ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float var = row_variance(row, features, row_mean(row, features));
        for (int j = 0; j < features; j++)
            y[r * features + j] = (row[j] + eps) / (sqrtf(var) + eps) * gamma[j] + beta[j];
    }
}
