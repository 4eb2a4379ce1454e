/* Honest ways to write lesson 04's functions. Each must pass every check, whatever it does to the
 * last bits. */

/* ---- style: as the hints say ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            gamma[r * features + j] = g;
            beta[r * features + j] = b;
        }
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = 0.0f, variance = 0.0f;
        for (int j = 0; j < features; j++)
            mean += x[r * features + j];
        mean /= (float)features;
        for (int j = 0; j < features; j++)
            variance += (x[r * features + j] - mean) * (x[r * features + j] - mean);
        variance /= (float)features;
        float rstd = 1.0f / sqrtf(variance + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            y[r * features + j] = g * (x[r * features + j] - mean) * rstd + b;
        }
    }
}

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    for (int i = 0; i < features * condition_size; i++)
        dw_gamma[i] = dw_beta[i] = 0.0f;
    for (int i = 0; i < rows * condition_size; i++)
        dcondition[i] = 0.0f;
    for (int j = 0; j < features; j++)
        db_gamma[j] = db_beta[j] = 0.0f;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            db_gamma[j] += dgamma[r * features + j];
            db_beta[j] += dbeta[r * features + j];
            for (int k = 0; k < condition_size; k++) {
                dw_gamma[j * condition_size + k] +=
                    dgamma[r * features + j] * condition[r * condition_size + k];
                dw_beta[j * condition_size + k] +=
                    dbeta[r * features + j] * condition[r * condition_size + k];
                dcondition[r * condition_size + k] +=
                    dgamma[r * features + j] * w_gamma[j * condition_size + k] +
                    dbeta[r * features + j] * w_beta[j * condition_size + k];
            }
        }
}

/* ---- style: double sums ---- */
#include <string.h>

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    memset(w_gamma, 0, sizeof(float) * features * condition_size);
    memset(w_beta, 0, sizeof(float) * features * condition_size);
    memset(b_beta, 0, sizeof(float) * features);
    for (int j = 0; j < features; j++)
        b_gamma[j] = 1;
}

static double product(const float *a, int a_step, const float *b, int b_step, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i * a_step] * b[i * b_step];
    return sum;
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int i = 0; i < rows * features; i++) {
        int r = i / features, j = i % features, n = condition_size;
        gamma[i] = (float)(b_gamma[j] + product(w_gamma + j * n, 1, condition + r * n, 1, n));
        beta[i] = (float)(b_beta[j] + product(w_beta + j * n, 1, condition + r * n, 1, n));
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
        db_gamma[j] = (float)product(dgamma + j, features, &one, 0, rows);
        db_beta[j] = (float)product(dbeta + j, features, &one, 0, rows);
        for (int k = 0; k < n; k++) {
            dw_gamma[j * n + k] = (float)product(dgamma + j, features, condition + k, n, rows);
            dw_beta[j * n + k] = (float)product(dbeta + j, features, condition + k, n, rows);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            dcondition[r * n + k] =
                (float)(product(dgamma + r * features, 1, w_gamma + k, n, features) +
                        product(dbeta + r * features, 1, w_beta + k, n, features));
}

/* ---- style: float sums, all in one loop ---- */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int i = 0; i < features * (condition_size + 1); i++) {
        int j = i / (condition_size + 1), k = i % (condition_size + 1);
        if (k < condition_size)
            w_gamma[j * condition_size + k] = w_beta[j * condition_size + k] = 0.0f;
        else
            b_gamma[j] = 1.0f, b_beta[j] = -0.0f;
    }
}

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int i = 0; i < rows * features; i++) {
        int r = i / features, j = i % features;
        float mean = 0, var = 0, g = 0, b = 0;
        for (int l = 0; l < features; l++)
            mean += x[r * features + l] / features;
        for (int l = 0; l < features; l++)
            var += powf(x[r * features + l] - mean, 2) / features;
        for (int k = 0; k < condition_size; k++) {
            g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
        }
        y[i] = (b_gamma[j] + g) * ((x[i] - mean) / sqrtf(var + eps)) + (b_beta[j] + b);
    }
}

/* ---- style: loops reversed ---- */
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

/* ---- style: welford ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float before = x[r * features + j] - mean;
            mean += before / (j + 1);
            squares += before * (x[r * features + j] - mean);
        }
        float rstd = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g = fmaf(w_gamma[j * condition_size + k], condition[r * condition_size + k], g);
                b = fmaf(w_beta[j * condition_size + k], condition[r * condition_size + k], b);
            }
            y[r * features + j] = fmaf(g, (x[r * features + j] - mean) * rstd, b);
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
