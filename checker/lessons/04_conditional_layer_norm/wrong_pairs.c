/* Pairs of mistakes that lesson 04 names, made together in conditional_layer_norm. See wrong.c. */

/* ---- mistake: n_minus_1 + epsilon_missing ---- */
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
        float rstd = 1 / sqrtf(var * features / (features - 1));
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: weights_transposed + epsilon_outside ---- */
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
        float rstd = 1 / (sqrtf(var) + eps);
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

/* ---- mistake: residual_one + bias_missing ---- */
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
            y[j] = (1 + g) * (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: residual_one + n_minus_1 ---- */
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
        float rstd = 1 / sqrtf(var * features / (features - 1) + eps);
        for (int j = 0; j < features; j++) {
            float g = 1 + b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}
