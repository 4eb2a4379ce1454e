/* Lesson 03: what the hints say, put together. Each section is a style; see the README. */

/* ---- style: as the hints say ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features;
        float sum = 0.0f;
        for (int j = 0; j < features; j++)
            sum += row[j] * row[j];
        float rms = sqrtf(sum / (float)features + eps);
        for (int j = 0; j < features; j++)
            y[(size_t)r * features + j] = gamma[j] * row[j] / rms;
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features, *drow = dy + (size_t)r * features;
        float squares = 0.0f, sum = 0.0f;
        for (int j = 0; j < features; j++)
            squares += row[j] * row[j];
        float rstd = 1.0f / sqrtf(squares / (float)features + eps);
        for (int j = 0; j < features; j++) {
            float hat = row[j] * rstd;
            dgamma[j] += drow[j] * hat;
            sum += gamma[j] * drow[j] * hat;
        }
        float mean = sum / (float)features;
        for (int j = 0; j < features; j++) {
            float hat = row[j] * rstd;
            dx[(size_t)r * features + j] = rstd * (gamma[j] * drow[j] - hat * mean);
        }
    }
}
