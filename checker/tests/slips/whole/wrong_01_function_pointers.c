/* Everything goes through a function pointer. */
#include "01_layer_norm.h"
#include <math.h>

typedef float (*Term)(float number, float mean);

static float itself(float number, float mean)
{
    (void)mean;
    return number;
}

static float square(float number, float mean)
{
    return (number - mean) * (number - mean);
}

static float (*terms[])(float, float) = {itself, square};

static float average(const float *x, int features, float mean, Term term)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (*term)(x[j], mean);
    return sum / features;
}

float row_mean(const float *x, int features)
{
    return average(x, features, 0, terms[0]);
}

float row_variance(const float *x, int features, float mean)
{
    return average(x, features, mean, terms[mean > 0 ? 1 : 0]);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        float mean = row_mean(row, features);
        float rstd = 1 / sqrtf(row_variance(row, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (row[j] - mean) * rstd + beta[j];
    }
}
