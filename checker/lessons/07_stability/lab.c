/* make lab LESSON=07: how far off four ways to the variance are, the further a row is from zero;
 * and what a norm makes of small rows, by its epsilon.
 *
 * The invariant: what an error is measured against is the variance of the very floats that the
 * functions were given, in double precision, about the mean. */
#include "lab.h"

#include "../../../include/01_layer_norm.h"
#include "../../../include/07_stability.h"

/* The learner's functions, or the solutions'. */
static __typeof__(row_mean) *mean_of;
static __typeof__(row_variance) *variance_of;
static __typeof__(welford_statistics) *welford;
static __typeof__(merge_statistics) *merge;
static __typeof__(layer_norm_wide) *norm;

enum { NUMBERS = 4096, PARTS = 64, SEEDS = 5 };

static double spread_of(const float *x, int count)
{
    double mean = 0, squares = 0;
    for (int j = 0; j < count; j++)
        mean += x[j];
    mean /= count;
    for (int j = 0; j < count; j++)
        squares += (x[j] - mean) * (x[j] - mean);
    return sqrt(squares / count);
}

/* ---- four ways to the variance of NUMBERS numbers ---- */
static double by_squares(const float *x)
{
    float sum = 0, squares = 0;
    for (int j = 0; j < NUMBERS; j++) {
        sum += x[j];
        squares += x[j] * x[j];
    }
    float mean = sum / NUMBERS;
    return squares / NUMBERS - mean * mean;
}

static double by_two_passes(const float *x)
{
    return variance_of(x, NUMBERS, mean_of(x, NUMBERS));
}

static double by_welford(const float *x)
{
    float mean, variance;
    welford(&mean, &variance, x, 1, NUMBERS);
    return variance;
}

/* Parts by Welford, then the first half of them merged with the second, until one is left. */
static double by_parts(const float *x)
{
    float mean[PARTS], variance[PARTS], merged[PARTS], merged_variance[PARTS];
    int each = NUMBERS / PARTS;
    welford(mean, variance, x, PARTS, each);
    for (int half = PARTS / 2; half >= 1; half /= 2, each *= 2) {
        merge(merged, merged_variance, mean, variance, mean + half, variance + half, half, each,
              each);
        for (int part = 0; part < half; part++) {
            mean[part] = merged[part];
            variance[part] = merged_variance[part];
        }
    }
    return variance[0];
}

static double offset_at(int point) /* in spreads: 1, 3.16, 10, ... 1e6 */
{
    return pow(10, 0.5 * point);
}

enum { OFFSETS = 13 };

static void measure_errors(int curve, uint64_t seed, LabTell *tell)
{
    static double (*const ways[])(const float *) = {by_squares, by_two_passes, by_welford,
                                                    by_parts};
    static double drawn[NUMBERS];
    static float x[NUMBERS];
    Rng rng;
    rng_seed(&rng, seed);
    for (int j = 0; j < NUMBERS; j++)
        drawn[j] = normal(&rng);
    for (int point = 0; point < OFFSETS; point++) {
        for (int j = 0; j < NUMBERS; j++)
            x[j] = (float)(offset_at(point) + drawn[j]);
        double right = pow(spread_of(x, NUMBERS), 2);
        tell((double[]){fabs(ways[curve](x) - right) / right});
    }
}

static void show_errors(FILE *out, const LabResults *results)
{
    fprintf(out, "\nRelative error of the variance of %d numbers, by how far they are\n", NUMBERS);
    fprintf(out, "from zero. 1: as large as the variance. Means of %d seeds.\n\n", SEEDS);
    lab_table(out, results,
              &(LabTable){.heading = "Variance by",
                          .points = (int[]){0, 2, 4, 6, 8, 10, 12},
                          .count = 7,
                          .width = 9,
                          .decimals = 1,
                          .scientific = true,
                          .unit = "spreads"});
}

/* ---- epsilon ---- */
static const float epsilons[] = {1e-3f, 1e-5f, 1e-8f, 1e-12f};

enum { SPREADS = 21, FEATURES = 64 };

static double spread_at(int point) /* 1e-8, 3.16e-8, ... 100 */
{
    return pow(10, 0.5 * point - 8);
}

static void measure_spreads(int curve, uint64_t seed, LabTell *tell)
{
    float drawn[FEATURES], x[FEATURES], y[FEATURES], gamma[FEATURES], beta[FEATURES];
    Rng rng;
    rng_seed(&rng, seed);
    for (int j = 0; j < FEATURES; j++) {
        drawn[j] = (float)normal(&rng);
        gamma[j] = 1;
        beta[j] = 0;
    }
    for (int point = 0; point < SPREADS; point++) {
        double scale = spread_at(point) / spread_of(drawn, FEATURES);
        for (int j = 0; j < FEATURES; j++)
            x[j] = (float)(scale * drawn[j]);
        norm(y, x, gamma, beta, 1, FEATURES, epsilons[curve]);
        tell((double[]){spread_of(y, FEATURES)});
    }
}

static void show_spreads(FILE *out, const LabResults *results)
{
    fprintf(out, "\nThe spread of y (gamma 1), by the spread of the row.\n\n");
    lab_table(out, results,
              &(LabTable){.heading = "Epsilon",
                          .points = (int[]){4, 8, 10, 11, 12, 14, 16},
                          .count = 7,
                          .width = 11,
                          .decimals = 4,
                          .unit = "spread"});
}

static const LabExperiment experiments[] = {
    {.name = "error",
     .curves = (LabCurve[]){{.name = "E[x^2] - mean^2", .colour = 0},
                            {.name = "two passes", .colour = 1},
                            {.name = "Welford", .colour = 2},
                            {.name = "64 parts, merged", .colour = 3},
                            {0}},
     .values = (LabValue[]){{"relative_error", 0, INFINITY}, {0}},
     .x_name = "offset",
     .points = OFFSETS,
     .seeds = SEEDS,
     .x = offset_at,
     .measure = measure_errors,
     .show = show_errors,
     .pictures = (LabPicture[]){{.title = "Error of the variance, far from zero",
                                 .x_label = "distance from zero, in spreads",
                                 .y_label = "relative error",
                                 .x_log = true,
                                 .y_log = true,
                                 .level_name = "as large as the variance",
                                 .level = 1},
                                {0}}},
    {.name = "epsilon",
     .curves = (LabCurve[]){{.name = "eps 1e-3", .colour = 0},
                            {.name = "eps 1e-5", .colour = 1},
                            {.name = "eps 1e-8", .colour = 2},
                            {.name = "eps 1e-12", .colour = 3},
                            {0}},
     .values = (LabValue[]){{"spread_of_y", 0, 2}, {0}},
     .x_name = "spread",
     .points = SPREADS,
     .seeds = SEEDS,
     .x = spread_at,
     .measure = measure_spreads,
     .show = show_spreads,
     .pictures = (LabPicture[]){{.title = "What epsilon leaves of a row",
                                 .x_label = "spread of the row",
                                 .y_label = "spread of y",
                                 .x_log = true},
                                {0}}},
    {0},
};

static const LabFunction functions[] = {
    {"01_layer_norm", "row_mean", &mean_of},
    {"01_layer_norm", "row_variance", &variance_of},
    {"07_stability", "welford_statistics", &welford},
    {"07_stability", "merge_statistics", &merge},
    {"07_stability", "layer_norm_wide", &norm},
    {0},
};

const Lab lab = {.functions = functions, .experiments = experiments};
