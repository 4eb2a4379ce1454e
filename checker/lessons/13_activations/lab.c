/* make lab LESSON=13: what 20 layers make of their numbers, with the norm and without, drawn layer
 * by layer; then what gamma and beta do to a shape; then two things that the norm does not do.
 *
 * The invariant: for one seed and one layer, x and the weights but for their size are the same in
 * every network. */
#include "lab.h"

#include "lab_layers.h"

static Paths paths;

enum { SEEDS = 5, PARTS = 45, MEAN = 0, SPREAD, FIRST_PART, VALUES = FIRST_PART + PARTS };

/* part_00 to part_44: the shares of a histogram. */
#define PART(tens, ones)                                                                           \
    {                                                                                              \
        "part_" #tens #ones, 0, 1                                                                  \
    }
#define HALF(t, a, b, c, d, e) PART(t, a), PART(t, b), PART(t, c), PART(t, d), PART(t, e)
#define TEN(t) HALF(t, 0, 1, 2, 3, 4), HALF(t, 5, 6, 7, 8, 9)
static const LabValue values[] = {{"mean", -INFINITY, INFINITY},
                                  {"spread", 0, INFINITY},
                                  TEN(0),
                                  TEN(1),
                                  TEN(2),
                                  TEN(3),
                                  HALF(4, 0, 1, 2, 3, 4),
                                  {0}};

static void tell_of(const float *numbers, int rows, int features, double low, double high,
                    LabTell *tell)
{
    float mean, spread, share[PARTS];
    double told[VALUES];
    paths.layer_spread(&mean, &spread, numbers, 1, rows, features);
    paths.histogram(share, numbers, rows * features, PARTS, (float)low, (float)high);
    told[MEAN] = mean;
    told[SPREAD] = spread;
    for (int b = 0; b < PARTS; b++)
        told[FIRST_PART + b] = share[b];
    tell(told);
}

/* ---- the layers' histograms ---- */
enum { SIZES = 4 };
static const double tanh_sizes[SIZES] = {0.5, 1, 2, 4};
static const double relu_sizes[SIZES] = {0.5, 1, 1.41421356, 2}; /* the third keeps its size */
static const char *const tanh_named[] = {"s=0.5", "s=1", "s=2", "s=4"};
static const char *const relu_named[] = {"s=0.5", "s=1", "s=1.41", "s=2"};
static const char *const rows_named[] = {"without the norm", "with the norm"};
static const LabCurve tanh_curves[] = {
    {"without, s=0.5", 0, 0}, {"without, s=1", 1, 0}, {"without, s=2", 2, 0},
    {"without, s=4", 3, 0},   {"with, s=0.5", 0, 1},  {"with, s=1", 1, 1},
    {"with, s=2", 2, 1},      {"with, s=4", 3, 1},    {0}};
static const LabCurve relu_curves[] = {
    {"without, s=0.5", 0, 0}, {"without, s=1", 1, 0}, {"without, s=1.41", 2, 0},
    {"without, s=2", 3, 0},   {"with, s=0.5", 0, 1},  {"with, s=1", 1, 1},
    {"with, s=1.41", 2, 1},   {"with, s=2", 3, 1},    {0}};

static const LabGrid tanh_grid = {
    .title = "tanh: the numbers of 20 layers",
    .note = "From the first layer, at the top, to the last. Every number is between -1 and 1. "
            "What is higher than 8 % is cut.",
    .first = FIRST_PART,
    .parts = PARTS,
    .mean = MEAN,
    .spread = SPREAD,
    .low = -1,
    .high = 1,
    .full = 0.03,
    .columns = SIZES,
    .columns_named = tanh_named,
    .rows_named = rows_named,
    .point_name = "layer"};

static const LabGrid relu_grid = {
    .title = "ReLU: the numbers of 20 layers",
    .note = "From the first layer, at the top, to the last. What is above 3 counts in the last "
            "part; what is higher than 8 % is cut.",
    .first = FIRST_PART,
    .parts = PARTS,
    .mean = MEAN,
    .spread = SPREAD,
    .low = 0,
    .high = 3,
    .full = 0.03,
    .columns = SIZES,
    .columns_named = relu_named,
    .rows_named = rows_named,
    .point_name = "layer"};

static double layer_at(int point)
{
    return point + 1;
}

static void measure_layers(const double *sizes, Kind kind, const LabGrid *grid, int curve,
                           uint64_t seed, LabTell *tell)
{
    Network n = network_of(kind, curve >= SIZES, sizes[curve % SIZES], seed);
    network_forward(&n, &paths);
    for (int l = 0; l < LAYERS; l++)
        tell_of(n.h + l * COUNT, ROWS, FEATURES, grid->low, grid->high, tell);
    network_free(&n);
}

static void measure_tanh(int curve, uint64_t seed, LabTell *tell)
{
    measure_layers(tanh_sizes, TANH, &tanh_grid, curve, seed, tell);
}

static void measure_relu(int curve, uint64_t seed, LabTell *tell)
{
    measure_layers(relu_sizes, RELU, &relu_grid, curve, seed, tell);
}

static void show_spreads(FILE *out, const LabResults *r)
{
    double low = INFINITY, high = -INFINITY, apart = 0;
    fputc('\n', out);
    lab_table(out, r,
              &(LabTable){.heading = "Spread",
                          .value = SPREAD,
                          .points = (int[]){0, 1, 4, 9, 14, 19},
                          .count = 6,
                          .width = 9,
                          .decimals = 1,
                          .scientific = true,
                          .unit = "layer"});
    for (int s = 0; s < SEEDS; s++)
        for (int curve = SIZES; curve < 2 * SIZES; curve++) {
            double spread = lab_number(r, curve, s, LAYERS - 1, SPREAD);
            low = fmin(low, spread);
            high = fmax(high, spread);
            apart = fmax(apart, fabs(spread - lab_number(r, SIZES, s, LAYERS - 1, SPREAD)));
        }
    fprintf(out,
            "\nWith the norm, in layer %d: %.3f to %.3f by the seed; by s at most %.0e apart\n",
            LAYERS, low, high, apart);
}

static void show_tanh(FILE *out, const LabResults *r)
{
    double ends = 0;
    fprintf(out,
            "\ntanh: %d layers of %d rows of %d numbers. Each line is a layer, from -1 to 1.\n"
            "Weights of spread s / sqrt(%d). Means of %d seeds.\n",
            LAYERS, ROWS, FEATURES, FEATURES, SEEDS);
    lab_grid(out, r);
    show_spreads(out, r);
    for (int part = 0; part < 2; part++)
        ends += lab_spread(r, SIZES - 1, LAYERS - 1, FIRST_PART + part * (PARTS - 1)).mean;
    fprintf(out, "Without it, s=4: %.0f %% of layer %d in the two outermost parts of %d\n",
            100 * ends, LAYERS, PARTS);
}

static void show_relu(FILE *out, const LabResults *r)
{
    fputs("\nReLU: the same, each line from 0 to 3, and what is above 3 at its end.\n", out);
    lab_grid(out, r);
    show_spreads(out, r);
}

/* ---- gamma and beta ---- */
enum { OF_EACH = 3, WIDE = 2048, FEW = 8 };
static const double gammas[OF_EACH] = {0.5, 1, 2}, betas[OF_EACH] = {-2, 0, 2};
static const LabCurve affine_curves[] = {{"gamma=0.5, beta=-2", 0, 0}, {"gamma=1, beta=-2", 1, 0},
                                         {"gamma=2, beta=-2", 2, 0},   {"gamma=0.5, beta=0", 0, 1},
                                         {"gamma=1, beta=0", 1, 1},    {"gamma=2, beta=0", 2, 1},
                                         {"gamma=0.5, beta=2", 0, 2},  {"gamma=1, beta=2", 1, 2},
                                         {"gamma=2, beta=2", 2, 2},    {0}};
static const LabGrid affine_grid = {
    .title = "Three gammas, three betas, one shape",
    .note = "Layer norm of rows with two humps. Line: the mean. Bar: one spread to either "
            "side.",
    .first = FIRST_PART,
    .parts = PARTS,
    .mean = MEAN,
    .spread = SPREAD,
    .low = -7,
    .high = 7,
    .columns = OF_EACH,
    .columns_named = (const char *const[]){"gamma=0.5", "gamma=1", "gamma=2"},
    .rows_named = (const char *const[]){"beta=-2", "beta=0", "beta=2"}};

/* Two humps, the left one twice as heavy; far from zero, so that there is something to normalize.
 */
static float two_humps(Rng *rng)
{
    bool left = uniform(rng, 0, 1) < 2.0 / 3;
    return (float)(500 + 30 * normal(rng) * (left ? 1 : 0.6) + (left ? 0 : 130));
}

static void measure_affine(int curve, uint64_t seed, LabTell *tell)
{
    static float x[FEW * WIDE], y[FEW * WIDE], gamma[WIDE], beta[WIDE];
    float mean[FEW], rstd[FEW];
    Rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < FEW * WIDE; i++)
        x[i] = two_humps(&rng);
    for (int j = 0; j < WIDE; j++) {
        gamma[j] = (float)gammas[curve % OF_EACH];
        beta[j] = (float)betas[curve / OF_EACH];
    }
    paths.norm(y, mean, rstd, x, gamma, beta, FEW, WIDE, 1e-5f);
    tell_of(y, FEW, WIDE, affine_grid.low, affine_grid.high, tell);
}

static void show_affine(FILE *out, const LabResults *r)
{
    double furthest = 0;
    fputs("\nLayer norm of rows with two humps, by gamma and beta. From -7 to 7.\n", out);
    lab_grid(out, r);
    fprintf(out, "\n%-20s%10s%10s\n", "", "mean", "spread");
    for (int curve = 0; curve < OF_EACH * OF_EACH; curve++) {
        LabSpread mean = lab_spread(r, curve, 0, MEAN), spread = lab_spread(r, curve, 0, SPREAD);
        fprintf(out, "%-20s%10.4f%10.4f\n", affine_curves[curve].name,
                rint(1e4 * mean.mean) / 1e4 + 0.0, spread.mean);
        furthest = fmax(furthest, fabs(mean.low - betas[curve / OF_EACH]));
        furthest = fmax(furthest, fabs(mean.high - betas[curve / OF_EACH]));
        furthest = fmax(furthest, fabs(spread.low - gammas[curve % OF_EACH]));
        furthest = fmax(furthest, fabs(spread.high - gammas[curve % OF_EACH]));
    }
    fprintf(out, "\nFurthest from beta and gamma, in %d panels and %d seeds: %.0e\n",
            OF_EACH * OF_EACH, SEEDS, furthest);
}

/* ---- what the norm does not do ---- */
enum { LENGTH, COSINE };
static const LabCurve limit_curves[] = {{"tanh, without, s=1", 0, 1},
                                        {"tanh, with", 0, 0},
                                        {"ReLU, without, s=1.41", 1, 1},
                                        {"ReLU, with", 1, 0},
                                        {0}};

static void measure_limits(int curve, uint64_t seed, LabTell *tell)
{
    Network n = network_of(curve < 2 ? TANH : RELU, curve % 2, curve < 2 ? 1 : relu_sizes[2], seed);
    double length[LAYERS];
    network_forward(&n, &paths);
    network_backward(&n, &paths, length);
    for (int l = 0; l < LAYERS; l++)
        tell((double[]){length[l], mean_cosine(n.h + l * COUNT)});
    network_free(&n);
}

static void show_limits(FILE *out, const LabResults *r)
{
    static const int layers[] = {0, 1, 4, 9, 14, 19};
    int width = lab_names_width(r->experiment);
    fputs("\nWhat the norm does not do. Each layer's gradient of its weights, for a loss that\n"
          "pulls every number of the last layer in a direction of its own:\n\n",
          out);
    lab_table(out, r,
              &(LabTable){.heading = "Length of the gradient",
                          .value = LENGTH,
                          .points = layers,
                          .count = 6,
                          .width = 8,
                          .decimals = 3,
                          .unit = "layer"});
    fprintf(out, "\n%-*s%10s%22s\n", width, "First layer's over last's", "mean",
            "lowest and highest");
    for (int curve = 0; limit_curves[curve].name; curve++) {
        double mean = 0, low = INFINITY, high = -INFINITY;
        for (int s = 0; s < SEEDS; s++) {
            double ratio =
                lab_number(r, curve, s, 0, LENGTH) / lab_number(r, curve, s, LAYERS - 1, LENGTH);
            mean += ratio / SEEDS;
            low = fmin(low, ratio);
            high = fmax(high, ratio);
        }
        fprintf(out, "  %-*s%13.2f%14.2f%8.2f\n", width - 2, limit_curves[curve].name, mean, low,
                high);
    }
    fputs("\nHow much alike a layer's rows are: the mean cosine of two. 1: the same.\n"
          "\n",
          out);
    lab_table(out, r,
              &(LabTable){.heading = "Cosine",
                          .value = COSINE,
                          .points = layers,
                          .count = 6,
                          .width = 8,
                          .decimals = 3,
                          .unit = "layer"});
}

#define LAYERS_OF(kind)                                                                            \
    .name = #kind, .curves = kind##_curves, .values = values, .x_name = "layer", .points = LAYERS, \
    .seeds = SEEDS, .x = layer_at, .measure = measure_##kind, .show = show_##kind,                 \
    .grid = &kind##_grid

static const LabExperiment experiments[] = {
    {LAYERS_OF(tanh)},
    {LAYERS_OF(relu)},
    {.name = "affine",
     .curves = affine_curves,
     .values = values,
     .x_name = "layer",
     .points = 1,
     .seeds = SEEDS,
     .x = layer_at,
     .measure = measure_affine,
     .show = show_affine,
     .grid = &affine_grid},
    {.name = "limits",
     .curves = limit_curves,
     .values = (LabValue[]){{"gradient", 0, INFINITY}, {"cosine", -1, 1.000001}, {0}},
     .x_name = "layer",
     .points = LAYERS,
     .seeds = SEEDS,
     .x = layer_at,
     .measure = measure_limits,
     .show = show_limits,
     .pictures = (LabPicture[]){{.name = "gradient",
                                 .value = LENGTH,
                                 .title = "How long each layer's gradient is",
                                 .x_label = "layer",
                                 .y_label = "length",
                                 .y_log = true},
                                {.name = "cosine",
                                 .value = COSINE,
                                 .title = "How much alike the rows of a layer are",
                                 .x_label = "layer",
                                 .y_label = "mean cosine of two rows"},
                                {0}}},
    {0},
};

static const LabFunction functions[] = {
    {"13_activations", "deep_forward", &paths.deep_forward},
    {"13_activations", "layer_spread", &paths.layer_spread},
    {"13_activations", "histogram", &paths.histogram},
    {"02_backward", "layer_norm_forward", &paths.norm},
    {"02_backward", "layer_norm_backward", &paths.norm_backward},
    {0},
};

const Lab lab = {.functions = functions, .experiments = experiments};
