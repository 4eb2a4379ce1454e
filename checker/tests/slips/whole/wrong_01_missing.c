/* One of the three functions is not there, and one has no end of its own. */
#include "01_layer_norm.h"
#include <math.h>

float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / features;
}

float row_variance(const float *x, int features, float mean)
{
    for (int j = 0; j < features; j++)
        return (x[j] - mean) * (x[j] - mean);
}
