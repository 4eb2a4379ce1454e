/* Lesson 01 written in many honest ways. A test builds each section in place of the solution's
 * functions; none may be refused, whatever it does to the last bits. */

/* ---- style: double sums ---- */
float row_mean(const float *x, int features)
{
    double sum = 0;
    for (int i = 0; i < features; i++)
        sum += x[i];
    return (float)(sum / features);
}

float row_variance(const float *x, int features, float mean)
{
    double sum = 0;
    for (int i = 0; i < features; i++)
        sum += pow((double)x[i] - mean, 2);
    return (float)(sum / features);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = &x[r * features];
        double mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += in[j] / (double)features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean) / features;
        for (int j = 0; j < features; j++)
            y[r * features + j] = (float)((in[j] - mean) / sqrt(var + eps) * gamma[j] + beta[j]);
    }
}

/* ---- style: float sums, each element divided; y holds the distances ---- */
float row_mean(const float *x, int features)
{
    float mean = 0.0f;
    for (int i = 0; i < features; i++)
        mean += x[i] / features;
    return mean;
}

float row_variance(const float *x, int features, float mean)
{
    float var = 0.0f, each = 1.0f / features;
    for (int i = 0; i < features; i++)
        var += each * powf(x[i] - mean, 2.0f);
    return var;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features), squares = 0;
        for (int j = 0; j < features; j++)
            y[j] = x[j] - mean;
        for (int j = 0; j < features; j++)
            squares += y[j] * y[j];
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * y[j] / sqrtf(squares / features + eps) + beta[j];
    }
}

/* ---- style: welford ---- */
static void welford(const float *x, int n, float *mean, float *squares)
{
    *mean = *squares = 0;
    for (int i = 0; i < n; i++) {
        float before = x[i] - *mean;
        *mean += before / (i + 1);
        *squares += before * (x[i] - *mean);
    }
}

float row_mean(const float *x, int features)
{
    float mean, squares;
    welford(x, features, &mean, &squares);
    return mean;
}

float row_variance(const float *x, int features, float mean)
{
    float own, squares;
    welford(x, features, &own, &squares);
    return squares / features + (own - mean) * (own - mean);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean, squares;
        welford(x + r * features, features, &mean, &squares);
        float scale = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (x[r * features + j] - mean) * (scale * gamma[j]) + beta[j];
    }
}

/* ---- style: vector extensions ---- */
#include <string.h>

typedef float Float8 __attribute__((vector_size(32)));

static float across(Float8 v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

float row_mean(const float *x, int features)
{
    Float8 sums = {0};
    int i = 0;
    for (; i + 8 <= features; i += 8) {
        Float8 v;
        memcpy(&v, x + i, sizeof v);
        sums += v;
    }
    float sum = across(sums);
    for (; i < features; i++)
        sum += x[i];
    return sum / features;
}

typedef float Float4 __attribute__((vector_size(16), aligned(4), may_alias));

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1.0f / sqrtf(row_variance(x, features, mean) + eps);
        int j = 0;
        for (; j + 4 <= features; j += 4) {
            Float4 in = *(const Float4 *)(x + j);
            in = (in - mean) * rstd;
            *(Float4 *)(y + j) = in * *(const Float4 *)(gamma + j) + *(const Float4 *)(beta + j);
        }
        for (; j < features; j++)
            y[j] = (x[j] - mean) * rstd * gamma[j] + beta[j];
    }
}

/* ---- style: loops reversed, scale and shift worked out first ---- */
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int i = features - 1; i >= 0; i--)
        sum += x[i];
    return sum * (1.0f / features);
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    const float *end = x + features;
    while (end > x) {
        end--;
        sum = fmaf(mean - *end, mean - *end, sum);
    }
    return sum * (1.0f / features);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = rows; r-- > 0;) {
        float mean = row_mean(x + r * features, features);
        float rstd = 1.0f / sqrtf(row_variance(x + r * features, features, mean) + eps);
        for (int j = features; j-- > 0;) {
            float scale = gamma[j] * rstd;
            float shift = beta[j] - scale * mean;
            y[r * features + j] = scale * x[r * features + j] + shift;
        }
    }
}

/* ---- style: shifted by the first element, in one pass ---- */
static void shifted(const float *x, int n, float *mean, float *var)
{
    float s1 = 0, s2 = 0;
    for (int i = 0; i < n; i++) {
        float d = x[i] - x[0];
        s1 += d;
        s2 += d * d;
    }
    *mean = x[0] + s1 / n;
    *var = s2 / n - (s1 / n) * (s1 / n);
}

float row_mean(const float *x, int features)
{
    float mean, var;
    shifted(x, features, &mean, &var);
    return mean;
}

float row_variance(const float *x, int features, float mean)
{
    float own, var;
    shifted(x, features, &own, &var);
    return var + (mean - own) * (mean - own);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean, var;
        shifted(x + r * features, features, &mean, &var);
        float rstd = 1.0f / sqrtf(var + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * ((x[r * features + j] - mean) * rstd) + beta[j];
    }
}

/* ---- style: E[x^2] - mean^2, in double, where it is exact enough ---- */
float row_variance(const float *x, int features, float mean)
{
    double s1 = 0, s2 = 0, m = mean;
    for (int i = 0; i < features; i++) {
        s1 += x[i];
        s2 += (double)x[i] * x[i];
    }
    return (float)(s2 / features - 2 * m * s1 / features + m * m);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        double s1 = 0, s2 = 0;
        for (int j = 0; j < features; j++) {
            double value = x[r * features + j];
            s1 += value;
            s2 += value * value;
        }
        double mean = s1 / features;
        double rstd = 1.0 / sqrt(fmax(s2 / features - mean * mean, 0) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = (float)(gamma[j] * (x[r * features + j] - mean) * rstd + beta[j]);
    }
}

/* ---- style: helpers called as functions of old C libraries are ---- */
static int index(int r, int j, int features)
{
    return r * features + j;
}

static float gamma(const float *scale, int j, float normalized)
{
    return scale[j] * normalized;
}

static float y0(float x, float mean, float variance, float eps)
{
    return (x - mean) / sqrtf(variance + eps);
}

void layer_norm(float *y, const float *x, const float *scale, const float *shift, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + index(r, 0, features);
        float mean = row_mean(row, features), variance = row_variance(row, features, mean);
        for (int j = 0; j < features; j++)
            y[index(r, j, features)] = gamma(scale, j, y0(row[j], mean, variance, eps)) + shift[j];
    }
}

/* ---- style: as the hints say ---- */
float row_variance(const float *x, int features, float mean)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / (float)features;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * features;
        float mean = row_mean(row, features), variance = row_variance(row, features, mean);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) / sqrtf(variance + eps) + beta[j];
    }
}
