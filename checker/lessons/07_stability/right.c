/* Right answers for lesson 07 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double throughout, two passes ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m);
        mean[r] = m;
        variance[r] = v / features;
    }
}

void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    double a = features_a, b = features_b, n = a + b;
    for (int r = 0; r < rows; r++) {
        double d = (double)mean_b[r] - mean_a[r];
        mean[r] = (a * mean_a[r] + b * mean_b[r]) / n;
        variance[r] = (a * variance_a[r] + b * variance_b[r] + d * d * a * b / n) / n;
    }
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += row[j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += (row[j] - m) * (row[j] - m);
        if (v == 0) {
            for (int j = 0; j < features; j++)
                y[r * features + j] = beta[j];
            continue;
        }
        double rstd = 1 / sqrt(v / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * ((row[j] - m) * rstd) + beta[j];
    }
}

/* ---- style: a shifted sum in float; center first, then divide by the largest distance ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float d = row[j] - row[0];
            sum += d;
            squares += d * d;
        }
        float m = sum / features;
        mean[r] = row[0] + m;
        variance[r] = squares / features - m * m;
    }
}

void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float m = mean_a[r] * (features_a / n) + mean_b[r] * (features_b / n);
        float da = mean_a[r] - m, db = mean_b[r] - m;
        mean[r] = m;
        variance[r] = (variance_a[r] + da * da) * (features_a / n) +
                      (variance_b[r] + db * db) * (features_b / n);
    }
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        int equal = 1;
        float m = 0, largest = sqrtf(eps), v = 0;
        for (int j = 0; j < features; j++) {
            m += row[j] / features; /* the sum itself may be too large */
            equal = equal && row[j] == row[0] && isfinite(row[j]);
        }
        for (int j = 0; j < features; j++)
            largest = fmaxf(largest, fabsf(row[j] - m));
        for (int j = 0; j < features; j++) {
            float d = (row[j] - m) / largest;
            v += d * d;
        }
        float sd = sqrtf(v / features + eps / largest / largest);
        for (int j = 0; j < features; j++)
            out[j] = equal ? beta[j] : (row[j] - m) / largest / sd * gamma[j] + beta[j];
    }
}

/* ---- style: two passes in float; the largest number and ldexp ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0, squares = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j];
        mean[r] = sum / features;
        for (int j = 0; j < features; j++) {
            float d = x[r * features + j] - mean[r];
            squares += d * d;
        }
        variance[r] = squares / features;
    }
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float largest = 0, low = INFINITY, high = -INFINITY;
        const float *row = x + r * features;
        int bad = 0, power;
        for (int j = 0; j < features; j++) {
            bad |= isnan(row[j]) || isinf(row[j]);
            low = fminf(low, row[j]);
            high = fmaxf(high, row[j]);
        }
        largest = fmaxf(fmaxf(fabsf(low), fabsf(high)), sqrtf(eps));
        if (bad || low == high) {
            for (int j = 0; j < features; j++)
                y[r * features + j] = bad ? NAN : beta[j];
            continue;
        }
        frexpf(largest, &power);
        float sum = 0, squares = 0;
        for (int j = 0; j < features; j++)
            sum += ldexpf(row[j], -power);
        float m = sum / features;
        for (int j = 0; j < features; j++) {
            float d = ldexpf(row[j], -power) - m;
            squares += d * d;
        }
        float rstd = 1 / sqrtf(squares / features + ldexpf(eps, -2 * power));
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * rstd * (ldexpf(row[j], -power) - m) + beta[j];
    }
}

/* ---- style: Welford for every row, also where it is wide ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        double m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            double d = row[j] - m;
            m += d / (j + 1);
            squares += d * (row[j] - m);
        }
        double sd = sqrt(squares / features + eps);
        for (int j = 0; j < features; j++) {
            double hat = squares == 0 ? 0 : (row[j] - m) / sd;
            y[r * features + j] = (float)(gamma[j] * hat + beta[j]);
        }
    }
}

/* ---- style: sums of squares, and weights of the old mean ---- */
void welford_statistics(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float m = row[0], squares = 0;
        for (int j = 1; j < features; j++) {
            float d = row[j] - m, k = j + 1;
            squares += d * d * (j / k);
            m += d / k;
        }
        mean[r] = m;
        variance[r] = squares / features;
    }
}

void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    long long both = (long long)features_a * features_b, n = (long long)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_a[r] - mean_b[r];
        mean[r] = mean_b[r] + d * features_a / n;
        variance[r] =
            (variance_a[r] * features_a + variance_b[r] * features_b + d * d * both / n) / n;
    }
}

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
