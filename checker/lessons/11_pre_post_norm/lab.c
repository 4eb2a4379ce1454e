/* make lab LESSON=11: how long the gradients of a transformer are at the start, by its depth and by
 * the place of its norms; then the same transformer is trained to reverse 8 symbols.
 *
 * The invariant: for one seed and one depth, the first weights and the examples are the same
 * wherever the norms are. */
#include "lab_encoder.h"

#include "lab.h"
#include "network.h"

static Paths paths;

/* ---- examples ---- */
enum { BATCH = 16, MOST_ROWS = BATCH * TIME };

typedef struct {
    int symbols[MOST_ROWS], reversed[MOST_ROWS];
} Examples;

static void draw_examples(Examples *examples, int rows, Rng *rng)
{
    for (int r = 0; r < rows; r++)
        examples->symbols[r] = uniform_int(rng, 0, SYMBOLS - 1);
    for (int r = 0; r < rows; r++)
        examples->reversed[r] = examples->symbols[r / TIME * TIME + TIME - 1 - r % TIME];
}

/* ---- the gradients at the start ---- */
enum { DEPTHS = 8, DEEPEST = 24, DRAWS = 8, WIDE = 128, FEW = 4 };
static const int depths[DEPTHS] = {2, 3, 4, 6, 8, 12, 16, DEEPEST};
static const LabCurve depth_curves[] = {{"post-norm, one position", 0, 0},
                                        {"pre-norm, one position", 1, 0},
                                        {"post-norm, loss of a batch", 0, 1},
                                        {"pre-norm, loss of a batch", 1, 1},
                                        {0}};
static const char *const theory[] = {"        0", "     -0.5", "", ""};

/* The length of each layer's gradient of w2, root mean square over fresh networks. */
static void measure_start(Place place, int layers, bool whole_batch, uint64_t seed, double *rms)
{
    float norms[DEEPEST];
    Rng rng;
    rng_seed(&rng, seed);
    for (int l = 0; l < layers; l++)
        rms[l] = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        Encoder e;
        Examples examples;
        int right = 0;
        encoder_start(&e, &paths, place, layers, WIDE, whole_batch ? FEW : 1, &rng);
        draw_examples(&examples, e.rows, &rng);
        encoder_forward(&e, examples.symbols);
        softmax_loss(e.danswers, e.answers, examples.reversed, whole_batch ? e.rows : 1, SYMBOLS,
                     &right); /* the slopes of the other positions are 0 */
        encoder_backward(&e, examples.symbols);
        paths.gradient_norms(norms, e.dw.w2, layers, WIDE * FEATURES);
        encoder_free(&e);
        for (int l = 0; l < layers; l++)
            rms[l] += (double)norms[l] * norms[l] / DRAWS;
    }
    for (int l = 0; l < layers; l++)
        rms[l] = sqrt(rms[l]);
}

static double depth_at(int point)
{
    return depths[point];
}

static void measure_depths(int curve, uint64_t seed, LabTell *tell)
{
    double rms[DEEPEST];
    for (int i = 0; i < DEPTHS; i++) {
        measure_start((Place)(curve % 2), depths[i], curve >= 2, seed, rms);
        tell(&rms[depths[i] - 1]);
    }
}

/* p of the line through log(length) = p log(depth) + c. */
static double fitted_power(const LabResults *r, int curve, int seed)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < DEPTHS; i++) {
        double log_x = log(depths[i]), log_y = log(lab_number(r, curve, seed, i, 0));
        x += log_x / DEPTHS;
        y += log_y / DEPTHS;
        xx += log_x * log_x / DEPTHS;
        xy += log_x * log_y / DEPTHS;
    }
    return (xy - x * y) / (xx - x * x);
}

static void show_depths(FILE *out, const LabResults *r)
{
    int width = lab_names_width(r->experiment), seeds = r->experiment->seeds;
    fputs(
        "\nBefore training: the length of the last layer's gradient, by the number of layers.\n\n",
        out);
    lab_table(
        out, r,
        &(LabTable){.heading = "Gradient of w2", .width = 8, .decimals = 4, .unit = "layers"});
    fprintf(out, "\n%-*s%9s%22s%9s\n", width, "It grows as the depth to the", "power",
            "lowest and highest", "theory");
    for (int curve = 0; depth_curves[curve].name; curve++) {
        double mean = 0, low = INFINITY, high = -INFINITY;
        for (int s = 0; s < seeds; s++) {
            double power = fitted_power(r, curve, s);
            mean += power / seeds;
            low = fmin(low, power);
            high = fmax(high, power);
        }
        fprintf(out, "  %-*s%9.2f%14.2f%8.2f%s\n", width - 2, depth_curves[curve].name, mean, low,
                high, theory[curve]);
    }
}

static const LabCurve place_curves[] = {{"post-norm", 0, 0}, {"pre-norm", 1, 0}, {0}};

static double layer_at(int point)
{
    return point + 1;
}

static void measure_layers(int curve, uint64_t seed, LabTell *tell)
{
    double rms[DEEPEST];
    measure_start((Place)curve, DEEPEST, false, seed, rms);
    for (int l = 0; l < DEEPEST; l++)
        tell(&rms[l]);
}

static void show_layers(FILE *out, const LabResults *r)
{
    fprintf(out, "\nThe same in %d layers, one position, from the first layer to the last:\n\n",
            DEEPEST);
    lab_table(out, r,
              &(LabTable){.heading = "Gradient of w2",
                          .points = (int[]){0, 3, 7, 11, 15, 19, 23},
                          .count = 7,
                          .width = 8,
                          .decimals = 4,
                          .unit = "layer"});
}

/* ---- training ---- */
enum { HIDDEN = 64, EVERY = 10 };

typedef struct {
    Place place;
    int layers, warm_up; /* steps in which the rate grows from 0 */
} Run;

static double step_at(int point)
{
    return EVERY * (point + 1);
}

enum { ACCURACY, LOSS };
static const LabValue outcomes[] = {{"accuracy", 0, 1}, {"loss", 0, INFINITY}, {0}};

/* Every example is new, so a batch is a test before it is learned from. */
static void train(Run run, double rate, int points, uint64_t seed, LabTell *tell)
{
    Encoder e;
    Examples examples;
    Rng rng;
    rng_seed(&rng, seed);
    encoder_start(&e, &paths, run.place, run.layers, HIDDEN, BATCH, &rng);
    for (int point = 0, step = 1; point < points; point++) {
        double loss = 0;
        int right = 0;
        for (int i = 0; i < EVERY; i++, step++) {
            draw_examples(&examples, e.rows, &rng);
            encoder_forward(&e, examples.symbols);
            loss += softmax_loss(e.danswers, e.answers, examples.reversed, e.rows, SYMBOLS, &right);
            encoder_backward(&e, examples.symbols);
            encoder_step(&e, (float)(step < run.warm_up ? rate * step / run.warm_up : rate));
        }
        tell((double[]){(double)right / (EVERY * e.rows), loss / (EVERY * e.rows)});
    }
    encoder_free(&e);
}

enum { FAST_POINTS = 20, SLOW_POINTS = 15 };
static const double FAST = 0.01, SLOW = 0.003;
static const Run fast_runs[] = {
    {POST_NORM, 6, 0}, {POST_NORM, 6, 100}, {PRE_NORM, 6, 0}, {NO_NORM, 6, 0}};
static const LabCurve fast_curves[] = {
    {"post-norm", 0, 0}, {"post-norm, warm-up", 0, 1}, {"pre-norm", 1, 0}, {"no norm", 2, 0}, {0}};
static const Run slow_runs[] = {{POST_NORM, 6, 0}, {POST_NORM, 12, 0}, {PRE_NORM, 12, 0}};
static const LabCurve slow_curves[] = {{"post-norm,  6 layers", 0, 1},
                                       {"post-norm, 12 layers", 0, 0},
                                       {"pre-norm, 12 layers", 1, 0},
                                       {0}};

static void measure_fast(int curve, uint64_t seed, LabTell *tell)
{
    train(fast_runs[curve], FAST, FAST_POINTS, seed, tell);
}

static void measure_slow(int curve, uint64_t seed, LabTell *tell)
{
    train(slow_runs[curve], SLOW, SLOW_POINTS, seed, tell);
}

static void show_accuracy(FILE *out, const LabResults *r, const int *points, int count)
{
    const LabExperiment *e = r->experiment;
    int width = lab_names_width(e);
    lab_table(out, r,
              &(LabTable){.heading = "Part that is right",
                          .points = points,
                          .count = count,
                          .width = 7,
                          .decimals = 3,
                          .unit = "steps"});
    fprintf(out, "\n%-*s%10s%23s\n", width, "At the end", "loss", "part that is right,");
    fprintf(out, "%-*s%10s%17s\n", width, "", "(mean)", "by each seed");
    for (int curve = 0; e->curves[curve].name; curve++) {
        fprintf(out, "  %-*s%10.3f  ", width - 2, e->curves[curve].name,
                lab_spread(r, curve, e->points - 1, LOSS).mean);
        for (int s = 0; s < e->seeds; s++)
            fprintf(out, "%7.3f", lab_number(r, curve, s, e->points - 1, ACCURACY));
        fputc('\n', out);
    }
}

static void show_fast(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nTraining to reverse %d symbols: 6 layers, learning rate %g. Guessing: %.3f,\nand a "
            "loss of %.3f.\n\n",
            TIME, FAST, 1.0 / SYMBOLS, log(SYMBOLS));
    show_accuracy(out, r, (int[]){0, 2, 4, 6, 9, 14, 19}, 7);
}

static void show_slow(FILE *out, const LabResults *r)
{
    fprintf(out, "\nThe same with a learning rate of %g, and deeper:\n\n", SLOW);
    show_accuracy(out, r, (int[]){0, 2, 4, 6, 9, 14}, 6);
}

/* ---- what it shows ---- */
enum { SEEDS = 5 };
#define LENGTHS .y_label = "length of the gradient of w2", .y_log = true
#define ACCURACIES                                                                                 \
    .x_label = "training steps", .y_label = "part that is right", .level_name = "guessing",        \
    .level = 1.0 / SYMBOLS, .every = 2

static const LabExperiment experiments[] = {
    {.name = "depth",
     .curves = depth_curves,
     .values = (LabValue[]){{"length", 0, INFINITY}, {0}},
     .x_name = "layers",
     .points = DEPTHS,
     .seeds = SEEDS,
     .x = depth_at,
     .measure = measure_depths,
     .show = show_depths,
     .pictures = (LabPicture[]){{.title = "The last layer's gradient at the start",
                                 .x_label = "layers",
                                 .x_log = true,
                                 LENGTHS},
                                {0}}},
    {.name = "layers",
     .curves = place_curves,
     .values = (LabValue[]){{"length", 0, INFINITY}, {0}},
     .x_name = "layer",
     .points = DEEPEST,
     .seeds = SEEDS,
     .x = layer_at,
     .measure = measure_layers,
     .show = show_layers,
     .pictures =
         (LabPicture[]){
             {.title = "Each layer's gradient at the start", .x_label = "layer of 24", LENGTHS},
             {0}}},
    {.name = "training",
     .curves = fast_curves,
     .values = outcomes,
     .x_name = "step",
     .points = FAST_POINTS,
     .seeds = SEEDS,
     .x = step_at,
     .measure = measure_fast,
     .show = show_fast,
     .pictures = (LabPicture[]){{.title = "6 layers, learning rate 0.01", ACCURACIES}, {0}}},
    {.name = "deeper",
     .curves = slow_curves,
     .values = outcomes,
     .x_name = "step",
     .points = SLOW_POINTS,
     .seeds = SEEDS,
     .x = step_at,
     .measure = measure_slow,
     .show = show_slow,
     .pictures = (LabPicture[]){{.title = "Learning rate 0.003", ACCURACIES}, {0}}},
    {0},
};

static const LabFunction functions[] = {
    {"11_pre_post_norm", "post_norm", &paths.post_norm},
    {"11_pre_post_norm", "post_norm_backward", &paths.post_norm_backward},
    {"11_pre_post_norm", "pre_norm_backward", &paths.pre_norm_backward},
    {"11_pre_post_norm", "gradient_norms", &paths.gradient_norms},
    {0},
};

const Lab lab = {.functions = functions, .experiments = experiments};
