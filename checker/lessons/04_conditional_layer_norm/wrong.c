/* The mistakes in conditional_init and conditional_affine that lesson 04 names, as learners write
 * them; those of the other two functions are in the other wrong_*.c. A test builds each section in
 * place of the solution's functions and demands that exactly this mistake is named. Nothing here
 * comes from the oracle: the two agree only because both do the same thing wrong. */

/* ---- mistake: init_gamma_zero ---- */
#include <string.h>

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    memset(w_gamma, 0, sizeof(float) * features * condition_size);
    memset(w_beta, 0, sizeof(float) * features * condition_size);
    memset(b_gamma, 0, sizeof(float) * features);
    memset(b_beta, 0, sizeof(float) * features);
}

/* ---- mistake: init_beta_one ---- */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int j = 0; j < features; j++) {
        b_gamma[j] = 1;
        b_beta[j] = 1;
        for (int k = 0; k < condition_size; k++) {
            w_gamma[j * condition_size + k] = 0;
            w_beta[j * condition_size + k] = 0;
        }
    }
}

/* ---- mistake: init_swapped ---- */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int i = 0; i < features * condition_size; i++)
        w_gamma[i] = w_beta[i] = 0.0f;
    for (int j = 0; j < features; j++)
        b_gamma[j] = 0.0f, b_beta[j] = 1.0f;
}

/* ---- mistake: init_memset_one ---- */
#include <string.h>

void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    size_t bytes = (size_t)features * condition_size * sizeof *w_gamma;
    memset(w_gamma, 0, bytes);
    memset(w_beta, 0, bytes);
    memset(b_gamma, 1, features * sizeof *b_gamma);
    memset(b_beta, 0, features * sizeof *b_beta);
}

/* ---- mistake: init_weights_one ---- */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int i = 0; i < features * condition_size; i++) {
        w_gamma[i] = 1.0f;
        w_beta[i] = 1.0f;
    }
    for (int j = 0; j < features; j++) {
        b_gamma[j] = 1.0f;
        b_beta[j] = 0.0f;
    }
}

/* ---- mistake: init_w_gamma_one ---- */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int j = 0; j < features; j++) {
        for (int k = 0; k < condition_size; k++) {
            *w_gamma++ = 1; /* gamma is one, beta is zero */
            *w_beta++ = 0;
        }
        b_gamma[j] = 1;
        b_beta[j] = 0;
    }
}

/* ---- mistake: weights_transposed ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += condition[r * condition_size + k] * w_gamma[k * features + j];
                b += condition[r * condition_size + k] * w_beta[k * features + j];
            }
            gamma[r * features + j] = g;
            beta[r * features + j] = b;
        }
}

/* ---- mistake: weights_first_row ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++) {
            float *g = &gamma[r * features + j], *b = &beta[r * features + j];
            *g = b_gamma[j];
            *b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                *g += w_gamma[k] * condition[r * condition_size + k];
                *b += w_beta[k] * condition[r * condition_size + k];
            }
        }
    }
}

/* ---- mistake: bias_missing ---- */
static float dot(const float *a, const float *b, int n)
{
    float sum = 0;
    while (n--)
        sum += *a++ * *b++;
    return sum;
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            const float *c = condition + r * condition_size;
            gamma[r * features + j] = dot(c, w_gamma + j * condition_size, condition_size);
            beta[r * features + j] = dot(c, w_beta + j * condition_size, condition_size);
        }
}

/* ---- mistake: bias_every_k ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float g = 0, b = 0;
            for (int k = 0; k < condition_size; k++) {
                float c = condition[r * condition_size + k];
                g += w_gamma[j * condition_size + k] * c + b_gamma[j];
                b += w_beta[j * condition_size + k] * c + b_beta[j];
            }
            gamma[r * features + j] = g;
            beta[r * features + j] = b;
        }
}

/* ---- mistake: residual_one ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int i = 0; i < rows * features; i++) {
        const float *c = condition + i / features * condition_size;
        int j = i % features;
        gamma[i] = 1.0f + b_gamma[j];
        beta[i] = b_beta[j];
        for (int k = 0; k < condition_size; k++) {
            gamma[i] += c[k] * w_gamma[j * condition_size + k];
            beta[i] += c[k] * w_beta[j * condition_size + k];
        }
    }
}

/* ---- mistake: condition_first_row ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            double g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            gamma[r * features + j] = g;
            beta[r * features + j] = b;
        }
}

/* ---- mistake: condition_misses_last ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            gamma[r * features + j] = b_gamma[j];
            beta[r * features + j] = b_beta[j];
            for (int k = 0; k < condition_size - 1; k++) {
                float c = condition[r * condition_size + k];
                gamma[r * features + j] += c * w_gamma[j * condition_size + k];
                beta[r * features + j] += c * w_beta[j * condition_size + k];
            }
        }
}

/* ---- mistake: gamma_beta_swapped ---- */
static void linear(float *out, const float *c, const float *w, const float *b, int features, int n)
{
    for (int j = 0; j < features; j++) {
        out[j] = b[j];
        for (int k = 0; k < n; k++)
            out[j] += w[j * n + k] * c[k];
    }
}

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++) {
        const float *c = condition + r * condition_size;
        linear(beta + r * features, c, w_gamma, b_gamma, features, condition_size);
        linear(gamma + r * features, c, w_beta, b_beta, features, condition_size);
    }
}

/* ---- mistake: beta_uses_w_gamma ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j];
            for (int k = 0; k < condition_size; k++)
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            gamma[r * features + j] = g;
            float b = b_beta[j];
            for (int k = 0; k < condition_size; k++)
                b += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            beta[r * features + j] = b;
        }
}

/* ---- mistake: beta_uses_b_gamma ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float g = 0, b = 0;
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            gamma[r * features + j] = b_gamma[j] + g;
            beta[r * features + j] = b_gamma[j] + b;
        }
}

/* ---- mistake: beta_uses_w_gamma + beta_uses_b_gamma ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float sum = 0;
            for (int k = 0; k < condition_size; k++)
                sum += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            gamma[r * features + j] = sum + b_gamma[j];
            sum = 0; /* pasted, and one name changed */
            for (int k = 0; k < condition_size; k++)
                sum += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            beta[r * features + j] = sum + b_gamma[j];
        }
}

/* ---- mistake: sum_not_reset ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    float sum_gamma = 0.0f, sum_beta = 0.0f;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < features; j++) {
            for (int k = 0; k < condition_size; k++) {
                sum_gamma += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                sum_beta += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            gamma[r * features + j] = sum_gamma + b_gamma[j];
            beta[r * features + j] = sum_beta + b_beta[j];
        }
    }
}

/* ---- mistake: sum_reset_per_row ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows;
         r++, condition += condition_size, gamma += features, beta += features) {
        double g = 0, b = 0;
        for (int j = 0; j < features; j++) {
            for (int k = 0; k < condition_size; k++) {
                g += (double)w_gamma[j * condition_size + k] * condition[k];
                b += (double)w_beta[j * condition_size + k] * condition[k];
            }
            gamma[j] = b_gamma[j] + g;
            beta[j] = b_beta[j] + b;
        }
    }
}

/* ---- mistake: weights_transposed + bias_missing ---- */
#include <string.h>

void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    memset(gamma, 0, sizeof(float) * rows * features);
    memset(beta, 0, sizeof(float) * rows * features);
    for (int r = 0; r < rows; r++) /* a matrix product as in the textbook: condition times w */
        for (int k = 0; k < condition_size; k++)
            for (int j = 0; j < features; j++) {
                float c = condition[r * condition_size + k];
                gamma[r * features + j] += c * w_gamma[k * features + j];
                beta[r * features + j] += c * w_beta[k * features + j];
            }
}
