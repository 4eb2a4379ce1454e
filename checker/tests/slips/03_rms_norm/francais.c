/* Norme RMS : la moyenne des carrés d'une ligne, puis la racine. */
#include "03_rms_norm.h"
#include <math.h>
#include <stdlib.h>

/* la racine de la moyenne des carrés */
static float racine(const float *ligne, int taille, float eps)
{
    float somme = 0.0f;
    for (int i = 0; i < taille; i++)
        somme = somme + ligne[i] * ligne[i];
    float moyenne = somme / taille;
    return sqrtf(moyenne + eps);
}

void rms_norm(float *y, const float *x, const float *gamma, int rows, int features, float eps)
{
    int position = 0;
    for (int ligne = 0; ligne < rows; ligne++)
    {
        float r = racine(x + position, features, eps);
        for (int colonne = 0; colonne < features; colonne++)
        {
            y[position + colonne] = gamma[colonne] * x[position + colonne] / r;
        }
        position = position + features;
    }
}

void rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
                       const float *gamma, int rows, int features, float eps)
{
    float *racines = malloc(rows * sizeof(float));
    for (int ligne = 0; ligne < rows; ligne++)
        racines[ligne] = racine(x + ligne * features, features, eps);

    // d'abord gamma, colonne par colonne
    for (int colonne = 0; colonne < features; colonne++)
    {
        float somme = 0.0f;
        for (int ligne = 0; ligne < rows; ligne++)
        {
            int i = ligne * features + colonne;
            somme += dy[i] * x[i] / racines[ligne];
        }
        dgamma[colonne] = somme;
    }

    // ensuite x, ligne par ligne
    for (int ligne = 0; ligne < rows; ligne++)
    {
        float r = racines[ligne];
        float produit = 0.0f;
        for (int colonne = 0; colonne < features; colonne++)
        {
            int i = ligne * features + colonne;
            produit += gamma[colonne] * dy[i] * x[i];
        }
        for (int colonne = 0; colonne < features; colonne++)
        {
            int i = ligne * features + colonne;
            dx[i] = gamma[colonne] * dy[i] / r - x[i] * produit / (features * r * r * r);
        }
    }
    free(racines);
}
