/* Right answers for lesson 14 in the styles that learners write them in. Each section takes the
 * place of the functions of the same name in the solution, and must pass every check. */

/* ---- style: as the hints say, in one piece; row after row, both sums of a feature at once ---- */
#include <stdlib.h>

void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    float mean = 0, squares = 0;
    for (int j = 0; j < features; j++)
        mean += x[j];
    mean /= features;
    for (int j = 0; j < features; j++)
        squares += (x[j] - mean) * (x[j] - mean);
    for (int j = 0; j < features; j++) {
        gamma[j] = sqrtf(squares / (float)features + eps);
        beta[j] = mean;
    }
}

void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        gamma[j] = beta[j] = 0;
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m) / features;
        for (int j = 0; j < features; j++) {
            float xhat = (x[r * features + j] - m) / sqrtf(v + eps);
            beta[j] += xhat;
            gamma[j] += xhat * xhat;
        }
    }
    for (int j = 0; j < features; j++) {
        float middle = beta[j] / rows, variance = gamma[j] / rows - middle * middle;
        gamma[j] = spread[j] / sqrtf(variance);
        beta[j] = mean[j] - gamma[j] * middle;
    }
}

void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        float slope = gradient[i] + decay * parameter[i];
        velocity[i] *= momentum;
        velocity[i] += slope;
        parameter[i] = parameter[i] - rate * velocity[i];
    }
}

/* ---- style: all in double, the normalized rows in an array ---- */
#include <stdlib.h>

void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    double m = 0, v = 0;
    for (int j = 0; j < features; j++)
        m += x[j];
    m /= features;
    for (int j = 0; j < features; j++)
        v += pow(x[j] - m, 2);
    for (int j = 0; j < features; j++) {
        gamma[j] = sqrt(v / features + eps);
        beta[j] = m;
    }
}

void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    double *xhat = malloc(sizeof *xhat * rows * features);
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j];
        m /= features;
        for (int j = 0; j < features; j++)
            v += pow(x[r * features + j] - m, 2);
        for (int j = 0; j < features; j++)
            xhat[r * features + j] = (x[r * features + j] - m) / sqrt(v / features + eps);
    }
    for (int j = 0; j < features; j++) {
        double m = 0, v = 0;
        for (int r = 0; r < rows; r++)
            m += xhat[r * features + j] / rows;
        for (int r = 0; r < rows; r++)
            v += pow(xhat[r * features + j] - m, 2) / rows;
        gamma[j] = spread[j] / sqrt(v);
        beta[j] = mean[j] - spread[j] / sqrt(v) * m;
    }
    free(xhat);
}

void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        double v = (double)momentum * velocity[i] + gradient[i] + (double)decay * parameter[i];
        velocity[i] = v;
        parameter[i] = parameter[i] - rate * v;
    }
}

/* ---- style: Welford's recurrence, along the rows and down the features ---- */
void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    float mean = 0, squares = 0;
    for (int j = 0; j < features; j++) {
        float distance = x[j] - mean;
        mean += distance / (j + 1);
        squares += distance * (x[j] - mean);
    }
    float root = sqrtf(squares / features + eps);
    while (features-- > 0)
        *gamma++ = root, *beta++ = mean;
}

void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        gamma[j] = beta[j] = 0;
    for (int r = 0; r < rows; r++, x += features) {
        float m = 0, squares = 0;
        for (int j = 0; j < features; j++) {
            float distance = x[j] - m;
            m += distance / (j + 1);
            squares += distance * (x[j] - m);
        }
        float rstd = 1 / sqrtf(squares / features + eps);
        for (int j = 0; j < features; j++) {
            float xhat = (x[j] - m) * rstd, distance = xhat - beta[j];
            beta[j] += distance / (r + 1);
            gamma[j] += distance * (xhat - beta[j]);
        }
    }
    for (int j = 0; j < features; j++) {
        gamma[j] = spread[j] * sqrtf(rows / gamma[j]);
        beta[j] = mean[j] - gamma[j] * beta[j];
    }
}

void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++)
        velocity[i] = momentum * velocity[i];
    for (int i = 0; i < count; i++)
        velocity[i] += gradient[i];
    for (int i = 0; i < count; i++)
        velocity[i] += decay * parameter[i];
    for (int i = 0; i < count; i++)
        parameter[i] += -rate * velocity[i];
}

/* ---- style: distances from the first number, of a row and of a feature ---- */
#include <stdlib.h>

void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    float sum = 0, squares = 0;
    for (int j = 0; j < features; j++) {
        float distance = x[j] - x[0];
        sum += distance;
        squares += distance * distance;
    }
    float aside = sum / features;
    for (int j = 0; j < features; j++) {
        beta[j] = x[0] + aside;
        gamma[j] = sqrtf(fmaxf(squares / features - aside * aside, 0) + eps);
    }
}

void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    float *deviation = malloc(rows * sizeof *deviation), *middle = malloc(rows * sizeof *middle);
    for (int r = 0; r < rows; r++) {
        identity_init(gamma, beta, x + r * features, features, eps);
        deviation[r] = gamma[0];
        middle[r] = beta[0];
    }
    for (int j = 0; j < features; j++) {
        float first = (x[j] - middle[0]) / deviation[0], sum = 0, squares = 0;
        for (int r = 1; r < rows; r++) {
            float distance = (x[r * features + j] - middle[r]) / deviation[r] - first;
            sum += distance;
            squares += distance * distance;
        }
        float aside = sum / rows;
        gamma[j] = spread[j] / sqrtf(squares / rows - aside * aside);
        beta[j] = mean[j] - gamma[j] * (first + aside);
    }
    free(deviation);
    free(middle);
}

void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        float kept = rate * momentum * velocity[i];
        velocity[i] = momentum * velocity[i] + (decay * parameter[i] + gradient[i]);
        parameter[i] = (1 - rate * decay) * parameter[i] - kept - rate * gradient[i];
    }
}

/* ---- style: fast: four sums at once, one division for each row and each feature ---- */
#include <stdlib.h>

static void fast_row(const float *restrict x, int features, float eps, float *mean, float *root)
{
    float sum[4] = {0}, squares[4] = {0};
    int j = 0;
    for (; j + 4 <= features; j += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += x[j + lane];
    for (; j < features; j++)
        sum[j & 3] += x[j];
    *mean = (sum[0] + sum[1] + sum[2] + sum[3]) / features;
    for (j = 0; j < features; j++)
        squares[j & 3] += (x[j] - *mean) * (x[j] - *mean);
    *root = sqrtf((squares[0] + squares[1] + squares[2] + squares[3]) / features + eps);
}

void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    fast_row(x, features, eps, beta, gamma);
    for (int j = 1; j < features; j++)
        gamma[j] = gamma[0], beta[j] = beta[0];
}

void target_init(float *restrict gamma, float *restrict beta, const float *restrict x,
                 const float *mean, const float *spread, int rows, int features, float eps)
{
    float *restrict rstd = malloc(2 * rows * sizeof *rstd), *shift = rstd + rows;
    for (int j = 0; j < features; j++)
        gamma[j] = beta[j] = 0;
    for (int r = 0; r < rows; r++) {
        fast_row(x + r * features, features, eps, &shift[r], &rstd[r]);
        rstd[r] = 1 / rstd[r];
        shift[r] *= -rstd[r];
        for (int j = 0; j < features; j++)
            beta[j] += x[r * features + j] * rstd[r] + shift[r];
    }
    float share = 1.0f / rows;
    for (int j = 0; j < features; j++)
        beta[j] *= share;
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < features; j++) {
            float distance = x[r * features + j] * rstd[r] + shift[r] - beta[j];
            gamma[j] += distance * distance;
        }
    for (int j = 0; j < features; j++) {
        gamma[j] = spread[j] * (1 / sqrtf(gamma[j] * share));
        beta[j] = mean[j] - gamma[j] * beta[j];
    }
    free(rstd);
}

void momentum_step(float *restrict parameter, float *restrict velocity,
                   const float *restrict gradient, int count, float rate, float momentum,
                   float decay)
{
    for (int i = 0; i < count; i++) {
        float new = fmaf(momentum, velocity[i], fmaf(decay, parameter[i], gradient[i]));
        parameter[i] = fmaf(-rate, new, parameter[i]);
        velocity[i] = new;
    }
}

/* ---- style: through layer norm itself, from the last to the first ---- */
#include <stdlib.h>
#include <string.h>

static float of_row(const float *x, int n, float *middle)
{
    float v = 0;
    *middle = 0;
    for (int j = n - 1; j >= 0; j--)
        *middle += x[j];
    *middle /= n;
    for (int j = n - 1; j >= 0; j--)
        v += powf(x[j] - *middle, 2);
    return v / n;
}

static void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                       int features, float eps)
{
    for (int r = rows - 1; r >= 0; r--) {
        float middle, v = of_row(x + r * features, features, &middle);
        for (int j = 0; j < features; j++)
            y[r * features + j] =
                gamma[j] * ((x[r * features + j] - middle) / sqrtf(v + eps)) + beta[j];
    }
}

void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    gamma[0] = sqrtf(of_row(x, features, &beta[0]) + eps);
    for (int j = features - 1; j > 0; j--) {
        gamma[j] = *gamma;
        beta[j] = *beta;
    }
}

void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    float *y = malloc(rows * features * sizeof *y), *column = malloc(rows * sizeof *column);
    for (int j = 0; j < features; j++)
        gamma[j] = 1, beta[j] = 0;
    layer_norm(y, x, gamma, beta, rows, features, eps);
    for (int j = features - 1; j >= 0; j--) {
        float middle;
        for (int r = 0; r < rows; r++)
            column[r] = y[r * features + j];
        float standard = sqrtf(of_row(column, rows, &middle));
        gamma[j] = spread[j] / standard;
        beta[j] = mean[j] - spread[j] * middle / standard;
    }
    free(y);
    free(column);
}

void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    float *before = malloc(count * sizeof *before);
    memcpy(before, parameter, count * sizeof *before);
    for (int i = count - 1; i >= 0; i--) {
        velocity[i] = velocity[i] * momentum + gradient[i];
        if (decay != 0)
            velocity[i] += before[i] * decay;
        parameter[i] = before[i] - velocity[i] * rate;
    }
    free(before);
}
