/* Mistakes of lesson 08 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: batch_norm ---- */
void layer_norm_axis(float *y, const float *x, int outer, int features, int inner, float eps)
{
    for (int j = 0; j < features; j++) {
        float m = 0, v = 0;
        for (int o = 0; o < outer; o++)
            for (int i = 0; i < inner; i++)
                m += x[(o * features + j) * inner + i] / (outer * inner);
        for (int o = 0; o < outer; o++)
            for (int i = 0; i < inner; i++)
                v += powf(x[(o * features + j) * inner + i] - m, 2) / (outer * inner);
        for (int o = 0; o < outer; o++)
            for (int i = 0; i < inner; i++) {
                int k = (o * features + j) * inner + i;
                y[k] = (x[k] - m) / sqrtf(v + eps);
            }
    }
}

/* ---- mistake: batch_norm ---- */
void layer_norm_pixels(float *y, const float *x, const float *gamma, const float *beta, int batch,
                       int channels, int height, int width, float eps)
{
    int pixels = height * width;
    for (int c = 0; c < channels; c++) {
        float m = 0, v = 0;
        for (int k = 0; k < batch * pixels; k++)
            m += x[(k / pixels * channels + c) * pixels + k % pixels] / (batch * pixels);
        for (int k = 0; k < batch * pixels; k++)
            v += powf(x[(k / pixels * channels + c) * pixels + k % pixels] - m, 2);
        for (int k = 0; k < batch * pixels; k++) {
            int at = (k / pixels * channels + c) * pixels + k % pixels;
            y[at] = gamma[c] * (x[at] - m) / sqrtf(v / (batch * pixels) + eps) + beta[c];
        }
    }
}
