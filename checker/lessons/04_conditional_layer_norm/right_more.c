/* More honest ways of writing lesson 04. See right.c. */

/* ---- style: pairwise sums ---- */
static float pairwise(const float *a, int a_step, const float *b, int b_step, int n)
{
    if (n == 1)
        return a[0] * b[0];
    int half = n / 2;
    return pairwise(a, a_step, b, b_step, half) +
           pairwise(a + half * a_step, a_step, b + half * b_step, b_step, n - half);
}

static float pairwise_from(const float *x, int n, float center, int power)
{
    if (n == 1)
        return power == 1 ? x[0] - center : (x[0] - center) * (x[0] - center);
    int half = n / 2;
    return pairwise_from(x, half, center, power) + pairwise_from(x + half, n - half, center, power);
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    int n = condition_size;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            const float *own = condition + r * n;
            gamma[r * features + j] = pairwise(own, 1, w_gamma + j * n, 1, n) + b_gamma[j];
            beta[r * features + j] = pairwise(own, 1, w_beta + j * n, 1, n) + b_beta[j];
        }
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    int n = condition_size;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *own = condition + r * n;
        float mean = pairwise_from(in, features, 0, 1) / features;
        float std = sqrtf(pairwise_from(in, features, mean, 2) / features + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] =
                (pairwise(own, 1, w_gamma + j * n, 1, n) + b_gamma[j]) * ((in[j] - mean) / std) +
                pairwise(own, 1, w_beta + j * n, 1, n) + b_beta[j];
    }
}

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    const float one = 1;
    int n = condition_size;
    for (int j = 0; j < features; j++) {
        db_gamma[j] = pairwise(dgamma + j, features, &one, 0, rows);
        db_beta[j] = pairwise(dbeta + j, features, &one, 0, rows);
        for (int k = 0; k < n; k++) {
            dw_gamma[j * n + k] = pairwise(dgamma + j, features, condition + k, n, rows);
            dw_beta[j * n + k] = pairwise(dbeta + j, features, condition + k, n, rows);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            dcondition[r * n + k] = pairwise(dgamma + r * features, 1, w_gamma + k, n, features) +
                                    pairwise(dbeta + r * features, 1, w_beta + k, n, features);
}

/* ---- style: vector extensions ---- */
#include <string.h>

typedef float Four __attribute__((vector_size(16)));

static Four load(const float *x)
{
    Four v;
    memcpy(&v, x, sizeof v); /* rows start anywhere: no alignment */
    return v;
}

static float dot4(const float *a, const float *b, int n)
{
    Four sums = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        sums += load(a + i) * load(b + i);
    float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    int n = condition_size;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            gamma[r * features + j] = dot4(w_gamma + j * n, condition + r * n, n) + b_gamma[j];
            beta[r * features + j] = dot4(w_beta + j * n, condition + r * n, n) + b_beta[j];
        }
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    int n = condition_size;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float *out = y + r * features, mean = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            out[j] = in[j] - mean;
        float rstd = 1 / sqrtf(dot4(out, out, features) / features + eps);
        for (int j = 0; j < features; j++) {
            float g = dot4(w_gamma + j * n, condition + r * n, n) + b_gamma[j];
            out[j] = out[j] * rstd * g + (dot4(w_beta + j * n, condition + r * n, n) + b_beta[j]);
        }
    }
}

/* ---- style: loops reversed ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = rows; r-- > 0;)
        for (int j = features; j-- > 0;) {
            float g = 0, b = 0;
            for (int k = condition_size; k-- > 0;) {
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            gamma[r * features + j] = b_gamma[j] + g;
            beta[r * features + j] = b_beta[j] + b;
        }
}

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    for (int r = rows; r-- > 0;)
        for (int k = condition_size; k-- > 0;) {
            float from_gamma = 0, from_beta = 0;
            for (int j = features; j-- > 0;) {
                from_gamma += w_gamma[j * condition_size + k] * dgamma[r * features + j];
                from_beta += w_beta[j * condition_size + k] * dbeta[r * features + j];
            }
            dcondition[r * condition_size + k] = from_beta + from_gamma;
        }
    for (int r = rows; r-- > 0;)
        for (int j = features; j-- > 0;) {
            float keep = r == rows - 1 ? 0 : 1; /* the first row to come writes, the others add */
            float dg = dgamma[r * features + j], db = dbeta[r * features + j];
            db_gamma[j] = dg + (keep ? db_gamma[j] : 0);
            db_beta[j] = db + (keep ? db_beta[j] : 0);
            for (int k = condition_size; k-- > 0;) {
                float c = condition[r * condition_size + k];
                int w = j * condition_size + k;
                dw_gamma[w] = dg * c + (keep ? dw_gamma[w] : 0);
                dw_beta[w] = db * c + (keep ? dw_beta[w] : 0);
            }
        }
}

/* ---- style: scale and shift computed first ---- */
#include <stdlib.h>

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float *gamma = malloc(sizeof(float) * rows * features);
    float *beta = malloc(sizeof(float) * rows * features);
    conditional_affine(gamma, beta, condition, w_gamma, b_gamma, w_beta, b_beta, rows, features,
                       condition_size);
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[r * features + j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        float rstd = 1 / sqrtf(var / features + eps);
        for (int j = 0; j < features; j++) {
            int i = r * features + j;
            float scale = gamma[i] * rstd, shift = beta[i] - mean * scale;
            y[i] = scale * x[i] + shift;
        }
    }
    free(gamma);
    free(beta);
}

/* ---- style: a shifted sum of squares ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *own = condition + r * condition_size;
        float origin = in[0], sum = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            sum += in[j] - origin;
            squares += (in[j] - origin) * (in[j] - origin);
        }
        float shift = sum / features, var = squares / features - shift * shift;
        float std = sqrtf((var > 0 ? var : 0) + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += own[k] * w_gamma[j * condition_size + k];
                b += own[k] * w_beta[j * condition_size + k];
            }
            y[r * features + j] = g * ((in[j] - origin - shift) / std) + b;
        }
    }
}
