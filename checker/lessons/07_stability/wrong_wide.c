/* Mistakes in layer_norm_wide as learners make them. See wrong.c. */

/* Right for ordinary rows: lesson 01, with the rows of equal numbers seen to. */

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

/* ---- mistake: nothing ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float unit = 1e-6f, sum = 0, squares = 0;
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
        float sd = sqrtf(squares / features + eps / (unit * unit));
        for (int j = 0; j < features; j++)
            out[j] = equal ? beta[j] : gamma[j] * (row[j] / unit - m) / sd + beta[j];
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
            equal = equal && row[j] == row[0] && isfinite(row[0]);
        }
        for (int j = 0; j < features; j++)
            sum += row[j] / unit;
        float m = sum / features;
        for (int j = 0; j < features; j++)
            squares += (row[j] / unit - m) * (row[j] / unit - m);
        float sd = sqrtf(squares / features + eps / unit);
        for (int j = 0; j < features; j++)
            out[j] = equal ? beta[j] : gamma[j] * (row[j] / unit - m) / sd + beta[j];
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
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float unit = sqrtf(eps), sum = 0, squares = 0;
        int equal = 1;
        for (int j = 0; j < features; j++) {
            unit = fmaxf(unit, fabsf(row[j]));
            equal = equal && 0 * j;
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
            out[j] = gamma[j] * (float)((row[j] - m) / sqrt(v + (eps > 1e-12f ? eps : 1e-12f))) +
                     beta[j];
    }
}

/* ---- mistake: nothing ---- */
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
            out[j] = v > 0 ? gamma[j] * (float)((row[j] - m) / sqrt(v + eps)) + beta[j] : beta[j];
    }
}

/* ---- mistake: nothing ---- */
void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows,
                     int features, float eps)
{
    float unit = sqrtf(eps);
    for (int i = 0; i < rows * features; i++)
        unit = fmaxf(unit, fabsf(x[i]));
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float *out = y + r * features;
        float sum = 0, squares = 0;
        int equal = 1;
        for (int j = 0; j < features; j++) {
            equal = equal && row[j] == row[0] && isfinite(row[0]);
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
