/* Mistakes in merge_statistics as learners make them. See wrong.c. */

/* ---- mistake: means_not_weighed ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = (mean_a[r] + mean_b[r]) / 2;
        variance[r] = (variance_a[r] * features_a + variance_b[r] * features_b) / n +
                      d * d * features_a / n * features_b / n;
    }
}

/* ---- mistake: variances_not_weighed ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = (variance_a[r] + variance_b[r]) / 2 + d * d * features_a / n * features_b / n;
    }
}

/* ---- mistake: distance_forgotten ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = (variance_a[r] * features_a + variance_b[r] * features_b) / n;
    }
}

/* ---- mistake: distance_not_divided ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = (variance_a[r] * features_a + variance_b[r] * features_b) / n +
                      d * d * features_a / n * features_b;
    }
}

/* ---- mistake: variances_not_weighed + distance_not_divided ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = (variance_a[r] + variance_b[r]) / 2 + d * d * features_a / n * features_b;
    }
}

/* ---- mistake: variances_not_weighed + distance_forgotten ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = 0.5f * (variance_a[r] + variance_b[r]);
    }
}

/* ---- mistake: cancellation ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float square_a = variance_a[r] + mean_a[r] * mean_a[r];
        float square_b = variance_b[r] + mean_b[r] * mean_b[r];
        mean[r] = (mean_a[r] * features_a + mean_b[r] * features_b) / n;
        variance[r] = (square_a * features_a + square_b * features_b) / n - mean[r] * mean[r];
    }
}

/* ---- mistake: nothing ---- */
/* The product of the counts does not fit. */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = (variance_a[r] * features_a + variance_b[r] * features_b) / n +
                      d * d * (features_a * features_b) / n / n;
    }
}

/* ---- mistake: nothing ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_b[r] + d * features_a / n;
        variance[r] = (variance_a[r] * features_a + variance_b[r] * features_b) / n +
                      d * d * features_a / n * features_b / n;
    }
}

/* ---- mistake: nothing ---- */
void merge_statistics(float *mean, float *variance, const float *mean_a, const float *variance_a,
                      const float *mean_b, const float *variance_b, int rows, int features_a,
                      int features_b)
{
    float n = (float)features_a + features_b;
    for (int r = 0; r < rows; r++) {
        float d = mean_b[r] - mean_a[r];
        mean[r] = mean_a[r] + d * features_b / n;
        variance[r] = (variance_a[r] * features_a + variance_b[r] * features_b) / n +
                      d * features_a / n * features_b / n;
    }
}
