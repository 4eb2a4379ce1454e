/* Mistakes of lesson 14 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: nothing ---- */
/* One spread for all features: that of all the normalized numbers. */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    double sum = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += (double)x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            v += pow(x[r * features + j] - m, 2) / features;
        for (int j = 0; j < features; j++) {
            sum += (x[r * features + j] - m) / sqrt(v + eps);
            squares += pow((x[r * features + j] - m) / sqrt(v + eps), 2);
        }
    }
    int n = rows * features;
    for (int j = 0; j < features; j++) {
        gamma[j] = spread[j] / sqrt(squares / n - sum / n * sum / n);
        beta[j] = mean[j] - gamma[j] * sum / n;
    }
}
