/* Right answers for lesson 09 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double sums, every index written out ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per = channels / groups, n = per * pixels;
    for (int b = 0; b < batch; b++)
        for (int g = 0; g < groups; g++) {
            double sum = 0, squares = 0;
            for (int c = g * per; c < (g + 1) * per; c++)
                for (int p = 0; p < pixels; p++)
                    sum += x[(b * channels + c) * pixels + p];
            double m = sum / n;
            for (int c = g * per; c < (g + 1) * per; c++)
                for (int p = 0; p < pixels; p++) {
                    double d = x[(b * channels + c) * pixels + p] - m;
                    squares += d * d;
                }
            double r = 1 / sqrt(squares / n + eps);
            mean[b * groups + g] = m;
            rstd[b * groups + g] = r;
            for (int c = g * per; c < (g + 1) * per; c++)
                for (int p = 0; p < pixels; p++) {
                    int i = (b * channels + c) * pixels + p;
                    y[i] = gamma[c] * ((x[i] - m) * r) + beta[c];
                }
        }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int per = channels / groups, n = per * pixels;
    for (int c = 0; c < channels; c++) {
        double by_gamma = 0, by_beta = 0;
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++) {
                int i = (b * channels + c) * pixels + p, k = b * groups + c / per;
                by_beta += dy[i];
                by_gamma += (double)dy[i] * (x[i] - mean[k]) * rstd[k];
            }
        dgamma[c] = by_gamma;
        dbeta[c] = by_beta;
    }
    for (int k = 0; k < batch * groups; k++) {
        double sum = 0, with_xhat = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            double g = (double)gamma[i / pixels % channels] * dy[i];
            sum += g;
            with_xhat += g * (x[i] - mean[k]) * rstd[k];
        }
        for (int i = k * n; i < (k + 1) * n; i++) {
            double xhat = ((double)x[i] - mean[k]) * rstd[k];
            dx[i] = rstd[k] * (gamma[i / pixels % channels] * (double)dy[i] - sum / n -
                               xhat * (with_xhat / n));
        }
    }
}

/* ---- style: as PyTorch does it: scale and shift of a channel, sums of dy * x ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per = channels / groups, n = per * pixels;
    for (int k = 0; k < batch * groups; k++) {
        float m = 0, squares = 0;
        for (int j = 0; j < n; j++) { /* Welford */
            float d = x[k * n + j] - m;
            m += d / (j + 1);
            squares += d * (x[k * n + j] - m);
        }
        mean[k] = m;
        rstd[k] = 1 / sqrtf(squares / n + eps);
    }
    for (int k = 0; k < batch * channels; k++) {
        int c = k % channels, saved = k / per;
        float scale = gamma[c] * rstd[saved], shift = beta[c] - scale * mean[saved];
        for (int p = 0; p < pixels; p++)
            y[k * pixels + p] = scale * x[k * pixels + p] + shift;
    }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int per = channels / groups;
    for (int c = 0; c < channels; c++)
        dgamma[c] = dbeta[c] = 0;
    for (int k = 0; k < batch * groups; k++) {
        float all = 0, all_x = 0, m = mean[k], r = rstd[k];
        for (int j = k * per; j < (k + 1) * per; j++) {
            float plain = 0, with_x = 0;
            for (int p = 0; p < pixels; p++) {
                plain += dy[j * pixels + p];
                with_x += dy[j * pixels + p] * x[j * pixels + p];
            }
            dbeta[j % channels] += plain;
            dgamma[j % channels] += (with_x - plain * m) * r;
            all += plain * gamma[j % channels];
            all_x += with_x * gamma[j % channels];
        }
        float of_x = (all * m - all_x) * r * r * r / (per * pixels);
        float rest = -of_x * m - all * r / (per * pixels);
        for (int i = k * per * pixels; i < (k + 1) * per * pixels; i++)
            dx[i] = gamma[i / pixels % channels] * r * dy[i] + of_x * x[i] + rest;
    }
}

/* ---- style: one loop over all numbers, sums in memory ---- */
#include <stdlib.h>
#include <string.h>

void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int all = batch * channels * pixels, n = channels / groups * pixels;
    for (int k = 0; k < batch * groups; k++)
        mean[k] = rstd[k] = 0;
    for (int i = 0; i < all; i++)
        mean[i / n] += x[i] / n;
    for (int i = 0; i < all; i++)
        rstd[i / n] += powf(x[i] - mean[i / n], 2) / n;
    for (int k = 0; k < batch * groups; k++)
        rstd[k] = 1 / sqrtf(rstd[k] + eps);
    for (int i = 0; i < all; i++) {
        int c = i / pixels % channels;
        y[i] = (x[i] - mean[i / n]) * rstd[i / n] * gamma[c] + beta[c];
    }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int all = batch * channels * pixels, n = channels / groups * pixels;
    float *sum = calloc(batch * groups, sizeof *sum), *with_xhat = calloc(batch * groups, 4);
    memset(dgamma, 0, channels * sizeof *dgamma);
    memset(dbeta, 0, channels * sizeof *dbeta);
    for (int i = 0; i < all; i++) {
        int c = i / pixels % channels, k = i / n;
        dx[i] = (x[i] - mean[k]) * rstd[k]; /* xhat, for now */
        dbeta[c] += dy[i];
        dgamma[c] += dy[i] * dx[i];
        sum[k] += gamma[c] * dy[i];
        with_xhat[k] += gamma[c] * dy[i] * dx[i];
    }
    for (int i = 0; i < all; i++) {
        int c = i / pixels % channels, k = i / n;
        dx[i] = (gamma[c] * dy[i] * n - sum[k] - dx[i] * with_xhat[k]) * (rstd[k] / n);
    }
    free(sum);
    free(with_xhat);
}

/* ---- style: the channels' statistics merged; dx with a path for mean and one for rstd ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per = channels / groups;
    for (int k = 0; k < batch * groups; k++, x += per * pixels, y += per * pixels) {
        float m = 0, v = 0;
        for (int c = 0; c < per; c++) {
            float own = 0, squares = 0;
            for (int p = 0; p < pixels; p++)
                own += x[c * pixels + p];
            own /= pixels;
            for (int p = 0; p < pixels; p++)
                squares += (x[c * pixels + p] - own) * (x[c * pixels + p] - own);
            float apart = own - m, share = 1.0f / (c + 1);
            m += share * apart;
            v = (1 - share) * v + share * (squares / pixels) + share * (1 - share) * apart * apart;
        }
        mean[k] = m;
        rstd[k] = 1 / sqrtf(v + eps);
        for (int i = 0; i < per * pixels; i++) {
            int c = (k * per + i / pixels) % channels;
            y[i] = gamma[c] * ((x[i] - m) * rstd[k]) + beta[c];
        }
    }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels;
    for (int c = channels - 1; c >= 0; c--) {
        dgamma[c] = dbeta[c] = 0;
        for (int b = batch - 1; b >= 0; b--) {
            const float *d = dy + (b * channels + c) * pixels, *v = x + (b * channels + c) * pixels;
            int k = b * groups + c * groups / channels;
            float plain = 0, distance = 0;
            for (int p = pixels - 1; p >= 0; p--) {
                plain += d[p];
                distance += d[p] * (v[p] - mean[k]);
            }
            dbeta[c] += plain;
            dgamma[c] += distance * rstd[k];
        }
    }
    for (int k = 0; k < batch * groups; k++) {
        float r = rstd[k], drstd = 0, dmean = 0, spare = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            drstd += gamma[i / pixels % channels] * dy[i] * (x[i] - mean[k]);
            dmean -= gamma[i / pixels % channels] * dy[i] * r;
            spare += x[i] - mean[k];
        }
        float dvariance = drstd * -0.5f * r * r * r;
        dmean += dvariance * -2 * spare / n;
        for (int i = k * n; i < (k + 1) * n; i++)
            dx[i] = gamma[i / pixels % channels] * dy[i] * r +
                    dvariance * 2 * (x[i] - mean[k]) / n + dmean / n;
    }
}

/* ---- style: fast: four sums at once, each channel's factors worked out once ---- */
void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int per = channels / groups, n = per * pixels;
    for (int k = 0; k < batch * groups; k++) {
        const float *group = x + (size_t)k * n;
        float sum[4] = {0}, squares[4] = {0};
        int i = 0;
        for (; i + 4 <= n; i += 4)
            for (int lane = 0; lane < 4; lane++)
                sum[lane] += group[i + lane];
        for (; i < n; i++)
            sum[0] += group[i];
        float m = (sum[0] + sum[1] + sum[2] + sum[3]) / n;
        for (i = 0; i < n; i++)
            squares[i & 3] += (group[i] - m) * (group[i] - m);
        float r = 1 / sqrtf((squares[0] + squares[1] + squares[2] + squares[3]) / n + eps);
        mean[k] = m;
        rstd[k] = r;
        for (int c = 0; c < per; c++) {
            float scale = gamma[k % groups * per + c] * r, shift = beta[k % groups * per + c];
            const float *in = group + (size_t)c * pixels;
            float *out = y + (size_t)k * n + (size_t)c * pixels;
            for (int p = 0; p < pixels; p++)
                out[p] = scale * (in[p] - m) + shift;
        }
    }
}

void group_norm_backward(float *restrict dx, float *restrict dgamma, float *restrict dbeta,
                         const float *restrict dy, const float *restrict x, const float *gamma,
                         const float *mean, const float *rstd, int batch, int channels, int pixels,
                         int groups)
{
    int per = channels / groups, n = per * pixels;
    for (int k = 0; k < batch * groups; k++, x += n, dy += n, dx += n) {
        int first = k % groups * per, new = k < groups;
        float all = 0, all_hat = 0;
        for (int c = 0; c < per; c++) {
            float plain = 0, distance = 0;
            for (int i = c * pixels; i < (c + 1) * pixels; i++) {
                plain += dy[i];
                distance += dy[i] * (x[i] - mean[k]);
            }
            distance *= rstd[k];
            dbeta[first + c] = new ? plain : dbeta[first + c] + plain;
            dgamma[first + c] = new ? distance : dgamma[first + c] + distance;
            all += gamma[first + c] * plain;
            all_hat += gamma[first + c] * distance;
        }
        float take = rstd[k] * all / n, times = rstd[k] * rstd[k] * all_hat / n;
        for (int c = 0; c < per; c++) {
            float factor = gamma[first + c] * rstd[k];
            for (int i = c * pixels; i < (c + 1) * pixels; i++)
                dx[i] = factor * dy[i] - take - (x[i] - mean[k]) * times;
        }
    }
}

/* ---- style: distances from the first number of a group; dx by the rows of the Jacobian ---- */
#include <stdlib.h>

void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int n = channels / groups * pixels;
    for (int k = 0; k < batch * groups; k++) {
        float first = x[k * n], sum = 0, squares = 0;
        for (int i = k * n; i < (k + 1) * n; i++) {
            sum += x[i] - first;
            squares += (x[i] - first) * (x[i] - first);
        }
        float aside = sum / n;
        mean[k] = first + aside;
        rstd[k] = 1 / sqrtf(fmaxf(squares / n - aside * aside, 0) + eps);
        for (int i = k * n; i < (k + 1) * n; i++) {
            int c = i / pixels % channels;
            y[i] = gamma[c] * (x[i] - first - aside) * rstd[k] + beta[c];
        }
    }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int n = channels / groups * pixels;
    for (int c = 0; c < channels; c++) {
        dgamma[c] = dbeta[c] = 0;
        for (int b = 0; b < batch; b++)
            for (int p = 0; p < pixels; p++) {
                int i = (b * channels + c) * pixels + p;
                dbeta[c] += dy[i];
                dgamma[c] += dy[i] * ((x[i] - mean[i / n]) * rstd[i / n]);
            }
    }
    float *hat = malloc(n * sizeof *hat), *g = malloc(n * sizeof *g);
    for (int k = 0; k < batch * groups; k++) {
        for (int i = 0; i < n; i++) {
            hat[i] = (x[k * n + i] - mean[k]) * rstd[k];
            g[i] = gamma[(k * n + i) / pixels % channels] * dy[k * n + i];
        }
        for (int j = 0; j < n; j++) {
            float sum = 0, own = hat[j];
            for (int i = 0; i < n; i++)
                sum += g[i] * (1 + hat[i] * own);
            dx[k * n + j] = rstd[k] * (g[j] - sum / n);
        }
    }
    free(hat);
    free(g);
}
