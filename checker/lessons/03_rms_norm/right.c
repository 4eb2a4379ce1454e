/* Lesson 03 written in many honest ways. A test builds each section in place of the solution's
 * functions; none may be refused, whatever it does to the last bits. */

/* ---- style: double sums ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int j = 0; j < features; j++)
            sum += (double)x[r * features + j] * x[r * features + j];
        double rms = sqrt(sum / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (float)(x[r * features + j] / rms * gamma[j]);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        double sum = 0;
        for (int r = 0; r < rows; r++) {
            double squares = 0;
            for (int k = 0; k < features; k++)
                squares += pow(x[r * features + k], 2);
            sum += dy[r * features + j] * x[r * features + j] / sqrt(squares / features + eps);
        }
        dgamma[j] = (float)sum;
    }
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        double squares = 0, dot = 0;
        for (int k = 0; k < features; k++) {
            squares += pow(in[k], 2);
            dot += (double)gamma[k] * up[k] * in[k];
        }
        double rms = sqrt(squares / features + eps);
        for (int j = 0; j < features; j++)
            dx[r * features + j] =
                (float)(gamma[j] * up[j] / rms - in[j] * dot / features / pow(rms, 3));
    }
}

/* ---- style: float sums, rstd multiplied out ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int i = 0; i < rows * features; i++) {
        float sum = 0.0f;
        for (int k = 0; k < features; k++)
            sum += powf(x[i / features * features + k], 2.0f);
        y[i] = x[i] * gamma[i % features] * powf(sum / features + eps, -0.5f);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0.0f;
    for (int r = 0; r < rows; r++, dx += features, dy += features, x += features) {
        float sum = 0.0f, dot = 0.0f;
        for (int j = 0; j < features; j++) {
            sum += x[j] * x[j];
            dot += gamma[j] * dy[j] * x[j];
        }
        float rstd = 1.0f / sqrtf(sum / features + eps);
        float cubed = rstd * rstd * rstd / features;
        for (int j = 0; j < features; j++) {
            dgamma[j] += dy[j] * x[j] * rstd;
            dx[j] = rstd * gamma[j] * dy[j] - cubed * dot * x[j];
        }
    }
}

/* ---- style: running means ---- */
void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = &x[r * features];
        float ms = 0;
        for (int j = 0; j < features; j++)
            ms += (in[j] * in[j] - ms) / (j + 1);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * in[j] / sqrtf(ms + eps);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = &x[r * features], *up = &dy[r * features];
        float ms = 0, mean = 0;
        for (int j = 0; j < features; j++)
            ms += (in[j] * in[j] - ms) / (j + 1);
        float rms = sqrtf(ms + eps);
        for (int j = 0; j < features; j++) {
            mean += (gamma[j] * up[j] * (in[j] / rms) - mean) / (j + 1);
            dgamma[j] = (r ? dgamma[j] : 0) + up[j] * (in[j] / rms);
        }
        for (int j = 0; j < features; j++)
            dx[r * features + j] = (gamma[j] * up[j] - in[j] / rms * mean) / rms;
    }
}

/* ---- style: welford, mean square as variance + mean^2 ---- */
static float inverse_rms(const float *x, int n, float eps)
{
    float mean = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        float before = x[i] - mean;
        mean += before / (i + 1);
        squares += before * (x[i] - mean);
    }
    return 1 / sqrtf(squares / n + mean * mean + eps);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float rstd = inverse_rms(x + r * features, features, eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * rstd * x[r * features + j];
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        float rstd = inverse_rms(x + r * features, features, eps), mean = 0;
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            mean += gamma[j] * dy[i] * x[i] * rstd / features;
            dgamma[j] += rstd * dy[i] * x[i];
        }
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            dx[i] = rstd * (gamma[j] * dy[i] - mean * rstd * x[i]);
        }
    }
}

/* ---- style: pairwise sums ---- */
static float pairwise(const float *a, const float *b, const float *c, int n)
{
    if (n == 1)
        return a[0] * b[0] * (c ? c[0] : 1);
    int half = n / 2;
    return pairwise(a, b, c, half) + pairwise(a + half, b + half, c ? c + half : c, n - half);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float rms = sqrtf(pairwise(in, in, 0, features) / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] / rms);
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        dgamma[j] = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        float rms = sqrtf(pairwise(in, in, 0, features) / features + eps);
        float share = pairwise(in, up, gamma, features) / (features * rms * rms);
        for (int j = 0; j < features; j++) {
            dx[r * features + j] = (gamma[j] * up[j] - share * in[j]) / rms;
            dgamma[j] += up[j] * in[j] / rms;
        }
    }
}

/* ---- style: vector extensions ---- */
#include <string.h>
typedef float Vec4 __attribute__((vector_size(16)));

static Vec4 load(const float *from, int count)
{
    Vec4 v = {0, 0, 0, 0};
    memcpy(&v, from, (count < 4 ? count : 4) * sizeof(float));
    return v;
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        Vec4 sum = {0, 0, 0, 0};
        for (int j = 0; j < features; j += 4) {
            Vec4 v = load(in + j, features - j);
            sum += v * v;
        }
        float rstd = 1.0f / sqrtf((sum[0] + sum[1] + sum[2] + sum[3]) / features + eps);
        for (int j = 0; j < features; j += 4) {
            Vec4 out = load(gamma + j, features - j) * load(in + j, features - j) * rstd;
            memcpy(y + r * features + j, &out,
                   (features - j < 4 ? features - j : 4) * sizeof(float));
        }
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    memset(dgamma, 0, features * sizeof(float));
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *up = dy + r * features;
        Vec4 squares = {0, 0, 0, 0}, dots = {0, 0, 0, 0};
        for (int j = 0; j < features; j += 4) {
            int left = features - j;
            Vec4 v = load(in + j, left);
            squares += v * v;
            dots += load(gamma + j, left) * load(up + j, left) * v;
        }
        float ms = (squares[0] + squares[1] + squares[2] + squares[3]) / features + eps;
        float rstd = 1.0f / sqrtf(ms);
        float mean = (dots[0] + dots[1] + dots[2] + dots[3]) / features;
        for (int j = 0; j < features; j += 4) {
            int left = features - j;
            size_t size = (left < 4 ? left : 4) * sizeof(float);
            Vec4 v = load(in + j, left), d = load(up + j, left);
            Vec4 out = rstd * (load(gamma + j, left) * d - v * (mean / ms));
            Vec4 share = load(dgamma + j, left) + d * v * rstd;
            memcpy(dx + r * features + j, &out, size);
            memcpy(dgamma + j, &share, size);
        }
    }
}
