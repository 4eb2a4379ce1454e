/* Is what a timed call left right? Every number of it is compared.
 *
 * The bounds are those of real.h, an operation for an operation, with what is the same for a whole
 * row worked out once: the oracles of the lessons would take seconds for what is timed in
 * milliseconds. Nothing here comes near float32's ends, so their part of the rules is left out.
 * tests/unit_race.c holds them against the rules themselves.
 *
 * The invariant: a number that is not within its bound is found; NaN is within nothing. */
#include "race.h"

#include <stdlib.h>

static const float *input(const char *in, const Layout *layout, Input which, int call)
{
    const Placed *placed = &layout->in[which];
    return (const float *)(const void *)(in + placed->offset + (size_t)call * placed->step);
}

static const float *output(const char *out, const Layout *layout, Output which, int call)
{
    const Placed *placed = &layout->out[which];
    return (const float *)(const void *)(out + placed->offset + (size_t)call * placed->step);
}

static bool differs(Wrong *wrong, const char *array, int row, int column, float got, Real want)
{
    if (meets((double)got, want))
        return false;
    *wrong = (Wrong){array, row, column, (double)got, want.v, want.e};
    return true;
}

/* ---- forward ---- */
/* Mean and variance, by two passes or by distances from the first number, as moments_of(). */
static Moments row_moments(const float *x, int n)
{
    const double u = UNIT_ROUNDOFF, first = (double)x[0];
    double sum = 0, size = 0, away = 0, far = 0, squares = 0;
    for (int j = 0; j < n; j++) {
        double v = (double)x[j], d = v - first;
        sum += v;
        size += fabs(v);
        away += d;
        far += fabs(d);
        squares += d * d;
    }
    Real by_sum = divide((Real){sum, n * u * size}, exact(n));
    Real from_first = divide((Real){away, (n + 1) * u * far}, exact(n));
    Real mean = larger_bound(by_sum, add(exact(first), from_first));
    double m = mean.v, moved = 0, all = 0;
    for (int j = 0; j < n; j++) {
        double d = (double)x[j] - m, e = mean.e + 2 * u * (fabs((double)x[j]) + fabs(m));
        all += d * d;
        moved += 2 * fabs(d) * e + e * e;
    }
    Real variance = divide((Real){all, moved + (2 + n) * u * all}, exact(n));
    Real by_distances = divide((Real){squares, (4 + n) * u * squares + u * u * squares}, exact(n));
    return (Moments){mean, larger_bound(variance, sub(by_distances, square(from_first)))};
}

/* y of a row: is one of them wrong? */
static bool row_is_wrong(const float *y, const float *x, const float *gamma, const float *beta,
                         int n, Real mean, Real rstd, int *column, Real *want)
{
    const double u2 = PER_OPERATION;
    for (int j = 0; j < n; j++) {
        double v = (double)x[j], d = v - mean.v, h = d * rstd.v, g = (double)gamma[j];
        double e_d = mean.e + u2 * (fabs(v) + fabs(mean.v));
        double e_h = fabs(d) * rstd.e + rstd.v * e_d + rstd.e * e_d + u2 * fabs(h);
        double scaled = g * h, b = (double)beta[j];
        double e = fabs(g) * e_h + 2 * u2 * fabs(scaled) + u2 * fabs(b);
        if (!within((double)y[j], scaled + b, e)) {
            *column = j;
            *want = (Real){scaled + b, e};
            return true;
        }
    }
    return false;
}

static Wrong judge_forward(const char *in, const char *out, const Layout *layout, int call)
{
    const int n = layout->shape.features;
    const float *x = input(in, layout, X, call), *y = output(out, layout, Y, call);
    const float *gamma = input(in, layout, GAMMA, call), *beta = input(in, layout, BETA, call);
    Wrong wrong = {.array = NULL};
    for (int r = 0; r < layout->shape.rows; r++, x += n, y += n) {
        Moments row = row_moments(x, n);
        Real rstd = divide(exact(1), root(add(row.variance, exact((double)RACE_EPS)))), want;
        int column;
        if (layout->out[MEAN].length &&
            (differs(&wrong, "mean", r, -1, output(out, layout, MEAN, call)[r], row.mean) ||
             differs(&wrong, "rstd", r, -1, output(out, layout, RSTD, call)[r], rstd)))
            return wrong;
        if (row_is_wrong(y, x, gamma, beta, n, row.mean, rstd, &column, &want))
            return (Wrong){"y", r, column, (double)y[column], want.v, want.e};
    }
    return wrong;
}

/* ---- backward ---- */
typedef struct {
    const float *dy, *x, *gamma;
    int n;
    double mean, rstd;
} Given;

static inline Real xhat_of(const Given *row, int j)
{
    double v = (double)row->x[j], h = (v - row->mean) * row->rstd;
    double e_d = PER_OPERATION * (fabs(v) + fabs(row->mean));
    return (Real){h, row->rstd * e_d + PER_OPERATION * fabs(h)};
}

/* The averages over a row: of g, of g * xhat, and of xhat, which is about 0. Honest code may sum
 * g * x and subtract mean * mean(g) afterwards; see lesson 02's oracle. */
static void row_means(const Given *row, Real *mean_g, Real *mean_g_xhat, Real *mean_xhat)
{
    const double u = UNIT_ROUNDOFF, n = row->n;
    double g = 0, g_size = 0, t = 0, t_size = 0, t_moved = 0, x = 0, x_size = 0;
    double h = 0, h_size = 0, h_moved = 0;
    for (int j = 0; j < row->n; j++) {
        Real hat = xhat_of(row, j);
        double gj = (double)row->gamma[j] * (double)row->dy[j], gx = gj * (double)row->x[j];
        double term = gj * hat.v, e_g = 2 * u * fabs(gj);
        g += gj;
        g_size += fabs(gj);
        t += term;
        t_size += fabs(term);
        t_moved += fabs(gj) * hat.e + fabs(hat.v) * e_g + e_g * hat.e;
        x += gx;
        x_size += fabs(gx);
        h += hat.v;
        h_size += fabs(hat.v);
        h_moved += hat.e;
    }
    *mean_g = divide((Real){g, (n + 2) * u * g_size}, exact(n));
    *mean_g_xhat = divide((Real){t, t_moved + (n + 2) * u * t_size}, exact(n));
    *mean_xhat = divide((Real){h, h_moved + n * u * h_size}, exact(n));
    Real mean_g_x = divide((Real){x, (n + 4) * u * x_size}, exact(n));
    Real other = mul(sub(mean_g_x, mul(exact(row->mean), *mean_g)), exact(row->rstd));
    mean_g_xhat->e = fmax(mean_g_xhat->e, other.e);
}

static bool dx_is_wrong(const float *dx, const Given *row, int *column, Real *want)
{
    const double u2 = PER_OPERATION;
    Real mg, mgh, mh;
    row_means(row, &mg, &mgh, &mh);
    double also = fabs(mh.v) + mh.e, jacobian = row->n * UNIT_ROUNDOFF;
    for (int j = 0; j < row->n; j++) {
        Real hat = xhat_of(row, j);
        hat.e += also;
        double g = (double)row->gamma[j] * (double)row->dy[j], e_g = (u2 + jacobian) * fabs(g);
        double a = g - mg.v, e_a = e_g + mg.e + u2 * (fabs(g) + fabs(mg.v));
        double b = hat.v * mgh.v;
        double e_b = fabs(hat.v) * mgh.e + fabs(mgh.v) * hat.e + hat.e * mgh.e + u2 * fabs(b);
        double e = row->rstd * (e_a + e_b + u2 * (fabs(a) + fabs(b)));
        double v = (a - b) * row->rstd;
        e += u2 * fabs(v);
        if (!within((double)dx[j], v, e)) {
            *column = j;
            *want = (Real){v, e};
            return true;
        }
    }
    return false;
}

/* The sums over the rows, so far: dgamma and dbeta, their sizes, and how far dgamma's terms may
 * have moved. */
typedef struct {
    double gamma, gamma_size, gamma_moved, beta, beta_size;
} Column;

static void include_row(Column *columns, const Given *row)
{
    for (int j = 0; j < row->n; j++) {
        Real hat = xhat_of(row, j);
        double dy = (double)row->dy[j], term = dy * hat.v;
        columns[j].gamma += term;
        columns[j].gamma_size += fabs(term);
        columns[j].gamma_moved += fabs(dy) * hat.e;
        columns[j].beta += dy;
        columns[j].beta_size += fabs(dy);
    }
}

static Wrong judge_columns(const char *out, const Layout *layout, int call, const Column *columns)
{
    const double u = UNIT_ROUNDOFF, rows = layout->shape.rows;
    const float *dgamma = output(out, layout, DGAMMA, call);
    const float *dbeta = output(out, layout, DBETA, call);
    const double sums = rows > 1 ? rows * u : 0;
    Wrong wrong = {.array = NULL};
    for (int j = 0; j < layout->shape.features; j++) {
        const Column *c = &columns[j];
        Real gamma = {c->gamma, c->gamma_moved + (sums + 2 * u) * c->gamma_size};
        if (differs(&wrong, "dgamma", -1, j, dgamma[j], gamma) ||
            differs(&wrong, "dbeta", -1, j, dbeta[j], (Real){c->beta, sums * c->beta_size}))
            break;
    }
    return wrong;
}

static Wrong judge_backward(const char *in, const char *out, const Layout *layout, int call)
{
    const int n = layout->shape.features;
    const float *dx = output(out, layout, DX, call);
    Given row = {.dy = input(in, layout, DY, call),
                 .x = input(in, layout, X, call),
                 .gamma = input(in, layout, GAMMA, call),
                 .n = n};
    Column *columns = calloc((size_t)n, sizeof *columns);
    Wrong wrong = {.array = NULL};
    if (!columns)
        abort();
    for (int r = 0; r < layout->shape.rows; r++, row.x += n, row.dy += n, dx += n) {
        Real want;
        int column;
        row.mean = (double)input(in, layout, GIVEN_MEAN, call)[r];
        row.rstd = (double)input(in, layout, GIVEN_RSTD, call)[r];
        include_row(columns, &row);
        if (dx_is_wrong(dx, &row, &column, &want)) {
            wrong = (Wrong){"dx", r, column, (double)dx[column], want.v, want.e};
            break;
        }
    }
    if (!wrong.array)
        wrong = judge_columns(out, layout, call, columns);
    free(columns);
    return wrong;
}

Wrong race_judge(const char *in, const char *out, const Layout *layout)
{
    Wrong wrong = {.array = NULL};
    for (int call = 0; call < layout->shape.calls && !wrong.array; call++)
        wrong = layout->kind == BACKWARD ? judge_backward(in, out, layout, call)
                                         : judge_forward(in, out, layout, call);
    return wrong;
}
