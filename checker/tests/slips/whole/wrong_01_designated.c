/* Designated initialisers and compound literals. */
#include "01_layer_norm.h"
#include <math.h>

struct sums {
    float one, two;
    int count;
};

static float divided(const struct sums *s)
{
    return s->two / s->count;
}

float row_mean(const float *x, int features)
{
    struct sums s = {.count = features, .one = 0};
    for (int j = 0; j < features; j++)
        s = (struct sums){.one = s.one + x[j], .count = s.count};
    return s.one / s.count;
}

float row_variance(const float *x, int features, float mean)
{
    float squares[] = {[0] = 0, [1] = mean};
    for (int j = 0; j < features; j++)
        squares[0] += (x[j] - squares[1]) * (x[j] + squares[1]);
    return divided(&(struct sums){.two = squares[0], .count = features});
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
