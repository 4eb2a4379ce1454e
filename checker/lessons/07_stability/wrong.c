/* Mistakes of lesson 07 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

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
