/* make lab LESSON=16: from which share of non-zeros on is it no longer worth it to leave the zeros
 * out? Time and error of the dense way and of the sparse one, by how dense the rows are.
 *
 * The invariant: all ways are given the same rows. Times are processor time; errors are against
 * double precision, of the very floats that the functions were given. */
#include "lab_crossover.h"

#include <time.h>

#include "../../../include/01_layer_norm.h"
#include "../../../include/10_transformer_block.h"
#include "../../../include/16_sparse.h"

/* The learner's functions, or the solutions'. */
static __typeof__(row_mean) *mean_of;
static __typeof__(row_variance) *variance_of;
static __typeof__(layer_norm) *dense_norm;
static __typeof__(linear) *dense_linear;
static __typeof__(sparse_statistics) *statistics;
static __typeof__(sparse_layer_norm) *sparse_norm;
static __typeof__(sparse_norm_linear) *sparse_linear;
static const LabFunction functions[] = {{"01_layer_norm", "row_mean", &mean_of},
                                        {"01_layer_norm", "row_variance", &variance_of},
                                        {"01_layer_norm", "layer_norm", &dense_norm},
                                        {"10_transformer_block", "linear", &dense_linear},
                                        {"16_sparse", "sparse_statistics", &statistics},
                                        {"16_sparse", "sparse_layer_norm", &sparse_norm},
                                        {"16_sparse", "sparse_norm_linear", &sparse_linear},
                                        {0}};

enum { ROWS = 256, FEATURES = 4096, NUMBERS = ROWS * FEATURES, OUTPUTS = 16, SEEDS = 5 };
static const float EPS = 1e-5f;

static const double densities[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
enum { DENSITIES = sizeof densities / sizeof *densities };

static double density_at(int point)
{
    return densities[point];
}

/* ---- rows, and a layer ---- */
/* The same rows twice. */
static float dense[NUMBERS], value[NUMBERS];
static int start[ROWS + 1], column[NUMBERS];

static float gamma_of[FEATURES], beta_of[FEATURES], w[OUTPUTS * FEATURES], none[OUTPUTS];
static float wg[OUTPUTS], wb[OUTPUTS];

/* Row r with that many non-zeros, of spread 1 around `offset`, their columns from left to right. */
static void draw_row(int r, int count, double offset, Rng *rng)
{
    float *row = dense + (size_t)r * FEATURES;
    int i = start[r];
    for (int j = 0; j < FEATURES; j++) {
        row[j] = 0;
        if (uniform(rng, 0, FEATURES - j) >= count - (i - start[r]))
            continue;
        row[j] = value[i] = (float)(offset + uniform(rng, -1.7320508, 1.7320508));
        column[i++] = j;
    }
    start[r + 1] = i;
}

static void draw_rows(double density, double offset, Rng *rng)
{
    for (int r = 0; r < ROWS; r++)
        draw_row(r, (int)lround(density * FEATURES), offset, rng);
}

static void draw_layer(Rng *rng)
{
    for (int j = 0; j < FEATURES; j++) {
        gamma_of[j] = (float)uniform(rng, 0.5, 1.5);
        beta_of[j] = (float)normal(rng);
    }
    for (int o = 0; o < OUTPUTS; o++) {
        double with_gamma = 0, with_beta = 0;
        for (int j = 0; j < FEATURES; j++) {
            float weight = w[o * FEATURES + j] = (float)(normal(rng) / sqrt(FEATURES));
            with_gamma += (double)weight * gamma_of[j];
            with_beta += (double)weight * beta_of[j];
        }
        wg[o] = (float)with_gamma;
        wb[o] = (float)with_beta;
    }
}

/* ---- the ways ---- */
static float normalized[NUMBERS], base[ROWS], delta[NUMBERS], y[ROWS * OUTPUTS];

static void norm_densely(void)
{
    dense_norm(normalized, dense, gamma_of, beta_of, ROWS, FEATURES, EPS);
}

static void norm_sparsely(void)
{
    sparse_norm(base, delta, start, value, ROWS, FEATURES, start[ROWS], EPS);
}

/* As it is when the next layer wants dense rows. */
static void norm_and_write_out(void)
{
    norm_sparsely();
    for (int r = 0; r < ROWS; r++) {
        float *row = normalized + (size_t)r * FEATURES;
        for (int j = 0; j < FEATURES; j++)
            row[j] = gamma_of[j] * base[r] + beta_of[j];
        for (int i = start[r]; i < start[r + 1]; i++)
            row[column[i]] += gamma_of[column[i]] * delta[i];
    }
}

static void layer_densely(void)
{
    norm_densely();
    dense_linear(y, normalized, w, none, ROWS, FEATURES, OUTPUTS);
}

static void layer_sparsely(void)
{
    norm_sparsely();
    sparse_linear(y, base, delta, start, column, w, gamma_of, wg, wb, ROWS, FEATURES, start[ROWS],
                  OUTPUTS);
}

/* ---- time ---- */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_of_run(void (*way)(void))
{
    const double least = 5e-4; /* long enough for the clock */
    double began = seconds(), took;
    int calls = 0;
    do {
        way();
        calls++;
    } while ((took = seconds() - began) < least);
    return took / calls;
}

/* Of one call, in milliseconds: the median of some runs, for a clock may be off to either side. */
static double time_of(void (*way)(void))
{
    enum { LEAST = 5, MOST = 31 };
    const double in_all = 15e-3;
    double sorted[MOST] = {0}, began = seconds();
    int runs = 0;
    way(); /* what it touches is near from now on */
    while (runs < LEAST || (runs < MOST && seconds() - began < in_all)) {
        double took = time_of_run(way);
        int at = runs++;
        for (; at > 0 && sorted[at - 1] > took; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = took;
    }
    return 1000 * sorted[runs / 2];
}

enum { TIME, ERROR }; /* the values of a point */
enum { OFFSET = 10 }; /* of the non-zeros, in spreads */

static void measure_norm(int curve, uint64_t seed, LabTell *tell)
{
    static void (*const ways[])(void) = {norm_densely, norm_sparsely, norm_and_write_out};
    Rng rng;
    rng_seed(&rng, seed);
    draw_layer(&rng);
    for (int point = 0; point < DENSITIES; point++) {
        draw_rows(density_at(point), OFFSET, &rng);
        tell((double[]){time_of(ways[curve])});
    }
}

/* ---- the layer's error ---- */
/* Root mean square over the outputs of a few rows, against y's own size. */
static double error_of_layer(void)
{
    enum { SOME = 8 };
    double wrong = 0, size = 0;
    for (int r = 0; r < ROWS; r += ROWS / SOME) {
        const float *x = dense + (size_t)r * FEATURES;
        double mean = 0, variance = 0;
        for (int j = 0; j < FEATURES; j++)
            mean += x[j] / (double)FEATURES;
        for (int j = 0; j < FEATURES; j++)
            variance += (x[j] - mean) * (x[j] - mean) / FEATURES;
        double rstd = 1 / sqrt(variance + EPS);
        for (int o = 0; o < OUTPUTS; o++) {
            double right = 0;
            for (int j = 0; j < FEATURES; j++)
                right += w[o * FEATURES + j] * (gamma_of[j] * (x[j] - mean) * rstd + beta_of[j]);
            wrong += pow(y[r * OUTPUTS + o] - right, 2);
            size += right * right;
        }
    }
    return sqrt(wrong / size);
}

static void measure_layer(int curve, uint64_t seed, LabTell *tell)
{
    static void (*const ways[])(void) = {layer_densely, layer_sparsely};
    Rng rng;
    rng_seed(&rng, seed);
    draw_layer(&rng);
    for (int point = 0; point < DENSITIES; point++) {
        draw_rows(density_at(point), OFFSET, &rng);
        double took = time_of(ways[curve]);
        tell((double[]){took, error_of_layer()});
    }
}

/* ---- the error of rstd, far from zero ---- */
static const double shares[] = {0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1};
enum { SHARES = sizeof shares / sizeof *shares, FAR = 1000 };

/* The part that is 0. Of a full row it is none, which no logarithmic axis has. */
static double zeros_at(int point)
{
    return 1 - shares[point];
}

static float by_squares(const float *x, int count)
{
    float sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    float mean = sum / FEATURES;
    return squares / FEATURES - mean * mean;
}

typedef enum { SHORT_WAY, SPARSE, DENSE } Statistics;

/* NaN where the variance comes out below 0. */
static double rstd_by(Statistics way, int r)
{
    const float *row = dense + (size_t)r * FEATURES;
    float mean, rstd;
    if (way == SHORT_WAY)
        return 1 / sqrt(by_squares(value + start[r], start[r + 1] - start[r]));
    if (way == DENSE)
        return 1 / sqrt(variance_of(row, FEATURES, mean_of(row, FEATURES)));
    statistics(&mean, &rstd, (int[]){0, start[r + 1] - start[r]}, value + start[r], 1, FEATURES,
               start[r + 1] - start[r], 0);
    return rstd;
}

static double right_rstd(int r)
{
    const float *row = dense + (size_t)r * FEATURES;
    double mean = 0, variance = 0;
    for (int j = 0; j < FEATURES; j++)
        mean += row[j] / (double)FEATURES;
    for (int j = 0; j < FEATURES; j++)
        variance += (row[j] - mean) * (row[j] - mean) / FEATURES;
    return 1 / sqrt(variance);
}

/* The largest of some rows; a NaN is as wrong as can be. */
static void measure_error(int curve, uint64_t seed, LabTell *tell)
{
    enum { SOME = 16 };
    Rng rng;
    rng_seed(&rng, seed);
    for (int point = 0; point < SHARES; point++) {
        double largest = 0;
        for (int r = 0; r < SOME; r++) {
            draw_row(r, (int)lround(shares[point] * FEATURES), FAR, &rng);
            double error = fabs(rstd_by((Statistics)curve, r) / right_rstd(r) - 1);
            largest = isnan(error) ? 1 : fmax(largest, error);
        }
        tell((double[]){largest});
    }
}

/* ---- tables ---- */
static const int few_points[] = {0, 3, 6, 8, 9};
#define FEW_POINTS .points = few_points, .count = 5, .unit = "density"

static void show_norm(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nThe norm of %d rows of %d features, by the part that is not 0.\n"
            "Milliseconds of processor time; means of %d repetitions with new rows.\n\n",
            ROWS, FEATURES, SEEDS);
    lab_table(out, r, &(LabTable){.heading = "Time", .width = 9, .decimals = 4, FEW_POINTS});
    show_against_dense(out, r);
}

static void show_layer(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nThe norm and a linear layer of %d outputs behind it, the same rows.\n"
            "Milliseconds of processor time; means of %d repetitions with new rows.\n\n",
            OUTPUTS, SEEDS);
    lab_table(out, r, &(LabTable){.heading = "Time", .width = 9, .decimals = 4, FEW_POINTS});
    show_against_dense(out, r);
    fputs("\nHow far y is off, against its own size:\n\n", out);
    lab_table(out, r,
              &(LabTable){.heading = "Error",
                          .value = ERROR,
                          .width = 9,
                          .decimals = 1,
                          .scientific = true,
                          FEW_POINTS});
}

static void show_error(FILE *out, const LabResults *r)
{
    fprintf(out,
            "\nRelative error of rstd, of rows whose non-zeros are %d spreads from 0;\n"
            "1: as large as rstd, or NaN. The largest of 16 rows; means of %d repetitions.\n\n",
            FAR, SEEDS);
    lab_table(out, r,
              &(LabTable){.heading = "Statistics by",
                          .width = 9,
                          .decimals = 1,
                          .scientific = true,
                          .unit = "1 - density"});
}

static const LabExperiment experiments[] = {
    {.name = "norm",
     .curves = (LabCurve[]){{"dense", 0, 0}, {"sparse", 1, 0}, {"sparse, written out", 2, 0}, {0}},
     .values = (LabValue[]){{"milliseconds", 0, INFINITY}, {0}},
     .x_name = "density",
     .points = DENSITIES,
     .seeds = SEEDS,
     .x = density_at,
     .measure = measure_norm,
     .show = show_norm,
     .pictures = (LabPicture[]){{.title = "How long the norm takes, by how dense the rows are",
                                 .x_label = "density: the part that is not 0",
                                 .y_label = "milliseconds of processor time",
                                 .x_log = true,
                                 .y_log = true},
                                {0}}},
    {.name = "layer",
     .curves = (LabCurve[]){{"dense", 0, 0}, {"sparse", 1, 0}, {0}},
     .values = (LabValue[]){{"milliseconds", 0, INFINITY}, {"error", 0, INFINITY}, {0}},
     .x_name = "density",
     .points = DENSITIES,
     .seeds = SEEDS,
     .x = density_at,
     .measure = measure_layer,
     .show = show_layer,
     .pictures = (LabPicture[]){{.title = "How long the norm and a linear layer take",
                                 .value = TIME,
                                 .x_label = "density: the part that is not 0",
                                 .y_label = "milliseconds of processor time",
                                 .x_log = true,
                                 .y_log = true},
                                {.name = "error",
                                 .value = ERROR,
                                 .title = "How far y is off, by how dense the rows are",
                                 .x_label = "density: the part that is not 0",
                                 .y_label = "error of y, against y",
                                 .x_log = true,
                                 .y_log = true},
                                {0}}},
    {.name = "error",
     .curves = (LabCurve[]){{"E[x^2] - mean^2", 0, 0},
                            {"sparse_statistics", 1, 0},
                            {"lesson 01, dense", 2, 0},
                            {0}},
     .values = (LabValue[]){{"relative_error", 0, INFINITY}, {0}},
     .x_name = "zeros",
     .points = SHARES,
     .seeds = SEEDS,
     .x = zeros_at,
     .measure = measure_error,
     .show = show_error,
     .pictures = (LabPicture[]){{.title = "How far rstd is off, 1000 spreads from zero",
                                 .x_label = "the part that is 0: 1 - density",
                                 .y_label = "relative error",
                                 .x_log = true,
                                 .y_log = true},
                                {0}}},
    {0},
};

const Lab lab = {.functions = functions, .experiments = experiments};
