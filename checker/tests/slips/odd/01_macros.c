/* Macros for everything. */
#include "01_layer_norm.h"
#include <math.h>

#define BEGIN {
#define END }
#define IS =
#define EACH(i, n) for (int i IS 0; i < (n); i++)
#define TIMES *
#define GIVE return
#define SQ(a) a TIMES a
#define FN(type, name, ...) type name(__VA_ARGS__)

FN(float, row_mean, const float *x, int features)
BEGIN
    float sum IS 0;
    EACH(j, features) BEGIN sum += x[j]; END
    GIVE sum / features;
END

FN(float, row_variance, const float *x, int features, float mean)
BEGIN
    float sum IS 0;
    EACH(j, features) sum += SQ((x[j] - mean));
    GIVE sum / features;
END

FN(void, layer_norm, float *y, const float *x, const float *gamma, const float *beta, int rows,
   int features, float eps)
BEGIN
    EACH(r, rows) BEGIN
        float m IS row_mean(x + r TIMES features, features);
        float s IS sqrtf(row_variance(x + r TIMES features, features, m) + eps);
        EACH(j, features)
            y[r TIMES features + j] IS gamma[j] TIMES (x[r TIMES features + j] - m) / s + beta[j];
    END
END
