/* Rückwärts wie auf dem Papier: erst xhat und g in eigene Felder, dann die Formel. */
#include "02_backward.h"
#include <math.h>

void layer_norm_forward(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                        const float *beta, int rows, int features, float eps)
{
    int zeile, spalte;
    for (zeile = 0; zeile < rows; zeile++) {
        const float *anfang = x + zeile * features;
        float mittel = 0, varianz = 0;
        for (spalte = 0; spalte < features; spalte++)
            mittel += anfang[spalte];
        mittel = mittel / features;
        for (spalte = 0; spalte < features; spalte++) {
            float d = anfang[spalte] - mittel;
            varianz += d * d;
        }
        varianz = varianz / features;
        mean[zeile] = mittel;
        rstd[zeile] = 1 / sqrt(varianz + eps);
        for (spalte = 0; spalte < features; spalte++)
            y[zeile * features + spalte] =
                gamma[spalte] * (anfang[spalte] - mittel) * rstd[zeile] + beta[spalte];
    }
}

void layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int rows,
                         int features)
{
    int zeile, spalte;
    for (spalte = 0; spalte < features; spalte++) {
        float summe_beta = 0, summe_gamma = 0;
        for (zeile = 0; zeile < rows; zeile++) {
            int i = zeile * features + spalte;
            float xhat = (x[i] - mean[zeile]) * rstd[zeile];
            summe_beta += dy[i];
            summe_gamma += dy[i] * xhat;
        }
        dbeta[spalte] = summe_beta;
        dgamma[spalte] = summe_gamma;
    }
    for (zeile = 0; zeile < rows; zeile++) {
        float g[features], xhat[features];
        float mittel_g = 0, mittel_gx = 0;
        for (spalte = 0; spalte < features; spalte++) {
            int i = zeile * features + spalte;
            xhat[spalte] = (x[i] - mean[zeile]) * rstd[zeile];
            g[spalte] = gamma[spalte] * dy[i];
            mittel_g += g[spalte];
            mittel_gx += g[spalte] * xhat[spalte];
        }
        mittel_g /= features;
        mittel_gx /= features;
        for (spalte = 0; spalte < features; spalte++)
            dx[zeile * features + spalte] =
                rstd[zeile] * (g[spalte] - mittel_g - xhat[spalte] * mittel_gx);
    }
}
