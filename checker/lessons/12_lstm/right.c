/* Right answers for lesson 12 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: double throughout ---- */
static double row_of(double *hat, const double *z, int n, double eps)
{
    double mean = 0, variance = 0;
    for (int j = 0; j < n; j++)
        mean += z[j] / n;
    for (int j = 0; j < n; j++)
        variance += (z[j] - mean) * (z[j] - mean) / n;
    for (int j = 0; j < n; j++)
        hat[j] = n == 1 ? 0 : (z[j] - mean) / sqrt(variance + eps);
    return 1 / sqrt(variance + eps);
}

static void row_back(double *dz, const double *g, const double *hat, double rstd, int n)
{
    double a = 0, b = 0;
    for (int j = 0; j < n; j++) {
        a += g[j] / n;
        b += g[j] * hat[j] / n;
    }
    for (int j = 0; j < n; j++)
        dz[j] = rstd * (g[j] - a - hat[j] * b);
}

static double logistic(double v)
{
    return 1 / (1 + exp(-v));
}

void lstm_project(float *a, const float *x, const float *w, const float *gamma, int batch,
                  int inputs, int hidden, float eps)
{
    int n = 4 * hidden;
    for (int r = 0; r < batch; r++) {
        double z[n], hat[n];
        for (int j = 0; j < n; j++) {
            z[j] = 0;
            for (int k = 0; k < inputs; k++)
                z[j] += (double)w[j * inputs + k] * x[r * inputs + k];
        }
        row_of(hat, z, n, eps);
        for (int j = 0; j < n; j++)
            a[r * n + j] = gamma[j] * hat[j];
    }
}

void lstm_project_backward(float *dx, float *dw, float *dgamma, const float *da, const float *x,
                           const float *w, const float *gamma, int batch, int inputs, int hidden,
                           float eps)
{
    int n = 4 * hidden;
    double sum_w[n * inputs], sum_gamma[n];
    for (int i = 0; i < n * inputs; i++)
        sum_w[i] = 0;
    for (int j = 0; j < n; j++)
        sum_gamma[j] = 0;
    for (int r = 0; r < batch; r++) {
        double z[n], hat[n], g[n];
        for (int j = 0; j < n; j++) {
            z[j] = 0;
            for (int k = 0; k < inputs; k++)
                z[j] += (double)w[j * inputs + k] * x[r * inputs + k];
        }
        double rstd = row_of(hat, z, n, eps);
        for (int j = 0; j < n; j++) {
            g[j] = (double)gamma[j] * da[r * n + j];
            sum_gamma[j] += da[r * n + j] * hat[j];
        }
        row_back(z, g, hat, rstd, n);
        for (int k = 0; k < inputs; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += z[j] * w[j * inputs + k];
                sum_w[j * inputs + k] += z[j] * x[r * inputs + k];
            }
            dx[r * inputs + k] = sum;
        }
    }
    for (int i = 0; i < n * inputs; i++)
        dw[i] = sum_w[i];
    for (int j = 0; j < n; j++)
        dgamma[j] = sum_gamma[j];
}

void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int n, float eps)
{
    for (int r = 0; r < batch; r++, a += 4 * n) {
        double state[n], hat[n];
        for (int j = 0; j < n; j++) {
            state[j] = logistic(a[n + j]) * c[r * n + j] + logistic(a[j]) * tanh(a[2 * n + j]);
            c_next[r * n + j] = state[j];
        }
        row_of(hat, state, n, eps);
        for (int j = 0; j < n; j++)
            h_next[r * n + j] = logistic(a[3 * n + j]) * tanh(gamma[j] * hat[j] + beta[j]);
    }
}

void lstm_cell_backward(float *da, float *dc, float *dgamma, float *dbeta, const float *dh_next,
                        const float *dc_next, const float *a, const float *c, const float *gamma,
                        const float *beta, int batch, int n, float eps)
{
    double sum_gamma[n], sum_beta[n];
    for (int j = 0; j < n; j++)
        sum_gamma[j] = sum_beta[j] = 0;
    for (int r = 0; r < batch; r++, a += 4 * n, da += 4 * n) {
        double i[n], f[n], g[n], o[n], state[n], hat[n], slope[n];
        for (int j = 0; j < n; j++) {
            i[j] = logistic(a[j]);
            f[j] = logistic(a[n + j]);
            g[j] = tanh(a[2 * n + j]);
            o[j] = logistic(a[3 * n + j]);
            state[j] = f[j] * c[r * n + j] + i[j] * g[j];
        }
        double rstd = row_of(hat, state, n, eps);
        for (int j = 0; j < n; j++) {
            double t = tanh(gamma[j] * hat[j] + beta[j]), dh = dh_next[r * n + j];
            da[3 * n + j] = dh * t * o[j] * (1 - o[j]);
            sum_beta[j] += dh * o[j] * (1 - t * t);
            sum_gamma[j] += dh * o[j] * (1 - t * t) * hat[j];
            slope[j] = gamma[j] * dh * o[j] * (1 - t * t);
        }
        row_back(slope, slope, hat, rstd, n);
        for (int j = 0; j < n; j++) {
            double all = slope[j] + dc_next[r * n + j];
            dc[r * n + j] = all * f[j];
            da[j] = all * g[j] * i[j] * (1 - i[j]);
            da[n + j] = all * c[r * n + j] * f[j] * (1 - f[j]);
            da[2 * n + j] = all * i[j] * (1 - g[j] * g[j]);
        }
    }
    for (int j = 0; j < n; j++) {
        dgamma[j] = sum_gamma[j];
        dbeta[j] = sum_beta[j];
    }
}

/* ---- style: as the hints say ---- */
void lstm_project(float *a, const float *x, const float *w, const float *gamma, int batch,
                  int inputs, int hidden, float eps)
{
    int count = 4 * hidden;
    for (int r = 0; r < batch; r++) {
        float *row = a + r * count, mean = 0, variance = 0;
        for (int j = 0; j < count; j++) {
            float z = 0;
            for (int k = 0; k < inputs; k++)
                z += w[j * inputs + k] * x[r * inputs + k];
            row[j] = z;
            mean += z / count;
        }
        for (int j = 0; j < count; j++)
            variance += (row[j] - mean) * (row[j] - mean) / count;
        for (int j = 0; j < count; j++)
            row[j] = gamma[j] * (row[j] - mean) / sqrtf(variance + eps);
    }
}

void lstm_project_backward(float *dx, float *dw, float *dgamma, const float *da, const float *x,
                           const float *w, const float *gamma, int batch, int inputs, int hidden,
                           float eps)
{
    int count = 4 * hidden;
    float *z = malloc(count * sizeof *z);
    for (int i = 0; i < count * inputs; i++)
        dw[i] = 0;
    for (int j = 0; j < count; j++)
        dgamma[j] = 0;
    for (int r = 0; r < batch; r++) {
        float mean = 0, variance = 0, mean_dhat = 0, mean_dhat_hat = 0;
        for (int j = 0; j < count; j++) {
            z[j] = 0;
            for (int k = 0; k < inputs; k++)
                z[j] += w[j * inputs + k] * x[r * inputs + k];
            mean += z[j] / count;
        }
        for (int j = 0; j < count; j++)
            variance += (z[j] - mean) * (z[j] - mean) / count;
        float rstd = 1 / sqrtf(variance + eps);
        for (int j = 0; j < count; j++) {
            float hat = (z[j] - mean) * rstd, dhat = gamma[j] * da[r * count + j];
            dgamma[j] += da[r * count + j] * hat;
            mean_dhat += dhat / count;
            mean_dhat_hat += dhat * hat / count;
        }
        for (int k = 0; k < inputs; k++)
            dx[r * inputs + k] = 0;
        for (int j = 0; j < count; j++) {
            float hat = (z[j] - mean) * rstd, dhat = gamma[j] * da[r * count + j];
            float dz = rstd * (dhat - mean_dhat - hat * mean_dhat_hat);
            for (int k = 0; k < inputs; k++) {
                dx[r * inputs + k] += dz * w[j * inputs + k];
                dw[j * inputs + k] += dz * x[r * inputs + k];
            }
        }
    }
    free(z);
}

/* ---- style: fast, four outputs at a time in lanes of their own; a shifted sum ---- */
static void four_sums(float *z, const float *x, const float *w, int inputs)
{
    float lane[4][8] = {{0}};
    int k = 0;
    for (; k + 8 <= inputs; k += 8)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 8; i++)
                lane[j][i] += w[j * inputs + k + i] * x[k + i];
    for (; k < inputs; k++)
        for (int j = 0; j < 4; j++)
            lane[j][0] += w[j * inputs + k] * x[k];
    for (int j = 0; j < 4; j++) {
        float *l = lane[j];
        z[j] = ((l[0] + l[4]) + (l[1] + l[5])) + ((l[2] + l[6]) + (l[3] + l[7]));
    }
}

void lstm_project(float *a, const float *x, const float *w, const float *gamma, int batch,
                  int inputs, int hidden, float eps)
{
    int n = 4 * hidden;
    for (int r = 0; r < batch; r++, a += n) {
        for (int j = 0; j < n; j += 4)
            four_sums(a + j, x + (size_t)r * inputs, w + (size_t)j * inputs, inputs);
        float first = a[0], sum = 0, squares = 0;
        for (int j = 0; j < n; j++) {
            sum += a[j] - first;
            squares += (a[j] - first) * (a[j] - first);
        }
        float off = sum / n, rstd = powf(fmaxf(squares / n - off * off, 0) + eps, -0.5f);
        for (int j = 0; j < n; j++)
            a[j] = gamma[j] * rstd * (a[j] - first - off);
    }
}

/* ---- style: as PyTorch: two sums of a row of z, then dz = rstd * g + by * z + shift ---- */
#include <string.h>

void lstm_project_backward(float *dx, float *dw, float *dgamma, const float *da, const float *x,
                           const float *w, const float *gamma, int batch, int inputs, int hidden,
                           float eps)
{
    int n = 4 * hidden;
    float *z = malloc(n * sizeof *z);
    memset(dw, 0, (size_t)n * inputs * sizeof *dw);
    memset(dgamma, 0, n * sizeof *dgamma);
    for (int r = 0; r < batch; r++, da += n, x += inputs, dx += inputs) {
        float sum = 0, squares = 0, sum_g = 0, sum_gz = 0;
        memset(z, 0, n * sizeof *z);
        for (int j = 0; j < n; sum += z[j++])
            for (int k = 0; k < inputs; k++)
                z[j] += w[(size_t)j * inputs + k] * x[k];
        for (int j = 0; j < n; j++)
            squares += (z[j] - sum / n) * (z[j] - sum / n);
        float mean = sum / n, rstd = 1 / sqrtf(squares / n + eps);
        for (int j = 0; j < n; j++) {
            dgamma[j] += da[j] * (z[j] * rstd - mean * rstd);
            sum_g += gamma[j] * da[j];
            sum_gz += gamma[j] * da[j] * z[j];
        }
        float by = (sum_g * mean - sum_gz) * rstd * rstd * rstd / n;
        float shift = -by * mean - sum_g * rstd / n;
        for (int j = 0; j < n; j++)
            z[j] = rstd * gamma[j] * da[j] + by * z[j] + shift;
        memset(dx, 0, inputs * sizeof *dx);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < inputs; k++) {
                dx[k] += z[j] * w[(size_t)j * inputs + k];
                dw[(size_t)j * inputs + k] += z[j] * x[k];
            }
    }
    free(z);
}

/* ---- style: sigmoid by tanh, tanh by exp; Welford; the last unit first ---- */
static float half_tanh(float v)
{
    return 0.5f + 0.5f * tanhf(0.5f * v);
}

static float by_exp(float v)
{
    float e = expf(-2 * fabsf(v));
    return v < 0 ? (e - 1) / (e + 1) : (1 - e) / (1 + e);
}

void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int hidden, float eps)
{
    for (int r = batch - 1; r >= 0; r--) {
        const float *gate = a + r * 4 * hidden;
        float *state = c_next + r * hidden, mean = 0, squares = 0;
        for (int j = hidden - 1; j >= 0; j--) {
            float in = half_tanh(gate[j]) * by_exp(gate[2 * hidden + j]);
            state[j] = in + half_tanh(gate[hidden + j]) * c[r * hidden + j];
            float d = state[j] - mean;
            mean += d / (hidden - j);
            squares += d * (state[j] - mean);
        }
        float spread = sqrtf(squares / hidden + eps);
        for (int j = hidden - 1; j >= 0; j--)
            h_next[r * hidden + j] = half_tanh(gate[3 * hidden + j]) *
                                     by_exp((state[j] - mean) / spread * gamma[j] + beta[j]);
    }
}

/* ---- style: the long form, a path at a time; the whole Jacobian of the norm ---- */
void lstm_cell_backward(float *da, float *dc, float *dgamma, float *dbeta, const float *dh_next,
                        const float *dc_next, const float *a, const float *c, const float *gamma,
                        const float *beta, int batch, int hidden, float eps)
{
    for (int j = 0; j < hidden; j++)
        dgamma[j] = dbeta[j] = 0;
    for (int r = 0; r < batch; r++) {
        const float *i = a + r * 4 * hidden, *f = i + hidden, *g = f + hidden, *o = g + hidden;
        float *di = da + r * 4 * hidden, *df = di + hidden, *dg = df + hidden, *d_o = dg + hidden;
        const float *old = c + r * hidden;
        float *state = dc + r * hidden, mean = 0, variance = 0;
        for (int j = 0; j < hidden; j++) {
            state[j] = old[j] / (1 + expf(-f[j])) + tanhf(g[j]) / (1 + expf(-i[j]));
            mean += state[j];
        }
        mean /= hidden;
        for (int j = 0; j < hidden; j++)
            variance += (state[j] - mean) * (state[j] - mean);
        float rstd = 1 / sqrtf(variance / hidden + eps), drstd = 0, dmean = 0, rest = 0;
        for (int j = 0; j < hidden; j++) {
            float hat = (state[j] - mean) * rstd, t = tanhf(gamma[j] * hat + beta[j]);
            float open = 1 / (1 + expf(-o[j])), dh = dh_next[r * hidden + j];
            float dn = dh * open * (1 - t) * (1 + t);
            d_o[j] = dh * t * open * (1 - open);
            dgamma[j] += dn * hat;
            dbeta[j] += dn;
            drstd += gamma[j] * dn * (state[j] - mean);
            dmean -= gamma[j] * dn * rstd;
            rest += state[j] - mean;
            di[j] = gamma[j] * dn * rstd;
        }
        float dvariance = -0.5f * drstd * rstd * rstd * rstd;
        dmean -= 2 * dvariance * rest / hidden;
        for (int j = 0; j < hidden; j++) {
            float all = di[j] + (2 * dvariance * (state[j] - mean) + dmean) / hidden;
            float in = 1 / (1 + expf(-i[j])), kept = 1 / (1 + expf(-f[j])), t = tanhf(g[j]);
            all += dc_next[r * hidden + j];
            di[j] = all * t * in * (1 - in);
            df[j] = all * old[j] * kept * (1 - kept);
            dg[j] = all * in * (1 - t * t);
            dc[r * hidden + j] = all * kept;
        }
    }
}

void lstm_project_backward(float *dx, float *dw, float *dgamma, const float *da, const float *x,
                           const float *w, const float *gamma, int batch, int inputs, int hidden,
                           float eps)
{
    int n = 4 * hidden;
    float *hat = calloc((size_t)2 * batch * n, sizeof *hat), *dz = hat + batch * n;
    for (int r = 0; r < batch; r++) {
        float *row = hat + r * n, mean = 0, squares = 0;
        for (int j = 0; j < n; mean += row[j++])
            for (int k = inputs - 1; k >= 0; k--)
                row[j] += x[r * inputs + k] * w[j * inputs + k];
        for (int j = 0; j < n; j++)
            squares += powf(row[j] - mean / n, 2);
        float spread = sqrtf(squares / n + eps);
        for (int j = 0; j < n; j++)
            row[j] = (row[j] - mean / n) / spread;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                dz[r * n + j] +=
                    da[r * n + k] * gamma[k] / spread * ((j == k) - (1 + row[j] * row[k]) / n);
    }
    for (int j = 0; j < n; j++) {
        dgamma[j] = 0;
        for (int r = 0; r < batch; r++)
            dgamma[j] += hat[r * n + j] * da[r * n + j];
        for (int k = 0; k < inputs; k++) {
            dw[j * inputs + k] = 0;
            for (int r = batch - 1; r >= 0; r--)
                dw[j * inputs + k] += dz[r * n + j] * x[r * inputs + k];
        }
    }
    for (int r = 0; r < batch; r++)
        for (int k = 0; k < inputs; k++) {
            dx[r * inputs + k] = 0;
            for (int j = 0; j < n; j++)
                dx[r * inputs + k] += dz[r * n + j] * w[j * inputs + k];
        }
    free(hat);
}

/* ---- style: the cell as the hints say, with what a float's library has ---- */
static float sigmoid(float v)
{
    return 1 / (1 + expf(-v));
}

static float hyperbolic(float v)
{
    return tanhf(v);
}

void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int hidden, float eps)
{
    for (int r = 0; r < batch; r++) {
        const float *i = a + r * 4 * hidden, *f = i + hidden, *g = f + hidden, *o = g + hidden;
        for (int j = 0; j < hidden; j++)
            c_next[j] = sigmoid(f[j]) * c[j] + sigmoid(i[j]) * tanhf(g[j]);
        Statistics s = statistics(c_next, hidden, eps);
        for (int j = 0; j < hidden; j++) {
            float n = gamma[j] * (c_next[j] - s.mean) * s.rstd + beta[j];
            h_next[j] = sigmoid(o[j]) * tanhf(n);
        }
        c += hidden;
        h_next += hidden;
        c_next += hidden;
    }
}
