/* Mistakes of lesson 04 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

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
