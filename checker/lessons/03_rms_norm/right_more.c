/* More honest ways of writing lesson 03. See right.c. */

/* ---- style: loops reversed ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = rows - 1; r >= 0; r--) {
        float sum = 0;
        for (int j = features; j-- > 0;)
            sum += x[r * features + j] * x[r * features + j];
        sum = sqrtf(sum / features + eps);
        for (int j = features; j-- > 0;)
            y[r * features + j] = gamma[j] * x[r * features + j] / sum;
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    int j = features;
    while (j-- > 0)
        dgamma[j] = 0;
    for (int i = rows * features - 1; i >= 0; i -= features) {
        float sum = 0, dot = 0;
        for (j = 0; j < features; j++)
            sum += x[i - j] * x[i - j];
        float rms = sqrtf(sum / features + eps);
        for (j = 0; j < features; j++) {
            dot -= gamma[features - 1 - j] * dy[i - j] * x[i - j] / rms;
            dgamma[features - 1 - j] += dy[i - j] * x[i - j] / rms;
        }
        for (j = 0; j < features; j++)
            dx[i - j] =
                (gamma[features - 1 - j] * dy[i - j] + x[i - j] / rms * dot / features) / rms;
    }
}

/* ---- style: precomputed scale ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    float scale[features];
    for (int r = 0; r < rows; r++) {
        float sum = 0, each = 1.0f / features;
        for (int j = 0; j < features; j++)
            sum += each * x[r * features + j] * x[r * features + j];
        for (int j = 0; j < features; j++)
            scale[j] = gamma[j] / sqrtf(sum + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] * scale[j];
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float rstd[rows];
    for (int r = 0; r < rows; r++) {
        float sum = 0, dot = 0, scale[features];
        const float *in = x + r * features, *up = dy + r * features;
        for (int j = 0; j < features; j++)
            sum += in[j] * in[j];
        rstd[r] = 1 / sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++) {
            scale[j] = gamma[j] * rstd[r];
            dot += scale[j] * up[j] * in[j];
        }
        float shift = dot * rstd[r] * rstd[r] / features;
        for (int j = 0; j < features; j++)
            dx[r * features + j] = scale[j] * up[j] - shift * in[j];
    }
    for (int j = 0; j < features; j++) {
        dgamma[j] = 0;
        for (int r = 0; r < rows; r++)
            dgamma[j] += dy[r * features + j] * x[r * features + j] * rstd[r];
    }
}

/* ---- style: kahan sums ---- */
typedef struct {
    float sum, lost;
} Kahan;

static void kahan_add(Kahan *k, float value)
{
    float with_lost = value - k->lost, sum = k->sum + with_lost;
    k->lost = (sum - k->sum) - with_lost;
    k->sum = sum;
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        Kahan squares = {0, 0};
        for (int j = 0; j < features; j++)
            kahan_add(&squares, x[r * features + j] * x[r * features + j]);
        float rms = sqrtf(squares.sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] / (rms / gamma[j]);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        Kahan squares = {0, 0}, dot = {0, 0};
        const float *in = x + r * features, *up = dy + r * features;
        for (int j = 0; j < features; j++) {
            kahan_add(&squares, in[j] * in[j]);
            kahan_add(&dot, in[j] * up[j] * gamma[j]);
        }
        float ms = squares.sum / features + eps, rms = sqrtf(ms);
        for (int j = 0; j < features; j++) {
            dgamma[j] += up[j] * (in[j] / rms);
            dx[r * features + j] = (up[j] * gamma[j] - in[j] * (dot.sum / (ms * features))) / rms;
        }
    }
}

/* ---- style: scaled by the largest element ---- */
static float safe_rms(const float *x, int n, float eps)
{
    float largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(x[i]));
    if (largest == 0)
        return sqrtf(eps);
    for (int i = 0; i < n; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrtf(sum / n + eps / largest / largest);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float rms = safe_rms(x + r * features, features, eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] / rms * gamma[j];
    }
}

/* ---- style: the whole jacobian ---- */
void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += in[j] * in[j];
        float rms = sqrtf(sum / features + eps);
        for (int j = 0; j < features; j++) {
            float hat = in[j] / rms, total = 0;
            for (int k = 0; k < features; k++)
                total += gamma[k] * up[k] * ((j == k) - hat * (in[k] / rms) / features) / rms;
            dx[r * features + j] = total;
            dgamma[j] += up[j] * hat;
        }
    }
}
