/* Lesson 12: what is right for the functions of calls.h, which make whole walks of the learner's.
 * Here they are made of those in oracle.h, whose errors go on from step to step. */
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

typedef struct {
    Lstm l; /* sizes of the projection of x */
    Lstm of_h;
    int steps, states, gates;
    Real *w_x, *w_h, *xs, *of_gates, *norm; /* of_gates: gamma of x, gamma of h, bias */
    Real *hs, *cs;                          /* from the start on: steps + 1 of each */
} Walk;

static Walk walk_in(const Case *c, Mistakes m)
{
    Lstm l = lstm_in(c, m);
    int gates = 4 * l.hidden, states = l.batch * l.hidden, steps = size_of(c, "steps");
    int width = l.inputs + l.hidden;
    l.shown = NULL;
    Walk walk = {.l = l,
                 .of_h = l,
                 .steps = steps,
                 .states = states,
                 .gates = gates,
                 .w_x = reals(gates * l.inputs),
                 .w_h = reals(gates * l.hidden),
                 .xs = exacts(given(c, "xs"), steps * l.batch * l.inputs),
                 .of_gates = exacts(given(c, "gates"), 3 * gates),
                 .norm = exacts(given(c, "norm"), 2 * l.hidden),
                 .hs = reals((steps + 1) * states),
                 .cs = reals((steps + 1) * states)};
    walk.of_h.inputs = l.hidden;
    for (int i = 0; i < gates * width; i++) {
        Real weight = exact(given(c, "weights")[i]);
        int r = i / width, k = i % width;
        if (k < l.inputs)
            walk.w_x[r * l.inputs + k] = weight;
        else
            walk.w_h[r * l.hidden + k - l.inputs] = weight;
    }
    for (int i = 0; i < states; i++) {
        walk.hs[i] = exact(given(c, "start")[i]);
        walk.cs[i] = exact(given(c, "start")[states + i]);
    }
    return walk;
}

static void walk_free(Walk *w)
{
    free(w->w_x);
    free(w->w_h);
    free(w->xs);
    free(w->of_gates);
    free(w->norm);
    free(w->hs);
    free(w->cs);
}

/* a = project(x) + project(h) + bias, at step t */
static Real *gates_at(const Walk *w, int t)
{
    int count = w->l.batch * w->gates;
    Real *a = reals(count), *of_h = reals(count);
    project(a, w->xs + t * w->l.batch * w->l.inputs, w->w_x, w->of_gates, w->l);
    project(of_h, w->hs + t * w->states, w->w_h, w->of_gates + w->gates, w->of_h);
    for (int i = 0; i < count; i++)
        a[i] = add(a[i], add(of_h[i], w->of_gates[2 * w->gates + i % w->gates]));
    free(of_h);
    return a;
}

static void walk_forward(Walk *w)
{
    for (int t = 0; t < w->steps; t++) {
        Real *a = gates_at(w, t);
        cell(w->hs + (t + 1) * w->states, w->cs + (t + 1) * w->states, a, w->cs + t * w->states,
             w->norm, w->norm + w->l.hidden, w->l);
        free(a);
    }
}

static void copy(Real *to, const Real *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

static void forward_steps_oracle(Case *c, Mistakes m)
{
    Walk w = walk_in(c, m);
    walk_forward(&w);
    copy(wanted(c, "hs"), w.hs + w.states, w.steps * w.states);
    copy(wanted(c, "c_end"), w.cs + w.steps * w.states, w.states);
    walk_free(&w);
}

static void add_to(Real *sum, const Real *more, int count)
{
    for (int i = 0; i < count; i++)
        sum[i] = sum[i].v == 0 && sum[i].e == 0 ? more[i] : add(sum[i], more[i]);
}

/* Where the gradients of a walk are added up, step by step. */
typedef struct {
    Real *w_x, *w_h, *gates, *norm;
    Real *dh, *dc; /* at the h and the c between this step and the next one */
} Slopes;

static void project_back(Real *dx, Real *dw, Real *dgamma, const Real *da, const Real *x,
                         const Real *w, const Real *gamma, Lstm l)
{
    int gates = 4 * l.hidden;
    Real *of_w = reals(gates * l.inputs), *of_gamma = reals(gates);
    project_backward(dx, of_w, of_gamma, da, x, w, gamma, l);
    add_to(dw, of_w, gates * l.inputs);
    add_to(dgamma, of_gamma, gates);
    free(of_w);
    free(of_gamma);
}

static void step_back(const Walk *w, Slopes *s, Real *dx, int t)
{
    int n = w->l.hidden, count = w->l.batch * w->gates;
    Real *a = gates_at(w, t), *da = reals(count), *dc = reals(w->states), *of_norm = reals(2 * n);
    const Real *h = w->hs + t * w->states, *x = w->xs + t * w->l.batch * w->l.inputs;
    cell_backward(da, dc, of_norm, of_norm + n, s->dh, s->dc, a, w->cs + t * w->states, w->norm,
                  w->norm + n, w->l);
    copy(s->dc, dc, w->states);
    add_to(s->norm, of_norm, 2 * n);
    for (int r = 0; r < w->l.batch; r++)
        add_to(s->gates + 2 * w->gates, da + r * w->gates, w->gates);
    project_back(dx, s->w_x, s->gates, da, x, w->w_x, w->of_gates, w->l);
    project_back(s->dh, s->w_h, s->gates + w->gates, da, h, w->w_h, w->of_gates + w->gates,
                 w->of_h);
    free(a);
    free(da);
    free(dc);
    free(of_norm);
}

static void backward_steps_oracle(Case *c, Mistakes m)
{
    Walk w = walk_in(c, m);
    int inputs = w.l.inputs, n = w.l.hidden, width = inputs + n;
    Real *dstart = wanted(c, "dstart");
    Slopes s = {.w_x = reals(w.gates * inputs),
                .w_h = reals(w.gates * n),
                .gates = reals(3 * w.gates),
                .norm = reals(2 * n),
                .dh = reals(w.states),
                .dc = reals(w.states)};
    walk_forward(&w);
    for (int t = w.steps - 1; t >= 0; t--) {
        for (int i = 0; i < w.states; i++)
            s.dh[i] = add(s.dh[i], exact(given(c, "dhs")[t * w.states + i]));
        step_back(&w, &s, wanted(c, "dxs") + t * w.l.batch * inputs, t);
    }
    copy(dstart, s.dh, w.states);
    copy(dstart + w.states, s.dc, w.states);
    for (int r = 0; r < w.gates; r++) {
        copy(wanted(c, "dweights") + r * width, s.w_x + r * inputs, inputs);
        copy(wanted(c, "dweights") + r * width + inputs, s.w_h + r * n, n);
    }
    copy(wanted(c, "dgates"), s.gates, 3 * w.gates);
    copy(wanted(c, "dnorm"), s.norm, 2 * n);
    free(s.w_x);
    free(s.w_h);
    free(s.gates);
    free(s.norm);
    free(s.dh);
    free(s.dc);
    walk_free(&w);
}

#endif
