/* Lesson 15's lab: what a norm takes away, and which norm gives it back. One small network, behind
 * layer norm, ada_norm, adaptive_norm or no norm at all, learns a task that asks for the row's
 * spread; and then to read digits, from few examples.
 *
 * The invariant: for one seed, the examples and the first weights are the same for all norms. The
 * networks differ in the norm, and in nothing else. */
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "lab_network.h"

enum { SEEDS = 5, STEPS = 300, TESTS = 512 };

/* ---- the tasks ---- */
/* The first half of the row lies above the second, or below it: class % 2. Its spread is below 1,
 * or above: class / 2. */
enum { FEATURES = 16 };

static void draw_row(float *x, int class, Rng *rng)
{
    double sum = 0, squares = 0, spread = exp(uniform(rng, 0, 1.5) * (class / 2 ? 1 : -1));
    for (int j = 0; j < FEATURES; j++) {
        x[j] = (float)(normal(rng) + ((j < FEATURES / 2) == class % 2 ? 1 : -1));
        sum += x[j];
        squares += (double)x[j] * x[j];
    }
    double own = sqrt(squares / FEATURES - sum / FEATURES * (sum / FEATURES));
    for (int j = 0; j < FEATURES; j++)
        x[j] *= (float)(spread / own);
}

static void draw_image(float *x, int class, Rng *rng)
{
    draw_digit(x, SIDE, class, rng);
}

static const Task rows_task = {FEATURES, 4, true, draw_row};
static const Task digits_task = {SIDE * SIDE, DIGITS, false, draw_image};

typedef struct {
    float *x;
    int *class;
    int count;
} Examples;

static Examples draw_examples(const Task *task, int count, Rng *rng)
{
    Examples drawn = {zeros(count * task->inputs), calloc((size_t)count, sizeof(int)), count};
    if (!drawn.class)
        author_error("there is no memory for the lab's examples");
    for (int i = 0; i < count; i++) {
        drawn.class[i] = uniform_int(rng, 0, task->classes - 1);
        task->draw(drawn.x + i * task->inputs, drawn.class[i], rng);
    }
    return drawn;
}

static void examples_free(Examples *examples)
{
    free(examples->x);
    free(examples->class);
}

/* The class that the network gives to each of the examples, a multiple of BATCH. */
static void answer(Network *n, const Examples *examples, int *given)
{
    for (int i = 0; i < examples->count; i += BATCH) {
        network_forward(n, examples->x + i * n->task->inputs);
        for (int r = 0; r < BATCH; r++) {
            const float *scores = n->scores + r * n->task->classes;
            given[i + r] = 0;
            for (int c = 1; c < n->task->classes; c++)
                given[i + r] = scores[c] > scores[given[i + r]] ? c : given[i + r];
        }
    }
}

/* The share of the examples that is right once class and answer are both divided, then reduced. */
static double right_in(const Examples *examples, const int *given, int divisor, int modulus)
{
    int right = 0;
    for (int i = 0; i < examples->count; i++)
        right += given[i] / divisor % modulus == examples->class[i] / divisor % modulus;
    return (double)right / examples->count;
}

/* ---- which half is higher, and is the spread above 1? ---- */
enum { EVERY = 10, ROWS_POINTS = STEPS / EVERY + 1, ALL = 0, HALF, SPREAD };

static double steps_at(int point)
{
    return point * EVERY;
}

static void measure_rows(int curve, uint64_t seed, LabTell *tell)
{
    static Network n;
    int given[TESTS];
    Rng rng;
    rng_seed(&rng, seed);
    Examples test = draw_examples(&rows_task, TESTS, &rng);
    network_start(&n, &rows_task, (Method)curve, &rng);
    for (int step = 0; step <= STEPS; step++) {
        if (step) {
            Examples batch = draw_examples(&rows_task, BATCH, &rng);
            network_step(&n, batch.x, batch.class, step);
            examples_free(&batch);
        }
        if (step % EVERY)
            continue;
        answer(&n, &test, given);
        tell((double[]){right_in(&test, given, 1, 4), right_in(&test, given, 1, 2),
                        right_in(&test, given, 2, 2)});
    }
    network_free(&n);
    examples_free(&test);
}

static void show_rows(FILE *out, const LabResults *r)
{
    const LabExperiment *e = r->experiment;
    fprintf(out,
            "\nFour classes: which half of the row is higher, and is its spread above 1?\n"
            "The part of %d others that is right; means of %d seeds.\n\n",
            TESTS, SEEDS);
    lab_table(out, r,
              &(LabTable){.heading = "Right",
                          .points = (int[]){0, 3, 10, 20, ROWS_POINTS - 1},
                          .count = 5,
                          .width = 7,
                          .decimals = 3,
                          .unit = "steps"});
    fprintf(out, "\n%-*s%9s%11s   %s\n", lab_names_width(e), "At the end", "the half", "the spread",
            "both, by each seed");
    for (int curve = 0; e->curves[curve].name; curve++) {
        int last = e->points - 1;
        fprintf(out, "  %-*s%9.3f%11.3f ", lab_names_width(e) - 2, e->curves[curve].name,
                lab_spread(r, curve, last, HALF).mean, lab_spread(r, curve, last, SPREAD).mean);
        for (int s = 0; s < e->seeds; s++)
            fprintf(out, "%7.3f", lab_number(r, curve, s, last, ALL));
        fputc('\n', out);
    }
}

/* ---- digits, from few examples ---- */
static const int sizes[] = {32, 128, 512};
enum { SIZES = sizeof sizes / sizeof *sizes, NEW = 0, SEEN };

static double size_at(int point)
{
    return sizes[point];
}

/* Trained on `few` of the examples, drawn anew at every step. */
static void learn_few(Network *n, const Examples *few, Rng *rng)
{
    static float x[BATCH * MOST_INPUTS];
    int class[BATCH], inputs = n->task->inputs;
    for (int step = 1; step <= STEPS; step++) {
        for (int r = 0; r < BATCH; r++) {
            int i = uniform_int(rng, 0, few->count - 1);
            memcpy(x + r * inputs, few->x + i * inputs, (size_t)inputs * sizeof *x);
            class[r] = few->class[i];
        }
        network_step(n, x, class, step);
    }
}

static void measure_digits(int curve, uint64_t seed, LabTell *tell)
{
    static Network n;
    int given[TESTS];
    for (int point = 0; point < SIZES; point++) {
        Rng rng;
        rng_seed(&rng, seed);
        Examples test = draw_examples(&digits_task, TESTS, &rng);
        Examples few = draw_examples(&digits_task, sizes[point], &rng);
        double part[2];
        network_start(&n, &digits_task, (Method)curve, &rng);
        learn_few(&n, &few, &rng);
        answer(&n, &test, given);
        part[NEW] = right_in(&test, given, 1, DIGITS);
        answer(&n, &few, given);
        part[SEEN] = right_in(&few, given, 1, DIGITS);
        tell(part);
        network_free(&n);
        examples_free(&test);
        examples_free(&few);
    }
}

/* In how many pairs, of one seed and one number of examples, `one` reads more than `other`. */
static int ahead(const LabResults *r, int one, int other)
{
    int count = 0;
    for (int s = 0; s < r->experiment->seeds; s++)
        for (int i = 0; i < SIZES; i++)
            count += lab_number(r, one, s, i, NEW) > lab_number(r, other, s, i, NEW);
    return count;
}

static double least_seen(const LabResults *r)
{
    double least = 1;
    for (int curve = 0; r->experiment->curves[curve].name; curve++)
        for (int i = 0; i < SIZES; i++)
            least = fmin(least, lab_spread(r, curve, i, SEEN).low);
    return least;
}

static void show_digits(FILE *out, const LabResults *r)
{
    static const struct {
        Method one, other;
        const char *words;
    } pairs[] = {{ADA, LAYER, "ada_norm reads more than layer norm"},
                 {ADA_WITHOUT_K, LAYER, "k 0 reads more than layer norm"},
                 {ADA, ADA_WITHOUT_K, "ada_norm reads more than k 0"}};
    fprintf(out,
            "\nDigits. The part of %d new ones that is read after %d steps,\n"
            "by the number of examples to learn from. Means of %d seeds.\n\n",
            TESTS, STEPS, SEEDS);
    lab_table(
        out, r,
        &(LabTable){.heading = "Read, of new ones", .width = 7, .decimals = 3, .unit = "examples"});
    fprintf(out, "\nOf those that it learned from, no network reads less than %.3f.\n",
            least_seen(r));
    for (int i = 0; i < 3; i++)
        fprintf(out, "%-35s  in %2d of %d pairs, fewer in %2d\n", pairs[i].words,
                ahead(r, pairs[i].one, pairs[i].other), SEEDS * SIZES,
                ahead(r, pairs[i].other, pairs[i].one));
}

#define FOUR_NORMS                                                                                 \
    {"layer norm", 0, 0}, {"ada_norm", 1, 0}, {"adaptive_norm", 2, 0},                             \
    {                                                                                              \
        "no norm", 3, 0                                                                            \
    }

static const LabExperiment experiments[] = {
    {.name = "rows",
     .curves = (LabCurve[]){FOUR_NORMS, {0}},
     .values = (LabValue[]){{"right", 0, 1}, {"half", 0, 1}, {"spread", 0, 1}, {0}},
     .x_name = "step",
     .points = ROWS_POINTS,
     .seeds = SEEDS,
     .x = steps_at,
     .measure = measure_rows,
     .show = show_rows,
     .pictures = (LabPicture[]){{.title = "Which half is higher, and is the spread above 1?",
                                 .x_label = "training steps",
                                 .y_label = "part of 512 rows that is right",
                                 .level_name = "the spread guessed",
                                 .level = 0.5,
                                 .every = 5},
                                {0}}},
    {.name = "digits",
     .curves = (LabCurve[]){FOUR_NORMS, {"ada_norm, k 0", 1, 1}, {0}},
     .values = (LabValue[]){{"new", 0, 1}, {"seen", 0, 1}, {0}},
     .x_name = "examples",
     .points = SIZES,
     .seeds = SEEDS,
     .x = size_at,
     .measure = measure_digits,
     .show = show_digits,
     .pictures =
         (LabPicture[]){{.title = "New digits read, more than layer norm reads",
                         .x_label = "examples to learn from",
                         .y_label = "part of 512, less that of layer norm with the same seed",
                         .x_log = true,
                         .level_name = "layer norm",
                         .above_first = true,
                         .apart = true},
                        {0}}},
    {0},
};

const Lab lab = {.functions = norm_functions, .experiments = experiments};
