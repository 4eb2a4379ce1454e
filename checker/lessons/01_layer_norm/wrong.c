/* Mistakes of lesson 01 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

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
