/* Lesson 13: a deep network in Real, with the mistakes that can be made in it.
 *
 * Bounds that are handed from layer to layer at their worst grow a hundredfold in five layers,
 * while what rounding really does hardly grows: its effects cancel, since each number moves by some
 * up and by others down. So every rounding keeps a column of its own here, with signs: how far it
 * moves each of the numbers, followed through the layers by their derivatives. A number's bound is
 * the sum over the columns of what each does at most; what is of second order is charged on top.
 *
 * The invariant: the last `size` columns are those of the last roundings, one for each number. */
#ifndef LESSON_13_DEEP_H
#define LESSON_13_DEEP_H

#include "mistakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that go through the network together: one alone, or all where a mistake mixes them. */
typedef struct {
    const Case *c; /* whoever tries it sees a and xhat */
    int layer;
    int rows, features, size; /* size: rows x features */
    int columns, room;
    double *value; /* size */
    double *moved; /* size x room, `columns` of them in use */
    double *old;   /* as large as moved, in between */
} Rows;

/* Numbers that share a mean and a variance. */
typedef struct {
    int first, step, count;
} Group;

/* For what is no Real. */
static void *room_of(size_t count, size_t size)
{
    void *room = calloc(count + 1, size);
    if (!room)
        author_error("out of memory");
    return room;
}

static Rows rows_of(const Case *c, const float *x, int rows, int features, int layers)
{
    int size = rows * features, room = 2 * layers * size;
    Rows all = {.c = c, .rows = rows, .features = features, .size = size, .room = room};
    all.value = room_of((size_t)size, sizeof(double));
    all.moved = room_of((size_t)size * (size_t)room, sizeof(double));
    all.old = room_of((size_t)size * (size_t)room, sizeof(double));
    for (int i = 0; i < size; i++)
        all.value[i] = x[i];
    return all;
}

static void rows_free(Rows *rows)
{
    free(rows->value);
    free(rows->moved);
    free(rows->old);
}

static double *moves(const Rows *rows, int i)
{
    return rows->moved + (size_t)i * (size_t)rows->room;
}

/* By everything up to now. */
static double bound_of(const Rows *rows, int i)
{
    double sum = 0;
    for (int c = 0; c < rows->columns; c++)
        sum += fabs(moves(rows, i)[c]);
    return isnan(sum) ? INFINITY : sum;
}

static Real number_at(const Rows *rows, int i)
{
    return isnan(rows->value[i]) ? exact(NAN) : (Real){rows->value[i], bound_of(rows, i)};
}

/* What the last operation rounded by itself: its values, and columns of their own. */
static void took(Rows *rows, const Real *local, const char *name)
{
    char text[40];
    snprintf(text, sizeof text, "%s[%d]", name, rows->layer);
    reveal_row(rows->c, text, local, rows->size);
    for (int i = 0; i < rows->size; i++) {
        rows->value[i] = local[i].v;
        memset(moves(rows, i) + rows->columns, 0, (size_t)rows->size * sizeof(double));
        moves(rows, i)[rows->columns + i] = local[i].e;
    }
    rows->columns += rows->size;
}

static void turn_over(Rows *rows)
{
    double *now = rows->moved;
    rows->moved = rows->old;
    rows->old = now;
}

/* a = w h for each row. w: features x features */
static void multiply(Rows *rows, const float *w, Mistakes m)
{
    int n = rows->features;
    Real *local = new_reals(rows->size);
    turn_over(rows);
    for (int i = 0; i < rows->size; i++) {
        int j = i % n, row = i - j;
        Sum sum = {0};
        memset(moves(rows, i), 0, (size_t)rows->columns * sizeof(double));
        for (int k = 0; k < n; k++) {
            double weight = has(m, WEIGHTS_TRANSPOSED) ? w[k * n + j] : w[j * n + k];
            const double *from = rows->old + (size_t)(row + k) * (size_t)rows->room;
            include_product(&sum, exact(weight), exact(rows->value[row + k]));
            for (int c = 0; c < rows->columns; c++)
                moves(rows, i)[c] += weight * from[c];
        }
        local[i] = total(sum);
    }
    took(rows, local, "a");
    free(local);
}

/* The derivative of xhat[i], one column after the other: (t - mean(t) - xhat * mean(xhat * t)) *
 * rstd
 */
static void move_group(const Rows *rows, Group g, const Real *xhat, double rstd)
{
    double *means = room_of(2 * (size_t)rows->columns, sizeof *means);
    double *means_xhat = means + rows->columns;
    for (int i = g.first, k = 0; k < g.count; k++, i += g.step)
        for (int c = 0; c < rows->columns; c++) {
            means[c] += moves(rows, i)[c] / g.count;
            means_xhat[c] += moves(rows, i)[c] * xhat[i].v / g.count;
        }
    for (int i = g.first, k = 0; k < g.count; k++, i += g.step)
        for (int c = 0; c < rows->columns; c++)
            moves(rows, i)[c] = rstd * (moves(rows, i)[c] - means[c] - xhat[i].v * means_xhat[c]);
    free(means);
}

static Real variance_of(const Real *a, int n, Real mean, Real variance, Mistakes m)
{
    Sum squares = {0};
    for (int i = 0; i < n; i++)
        include(&squares, square(a[i]));
    if (has(m, CANCELLATION))
        variance = cancelled(average(squares, n), mean);
    return has(m, N_MINUS_1) ? divide(scaled(variance, n), exact(n - 1)) : variance;
}

static void normalize_group(const Rows *rows, Group g, double eps, Real *xhat, Mistakes m)
{
    Real *a = new_reals(g.count);
    double most = 0;
    for (int i = g.first, k = 0; k < g.count; k++, i += g.step) {
        a[k] = exact(rows->value[i]);
        most = fmax(most, bound_of(rows, i));
    }
    Moments found = moments_of(a, g.count);
    Real variance = variance_of(a, g.count, found.mean, found.variance, m);
    Real spread = root(add(variance, exact(eps)));
    for (int i = g.first, k = 0; k < g.count; k++, i += g.step) {
        Real distance = g.count > 1 ? sub(a[k], found.mean) : exact(0); /* its own mean */
        xhat[i] = divide(distance, spread);
        xhat[i].e += (3 + 4 * fabs(xhat[i].v)) * pow(most / spread.v, 2); /* of second order */
    }
    move_group(rows, g, xhat, 1 / spread.v);
    free(a);
}

static void normalize(Rows *rows, double eps, Mistakes m)
{
    int n = rows->features, of_feature = has(m, BATCH_STATISTICS);
    Real *xhat = new_reals(rows->size);
    if (has(m, LAYER_STATISTICS))
        normalize_group(rows, (Group){0, 1, rows->size}, eps, xhat, m);
    else
        for (int k = 0; k < (of_feature ? n : rows->rows); k++)
            normalize_group(rows, of_feature ? (Group){k, n, rows->rows} : (Group){k * n, 1, n},
                            eps, xhat, m);
    took(rows, xhat, "xhat");
    free(xhat);
}

/* tanh, in place. It needs no columns of its own: of the last ones each moves one number only. */
static void squash(Rows *rows)
{
    for (int i = 0; i < rows->size; i++) {
        double *own = moves(rows, i), all = bound_of(rows, i);
        Real h = hyperbolic_tangent(exact(rows->value[i]));
        double slope = 1 - h.v * h.v;
        for (int c = 0; c < rows->columns; c++)
            own[c] *= slope;
        own[rows->columns - rows->size + i] += h.e + 0.4 * all * all; /* |tanh''| is below 0.8 */
        rows->value[i] = h.v;
    }
}

/* One layer. */
static void pass_layer(Rows *rows, const float *w, bool normalized, double eps, Mistakes m)
{
    bool before = has(m, NORM_OF_INPUT), behind = has(m, NORM_BEHIND_TANH);
    if (normalized && before)
        normalize(rows, eps, m);
    multiply(rows, w, m);
    if (normalized && !before && !behind)
        normalize(rows, eps, m);
    if (!has(m, TANH_LEFT_OUT))
        squash(rows);
    if (normalized && behind && !before)
        normalize(rows, eps, m);
}

#endif
