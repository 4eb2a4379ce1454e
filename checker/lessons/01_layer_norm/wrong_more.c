/* The mistakes of whole numbers, of loops and of first rows that lesson 01 names, beside those in
 * the mean, as learners write them. See wrong.c. */

/* ---- mistake: variance_misses_first ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 1; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = &x[r * features];
        float mean = row_mean(row, features), var = row_variance(row, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: variance_in_int ---- */
float row_variance(const float *x, int features, float mean)
{
    int sum = 0;
    for (int i = 0; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return (float)sum / features;
}

/* ---- mistake: variance_in_int ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = &x[r * features];
        float mean = row_mean(row, features);
        int squares = 0;
        for (int j = 0; j < features; j++)
            squares += powf(row[j] - mean, 2);
        float std = sqrtf((float)squares / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / std + beta[j];
    }
}

/* ---- mistake: variance_of_ints ---- */
float row_variance(const float *x, int features, float mean)
{
    int sum = 0;
    for (int i = 0; i < features; i++) {
        float d = x[i] - mean;
        sum += d * d;
    }
    return sum / features;
}

/* ---- mistake: variance_cut ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    int variance = sum / features;
    return variance;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = &x[r * features];
        float mean = row_mean(row, features);
        int var = row_variance(row, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: distances_in_int ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int i = 0; i < features; i++) {
        int d = x[i] - mean;
        sum += d * d;
    }
    return sum / features;
}

/* ---- mistake: distances_in_int ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = &x[r * features];
        float mean = row_mean(row, features), var = 0;
        for (int j = 0; j < features; j++) {
            int distance = row[j] - mean;
            var += distance * distance;
        }
        var /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: mean_misses_first + variance_misses_first ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = &x[r * features];
        float mean = 0, var = 0;
        for (int j = 1; j < features; j++)
            mean += row[j];
        mean /= features;
        for (int j = 1; j < features; j++)
            var += (row[j] - mean) * (row[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: variance_all_ints ---- */
float row_variance(const float *x, int features, float mean)
{
    int sum = 0;
    for (int i = 0; i < features; i++) {
        int d = x[i] - mean;
        sum += d * d;
    }
    return sum / features;
}

/* ---- mistake: mean_of_first_row ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float mean = row_mean(x, features);
        float var = row_variance(row, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: variance_of_first_row ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float mean = row_mean(row, features);
        float var = row_variance(x, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(var + eps) + beta[j];
    }
}

/* ---- mistake: gamma_first_only ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[0] * (x[r * features + j] - mean) / std + beta[j];
    }
}

/* ---- mistake: beta_first_only ---- */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = row_mean(x + r * features, features);
        float std = sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (x[r * features + j] - mean) / std + beta[0];
    }
}
