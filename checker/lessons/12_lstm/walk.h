/* Lesson 12: what is right for the functions of calls.h, which make whole walks of the learner's.
 *
 * A step is made of the functions in oracle.h, for one example at a time. What its numbers are off
 * goes on to the next step by the slopes of the whole step: a step that forgets a part of what it
 * is given forgets that part of the error. Bounds that grow with every operation would, after eight
 * steps, allow anything. */
#ifndef LESSON_12_WALK_H
#define LESSON_12_WALK_H

#include "oracle.h"

#include <string.h>

static Lstm lstm_in(const Case *c, Mistakes m)
{
    return (Lstm){.batch = size_of(c, "batch"),
                  .inputs = takes(c, "inputs") ? size_of(c, "inputs") : 0,
                  .hidden = size_of(c, "hidden"),
                  .eps = scalar_of(c, "eps"),
                  .m = m,
                  .shown = c};
}

static void copy(Real *to, const Real *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

/* One LSTM, and the input of the step in hand. All of one example. */
typedef struct {
    Lstm of_x, of_h; /* sizes of either projection */
    int gates, batch;
    Real *w_x, *w_h, *scales, *norm; /* scales: gamma of x, gamma of h, bias */
    const Real *x;
} Walk;

static Walk walk_in(const Case *c, Mistakes m)
{
    Lstm l = lstm_in(c, m);
    int gates = 4 * l.hidden, width = l.inputs + l.hidden;
    Walk walk = {.gates = gates,
                 .batch = l.batch,
                 .w_x = new_reals(gates * l.inputs),
                 .w_h = new_reals(gates * l.hidden),
                 .scales = as_reals(given(c, "gates"), 3 * gates),
                 .norm = as_reals(given(c, "norm"), 2 * l.hidden)};
    l.shown = NULL;
    l.batch = 1;
    walk.of_x = walk.of_h = l;
    walk.of_h.inputs = l.hidden;
    for (int i = 0; i < gates * width; i++) {
        Real weight = exact(given(c, "weights")[i]);
        int r = i / width, k = i % width;
        if (k < l.inputs)
            walk.w_x[r * l.inputs + k] = weight;
        else
            walk.w_h[r * l.hidden + k - l.inputs] = weight;
    }
    return walk;
}

static void walk_free(Walk *w)
{
    free(w->w_x);
    free(w->w_h);
    free(w->scales);
    free(w->norm);
}

/* A part of a step as a function of one array: out = f(in). */
typedef void Part(const Walk *w, Real *out, const Real *in);

/* out = f(in), where what `in` is off is charged by the slopes of f. Not for a mistake: it was
 * named by single calls before any walk is made, and its numbers alone tell it from others. */
static void go_through(Part *f, const Walk *w, Real *out, int outs, const Real *in, int ins)
{
    Real *at = new_reals(ins), *moved = new_reals(outs);
    for (int k = 0; k < ins; k++)
        at[k] = exact(in[k].v);
    f(w, out, at);
    for (int k = 0; k < ins && !w->of_x.m; k++) {
        double step = 1e-6 * (1 + fabs(in[k].v));
        if (in[k].e == 0)
            continue;
        at[k].v += step;
        f(w, moved, at);
        at[k].v = in[k].v;
        for (int i = 0; i < outs; i++)
            out[i].e += fabs(moved[i].v - out[i].v) / step * in[k].e;
    }
    free(at);
    free(moved);
}

/* ---- the parts: what comes first is in front in `in` and in `out` ---- */
/* h -> a = project(x) + project(h) + bias */
static void to_gates(const Walk *w, Real *a, const Real *h)
{
    Real *of_h = new_reals(w->gates);
    project(a, w->x, w->w_x, w->scales, w->of_x);
    project(of_h, h, w->w_h, w->scales + w->gates, w->of_h);
    for (int i = 0; i < w->gates; i++)
        a[i] = add(a[i], add(of_h[i], w->scales[2 * w->gates + i]));
    free(of_h);
}

/* a, c -> h_next, c_next */
static void to_state(const Walk *w, Real *next, const Real *in)
{
    int n = w->of_x.hidden;
    cell(next, next + n, in, in + w->gates, w->norm, w->norm + n, w->of_x);
}

/* h, c -> h_next, c_next */
static void step_forward(const Walk *w, Real *next, const Real *state)
{
    int n = w->of_x.hidden;
    Real *in = new_reals(w->gates + n);
    to_gates(w, in, state);
    copy(in + w->gates, state + n, n);
    go_through(to_state, w, next, 2 * n, in, w->gates + n);
    free(in);
}

/* a, c, dh_next, dc_next -> da, dc, and dgamma and dbeta of the cell */
static void back_to_a(const Walk *w, Real *out, const Real *in)
{
    int n = w->of_x.hidden;
    Real *dc = out + w->gates, *dnorm = dc + n;
    const Real *c = in + w->gates;
    cell_backward(out, dc, dnorm, dnorm + n, c + n, c + 2 * n, in, c, w->norm, w->norm + n,
                  w->of_x);
}

/* da -> dx, dw_x, dgamma of x */
static void back_to_x(const Walk *w, Real *out, const Real *da)
{
    Real *dw = out + w->of_x.inputs, *dgamma = dw + w->gates * w->of_x.inputs;
    project_backward(out, dw, dgamma, da, w->x, w->w_x, w->scales, w->of_x);
}

/* da, h -> dh, dw_h, dgamma of h */
static void back_to_h(const Walk *w, Real *out, const Real *in)
{
    Real *dw = out + w->of_h.inputs, *dgamma = dw + w->gates * w->of_h.inputs;
    project_backward(out, dw, dgamma, in, in + w->gates, w->w_h, w->scales + w->gates, w->of_h);
}

/* What a step back leaves. Of w_x, w_h, the three scales and the norm: what it adds to them. */
typedef struct {
    Real *dh, *dc, *dx, *added;
} Back;

/* state: h and c. dh_next, dc_next: in *back, where dh and dc take their place. */
static void step_backward(const Walk *w, Back *back, const Real *state)
{
    int n = w->of_x.hidden, inputs = w->of_x.inputs, gates = w->gates;
    int of_cell = gates + 3 * n, of_x = inputs + gates * (inputs + 1), of_h = n + gates * (n + 1);
    Real *in = new_reals(gates + 3 * n), *cell_out = new_reals(of_cell), *x_out = new_reals(of_x);
    Real *h_out = new_reals(of_h), *added = back->added;
    go_through(to_gates, w, in, gates, state, n);
    copy(in + gates, state + n, n);
    copy(in + gates + n, back->dh, n);
    copy(in + gates + 2 * n, back->dc, n);
    go_through(back_to_a, w, cell_out, of_cell, in, gates + 3 * n);
    go_through(back_to_x, w, x_out, of_x, cell_out, gates);
    copy(in, cell_out, gates);
    copy(in + gates, state, n);
    go_through(back_to_h, w, h_out, of_h, in, gates + n);
    copy(back->dx, x_out, inputs);
    copy(back->dh, h_out, n);
    copy(back->dc, cell_out + gates, n);
    copy(added, x_out + inputs, gates * inputs);
    copy(added += gates * inputs, h_out + n, gates * n);
    copy(added += gates * n, x_out + inputs + gates * inputs, gates);
    copy(added += gates, h_out + n + gates * n, gates);
    copy(added += gates, cell_out, gates);
    copy(added + gates, cell_out + gates + n, 2 * n);
    free(in);
    free(cell_out);
    free(x_out);
    free(h_out);
}

/* The states of one example, from the start on: steps + 1 of them. */
static Real *states_of(Walk *w, const Case *c, const Real *xs, int example)
{
    int n = w->of_x.hidden, inputs = w->of_x.inputs, steps = size_of(c, "steps");
    Real *states = new_reals((steps + 1) * 2 * n);
    for (int j = 0; j < 2 * n; j++)
        states[j] = exact(given(c, "start")[(j / n * w->batch + example) * n + j % n]);
    for (int t = 0; t < steps; t++) {
        Real *state = states + t * 2 * n;
        w->x = xs + (t * w->batch + example) * inputs;
        go_through(step_forward, w, state + 2 * n, 2 * n, state, 2 * n);
    }
    return states;
}

static void forward_steps_oracle(Case *c, Mistakes m)
{
    Walk w = walk_in(c, m);
    int n = w.of_x.hidden, steps = size_of(c, "steps");
    Real *xs = as_reals(given(c, "xs"), steps * w.batch * w.of_x.inputs);
    for (int r = 0; r < w.batch; r++) {
        Real *states = states_of(&w, c, xs, r);
        for (int t = 0; t < steps; t++)
            copy(wanted(c, "hs") + (t * w.batch + r) * n, states + (t + 1) * 2 * n, n);
        copy(wanted(c, "c_end") + r * n, states + steps * 2 * n + n, n);
        free(states);
    }
    free(xs);
    walk_free(&w);
}

/* One example back to the start. sums: of what every step adds to the gradients. */
static void walk_back(Walk *w, Case *c, const Real *xs, int example, Sum *sums, int count)
{
    int n = w->of_x.hidden, inputs = w->of_x.inputs, steps = size_of(c, "steps");
    Real *states = states_of(w, c, xs, example);
    Back back = {new_reals(n), new_reals(n), NULL, new_reals(count)};
    for (int t = steps - 1; t >= 0; t--) {
        int row = t * w->batch + example;
        for (int j = 0; j < n; j++) {
            Real dh = exact(given(c, "dhs")[row * n + j]);
            back.dh[j] = t == steps - 1 ? dh : add(back.dh[j], dh);
        }
        w->x = xs + row * inputs;
        back.dx = wanted(c, "dxs") + row * inputs;
        step_backward(w, &back, states + t * 2 * n);
        for (int i = 0; i < count; i++)
            include(&sums[i], back.added[i]);
    }
    copy(wanted(c, "dstart") + example * n, back.dh, n);
    copy(wanted(c, "dstart") + (w->batch + example) * n, back.dc, n);
    free(states);
    free(back.dh);
    free(back.dc);
    free(back.added);
}

static void backward_steps_oracle(Case *c, Mistakes m)
{
    Walk w = walk_in(c, m);
    int n = w.of_x.hidden, inputs = w.of_x.inputs, of_w = w.gates * (inputs + n);
    int count = of_w + 3 * w.gates + 2 * n, of_x = w.gates * inputs;
    Real *xs = as_reals(given(c, "xs"), size_of(c, "steps") * w.batch * inputs);
    Real *all = new_reals(count);
    Sum *sums = calloc((size_t)count, sizeof *sums);
    if (!sums)
        author_error("out of memory");
    for (int r = 0; r < w.batch; r++)
        walk_back(&w, c, xs, r, sums, count);
    for (int i = 0; i < count; i++)
        all[i] = has(m, AVERAGED) ? average(sums[i], w.batch) : total(sums[i]);
    for (int r = 0; r < w.gates; r++) {
        copy(wanted(c, "dweights") + r * (inputs + n), all + r * inputs, inputs);
        copy(wanted(c, "dweights") + r * (inputs + n) + inputs, all + of_x + r * n, n);
    }
    copy(wanted(c, "dgates"), all + of_w, 3 * w.gates);
    copy(wanted(c, "dnorm"), all + of_w + 3 * w.gates, 2 * n);
    free(xs);
    free(all);
    free(sums);
    walk_free(&w);
}

#endif
