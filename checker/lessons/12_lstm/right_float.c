/* One more right answer for lesson 12, as in right.c. */

/* ---- style: the cell as the hints say, with what a float's library has ---- */
static float sigmoid(float v)
{
    return 1 / (1 + expf(-v));
}

static float hyperbolic(float v)
{
    return tanhf(v);
}

void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int hidden, float eps)
{
    for (int r = 0; r < batch; r++) {
        const float *i = a + r * 4 * hidden, *f = i + hidden, *g = f + hidden, *o = g + hidden;
        for (int j = 0; j < hidden; j++)
            c_next[j] = sigmoid(f[j]) * c[j] + sigmoid(i[j]) * tanhf(g[j]);
        Statistics s = statistics(c_next, hidden, eps);
        for (int j = 0; j < hidden; j++) {
            float n = gamma[j] * (c_next[j] - s.mean) * s.rstd + beta[j];
            h_next[j] = sigmoid(o[j]) * tanhf(n);
        }
        c += hidden;
        h_next += hidden;
        c_next += hidden;
    }
}
