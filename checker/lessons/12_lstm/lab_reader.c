/* The LSTM of the lab: see lab_reader.h. The invariant: the two cells differ in what stands in
 * project(), cell() and their backward passes, and in nothing else. The plain ones are the lab's
 * own, and the others are the learner's functions. */
#include "lab_reader.h"

#include "attention.h"
#include "network.h"

#include <math.h>
#include <string.h>

static const float EPS = 1e-5f;
enum { WEIGHTS = sizeof(Weights) / sizeof(float) };

void reader_start(Reader *r, const Steps *steps, Cell cell, Rng *rng)
{
    const double most = 1 / sqrt(HIDDEN);
    memset(r, 0, sizeof *r);
    r->steps = steps;
    r->cell = cell;
    for (int i = 0; i < GATES * SIDE; i++)
        r->w.wx[i] = (float)uniform(rng, -most, most);
    for (int i = 0; i < GATES * HIDDEN; i++)
        r->w.wh[i] = (float)uniform(rng, -most, most);
    for (int i = 0; i < HIDDEN * DIGITS; i++)
        r->w.answer[i] = (float)uniform(rng, -most, most);
    for (int j = 0; j < GATES; j++)
        r->w.gamma_x[j] = r->w.gamma_h[j] = 1;
    for (int j = 0; j < HIDDEN; j++)
        r->w.gamma[j] = r->w.bias[HIDDEN + j] = 1;
}

/* ---- the plain cell ---- */
static void plain_project(float *a, const float *x, const float *w, int rows, int inputs)
{
    float turned[GATES * HIDDEN];
    transpose(turned, w, GATES, inputs);
    product(a, x, turned, rows, inputs, GATES);
}

static void plain_project_backward(float *dx, float *dw, const float *da, const float *x,
                                   const float *w, int rows, int inputs)
{
    if (dx)
        product(dx, da, w, rows, GATES, inputs);
    product_of_columns(dw, da, x, GATES, rows, inputs);
}

/* From exp() in double, which is rounded alike everywhere. */
static float gate(float v)
{
    return (float)(1 / (1 + exp(-(double)v)));
}

static float hyperbolic(float v)
{
    return (float)(1 - 2 / (1 + exp(2 * (double)v)));
}

/* Leaves the gates open, a's numbers behind sigmoid and tanh, for the way back. */
static void plain_cell(float *h_next, float *c_next, float *a, const float *c)
{
    for (int k = 0; k < BATCH; k++, a += GATES) {
        float *i = a, *f = a + HIDDEN, *g = a + 2 * HIDDEN, *o = a + 3 * HIDDEN;
        for (int j = 0; j < HIDDEN; j++, h_next++, c_next++, c++) {
            i[j] = gate(i[j]);
            f[j] = gate(f[j]);
            g[j] = hyperbolic(g[j]);
            o[j] = gate(o[j]);
            *c_next = f[j] * *c + i[j] * g[j];
            *h_next = o[j] * hyperbolic(*c_next);
        }
    }
}

static void plain_cell_backward(float *da, float *dc, const float *dh_next, const float *dc_next,
                                const float *a, const float *c, const float *c_next)
{
    for (int k = 0; k < BATCH; k++, a += GATES, da += GATES)
        for (int j = 0; j < HIDDEN; j++, dh_next++, dc_next++, c++, c_next++, dc++) {
            float i = a[j], f = a[HIDDEN + j], g = a[2 * HIDDEN + j], o = a[3 * HIDDEN + j];
            float t = hyperbolic(*c_next), all = *dc_next + *dh_next * o * (1 - t * t);
            da[j] = all * g * i * (1 - i);
            da[HIDDEN + j] = all * *c * f * (1 - f);
            da[2 * HIDDEN + j] = all * i * (1 - g * g);
            da[3 * HIDDEN + j] = *dh_next * t * o * (1 - o);
            *dc = all * f;
        }
}

/* ---- either cell ---- */
static void project(Reader *r, float *a, const float *x, const float *w, const float *gamma,
                    int rows, int inputs)
{
    if (r->cell == PLAIN)
        plain_project(a, x, w, rows, inputs);
    else
        r->steps->project(a, x, w, gamma, rows, inputs, HIDDEN, EPS);
}

static void project_backward(Reader *r, float *dx, float *dw, float *dgamma, const float *da,
                             const float *x, const float *w, const float *gamma, int rows,
                             int inputs)
{
    if (r->cell == PLAIN)
        plain_project_backward(dx, dw, da, x, w, rows, inputs);
    else
        r->steps->project_backward(dx, dw, dgamma, da, x, w, gamma, rows, inputs, HIDDEN, EPS);
}

static void cell(Reader *r, int t)
{
    if (r->cell == PLAIN)
        plain_cell(r->h[t + 1], r->c[t + 1], r->a[t], r->c[t]);
    else
        r->steps->cell(r->h[t + 1], r->c[t + 1], r->a[t], r->c[t], r->w.gamma, r->w.beta, BATCH,
                       HIDDEN, EPS);
}

static void cell_backward(Reader *r, int t, float *da, float *dc, float *dgamma, float *dbeta,
                          const float *dh_next, const float *dc_next)
{
    if (r->cell == PLAIN)
        plain_cell_backward(da, dc, dh_next, dc_next, r->a[t], r->c[t], r->c[t + 1]);
    else
        r->steps->cell_backward(da, dc, dgamma, dbeta, dh_next, dc_next, r->a[t], r->c[t],
                                r->w.gamma, r->w.beta, BATCH, HIDDEN, EPS);
}

static void add_all(float *to, const float *more, int count)
{
    for (int i = 0; i < count; i++)
        to[i] += more[i];
}

/* All rows' part of x at once: it needs no h. */
void reader_forward(Reader *r)
{
    static float from_h[BATCH * GATES];
    project(r, r->a[0], r->x[0], r->w.wx, r->w.gamma_x, SIDE * BATCH, SIDE);
    for (int t = 0; t < SIDE; t++) {
        project(r, from_h, r->h[t], r->w.wh, r->w.gamma_h, BATCH, HIDDEN);
        add_all(r->a[t], from_h, BATCH * GATES);
        add_bias(r->a[t], r->w.bias, BATCH, GATES);
        cell(r, t);
    }
    product(r->scores, r->h[SIDE], r->w.answer, BATCH, HIDDEN, DIGITS);
    add_bias(r->scores, r->w.answer_bias, BATCH, DIGITS);
}

static double length(const float *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)values[i] * (double)values[i];
    return sqrt(sum);
}

void reader_backward(Reader *r)
{
    static float da[SIDE][BATCH * GATES], dh[BATCH * HIDDEN], dc[2][BATCH * HIDDEN];
    static float dx[SIDE * BATCH * SIDE], turned[DIGITS * HIDDEN];
    static Weights part; /* what one row adds */
    memset(&r->dw, 0, sizeof r->dw);
    memset(dc, 0, sizeof dc);
    product_of_columns(r->dw.answer, r->h[SIDE], r->dscores, HIDDEN, BATCH, DIGITS);
    sum_rows(r->dw.answer_bias, r->dscores, BATCH, DIGITS);
    transpose(turned, r->w.answer, HIDDEN, DIGITS);
    product(dh, r->dscores, turned, BATCH, DIGITS, HIDDEN);
    for (int t = SIDE - 1; t >= 0; t--) {
        r->dh_length[t] = length(dh, BATCH * HIDDEN);
        cell_backward(r, t, da[t], dc[t % 2], part.gamma, part.beta, dh, dc[(t + 1) % 2]);
        project_backward(r, dh, part.wh, part.gamma_h, da[t], r->h[t], r->w.wh, r->w.gamma_h, BATCH,
                         HIDDEN);
        sum_rows(part.bias, da[t], BATCH, GATES);
        add_all((float *)&r->dw, (const float *)&part, WEIGHTS);
    }
    project_backward(r, r->cell == PLAIN ? NULL : dx, r->dw.wx, r->dw.gamma_x, da[0], r->x[0],
                     r->w.wx, r->w.gamma_x, SIDE * BATCH, SIDE);
}

double reader_slope(const Reader *r)
{
    return length((const float *)&r->dw, WEIGHTS);
}

void reader_descend(Reader *r, float rate)
{
    descend((float *)&r->w, (const float *)&r->dw, WEIGHTS, rate);
}

void reader_adam(Reader *r, float rate)
{
    adam((float *)&r->w, (float *)&r->means, (float *)&r->squares, (const float *)&r->dw, WEIGHTS,
         rate, ++r->updates);
}
