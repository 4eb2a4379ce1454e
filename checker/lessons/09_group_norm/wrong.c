/* Mistakes of lesson 09 that are no change of a right answer, each in place of the solution's
 * functions of the same names. The others are in wrong.txt. */

/* ---- mistake: channel_statistics ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    for (int k = 0; k < batch * channels; k++, x += pixels, y += pixels) {
        int c = k % channels, saved = k / (channels / groups);
        float m = 0, v = 0;
        for (int p = 0; p < pixels; p++)
            m += x[p] / pixels;
        for (int p = 0; p < pixels; p++)
            v += (x[p] - m) * (x[p] - m) / pixels;
        mean[saved] = m;
        rstd[saved] = 1 / sqrtf(v + eps);
        for (int p = 0; p < pixels; p++)
            y[p] = gamma[c] * (x[p] - m) * rstd[saved] + beta[c];
    }
}

/* ---- mistake: batch_statistics ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per = channels / groups, n = batch * per * pixels;
    for (int g = 0; g < groups; g++) {
        float m = 0, v = 0;
        for (int b = 0; b < batch; b++)
            for (int i = g * per * pixels; i < (g + 1) * per * pixels; i++)
                m += x[b * channels * pixels + i];
        m /= n;
        for (int b = 0; b < batch; b++)
            for (int i = g * per * pixels; i < (g + 1) * per * pixels; i++)
                v += powf(x[b * channels * pixels + i] - m, 2);
        for (int b = 0; b < batch; b++) {
            mean[b * groups + g] = m;
            rstd[b * groups + g] = 1 / sqrtf(v / n + eps);
            for (int i = g * per * pixels; i < (g + 1) * per * pixels; i++)
                y[b * channels * pixels + i] =
                    gamma[i / pixels] * (x[b * channels * pixels + i] - m) * rstd[b * groups + g] +
                    beta[i / pixels];
        }
    }
}

/* ---- mistake: channel_statistics + batch_statistics ---- */
/* Batch norm. */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    for (int c = 0; c < channels; c++) {
        float m = 0, v = 0;
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++)
                m += x[(b * channels + c) * pixels + p] / (batch * pixels);
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++)
                v += powf(x[(b * channels + c) * pixels + p] - m, 2) / (batch * pixels);
        for (int b = 0; b < batch; b++) {
            mean[b * groups + c * groups / channels] = m;
            rstd[b * groups + c * groups / channels] = 1 / sqrtf(v + eps);
            for (int p = 0; p < pixels; p++) {
                int i = (b * channels + c) * pixels + p;
                y[i] = gamma[c] * (x[i] - m) / sqrtf(v + eps) + beta[c];
            }
        }
    }
}

/* ---- mistake: image_statistics + batch_statistics ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int n = batch * channels * pixels;
    float m = 0, v = 0;
    for (int i = 0; i < n; i++)
        m += x[i] / n;
    for (int i = 0; i < n; i++)
        v += (x[i] - m) * (x[i] - m) / n;
    for (int k = 0; k < batch * groups; k++) {
        mean[k] = m;
        rstd[k] = 1 / sqrtf(v + eps);
    }
    for (int i = 0; i < n; i++) {
        int c = i / pixels % channels;
        y[i] = gamma[c] * (x[i] - m) / sqrtf(v + eps) + beta[c];
    }
}

/* ---- mistake: nothing ---- */
/* As if the numbers of a pixel were side by side: batch x pixels x channels. */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per = channels / groups, n = per * pixels;
    for (int k = 0; k < batch * groups; k++) {
        int start = k / groups * channels * pixels + k % groups * per;
        float m = 0, v = 0;
        for (int j = 0; j < n; j++)
            m += x[start + j / per * channels + j % per] / n;
        for (int j = 0; j < n; j++)
            v += powf(x[start + j / per * channels + j % per] - m, 2) / n;
        mean[k] = m;
        rstd[k] = 1 / sqrtf(v + eps);
        for (int j = 0; j < n; j++) {
            int i = start + j / per * channels + j % per, c = k % groups * per + j % per;
            y[i] = gamma[c] * (x[i] - m) * rstd[k] + beta[c];
        }
    }
}

/* ---- mistake: groups_interleaved ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels, all = channels * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++) {
        int start = k / groups * all;
        float sum = 0, with_hat = 0;
        for (int c = k % groups; c < channels; c += groups)
            for (int i = start + c * pixels; i < start + (c + 1) * pixels; i++) {
                float hat = (x[i] - mean[k]) * rstd[k];
                dbeta[c] += dy[i];
                dgamma[c] += dy[i] * hat;
                sum += gamma[c] * dy[i];
                with_hat += gamma[c] * dy[i] * hat;
            }
        for (int c = k % groups; c < channels; c += groups)
            for (int i = start + c * pixels; i < start + (c + 1) * pixels; i++) {
                float hat = (x[i] - mean[k]) * rstd[k];
                dx[i] = rstd[k] * (gamma[c] * dy[i] - sum / n - hat * with_hat / n);
            }
    }
}

/* ---- mistake: means_per_channel ---- */
/* dgamma and dbeta of a channel, as in lesson 05, in the place of the group's sums. */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * channels; k++) {
        int c = k % channels, saved = k / (channels / groups);
        float sum = 0, with_hat = 0;
        for (int i = k * pixels; i < (k + 1) * pixels; i++) {
            sum += dy[i];
            with_hat += dy[i] * (x[i] - mean[saved]) * rstd[saved];
        }
        dbeta[c] += sum;
        dgamma[c] += with_hat;
        for (int i = k * pixels; i < (k + 1) * pixels; i++) {
            float hat = (x[i] - mean[saved]) * rstd[saved];
            dx[i] = gamma[c] * rstd[saved] * (dy[i] - sum / pixels - hat * with_hat / pixels);
        }
    }
}
