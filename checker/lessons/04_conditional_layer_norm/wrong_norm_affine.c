/* The mistakes in the affine map that lesson 04 names, made once more inside
 * conditional_layer_norm. See wrong.c. */

/* ---- mistake: weights_transposed ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[k * features + j] * condition[k];
                b += w_beta[k * features + j] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: weights_first_row ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[k] * condition[k];
                b += w_beta[k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: bias_missing ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = 0, b = 0;
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: bias_every_k ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = 0, b = 0;
            for (int k = 0; k < condition_size; k++) {
                g += b_gamma[j] + w_gamma[j * condition_size + k] * condition[k];
                b += b_beta[j] + w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: residual_one ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = (1 + g) * ((x[j] - mean) * rstd) + b;
        }
    }
}

/* ---- mistake: gamma_beta_swapped ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = b * (x[j] - mean) * rstd + g;
        }
    }
}

/* ---- mistake: condition_misses_last ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k + 1 < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: beta_uses_w_gamma ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_gamma[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: beta_uses_b_gamma ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_gamma[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: sum_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float g = 0, b = 0;
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = (g + b_gamma[j]) * (x[j] - mean) / sqrtf(var + eps) + (b + b_beta[j]);
        }
    }
}

/* ---- mistake: condition_first_row ---- */
#include <stdlib.h>

void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float *gamma = malloc(features * sizeof(float)), *beta = malloc(features * sizeof(float));
    conditional_affine(gamma, beta, condition, w_gamma, b_gamma, w_beta, b_beta, 1, features,
                       condition_size);
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) / sqrtf(var / features + eps) + beta[j];
    }
    free(gamma);
    free(beta);
}

/* ---- mistake: sum_reset_per_row ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (x[j] - mean) * (x[j] - mean);
        var /= features;
        float rstd = 1 / sqrtf(var + eps), g = 0, b = 0;
        for (int j = 0; j < features; j++) {
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = (b_gamma[j] + g) * (x[j] - mean) * rstd + (b_beta[j] + b);
        }
    }
}
