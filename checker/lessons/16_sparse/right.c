/* Right answers for lesson 16 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double throughout, outputs outermost ---- */
void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        int zeros = features - (start[r + 1] - start[r]);
        double m = 0, v = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            m += value[i];
        m /= features;
        for (int i = start[r]; i < start[r + 1]; i++)
            v += (value[i] - m) * (value[i] - m);
        v += zeros * m * m;
        mean[r] = m;
        rstd[r] = 1 / sqrt(v / features + eps);
    }
}

void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            m += value[i];
        m /= features;
        for (int i = start[r]; i < start[r + 1]; i++)
            v += (value[i] - m) * (value[i] - m);
        v += (features - start[r + 1] + start[r]) * m * m;
        double s = sqrt(v / features + eps);
        base[r] = -m / s;
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = value[i] / s;
    }
}

void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    for (int o = 0; o < outputs; o++)
        for (int r = 0; r < rows; r++) {
            double sum = (double)base[r] * wg[o] + wb[o];
            for (int i = start[r]; i < start[r + 1]; i++)
                sum += (double)delta[i] * gamma[column[i]] * w[o * features + column[i]];
            y[r * outputs + o] = sum;
        }
}

/* ---- style: the non-zeros and the zeros as two parts, merged as in lesson 07 ---- */
void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *x = value + start[r];
        int n = start[r + 1] - start[r];
        float m = 0, v = 0, share = (float)n / features;
        for (int i = 0; i < n; i++)
            m += x[i] / n;
        for (int i = 0; i < n; i++)
            v += (x[i] - m) * (x[i] - m) / n;
        mean[r] = share * m;
        rstd[r] = 1 / sqrtf(share * v + share * (1 - share) * m * m + eps);
    }
}

void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean, rstd; /* the functions take any row alone, where it begins */
        sparse_statistics(&mean, &rstd, start + r, value, 1, features, nonzeros, eps);
        base[r] = (0 - mean) * rstd;
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = (value[i] - mean) * rstd - base[r];
    }
}

/* ---- style: Welford's recurrence, with all the zeros first ---- */
static float one_by_one(const float *x, int n, int features, float *mean)
{
    float m = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        float before = x[i] - m;
        m += before / (features - n + i + 1);
        squares += before * (x[i] - m);
    }
    *mean = m;
    return squares / features;
}

void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        int n = start[r + 1] - start[r];
        rstd[r] = powf(one_by_one(value + start[r], n, features, &mean[r]) + eps, -0.5f);
    }
}

void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean;
        float variance = one_by_one(value + start[r], start[r + 1] - start[r], features, &mean);
        float spread = sqrtf(variance + eps);
        base[r] = -mean / spread;
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = value[i] / spread;
    }
}

/* ---- style: the short way where half of the row is 0; base for the zeros alone ---- */
static float variance_of(const float *x, int n, int features, float mean)
{
    float squares = 0, distances = 0;
    for (int i = 0; i < n; i++) {
        squares += x[i] * x[i];
        distances += (x[i] - mean) * (x[i] - mean);
    }
    if (2LL * n <= features)
        return squares / features - mean * mean;
    return distances / features + mean * mean * (features - n) / features;
}

void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *x = value + start[r];
        int n = start[r + 1] - start[r];
        mean[r] = 0;
        for (int i = 0; i < n; i++)
            mean[r] += x[i] / features;
        rstd[r] = 1 / sqrtf(variance_of(x, n, features, mean[r]) + eps);
    }
}

void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++) {
            float of_zeros = wg[o], of_others = 0;
            for (int i = start[r]; i < start[r + 1]; i++) {
                float weight = w[o * features + column[i]] * gamma[column[i]];
                of_zeros -= weight;
                of_others += weight * (base[r] + delta[i]);
            }
            y[r * outputs + o] = of_others + base[r] * of_zeros + wb[o];
        }
}

/* ---- style: every feature is a zero at first; one loop over all that is stored ---- */
void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int i = start[r]; i < start[r + 1]; i++)
            sum += value[i];
        float m = mean[r] = sum / features;
        int n = start[r + 1] - start[r];
        float squares = n <= features / 2 ? features * (m * m) : (features - n) * (m * m);
        for (int i = start[r]; i < start[r + 1]; i++)
            squares += (value[i] - m) * (value[i] - m) - (n <= features / 2 ? m * m : 0);
        rstd[r] = 1 / sqrtf(squares / features + eps);
    }
}

void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < outputs; o++)
            y[r * outputs + o] = base[r] * wg[o] + wb[o];
    for (int r = 0, i = 0; i < nonzeros; i++) {
        while (i >= start[r + 1])
            r++;
        float scaled = gamma[column[i]] * delta[i];
        for (int o = 0; o < outputs; o++)
            y[r * outputs + o] += w[o * features + column[i]] * scaled;
    }
}

/* ---- style: with arrays of its own, skipping the zeros that are stored ---- */
#include <stdlib.h>

void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0, squares = 0;
        int zeros = features;
        for (int i = start[r]; i < start[r + 1]; i++)
            if (value[i] != 0) {
                sum += value[i];
                zeros--;
            }
        mean[r] = sum / (float)features;
        for (int i = start[r + 1] - 1; i >= start[r]; i--)
            if (value[i] != 0)
                squares += powf(value[i] - mean[r], 2);
        rstd[r] = 1 / sqrtf((squares + (float)zeros * powf(mean[r], 2)) / (float)features + eps);
    }
}

void sparse_layer_norm(float *base, float *delta, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    float *rstd = malloc(rows * sizeof *rstd);
    sparse_statistics(base, rstd, start, value, rows, features, nonzeros, eps);
    for (int r = 0; r < rows; r++) {
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = value[i] * rstd[r];
        base[r] *= -rstd[r];
    }
    free(rstd);
}

/* ---- style: fast: four sums at once, and gamma * delta made once for all outputs ---- */
#include <stdlib.h>

static float sum_of(const float *x, int n, float away, int squared)
{
    float sums[4] = {0};
    for (int i = 0; i < n; i++)
        sums[i % 4] += squared ? (x[i] - away) * (x[i] - away) : x[i];
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

void sparse_statistics(float *mean, float *rstd, const int *start, const float *value, int rows,
                       int features, int nonzeros, float eps)
{
    float one = 1.0f / (float)features;
    for (int r = 0; r < rows; r++) {
        int n = start[r + 1] - start[r];
        mean[r] = sum_of(value + start[r], n, 0, 0) * one;
        float squares = sum_of(value + start[r], n, mean[r], 1);
        rstd[r] = 1.0f / sqrtf((squares + (float)(features - n) * (mean[r] * mean[r])) * one + eps);
    }
}

void sparse_norm_linear(float *y, const float *base, const float *delta, const int *start,
                        const int *column, const float *w, const float *gamma, const float *wg,
                        const float *wb, int rows, int features, int nonzeros, int outputs)
{
    float *scaled = malloc(nonzeros * sizeof *scaled + 1);
    for (int i = 0; i < nonzeros; i++)
        scaled[i] = delta[i] * gamma[column[i]];
    for (int o = 0; o < outputs; o++, w += features)
        for (int r = 0; r < rows; r++) {
            float sums[2] = {wb[o], base[r] * wg[o]};
            for (int i = start[r]; i < start[r + 1]; i++)
                sums[i % 2] += scaled[i] * w[column[i]];
            y[r * outputs + o] = sums[0] + sums[1];
        }
    free(scaled);
}
