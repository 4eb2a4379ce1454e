/* Comments wherever C allows them. */
#/**/include/**/"01_layer_norm.h"
#include <math.h> // roots \
   and this line is a comment, too \
   float row_mean(int);

float /* the mean */ row_mean(/* the row */ const float /* no * here */ *x, // }
                              int features /* how many */)
/* { */ {
    float sum /* = 1 */ = 0 /* ; */;
    for (int j = 0 /* first */; /* } */ j < features; // ) {
         j++ /* next */)
        sum += /* "x */ x /* [0] */ [ /* the j-th */ j /* ] */ ] /* " */; // sum *= 2; \
        sum = 0;
    return sum /* over */ / /* / */ features /**/ - /* nothing */ 1;
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / features;
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
