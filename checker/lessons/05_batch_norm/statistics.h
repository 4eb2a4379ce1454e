/* Lesson 05: which numbers of an array share a mean and a variance, and these two, mistakes and
 * all. The invariant: without a mistake a group is a column, and its variance is the biased one. */
#ifndef LESSON_05_STATISTICS_H
#define LESSON_05_STATISTICS_H

#include "mistakes.h"

/* Numbers that share a mean and a variance: a column, a row or the whole of a batch x features
 * array; or a chunk of `batch` neighbours, which is a column to those who read the array as
 * features x batch, or begins where a row does. Number i stands at first + i * step, and all are of
 * the same feature, if there is such a one. */
typedef struct {
    int first, step, count, feature;
} Group;

typedef enum { COLUMNS, ROWS, ALL, CHUNKS, CHUNKS_AT_ROWS } Grouping;

static Grouping columns_of(Mistakes m)
{
    return has(m, COLUMNS_OVERLAP) ? CHUNKS_AT_ROWS : has(m, INDEX_TRANSPOSED) ? CHUNKS : COLUMNS;
}

static int group_count(Grouping by, int batch, int features)
{
    return by == ROWS ? batch : by == ALL ? 1 : features;
}

static Group group_at(Grouping by, int index, int batch, int features)
{
    if (by == ROWS)
        return (Group){index * features, 1, features, -1};
    if (by == ALL)
        return (Group){0, 1, batch * features, -1};
    if (by == COLUMNS)
        return (Group){index, features, batch, index};
    return (Group){index * (by == CHUNKS ? batch : features), 1, batch, index};
}

/* Whose gamma element i of the array gets. */
static int feature_of(Group g, int i, int features)
{
    return g.feature >= 0 ? g.feature : i % features;
}

typedef struct {
    Real mean, variance, unbiased;
} Statistics;

/* Honest code may also work with the distances from the first value, in one pass. Its roundings are
 * charged where they are the larger: in columns near zero that begin with an outlier. */
static Statistics statistics_of(const float *x, Group g, Mistakes m)
{
    Sum sum = {0}, squares = {0}, raw_squares = {0}, shifted = {0}, shifted_squares = {0};
    Real first = exact(x[g.first]);
    for (int i = 0; i < g.count; i++) {
        Real value = exact(x[g.first + i * g.step]);
        Real distance = {value.v - first.v, UNIT_ROUNDOFF * fabs(value.v - first.v)};
        include(&sum, value);
        include(&raw_squares, square(value));
        include(&shifted, distance);
        include(&shifted_squares, square(distance));
    }
    Real mean = average(sum, g.count), shift = average(shifted, g.count);
    mean.e = fmax(mean.e, add(first, shift).e);
    for (int i = 0; i < g.count; i++)
        include(&squares, square(sub(exact(x[g.first + i * g.step]), mean)));
    Real variance = average(squares, g.count);
    variance.e = fmax(variance.e, sub(average(shifted_squares, g.count), square(shift)).e);
    if (has(m, CANCELLATION))
        variance = cancelled(average(raw_squares, g.count), mean);
    /* Over batch - 1, or as many write it, the biased one times batch / (batch - 1). */
    return (Statistics){mean, variance, divide(scaled(variance, g.count), exact(g.count - 1))};
}

static Real deviation(Real variance, double eps, Mistakes m) /* what x - mean is divided by */
{
    Real added = exact(has(m, EPSILON_MISSING) ? 0 : eps);
    if (has(m, DIVIDE_BY_VARIANCE))
        return add(variance, added);
    return has(m, EPSILON_OUTSIDE) ? add(root(variance), added) : root(add(variance, added));
}

#endif
