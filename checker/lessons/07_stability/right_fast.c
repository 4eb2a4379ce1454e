/* A right answer for lesson 07 that is fast: several sums side by side. See right.c. */

/* ---- style: four recurrences side by side, merged at the end; a factor in place of ldexp ---- */
static void join(float *n, float *mean, float *squares, float n_b, float mean_b, float squares_b)
{
    float both = *n + n_b, apart = mean_b - *mean;
    if (n_b == 0)
        return;
    *squares += squares_b + apart * apart * (*n / both) * n_b;
    *mean += apart * (n_b / both);
    *n = both;
}

void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features;
        float n[4] = {0}, m[4] = {0}, squares[4] = {0};
        int j = 0;
        for (; j + 4 <= features; j += 4) {
            float part = 1.0f / (j / 4 + 1);
            for (int k = 0; k < 4; k++) {
                float d = row[j + k] - m[k];
                m[k] += d * part;
                squares[k] += d * (row[j + k] - m[k]);
            }
        }
        for (int k = 0; k < 4; k++)
            n[k] = j / 4;
        if (j == 0) {
            n[0] = 1;
            m[0] = row[j++];
        }
        for (; j < features; j++)
            join(&n[0], &m[0], &squares[0], 1, row[j], 0);
        for (int k = 1; k < 4; k++)
            join(&n[0], &m[0], &squares[0], n[k], m[k], squares[k]);
        mean[r] = m[0];
        variance[r] = squares[0] / n[0];
    }
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features;
        float *out = y + (size_t)r * features;
        double sum[4] = {0}, squares[4] = {0};
        int j = 0;
        for (; j + 4 <= features; j += 4)
            for (int k = 0; k < 4; k++)
                sum[k] += row[j + k];
        for (; j < features; j++)
            sum[0] += row[j];
        double m = (sum[0] + sum[1] + sum[2] + sum[3]) / features;
        for (j = 0; j + 4 <= features; j += 4)
            for (int k = 0; k < 4; k++)
                squares[k] += (row[j + k] - m) * (row[j + k] - m);
        for (; j < features; j++)
            squares[0] += (row[j] - m) * (row[j] - m);
        double v = squares[0] + squares[1] + squares[2] + squares[3];
        double factor = v == 0 ? 0 : 1 / sqrt(v / features + eps);
        for (j = 0; j < features; j++)
            out[j] = gamma[j] * (float)((row[j] - m) * factor) + beta[j];
    }
}
