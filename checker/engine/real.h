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
 * term, which covers every order of adding, and Welford's. */
#ifndef REAL_H
#define REAL_H

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

static inline Real add(Real a, Real b)
{
    return (Real){a.v + b.v, a.e + b.e + PER_OPERATION * (fabs(a.v) + fabs(b.v))};
}

static inline Real sub(Real a, Real b)
{
    return add(a, (Real){-b.v, b.e});
}

static inline Real mul(Real a, Real b)
{
    double v = a.v * b.v;
    return (Real){v, fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e + PER_OPERATION * fabs(v)};
}

static inline Real divide(Real a, Real b)
{
    double v = a.v / b.v, room = fabs(b.v) - b.e;
    if (!(room > 0))
        return (Real){v, INFINITY};
    return (Real){v, (a.e + fabs(v) * b.e) / room + PER_OPERATION * fabs(v)};
}

/* The one comparison that decides. NaN is within nothing. Two programs that compute in double
 * precision may differ by 1e-12 of the number, whatever the bound. */
static inline bool within(double got, double expected, double bound)
{
    return fabs(got - expected) <= bound + 1e-12 * fabs(expected);
}

/* The square root. Where rounding may have made the argument negative nothing is promised. */
static inline Real root(Real a)
{
    double v = sqrt(a.v);
    if (a.v - a.e < 0)
        return (Real){v, INFINITY};
    return (Real){v, v - sqrt(a.v - a.e) + PER_OPERATION * v};
}

static inline Real square(Real a)
{
    return mul(a, a);
}

static inline Real scaled(Real a, double factor) /* by a number that float32 holds exactly */
{
    return mul(a, exact(factor));
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

static inline Real total(Sum s)
{
    return (Real){s.v, s.e + (s.terms > 1 ? s.terms * UNIT_ROUNDOFF * s.size : 0)};
}

static inline Real average(Sum s, double count)
{
    return divide(total(s), exact(count));
}

#endif
