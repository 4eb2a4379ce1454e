/* Lesson 15's lab: the network that it trains, on the learner's functions. See lab_network.h. */
#include "lab_network.h"

#include <stdlib.h>
#include <string.h>

#include "../../../include/02_backward.h"
#include "../../../include/15_adaptive_norm.h"
#include "attention.h" /* Adam */

static __typeof__(layer_norm_forward) *layer_forward;
static __typeof__(layer_norm_backward) *layer_backward;
static __typeof__(ada_norm) *ada_forward;
static __typeof__(ada_norm_backward) *ada_backward;
static __typeof__(adaptive_norm) *adaptive_forward;
static __typeof__(adaptive_norm_backward) *adaptive_backward;
const LabFunction norm_functions[] = {
    {"02_backward", "layer_norm_forward", &layer_forward},
    {"02_backward", "layer_norm_backward", &layer_backward},
    {"15_adaptive_norm", "ada_norm", &ada_forward},
    {"15_adaptive_norm", "ada_norm_backward", &ada_backward},
    {"15_adaptive_norm", "adaptive_norm", &adaptive_forward},
    {"15_adaptive_norm", "adaptive_norm_backward", &adaptive_backward},
    {0}};

static const float RATE = 0.01f, EPS = 1e-5f, SCALE = 1, K = 0.1f;

static Learned learned_of(float *values, float *slopes, int count)
{
    return (Learned){values, slopes, zeros(count + 1), zeros(count + 1), count};
}

/* gamma and beta, or g, b, u, v, p and q: 1, then zeros. adaptive_norm begins as layer norm. */
void network_start(Network *n, const Task *task, Method method, Rng *rng)
{
    n->method = method;
    n->task = task;
    n->width = task->norm_first ? task->inputs : UNITS;
    linear_start(&n->hidden, task->inputs, UNITS, 2, rng);
    linear_start(&n->last, UNITS, task->classes, 1, rng);
    for (int i = 0; i < 6 * n->width; i++)
        n->parameters[i] = i < n->width;
    int count = (method == LAYER ? 2 : method == ADAPTIVE ? 6 : 0) * n->width;
    n->learned[0] = learned_of(n->parameters, n->slopes, count);
    n->learned[1] = learned_of(n->hidden.w, n->hidden.dw, task->inputs * UNITS);
    n->learned[2] = learned_of(n->hidden.bias, n->hidden.dbias, UNITS);
    n->learned[3] = learned_of(n->last.w, n->last.dw, UNITS * task->classes);
    n->learned[4] = learned_of(n->last.bias, n->last.dbias, task->classes);
}

void network_free(Network *n)
{
    linear_free(&n->hidden);
    linear_free(&n->last);
    for (int i = 0; i < LEARNED; i++) {
        free(n->learned[i].mean);
        free(n->learned[i].square);
    }
}

static bool is_ada(Method method)
{
    return method == ADA || method == ADA_WITHOUT_K;
}

static float k_of(Method method)
{
    return method == ADA ? K : 0;
}

/* y, x: BATCH x width */
static void norm_forward(Network *n, float *y, const float *x)
{
    const float *gamma = n->parameters, *beta = gamma + n->width;
    if (n->method == LAYER)
        layer_forward(y, n->mean, n->rstd, x, gamma, beta, BATCH, n->width, EPS);
    else if (is_ada(n->method))
        ada_forward(y, x, BATCH, n->width, SCALE, k_of(n->method), EPS);
    else if (n->method == ADAPTIVE)
        adaptive_forward(y, x, n->parameters, BATCH, n->width, EPS);
    else
        memcpy(y, x, (size_t)(BATCH * n->width) * sizeof *x);
}

static void norm_backward(Network *n, float *dx, const float *dy, const float *x)
{
    if (n->method == LAYER)
        layer_backward(dx, n->slopes, n->slopes + n->width, dy, x, n->parameters, n->mean, n->rstd,
                       BATCH, n->width);
    else if (is_ada(n->method))
        ada_backward(dx, dy, x, BATCH, n->width, SCALE, k_of(n->method), EPS);
    else if (n->method == ADAPTIVE)
        adaptive_backward(dx, n->slopes, dy, x, n->parameters, BATCH, n->width, EPS);
    else
        memcpy(dx, dy, (size_t)(BATCH * n->width) * sizeof *dx);
}

/* Behind the norm, where it comes behind, or else behind the first linear layer. */
static const float *before_relu(const Network *n)
{
    return n->task->norm_first ? n->h : n->y;
}

void network_forward(Network *n, const float *x)
{
    if (n->task->norm_first)
        norm_forward(n, n->y, x);
    linear_forward(&n->hidden, n->h, n->task->norm_first ? n->y : x, BATCH);
    if (!n->task->norm_first)
        norm_forward(n, n->y, n->h);
    relu_forward(n->out, before_relu(n), BATCH * UNITS);
    linear_forward(&n->last, n->scores, n->out, BATCH);
}

/* From the dscores in n to every slope of what is learned. */
static void network_backward(Network *n, const float *x)
{
    static float dout[BATCH * UNITS], dh[BATCH * UNITS], dy[BATCH * MOST_INPUTS],
        dx[BATCH * MOST_INPUTS];
    linear_backward(&n->last, dout, n->dscores, n->out, BATCH);
    relu_backward(dout, dout, before_relu(n), BATCH * UNITS);
    if (n->task->norm_first) {
        linear_backward(&n->hidden, dy, dout, n->y, BATCH);
        norm_backward(n, dx, dy, x); /* for its parameters: nobody asks for the data's slope */
    } else {
        norm_backward(n, dh, dout, n->h);
        linear_backward(&n->hidden, NULL, dh, x, BATCH);
    }
}

void network_step(Network *n, const float *x, const int *classes, int step)
{
    int right = 0;
    network_forward(n, x);
    softmax_loss(n->dscores, n->scores, classes, BATCH, n->task->classes, &right);
    network_backward(n, x);
    for (int i = 0; i < LEARNED; i++) {
        Learned *l = &n->learned[i];
        adam(l->values, l->mean, l->square, l->slopes, l->count, RATE, step);
    }
}
