/* The lab's experiment: spiral arms to be told apart, a network of two hidden layers, and its
 * training, forward and backward, with one norm or the other after each hidden linear layer.
 *
 * The invariant: for one seed, the data, the first weights and the order of the examples are the
 * same in all networks. They differ in the norm, in the batch size, and in nothing else. Every sum
 * is taken in one order, and exp and log are rounded from double, so that the numbers don't depend
 * on the machine. */
#include "lab.h"

#include <math.h>
#include <string.h>

#include "engine.h"

enum { DIMENSIONS = 2, UNITS = 32, LAYERS = 2, LARGEST_BATCH = 64 };
static const float RATE = 0.2f, MOMENTUM = 0.1f, EPS = 1e-5f;

const char *const method_names[METHODS] = {"batch norm", "layer norm"};
const int batch_sizes[SIZES] = {2, 8, LARGEST_BATCH};
typedef enum { BATCH_NORM, LAYER_NORM } Method;
typedef enum { TRAINING, EVALUATION } Mode;

/* ---- the data ---- */
typedef struct {
    float x[EXAMPLES][DIMENSIONS];
    int arm[EXAMPLES];
} Data;

/* Points along arms that wind once around the middle, each a third of a turn after the last. */
static void draw_spirals(Data *data, int count, Rng *rng)
{
    const double turn = 6.283185307179586;
    for (int i = 0; i < count; i++) {
        int arm = i % ARMS;
        double along = uniform(rng, 0, 1), radius = 0.2 + 1.8 * along;
        double angle = turn * (along + (double)arm / ARMS) + 0.25 * normal(rng);
        data->x[i][0] = (float)(radius * cos(angle));
        data->x[i][1] = (float)(radius * sin(angle));
        data->arm[i] = arm;
    }
}

/* ---- linear layers ---- */
typedef struct {
    int inputs, outputs;
    float w[UNITS * UNITS], dw[UNITS * UNITS]; /* inputs x outputs */
    float bias[UNITS], dbias[UNITS];           /* outputs */
} Linear;

static void linear_start(Linear *l, int inputs, int outputs, double square, Rng *rng)
{
    memset(l, 0, sizeof *l);
    l->inputs = inputs;
    l->outputs = outputs;
    for (int i = 0; i < inputs * outputs; i++)
        l->w[i] = (float)(sqrt(square / inputs) * normal(rng));
}

/* y: batch x outputs, x: batch x inputs */
static void linear_forward(const Linear *l, float *y, const float *x, int batch)
{
    for (int r = 0; r < batch; r++, y += l->outputs, x += l->inputs) {
        memcpy(y, l->bias, (size_t)l->outputs * sizeof *y);
        for (int i = 0; i < l->inputs; i++)
            for (int j = 0; j < l->outputs; j++)
                y[j] += x[i] * l->w[i * l->outputs + j];
    }
}

/* dx may be NULL: nobody asks for the data's gradient. */
static void linear_backward(Linear *l, float *dx, const float *dy, const float *x, int batch)
{
    memset(l->dw, 0, sizeof l->dw);
    memset(l->dbias, 0, sizeof l->dbias);
    for (int r = 0; r < batch; r++, dy += l->outputs, x += l->inputs) {
        for (int j = 0; j < l->outputs; j++)
            l->dbias[j] += dy[j];
        for (int i = 0; i < l->inputs; i++) {
            const float *w = l->w + i * l->outputs;
            float *dw = l->dw + i * l->outputs, sum = 0;
            for (int j = 0; j < l->outputs; j++) {
                dw[j] += x[i] * dy[j];
                sum += w[j] * dy[j];
            }
            if (dx)
                dx[r * l->inputs + i] = sum;
        }
    }
}

/* ---- the network ---- */
typedef struct {
    Linear linear;
    float gamma[UNITS], dgamma[UNITS], beta[UNITS], dbeta[UNITS];
    float running_mean[UNITS], running_var[UNITS];  /* batch norm's */
    float mean[LARGEST_BATCH], rstd[LARGEST_BATCH]; /* layer norm's, of the last forward pass */
    float h[LARGEST_BATCH * UNITS], y[LARGEST_BATCH * UNITS]; /* before and after the norm */
    float out[LARGEST_BATCH * UNITS];                         /* after the ReLU */
} Hidden;

typedef struct {
    Method method;
    const Norms *norms;
    Hidden hidden[LAYERS];
    Linear last;
    float scores[LARGEST_BATCH * ARMS], dscores[LARGEST_BATCH * ARMS];
} Network;

static void network_start(Network *n, Method method, const Norms *norms, Rng *rng)
{
    n->method = method;
    n->norms = norms;
    for (int k = 0; k < LAYERS; k++) {
        Hidden *l = &n->hidden[k];
        linear_start(&l->linear, k == 0 ? DIMENSIONS : UNITS, UNITS, 2, rng);
        for (int j = 0; j < UNITS; j++) {
            l->gamma[j] = l->running_var[j] = 1;
            l->beta[j] = l->running_mean[j] = 0;
        }
    }
    linear_start(&n->last, UNITS, ARMS, 1, rng);
}

static void norm_forward(const Network *n, Hidden *l, int batch, Mode mode)
{
    if (n->method == BATCH_NORM && mode == TRAINING)
        n->norms->batch_norm_train(l->y, l->running_mean, l->running_var, l->h, l->gamma, l->beta,
                                   batch, UNITS, MOMENTUM, EPS);
    else if (n->method == BATCH_NORM)
        n->norms->batch_norm_eval(l->y, l->running_mean, l->running_var, l->h, l->gamma, l->beta,
                                  batch, UNITS, EPS);
    else if (mode == TRAINING)
        n->norms->layer_norm_forward(l->y, l->mean, l->rstd, l->h, l->gamma, l->beta, batch, UNITS,
                                     EPS);
    else
        n->norms->layer_norm(l->y, l->h, l->gamma, l->beta, batch, UNITS, EPS);
}

static void norm_backward(const Network *n, Hidden *l, float *dh, const float *dy, int batch)
{
    if (n->method == BATCH_NORM)
        n->norms->batch_norm_backward(dh, l->dgamma, l->dbeta, dy, l->h, l->gamma, batch, UNITS,
                                      EPS);
    else
        n->norms->layer_norm_backward(dh, l->dgamma, l->dbeta, dy, l->h, l->gamma, l->mean, l->rstd,
                                      batch, UNITS);
}

/* x: batch x DIMENSIONS; leaves the scores in n */
static void network_forward(Network *n, const float *x, int batch, Mode mode)
{
    for (int k = 0; k < LAYERS; k++) {
        Hidden *l = &n->hidden[k];
        linear_forward(&l->linear, l->h, x, batch);
        norm_forward(n, l, batch, mode);
        for (int i = 0; i < batch * UNITS; i++)
            l->out[i] = l->y[i] > 0 ? l->y[i] : 0;
        x = l->out;
    }
    linear_forward(&n->last, n->scores, x, batch);
}

/* From the dscores in n to every gradient of a weight. */
static void network_backward(Network *n, const float *x, int batch)
{
    float dout[LARGEST_BATCH * UNITS], dh[LARGEST_BATCH * UNITS];
    linear_backward(&n->last, dout, n->dscores, n->hidden[LAYERS - 1].out, batch);
    for (int k = LAYERS - 1; k >= 0; k--) {
        Hidden *l = &n->hidden[k];
        for (int i = 0; i < batch * UNITS; i++)
            dout[i] = l->y[i] > 0 ? dout[i] : 0;
        norm_backward(n, l, dh, dout, batch);
        linear_backward(&l->linear, k > 0 ? dout : NULL, dh, k > 0 ? n->hidden[k - 1].out : x,
                        batch);
    }
}

/* Softmax and cross-entropy: the loss summed over the batch, and dscores, the gradient of its mean.
 * `right` grows with every example whose largest score is its own arm's. */
static double network_loss(Network *n, const int *arms, int batch, int *right)
{
    double loss = 0;
    for (int r = 0; r < batch; r++) {
        const float *scores = n->scores + r * ARMS;
        double powers[ARMS], sum = 0;
        int best = 0;
        for (int c = 1; c < ARMS; c++)
            best = scores[c] > scores[best] ? c : best;
        for (int c = 0; c < ARMS; c++)
            sum += powers[c] = exp((double)scores[c] - scores[best]);
        for (int c = 0; c < ARMS; c++)
            n->dscores[r * ARMS + c] = (float)((powers[c] / sum - (c == arms[r])) / batch);
        loss += log(sum) - ((double)scores[arms[r]] - scores[best]);
        *right += best == arms[r];
    }
    return loss;
}

/* ---- training ---- */
static void descend(float *values, const float *slopes, int count, float rate)
{
    for (int i = 0; i < count; i++)
        values[i] -= rate * slopes[i];
}

static void network_step(Network *n, float rate)
{
    for (int k = 0; k <= LAYERS; k++) {
        Linear *l = k < LAYERS ? &n->hidden[k].linear : &n->last;
        descend(l->w, l->dw, l->inputs * l->outputs, rate);
        descend(l->bias, l->dbias, l->outputs, rate);
    }
    for (int k = 0; k < LAYERS; k++) {
        descend(n->hidden[k].gamma, n->hidden[k].dgamma, UNITS, rate);
        descend(n->hidden[k].beta, n->hidden[k].dbeta, UNITS, rate);
    }
}

static void shuffle(int *order, Rng *rng)
{
    for (int i = EXAMPLES - 1; i > 0; i--) {
        int other = (int)uniform(rng, 0, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

/* Once through all the examples. The mean loss, as it was before each step. */
static double train_once(Network *n, const Data *data, int *order, int size, float rate, Rng *rng)
{
    double loss = 0;
    shuffle(order, rng);
    for (int done = 0; done < EXAMPLES; done += size) {
        float x[LARGEST_BATCH * DIMENSIONS];
        int arms[LARGEST_BATCH], right = 0;
        for (int r = 0; r < size; r++) {
            memcpy(x + r * DIMENSIONS, data->x[order[done + r]], sizeof data->x[0]);
            arms[r] = data->arm[order[done + r]];
        }
        network_forward(n, x, size, TRAINING);
        loss += network_loss(n, arms, size, &right);
        network_backward(n, x, size);
        network_step(n, rate);
    }
    return loss / EXAMPLES;
}

static void evaluate(Network *n, const Data *data, Point *point)
{
    double loss = 0;
    int right = 0;
    for (int done = 0; done < TESTS; done += LARGEST_BATCH) {
        network_forward(n, data->x[done], LARGEST_BATCH, EVALUATION);
        loss += network_loss(n, data->arm + done, LARGEST_BATCH, &right);
    }
    point->test_loss = loss / TESTS;
    point->accuracy = (double)right / TESTS;
}

static void train_one(const Norms *norms, Method method, int size, uint64_t seed,
                      void (*tell)(const Point *point))
{
    Data train, test;
    Network network;
    Point point = {.training_loss = NAN};
    Rng rng;
    int order[EXAMPLES];
    rng_seed(&rng, seed);
    draw_spirals(&train, EXAMPLES, &rng);
    draw_spirals(&test, TESTS, &rng);
    network_start(&network, method, norms, &rng);
    for (int i = 0; i < EXAMPLES; i++)
        order[i] = i;
    for (int pass = 0; pass <= PASSES; pass++) {
        /* The steps get shorter, down to a fortieth, so that the end is not a matter of luck. */
        float rate = RATE * (float)(PASSES + 1 - pass) / PASSES;
        if (pass > 0)
            point.training_loss = train_once(&network, &train, order, size, rate, &rng);
        evaluate(&network, &test, &point);
        tell(&point);
    }
}

void train_networks(const Norms *norms, uint64_t seed, void (*tell)(const Point *point))
{
    for (int method = 0; method < METHODS; method++)
        for (int size = 0; size < SIZES; size++)
            for (int s = 0; s < SEEDS; s++)
                train_one(norms, (Method)method, batch_sizes[size], seed + (uint64_t)s, tell);
}
