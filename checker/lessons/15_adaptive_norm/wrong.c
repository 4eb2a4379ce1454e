/* Mistakes of lesson 15 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: six_per_feature ---- */
void adaptive_norm_backward(float *dx, float *dparameters, const float *dy, const float *x,
                            const float *parameters, int rows, int features, float eps)
{
    for (int i = 0; i < 6 * features; i++)
        dparameters[i] = 0;
    for (int r = 0; r < rows; r++, x += features, dx += features, dy += features) {
        float m = 0, v = 0, dm = 0, ds = 0, a = 0, b = 0;
        for (int j = 0; j < features; j++)
            m += x[j] / features;
        for (int j = 0; j < features; j++)
            v += (x[j] - m) * (x[j] - m) / features;
        float s = sqrtf(v + eps);
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) / s, *d = dparameters + 6 * j;
            const float *p = parameters + 6 * j;
            d[0] += dy[j] * xhat;
            d[1] += dy[j];
            d[2] += dy[j] * xhat * m;
            d[3] += dy[j] * xhat * s;
            d[4] += dy[j] * m;
            d[5] += dy[j] * s;
            dm += dy[j] * (p[2] * xhat + p[4]);
            ds += dy[j] * (p[3] * xhat + p[5]);
            dx[j] = dy[j] * (p[0] + p[2] * m + p[3] * s);
            a += dx[j] / features;
            b += dx[j] * xhat / features;
        }
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) / s;
            dx[j] = (dx[j] - a - xhat * b) / s + dm / features + ds * xhat / features;
        }
    }
}
