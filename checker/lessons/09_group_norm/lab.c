/* Lesson 09's lab: one small convolutional network learns to read drawn digits, with four norms:
 * lesson 05's batch norm, and group norm of one group, of four, and of a group for each channel.
 * The digits are clean, or of uneven light; and come in batches of several sizes.
 *
 * The invariant: for one seed, the first weights and all the images are the same in all networks of
 * an experiment. They differ in the norm, or in the batch size, and in nothing else. */
#include "lab.h"

#include <string.h>

#include "../../../include/05_batch_norm.h"
#include "../../../include/09_group_norm.h"
#include "digits.h"
#include "image.h"

/* The learner's functions, or the solutions'. */
static __typeof__(batch_norm_train) *batch_train;
static __typeof__(batch_norm_eval) *batch_eval;
static __typeof__(batch_norm_backward) *batch_backward;
static __typeof__(group_norm) *group_forward;
static __typeof__(group_norm_backward) *group_backward;
static const LabFunction functions[] = {{"05_batch_norm", "batch_norm_train", &batch_train},
                                        {"05_batch_norm", "batch_norm_eval", &batch_eval},
                                        {"05_batch_norm", "batch_norm_backward", &batch_backward},
                                        {"09_group_norm", "group_norm", &group_forward},
                                        {"09_group_norm", "group_norm_backward", &group_backward},
                                        {0}};

enum { SIDE = 14, BLOCKS = 2, STEPS = 200, TESTS = 512, LARGEST_BATCH = 32, SEEDS = 10 };
enum { TEST_SEED = 1 << 20 }; /* further on than any seed of a training is likely to be */
static const float RATE = 0.1f, MOMENTUM = 0.1f, EPS = 1e-5f;

typedef enum { TRAINING, EVALUATION } Mode;
typedef enum { BATCH_NORM, LAYER_NORM, GROUP_NORM, INSTANCE_NORM } Method;
static const LabCurve curves[] = {{"batch norm", 0, 0},
                                  {"layer norm, 1 group", 1, 0},
                                  {"group norm, 4 groups", 2, 0},
                                  {"instance norm", 3, 0},
                                  {0}};

/* ---- the images ---- */
typedef enum { CLEAN, UNEVEN } Light;

/* images: count x SIDE x SIDE */
static void draw_images(float *images, int *digits, int count, Light light, Rng *rng)
{
    for (int r = 0; r < count; r++, images += SIDE * SIDE) {
        digits[r] = uniform_int(rng, 0, DIGITS - 1);
        draw_digit(images, SIDE, digits[r], rng);
        float contrast = (float)uniform(rng, 0.1, 1), brightness = (float)uniform(rng, -1, 1);
        for (int i = 0; i < SIDE * SIDE && light == UNEVEN; i++)
            images[i] = brightness + contrast * images[i];
    }
}

/* ---- the network ---- */
enum { MOST_CHANNELS = 16, MOST_NUMBERS = LARGEST_BATCH * 8 * SIDE * SIDE };

/* A convolution, a norm, ReLU and pooling. */
typedef struct {
    Conv conv;
    float gamma[MOST_CHANNELS], dgamma[MOST_CHANNELS], beta[MOST_CHANNELS], dbeta[MOST_CHANNELS];
    float running_mean[MOST_CHANNELS], running_var[MOST_CHANNELS]; /* batch norm's */
    float mean[LARGEST_BATCH * MOST_CHANNELS],
        rstd[LARGEST_BATCH * MOST_CHANNELS]; /* the others' */
    float h[MOST_NUMBERS], y[MOST_NUMBERS], out[MOST_NUMBERS],
        pooled[MOST_NUMBERS]; /* after each */
} Block;

typedef struct {
    Method method;
    Block blocks[BLOCKS];
    Linear last;
    float scores[LARGEST_BATCH * DIGITS], dscores[LARGEST_BATCH * DIGITS];
} Network;

static void network_start(Network *n, Method method, Rng *rng)
{
    n->method = method;
    conv_start(&n->blocks[0].conv, 1, 8, SIDE, rng);
    conv_start(&n->blocks[1].conv, 8, MOST_CHANNELS, SIDE / 2, rng);
    linear_start(&n->last, MOST_CHANNELS * (SIDE / 4) * (SIDE / 4), DIGITS, 1, rng);
    for (int k = 0; k < BLOCKS; k++)
        for (int c = 0; c < MOST_CHANNELS; c++) {
            n->blocks[k].gamma[c] = n->blocks[k].running_var[c] = 1;
            n->blocks[k].beta[c] = n->blocks[k].running_mean[c] = 0;
        }
}

static void network_free(Network *n)
{
    for (int k = 0; k < BLOCKS; k++)
        conv_free(&n->blocks[k].conv);
    linear_free(&n->last);
}

/* ---- the norms ---- */
static int groups_of(Method method, int channels)
{
    return method == LAYER_NORM ? 1 : method == GROUP_NORM ? 4 : channels;
}

/* Lesson 05 has features side by side: to it, every pixel of every image is an example. */
static void to_examples(float *to, const float *from, int batch, int channels, int pixels)
{
    for (int r = 0; r < batch; r++)
        for (int c = 0; c < channels; c++)
            for (int p = 0; p < pixels; p++)
                to[(r * pixels + p) * channels + c] = from[(r * channels + c) * pixels + p];
}

static void to_images(float *to, const float *from, int batch, int channels, int pixels)
{
    to_examples(to, from, batch, pixels, channels);
}

static void block_norm(Method method, Block *b, int batch, Mode mode)
{
    static float x[MOST_NUMBERS], y[MOST_NUMBERS];
    int channels = b->conv.outputs, pixels = b->conv.side * b->conv.side;
    if (method != BATCH_NORM) {
        group_forward(b->y, b->mean, b->rstd, b->h, b->gamma, b->beta, batch, channels, pixels,
                      groups_of(method, channels), EPS);
        return;
    }
    to_examples(x, b->h, batch, channels, pixels);
    if (mode == TRAINING)
        batch_train(y, b->running_mean, b->running_var, x, b->gamma, b->beta, batch * pixels,
                    channels, MOMENTUM, EPS);
    else
        batch_eval(y, b->running_mean, b->running_var, x, b->gamma, b->beta, batch * pixels,
                   channels, EPS);
    to_images(b->y, y, batch, channels, pixels);
}

static void block_norm_backward(Method method, Block *b, float *dh, const float *dy, int batch)
{
    static float x[MOST_NUMBERS], dy_of[MOST_NUMBERS], dx[MOST_NUMBERS];
    int channels = b->conv.outputs, pixels = b->conv.side * b->conv.side;
    if (method != BATCH_NORM) {
        group_backward(dh, b->dgamma, b->dbeta, dy, b->h, b->gamma, b->mean, b->rstd, batch,
                       channels, pixels, groups_of(method, channels));
        return;
    }
    to_examples(x, b->h, batch, channels, pixels);
    to_examples(dy_of, dy, batch, channels, pixels);
    batch_backward(dx, b->dgamma, b->dbeta, dy_of, x, b->gamma, batch * pixels, channels, EPS);
    to_images(dh, dx, batch, channels, pixels);
}

/* ---- forward and backward ---- */
static int planes(const Block *b, int batch)
{
    return batch * b->conv.outputs;
}

static int numbers(const Block *b, int batch) /* in h, y and out */
{
    return planes(b, batch) * b->conv.side * b->conv.side;
}

/* x: batch x SIDE x SIDE; leaves the scores in n */
static void network_forward(Network *n, const float *x, int batch, Mode mode)
{
    for (int k = 0; k < BLOCKS; k++) {
        Block *b = &n->blocks[k];
        conv_forward(&b->conv, b->h, x, batch);
        block_norm(n->method, b, batch, mode);
        relu_forward(b->out, b->y, numbers(b, batch));
        pool_forward(b->pooled, b->out, planes(b, batch), b->conv.side);
        x = b->pooled;
    }
    linear_forward(&n->last, n->scores, x, batch);
}

/* From the dscores in n to every gradient of a weight. */
static void network_backward(Network *n, const float *x, int batch)
{
    static float dpooled[MOST_NUMBERS], dy[MOST_NUMBERS], dh[MOST_NUMBERS];
    linear_backward(&n->last, dpooled, n->dscores, n->blocks[BLOCKS - 1].pooled, batch);
    for (int k = BLOCKS - 1; k >= 0; k--) {
        Block *b = &n->blocks[k];
        pool_backward(dy, dpooled, b->out, planes(b, batch), b->conv.side);
        relu_backward(dy, dy, b->y, numbers(b, batch));
        block_norm_backward(n->method, b, dh, dy, batch);
        conv_backward(&b->conv, k > 0 ? dpooled : NULL, dh, k > 0 ? n->blocks[k - 1].pooled : x,
                      batch);
    }
}

static void network_step(Network *n)
{
    for (int k = 0; k < BLOCKS; k++) {
        Block *b = &n->blocks[k];
        conv_step(&b->conv, RATE);
        descend(b->gamma, b->dgamma, b->conv.outputs, RATE);
        descend(b->beta, b->dbeta, b->conv.outputs, RATE);
    }
    linear_step(&n->last, RATE);
}

/* ---- training ---- */
static double accuracy(Network *n, Light light, uint64_t seed)
{
    static float x[LARGEST_BATCH * SIDE * SIDE];
    int digits[LARGEST_BATCH], right = 0;
    Rng rng;
    rng_seed(&rng, seed);
    for (int done = 0; done < TESTS; done += LARGEST_BATCH) {
        draw_images(x, digits, LARGEST_BATCH, light, &rng);
        network_forward(n, x, LARGEST_BATCH, EVALUATION);
        softmax_loss(n->dscores, n->scores, digits, LARGEST_BATCH, DIGITS, &right);
    }
    return (double)right / TESTS;
}

/* What the network reads of the test images in the end. */
static double train(Method method, Light light, int batch, uint64_t seed)
{
    static Network n;
    static float x[LARGEST_BATCH * SIDE * SIDE];
    int digits[LARGEST_BATCH], right;
    Rng rng;
    rng_seed(&rng, seed);
    network_start(&n, method, &rng);
    for (int step = 0; step < STEPS; step++) {
        draw_images(x, digits, batch, light, &rng);
        network_forward(&n, x, batch, TRAINING);
        softmax_loss(n.dscores, n.scores, digits, batch, DIGITS, &right);
        network_backward(&n, x, batch);
        network_step(&n);
    }
    double read = accuracy(&n, light, seed + TEST_SEED);
    network_free(&n);
    return read;
}

/* ---- the experiments: one for each light ---- */
static const int batch_sizes[] = {2, 4, 8};
enum { SIZES = sizeof batch_sizes / sizeof *batch_sizes };

static double size_at(int point)
{
    return batch_sizes[point];
}

static void measure(int curve, uint64_t seed, Light light, LabTell *tell)
{
    for (int i = 0; i < SIZES; i++)
        tell((double[]){train((Method)curve, light, batch_sizes[i], seed)});
}

static void measure_clean(int curve, uint64_t seed, LabTell *tell)
{
    measure(curve, seed, CLEAN, tell);
}

static void measure_uneven(int curve, uint64_t seed, LabTell *tell)
{
    measure(curve, seed, UNEVEN, tell);
}

/* In how many of the pairs of networks, of one seed and one batch size, `one` reads more. */
static int better(const LabResults *r, int one, int other)
{
    int count = 0;
    for (int seed = 0; seed < SEEDS; seed++)
        for (int i = 0; i < SIZES; i++)
            count += lab_number(r, one, seed, i, 0) > lab_number(r, other, seed, i, 0);
    return count;
}

static void show(FILE *out, const LabResults *r)
{
    static const struct {
        Method one, other;
        const char *words;
    } pairs[] = {{LAYER_NORM, BATCH_NORM, "layer norm reads more than batch norm"},
                 {GROUP_NORM, LAYER_NORM, "group norm reads more than layer norm"},
                 {INSTANCE_NORM, GROUP_NORM, "instance norm reads more than group norm"}};
    fprintf(out,
            "\n%s. The part of %d test images that is read\n"
            "after %d steps, by how many images make a step. Means of %d seeds.\n\n",
            r->experiment->pictures->title, TESTS, STEPS, SEEDS);
    lab_table(
        out, r,
        &(LabTable){
            .heading = "Read, of all", .width = 7, .decimals = 3, .unit = "images in a batch"});
    fputc('\n', out);
    for (int i = 0; i < 3; i++)
        fprintf(out, "%-40s  in %2d of %d pairs\n", pairs[i].words,
                better(r, pairs[i].one, pairs[i].other), SEEDS * SIZES);
}

/* The two differ in the light of the images, and in nothing else. */
#define BY_BATCH_SIZE                                                                              \
    .curves = curves, .values = (LabValue[]){{"accuracy", 0, 1}, {0}}, .x_name = "batch",          \
    .points = SIZES, .seeds = SEEDS, .x = size_at, .show = show
#define READ_BY_BATCH_SIZE                                                                         \
    .x_label = "images in a batch", .y_label = "part of the test images that is read",             \
    .level_name = "guessing", .level = 1.0 / DIGITS

static const LabExperiment experiments[] = {
    {.name = "clean",
     BY_BATCH_SIZE,
     .measure = measure_clean,
     .pictures = (LabPicture[]){{.title = "Clean digits", READ_BY_BATCH_SIZE}, {0}}},
    {.name = "uneven",
     BY_BATCH_SIZE,
     .measure = measure_uneven,
     .pictures = (LabPicture[]){{.title = "Digits of uneven light", READ_BY_BATCH_SIZE}, {0}}},
    {0},
};

const Lab lab = {.functions = functions, .experiments = experiments};
