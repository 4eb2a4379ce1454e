/* Lesson 15, adaptive norms: its checks, and the oracles that can make every mistake of mistakes.h.
 *
 * Both backward passes end in layer norm's, 1 / s * (d - mean(d) - xhat * mean(d * xhat)), where d
 * is the gradient of xhat. They differ in d, and in what comes past xhat: nothing, or the ways
 * through m and s. */
#include "mistakes.h"

#include <stdlib.h>
#include <string.h>

static Real *reals(int count)
{
    Real *values = calloc((size_t)count + 1, sizeof *values);
    if (!values)
        author_error("out of memory");
    return values;
}

/* ---- a row ---- */
/* What names stand for is looked up once: a row may have thousands of numbers. */
typedef struct {
    const Case *c;
    Mistakes m;
    int n;
    const float *x, *dy, *parameters; /* dy, x: of this row */
    Real scale, k, eps;
    Real mean, variance, s;
    Real *xhat; /* n */
} Row;

static Row first_row(const Case *c, Mistakes m)
{
    Row row = {.c = c, .m = m, .n = size_of(c, "features"), .eps = exact(scalar_of(c, "eps"))};
    row.xhat = reals(row.n);
    if (takes(c, "parameters"))
        row.parameters = given(c, "parameters");
    if (takes(c, "k")) {
        row.scale = exact(scalar_of(c, "scale"));
        row.k = exact(scalar_of(c, "k"));
    }
    return row;
}

static void move_to(Row *row, int r)
{
    row->x = given(row->c, "x") + r * row->n;
    row->dy = takes(row->c, "dy") ? given(row->c, "dy") + r * row->n : NULL;
    for (int j = 0; j < row->n; j++)
        row->xhat[j] = exact(row->x[j]);
    Moments found = moments_of(row->xhat, row->n);
    row->mean = found.mean;
    row->variance = found.variance;
    row->s = root(add(found.variance, row->eps));
    for (int j = 0; j < row->n; j++)
        row->xhat[j] = divide(sub(exact(row->x[j]), row->mean), row->s);
    reveal_row(row->c, "m", &row->mean, 1);
    reveal_row(row->c, "s", &row->s, 1);
}

/* dx[j] = 1 / s * (d[j] - mean(d) - xhat[j] * mean(d * xhat)). d, dx: n */
static void through_norm(Real *dx, const Real *d, const Row *row)
{
    int n = row->n;
    Sum plain = {0}, with_xhat = {0}, with_x = {0}, distances = {0};
    for (int j = 0; j < n; j++) {
        include(&plain, d[j]);
        include(&distances, sub(exact(row->x[j]), row->mean));
        include_product(&with_xhat, d[j], row->xhat[j]);
        include_product(&with_x, d[j], exact(row->x[j]));
    }
    Real mean = average(plain, n), mean_xhat = divide(average(distances, n), row->s);
    /* Honest code may sum d * x and subtract the mean afterwards, ... */
    Real afterwards = divide(sub(average(with_x, n), mul(row->mean, mean)), row->s);
    Real projection = larger_bound(average(with_xhat, n), afterwards);
    reveal_row(row->c, "mean(dxhat)", &mean, 1);
    reveal_row(row->c, "mean(dxhat * xhat)", &projection, 1);
    for (int j = 0; j < n; j++) {
        Real xhat = row->xhat[j], own = d[j];
        /* ... follow the way through s on to the mean, which ends in the average xhat, about 0, or
         * sum a row of the Jacobian, where d[j] is one of n terms. */
        xhat.e += fabs(mean_xhat.v) + mean_xhat.e;
        own.e += n * UNIT_ROUNDOFF * fabs(own.v);
        Real taken = add(mean, mul(xhat, projection));
        if (has(row->m, XHAT_COUNTED_TWICE))
            taken = scaled(taken, 2);
        if (!has(row->m, STATISTICS_CONSTANT))
            own = sub(own, taken);
        dx[j] = divide(own, row->s);
    }
}

/* ---- ada_norm ---- */
/* scale * (1 - times * k * xhat) */
static Real factor_at(const Row *row, int j, double times)
{
    Real of = has(row->m, FACTOR_OF_X) ? exact(row->x[j]) : row->xhat[j];
    Real part = mul(row->k, of);
    if (times != 1)
        part = scaled(part, times);
    return mul(row->scale, sub(exact(1), part));
}

static void ada_oracle(Case *c, Mistakes m)
{
    Row row = first_row(c, m);
    Real *y = wanted(c, "y");
    for (int r = 0; r < size_of(c, "rows"); r++, y += row.n) {
        move_to(&row, r);
        for (int j = 0; j < row.n; j++) {
            Real factor = factor_at(&row, j, 1);
            reveal(c, "xhat", row.xhat[j]);
            reveal(c, "factor", factor);
            y[j] = mul(factor, row.xhat[j]);
        }
    }
    free(row.xhat);
}

static void ada_backward_oracle(Case *c, Mistakes m)
{
    Row row = first_row(c, m);
    Real *d = reals(row.n), *dx = wanted(c, "dx");
    for (int r = 0; r < size_of(c, "rows"); r++, dx += row.n) {
        move_to(&row, r);
        for (int j = 0; j < row.n; j++) {
            d[j] = exact(row.dy[j]);
            if (has(m, FACTOR_FORGOTTEN))
                d[j] = mul(row.scale, d[j]);
            else if (!has(m, FACTOR_OUTSIDE))
                d[j] = mul(factor_at(&row, j, has(m, FACTOR_FOLLOWED) ? 2 : 1), d[j]);
            reveal(c, "dxhat", d[j]);
        }
        through_norm(dx, d, &row);
        for (int j = 0; j < row.n && has(m, FACTOR_OUTSIDE); j++)
            dx[j] = mul(factor_at(&row, j, 1), dx[j]);
    }
    free(d);
    free(row.xhat);
}

/* ---- adaptive_norm ---- */
enum { G, B, U, V, P, Q, PARAMETERS }; /* in the order in which they are stored */

static int place_of(const Row *row, int parameter, int j)
{
    static const int formula_order[] = {[G] = 0, [U] = 1, [V] = 2, [B] = 3, [P] = 4, [Q] = 5};
    int i = has(row->m, FORMULA_ORDER) ? formula_order[parameter] : parameter;
    return has(row->m, SIX_PER_FEATURE) ? j * PARAMETERS + i : i * row->n + j;
}

static Real parameter_at(const Row *row, int parameter, int j)
{
    return exact(row->parameters[place_of(row, parameter, j)]);
}

/* The number that scale and shift follow beside m. */
static Real spread_of(const Row *row)
{
    if (has(row->m, VARIANCE_FOR_S))
        return row->variance;
    if (has(row->m, RSTD_FOR_S))
        return divide(exact(1), row->s);
    return has(row->m, S_WITHOUT_EPS) ? root(row->variance) : row->s;
}

/* The scale or the shift. `spread` is the row's spread_of(). */
static Real following(const Row *row, Real spread, int alone, int with_m, int with_s, int j)
{
    Real by_m = mul(parameter_at(row, with_m, j), row->mean);
    Real by_s = mul(parameter_at(row, with_s, j), spread);
    return add(add(parameter_at(row, alone, j), by_m), by_s);
}

static void adaptive_oracle(Case *c, Mistakes m)
{
    Row row = first_row(c, m);
    Real *y = wanted(c, "y");
    for (int r = 0; r < size_of(c, "rows"); r++, y += row.n) {
        move_to(&row, r);
        Real spread = spread_of(&row);
        for (int j = 0; j < row.n; j++) {
            Real scale = following(&row, spread, G, U, V, j);
            Real shift = following(&row, spread, B, P, Q, j);
            reveal(c, "xhat", row.xhat[j]);
            reveal(c, "scale", scale);
            reveal(c, "shift", shift);
            y[j] = add(mul(scale, row.xhat[j]), shift);
        }
    }
    free(row.xhat);
}

/* The row's part of dparameters. sums: 6 for each feature */
static void include_row(Sum *sums, const Row *row)
{
    Real spread = spread_of(row);
    if (has(row->m, LAST_ROW_ONLY))
        memset(sums, 0, (size_t)row->n * PARAMETERS * sizeof *sums);
    for (int j = 0; j < row->n; j++, sums += PARAMETERS) {
        Real shift = exact(row->dy[j]), scale = mul(shift, row->xhat[j]);
        include(&sums[G], scale);
        include(&sums[B], shift);
        include_product(&sums[U], scale, row->mean);
        include_product(&sums[V], scale, spread);
        include_product(&sums[P], shift, row->mean);
        include_product(&sums[Q], shift, spread);
    }
}

/* The gradient of m (with U and P) or of s (with V and Q), as they stand in scale and shift. */
static Real gradient_of(const Row *row, int in_scale, int in_shift)
{
    Sum scale = {0}, shift = {0};
    for (int j = 0; j < row->n; j++) {
        Real dy = exact(row->dy[j]);
        include_product(&scale, mul(dy, row->xhat[j]), parameter_at(row, in_scale, j));
        include_product(&shift, dy, parameter_at(row, in_shift, j));
    }
    return has(row->m, SHIFT_PATHS_ONLY) ? total(shift) : add(total(scale), total(shift));
}

/* What comes past xhat, through m and s, is added to dx. */
static void add_paths(Real *dx, const Row *row)
{
    Mistakes m = row->m;
    Real dm = gradient_of(row, U, P), ds = gradient_of(row, V, Q);
    reveal_row(row->c, "dm", &dm, 1);
    reveal_row(row->c, "ds", &ds, 1);
    for (int j = 0; j < row->n; j++) {
        Real by_s = has(m, S_SLOPE_OF_VARIANCE)
                        ? scaled(mul(ds, sub(exact(row->x[j]), row->mean)), 2)
                        : mul(ds, row->xhat[j]);
        Real by_m = has(m, M_PATH_MISSING) ? exact(0) : dm;
        Real both = add(by_m, has(m, S_PATH_MISSING) ? exact(0) : by_s);
        dx[j] = add(dx[j], has(m, PATHS_NOT_DIVIDED) ? both : divide(both, exact(row->n)));
    }
}

static void adaptive_backward_oracle(Case *c, Mistakes m)
{
    Row row = first_row(c, m);
    Real *d = reals(row.n), *dx = wanted(c, "dx");
    Sum *sums = calloc((size_t)row.n * PARAMETERS + 1, sizeof *sums);
    if (!sums)
        author_error("out of memory");
    for (int r = 0; r < size_of(c, "rows"); r++, dx += row.n) {
        move_to(&row, r);
        include_row(sums, &row);
        Real spread = spread_of(&row);
        for (int j = 0; j < row.n; j++) {
            d[j] = mul(exact(row.dy[j]), following(&row, spread, G, U, V, j));
            reveal(c, "dxhat", d[j]);
        }
        through_norm(dx, d, &row);
        add_paths(dx, &row);
    }
    Real *dparameters = wanted(c, "dparameters");
    for (int i = 0; i < row.n * PARAMETERS; i++)
        dparameters[place_of(&row, i % PARAMETERS, i / PARAMETERS)] = total(sums[i]);
    free(sums);
    free(d);
    free(row.xhat);
}

static const Step steps[] = {
    {ADA, ada_oracle},
    /* The factor moves with x, and is held constant: no slope of ada_norm's. */
    {ADA_BACKWARD, ada_backward_oracle, .slopes_of = ""},
    {ADAPTIVE, adaptive_oracle},
    {ADAPTIVE_BACKWARD, adaptive_backward_oracle, .slopes_of = ADAPTIVE},
    {0},
};

/* ---- cases drawn afresh ---- */
/* A factor that turns some numbers around, and now and then k 0. */
static void finish_ada(Case *c, Rng *rng, int index)
{
    set_scalar(c, "scale", (float)(index % 2 ? uniform(rng, 0.3, 0.8) : uniform(rng, 1.3, 3)));
    set_scalar(c, "k", index % 6 == 5 ? 0 : (float)uniform(rng, 0.05, 0.6));
    fill_rest(c, rng);
}

static void draw_ada(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        finish_ada(case_of_shape(cases, rng, ADA, i), rng, i);
}

static void draw_ada_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        finish_ada(case_of_shape(cases, rng, ADA_BACKWARD, i), rng, i);
}

static void draw_adaptive(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, ADAPTIVE, i), rng);
}

static void draw_adaptive_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, ADAPTIVE_BACKWARD, i), rng);
}

static const Check checks[] = {
    {ADA, ADA " gives each number a factor of its own", .vectors = "ada"},
    {ADA, ADA " with k 0 is layer norm, times scale", .vectors = "ada, k 0"},
    {ADA, ADA " holds on rows far from zero", .vectors = "ada, far from zero"},
    {ADA, ADA " holds on 24 shapes drawn afresh", .draw = draw_ada},
    {ADA_BACKWARD, ADA_BACKWARD " holds the factor constant", .vectors = "ada, backward"},
    {ADA_BACKWARD, ADA_BACKWARD " with k 0 is layer norm's", .vectors = "ada, backward, k 0"},
    {ADA_BACKWARD, ADA_BACKWARD " holds on rows far from zero",
     .vectors = "ada, backward, far from zero"},
    {ADA_BACKWARD, ADA_BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_ada_backward},
    {ADAPTIVE, ADAPTIVE " follows the row's m and s", .vectors = "adaptive"},
    {ADAPTIVE, ADAPTIVE " with u, v, p and q 0 is layer norm", .vectors = "adaptive, layer norm"},
    {ADAPTIVE, ADAPTIVE " gives the row back where v and p are 1", .vectors = "adaptive, identity"},
    {ADAPTIVE, ADAPTIVE " holds on rows far from zero", .vectors = "adaptive, far from zero"},
    {ADAPTIVE, ADAPTIVE " holds on 24 shapes drawn afresh", .draw = draw_adaptive},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " sums dparameters over the rows",
     .vectors = "adaptive, backward", .only = "dparameters"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " matches PyTorch's dx", .vectors = "adaptive, backward"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " hands dy on where the row comes back",
     .vectors = "adaptive, backward, identity"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " holds on rows far from zero",
     .vectors = "adaptive, backward, far from zero"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " holds on 24 shapes drawn afresh",
     .draw = draw_adaptive_backward},
    {0},
};

const Lesson lesson = {
    "Adaptive Norms",
    steps,
    checks,
    mistakes,
    .defaults = "scale=1 k=0.1 eps=1e-5",
    .needs = "02",
    .learned = "a norm's factor can be held constant for the gradient.",
};
