/* Lesson 01: what the hints say, put together. Each section is a style; see the README. */

/* ---- style: as the hints say ---- */
float row_mean(const float *x, int features)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / (float)features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features;
        float mean = row_mean(row, features), variance = row_variance(row, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(variance + eps) + beta[j];
    }
}
