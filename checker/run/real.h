/* A number, and how far a float32 program may honestly be from it.
 *
 * Every oracle is written in Real. `v` is the answer in double precision; `e` bounds what rounding
 * to float32 can have done to it by the time a learner's program has it, whichever way that program
 * arranges the same arithmetic. The allowed error of every check is the `e` that comes out at the
 * end, so no tolerance is chosen by hand.
 *
 * The rules are those of a running error analysis (Wilkinson), to first order and taken at their
 * worst. U is the unit roundoff of float32. Each operation is charged two roundings: its own, and
 * one for the other order in which honest code does it (multiplying out, dividing by a root or
 * multiplying by its reciprocal). A sum is charged relative to its terms, not to its result:
 * a * (x - m) and a * x - a * m are both right. A sum of n terms is charged n roundings of every
 * term, which covers every order of adding, and Welford's.
 *
 * At float32's ends: a result that may lie below FLT_MIN is allowed FLT_MIN more, because it may be
 * flushed to zero, and loses digits anyway. A result that may lie above FLT_MAX promises nothing:
 * it may be infinite, and what comes of an infinity (1 / inf, inf - inf) depends on the order. So
 * an oracle goes a way on which nothing overflows, if there is one: exp(x - max), not exp(x).
 *
 * What is made of a given infinity or NaN is what it is on every way: formulas give these NaN for a
 * bound (evaluate.h), and the arithmetic keeps it. */
#ifndef REAL_H
#define REAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct {
    double v; /* the value */
    double e; /* the most that float32 rounding may have moved it; INFINITY: no promise */
} Real;

#define UNIT_ROUNDOFF 5.9604644775390625e-08 /* 2^-24 */
#define PER_OPERATION (2 * UNIT_ROUNDOFF)

static inline Real exact(double v)
{
    return (Real){v, 0};
}

/* exact(NAN): the answer is NaN, whichever way the arithmetic is arranged. */
static inline bool certainly_nan(Real a)
{
    return isnan(a.v) && a.e == 0;
}

/* What float32 makes of v, which is off by e already, when it rounds numbers of that size. */
static inline Real rounded(double v, double e, double roundings)
{
    e += roundings;
    if (fabs(v) - e < FLT_MIN && (v != 0 || e > 0))
        e += FLT_MIN;
    return (Real){v, fabs(v) + e > FLT_MAX ? INFINITY : e};
}

static inline Real add(Real a, Real b)
{
    return rounded(a.v + b.v, a.e + b.e, PER_OPERATION * (fabs(a.v) + fabs(b.v)));
}

static inline Real sub(Real a, Real b)
{
    return add(a, (Real){-b.v, b.e});
}

/* a - b of two numbers that are floats: rounded once, to a float near the difference. For code that
 * can't but subtract these two: a distance from the first value, or from the largest. */
static inline Real difference(double a, double b)
{
    return rounded(a - b, 0, UNIT_ROUNDOFF * fabs(a - b));
}

static inline Real mul(Real a, Real b)
{
    double v = a.v * b.v;
    return rounded(v, fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e, PER_OPERATION * fabs(v));
}

static inline Real divide(Real a, Real b)
{
    double v = a.v / b.v, room = fabs(b.v) - b.e;
    if (!(room > 0))
        return (Real){v, isnan(room) && !isinf(a.e) && !isinf(b.e) ? NAN : INFINITY};
    return rounded(v, (a.e + fabs(v) * b.e) / room, PER_OPERATION * fabs(v));
}

/* The one comparison that decides. NaN is within nothing. Two programs that compute in double
 * precision may differ by 1e-12 of the number, whatever the bound. */
static inline bool within(double got, double expected, double bound)
{
    return fabs(got - expected) <= bound + 1e-12 * fabs(expected);
}

/* Is it the answer that an oracle promises? */
static inline bool meets(double got, Real want)
{
    return certainly_nan(want) ? isnan(got) : within(got, want.v, want.e);
}

/* The square root. Where rounding may have made the argument negative nothing is promised. */
static inline Real root(Real a)
{
    double v = sqrt(a.v);
    if (a.v - a.e < 0)
        return (Real){v, INFINITY};
    return rounded(v, v - sqrt(a.v - a.e), PER_OPERATION * v);
}

static inline Real square(Real a)
{
    return mul(a, a);
}

static inline Real scaled(Real a, double factor) /* by a number that float32 holds exactly */
{
    return mul(a, exact(factor));
}

/* ---- functions of <math.h>: good libraries are within one unit in the last place, two roundings
 * ---- */
static inline Real exponential(Real a)
{
    double v = exp(a.v);
    return rounded(v, exp(a.v + a.e) - v, 2 * PER_OPERATION * v);
}

static inline Real logarithm(Real a)
{
    double v = log(a.v);
    if (!(a.v - a.e > 0))
        return (Real){v, INFINITY};
    return rounded(v, v - log(a.v - a.e), 2 * PER_OPERATION * fabs(v));
}

/* Many write these two by exp or by each other, on a way that passes numbers near 1: 4 roundings of
 * 1, whatever the result. */
static inline Real hyperbolic_tangent(Real a)
{
    double v = tanh(a.v), e = fmax(tanh(a.v + a.e) - v, v - tanh(a.v - a.e));
    return rounded(v, e, v != 0 || e > 0 ? 2 * PER_OPERATION : 0);
}

static inline Real sigmoid(Real a)
{
    double v = 1 / (1 + exp(-a.v));
    double e = fmax(1 / (1 + exp(-a.v - a.e)) - v, v - 1 / (1 + exp(a.e - a.v)));
    return rounded(v, e, 2 * PER_OPERATION);
}

/* ---- choosing ---- */
/* Either of two candidates may win where rounding decides which is the larger. */
static inline Real maximum(Real a, Real b)
{
    double v = fmax(a.v, b.v);
    double high = fmax(a.v + a.e, b.v + b.e), low = fmax(a.v - a.e, b.v - b.e);
    return (Real){v, fmax(high - v, v - low)};
}

/* What goes with the larger of a and b: where rounding decides, or both are equal, either is right,
 * and so is what lies between. */
static inline Real of_larger(Real a, Real b, Real if_a, Real if_b)
{
    Real chosen = a.v >= b.v ? if_a : if_b, other = a.v >= b.v ? if_b : if_a;
    if (fabs(a.v - b.v) <= a.e + b.e)
        chosen.e = fmax(chosen.e, fabs(chosen.v - other.v) + other.e);
    return chosen;
}

/* mean_square - mean^2 as float32 has it: both terms are rounded before they cancel. For the
 * mistake of that name, whose value in double precision would be right. */
static inline Real cancelled(Real mean_square, Real mean)
{
    Real rest = sub(mean_square, square(mean));
    float rounded_mean = (float)mean.v;
    double seen = (float)mean_square.v - (double)(rounded_mean * rounded_mean);
    return (Real){seen, rest.e + fabs(seen - rest.v)};
}

/* A sum in the making: Sum s = {0}; include(&s, term); ... total(s) */
typedef struct {
    double v, e, size;
    int terms;
} Sum;

static inline void include(Sum *s, Real term)
{
    s->v += term.v;
    s->e += term.e;
    s->size += fabs(term.v);
    s->terms++;
}

static inline void include_product(Sum *s, Real a, Real b)
{
    include(s, mul(a, b));
}

/* In some order every part of the sum may be added up first: if its terms can overflow, it can. */
static inline Real total(Sum s)
{
    if (s.terms < 2)
        return (Real){s.v, s.e};
    Real sum = rounded(s.v, s.e, s.terms * UNIT_ROUNDOFF * s.size);
    return (Real){s.v, s.size + sum.e > FLT_MAX ? INFINITY : sum.e};
}

static inline Real average(Sum s, double count)
{
    return divide(total(s), exact(count));
}

static inline Real larger_bound(Real a, Real other) /* two honest ways to one number */
{
    return (Real){a.v, fmax(a.e, other.e)};
}

/* How far numbers are from the first of them, each maybe rounded already. Honest code may take mean
 * and biased variance from these; Welford's recurrence is no worse. Its roundings are the larger
 * ones where the first number is far from the mean. */
typedef struct {
    Sum sum, squares;
} Distances;

static inline void include_distance(Distances *d, Real x, Real first)
{
    Real distance = difference(x.v, first.v);
    distance.e += x.e + first.e;
    include(&d->sum, distance);
    include(&d->squares, square(distance));
}

static inline Real mean_by(Distances d, Real first, int n)
{
    return add(first, average(d.sum, n));
}

static inline Real variance_by(Distances d, int n)
{
    return sub(average(d.squares, n), square(average(d.sum, n)));
}

/* The same, followed more closely: for who is asked for the spread itself, where all that is left
 * of (x - mean)^2's roundings counts. The distances from the mean add up to 0, so the mean's error
 * counts by its square. Welford's recurrence is followed number by number: what moved his mean
 * shrinks as more numbers come. A number that was rounded before moves the mean with it, so of its
 * error only twice its distance is left, one n-th of that. */
typedef struct {
    Distances from_first, from_0;  /* as if the numbers were exact, as all but the last two */
    Sum squares;                   /* of the distances from the mean */
    double first, mean, off, left; /* Welford's mean; off: how far; left: in his sum of squares */
    double of_mean, of_squares;    /* what the numbers' own errors come to */
} Running;

static inline void include_running(Running *r, Real x)
{
    int n = r->from_first.sum.terms + 1;
    double before = x.v - r->mean, off_before = r->off;
    r->first = n == 1 ? x.v : r->first;
    include(&r->from_first.sum, difference(x.v, r->first));
    r->mean += before / n;
    if (n > 1) /* the first is taken as it is */
        r->off = off_before * (n - 1) / n + UNIT_ROUNDOFF * fabs(r->mean) +
                 PER_OPERATION * fabs(before) / n;
    r->left += off_before * fabs(x.v - r->mean) + r->off * fabs(before);
    r->of_mean += x.e;
}

/* For a variance, besides. mean: that of all, or whatever the squares are about. */
static inline void include_running_square(Running *r, Real x, double mean)
{
    include(&r->from_first.squares, square(difference(x.v, r->first)));
    include(&r->squares, square(difference(x.v, mean)));
    r->of_squares += (2 * fabs(x.v - mean) + x.e) * x.e;
}

/* For who may take the mean of the squares minus the square of the mean, too. */
static inline void include_from_0(Running *r, Real x)
{
    include(&r->from_0.sum, exact(x.v));
    include(&r->from_0.squares, square(exact(x.v)));
}

static inline Real mean_running(Running r, Real by_sum)
{
    int n = r.from_first.sum.terms;
    Real by_distance = mean_by(r.from_first, exact(r.first), n);
    by_distance.e = fmax(by_distance.e, r.off) + r.of_mean / n;
    return larger_bound(by_sum, by_distance);
}

/* mean: what the squares are about. It may be off; where it is another, that counts in full. */
static inline Real variance_running(Running r, Real mean)
{
    int n = r.from_first.sum.terms;
    Real two_passes = average(r.squares, n), own = mean_by(r.from_first, exact(r.first), n);
    two_passes.e += fmax(mean.e * mean.e, r.left / n) + 2 * fabs(mean.v - own.v) * mean.e;
    Real found = larger_bound(two_passes, variance_by(r.from_first, n));
    if (r.from_0.sum.terms)
        found = larger_bound(found, variance_by(r.from_0, n));
    found.e += r.of_squares / n;
    return found;
}

/* The mean of `count` numbers, `step` apart, as their sum gives it or their distances. */
static inline Real honest_mean(const float *x, int count, int step)
{
    Sum sum = {0};
    Distances distances = {0};
    for (int i = 0; i < count; i++) {
        include(&sum, exact(x[i * step]));
        include_distance(&distances, exact(x[i * step]), exact(x[0]));
    }
    return larger_bound(average(sum, count), mean_by(distances, exact(x[0]), count));
}

/* Mean and biased variance of numbers, each maybe rounded already: by two passes or distances. */
typedef struct {
    Real mean, variance;
} Moments;

static inline Moments moments_of(const Real *x, int n)
{
    Sum sum = {0}, squares = {0};
    Distances distances = {0};
    for (int j = 0; j < n; j++) {
        include(&sum, x[j]);
        include_distance(&distances, x[j], x[0]);
    }
    Real mean = larger_bound(average(sum, n), mean_by(distances, x[0], n));
    for (int j = 0; j < n; j++)
        include(&squares, square(sub(x[j], mean)));
    return (Moments){mean, larger_bound(average(squares, n), variance_by(distances, n))};
}

/* A row normalized, hat, of numbers that may be rounded already; returns 1 / spread. The mean and
 * the spread move along with what comes in: hat[j] is charged by its derivative, which for number k
 * is (1 if k is j, minus 1 / n and hat_j hat_k / n) / spread, and by a second order, which counts
 * where the row is hardly wider than it is uncertain. */
static inline Real normalized_row(Real *hat, const Real *z, int n, double eps)
{
    double most = 0, of_spread = 0;
    for (int j = 0; j < n; j++)
        hat[j] = exact(z[j].v);
    Moments row = moments_of(hat, n);
    Real spread = root(add(row.variance, exact(eps))), rstd = divide(exact(1), spread);
    for (int j = 0; j < n; j++) { /* one number is its own mean */
        hat[j] = divide(n > 1 ? sub(hat[j], row.mean) : exact(0), spread);
        most = fmax(most, z[j].e / spread.v);
        of_spread += fabs(hat[j].v) * z[j].e / spread.v / n;
    }
    if (most == 0 || n == 1)
        return rstd;
    for (int j = 0; j < n; j++) {
        double moved = 4 * n * most * most;
        for (int k = 0; k < n; k++)
            moved += fabs((j == k) - (1 + hat[j].v * hat[k].v) / n) * z[k].e / spread.v;
        hat[j].e += moved;
    }
    rstd.e += rstd.v * (of_spread + 4 * n * most * most);
    return rstd;
}

#endif
