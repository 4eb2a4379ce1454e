/* Sums that are not set back to 0, as learners write them. See wrong.c. */

/* ---- mistake: total_not_reset ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    float g = 0, b = 0;
    for (int r = 0; r < rows; r++) {
        const float *c = condition + r * condition_size;
        for (int j = 0; j < features; j++) {
            g += b_gamma[j];
            b += b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            gamma[r * features + j] = g;
            beta[r * features + j] = b;
        }
    }
}

/* ---- mistake: total_reset_per_row ---- */
void conditional_affine(float *gamma, float *beta, const float *condition, const float *w_gamma,
                        const float *b_gamma, const float *w_beta, const float *b_beta, int rows,
                        int features, int condition_size)
{
    for (int r = 0; r < rows; r++) {
        const float *c = condition + r * condition_size;
        float g = 0, b = 0;
        for (int j = 0; j < features; j++) {
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            gamma[r * features + j] = g += b_gamma[j];
            beta[r * features + j] = b += b_beta[j];
        }
    }
}

/* ---- mistake: total_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float g = 0, b = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            g += b_gamma[j];
            b += b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(var + eps) + b;
        }
    }
}

/* ---- mistake: total_reset_per_row ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        float mean = 0, var = 0;
        float g = 0, b = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            g += b_gamma[j];
            b += b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(var + eps) + b;
        }
    }
}

/* ---- mistake: mean_sum_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float sum = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        float squares = 0;
        for (int j = 0; j < features; j++)
            sum += in[j];
        float mean = sum / features;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean) * (in[j] - mean);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(squares / features + eps) + b;
        }
    }
}

/* ---- mistake: mean_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float mean = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        float var = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(var + eps) + b;
        }
    }
}

/* ---- mistake: squares_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float squares = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        float mean = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean) * (in[j] - mean);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(squares / features + eps) + b;
        }
    }
}

/* ---- mistake: variance_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float var = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        float mean = 0;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(var + eps) + b;
        }
    }
}

/* ---- mistake: mean_not_reset + variance_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float mean = 0, var = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (in[j] - mean) * (in[j] - mean);
        var /= features;
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(var + eps) + b;
        }
    }
}

/* ---- mistake: mean_sum_not_reset + squares_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float sum = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        for (int j = 0; j < features; j++)
            sum += in[j];
        float mean = sum / features;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean) * (in[j] - mean);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(squares / features + eps) + b;
        }
    }
}

/* ---- mistake: mean_not_reset + squares_not_reset ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    float mean = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features, *c = condition + r * condition_size;
        for (int j = 0; j < features; j++)
            mean += in[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            squares += (in[j] - mean) * (in[j] - mean);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * c[k];
                b += w_beta[j * condition_size + k] * c[k];
            }
            y[r * features + j] = g * (in[j] - mean) / sqrtf(squares / features + eps) + b;
        }
    }
}
