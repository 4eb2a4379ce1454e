/* Schichtnormalisierung, mit Zeigern statt Indizes */
#include "01_layer_norm.h"
#include <math.h>

float row_mean(const float *x, int features)
{
    const float *ende = x + features;
    double summe = 0.0;
    for (const float *p = x; p != ende; ++p)
        summe += *p;
    return summe / features;
}

float row_variance(const float *x, int features, float mean)
{
    const float *ende = x + features;
    double quadrate = 0.0;
    while (x < ende) {
        double abstand = *x++ - mean;
        quadrate += abstand * abstand;
    }
    return quadrate / features;
}

/* eine Zeile nach der anderen, x und y laufen mit */
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
    for (; rows > 0; rows--) {
        float mittel = row_mean(x, features);
        float varianz = row_variance(x, features, mittel);
        float kehrwert = 1.0f / sqrtf(varianz + eps);
        const float *g = gamma, *b = beta;
        for (int i = 0; i < features; i++)
            *y++ = (*x++ - mittel) * kehrwert * *g++ + *b++;
    }
}
