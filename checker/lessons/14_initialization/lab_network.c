/* The networks of lesson 14's lab: see lab_network.h. */
#include "lab_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_LAYERS = 6, RESIDUAL_LAYERS = 8, COUNT = BATCH * FEATURES };
static const float EPS = 1e-5f;

/* ---- where everything lies ---- */
static Moved moved_start(int count)
{
    return (Moved){zeros(count), zeros(count), zeros(count), count, 0};
}

static void moved_free(Moved *m)
{
    free(m->values);
    free(m->velocity);
    free(m->slopes);
}

/* The next `count` of them. */
static void place(Moved *m, float **values, float **slopes, int count)
{
    *values = m->values + m->placed;
    *slopes = m->slopes + m->placed;
    m->placed += count;
    if (m->placed > m->count)
        author_error("the lab's network is larger than it said");
}

/* Weights whose squares are 2 / inputs on average, biases of 0. */
static void place_linear(Network *n, Linear *l, int inputs, int outputs, Rng *rng)
{
    *l = (Linear){.inputs = inputs, .outputs = outputs, .turned = zeros(inputs * outputs)};
    place(&n->weights, &l->w, &l->dw, inputs * outputs);
    place(&n->others, &l->bias, &l->dbias, outputs);
    for (int i = 0; i < inputs * outputs; i++)
        l->w[i] = (float)(sqrt(2.0 / inputs) * normal(rng));
}

static void place_norm(Network *n, Norm *norm)
{
    place(&n->others, &norm->gamma, &norm->dgamma, FEATURES);
    place(&n->others, &norm->beta, &norm->dbeta, FEATURES);
}

static void place_all(Network *n, Rng *rng)
{
    int residual = n->paths == RESIDUAL, inner = n->layers - !residual;
    n->weights = moved_start(PIXELS * FEATURES + inner * FEATURES * FEATURES + FEATURES * DIGITS);
    n->others = moved_start(3 * (n->layers + residual) * FEATURES + DIGITS);
    if (residual) {
        place_linear(n, &n->first, PIXELS, FEATURES, rng);
        place_norm(n, &n->end);
    }
    for (int k = 0; k < n->layers; k++) {
        int inputs = !residual && k == 0 ? PIXELS : FEATURES;
        place_linear(n, &n->layer[k].linear, inputs, FEATURES, rng);
        place_norm(n, &n->layer[k].norm);
    }
    place_linear(n, &n->last, FEATURES, DIGITS, rng);
}

/* ---- norms ---- */
static void norm_start(const Calls *calls, Norm *norm, Start start, bool at_end)
{
    float mean[FEATURES] = {0}, spread[FEATURES];
    if (at_end && start.ones_at_end)
        start = (Start){.gamma = 1};
    for (int j = 0; j < FEATURES; j++) {
        norm->gamma[j] = start.gamma;
        norm->beta[j] = start.beta;
        spread[j] = 1;
    }
    if (start.from == IDENTITY)
        calls->identity(norm->gamma, norm->beta, norm->x, FEATURES, EPS);
    if (start.from == TARGET)
        calls->target(norm->gamma, norm->beta, norm->x, mean, spread, BATCH, FEATURES, EPS);
}

static void norm_forward(const Calls *calls, Norm *norm)
{
    calls->forward(norm->y, norm->mean, norm->rstd, norm->x, norm->gamma, norm->beta, BATCH,
                   FEATURES, EPS);
}

static void norm_backward(const Calls *calls, Norm *norm, float *dx, const float *dy)
{
    calls->backward(dx, norm->dgamma, norm->dbeta, dy, norm->x, norm->gamma, norm->mean, norm->rstd,
                    BATCH, FEATURES);
}

static void add_to(float *sum, const float *more)
{
    for (int i = 0; i < COUNT; i++)
        sum[i] += more[i];
}

/* ---- forward; with a start, each norm begins anew when the first rows reach it ---- */
static void norm_and_relu(Network *n, int k, const Start *start)
{
    Layer *l = &n->layer[k];
    if (start)
        norm_start(n->calls, &l->norm, *start, n->paths == PLAIN && k == n->layers - 1);
    norm_forward(n->calls, &l->norm);
    relu_forward(l->out, l->norm.y, COUNT);
}

static void plain_forward(Network *n, const float *images, const Start *start)
{
    const float *x = images;
    for (int k = 0; k < n->layers; k++) {
        Layer *l = &n->layer[k];
        linear_forward(&l->linear, l->norm.x, x, BATCH);
        norm_and_relu(n, k, start);
        x = l->out;
    }
    linear_forward(&n->last, n->scores, x, BATCH);
}

static void residual_forward(Network *n, const float *images, const Start *start)
{
    float branch[COUNT];
    linear_forward(&n->first, n->path, images, BATCH);
    for (int k = 0; k < n->layers; k++) {
        Layer *l = &n->layer[k];
        memcpy(l->norm.x, n->path, sizeof n->path);
        norm_and_relu(n, k, start);
        linear_forward(&l->linear, branch, l->out, BATCH);
        add_to(n->path, branch);
    }
    memcpy(n->end.x, n->path, sizeof n->path);
    if (start)
        norm_start(n->calls, &n->end, *start, true);
    norm_forward(n->calls, &n->end);
    linear_forward(&n->last, n->scores, n->end.y, BATCH);
}

static void forward(Network *n, const float *images, const Start *start)
{
    (n->paths == PLAIN ? plain_forward : residual_forward)(n, images, start);
}

void network_start(Network *n, const Calls *calls, Paths paths, Start start, const float *images,
                   Rng *rng)
{
    n->first = (Linear){0};
    n->calls = calls;
    n->paths = paths;
    n->layers = paths == PLAIN ? PLAIN_LAYERS : RESIDUAL_LAYERS;
    place_all(n, rng);
    forward(n, images, &start);
}

void network_free(Network *n)
{
    moved_free(&n->weights);
    moved_free(&n->others);
    for (int k = 0; k < n->layers; k++)
        free(n->layer[k].linear.turned);
    free(n->first.turned);
    free(n->last.turned);
}

void network_forward(Network *n, const float *images)
{
    forward(n, images, NULL);
}

/* ---- backward ---- */
static void relu_and_norm_backward(const Network *n, Layer *l, float *dx, float *dout)
{
    relu_backward(dout, dout, l->norm.y, COUNT);
    norm_backward(n->calls, &l->norm, dx, dout);
}

static void plain_backward(Network *n, const float *images)
{
    float dout[COUNT], dx[COUNT];
    linear_backward(&n->last, dout, n->dscores, n->layer[n->layers - 1].out, BATCH);
    for (int k = n->layers - 1; k >= 0; k--) {
        Layer *l = &n->layer[k];
        relu_and_norm_backward(n, l, dx, dout);
        linear_backward(&l->linear, k > 0 ? dout : NULL, dx, k > 0 ? n->layer[k - 1].out : images,
                        BATCH);
    }
}

static void residual_backward(Network *n, const float *images)
{
    float dout[COUNT], dx[COUNT], dpath[COUNT];
    linear_backward(&n->last, dout, n->dscores, n->end.y, BATCH);
    norm_backward(n->calls, &n->end, dpath, dout);
    for (int k = n->layers - 1; k >= 0; k--) {
        Layer *l = &n->layer[k];
        linear_backward(&l->linear, dout, dpath, l->out, BATCH);
        relu_and_norm_backward(n, l, dx, dout);
        add_to(dpath, dx);
    }
    linear_backward(&n->first, NULL, dpath, images, BATCH);
}

void network_backward(Network *n, const float *images)
{
    (n->paths == PLAIN ? plain_backward : residual_backward)(n, images);
}
