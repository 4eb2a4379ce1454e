/* Lesson 12, the normalized LSTM in Real: project and cell, forward and backward, which can make
 * every mistake of mistakes.h. The oracles of single calls are these, and those of whole walks are
 * made of them, as the functions of calls.c are made of the learner's. */
#ifndef LESSON_12_ORACLE_H
#define LESSON_12_ORACLE_H

#include "mistakes.h"

#include <stdlib.h>

/* What the functions have in common. shown: for `try`, or NULL. */
typedef struct {
    int batch, inputs, hidden;
    float eps;
    Mistakes m;
    const Case *shown;
} Lstm;

/* Nothing but 0 / 0 brings a NaN here, and that is one for everybody. */
static void settle(Real *values, int count)
{
    for (int i = 0; i < count; i++)
        if (isnan(values[i].v))
            values[i] = exact(NAN);
}

/* ---- the norm ---- */
/* `count` numbers, `step` apart, normalized: hat. Returns rstd. Of a single number nothing is left
 * but the rounding of two ways to work it out. */
static Real normalize(Real *hat, const Real *z, int count, int step, float eps)
{
    Real *row = new_reals(count), *out = new_reals(count);
    for (int j = 0; j < count; j++)
        row[j] = z[j * step];
    Real rstd = normalized_row(out, row, count, eps);
    if (count == 1)
        out[0].e += PER_OPERATION * fabs(row[0].v) * rstd.v;
    for (int j = 0; j < count; j++)
        hat[j * step] = out[j];
    free(row);
    free(out);
    return rstd;
}

/* From the slopes of hat, g, to those of what was normalized. */
static void normalize_backward(Real *dz, const Real *g, const Real *hat, const Real *z, Real rstd,
                               int count, Mistakes m)
{
    Sum of_g = {0}, of_g_hat = {0}, of_g_z = {0}, of_z = {0}, of_hat = {0};
    for (int j = 0; j < count; j++) {
        include(&of_g, g[j]);
        include_product(&of_g_hat, g[j], hat[j]);
        include_product(&of_g_z, g[j], z[j]);
        include(&of_z, z[j]);
        include(&of_hat, hat[j]);
    }
    int divisor = has(m, SUMS_FOR_MEANS) ? 1 : count;
    Real mean_g = average(of_g, divisor), mean_hat = average(of_hat, count);
    /* Honest code may sum g * z, and subtract the mean afterwards, ... */
    Real afterwards = sub(average(of_g_z, divisor), mul(average(of_z, count), mean_g));
    Real mean_g_hat = larger_bound(average(of_g_hat, divisor), mul(afterwards, rstd));
    for (int j = 0; j < count; j++) {
        Real by_hat = hat[j], own = g[j];
        /* ... follow the path through rstd on to the mean, which ends in the average hat, about 0,
         * or sum a row of the Jacobian, where g is one of `count` terms. */
        by_hat.e += fabs(mean_hat.v) + mean_hat.e;
        own.e += count * UNIT_ROUNDOFF * fabs(own.v);
        Real left = sub(sub(own, mean_g), mul(by_hat, mean_g_hat));
        dz[j] = mul(rstd, has(m, STATISTICS_CONSTANT) ? g[j] : left);
    }
}

/* ---- project ---- */
static void multiply(Real *z, const Real *x, const Real *w, Lstm l)
{
    int gates = 4 * l.hidden;
    for (int r = 0; r < l.batch; r++)
        for (int j = 0; j < gates; j++) {
            Sum sum = {0};
            for (int k = 0; k < l.inputs; k++)
                include_product(&sum, w[j * l.inputs + k], x[r * l.inputs + k]);
            z[r * gates + j] = total(sum);
        }
}

static void project(Real *a, const Real *x, const Real *w, const Real *gamma, Lstm l)
{
    int gates = 4 * l.hidden, parts = has(l.m, GATES_APART) ? 4 : 1, count = gates / parts;
    Real *z = new_reals(l.batch * gates);
    multiply(z, x, w, l);
    for (int i = 0; i < l.batch * parts && !has(l.m, OVER_BATCH); i++)
        normalize(a + i * count, z + i * count, count, 1, l.eps);
    for (int j = 0; j < gates && has(l.m, OVER_BATCH); j++)
        normalize(a + j, z + j, l.batch, gates, l.eps);
    for (int r = 0; l.shown && r < l.batch; r++) {
        reveal_row(l.shown, "w x", z + r * gates, gates);
        reveal_row(l.shown, "normalized", a + r * gates, gates);
    }
    for (int i = 0; i < l.batch * gates; i++)
        a[i] = mul(gamma[i % gates], a[i]);
    settle(a, l.batch * gates);
    free(z);
}

/* One row of dz, and that row's dy * hat. */
static void project_row_backward(Real *dz, Real *dgamma, const Real *da, const Real *z,
                                 const Real *gamma, Lstm l)
{
    int gates = 4 * l.hidden, parts = has(l.m, GATES_APART) ? 4 : 1, count = gates / parts;
    Real *hat = new_reals(gates), *g = new_reals(gates);
    for (int from = 0; from < gates; from += count) {
        Real rstd = normalize(hat + from, z + from, count, 1, l.eps);
        for (int j = from; j < from + count; j++) {
            g[j] = has(l.m, GAMMA_LEFT_OUT) ? da[j] : mul(gamma[j], da[j]);
            dgamma[j] = mul(da[j], hat[j]);
        }
        normalize_backward(dz + from, g + from, hat + from, z + from, rstd, count, l.m);
    }
    if (l.shown) {
        reveal_row(l.shown, "normalized", hat, gates);
        reveal_row(l.shown, "dhat", g, gates);
        reveal_row(l.shown, "gradient of w x", dz, gates);
    }
    free(hat);
    free(g);
}

/* The sum over the batch of terms that are `step` apart. */
static Real over_batch(const Real *terms, int step, Lstm l)
{
    Sum sum = {0};
    for (int r = 0; r < l.batch; r++)
        include(&sum, terms[r * step]);
    return has(l.m, AVERAGED) ? average(sum, l.batch) : total(sum);
}

static void project_backward(Real *dx, Real *dw, Real *dgamma, const Real *da, const Real *x,
                             const Real *w, const Real *gamma, Lstm l)
{
    int gates = 4 * l.hidden, n = l.inputs;
    Real *z = new_reals(l.batch * gates), *dz = new_reals(l.batch * gates);
    Real *of_gamma = new_reals(l.batch * gates), *of_w = new_reals(l.batch);
    multiply(z, x, w, l);
    for (int r = 0, at = 0; r < l.batch; r++, at += gates)
        project_row_backward(dz + at, of_gamma + at, da + at, z + at, gamma, l);
    for (int i = 0; i < l.batch * n; i++) {
        Sum sum = {0};
        for (int j = 0; j < gates; j++)
            include_product(&sum, dz[i / n * gates + j], w[j * n + i % n]);
        dx[i] = total(sum);
    }
    for (int i = 0; i < gates * n; i++) {
        for (int r = 0; r < l.batch; r++)
            of_w[r] = mul(dz[r * gates + i / n], x[r * n + i % n]);
        dw[i] = over_batch(of_w, 1, l);
    }
    for (int j = 0; j < gates; j++)
        dgamma[j] = over_batch(of_gamma + j, gates, l);
    settle(dx, l.batch * n);
    settle(dw, gates * n);
    settle(dgamma, gates);
    free(z);
    free(dz);
    free(of_gamma);
    free(of_w);
}

/* ---- cell ---- */
/* The four gates of one example in a row of a, or of da. */
typedef struct {
    Real *i, *f, *g, *o;
} Gates;

static Gates gates_in(const Real *row, Lstm l)
{
    Real *part[4];
    for (int k = 0; k < 4; k++)
        part[k] = (Real *)row + k * l.hidden;
    if (has(l.m, ORDER_IFOG))
        return (Gates){part[0], part[1], part[3], part[2]};
    if (has(l.m, ORDER_IGFO))
        return (Gates){part[0], part[2], part[1], part[3]};
    return (Gates){part[0], part[1], part[2], part[3]};
}

/* The gates' values, i f g o one after another, and c_next. */
static void open_gates(Real *values, Real *c_next, const Real *a, const Real *c, Lstm l)
{
    int n = l.hidden;
    Gates in = gates_in(a, l);
    for (int j = 0; j < n; j++) {
        Real i = values[j] = sigmoid(in.i[j]), f = values[n + j] = sigmoid(in.f[j]);
        bool bare = has(l.m, CANDIDATE_BARE);
        Real g = values[2 * n + j] = bare ? in.g[j] : hyperbolic_tangent(in.g[j]);
        values[3 * n + j] = sigmoid(in.o[j]);
        c_next[j] = add(mul(f, c[j]), mul(i, g));
    }
}

static void show_gates(const Real *values, Lstm l)
{
    static const char *const names[] = {"sigmoid(i)", "sigmoid(f)", "tanh(g)", "sigmoid(o)"};
    for (int k = 0; k < 4 && l.shown; k++)
        reveal_row(l.shown, names[k], values + k * l.hidden, l.hidden);
}

/* All rows: over the batch a row is not normalized alone. */
static void cell(Real *h_next, Real *c_next, const Real *a, const Real *c, const Real *gamma,
                 const Real *beta, Lstm l)
{
    int n = l.hidden;
    Real *values = new_reals(l.batch * 4 * n), *hat = new_reals(l.batch * n),
         *into = new_reals(l.batch * n);
    for (int r = 0; r < l.batch; r++) {
        open_gates(values + r * 4 * n, c_next + r * n, a + r * 4 * n, c + r * n, l);
        show_gates(values + r * 4 * n, l);
    }
    for (int i = 0; i < l.batch * n; i++)
        into[i] = has(l.m, TANH_FIRST) ? hyperbolic_tangent(c_next[i]) : c_next[i];
    for (int r = 0; r < l.batch && !has(l.m, OVER_BATCH); r++)
        normalize(hat + r * n, into + r * n, n, 1, l.eps);
    for (int j = 0; j < n && has(l.m, OVER_BATCH); j++)
        normalize(hat + j, into + j, l.batch, n, l.eps);
    for (int i = 0; i < l.batch * n; i++) {
        int j = i % n;
        Real normal = add(mul(gamma[j], hat[i]), beta[j]), o = values[i / n * 4 * n + 3 * n + j];
        if (has(l.m, NORM_FORGOTTEN))
            normal = into[i];
        bool bare = has(l.m, TANH_FIRST) || has(l.m, OUTPUT_BARE);
        h_next[i] = mul(o, bare ? normal : hyperbolic_tangent(normal));
        if (has(l.m, N_HANDED_ON))
            c_next[i] = normal;
    }
    settle(h_next, l.batch * n);
    settle(c_next, l.batch * n);
    for (int r = 0; l.shown && r < l.batch; r++)
        reveal_row(l.shown, "normalized", hat + r * n, n);
    free(values);
    free(hat);
    free(into);
}

/* s * (1 - s), and 1 - t * t */
static Real slope_of_sigmoid(Real value, Mistakes m)
{
    return has(m, ACTIVATIONS_FORGOTTEN) ? exact(1) : mul(value, sub(exact(1), value));
}

static Real slope_of_tanh(Real value)
{
    return sub(exact(1), square(value));
}

/* One example's row on its way back. */
typedef struct {
    Real *values, *c_next;      /* of the gates, 4 x hidden; hidden */
    Real *into, *hat, *n, *end; /* what is normalized; what comes out; gamma and beta; h_next / o */
    Real *dn, *g, *all;         /* slopes of n, of hat, of c_next */
} Row;

static Row row_new(int n)
{
    return (Row){new_reals(4 * n), new_reals(n), new_reals(n), new_reals(n), new_reals(n),
                 new_reals(n),     new_reals(n), new_reals(n), new_reals(n)};
}

static void row_free(Row *row)
{
    Real *arrays[] = {row->values, row->c_next, row->into, row->hat, row->n,
                      row->end,    row->dn,     row->g,    row->all};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

/* The slope of c_next: through h_next, and what later steps bring. */
static void back_to_c_next(Row *row, const Real *dh_next, const Real *dc_next, const Real *gamma,
                           const Real *beta, Lstm l)
{
    int n = l.hidden;
    bool tanh_first = has(l.m, TANH_FIRST), bare = tanh_first || has(l.m, OUTPUT_BARE);
    bool through_norm = has(l.m, N_HANDED_ON);
    for (int j = 0; j < n; j++)
        row->into[j] = tanh_first ? hyperbolic_tangent(row->c_next[j]) : row->c_next[j];
    Real rstd = normalize(row->hat, row->into, n, 1, l.eps);
    for (int j = 0; j < n; j++) {
        Real later = has(l.m, LATER_FORGOTTEN) ? exact(0) : dc_next[j];
        row->n[j] = add(mul(gamma[j], row->hat[j]), beta[j]);
        row->end[j] = bare ? row->n[j] : hyperbolic_tangent(row->n[j]);
        row->dn[j] = mul(dh_next[j], row->values[3 * n + j]);
        if (!bare)
            row->dn[j] = mul(row->dn[j], slope_of_tanh(row->end[j]));
        if (through_norm)
            row->dn[j] = add(row->dn[j], later);
        row->g[j] = has(l.m, GAMMA_LEFT_OUT) ? row->dn[j] : mul(gamma[j], row->dn[j]);
    }
    normalize_backward(row->all, row->g, row->hat, row->into, rstd, n, l.m);
    for (int j = 0; j < n; j++) {
        Real later = has(l.m, LATER_FORGOTTEN) || through_norm ? exact(0) : dc_next[j];
        if (tanh_first)
            row->all[j] = mul(row->all[j], slope_of_tanh(row->into[j]));
        row->all[j] = has(l.m, H_FORGOTTEN) ? later : add(row->all[j], later);
    }
}

static void back_to_gates(const Row *row, Real *da, Real *dc, const Real *dh_next, const Real *c,
                          Lstm l)
{
    int n = l.hidden;
    Gates out = gates_in(da, l);
    for (int j = 0; j < n; j++) {
        Real i = row->values[j], f = row->values[n + j];
        Real g = row->values[2 * n + j], o = row->values[3 * n + j], all = row->all[j];
        bool bare = has(l.m, ACTIVATIONS_FORGOTTEN) || has(l.m, CANDIDATE_BARE);
        Real of_tanh = bare ? exact(1) : slope_of_tanh(g);
        out.i[j] = mul(mul(all, g), slope_of_sigmoid(i, l.m));
        out.f[j] = mul(mul(all, c[j]), slope_of_sigmoid(f, l.m));
        out.g[j] = mul(mul(all, i), of_tanh);
        out.o[j] = mul(mul(dh_next[j], row->end[j]), slope_of_sigmoid(o, l.m));
        dc[j] = mul(all, f);
    }
}

static void cell_backward(Real *da, Real *dc, Real *dgamma, Real *dbeta, const Real *dh_next,
                          const Real *dc_next, const Real *a, const Real *c, const Real *gamma,
                          const Real *beta, Lstm l)
{
    int n = l.hidden;
    Row row = row_new(n);
    Real *of_gamma = new_reals(l.batch * n), *of_beta = new_reals(l.batch * n);
    for (int r = 0, at = 0; r < l.batch; r++, at += n) {
        open_gates(row.values, row.c_next, a + 4 * at, c + at, l);
        back_to_c_next(&row, dh_next + at, dc_next + at, gamma, beta, l);
        back_to_gates(&row, da + 4 * at, dc + at, dh_next + at, c + at, l);
        for (int j = 0; j < n; j++) {
            of_gamma[at + j] = mul(row.dn[j], row.hat[j]);
            of_beta[at + j] = row.dn[j];
        }
        show_gates(row.values, l);
        if (l.shown) {
            reveal_row(l.shown, "c_next", row.c_next, n);
            reveal_row(l.shown, "gradient of n", row.dn, n);
            reveal_row(l.shown, "gradient of c_next", row.all, n);
        }
    }
    for (int j = 0; j < n; j++) {
        dgamma[j] = over_batch(of_gamma + j, n, l);
        dbeta[j] = over_batch(of_beta + j, n, l);
    }
    settle(da, l.batch * 4 * n);
    settle(dc, l.batch * n);
    settle(dgamma, n);
    settle(dbeta, n);
    row_free(&row);
    free(of_gamma);
    free(of_beta);
}

#endif
