/* Lesson 16, sparse rows: its checks, and the oracles that can make every mistake of mistakes.h. */
#include "draws.h"

#include <stdlib.h>

/* What `try` is given may be anything. True: there are no such rows. */
static bool are_no_rows(Case *c)
{
    const int *start = given_ints(c, "start");
    int rows = size_of(c, "rows"), nonzeros = size_of(c, "nonzeros");
    int features = size_of(c, "features");
    bool good = start[0] == 0 && start[rows] == nonzeros;
    for (int r = 0; r < rows && good; r++)
        good = start[r] <= start[r + 1] && start[r + 1] - start[r] <= features;
    if (!good)
        rule_out(c, "start has to go from 0 up to nonzeros, by at most `features` at a time");
    return !good;
}

/* ---- the statistics of a row ---- */
/* A count that may have more digits than a float. */
static Real whole(double count)
{
    return rounded(count, 0, count > 1 << 24 ? UNIT_ROUNDOFF * count : 0);
}

static Real mean_square(Row row)
{
    Sum squares = {0};
    for (int i = 0; i < row.count; i++)
        include(&squares, square(exact(row.values[i])));
    return divide(total(squares), whole(row.features));
}

/* Other honest ways stay within what two passes are charged: the non-zeros and the zeros merged as
 * two parts, Welford's recurrence from the zeros on, and, where half of the row or more is 0, the
 * mean of the squares minus the square of the mean, which is then at most half of it. */
static Moments moments_of_row(Row row, Mistakes m)
{
    Real features = whole(row.features), zeros = whole((double)row.features - row.count);
    Real count = exact(row.count);
    Sum sum = {0}, squares = {0};
    for (int i = 0; i < row.count; i++)
        include(&sum, exact(row.values[i]));
    Real mean = divide(total(sum), has(m, MEAN_BY_COUNT) ? count : features);
    for (int i = 0; i < row.count; i++)
        include(&squares, square(sub(exact(row.values[i]), mean)));
    if (has(m, SHARE_OF_ALL))
        zeros = features;
    if (!has(m, SHARE_LEFT_OUT) && !has(m, VARIANCE_BY_COUNT))
        include(&squares, mul(zeros, square(mean)));
    Real variance = divide(total(squares), has(m, VARIANCE_BY_COUNT) ? count : features);
    if (has(m, CANCELLATION))
        variance = cancelled(mean_square(row), mean);
    return (Moments){mean, variance};
}

static Real rstd_of(const Case *c, Moments found)
{
    return divide(exact(1), root(add(found.variance, exact(scalar_of(c, "eps")))));
}

static void statistics_oracle(Case *c, Mistakes m)
{
    if (are_no_rows(c))
        return;
    for (int r = 0; r < size_of(c, "rows"); r++) {
        Moments found = moments_of_row(row_at(c, r), m);
        wanted(c, "mean")[r] = found.mean;
        wanted(c, "rstd")[r] = rstd_of(c, found);
        reveal(c, "variance", found.variance);
    }
}

/* ---- sparse_layer_norm ---- */
/* Honest code may also normalize the number and subtract base. The error of the mean is then the
 * same in both. */
static Real delta_of(float value, Real mean, Real rstd, Mistakes m)
{
    Real normalized = mul(sub(exact(value), mean), rstd), known = exact(mean.v);
    if (has(m, DELTA_NORMALIZED))
        return normalized;
    Real beyond = sub(mul(sub(exact(value), known), rstd), mul(sub(exact(0), known), rstd));
    return larger_bound(mul(exact(value), rstd), beyond);
}

static void norm_oracle(Case *c, Mistakes m)
{
    if (are_no_rows(c))
        return;
    const int *start = given_ints(c, "start");
    for (int r = 0; r < size_of(c, "rows"); r++) {
        Row row = row_at(c, r);
        Moments found = moments_of_row(row, m);
        Real rstd = rstd_of(c, found), minus_mean = {-found.mean.v, found.mean.e};
        Real base = mul(minus_mean, rstd);
        wanted(c, "base")[r] = has(m, ZEROS_STAY) ? exact(0) : base;
        for (int i = 0; i < row.count; i++) {
            Real delta = delta_of(row.values[i], found.mean, rstd, m);
            wanted(c, "delta")[start[r] + i] = delta;
            reveal(c, "normalized", add(base, delta));
        }
    }
}

/* ---- sparse_norm_linear ---- */
static bool are_no_columns(Case *c)
{
    const int *column = given_ints(c, "column");
    int nonzeros = size_of(c, "nonzeros"), features = size_of(c, "features");
    bool good = true;
    for (int i = 0; i < nonzeros; i++)
        good = good && column[i] >= 0 && column[i] < features;
    if (!good)
        rule_out(c, "every column has to be from 0 to features - 1");
    return !good;
}

/* A call's arrays, looked up once: there may be 65,536 rows. */
typedef struct {
    const int *start, *column;
    const float *base, *delta, *w, *gamma, *wb;
    size_t features, outputs;
} Layer;

static Layer layer_of(const Case *c)
{
    return (Layer){.start = given_ints(c, "start"),
                   .column = given_ints(c, "column"),
                   .base = given(c, "base"),
                   .delta = given(c, "delta"),
                   .w = given(c, "w"),
                   .gamma = given(c, "gamma"),
                   .wb = given(c, "wb"),
                   .features = (size_t)size_of(c, "features"),
                   .outputs = (size_t)size_of(c, "outputs")};
}

static Real weight(const Layer *layer, size_t o, size_t j, Mistakes m)
{
    bool transposed = has(m, W_TRANSPOSED);
    return exact(layer->w[transposed ? j * layer->outputs + o : o * layer->features + j]);
}

/* Where wg is not made use of, but made again: of all columns, also those that hold NaN. */
static Real visit_all(const Layer *layer, size_t o)
{
    Sum sum = {0};
    for (size_t j = 0; j < layer->features; j++)
        include_product(&sum, weight(layer, o, j, 0), exact(layer->gamma[j]));
    return isnan(sum.v) ? exact(NAN) : total(sum);
}

static Real output_of(const Layer *layer, int r, size_t o, Real wg, Mistakes m)
{
    Real base = exact(layer->base[r]);
    int first = layer->start[r];
    Sum sum = {0};
    include(&sum, exact(layer->wb[o]));
    if (!has(m, BASE_LEFT_OUT))
        include_product(&sum, base, wg);
    for (int i = first; i < layer->start[r + 1]; i++) {
        int j = has(m, COLUMN_BY_PLACE) ? i - first : layer->column[i];
        Real delta = exact(layer->delta[i]), gamma = exact(layer->gamma[j]);
        if (has(m, GAMMA_LEFT_OUT))
            gamma = exact(1);
        if (has(m, BASE_TWICE))
            delta = add(base, delta);
        include_product(&sum, mul(weight(layer, o, (size_t)j, m), gamma), delta);
    }
    return total(sum);
}

static void linear_oracle(Case *c, Mistakes m)
{
    if (are_no_rows(c) || are_no_columns(c))
        return;
    Layer layer = layer_of(c);
    int rows = size_of(c, "rows");
    Real *y = wanted(c, "y");
    for (size_t o = 0; o < layer.outputs; o++) {
        Real wg = has(m, ZEROS_VISITED) ? visit_all(&layer, o) : exact(given(c, "wg")[o]);
        for (int r = 0; r < rows; r++)
            y[(size_t)r * layer.outputs + o] =
                certainly_nan(wg) ? wg : output_of(&layer, r, o, wg, m);
    }
}

static const Step steps[] = {
    {STATISTICS, statistics_oracle},
    {NORM, norm_oracle},
    {LINEAR, linear_oracle},
    {0},
};

/* A loop over the zeros is told by its time, before 24 shapes tell it by what such a loop rounds.
 */
static const Check checks[] = {
    {STATISTICS, STATISTICS " averages over all features", .vectors = "statistics", .only = "mean"},
    {STATISTICS, STATISTICS " gives the zeros their part in rstd", .vectors = "statistics"},
    {STATISTICS, STATISTICS " holds for rows without a non-zero or a zero",
     .vectors = "statistics, ends"},
    {STATISTICS, STATISTICS " holds for rows with few zeros, far from zero",
     .vectors = "statistics, far from zero"},
    {STATISTICS, STATISTICS " does not go through 2,000,000,000 zeros",
     .draw = draw_wide_statistics},
    {STATISTICS, STATISTICS " holds on 24 shapes drawn afresh", .draw = draw_statistics},
    {NORM, NORM " makes base what a zero becomes", .vectors = "norm", .only = "base"},
    {NORM, NORM " makes delta what a non-zero has beyond it", .vectors = "norm"},
    {NORM, NORM " holds for rows without a non-zero or a zero", .vectors = "norm, ends"},
    {NORM, NORM " holds for rows with few zeros, far from zero", .vectors = "norm, far from zero"},
    {NORM, NORM " does not go through 2,000,000,000 zeros", .draw = draw_wide_norm},
    {NORM, NORM " holds on 24 shapes drawn afresh", .draw = draw_norm},
    {LINEAR, LINEAR " adds up beta, base and the non-zeros", .vectors = "linear, on paper"},
    {LINEAR, LINEAR " looks at no other column (they hold NaN)", .draw = draw_nan_columns},
    {LINEAR, LINEAR " matches PyTorch's norm and linear layer", .vectors = "linear"},
    {LINEAR, LINEAR " holds for rows without a non-zero or a zero", .vectors = "linear, ends"},
    {LINEAR, LINEAR " does not go through the zeros of 65,536 rows", .draw = draw_wide_linear},
    {LINEAR, LINEAR " holds on 24 shapes drawn afresh", .draw = draw_linear},
    {0},
};

const Lesson lesson = {
    "Sparse Rows",
    steps,
    checks,
    mistakes,
    .defaults = "eps=1e-5",
    .needs = "01",
    .learned = "a norm that costs as much as the numbers that are not 0.",
};
