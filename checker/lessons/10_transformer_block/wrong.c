/* Mistakes of lesson 10 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: wrong_axis ---- */
void softmax(float *y, const float *x, int rows, int features)
{
    for (int j = 0; j < features; j++) {
        float most = x[j], sum = 0;
        for (int r = 1; r < rows; r++)
            most = fmaxf(most, x[r * features + j]);
        for (int r = 0; r < rows; r++)
            sum += expf(x[r * features + j] - most);
        for (int r = 0; r < rows; r++)
            y[r * features + j] = expf(x[r * features + j] - most) / sum;
    }
}

/* ---- mistake: pre_norm ---- */
static void norm(float *z, const float *gamma, const float *beta, int rows, int n, float eps)
{
    for (int r = 0; r < rows; r++, z += n) {
        float mean = 0, squares = 0;
        for (int j = 0; j < n; j++)
            mean += z[j] / n;
        for (int j = 0; j < n; j++)
            squares += (z[j] - mean) * (z[j] - mean);
        for (int j = 0; j < n; j++)
            z[j] = gamma[j] * (z[j] - mean) / sqrtf(squares / n + eps) + beta[j];
    }
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int n = batch * time;
    float x1[n * features], branch[n * features], in[n * features];
    for (int i = 0; i < n * features; i++)
        in[i] = x[i];
    norm(in, norms, norms + features, n, features, eps);
    attention(branch, in, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = in[i] = x[i] + branch[i];
    norm(in, norms + 2 * features, norms + 3 * features, n, features, eps);
    feed_forward(branch, in, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = x1[i] + branch[i];
}
