/* Mistakes in lesson 14 as learners make them. Each section takes the place of the function of the
 * same name in the solution. "nothing": a slip that fails, and that is not one of the mistakes that
 * have a name. Those that are a few lines' change of the solution are in wrong.txt. */

/* ---- mistake: ones_and_zeros ---- */
/* "The identity is gamma 1 and beta 0": x, features and eps are not looked at. */
void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    (void)x, (void)eps;
    for (int j = 0; j < features; j++)
        gamma[j] = 1, beta[j] = 0;
}

/* ---- mistake: row_in_beta ---- */
#include <string.h>

void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    memset(gamma, 0, features * sizeof *gamma);
    memcpy(beta, x, features * sizeof *beta);
}

/* ---- mistake: n_minus_1 ---- */
void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    double m = 0, v = 0;
    for (int j = 0; j < features; j++)
        m += (double)x[j] / features;
    for (int j = 0; j < features; j++)
        v += pow(x[j] - m, 2) / (features - 1);
    for (int j = 0; j < features; j++) {
        gamma[j] = sqrt(v + eps);
        beta[j] = m;
    }
}

/* ---- mistake: nothing ---- */
/* Each feature's own distance from the mean is taken for the spread. */
void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    float m = 0;
    for (int j = 0; j < features; j++)
        m += x[j] / features;
    for (int j = 0; j < features; j++) {
        gamma[j] = sqrtf((x[j] - m) * (x[j] - m) + eps);
        beta[j] = m;
    }
}

/* ---- mistake: columns_of_x ---- */
/* As batch norm would: nothing is normalized along the rows. */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        double m = 0, v = 0;
        for (int r = 0; r < rows; r++)
            m += (double)x[r * features + j] / rows;
        for (int r = 0; r < rows; r++)
            v += pow(x[r * features + j] - m, 2) / rows;
        gamma[j] = spread[j] / sqrt(v);
        beta[j] = mean[j] - spread[j] / sqrt(v) * m;
    }
}

/* ---- mistake: columns_of_x + eps_twice ---- */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    for (int j = 0; j < features; j++) {
        float m = 0, v = 0;
        for (int r = 0; r < rows; r++)
            m += x[r * features + j];
        m /= rows;
        for (int r = 0; r < rows; r++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m);
        gamma[j] = spread[j] / sqrtf(v / rows + eps);
        beta[j] = mean[j] - gamma[j] * m;
    }
}

/* ---- mistake: nothing ---- */
/* One spread for all features: that of all the normalized numbers. */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    double sum = 0, squares = 0;
    for (int r = 0; r < rows; r++) {
        double m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += (double)x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            v += pow(x[r * features + j] - m, 2) / features;
        for (int j = 0; j < features; j++) {
            sum += (x[r * features + j] - m) / sqrt(v + eps);
            squares += pow((x[r * features + j] - m) / sqrt(v + eps), 2);
        }
    }
    int n = rows * features;
    for (int j = 0; j < features; j++) {
        gamma[j] = spread[j] / sqrt(squares / n - sum / n * sum / n);
        beta[j] = mean[j] - gamma[j] * sum / n;
    }
}

/* ---- mistake: nothing ---- */
/* The sums are not set to 0, and what they held is garbage. */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        float m = 0, v = 0;
        for (int j = 0; j < features; j++)
            m += x[r * features + j] / features;
        for (int j = 0; j < features; j++)
            v += (x[r * features + j] - m) * (x[r * features + j] - m) / features;
        for (int j = 0; j < features; j++) {
            float xhat = (x[r * features + j] - m) / sqrtf(v + eps);
            beta[j] += xhat / rows;
            gamma[j] += xhat * xhat / rows;
        }
    }
    for (int j = 0; j < features; j++) {
        gamma[j] = spread[j] / sqrtf(gamma[j] - beta[j] * beta[j]);
        beta[j] = mean[j] - gamma[j] * beta[j];
    }
}

/* ---- mistake: rate_in_velocity ---- */
/* As the papers write it: v = momentum v - rate gradient, but with the other sign. */
void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        float slope = gradient[i] + decay * parameter[i];
        velocity[i] = momentum * velocity[i] + rate * slope;
        parameter[i] = parameter[i] - velocity[i];
    }
}

/* ---- mistake: old_velocity ---- */
void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        float before = parameter[i];
        parameter[i] = before - rate * velocity[i];
        velocity[i] = momentum * velocity[i] + gradient[i] + decay * before;
    }
}

/* ---- mistake: nothing ---- */
/* The velocity begins anew at every step. */
void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        velocity[i] = gradient[i] + decay * parameter[i];
        parameter[i] -= rate * velocity[i];
    }
}
