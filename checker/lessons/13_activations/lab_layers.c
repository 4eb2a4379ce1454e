/* Lesson 13's lab: the deep network, forward and backward. */
#include "lab_layers.h"

#include <math.h>
#include <stdlib.h>

#include "network.h"

static const float EPS = 1e-5f;

Network network_of(Kind kind, bool normalized, double size, uint64_t seed)
{
    Network n = {.kind = kind, .normalized = normalized};
    n.x = zeros(COUNT);
    n.w = zeros(LAYERS * MAP);
    n.h = zeros(LAYERS * COUNT);
    rng_seed(&n.rng, seed);
    for (int i = 0; i < COUNT; i++)
        n.x[i] = (float)normal(&n.rng);
    for (int i = 0; i < LAYERS * MAP; i++)
        n.w[i] = (float)(size * normal(&n.rng) / sqrt(FEATURES));
    return n;
}

void network_free(Network *n)
{
    free(n->x);
    free(n->w);
    free(n->h);
}

/* a = in wT */
static void product(float *a, const float *in, const float *w)
{
    for (int i = 0; i < COUNT; i++) {
        const float *row = w + i % FEATURES * FEATURES, *from = in + i / FEATURES * FEATURES;
        float sum = 0;
        for (int k = 0; k < FEATURES; k++)
            sum += row[k] * from[k];
        a[i] = sum;
    }
}

/* A layer before its tanh or ReLU: the product, and what the norm makes of it, with what the norm
 * remembers. */
typedef struct {
    float a[COUNT], xhat[COUNT], mean[ROWS], rstd[ROWS];
    float one[FEATURES], zero[FEATURES]; /* gamma and beta */
} Before;

static void before_tanh(Before *b, const Network *n, const Paths *paths, int l)
{
    const float *in = l > 0 ? n->h + (l - 1) * COUNT : n->x;
    product(b->a, in, n->w + l * MAP);
    for (int j = 0; j < FEATURES; j++) {
        b->one[j] = 1;
        b->zero[j] = 0;
    }
    if (n->normalized)
        paths->norm(b->xhat, b->mean, b->rstd, b->a, b->one, b->zero, ROWS, FEATURES, EPS);
}

void network_forward(Network *n, const Paths *paths)
{
    static Before b;
    if (n->kind == TANH) {
        paths->deep_forward(n->h, n->x, n->w, LAYERS, ROWS, FEATURES, n->normalized, EPS);
        return;
    }
    for (int l = 0; l < LAYERS; l++) {
        before_tanh(&b, n, paths, l);
        for (int i = 0; i < COUNT; i++)
            n->h[l * COUNT + i] = fmaxf(0, n->normalized ? b.xhat[i] : b.a[i]);
    }
}

/* The length of dw = daT in. */
static double weights_gradient(const float *da, const float *in)
{
    double squares = 0;
    for (int j = 0; j < FEATURES; j++) {
        float dw[FEATURES] = {0};
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < FEATURES; k++)
                dw[k] += da[r * FEATURES + j] * in[r * FEATURES + k];
        for (int k = 0; k < FEATURES; k++)
            squares += (double)dw[k] * dw[k];
    }
    return sqrt(squares);
}

/* dh = da w */
static void product_backward(float *dh, const float *da, const float *w)
{
    for (int r = 0; r < ROWS; r++, dh += FEATURES, da += FEATURES) {
        for (int k = 0; k < FEATURES; k++)
            dh[k] = 0;
        for (int j = 0; j < FEATURES; j++)
            for (int k = 0; k < FEATURES; k++)
                dh[k] += da[j] * w[j * FEATURES + k];
    }
}

void network_backward(Network *n, const Paths *paths, double *length)
{
    static Before b;
    static float dh[COUNT], dhat[COUNT], da[COUNT];
    float dgamma[FEATURES], dbeta[FEATURES];
    for (int i = 0; i < COUNT; i++)
        dh[i] = (float)(normal(&n->rng) / sqrt(COUNT));
    for (int l = LAYERS - 1; l >= 0; l--) {
        const float *h = n->h + l * COUNT;
        before_tanh(&b, n, paths, l);
        for (int i = 0; i < COUNT; i++)
            dhat[i] = n->kind == TANH ? dh[i] * (1 - h[i] * h[i]) : h[i] > 0 ? dh[i] : 0;
        if (n->normalized)
            paths->norm_backward(da, dgamma, dbeta, dhat, b.a, b.one, b.mean, b.rstd, ROWS,
                                 FEATURES);
        const float *slope = n->normalized ? da : dhat;
        length[l] = weights_gradient(slope, l > 0 ? h - COUNT : n->x);
        product_backward(dh, slope, n->w + l * MAP);
    }
}

/* The square of a sum of arrows of length 1 holds every pair twice, and each arrow with itself. */
double mean_cosine(const float *h)
{
    double sum[FEATURES] = {0}, square = 0;
    int arrows = 0;
    for (int r = 0; r < ROWS; r++) {
        double length = 0;
        for (int j = 0; j < FEATURES; j++)
            length += (double)h[r * FEATURES + j] * h[r * FEATURES + j];
        arrows += length > 0; /* a row of zeros has no direction */
        for (int j = 0; j < FEATURES && length > 0; j++)
            sum[j] += h[r * FEATURES + j] / sqrt(length);
    }
    for (int j = 0; j < FEATURES; j++)
        square += sum[j] * sum[j];
    return arrows > 1 ? (square - arrows) / arrows / (arrows - 1) : NAN;
}
