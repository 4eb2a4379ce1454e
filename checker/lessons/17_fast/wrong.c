/* Mistakes of lesson 17 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: shift_left_out ---- */
void row_statistics_fast(float *mean, float *variance, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++, x += features) {
        int few = features < 16 ? features : 16;
        float near = row_sum_fast(x, few) / (float)few, sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            sum += x[j] - near;
            squares += (x[j] - near) * (x[j] - near);
        }
        mean[r] = sum / (float)features;
        variance[r] = squares / (float)features - mean[r] * mean[r];
    }
}

/* ---- mistake: tail_of_8 ---- */
void layer_norm_backward_fast(float *dx, float *dgamma, float *dbeta, const float *dy,
                              const float *x, const float *gamma, const float *mean,
                              const float *rstd, int rows, int features)
{
    int whole = features - features % 8;
    for (int j = 0; j < features; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < rows; r++, dx += features, dy += features, x += features) {
        float sum = 0, sum_xhat = 0;
        for (int j = 0; j < whole; j++) {
            float xhat = (x[j] - mean[r]) * rstd[r];
            sum += gamma[j] * dy[j];
            sum_xhat += gamma[j] * dy[j] * xhat;
            dbeta[j] += dy[j];
            dgamma[j] += dy[j] * xhat;
        }
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - mean[r]) * rstd[r];
            float rest = (sum + xhat * sum_xhat) / (float)features;
            dx[j] = rstd[r] * (gamma[j] * dy[j] - rest);
        }
    }
}
