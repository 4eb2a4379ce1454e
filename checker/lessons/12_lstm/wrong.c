/* Mistakes of lesson 12 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: over_batch ---- */
void lstm_project(float *a, const float *x, const float *w, const float *gamma, int batch,
                  int inputs, int hidden, float eps)
{
    int n = 4 * hidden;
    for (int j = 0; j < n; j++) {
        float mean = 0, variance = 0;
        for (int r = 0; r < batch; r++) {
            float z = 0;
            for (int k = 0; k < inputs; k++)
                z += w[j * inputs + k] * x[r * inputs + k];
            a[r * n + j] = z;
            mean += z / batch;
        }
        for (int r = 0; r < batch; r++)
            variance += (a[r * n + j] - mean) * (a[r * n + j] - mean) / batch;
        for (int r = 0; r < batch; r++)
            a[r * n + j] = gamma[j] * (a[r * n + j] - mean) / sqrtf(variance + eps);
    }
}

/* ---- mistake: over_batch ---- */
void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int hidden, float eps)
{
    for (int j = 0; j < hidden; j++) {
        float mean = 0, variance = 0;
        for (int r = 0; r < batch; r++) {
            const float *gate = a + r * 4 * hidden + j;
            float in = tanhf(gate[2 * hidden]) / (1 + expf(-gate[0]));
            c_next[r * hidden + j] = c[r * hidden + j] / (1 + expf(-gate[hidden])) + in;
            mean += c_next[r * hidden + j] / batch;
        }
        for (int r = 0; r < batch; r++)
            variance += powf(c_next[r * hidden + j] - mean, 2) / batch;
        for (int r = 0; r < batch; r++) {
            float hat = (c_next[r * hidden + j] - mean) / sqrtf(variance + eps);
            float open = 1 / (1 + expf(-a[r * 4 * hidden + 3 * hidden + j]));
            h_next[r * hidden + j] = open * tanhf(gamma[j] * hat + beta[j]);
        }
    }
}
