/* Lesson 06: one layer in Real, which can make every mistake of mistakes.h. The sequences of
 * lesson.c are made of these functions. */
#ifndef LESSON_06_LAYER_H
#define LESSON_06_LAYER_H

#include "mistakes.h"

#include <stdlib.h>

static void copy(Real *to, const Real *from, int count)
{
    for (int i = 0; to && i < count; i++)
        to[i] = from[i];
}

typedef struct {
    int rows, features;
    float eps;
    Real *gamma, *beta;        /* features; beta may be NULL */
    Real *y, *xhat, *rstd;     /* of the last forward */
    Real *dx, *dgamma, *dbeta; /* the gradients that were added so far */
} Layer;

static Layer layer_new(int features, const float *gamma, const float *beta, float eps)
{
    Layer l = {.features = features, .eps = eps};
    l.gamma = gamma ? as_reals(gamma, features) : new_reals(features);
    for (int j = 0; !gamma && j < features; j++)
        l.gamma[j] = exact(1);
    l.beta = as_reals(beta, features);
    l.dgamma = new_reals(features);
    l.dbeta = new_reals(features);
    return l;
}

/* Room for what a pass over that many rows leaves. */
static void layer_room(Layer *l, int rows)
{
    free(l->y), free(l->xhat), free(l->rstd), free(l->dx);
    l->rows = rows;
    l->y = new_reals(rows * l->features);
    l->xhat = new_reals(rows * l->features);
    l->rstd = new_reals(rows);
    l->dx = new_reals(rows * l->features);
}

static void layer_free(Layer *l)
{
    layer_room(l, 0);
    free(l->y), free(l->xhat), free(l->rstd), free(l->dx);
    free(l->gamma), free(l->beta), free(l->dgamma), free(l->dbeta);
}

static void forward_row(Layer *l, int r, const float *row, Mistakes m)
{
    int n = l->features;
    Sum squares = {0};
    Real mean = honest_mean(row, n, 1), *xhat = l->xhat + r * n, *y = l->y + r * n;
    for (int j = 0; j < n; j++)
        include(&squares, square(sub(exact(row[j]), mean)));
    Real variance = average(squares, has(m, N_MINUS_1) ? n - 1 : n);
    l->rstd[r] = divide(exact(1), root(add(variance, exact(l->eps))));
    if (has(m, N_MINUS_1) && n == 1) /* 0 / 0, for certain */
        l->rstd[r] = exact(NAN);
    for (int j = 0; j < n; j++) {
        xhat[j] = mul(sub(exact(row[j]), mean), l->rstd[r]);
        y[j] = mul(l->gamma[j], xhat[j]);
        if (l->beta)
            y[j] = add(y[j], l->beta[j]);
        if (isnan(l->rstd[r].v))
            xhat[j] = y[j] = exact(NAN);
        if (has(m, XHAT_IS_Y))
            xhat[j] = y[j];
    }
}

/* x: rows x features */
static void layer_forward(Layer *l, const float *x, int rows, Mistakes m)
{
    layer_room(l, rows);
    for (int r = 0; r < rows; r++)
        forward_row(l, r, x + r * l->features, m);
}

/* dx[j] = rstd * (g[j] - mean(g) - xhat[j] * mean(g * xhat)), with g = gamma * dy */
static void dx_of_row(Layer *l, int r, const Real *dy, Mistakes m)
{
    int n = l->features;
    const Real *xhat = l->xhat + r * n;
    Real *dx = l->dx + r * n, *g = new_reals(n);
    Sum sum_g = {0}, sum_g_xhat = {0}, sum_xhat = {0};
    for (int j = 0; j < n; j++) {
        g[j] = has(m, GAMMA_LEFT_OUT) ? dy[j] : mul(l->gamma[j], dy[j]);
        include(&sum_g, g[j]);
        include(&sum_g_xhat, mul(g[j], xhat[j]));
        include(&sum_xhat, xhat[j]);
    }
    Real mean_g = average(sum_g, n), mean_g_xhat = average(sum_g_xhat, n);
    Real mean_xhat = average(sum_xhat, n);
    for (int j = 0; j < n; j++) {
        Real hat = xhat[j], inner = g[j];
        /* Honest code may follow the path through rstd on to the mean, which ends in the average
         * xhat, about 0, or sum a row of the Jacobian, where g[j] is one of n terms. */
        hat.e += fabs(mean_xhat.v) + mean_xhat.e;
        inner.e += n * UNIT_ROUNDOFF * fabs(inner.v);
        if (!has(m, STATISTICS_CONSTANT))
            inner = sub(sub(inner, mean_g), mul(hat, mean_g_xhat));
        dx[j] = mul(l->rstd[r], inner);
    }
    free(g);
}

/* dy: rows x features */
static void layer_backward(Layer *l, const Real *dy, Mistakes m)
{
    bool anew = has(m, OVERWRITTEN) || has(m, LAST_ROW);
    for (int r = 0; r < l->rows; r++)
        dx_of_row(l, r, dy + r * l->features, m);
    for (int j = 0; j < l->features; j++) {
        Sum dgamma = {0}, dbeta = {0};
        for (int r = has(m, LAST_ROW) ? l->rows - 1 : 0; r < l->rows; r++) {
            int i = r * l->features + j;
            include(&dgamma, mul(dy[i], l->xhat[i]));
            include(&dbeta, dy[i]);
        }
        /* What was there may be added first: then its size is rounded with every row. */
        Real held = anew ? exact(0) : l->dgamma[j];
        Real held_beta = anew ? exact(0) : l->dbeta[j];
        held.e += l->rows * UNIT_ROUNDOFF * fabs(held.v);
        held_beta.e += l->rows * UNIT_ROUNDOFF * fabs(held_beta.v);
        Real share = has(m, AVERAGED) ? average(dgamma, l->rows) : total(dgamma);
        Real share_beta = has(m, AVERAGED) ? average(dbeta, l->rows) : total(dbeta);
        l->dgamma[j] = held.v == 0 && held.e == 0 ? share : add(held, share);
        l->dbeta[j] =
            held_beta.v == 0 && held_beta.e == 0 ? share_beta : add(held_beta, share_beta);
    }
}

static void layer_zero_grad(Layer *l)
{
    for (int j = 0; j < l->features; j++)
        l->dgamma[j] = l->dbeta[j] = exact(0);
}

static void layer_step(Layer *l, float rate, Mistakes m)
{
    double by = has(m, UPHILL) ? -(double)rate : (double)rate;
    for (int j = 0; j < l->features; j++) {
        l->gamma[j] = sub(l->gamma[j], scaled(l->dgamma[j], by));
        if (l->beta)
            l->beta[j] = sub(l->beta[j], scaled(l->dbeta[j], by));
    }
    if (has(m, STEP_ZEROES))
        layer_zero_grad(l);
}

#endif
