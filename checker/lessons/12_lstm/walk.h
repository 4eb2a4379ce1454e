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
                 .w_x = reals(gates * l.inputs),
                 .w_h = reals(gates * l.hidden),
                 .scales = exacts(given(c, "gates"), 3 * gates),
                 .norm = exacts(given(c, "norm"), 2 * l.hidden)};
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

/* out = f(in), where what `in` is off is charged by the slopes of f. */
static void go_through(void (*f)(const Walk *w, Real *out, const Real *in), const Walk *w,
                       Real *out, int outs, const Real *in, int ins)
{
    Real *at = reals(ins), *moved = reals(outs);
    for (int k = 0; k < ins; k++)
        at[k] = exact(in[k].v);
    f(w, out, at);
    for (int k = 0; k < ins; k++) {
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

/* a = project(x) + project(h) + bias */
static Real *gates_of(const Walk *w, const Real *h)
{
    Real *a = reals(w->gates), *of_h = reals(w->gates);
    project(a, w->x, w->w_x, w->scales, w->of_x);
    project(of_h, h, w->w_h, w->scales + w->gates, w->of_h);
    for (int i = 0; i < w->gates; i++)
        a[i] = add(a[i], add(of_h[i], w->scales[2 * w->gates + i]));
    free(of_h);
    return a;
}

/* A state is h, then c. */
static void step_forward(const Walk *w, Real *next, const Real *state)
{
    int n = w->of_x.hidden;
    Real *a = gates_of(w, state);
    cell(next, next + n, a, state + n, w->norm, w->norm + n, w->of_x);
    free(a);
}

/* in: h and c of the step, then dh_next and dc_next. out: dh and dc, then dx, and what the step
 * adds to the gradients of w_x, w_h, scales and norm. */
static void step_backward(const Walk *w, Real *out, const Real *in)
{
    int n = w->of_x.hidden, gates = w->gates;
    const Real *h = in, *c = in + n, *dh_next = in + 2 * n, *dc_next = in + 3 * n;
    Real *dh = out, *dc = dh + n, *dx = dc + n, *dw_x = dx + w->of_x.inputs;
    Real *dw_h = dw_x + gates * w->of_x.inputs, *dscales = dw_h + gates * n;
    Real *dnorm = dscales + 3 * gates, *da = dscales + 2 * gates, *a = gates_of(w, h);
    cell_backward(da, dc, dnorm, dnorm + n, dh_next, dc_next, a, c, w->norm, w->norm + n, w->of_x);
    project_backward(dx, dw_x, dscales, da, w->x, w->w_x, w->scales, w->of_x);
    project_backward(dh, dw_h, dscales + gates, da, h, w->w_h, w->scales + gates, w->of_h);
    free(a);
}

/* The states of one example, from the start on: steps + 1 of them. */
static Real *states_of(Walk *w, const Case *c, const Real *xs, int example)
{
    int n = w->of_x.hidden, inputs = w->of_x.inputs, steps = size_of(c, "steps");
    Real *states = reals((steps + 1) * 2 * n);
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
    Real *xs = exacts(given(c, "xs"), steps * w.batch * w.of_x.inputs);
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
    int outs = 2 * n + inputs + count;
    Real *states = states_of(w, c, xs, example), *in = reals(4 * n), *out = reals(outs);
    for (int t = steps - 1; t >= 0; t--) {
        copy(in, states + t * 2 * n, 2 * n);
        copy(in + 2 * n, out, 2 * n);
        for (int j = 0; j < n; j++) {
            Real dh = exact(given(c, "dhs")[(t * w->batch + example) * n + j]);
            in[2 * n + j] = t == steps - 1 ? dh : add(out[j], dh);
        }
        w->x = xs + (t * w->batch + example) * inputs;
        go_through(step_backward, w, out, outs, in, 4 * n);
        copy(wanted(c, "dxs") + (t * w->batch + example) * inputs, out + 2 * n, inputs);
        for (int i = 0; i < count; i++)
            include(&sums[i], out[2 * n + inputs + i]);
    }
    for (int j = 0; j < 2 * n; j++)
        wanted(c, "dstart")[(j / n * w->batch + example) * n + j % n] = out[j];
    free(states);
    free(in);
    free(out);
}

static void backward_steps_oracle(Case *c, Mistakes m)
{
    Walk w = walk_in(c, m);
    int n = w.of_x.hidden, inputs = w.of_x.inputs, of_w = w.gates * (inputs + n);
    int count = of_w + 3 * w.gates + 2 * n, of_x = w.gates * inputs;
    Real *xs = exacts(given(c, "xs"), size_of(c, "steps") * w.batch * inputs);
    Real *all = reals(count);
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
