/* Mistakes in encoder_block as learners make them. See wrong.c. */

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

/* ---- mistake: residual_missing ---- */
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
    float x1[n * features], branch[n * features];
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = branch[i];
    norm(x1, norms, norms + features, n, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = branch[i];
    norm(y, norms + 2 * features, norms + 3 * features, n, features, eps);
}

/* ---- mistake: residual_of_x ---- */
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
    float x1[n * features], branch[n * features];
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = x[i] + branch[i];
    norm(x1, norms, norms + features, n, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = x[i] + branch[i];
    norm(y, norms + 2 * features, norms + 3 * features, n, features, eps);
}

/* ---- mistake: gammas_first ---- */
void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    float turned[4 * features];
    for (int i = 0; i < 4 * features; i++)
        turned[i] = norms[(i / features == 1   ? 2
                           : i / features == 2 ? 1
                                               : i / features) *
                              features +
                          i % features];
    solution_encoder_block(y, x, keep, attention_w, attention_b, w1, b1, w2, b2, turned, batch,
                           time, features, heads, hidden, eps);
}

/* ---- mistake: gammas_first + residual_of_x ---- */
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
    float x1[n * features], branch[n * features];
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = x[i] + branch[i];
    norm(x1, norms, norms + 2 * features, n, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = x[i] + branch[i];
    norm(y, norms + features, norms + 3 * features, n, features, eps);
}

/* ---- mistake: nothing ---- */
static void norm(float *z, const float *gamma, const float *beta, int rows, int n, float eps)
{
    for (int r = 0; r < rows; r++, z += n) {
        float mean = 0, squares = 0;
        for (int j = 0; j < n; j++)
            mean += z[j] / n;
        for (int j = 0; j < n; j++)
            squares += (z[j] - mean) * (z[j] - mean);
        for (int j = 0; j < n; j++)
            z[j] = gamma[j] * (z[j] - mean) / (sqrtf(squares / n) + eps) + beta[j];
    }
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int n = batch * time;
    float x1[n * features], branch[n * features];
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = x[i] + branch[i];
    norm(x1, norms, norms + features, n, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = x1[i] + branch[i];
    norm(y, norms + 2 * features, norms + 3 * features, n, features, eps);
}

/* ---- mistake: nothing ---- */
static void norm(float *z, const float *gamma, const float *beta, int rows, int n, float eps)
{
    for (int r = 0; r < rows; r++, z += n) {
        float mean = 0, squares = 0;
        for (int j = 0; j < n; j++)
            mean += z[j] / n;
        for (int j = 0; j < n; j++)
            squares += (z[j] - mean) * (z[j] - mean);
        for (int j = 0; j < n; j++)
            z[j] = gamma[j] * (z[j] - mean) / sqrtf(squares / (n - 1) + eps) + beta[j];
    }
}

void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    int n = batch * time;
    float x1[n * features], branch[n * features];
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = x[i] + branch[i];
    norm(x1, norms, norms + features, n, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = x1[i] + branch[i];
    norm(y, norms + 2 * features, norms + 3 * features, n, features, eps);
}

/* ---- mistake: nothing ---- */
void encoder_block(float *y, const float *x, const int *keep, const float *attention_w,
                   const float *attention_b, const float *w1, const float *b1, const float *w2,
                   const float *b2, const float *norms, int batch, int time, int features,
                   int heads, int hidden, float eps)
{
    float twice[4 * features];
    for (int i = 0; i < 4 * features; i++)
        twice[i] = norms[i % (2 * features)];
    solution_encoder_block(y, x, keep, attention_w, attention_b, w1, b1, w2, b2, twice, batch, time,
                           features, heads, hidden, eps);
}

/* ---- mistake: nothing ---- */
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
    float x1[n * features], branch[n * features];
    attention(branch, x, keep, attention_w, attention_b, batch, time, features, heads);
    for (int i = 0; i < n * features; i++)
        x1[i] = x[i] + branch[i];
    norm(x1, norms, norms + features, n, features, eps);
    feed_forward(branch, x1, w1, b1, w2, b2, n, features, hidden);
    for (int i = 0; i < n * features; i++)
        y[i] = branch[i];
    norm(y, norms + 2 * features, norms + 3 * features, n, features, eps);
}
