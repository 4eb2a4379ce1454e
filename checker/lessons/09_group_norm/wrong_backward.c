/* Mistakes in group_norm_backward as learners make them. See wrong.c. */

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

/* ---- mistake: gamma_outside_means ---- */
/* Lesson 05's formula. */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++) {
        float sum = 0, with_hat = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            int c = i / pixels % channels;
            float hat = (x[i] - mean[k]) * rstd[k];
            dbeta[c] += dy[i];
            dgamma[c] += dy[i] * hat;
            sum += dy[i];
            with_hat += dy[i] * hat;
        }
        for (int i = k * n; i < (k + 1) * n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k], scale = gamma[i / pixels % channels] * rstd[k];
            dx[i] = scale * (dy[i] - sum / n - hat * with_hat / n);
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

/* ---- mistake: statistics_constant ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    for (int c = 0; c < channels; c++) {
        dgamma[c] = dbeta[c] = 0;
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++) {
                int i = (b * channels + c) * pixels + p, k = b * groups + c / (channels / groups);
                dbeta[c] += dy[i];
                dgamma[c] += dy[i] * (x[i] - mean[k]) * rstd[k];
                dx[i] = gamma[c] * dy[i] * rstd[k];
            }
    }
}

/* ---- mistake: gamma_of_group ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++) {
        float sum = 0, with_hat = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k], g = gamma[k % groups] * dy[i];
            dbeta[i / pixels % channels] += dy[i];
            dgamma[i / pixels % channels] += dy[i] * hat;
            sum += g;
            with_hat += g * hat;
        }
        for (int i = k * n; i < (k + 1) * n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k], g = gamma[k % groups] * dy[i];
            dx[i] = rstd[k] * (g - sum / n - hat * with_hat / n);
        }
    }
}

/* ---- mistake: gamma_from_start ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int per = channels / groups, n = per * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++, x += n, dy += n, dx += n) {
        float sum = 0, with_hat = 0;
        for (int i = 0; i < n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k];
            dbeta[k % groups * per + i / pixels] += dy[i];
            dgamma[k % groups * per + i / pixels] += dy[i] * hat;
            sum += gamma[i / pixels] * dy[i];
            with_hat += gamma[i / pixels] * dy[i] * hat;
        }
        for (int i = 0; i < n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k];
            dx[i] = rstd[k] * (gamma[i / pixels] * dy[i] - sum / n - hat * with_hat / n);
        }
    }
}

/* ---- mistake: last_image_only ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int per = channels / groups, n = per * pixels;
    for (int k = 0; k < batch * groups; k++, x += n, dy += n, dx += n) {
        float sum = 0, with_hat = 0;
        for (int c = 0; c < per; c++) {
            float plain = 0, hats = 0;
            for (int i = c * pixels; i < (c + 1) * pixels; i++) {
                plain += dy[i];
                hats += dy[i] * (x[i] - mean[k]) * rstd[k];
            }
            dbeta[k % groups * per + c] = plain;
            dgamma[k % groups * per + c] = hats;
            sum += gamma[k % groups * per + c] * plain;
            with_hat += gamma[k % groups * per + c] * hats;
        }
        for (int i = 0; i < n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k],
                  g = gamma[k % groups * per + i / pixels] * dy[i];
            dx[i] = rstd[k] * (g - sum / n - hat * with_hat / n);
        }
    }
}

/* ---- mistake: averaged_over_batch ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    solution_group_norm_backward(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, batch, channels,
                                 pixels, groups);
    for (int c = 0; c < channels; c++) {
        dgamma[c] /= batch;
        dbeta[c] /= batch;
    }
}

/* ---- mistake: averaged_over_all ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    solution_group_norm_backward(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, batch, channels,
                                 pixels, groups);
    for (int c = 0; c < channels; c++) {
        dgamma[c] /= batch * pixels;
        dbeta[c] /= batch * pixels;
    }
}

/* ---- mistake: last_image_only + averaged_over_batch ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    solution_group_norm_backward(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, batch, channels,
                                 pixels, groups);
    for (int b = 0; b < batch; b++)
        for (int c = 0; c < channels; c++) {
            int k = b * groups + c * groups / channels;
            dgamma[c] = dbeta[c] = 0;
            for (int i = (b * channels + c) * pixels; i < (b * channels + c + 1) * pixels; i++) {
                dbeta[c] += dy[i] / batch;
                dgamma[c] += dy[i] * (x[i] - mean[k]) * rstd[k] / batch;
            }
        }
}

/* ---- mistake: statistics_constant + gamma_of_group ---- */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    for (int c = 0; c < channels; c++) {
        int g = c * groups / channels;
        dgamma[c] = dbeta[c] = 0;
        for (int b = 0; b < batch; b++)
            for (int i = (b * channels + c) * pixels; i < (b * channels + c + 1) * pixels; i++) {
                int k = b * groups + g;
                dbeta[c] += dy[i];
                dgamma[c] += dy[i] * (x[i] - mean[k]) * rstd[k];
                dx[i] = gamma[g] * dy[i] * rstd[k];
            }
    }
}

/* ---- mistake: nothing ---- */
/* The means of dx are over the pixels' number only. */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++) {
        float sum = 0, with_hat = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            int c = i / pixels % channels;
            float hat = (x[i] - mean[k]) * rstd[k];
            dbeta[c] += dy[i];
            dgamma[c] += dy[i] * hat;
            sum += gamma[c] * dy[i] / pixels;
            with_hat += gamma[c] * dy[i] * hat / pixels;
        }
        for (int i = k * n; i < (k + 1) * n; i++) {
            float hat = (x[i] - mean[k]) * rstd[k], g = gamma[i / pixels % channels] * dy[i];
            dx[i] = rstd[k] * (g - sum - hat * with_hat);
        }
    }
}

/* ---- mistake: nothing ---- */
/* mean and rstd of the first image for all of them. */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++) {
        float m = mean[k % groups], r = rstd[k % groups], sum = 0, with_hat = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            int c = i / pixels % channels;
            dbeta[c] += dy[i];
            dgamma[c] += dy[i] * (x[i] - m) * r;
            sum += gamma[c] * dy[i];
            with_hat += gamma[c] * dy[i] * (x[i] - m) * r;
        }
        for (int i = k * n; i < (k + 1) * n; i++)
            dx[i] = r * (gamma[i / pixels % channels] * dy[i] - sum / n -
                         (x[i] - m) * r * with_hat / n);
    }
}

/* ---- mistake: nothing ---- */
/* The number of images is left out of where a channel stands. */
void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    solution_group_norm_backward(dx, dgamma, dbeta, dy, x, gamma, mean, rstd, batch, channels,
                                 pixels, groups);
    for (int c = 0; c < channels; c++) {
        dgamma[c] = dbeta[c] = 0;
        for (int p = 0; p < pixels; p++)
            dbeta[c] += dy[c * pixels + p];
    }
}
