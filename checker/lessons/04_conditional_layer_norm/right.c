/* Lesson 04 written in many honest ways. A test builds each section in place of the solution's
 * functions; none may be refused, whatever it does to the last bits. */

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

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    int n = condition_size;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        double mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += pow(in[j] - mean, 2);
        var /= features;
        for (int j = 0; j < features; j++) {
            double g = b_gamma[j] + product(w_gamma + j * n, 1, condition + r * n, 1, n);
            double b = b_beta[j] + product(w_beta + j * n, 1, condition + r * n, 1, n);
            y[r * features + j] = (float)(g * (in[j] - mean) / sqrt(var + eps) + b);
        }
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

void conditional_affine_backward(float *dw_gamma, float *db_gamma, float *dw_beta, float *db_beta,
                                 float *dcondition, const float *dgamma, const float *dbeta,
                                 const float *condition, const float *w_gamma, const float *w_beta,
                                 int rows, int features, int condition_size)
{
    for (int i = 0; i < features * condition_size; i++)
        dw_gamma[i] = dw_beta[i] = 0;
    for (int j = 0; j < features; j++)
        db_gamma[j] = db_beta[j] = 0;
    for (int i = 0; i < rows * condition_size; i++)
        dcondition[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float dg = dgamma[r * features + j], db = dbeta[r * features + j];
            db_gamma[j] += dg;
            db_beta[j] += db;
            for (int k = 0; k < condition_size; k++) {
                int w = j * condition_size + k, c = r * condition_size + k;
                dw_gamma[w] += dg * condition[c];
                dw_beta[w] += db * condition[c];
                dcondition[c] += dg * w_gamma[w];
                dcondition[c] += db * w_beta[w];
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

/* ---- style: the condition outermost, the bias last ---- */
static void outer(float *out, const float *condition, const float *w, const float *b, int rows,
                  int features, int size)
{
    for (int i = 0; i < rows * features; i++)
        out[i] = 0;
    for (int k = 0; k < size; k++)
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < features; j++)
                out[r * features + j] += w[j * size + k] * condition[r * size + k];
    for (int i = 0; i < rows * features; i++)
        out[i] += b[i % features];
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    outer(gamma, condition, w_gamma, b_gamma, rows, features, condition_size);
    outer(beta, condition, w_beta, b_beta, rows, features, condition_size);
}
