/* Lesson 04: what the hints say, put together. Each section is a style; see the README. */

/* ---- style: as the hints say ---- */
void conditional_init(float *w_gamma, float *b_gamma, float *w_beta, float *b_beta, int features,
                      int condition_size)
{
    for (int i = 0; i < features * condition_size; i++)
        w_gamma[i] = w_beta[i] = 0.0f;
    for (int j = 0; j < features; j++) {
        b_gamma[j] = 1.0f;
        b_beta[j] = 0.0f;
    }
}

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
