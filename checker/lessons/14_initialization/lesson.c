/* Lesson 14, initialization: its checks. What is right, and the mistakes with a name, stand in
 * lessons/14_initialization.formulas.
 *
 * In target_init a feature's spread over the rows is divided by, so no case may have a feature that
 * is all but the same in all normalized rows: draw_target() sees to it. */
#include "author.h"

#include <stdlib.h>

#define IDENTITY "identity_init"
#define TARGET "target_init"
#define STEP "momentum_step"

static const Step steps[] = {{IDENTITY}, {TARGET}, {STEP}, {0}};

/* ---- cases drawn afresh ---- */
/* In four of the shapes most of what is allowed is the rounding of one sum of not too many numbers:
 * there bounds.c sees whether that is more than programs need. */
static bool is_simple(int index)
{
    return index == 8 || index == 13 || index == 16 || index == 18;
}

static Shape shape_of(Rng *rng, int index)
{
    Shape shape = odd_shape(rng, index);
    if (is_simple(index))
        shape.features = index == 8 ? uniform_int(rng, 13, 16) : uniform_int(rng, 65, 67);
    return shape;
}

/* A row that begins near its mean: distances from its first number are none too large. */
static void begin_near_mean(float *x, int n)
{
    int nearest = 0;
    double mean = 0;
    for (int j = 0; j < n; j++)
        mean += (double)x[j] / n;
    for (int j = 0; j < n; j++)
        nearest = fabs(x[j] - mean) < fabs(x[nearest] - mean) ? j : nearest;
    float first = x[0];
    x[0] = x[nearest];
    x[nearest] = first;
}

/* The rows of a shape are one row each here. */
static void draw_identity(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = shape_of(rng, i);
        Case *c = case_new(cases, IDENTITY);
        set_size(c, "features", shape.features);
        set_scalar(c, "eps", shape.eps);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        if (i % 2 == 0)
            begin_near_mean(fill(c, "x"), shape.features);
        case_label(c, "%d features", shape.features);
    }
}

/* For each feature, how much of its mean square over the normalized rows is variance. */
static void find_parts(double *part, const Case *c)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    const float *x = given(c, "x");
    double eps = scalar_of(c, "eps"), *sum = calloc(2 * (size_t)features, sizeof *sum);
    if (!sum)
        author_error("out of memory");
    for (int r = 0; r < rows; r++, x += features) {
        double mean = 0, variance = 0;
        for (int j = 0; j < features; j++)
            mean += (double)x[j] / features;
        for (int j = 0; j < features; j++)
            variance += (x[j] - mean) * (x[j] - mean) / features;
        for (int j = 0; j < features; j++) {
            double normalized = (x[j] - mean) / sqrt(variance + eps);
            sum[j] += normalized / rows;
            sum[features + j] += normalized * normalized / rows;
        }
    }
    for (int j = 0; j < features; j++)
        part[j] = 1 - sum[j] * sum[j] / sum[features + j];
    free(sum);
}

/* Each row of a spread of its own, each feature aside of the others. A feature that is all but the
 * same in all normalized rows is drawn again: no float32 program would know its spread. */
static void fill_x(Case *c, Rng *rng, Shape shape)
{
    const double least = 0.1;
    int rows = size_of(c, "rows"), features = size_of(c, "features"), drawn;
    float *x = fill(c, "x");
    double *spread = calloc((size_t)(rows + features), sizeof *spread);
    if (!spread)
        author_error("out of memory");
    double *part = spread + rows;
    for (int r = 0; r < rows; r++)
        spread[r] = shape.spread * uniform(rng, 0.6, 1.5);
    do {
        drawn = 0;
        for (int j = 0; j < features; j++) {
            if (part[j] >= least)
                continue;
            fill_spread(x + j, rows, features, rng, 1, uniform(rng, -1, 1));
            for (int r = 0; r < rows; r++)
                x[r * features + j] = (float)(spread[r] * (shape.offset + x[r * features + j]));
            drawn++;
        }
        find_parts(part, c);
    } while (drawn);
    free(spread);
}

static void draw_target(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = shape_of(rng, i);
        int rows = shape.rows > 1 ? shape.rows : uniform_int(rng, 2, 4);
        int features = shape.features > 1 ? shape.features : uniform_int(rng, 2, 3);
        Case *c = case_new(cases, TARGET);
        if (is_simple(i))
            rows = 2, shape.offset = 30;
        set_size(c, "rows", rows);
        set_size(c, "features", features);
        set_scalar(c, "eps", shape.eps);
        fill_x(c, rng, shape);
        for (int j = 0; j < features; j++)
            fill(c, "spread")[j] = (float)uniform(rng, 0.2, 2.5);
        fill_rest(c, rng);
        case_label(c, "%d x %d", rows, features);
    }
}

/* Numbers of a shape's size and spread; rates, momenta and decays from none to much. */
static void draw_step(Cases *cases, Rng *rng)
{
    static const float momenta[] = {0.9f, 0.99f, 0.3f, 0, 0.8f}, decays[] = {0.01f, 0.3f, 0, 1e-4f};
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        int count = shape.rows * shape.features;
        Case *c = case_new(cases, STEP);
        set_size(c, "count", count);
        set_scalar(c, "rate", (float)pow(10, uniform(rng, -3, 0.3)));
        set_scalar(c, "momentum", momenta[i % 5]);
        set_scalar(c, "decay", decays[i % 4]);
        fill_spread(fill(c, "parameter"), count, 1, rng, shape.spread, uniform(rng, -2, 2));
        fill_rest(c, rng);
        case_label(c, "%d numbers, momentum %g, decay %g", count, (double)momenta[i % 5],
                   (double)decays[i % 4]);
    }
}

static const Check checks[] = {
    {IDENTITY, IDENTITY " makes gamma the spread and beta the mean", .vectors = "identity"},
    {IDENTITY, IDENTITY " keeps eps under the root", .vectors = "identity, small variance"},
    {IDENTITY, IDENTITY " holds on rows far from zero", .vectors = "identity, far from zero"},
    {IDENTITY, IDENTITY " holds on 24 rows drawn afresh", .draw = draw_identity},
    {TARGET, TARGET " gives each feature its spread", .vectors = "target", .only = "gamma"},
    {TARGET, TARGET " gives each feature its mean", .vectors = "target"},
    {TARGET, TARGET " takes a spread of 0", .vectors = "target, spread 0"},
    {TARGET, TARGET " keeps eps in the rows, and only there", .vectors = "target, small variance"},
    {TARGET, TARGET " holds on rows far from zero", .vectors = "target, far from zero"},
    {TARGET, TARGET " holds on 24 shapes drawn afresh", .draw = draw_target},
    {STEP, STEP " adds to the velocity", .vectors = "step", .only = "velocity"},
    {STEP, STEP " moves the parameter by the new velocity", .vectors = "step"},
    {STEP, STEP " lets the parameter decay", .vectors = "decay"},
    {STEP, STEP " goes the way of torch.optim.SGD for 8 steps", .vectors = "way"},
    {STEP, STEP " holds on 24 steps drawn afresh", .draw = draw_step},
    {0},
};

const Lesson lesson = {
    "Initialization",
    steps,
    checks,
    .defaults = "eps=1e-5 mean=0 spread=1 rate=0.1 momentum=0.9 decay=0 velocity=0 gradient=0",
    .needs = "02",
    .learned = "where gamma and beta start, and what pulls at them later.",
};
