/* Mistakes of lesson 03 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: statistics_of_all ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    int count = rows * features;
    double ss = 0;
    for (int i = 0; i < count; i++)
        ss += x[i] * x[i];
    float rms = sqrtf((float)(ss / count) + eps);
    for (int i = 0; i < count; i++)
        y[i] = gamma[i % features] * x[i] / rms;
}

/* ---- mistake: statistics_per_feature ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float ss = 0;
        for (int r = 0; r < rows; r++)
            ss += x[r * features + j] * x[r * features + j];
        float rms = sqrtf(ss / rows + eps);
        for (int r = 0; r < rows; r++)
            y[r * features + j] = gamma[j] * x[r * features + j] / rms;
    }
}

/* ---- mistake: statistics_of_all + gamma_plus_one ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float ss = 0;
    for (int i = 0; i < rows * features; i++)
        ss += x[i] * x[i];
    ss /= rows * features;
    for (int i = 0; i < rows * features; i++)
        y[i] = x[i] / sqrtf(ss + eps) * (1 + gamma[i % features]);
}
