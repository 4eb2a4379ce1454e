/* Gruppennormalisierung. Die Zahlen einer Gruppe liegen hintereinander, also ein Zeiger und eine
   Laenge; der Kanal ist i / pixels. */
#include <math.h>
#include "09_group_norm.h"

static void gruppe_vor(float *aus, const float *ein, const float *gamma, const float *beta,
                       int laenge, int pixels, float *mittel, float *kehrwurzel, float eps)
{
    double summe = 0, quadrate = 0;
    int i;
    for (i = 0; i < laenge; i++)
        summe += ein[i];
    *mittel = summe / laenge;
    for (i = 0; i < laenge; i++)
        quadrate += ((double)ein[i] - *mittel) * ((double)ein[i] - *mittel);
    *kehrwurzel = 1 / sqrt(quadrate / laenge + eps);
    for (i = 0; i < laenge; i++)
        aus[i] = gamma[i / pixels] * (ein[i] - *mittel) * *kehrwurzel + beta[i / pixels];
}

void group_norm(float *y, float *mean, float *rstd, const float *x, const float *gamma,
                const float *beta, int batch, int channels, int pixels, int groups, float eps)
{
    int kanaele = channels / groups, laenge = kanaele * pixels;
    for (int bild = 0; bild < batch; bild++)
        for (int gruppe = 0; gruppe < groups; gruppe++) {
            int nummer = bild * groups + gruppe;
            gruppe_vor(y + nummer * laenge, x + nummer * laenge, gamma + gruppe * kanaele,
                       beta + gruppe * kanaele, laenge, pixels, &mean[nummer], &rstd[nummer], eps);
        }
}

void group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
                         const float *gamma, const float *mean, const float *rstd, int batch,
                         int channels, int pixels, int groups)
{
    int kanaele = channels / groups, laenge = kanaele * pixels;
    for (int c = 0; c < channels; c++)
        dgamma[c] = 0, dbeta[c] = 0;
    for (int bild = 0; bild < batch; bild++)
        for (int gruppe = 0; gruppe < groups; gruppe++) {
            int erster = gruppe * kanaele;
            double s1 = 0, s2 = 0;
            for (int i = 0; i < laenge; i++) {
                int kanal = erster + i / pixels;
                double hut = (x[i] - *mean) * *rstd;
                s1 += gamma[kanal] * dy[i];
                s2 += gamma[kanal] * dy[i] * hut;
                dgamma[kanal] += dy[i] * hut;
                dbeta[kanal] += dy[i];
            }
            for (int i = 0; i < laenge; i++) {
                double hut = (x[i] - *mean) * *rstd;
                dx[i] = *rstd * (gamma[erster + i / pixels] * dy[i] - (s1 + hut * s2) / laenge);
            }
            mean++;
            rstd++;
            x += laenge;
            dy += laenge;
            dx += laenge;
        }
}
