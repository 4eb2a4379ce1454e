/* Lesson 08: which numbers of an array are normalized together, and their mean and spread. The
 * invariant: every number of an array is in exactly one group, however the array is seen. */
#ifndef LESSON_08_GROUPS_H
#define LESSON_08_GROUPS_H

#include "mistakes.h"

/* ---- which numbers are normalized together ---- */
/* How an array is seen: outer x features x inner. Those along the middle axis belong together; or,
 * across it, all that have the same place on it. */
typedef struct {
    int outer, features, inner;
    bool across;
} View;

/* The numbers first + k * block + j * step of the array, for k below blocks and j below count. */
typedef struct {
    int first, blocks, block, count, step;
} Group;

static int group_count(View v)
{
    return v.across ? v.features : v.outer * v.inner;
}

static Group group_at(View v, int index)
{
    int block = v.features * v.inner;
    if (v.across)
        return (Group){index * v.inner, v.outer, block, v.inner, 1};
    return (Group){index / v.inner * block + index % v.inner, 1, block, v.features, v.inner};
}

static int place_of(Group g, int number)
{
    if (g.blocks == 1) /* the usual one, without a division */
        return g.first + number * g.step;
    return g.first + number / g.count * g.block + number % g.count * g.step;
}

/* ---- their mean and spread ---- */
typedef struct {
    Moments of; /* mean and variance */
    Real spread;
    bool nan; /* certainly */
} Statistics;

/* What the sums are when they are divided by another count than their own. */
static Moments divided_by(double count, const Real *x, int n)
{
    Sum sum = {0}, squares = {0};
    for (int j = 0; j < n; j++)
        include(&sum, x[j]);
    Real mean = average(sum, count);
    for (int j = 0; j < n; j++)
        include(&squares, square(sub(x[j], mean)));
    return (Moments){mean, average(squares, count)};
}

/* Of n numbers; `all` stand in the group, with those behind the end. */
static Statistics statistics_of(const Real *x, int n, int all, float eps, Mistakes m)
{
    Statistics s = {.of = moments_of(x, n)};
    if (has(m, DIVIDED_BY_TIME))
        s.of = divided_by(all, x, n);
    Sum squares = {0};
    for (int j = 0; j < n; j++) {
        include(&squares, square(x[j]));
        s.nan = s.nan || !isfinite(x[j].v);
    }
    if (has(m, CANCELLATION))
        s.of.variance = cancelled(average(squares, has(m, DIVIDED_BY_TIME) ? all : n), s.of.mean);
    s.spread = root(add(s.of.variance, exact(eps)));
    return s;
}

static Real normalized(float x, const Statistics *s)
{
    if (s->nan || isnan(x))
        return exact(NAN);
    if (isinf(x)) /* of either sign, or NaN, as gamma and the arithmetic want it */
        return (Real){x, INFINITY};
    return divide(sub(exact(x), s->of.mean), s->spread);
}

#endif
