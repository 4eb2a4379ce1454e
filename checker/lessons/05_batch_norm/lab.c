/* Lesson 05's lab: compares the norms of lessons 01, 03 and 05 (lab_compare.c), then trains the
 * same small network with batch norm and with layer norm, at three batch sizes: spiral arms to be
 * told apart, two hidden layers, one norm or the other after each hidden linear layer.
 *
 * The invariant: for one seed, the data, the first weights and the order of the examples are the
 * same in all networks. They differ in the norm, in the batch size, and in nothing else. */
#include "lab_norms.h"

#include <string.h>

#include "network.h"

enum { EXAMPLES = 1024, TESTS = 512, PASSES = 40, ARMS = 3 };
enum { DIMENSIONS = 2, UNITS = 32, LAYERS = 2, LARGEST_BATCH = 64 };
static const float RATE = 0.2f, MOMENTUM = 0.1f, EPS = 1e-5f;

Norms norms;
static const LabFunction functions[] = {
    {"01_layer_norm", "layer_norm", &norms.layer_norm},
    {"02_backward", "layer_norm_forward", &norms.layer_norm_forward},
    {"02_backward", "layer_norm_backward", &norms.layer_norm_backward},
    {"03_rms_norm", "rms_norm", &norms.rms_norm},
    {"05_batch_norm", "batch_norm_train", &norms.batch_norm_train},
    {"05_batch_norm", "batch_norm_eval", &norms.batch_norm_eval},
    {"05_batch_norm", "batch_norm_backward", &norms.batch_norm_backward},
    {0}};

typedef enum { BATCH_NORM, LAYER_NORM } Method;
typedef enum { TRAINING, EVALUATION } Mode;

/* Colour says which norm, dashes which batch size. */
enum { SIZES = 3, RUNS = 6 };
static const int batch_sizes[SIZES] = {2, 8, LARGEST_BATCH};
static const LabCurve curves[RUNS + 1] = {{"batch norm, batch size  2", 0, 2},
                                          {"batch norm, batch size  8", 0, 1},
                                          {"batch norm, batch size 64", 0, 0},
                                          {"layer norm, batch size  2", 1, 2},
                                          {"layer norm, batch size  8", 1, 1},
                                          {"layer norm, batch size 64", 1, 0},
                                          {0}};

/* After so many passes over the examples; the training loss as training saw it in the last one. */
enum { TRAINING_LOSS, TEST_LOSS, ACCURACY, VALUES };
static const LabValue values[] = {
    {"training_loss", 0, INFINITY}, {"test_loss", 0, INFINITY}, {"accuracy", 0, 1}, {0}};

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
    const Data *data;
    float rate; /* of the steps in this pass */
    Hidden hidden[LAYERS];
    Linear last;
    float scores[LARGEST_BATCH * ARMS], dscores[LARGEST_BATCH * ARMS];
} Network;

static void network_start(Network *n, Method method, const Data *data, Rng *rng)
{
    n->method = method;
    n->data = data;
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

static void network_free(Network *n)
{
    for (int k = 0; k < LAYERS; k++)
        linear_free(&n->hidden[k].linear);
    linear_free(&n->last);
}

static void norm_forward(const Network *n, Hidden *l, int batch, Mode mode)
{
    if (n->method == BATCH_NORM && mode == TRAINING)
        norms.batch_norm_train(l->y, l->running_mean, l->running_var, l->h, l->gamma, l->beta,
                               batch, UNITS, MOMENTUM, EPS);
    else if (n->method == BATCH_NORM)
        norms.batch_norm_eval(l->y, l->running_mean, l->running_var, l->h, l->gamma, l->beta, batch,
                              UNITS, EPS);
    else if (mode == TRAINING)
        norms.layer_norm_forward(l->y, l->mean, l->rstd, l->h, l->gamma, l->beta, batch, UNITS,
                                 EPS);
    else
        norms.layer_norm(l->y, l->h, l->gamma, l->beta, batch, UNITS, EPS);
}

static void norm_backward(const Network *n, Hidden *l, float *dh, const float *dy, int batch)
{
    if (n->method == BATCH_NORM)
        norms.batch_norm_backward(dh, l->dgamma, l->dbeta, dy, l->h, l->gamma, batch, UNITS, EPS);
    else
        norms.layer_norm_backward(dh, l->dgamma, l->dbeta, dy, l->h, l->gamma, l->mean, l->rstd,
                                  batch, UNITS);
}

/* x: batch x DIMENSIONS; leaves the scores in n */
static void network_forward(Network *n, const float *x, int batch, Mode mode)
{
    for (int k = 0; k < LAYERS; k++) {
        Hidden *l = &n->hidden[k];
        linear_forward(&l->linear, l->h, x, batch);
        norm_forward(n, l, batch, mode);
        relu_forward(l->out, l->y, batch * UNITS);
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
        relu_backward(dout, dout, l->y, batch * UNITS);
        norm_backward(n, l, dh, dout, batch);
        linear_backward(&l->linear, k > 0 ? dout : NULL, dh, k > 0 ? n->hidden[k - 1].out : x,
                        batch);
    }
}

/* ---- training ---- */
static void network_descend(Network *n)
{
    for (int k = 0; k < LAYERS; k++) {
        Hidden *l = &n->hidden[k];
        linear_step(&l->linear, n->rate);
        descend(l->gamma, l->dgamma, UNITS, n->rate);
        descend(l->beta, l->dbeta, UNITS, n->rate);
    }
    linear_step(&n->last, n->rate);
}

static double network_step(void *network, const int *chosen, int batch)
{
    Network *n = network;
    float x[LARGEST_BATCH * DIMENSIONS];
    int arms[LARGEST_BATCH], right = 0;
    for (int r = 0; r < batch; r++) {
        memcpy(x + r * DIMENSIONS, n->data->x[chosen[r]], sizeof n->data->x[0]);
        arms[r] = n->data->arm[chosen[r]];
    }
    network_forward(n, x, batch, TRAINING);
    double loss = softmax_loss(n->dscores, n->scores, arms, batch, ARMS, &right);
    network_backward(n, x, batch);
    network_descend(n);
    return loss;
}

static void evaluate(Network *n, const Data *data, double *point)
{
    double loss = 0;
    int right = 0;
    for (int done = 0; done < TESTS; done += LARGEST_BATCH) {
        network_forward(n, data->x[done], LARGEST_BATCH, EVALUATION);
        loss += softmax_loss(n->dscores, n->scores, data->arm + done, LARGEST_BATCH, ARMS, &right);
    }
    point[TEST_LOSS] = loss / TESTS;
    point[ACCURACY] = (double)right / TESTS;
}

/* `rate`: at first. `tell`: called after every pass, or NULL. Leaves the last pass's values in
 * point.
 */
static void train_network(Method method, int size, float rate, uint64_t seed, LabTell *tell,
                          double point[VALUES])
{
    Data train, test;
    Network network;
    Rng rng;
    int order[EXAMPLES];
    rng_seed(&rng, seed);
    draw_spirals(&train, EXAMPLES, &rng);
    draw_spirals(&test, TESTS, &rng);
    network_start(&network, method, &train, &rng);
    first_order(order, EXAMPLES);
    point[TRAINING_LOSS] = NAN;
    for (int pass = 0; pass <= PASSES; pass++) {
        /* The steps get shorter, down to a fortieth, so that the end is not a matter of luck. */
        network.rate = rate * (float)(PASSES + 1 - pass) / PASSES;
        if (pass > 0)
            point[TRAINING_LOSS] = pass_over(order, EXAMPLES, size, &rng, network_step, &network);
        if (tell || pass == PASSES)
            evaluate(&network, &test, point);
        if (tell)
            tell(point);
    }
    network_free(&network);
}

static void measure(int curve, uint64_t seed, LabTell *tell)
{
    double point[VALUES];
    train_network((Method)(curve / SIZES), batch_sizes[curve % SIZES], RATE, seed, tell, point);
}

/* ---- other learning rates ---- */
enum { RATES = 5 };
static const float rates[RATES] = {0.02f, 0.05f, 0.2f, 0.8f, 2};
static const LabCurve norm_curves[] = {{"batch norm", 0, 0}, {"layer norm", 1, 0}, {0}};

/* The decimal that the float was written as. */
static double rate_at(int point)
{
    return round(100 * (double)rates[point]) / 100;
}

static void measure_rates(int curve, uint64_t seed, LabTell *tell)
{
    for (int i = 0; i < RATES; i++) {
        double point[VALUES];
        train_network((Method)curve, LARGEST_BATCH, rates[i], seed, NULL, point);
        tell(point);
    }
}

/* ---- what is shown ---- */
static void print_ends(FILE *out, const LabResults *r)
{
    fprintf(out, "%-27s%10s%10s%13s%20s\n", "After the last pass", "loss in", "loss in", "accuracy",
            "lowest and highest");
    fprintf(out, "%-27s%10s%10s%13s%20s\n", "", "training", "the test", "in the test",
            "of the seeds");
    for (int run = 0; run < RUNS; run++) {
        LabSpread right = lab_spread(r, run, PASSES, ACCURACY);
        fprintf(out, "  %s%10.3f%10.3f%11.1f %%%11.1f %% %5.1f %%\n", curves[run].name,
                lab_spread(r, run, PASSES, TRAINING_LOSS).mean,
                lab_spread(r, run, PASSES, TEST_LOSS).mean, 100 * right.mean, 100 * right.low,
                100 * right.high);
    }
}

/* Not all of the way is equally interesting: most happens at the start. */
static const int shown_passes[] = {0, 1, 2, 5, 10, 20, PASSES};

static void show(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nThe same network, trained with either norm. It tells %d spiral arms apart, has %d\n"
            "examples to learn from and %d for the test. All numbers are means over the seeds\n"
            "%llu to %llu. Guessing has a loss of %.3f and an accuracy of %.1f %%.\n\n",
            ARMS, EXAMPLES, TESTS, (unsigned long long)r->seed,
            (unsigned long long)r->seed + (unsigned)(r->experiment->seeds - 1), log(ARMS),
            100.0 / ARMS);
    lab_table(out, r,
              &(LabTable){.heading = "Loss on the test examples",
                          .value = TEST_LOSS,
                          .points = shown_passes,
                          .count = sizeof shown_passes / sizeof *shown_passes,
                          .width = 7,
                          .decimals = 3,
                          .unit = "passes"});
    fputc('\n', out);
    print_ends(out, r);
}

static void show_rates(FILE *out, const LabResults *r)
{
    fprintf(out, "\nThe same at batch size %d, with other learning rates:\n\n", LARGEST_BATCH);
    lab_table(out, r,
              &(LabTable){.heading = "Accuracy in the test",
                          .value = ACCURACY,
                          .width = 7,
                          .decimals = 3,
                          .unit = "learning rate at first"});
}

/* In one picture for each value, on the same x axis. */
#define PASSES_AXIS .x_label = "passes over the 1024 training examples", .every = 4
#define LOSS_AXIS .y_label = "cross-entropy loss, in nats", .y_log = true, .apart = true
#define GUESSING(result) .level_name = "guessing", .level = result
#define LOG_ARMS 1.0986122886681098
static const LabPicture pictures[] = {
    {NULL, TEST_LOSS, "Loss on the test examples", PASSES_AXIS, LOSS_AXIS, GUESSING(LOG_ARMS)},
    {"training", TRAINING_LOSS, "Loss in training", PASSES_AXIS, LOSS_AXIS, GUESSING(LOG_ARMS)},
    {"accuracy", ACCURACY, "Accuracy on the test examples", PASSES_AXIS, .apart = true,
     .y_label = "part that is right", GUESSING(1.0 / ARMS)},
    {0}};

static const LabPicture rate_pictures[] = {
    {.value = ACCURACY,
     .title = "Accuracy on the test examples by the learning rate, batch size 64",
     .x_label = "learning rate at first",
     .y_label = "part that is right, at the end",
     .x_log = true,
     GUESSING(1.0 / ARMS)},
    {0}};

static const LabExperiment experiments[] = {{.curves = curves,
                                             .values = values,
                                             .x_name = "pass",
                                             .points = PASSES + 1,
                                             .seeds = 5,
                                             .measure = measure,
                                             .show = show,
                                             .pictures = pictures},
                                            {.name = "rates",
                                             .curves = norm_curves,
                                             .values = values,
                                             .x_name = "rate",
                                             .points = RATES,
                                             .x = rate_at,
                                             .seeds = 5,
                                             .measure = measure_rates,
                                             .show = show_rates,
                                             .pictures = rate_pictures},
                                            {0}};

const Lab lab = {.functions = functions, .introduce = compare_norms, .experiments = experiments};
