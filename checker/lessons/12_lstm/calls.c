/* Lesson 12: makes steps of the learner's functions, and hands on what they give.
 *
 * The invariant: no value is expected here. Every number that leaves comes from the learner's
 * functions, or is a sum of theirs. */
#include "12_lstm.h"
#include "calls.h"

#include <stdlib.h>
#include <string.h>

/* One LSTM: its sizes, its parameters, and w and gamma of either projection. */
typedef struct {
    int batch, inputs, hidden, gates;
    float eps;
    float *w_x, *w_h;
    const float *gamma_x, *gamma_h, *bias, *gamma, *beta;
} Lstm;

static float *room(int count)
{
    float *numbers = calloc((size_t)count + 1, sizeof *numbers);
    if (!numbers)
        abort();
    return numbers;
}

/* `columns` of the weights from `first` on, of all rows. */
static float *part_of(const float *weights, int rows, int width, int first, int columns)
{
    float *part = room(rows * columns);
    for (int r = 0; r < rows; r++)
        memcpy(part + r * columns, weights + r * width + first, (size_t)columns * sizeof *part);
    return part;
}

static Lstm lstm_of(const float *weights, const float *gates, const float *norm, int batch,
                    int inputs, int hidden, float eps)
{
    int rows = 4 * hidden, width = inputs + hidden;
    return (Lstm){.batch = batch,
                  .inputs = inputs,
                  .hidden = hidden,
                  .gates = rows,
                  .eps = eps,
                  .w_x = part_of(weights, rows, width, 0, inputs),
                  .w_h = part_of(weights, rows, width, inputs, hidden),
                  .gamma_x = gates,
                  .gamma_h = gates + rows,
                  .bias = gates + 2 * rows,
                  .gamma = norm,
                  .beta = norm + hidden};
}

static void lstm_free(Lstm *l)
{
    free(l->w_x);
    free(l->w_h);
}

static void project_both(const Lstm *l, float *a, const float *x, const float *h)
{
    float *of_h = room(l->batch * l->gates);
    lstm_project(a, x, l->w_x, l->gamma_x, l->batch, l->inputs, l->hidden, l->eps);
    lstm_project(of_h, h, l->w_h, l->gamma_h, l->batch, l->hidden, l->hidden, l->eps);
    for (int i = 0; i < l->batch * l->gates; i++)
        a[i] += of_h[i] + l->bias[i % l->gates];
    free(of_h);
}

static void step(const Lstm *l, float *h_next, float *c_next, const float *x, const float *h,
                 const float *c)
{
    float *a = room(l->batch * l->gates);
    project_both(l, a, x, h);
    lstm_cell(h_next, c_next, a, c, l->gamma, l->beta, l->batch, l->hidden, l->eps);
    free(a);
}

/* at_once of them; their numbers in an array of one step begin at `first`. */
static void walk(Lstm l, float *hs, float *c_end, const float *xs, const float *start, int steps,
                 int batch, int first)
{
    int states = batch * l.hidden, at = first * l.hidden;
    float *c = room(states), *c_next = room(states);
    memcpy(c + at, start + states + at, (size_t)(l.batch * l.hidden) * sizeof *c);
    for (int t = 0; t < steps; t++) {
        const float *h = t ? hs + (t - 1) * states : start;
        const float *x = xs + (t * batch + first) * l.inputs;
        step(&l, hs + t * states + at, c_next + at, x, h + at, c + at);
        float *kept = c;
        c = c_next;
        c_next = kept;
    }
    memcpy(c_end + at, c + at, (size_t)(l.batch * l.hidden) * sizeof *c);
    free(c);
    free(c_next);
}

void forward_steps(float *hs, float *c_end, const float *xs, const float *start,
                   const float *weights, const float *gates, const float *norm, int steps,
                   int batch, int inputs, int hidden, int at_once, float eps)
{
    Lstm l = lstm_of(weights, gates, norm, at_once, inputs, hidden, eps);
    for (int first = 0; first < batch; first += at_once)
        walk(l, hs, c_end, xs, start, steps, batch, first);
    lstm_free(&l);
}

static void add_to(float *sum, const float *more, int count)
{
    for (int i = 0; i < count; i++)
        sum[i] += more[i];
}

/* The gradients of a whole walk, in the making, and those of its step in hand. */
typedef struct {
    float *w_x, *w_h, *gates, *norm;
    float *dh, *dc; /* what comes to h and to c from later steps */
    float *da, *here, *before;
} Slopes;

static Slopes slopes_of(const Lstm *l)
{
    int states = l->batch * l->hidden, most = l->inputs > l->hidden ? l->inputs : l->hidden;
    return (Slopes){room(l->gates * l->inputs),
                    room(l->gates * l->hidden),
                    room(3 * l->gates),
                    room(2 * l->hidden),
                    room(states),
                    room(states),
                    room(l->batch * l->gates),
                    room(l->gates * (most + 1)),
                    room(states)};
}

static void slopes_free(Slopes *s)
{
    float *all[] = {s->w_x, s->w_h, s->gates, s->norm, s->dh, s->dc, s->da, s->here, s->before};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* From the slope of a to those of one projection. */
static void project_back(const Lstm *l, float *dx, float *dw, float *dgamma, const float *da,
                         const float *x, const float *w, const float *gamma, int inputs,
                         float *here)
{
    float *here_gamma = here + l->gates * inputs;
    lstm_project_backward(dx, here, here_gamma, da, x, w, gamma, l->batch, inputs, l->hidden,
                          l->eps);
    add_to(dw, here, l->gates * inputs);
    add_to(dgamma, here_gamma, l->gates);
}

/* One step back. dh and dc hold what comes to this step's h_next and c_next, then what goes on. */
static void step_back(const Lstm *l, Slopes *s, float *dx, const float *x, const float *h,
                      const float *c)
{
    int states = l->batch * l->hidden;
    float *a = room(l->batch * l->gates);
    project_both(l, a, x, h);
    lstm_cell_backward(s->da, s->before, s->here, s->here + l->hidden, s->dh, s->dc, a, c, l->gamma,
                       l->beta, l->batch, l->hidden, l->eps);
    memcpy(s->dc, s->before, (size_t)states * sizeof *s->dc);
    add_to(s->norm, s->here, 2 * l->hidden);
    for (int i = 0; i < l->batch * l->gates; i++)
        s->gates[2 * l->gates + i % l->gates] += s->da[i];
    project_back(l, dx, s->w_x, s->gates, s->da, x, l->w_x, l->gamma_x, l->inputs, s->here);
    project_back(l, s->dh, s->w_h, s->gates + l->gates, s->da, h, l->w_h, l->gamma_h, l->hidden,
                 s->here);
    free(a);
}

void backward_steps(float *dxs, float *dstart, float *dweights, float *dgates, float *dnorm,
                    const float *dhs, const float *xs, const float *start, const float *weights,
                    const float *gates, const float *norm, int steps, int batch, int inputs,
                    int hidden, float eps)
{
    Lstm l = lstm_of(weights, gates, norm, batch, inputs, hidden, eps);
    Slopes s = slopes_of(&l);
    int states = batch * hidden, width = inputs + hidden;
    float *hs = room((steps + 1) * states), *cs = room((steps + 1) * states);
    memcpy(hs, start, (size_t)states * sizeof *hs);
    memcpy(cs, start + states, (size_t)states * sizeof *cs);
    for (int t = 0; t < steps; t++)
        step(&l, hs + (t + 1) * states, cs + (t + 1) * states, xs + t * batch * inputs,
             hs + t * states, cs + t * states);
    for (int t = steps - 1; t >= 0; t--) {
        add_to(s.dh, dhs + t * states, states);
        step_back(&l, &s, dxs + t * batch * inputs, xs + t * batch * inputs, hs + t * states,
                  cs + t * states);
    }
    memcpy(dstart, s.dh, (size_t)states * sizeof *dstart);
    memcpy(dstart + states, s.dc, (size_t)states * sizeof *dstart);
    for (int r = 0; r < l.gates; r++) {
        memcpy(dweights + r * width, s.w_x + r * inputs, (size_t)inputs * sizeof *dweights);
        memcpy(dweights + r * width + inputs, s.w_h + r * hidden,
               (size_t)hidden * sizeof *dweights);
    }
    memcpy(dgates, s.gates, (size_t)(3 * l.gates) * sizeof *dgates);
    memcpy(dnorm, s.norm, (size_t)(2 * hidden) * sizeof *dnorm);
    free(hs);
    free(cs);
    slopes_free(&s);
    lstm_free(&l);
}
