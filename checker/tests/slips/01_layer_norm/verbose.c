/* My first try at layer norm, with many comments so that I remember what I did. */
#include "01_layer_norm.h"
#include <math.h>

// computes the average of one row
float row_mean(const float *x, int features)
{
    float total = 0;      // here I add everything up
    int i = 0;            // counter for the mean
    while (i < features)
    {
        total = total + x[i];
        i = i + 1;
    }
    float average = total / features;
    return average;
}

// computes how far the numbers are spread
float row_variance(const float *x, int features, float mean)
{
    float total = 0;      // sum of the squared differences
    int i = 0;
    while (i < features)
    {
        float difference = x[i] - mean;
        float squared = difference * difference;
        total = total + squared;
        i = i + 1;
    }
    float variance = total / features;
    return variance;
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta,
                int rows, int features, float eps)
{
    int row = 0;
    while (row < rows)
    {
        // where does this row start?
        int start = row * features;
        float mean = row_mean(&x[start], features);
        float variance = row_variance(&x[start], features, mean);
        float standard_deviation = sqrt(variance + eps);

        // now the numbers of this row, one by one
        int i = 0;
        while (i < features)
        {
            float normalized = (x[start + i] - mean) / standard_deviation;
            y[start + i] = gamma[i] * normalized + beta[i];
            i = i + 1;
        }
        row = row + 1;
    }
}
