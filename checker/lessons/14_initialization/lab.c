/* Lesson 14's lab: networks learn to read drawn digits from several starts of gamma and beta,
 * without residual paths and with them; and then with weight decay, on the weights only or on
 * everything.
 *
 * The invariant: for one seed, the first weights and all the images are the same in all trainings
 * of an experiment. They differ in the start, or in the decay, and in nothing else. */
#include "lab.h"

#include "lab_network.h"

static Calls calls;
static const LabFunction functions[] = {{"02_backward", "layer_norm_forward", &calls.forward},
                                        {"02_backward", "layer_norm_backward", &calls.backward},
                                        {"14_initialization", "identity_init", &calls.identity},
                                        {"14_initialization", "target_init", &calls.target},
                                        {"14_initialization", "momentum_step", &calls.step},
                                        {0}};

enum { POINTS = 10, EVERY = 20, SEEDS = 5 };
enum { DATA_SEED = 1 << 20 }; /* the images' are further on than any seed of the weights */

/* ---- training ---- */
typedef struct {
    float rate, momentum, decay, other_decay; /* other_decay: of what is no weight */
} Steps;

static void draw_images(float *images, int *digits, Rng *rng)
{
    for (int r = 0; r < BATCH; r++) {
        digits[r] = uniform_int(rng, 0, DIGITS - 1);
        draw_digit(images + r * PIXELS, SIDE, digits[r], rng);
    }
}

static void move(Moved *m, Steps steps, float decay)
{
    calls.step(m->values, m->velocity, m->slopes, m->count, steps.rate, steps.momentum, decay);
}

/* The average size of the gammas of all layers. */
static double gamma_size(const Network *n)
{
    double sum = 0;
    for (int k = 0; k < n->layers; k++)
        for (int j = 0; j < FEATURES; j++)
            sum += fabs((double)n->layer[k].norm.gamma[j]);
    return sum / (n->layers * FEATURES);
}

/* Every image is new, so a batch is a test before it is learned from. */
static void train(Paths paths, Start start, Steps steps, uint64_t seed, LabTell *tell)
{
    static Network n;
    static float images[BATCH * PIXELS];
    int digits[BATCH];
    Rng weights, data;
    rng_seed(&weights, seed);
    rng_seed(&data, seed + DATA_SEED);
    draw_images(images, digits, &data);
    network_start(&n, &calls, paths, start, images, &weights);
    for (int point = 0; point < POINTS; point++) {
        double loss = 0;
        int right = 0;
        for (int i = 0; i < EVERY; i++) {
            network_forward(&n, images);
            loss += softmax_loss(n.dscores, n.scores, digits, BATCH, DIGITS, &right);
            network_backward(&n, images);
            move(&n.weights, steps, steps.decay);
            move(&n.others, steps, steps.other_decay);
            draw_images(images, digits, &data);
        }
        tell((double[]){(double)right / (EVERY * BATCH), loss / (EVERY * BATCH), gamma_size(&n)});
    }
    network_free(&n);
}

/* ---- the experiments ---- */
enum { ACCURACY, LOSS, GAMMA };
static const LabValue values[] = {
    {"accuracy", 0, 1}, {"loss", 0, INFINITY}, {"gamma", 0, INFINITY}, {0}};

static double step_at(int point)
{
    return EVERY * (point + 1);
}

/* The norm at the end begins as the others do in the plain network, and with ones and zeros where
 * there are residual paths; but for the last curve, where it is the other way round. */
static const Start starts[] = {{SAME, 1, 0}, {SAME, 0.1f, 0}, {SAME, 10, 0},
                               {SAME, 0, 0}, {SAME, 1, 1},    {SAME, 1, -1},
                               {IDENTITY},   {TARGET},        {SAME, 10, 0}};
enum { OTHER_END = sizeof starts / sizeof *starts - 1 };
#define CURVES(other_end)                                                                          \
    (LabCurve[])                                                                                   \
    {                                                                                              \
        {"gamma 1, beta 0", 0, 0}, {"gamma 0.1", 1, 0}, {"gamma 10", 2, 0}, {"gamma 0", 3, 0},     \
            {"beta 1", 4, 1}, {"beta -1", 5, 1}, {"identity", 1, 2}, {"target", 3, 2},             \
            {other_end, 2, 1},                                                                     \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
static const Steps plain_steps = {0.1f, 0, 0, 0};

static void measure_start(Paths paths, int curve, uint64_t seed, LabTell *tell)
{
    Start start = starts[curve];
    start.ones_at_end = (paths == RESIDUAL) != (curve == OTHER_END);
    train(paths, start, plain_steps, seed, tell);
}

static void measure_plain(int curve, uint64_t seed, LabTell *tell)
{
    measure_start(PLAIN, curve, seed, tell);
}

static void measure_residual(int curve, uint64_t seed, LabTell *tell)
{
    measure_start(RESIDUAL, curve, seed, tell);
}

static const Steps decays[] = {{0.01f, 0.9f, 0, 0},
                               {0.01f, 0.9f, 0.03f, 0},
                               {0.01f, 0.9f, 0.03f, 0.03f},
                               {0.01f, 0.9f, 0.1f, 0},
                               {0.01f, 0.9f, 0.1f, 0.1f}};
static const LabCurve decay_curves[] = {{"no decay", 0, 0},         {"0.03, weights only", 1, 0},
                                        {"0.03, everything", 1, 1}, {"0.1, weights only", 2, 0},
                                        {"0.1, everything", 2, 1},  {0}};

static void measure_decay(int curve, uint64_t seed, LabTell *tell)
{
    train(PLAIN, starts[0], decays[curve], seed, tell);
}

/* ---- what is shown ---- */
/* With how many seeds it reads less in the end than the first curve. */
static int behind_first(const LabResults *r, int curve)
{
    int count = 0, end = POINTS - 1;
    for (int s = 0; s < SEEDS; s++)
        count += lab_number(r, curve, s, end, ACCURACY) < lab_number(r, 0, s, end, ACCURACY);
    return count;
}

static void show_ends(FILE *out, const LabResults *r)
{
    const LabExperiment *e = r->experiment;
    int width = lab_names_width(e), end = POINTS - 1;
    fprintf(out, "\n%-*s%9s%10s%11s%12s\n", width, "In the end", "loss", "gamma's", "behind",
            "read, by");
    fprintf(out, "%-*s%9s%10s%11s%13s\n", width, "", "", "size", "line 1", "each seed");
    for (int curve = 0; e->curves[curve].name; curve++) {
        fprintf(out, "  %-*s%9.3f%10.3f%6d of %d  ", width - 2, e->curves[curve].name,
                lab_spread(r, curve, end, LOSS).mean, lab_spread(r, curve, end, GAMMA).mean,
                behind_first(r, curve), SEEDS);
        for (int s = 0; s < SEEDS; s++)
            fprintf(out, "%7.3f", lab_number(r, curve, s, end, ACCURACY));
        fputc('\n', out);
    }
}

static void show(FILE *out, const LabResults *r, const char *heading)
{
    fprintf(out, "\n%s\n\n", heading);
    lab_table(out, r,
              &(LabTable){.heading = "Read, of all",
                          .value = ACCURACY,
                          .points = (int[]){0, 1, 2, 4, 6, POINTS - 1},
                          .count = 6,
                          .width = 7,
                          .decimals = 3,
                          .unit = "steps"});
    show_ends(out, r);
}

static void show_plain(FILE *out, const LabResults *r)
{
    show(out, r,
         "Without residual paths. The part of the last 640 images that was read,\n"
         "by where gamma and beta start. Guessing reads 0.1, with a loss of 2.303.");
}

static void show_residual(FILE *out, const LabResults *r)
{
    show(out, r, "With residual paths:");
}

static void show_decay(FILE *out, const LabResults *r)
{
    show(out, r,
         "Without residual paths, from gamma 1 and beta 0, with momentum 0.9, a rate of\n"
         "0.01, and weight decay:");
}

#define PICTURES(words)                                                                            \
    (LabPicture[])                                                                                 \
    {                                                                                              \
        {.title = words,                                                                           \
         .x_label = "training steps",                                                              \
         .y_label = "part of the images that is read",                                             \
         .level_name = "guessing",                                                                 \
         .level = 1.0 / DIGITS,                                                                    \
         .apart = true},                                                                           \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define BY_STEPS .values = values, .x_name = "step", .points = POINTS, .seeds = SEEDS, .x = step_at

static const LabExperiment experiments[] = {
    {.name = "plain",
     .curves = CURVES("gamma 10, end 1"),
     .measure = measure_plain,
     .show = show_plain,
     .pictures = PICTURES("What is read without residual paths, by how the norm starts"),
     BY_STEPS},
    {.name = "residual",
     .curves = CURVES("gamma 10, end 10"),
     .measure = measure_residual,
     .show = show_residual,
     .pictures = PICTURES("What is read with residual paths, by how the norm starts"),
     BY_STEPS},
    {.name = "decay",
     .curves = decay_curves,
     .measure = measure_decay,
     .show = show_decay,
     .pictures = PICTURES("What is read with weight decay"),
     BY_STEPS},
    {0},
};

const Lab lab = {.functions = functions, .experiments = experiments};
