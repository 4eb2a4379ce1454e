/* The mistakes in normalizing that lesson 04 names, made in conditional_layer_norm as learners make
 * them, and pairs. See wrong.c. */

/* ---- mistake: n_minus_1 ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            var += powf(x[r * features + j] - mean, 2);
        float std = sqrtf(var / (features - 1) + eps);
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
                b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
            }
            y[r * features + j] = g * (x[r * features + j] - mean) / std + b;
        }
    }
}

/* ---- mistake: epsilon_outside ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features, *c = condition + r * condition_size;
        double mean = 0, var = 0;
        for (int j = 0; j < features; j++)
            mean += row[j];
        mean /= features;
        for (int j = 0; j < features; j++)
            var += (row[j] - mean) * (row[j] - mean);
        double std = sqrt(var / features) + eps;
        for (int j = 0; j < features; j++) {
            double g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++)
                g += (double)w_gamma[j * condition_size + k] * c[k];
            for (int k = 0; k < condition_size; k++)
                b += (double)w_beta[j * condition_size + k] * c[k];
            y[r * features + j] = (float)(g * (row[j] - mean) / std + b);
        }
    }
}

/* ---- mistake: epsilon_missing ---- */
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
        float rstd = 1 / sqrtf(var);
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

/* ---- mistake: divide_by_variance ---- */
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
        float rstd = 1 / (var + eps);
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

/* ---- mistake: gamma_missing ---- */
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
            float b = b_beta[j];
            for (int k = 0; k < condition_size; k++)
                b += w_beta[j * condition_size + k] * condition[k];
            y[j] = (x[j] - mean) * rstd + b;
        }
    }
}

/* ---- mistake: beta_missing ---- */
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
            float g = b_gamma[j];
            for (int k = 0; k < condition_size; k++)
                g += w_gamma[j * condition_size + k] * condition[k];
            y[j] = (x[j] - mean) * rstd * g;
        }
    }
}

/* ---- mistake: statistics_of_all ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    int n = rows * features;
    double mean = 0, var = 0;
    for (int i = 0; i < n; i++)
        mean += x[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        var += (x[i] - mean) * (x[i] - mean);
    double std = sqrt(var / n + eps);
    for (int i = 0; i < n; i++) {
        int r = i / features, j = i % features;
        float g = b_gamma[j], b = b_beta[j];
        for (int k = 0; k < condition_size; k++) {
            g += w_gamma[j * condition_size + k] * condition[r * condition_size + k];
            b += w_beta[j * condition_size + k] * condition[r * condition_size + k];
        }
        y[i] = g * (x[i] - mean) / std + b;
    }
}

/* ---- mistake: scale_before_norm ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features, condition += condition_size) {
        float mean = 0, var = 0;
        for (int j = 0; j < features; j++) {
            float g = b_gamma[j], b = b_beta[j];
            for (int k = 0; k < condition_size; k++) {
                g += w_gamma[j * condition_size + k] * condition[k];
                b += w_beta[j * condition_size + k] * condition[k];
            }
            y[j] = g * x[j] + b;
            mean += y[j] / features;
        }
        for (int j = 0; j < features; j++)
            var += (y[j] - mean) * (y[j] - mean) / features;
        for (int j = 0; j < features; j++)
            y[j] = (y[j] - mean) / sqrtf(var + eps);
    }
}

/* ---- mistake: variance_about_zero ---- */
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
            var += x[j] * x[j];
        var /= features;
        float rstd = 1 / sqrtf(var + eps);
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

/* ---- mistake: cancellation ---- */
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
            var += x[j] * x[j];
        var = var / features - mean * mean;
        float rstd = 1 / sqrtf(var + eps);
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

/* ---- mistake: mean_not_subtracted ---- */
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
            y[j] = g * x[j] * rstd + b;
        }
    }
}

/* ---- mistake: parentheses_missing ---- */
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
            y[j] = g * (x[j] - mean * rstd) + b;
        }
    }
}

/* ---- mistake: beta_inside ---- */
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
            y[j] = g * ((x[j] - mean) * rstd + b);
        }
    }
}

/* ---- mistake: first_row_again ---- */
void conditional_layer_norm(float *y, const float *x, const float *condition, const float *w_gamma,
                            const float *b_gamma, const float *w_beta, const float *b_beta,
                            int rows, int features, int condition_size, float eps)
{
    for (int r = 0; r < rows; r++, y += features, condition += condition_size) {
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
            y[j] = g * (x[j] - mean) * rstd + b;
        }
    }
}
