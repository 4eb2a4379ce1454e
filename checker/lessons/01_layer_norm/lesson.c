/* Lesson 01, layer norm: its checks, and the oracles with the mistakes that they can make. */
#include "author.h"
#include "mistakes.h"

/* Values `step` apart: a row has step 1, a column of a rows x features array has step features. */

/* What an int keeps of it: off by 1 where rounding decides which whole number that is. */
static Real cut(Real a)
{
    double kept = trunc(a.v);
    return (Real){kept, fmax(trunc(a.v + a.e) - kept, kept - trunc(a.v - a.e))};
}

static Real mean_of(const float *x, int n, int step, Mistakes m)
{
    Sum sum = {0};
    for (int j = 0; j < n - has(m, MEAN_MISSES_LAST); j++)
        include(&sum, exact(x[j * step]));
    if (has(m, SUM_NOT_DIVIDED))
        return total(sum);
    Real mean = average(sum, has(m, MEAN_BY_N_MINUS_1) ? n - 1 : n);
    mean.e = fmax(mean.e, honest_mean(x, n, step).e);
    return mean;
}

/* What the variance adds up for one value. */
static Real deviation(Real x, Real mean, Mistakes m)
{
    Real distance = sub(x, has(m, VARIANCE_ABOUT_ZERO) ? exact(0) : mean);
    if (has(m, VARIANCE_ALL_INTS))
        distance = cut(distance);
    return has(m, VARIANCE_ABSOLUTE) ? (Real){fabs(distance.v), distance.e} : square(distance);
}

static Real variance_of(const float *x, int n, int step, Real mean, Mistakes m)
{
    Sum sum = {0}, squares = {0};
    Distances distances = {0};
    for (int j = 0; j < n; j++)
        include_distance(&distances, exact(x[j * step]), exact(x[0]));
    for (int j = 0; j < n - has(m, VARIANCE_MISSES_LAST); j++) {
        include(&sum, deviation(exact(x[j * step]), mean, m));
        include(&squares, square(exact(x[j * step])));
    }
    double count = has(m, N_MINUS_1) ? n - 1 : n;
    Real variance = has(m, VARIANCE_NOT_DIVIDED) ? total(sum) : average(sum, count);
    if (!has(m, VARIANCE_ABSOLUTE))
        variance = larger_bound(variance, variance_by(distances, n));
    if (has(m, CANCELLATION))
        variance = cancelled(average(squares, count), mean);
    if (has(m, VARIANCE_ALL_INTS))
        variance = cut(variance);
    return has(m, VARIANCE_IS_STD) ? root(variance) : variance;
}

static void row_mean_oracle(Case *c, Mistakes m)
{
    *wanted(c, "return") = mean_of(given(c, "x"), size_of(c, "features"), 1, m);
}

static void row_variance_oracle(Case *c, Mistakes m)
{
    const float *x = given(c, "x");
    int features = size_of(c, "features");
    Real mean = exact(scalar_of(c, "mean"));
    if (has(m, VARIANCE_OWN_MEAN))
        mean = honest_mean(x, features, 1);
    Real variance = variance_of(x, features, 1, mean, m);
    /* Welford's sum is about the row's own mean, and (own - mean)^2 is added to it. */
    variance.e += square(sub(honest_mean(x, features, 1), mean)).e;
    *wanted(c, "return") = variance;
}

static Real normalized(Real x, Real mean, Real variance, double given_eps, Mistakes m)
{
    Real eps = exact(has(m, EPSILON_MISSING) ? 0
                     : has(m, EPSILON_FIXED) ? (double)1e-5f
                                             : given_eps);
    if (has(m, CIRCULATING_FORMULA))
        return divide(add(x, eps), add(root(variance), eps));
    Real centered = has(m, MEAN_NOT_SUBTRACTED) ? x : sub(x, mean);
    if (has(m, DIVISION_MISSING))
        return centered;
    if (has(m, MULTIPLY_BY_STD))
        return mul(centered, root(add(variance, eps)));
    if (has(m, DIVIDE_BY_VARIANCE))
        return divide(centered, add(variance, eps));
    if (has(m, EPSILON_OUTSIDE))
        return divide(centered, add(root(variance), eps));
    return divide(centered, root(add(variance, eps)));
}

/* Mean and variance of one row. `first` is row 0. */
static void statistics_of(const float *row, const float *first, int n, Real *mean, Real *variance,
                          Mistakes m)
{
    bool again = has(m, STATISTICS_OF_FIRST_ROW);
    *mean = mean_of(again || has(m, MEAN_OF_FIRST_ROW) ? first : row, n, 1, m);
    *variance = variance_of(again || has(m, VARIANCE_OF_FIRST_ROW) ? first : row, n, 1, *mean, m);
}

/* Where row r is looked for. */
static int row_start(int r, int rows, int features, Mistakes m)
{
    int stride = has(m, ROWS_OVERLAP) ? 1 : has(m, ROW_STRIDE) ? rows : features;
    return has(m, FIRST_ROW_AGAIN) ? 0 : r * stride;
}

static void layer_norm_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    const float *x = given(c, "x");
    const float *gamma = given(c, has(m, GAMMA_BETA_SWAPPED) ? "beta" : "gamma");
    const float *beta = given(c, has(m, GAMMA_BETA_SWAPPED) ? "gamma" : "beta");
    Real *y = wanted(c, "y");

    Real mean = {0}, variance = {0};
    if (has(m, STATISTICS_OF_ALL)) {
        mean = mean_of(x, rows * features, 1, m);
        variance = variance_of(x, rows * features, 1, mean, m);
    }
    for (int i = 0; i < rows * features; i++) {
        int r = i / features, j = i % features, row = row_start(r, rows, features, m);
        int parameter = has(m, GAMMA_BY_ROW) ? r : j;
        if (row + features > rows * features || parameter >= features) {
            y[i] = (Real){NAN, INFINITY}; /* such code reads past the end: no telling what */
            continue;
        }
        if (has(m, STATISTICS_PER_FEATURE)) {
            mean = mean_of(x + j, rows, features, m);
            variance = variance_of(x + j, rows, features, mean, m);
        } else if (j == 0 && !has(m, STATISTICS_OF_ALL)) {
            statistics_of(x + row, x, features, &mean, &variance, m);
        }
        Real scale =
            exact(has(m, GAMMA_MISSING) ? 1 : gamma[has(m, GAMMA_FIRST_ONLY) ? 0 : parameter]);
        Real shift =
            exact(has(m, BETA_MISSING) ? 0 : beta[has(m, BETA_FIRST_ONLY) ? 0 : parameter]);
        Real hat = normalized(exact(x[row + j]), mean, variance, scalar_of(c, "eps"), m);
        reveal(c, "normalized", hat);
        y[i] = has(m, BETA_INSIDE) ? mul(scale, add(hat, shift)) : add(mul(scale, hat), shift);
    }
}

static const Step steps[] = {
    {"row_mean", row_mean_oracle, "mean"},
    {"row_variance", row_variance_oracle, "variance"},
    {"layer_norm", layer_norm_oracle, NULL},
    {0},
};

static void draw_rows(Cases *cases, Rng *rng, const char *function, double mean_off)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, function);
        set_size(c, "features", shape.features);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        case_label(c, "%d features", shape.features);
        if (takes(c, "mean")) {
            Real mean = honest_mean(given(c, "x"), shape.features, 1);
            set_scalar(c, "mean", (float)(mean.v + mean_off * shape.spread));
        }
    }
}

static void draw_row_mean(Cases *cases, Rng *rng)
{
    draw_rows(cases, rng, "row_mean", 0);
}

static void draw_row_variance(Cases *cases, Rng *rng)
{
    draw_rows(cases, rng, "row_variance", 0);
}

static void draw_row_variance_other_mean(Cases *cases, Rng *rng)
{
    draw_rows(cases, rng, "row_variance", 0.7);
}

static void draw_layer_norm(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, "layer_norm", i), rng);
}

static const Check checks[] = {
    {"row_mean", "row_mean averages one row", .vectors = "row_mean"},
    {"row_mean", "row_mean holds on 24 rows drawn afresh", .draw = draw_row_mean},
    {"row_variance", "row_variance averages the squared distances", .vectors = "row_variance"},
    {"row_variance", "row_variance holds on 24 rows drawn afresh", .draw = draw_row_variance},
    {"row_variance", "row_variance uses the mean it is given", .vectors = "given mean",
     .draw = draw_row_variance_other_mean},
    {"layer_norm", "layer_norm matches PyTorch on 3 x 5", .vectors = "3 x 5"},
    {"layer_norm", "layer_norm keeps rows of small variance small", .vectors = "small variance"},
    {"layer_norm", "layer_norm holds on rows far from zero", .vectors = "far from zero"},
    {"layer_norm", "layer_norm holds on 24 shapes drawn afresh", .draw = draw_layer_norm},
    {0},
};

const Lesson lesson = {
    "Layer Normalization",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5",
    .core = true,
    .learned = "each row gets mean 0 and spread 1; eps stands under the root.",
};
