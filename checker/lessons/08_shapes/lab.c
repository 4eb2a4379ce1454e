/* make lab LESSON=08: three small classifiers, each with the axis that fits its data and with one
 * that does not; and what padding does to text.
 *
 * The invariant: for one seed, the examples, the first weights and the order are the same for all
 * curves. They differ in how the examples were normalized, once, before the training, and in
 * nothing else. gamma is 1 and beta 0. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include "../../../include/08_shapes.h"
#include "digits.h"
#include "network.h"

/* The learner's functions, or the solution's. */
static __typeof__(layer_norm_axis) *axis;
static __typeof__(layer_norm_text) *text;
static __typeof__(layer_norm_image) *image;
static __typeof__(layer_norm_pixels) *pixels;
static __typeof__(layer_norm_series) *series;

enum { SEEDS = 5, MOST = 256 };
static const float EPS = 1e-5f, RATE = 0.1f;
static const float no_beta[MOST];

static const float *ones(void)
{
    static float values[MOST];
    for (int k = 0; k < MOST; k++)
        values[k] = 1;
    return values;
}

/* ---- padding behind text ---- */
enum { REAL = 8, FEATURES = 16, PADDINGS = 7 };

static double padding_at(int point) /* 0, 1, 2, 4, ... 32 tokens */
{
    return point ? pow(2, point - 1) : 0;
}

static void norm_tokens(float *y, const float *x, int time, int curve)
{
    if (curve == 0)
        text(y, x, ones(), no_beta, 1, time, FEATURES, EPS);
    else
        axis(y, x, 1, time * FEATURES, 1, EPS);
}

static void measure_padding(int curve, uint64_t seed, LabTell *tell)
{
    float x[(REAL + 32) * FEATURES] = {0}, y[REAL * FEATURES], padded[(REAL + 32) * FEATURES];
    Rng rng;
    rng_seed(&rng, seed);
    for (int k = 0; k < REAL * FEATURES; k++)
        x[k] = (float)normal(&rng);
    norm_tokens(y, x, REAL, curve);
    for (int point = 0; point < PADDINGS; point++) {
        double moved = 0;
        norm_tokens(padded, x, REAL + (int)padding_at(point), curve);
        for (int k = 0; k < REAL * FEATURES; k++)
            moved = fmax(moved, fabs((double)padded[k] - y[k]));
        tell(&moved);
    }
}

/* ---- what the three classifiers have in common ---- */
enum { EXAMPLES = 1024, TESTS = 512, BATCH = 32, UNITS = 32, PASSES = 10, MOST_NORMS = 4 };

typedef struct {
    float *x;
    int length[EXAMPLES]; /* steps, where it is a series */
    int count;
} Drawn;

typedef struct {
    int inputs, classes;
    int (*draw)(float *x, int class, Rng *rng); /* returns its length */
    /* One for each curve, NULL: they stay as they are. */
    void (*norms[MOST_NORMS])(float *y, const Drawn *examples);
} Task;

typedef struct {
    float *x;
    int class[EXAMPLES];
} Data;

typedef struct {
    const Task *task;
    const Data *data;
    Linear hidden, last;
} Network;

static void draw_data(Data *data, const Task *task, int curve, int count, Rng *rng)
{
    static Drawn drawn;
    drawn.x = zeros(count * task->inputs);
    drawn.count = count;
    for (int i = 0; i < count; i++) {
        data->class[i] = i % task->classes;
        drawn.length[i] = task->draw(drawn.x + i * task->inputs, data->class[i], rng);
    }
    data->x = drawn.x;
    if (task->norms[curve]) {
        data->x = zeros(count * task->inputs);
        task->norms[curve](data->x, &drawn);
        free(drawn.x);
    }
}

/* The loss of some examples. Takes a step, too, if that is wanted. */
static double run(Network *n, const float *x, const int *classes, int count, bool step, int *right)
{
    float h[BATCH * UNITS], out[BATCH * UNITS], scores[BATCH * DIGITS], dscores[BATCH * DIGITS];
    linear_forward(&n->hidden, h, x, count);
    relu_forward(out, h, count * UNITS);
    linear_forward(&n->last, scores, out, count);
    double loss = softmax_loss(dscores, scores, classes, count, n->task->classes, right);
    if (step) {
        float dout[BATCH * UNITS];
        linear_backward(&n->last, dout, dscores, out, count);
        relu_backward(dout, dout, h, count * UNITS);
        linear_backward(&n->hidden, NULL, dout, x, count);
        linear_step(&n->hidden, RATE);
        linear_step(&n->last, RATE);
    }
    return loss;
}

static double network_step(void *network, const int *chosen, int batch)
{
    Network *n = network;
    int inputs = n->task->inputs, classes[BATCH], right = 0;
    float x[BATCH * MOST];
    for (int r = 0; r < batch; r++) {
        memcpy(x + r * inputs, n->data->x + chosen[r] * inputs, (size_t)inputs * sizeof *x);
        classes[r] = n->data->class[chosen[r]];
    }
    return run(n, x, classes, batch, true, &right);
}

enum { LOSS, ACCURACY, VALUES };
static const LabValue values[] = {{"test_loss", 0, INFINITY}, {"accuracy", 0, 1}, {0}};

static void train(const Task *task, int curve, uint64_t seed, LabTell *tell)
{
    static Data data, test;
    static int order[EXAMPLES];
    Network n = {task, &data, {0}, {0}};
    Rng rng;
    rng_seed(&rng, seed);
    draw_data(&data, task, curve, EXAMPLES, &rng);
    draw_data(&test, task, curve, TESTS, &rng);
    linear_start(&n.hidden, task->inputs, UNITS, 2, &rng);
    linear_start(&n.last, UNITS, task->classes, 1, &rng);
    first_order(order, EXAMPLES);
    for (int pass = 0; pass <= PASSES; pass++) {
        double point[VALUES] = {0};
        int right = 0;
        if (pass > 0)
            pass_over(order, EXAMPLES, BATCH, &rng, network_step, &n);
        for (int i = 0; i < TESTS; i += BATCH)
            point[LOSS] +=
                run(&n, test.x + i * task->inputs, test.class + i, BATCH, false, &right) / TESTS;
        point[ACCURACY] = (double)right / TESTS;
        tell(point);
    }
    linear_free(&n.hidden);
    linear_free(&n.last);
    free(data.x);
    free(test.x);
}

/* ---- series: which of three measurements is rising? ---- */
enum { TIME = 16, CHANNELS = 3, NUMBERS = TIME * CHANNELS };

static int draw_series(float *x, int class, Rng *rng)
{
    static const double middle[CHANNELS] = {20, 101325, 0.5}, spread[CHANNELS] = {2, 500, 0.1};
    int length = uniform_int(rng, TIME / 2, TIME);
    for (int c = 0; c < CHANNELS; c++) {
        double start = normal(rng);
        for (int t = 0; t < length; t++) {
            double rise = c == class ? 3.0 * t / length : 0;
            x[t * CHANNELS + c] =
                (float)(middle[c] + spread[c] * (start + rise + 0.5 * normal(rng)));
        }
    }
    return length;
}

static void series_over_time(float *y, const Drawn *d)
{
    series(y, d->x, d->length, ones(), no_beta, d->count, TIME, CHANNELS, EPS);
}

static void series_over_channels(float *y, const Drawn *d)
{
    text(y, d->x, ones(), no_beta, d->count, TIME, CHANNELS, EPS);
}

static const Task series_task = {
    NUMBERS, CHANNELS, draw_series, {series_over_time, series_over_channels}};

static void measure_series(int curve, uint64_t seed, LabTell *tell)
{
    train(&series_task, curve, seed, tell);
}

/* ---- gray digits: which of ten? ---- */
enum { SIDE = 14, PIXELS = SIDE * SIDE };

static int draw_gray(float *x, int class, Rng *rng)
{
    draw_digit(x, SIDE, class, rng);
    return 0;
}

static void digits_whole(float *y, const Drawn *d)
{
    image(y, d->x, ones(), no_beta, d->count, 1, SIDE, SIDE, EPS);
}

static void digits_by_pixel(float *y, const Drawn *d)
{
    pixels(y, d->x, ones(), no_beta, d->count, 1, SIDE, SIDE, EPS);
}

static const Task digits_task = {PIXELS, DIGITS, draw_gray, {digits_whole, digits_by_pixel}};

static void measure_digits(int curve, uint64_t seed, LabTell *tell)
{
    train(&digits_task, curve, seed, tell);
}

/* ---- patches of colour: which channel is the brightest? ---- */
enum { EDGE = 6, PATCH = CHANNELS * EDGE * EDGE };

static int draw_patch(float *x, int class, Rng *rng)
{
    for (int k = 0; k < PATCH; k++)
        x[k] = (float)((k / (EDGE * EDGE) == class) + normal(rng));
    return 0;
}

static void patch_whole(float *y, const Drawn *d)
{
    image(y, d->x, ones(), no_beta, d->count, CHANNELS, EDGE, EDGE, EPS);
}

static void patch_by_channel(float *y, const Drawn *d)
{
    axis(y, d->x, d->count * CHANNELS, EDGE * EDGE, 1, EPS);
}

static void patch_by_pixel(float *y, const Drawn *d)
{
    pixels(y, d->x, ones(), no_beta, d->count, CHANNELS, EDGE, EDGE, EPS);
}

static const Task patch_task = {
    PATCH, CHANNELS, draw_patch, {patch_whole, patch_by_channel, patch_by_pixel}};

static void measure_patches(int curve, uint64_t seed, LabTell *tell)
{
    train(&patch_task, curve, seed, tell);
}

/* ---- what is shown ---- */
static void show_padding(FILE *out, const LabResults *results)
{
    fprintf(out,
            "\nThe largest change of a number of %d real tokens, by how many tokens of zeros\n"
            "stand behind them. Means of %d seeds.\n\n",
            REAL, SEEDS);
    lab_table(out, results,
              &(LabTable){.heading = "Text", .width = 7, .decimals = 3, .unit = "tokens"});
}

static void show_accuracy(FILE *out, const LabResults *results)
{
    const char *question = results->experiment->pictures->title;
    fputc('\n', out);
    lab_table(out, results,
              &(LabTable){.heading = question,
                          .value = ACCURACY,
                          .points = (int[]){0, 1, 2, 5, PASSES},
                          .count = 5,
                          .width = 7,
                          .decimals = 3,
                          .unit = "passes"});
}

/* What the three that train have in common. */
#define BY_PASSES                                                                                  \
    .values = values, .x_name = "pass", .points = PASSES + 1, .seeds = SEEDS, .show = show_accuracy
#define ACCURACY_BY_PASSES                                                                         \
    .value = ACCURACY, .x_label = "passes over 1024 examples",                                     \
    .y_label = "part of 512 others that is right", .level_name = "guessing"

static const LabExperiment experiments[] = {
    {.name = "padding",
     .curves = (LabCurve[]){{"each token alone", 0, 0}, {"time and features together", 1, 0}, {0}},
     .values = (LabValue[]){{"moved", 0, INFINITY}, {0}},
     .x_name = "padding",
     .points = PADDINGS,
     .seeds = SEEDS,
     .x = padding_at,
     .measure = measure_padding,
     .show = show_padding,
     .pictures = (LabPicture[]){{.title = "What padding does to 8 real tokens",
                                 .x_label = "tokens of padding behind them",
                                 .y_label = "largest change of a number"},
                                {0}}},
    {.name = "series",
     .curves = (LabCurve[]){{"each channel over time", 0, 0},
                            {"channels at each step", 1, 0},
                            {"as they are", 2, 0},
                            {0}},
     BY_PASSES,
     .measure = measure_series,
     .pictures =
         (LabPicture[]){
             {.title = "Series: which one is rising?", ACCURACY_BY_PASSES, .level = 1.0 / CHANNELS},
             {0}}},
    {.name = "digits",
     .curves = (LabCurve[]){{"each image as a whole", 0, 0},
                            {"channels of each pixel", 1, 0},
                            {"as they are", 2, 0},
                            {0}},
     BY_PASSES,
     .measure = measure_digits,
     .pictures =
         (LabPicture[]){
             {.title = "Gray digits: which one is it?", ACCURACY_BY_PASSES, .level = 1.0 / DIGITS},
             {0}}},
    {.name = "colour",
     .curves = (LabCurve[]){{"each image as a whole", 0, 0},
                            {"each channel alone", 1, 0},
                            {"channels of each pixel", 3, 0},
                            {"as they are", 2, 0},
                            {0}},
     BY_PASSES,
     .measure = measure_patches,
     .pictures =
         (LabPicture[]){
             {.title = "Which channel is brightest?", ACCURACY_BY_PASSES, .level = 1.0 / CHANNELS},
             {0}}},
    {0},
};

static const LabFunction functions[] = {
    {"08_shapes", "layer_norm_axis", &axis},     {"08_shapes", "layer_norm_text", &text},
    {"08_shapes", "layer_norm_image", &image},   {"08_shapes", "layer_norm_pixels", &pixels},
    {"08_shapes", "layer_norm_series", &series}, {0}};

const Lab lab = {.functions = functions, .experiments = experiments};
