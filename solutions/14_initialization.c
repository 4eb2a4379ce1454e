/* Lesson 14: Initialization. The reference solution, in float. In target_init, gamma and beta hold
 * the sums over the rows until both are known. */
#include "14_initialization.h"

#include <math.h>
#include <stddef.h>

static float mean_of(const float *x, int features)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
}

static float deviation_of(const float *x, int features, float mean, float eps)
{
    float squares = 0.0f;
    for (int j = 0; j < features; j++)
        squares += (x[j] - mean) * (x[j] - mean);
    return sqrtf(squares / (float)features + eps);
}

/* gamma, beta, x: features */
void identity_init(float *gamma, float *beta, const float *x, int features, float eps)
{
    float mean = mean_of(x, features), deviation = deviation_of(x, features, mean, eps);
    for (int j = 0; j < features; j++) {
        gamma[j] = deviation;
        beta[j] = mean;
    }
}

/* gamma, beta, mean, spread: features; x: rows x features */
void target_init(float *gamma, float *beta, const float *x, const float *mean, const float *spread,
                 int rows, int features, float eps)
{
    for (int j = 0; j < features; j++)
        gamma[j] = beta[j] = 0.0f;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float middle = mean_of(row, features), wide = deviation_of(row, features, middle, eps);
        for (int j = 0; j < features; j++)
            beta[j] += (row[j] - middle) / wide / (float)rows;
    }
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * (size_t)features;
        float middle = mean_of(row, features), wide = deviation_of(row, features, middle, eps);
        for (int j = 0; j < features; j++) {
            float distance = (row[j] - middle) / wide - beta[j];
            gamma[j] += distance * distance;
        }
    }
    for (int j = 0; j < features; j++) {
        gamma[j] = spread[j] / sqrtf(gamma[j] / (float)rows);
        beta[j] = mean[j] - gamma[j] * beta[j];
    }
}

/* parameter, velocity, gradient: count */
void momentum_step(float *parameter, float *velocity, const float *gradient, int count, float rate,
                   float momentum, float decay)
{
    for (int i = 0; i < count; i++) {
        velocity[i] = momentum * velocity[i] + gradient[i] + decay * parameter[i];
        parameter[i] -= rate * velocity[i];
    }
}
