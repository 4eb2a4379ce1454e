/* Lesson 14, initialization: its checks, and the oracles that can make every mistake of mistakes.h.
 *
 * In target_init a feature's spread over the rows is divided by, so no case may have a feature that
 * is all but the same in all normalized rows: draw_target() sees to it. */
#include "mistakes.h"

#include <stdlib.h>

/* ---- mean and variance, closer than moments_of() knows them ---- */
/* What rounding can do to a variance on the three honest ways: two passes, Welford's recurrence,
 * and distances from the first number. moments_of() takes the mean's error for one that is added to
 * every distance with the sign of that distance; but the distances add up to 0, so with two passes
 * only its square is left. With Welford the running mean's error changes on the way. It is followed
 * number by number: each rounding of it shrinks as more numbers come. */
static Moments of_exact(const Real *x, int n)
{
    Sum sum = {0}, squares = {0}, shifted = {0}, shifted_squares = {0};
    double mean = x[0].v, mean_off = 0, welford = 0;
    for (int k = 0; k < n; k++) {
        Real distance = difference(x[k].v, x[0].v);
        include(&sum, exact(x[k].v));
        include(&shifted, distance);
        include(&shifted_squares, square(distance));

        double before = x[k].v - mean, off_before = mean_off;
        mean += before / (k + 1);
        if (k > 0) /* the first is taken as it is */
            mean_off = off_before * k / (k + 1) + UNIT_ROUNDOFF * fabs(mean) +
                       PER_OPERATION * fabs(before) / (k + 1);
        welford += (off_before * fabs(x[k].v - mean) + mean_off * fabs(before)) / n;
    }
    Moments found = {.mean =
                         larger_bound(average(sum, n), add(exact(x[0].v), average(shifted, n)))};
    found.mean.e = fmax(found.mean.e, mean_off);
    for (int k = 0; k < n; k++)
        include(&squares, square(difference(x[k].v, found.mean.v)));
    found.variance = average(squares, n);
    found.variance.e += fmax(found.mean.e * found.mean.e, welford);
    Real by_distance = sub(average(shifted_squares, n), square(average(shifted, n)));
    found.variance = larger_bound(found.variance, by_distance);
    return found;
}

/* Of numbers that are rounded already. They move the mean with them, so of each only 2 / n times
 * its distance from it is left in the variance. */
static Moments statistics(const Real *x, int n)
{
    Moments found = of_exact(x, n);
    for (int k = 0; k < n; k++) {
        found.mean.e += x[k].e / n;
        found.variance.e += (2 * fabs(x[k].v - found.mean.v) + x[k].e) * x[k].e / n;
    }
    return found;
}

static Real mean_square(const Real *x, int n)
{
    Sum squares = {0};
    for (int k = 0; k < n; k++)
        include(&squares, square(exact(x[k].v)));
    return average(squares, n);
}

static Real *reals(int count)
{
    Real *values = calloc((size_t)count + 1, sizeof *values);
    if (!values)
        author_error("out of memory");
    return values;
}

/* ---- a row, as layer norm sees it ---- */
typedef struct {
    Real mean, deviation; /* sqrt(variance + eps) */
} Row;

static Row row_of(const Case *c, const float *x, Mistakes m)
{
    int features = size_of(c, "features");
    Real *exactly = reals(features);
    for (int j = 0; j < features; j++)
        exactly[j] = exact(x[j]);
    Moments found = statistics(exactly, features);
    if (has(m, CANCELLATION))
        found.variance = cancelled(mean_square(exactly, features), found.mean);
    if (has(m, N_MINUS_1))
        found.variance = divide(scaled(found.variance, features), exact(features - 1));
    Real eps = exact(has(m, EPS_LEFT_OUT) ? 0 : scalar_of(c, "eps"));
    free(exactly);
    return (Row){found.mean, root(add(found.variance, eps))};
}

/* ---- identity_init ---- */
static void identity_oracle(Case *c, Mistakes m)
{
    const float *x = given(c, "x");
    int features = size_of(c, "features");
    Row row = row_of(c, x, m);
    Real gamma = has(m, RSTD_IN_GAMMA) ? divide(exact(1), row.deviation) : row.deviation;
    Real beta = row.mean;
    if (has(m, N_MINUS_1) && features == 1)
        gamma = exact(NAN); /* 0 / 0, for certain */
    if (has(m, ONES_AND_ZEROS))
        gamma = exact(1), beta = exact(0);
    for (int j = 0; j < features; j++) {
        wanted(c, "gamma")[j] = has(m, ROW_IN_BETA) ? exact(0) : gamma;
        wanted(c, "beta")[j] = has(m, ROW_IN_BETA) ? exact(x[j]) : beta;
    }
}

/* ---- target_init ---- */
/* rows x features; the caller frees */
static Real *normalized_rows(const Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    const float *x = given(c, "x");
    Real *normalized = reals(rows * features);
    for (int r = 0; r < rows; r++) {
        Row row = row_of(c, x + r * features, m);
        for (int i = r * features; i < (r + 1) * features; i++) {
            normalized[i] = has(m, COLUMNS_OF_X)
                                ? exact(x[i])
                                : divide(sub(exact(x[i]), row.mean), row.deviation);
            reveal(c, "normalized", normalized[i]);
        }
    }
    return normalized;
}

/* Its mean over the rows, and its variance. The normalized numbers are near 0, so it is honest
 * there to take the mean of the squares minus the square of the mean, too. */
static Moments feature_over_rows(const Case *c, const Real *normalized, int j)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    Real *column = reals(rows);
    for (int r = 0; r < rows; r++)
        column[r] = normalized[r * features + j];
    Moments found = statistics(column, rows), plain = of_exact(column, rows);
    Real by_squares = sub(mean_square(column, rows), square(plain.mean));
    found.variance.e += fmax(0, by_squares.e - plain.variance.e);
    free(column);
    return found;
}

static void target_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows");
    if (rows < 2 || size_of(c, "features") < 2) {
        rule_out(c, "it takes two rows or more, of two features or more");
        return;
    }
    Real *normalized = normalized_rows(c, m);
    for (int j = 0; j < size_of(c, "features"); j++) {
        Moments found = feature_over_rows(c, normalized, j);
        if (!m && found.variance.v <= found.variance.e) {
            rule_out(c, "a feature is the same in all normalized rows: it has no spread");
            break;
        }
        if (has(m, ROWS_MINUS_1))
            found.variance = divide(scaled(found.variance, rows), exact(rows - 1));
        if (has(m, EPS_TWICE))
            found.variance = add(found.variance, exact(scalar_of(c, "eps")));
        Real spread = exact(given(c, "spread")[j]), mean = exact(given(c, "mean")[j]);
        Real gamma = has(m, TARGET_COPIED) ? spread : divide(spread, root(found.variance));
        Real away = has(m, MIDDLE_NOT_SCALED) ? found.mean : mul(gamma, found.mean);
        bool stays = has(m, TARGET_COPIED) || has(m, MIDDLE_FORGOTTEN);
        wanted(c, "gamma")[j] = gamma;
        wanted(c, "beta")[j] = stays ? mean : sub(mean, away);
    }
    free(normalized);
}

/* ---- momentum_step ---- */
static void step_oracle(Case *c, Mistakes m)
{
    Real rate = exact(scalar_of(c, "rate")), momentum = exact(scalar_of(c, "momentum"));
    Real decay = exact(scalar_of(c, "decay"));
    for (int i = 0; i < size_of(c, "count"); i++) {
        Real parameter = exact(given(c, "parameter")[i]), old = exact(given(c, "velocity")[i]);
        Real slope = exact(given(c, "gradient")[i]), shrink = mul(decay, parameter);
        if (!has(m, DECAY_DECOUPLED))
            slope = add(slope, shrink);
        if (has(m, VELOCITY_AVERAGED))
            slope = mul(sub(exact(1), momentum), slope);
        if (has(m, RATE_IN_VELOCITY))
            slope = mul(rate, slope);
        Real velocity = add(mul(momentum, old), slope);
        Real moves = has(m, OLD_VELOCITY) ? old : velocity;
        Real way = has(m, RATE_IN_VELOCITY) ? moves : mul(rate, moves);
        if (has(m, DECAY_DECOUPLED))
            way = add(way, mul(rate, shrink));
        wanted(c, "velocity")[i] = has(m, VELOCITY_NOT_KEPT) ? old : velocity;
        /* Honest code may also multiply out: (1 - rate * decay) * parameter, and so on. */
        Real rest = mul(sub(exact(1), mul(rate, decay)), parameter);
        Real by_parts = sub(sub(rest, mul(mul(rate, momentum), old)),
                            mul(rate, exact(given(c, "gradient")[i])));
        wanted(c, "parameter")[i] = larger_bound(sub(parameter, way), by_parts);
    }
}

static const Step steps[] = {
    {IDENTITY, identity_oracle, NULL},
    {TARGET, target_oracle, NULL},
    {STEP, step_oracle, NULL},
    {0},
};

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
    mistakes,
    .defaults = "eps=1e-5 mean=0 spread=1 rate=0.1 momentum=0.9 decay=0 velocity=0 gradient=0",
    .needs = "02",
    .learned = "where gamma and beta start, and what pulls at them later.",
};
