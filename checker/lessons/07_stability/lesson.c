/* Lesson 07, stability: its checks, and the oracles that can make every mistake of mistakes.h. */
#include "mistakes.h"

#include <stdlib.h>

/* ---- welford_statistics ---- */
/* What the recurrence adds up if one of its two distances is taken twice. */
static Sum wrong_squares(const Real *x, int n, Mistakes m)
{
    Sum sum = {0}, squares = {0};
    Real before = exact(0);
    for (int j = 0; j < n; j++) {
        include(&sum, x[j]);
        Real after = average(sum, j + 1);
        include(&squares, square(sub(x[j], has(m, OLD_DISTANCE_TWICE) ? before : after)));
        before = after;
    }
    return squares;
}

/* The mean begins with that of the row before. The first number moves it to where float puts
 * x - before + before; from there on it is the row of that number, and the sum holds a product too
 * many. Which float that is rests with the learner's last mean. */
static Moments run_on(Real *x, int n, Real before)
{
    float begun = (float)before.v, distance = (float)x[0].v - begun, moved = begun + distance;
    double anywhere = add(sub(x[0], before), before).e + fabs(x[0].v - moved);
    x[0] = (Real){moved, anywhere};
    Moments found = moments_of(x, n);
    found.variance.e += fabs(distance) * anywhere / n;
    return found;
}

/* `before`: the mean of the row before; 0 for the first. */
static Moments row_statistics(const float *row, int n, Real before, Mistakes m)
{
    Real *x = as_reals(row, n);
    Moments found = has(m, MEAN_RUNS_ON) && before.v != 0 ? run_on(x, n, before) : moments_of(x, n);
    if (has(m, OLD_DISTANCE_TWICE) || has(m, NEW_DISTANCE_TWICE))
        found.variance = average(wrong_squares(x, n, m), n);
    if (has(m, CANCELLATION)) {
        Sum squares = {0};
        for (int j = 0; j < n; j++)
            include(&squares, square(x[j]));
        found.variance = cancelled(average(squares, n), found.mean);
    }
    free(x);
    return found;
}

static void welford_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), n = size_of(c, "features");
    Real squares = exact(0), before = exact(0);
    for (int r = 0; r < rows; r++) {
        Moments row = row_statistics(given(c, "x") + r * n, n, before, m);
        before = row.mean;
        Real own = scaled(row.variance, n);
        squares = has(m, SQUARES_RUN_ON) && r > 0 ? add(squares, own) : own;
        wanted(c, "mean")[r] = row.mean;
        wanted(c, "variance")[r] = row.variance;
        if (has(m, N_MINUS_1) || has(m, SQUARES_RUN_ON))
            wanted(c, "variance")[r] = divide(squares, exact(has(m, N_MINUS_1) ? n - 1 : n));
        reveal(c, "sum of squares", squares);
    }
}

/* ---- merge_statistics ---- */
typedef struct {
    Real mean, variance, share; /* of the whole row's numbers */
} PartOf;

static Real weighed(PartOf a, Real of_a, PartOf b, Real of_b)
{
    return add(mul(a.share, of_a), mul(b.share, of_b));
}

/* One mean and a part of the way to the other. */
static Real on_the_way(PartOf from, PartOf to)
{
    return add(from.mean, mul(to.share, sub(to.mean, from.mean)));
}

/* The mean square about `center` of a part's numbers. */
static Real about(PartOf part, Real center)
{
    return add(part.variance, square(sub(part.mean, center)));
}

static void merge_oracle(Case *c, Mistakes m)
{
    double count_a = size_of(c, "features_a"), count_b = size_of(c, "features_b");
    Real count = exact(count_a + count_b), half = exact(0.5);
    for (int r = 0; r < size_of(c, "rows"); r++) {
        PartOf a = {exact(given(c, "mean_a")[r]), exact(given(c, "variance_a")[r]),
                    divide(exact(count_a), count)};
        PartOf b = {exact(given(c, "mean_b")[r]), exact(given(c, "variance_b")[r]),
                    divide(exact(count_b), count)};
        Real mean = weighed(a, a.mean, b, b.mean);
        mean = larger_bound(mean, larger_bound(on_the_way(a, b), on_the_way(b, a)));
        Real variance = weighed(a, about(a, mean), b, about(b, mean));

        Real within_parts = weighed(a, a.variance, b, b.variance);
        Real between = mul(mul(a.share, b.share), square(sub(b.mean, a.mean)));
        variance = larger_bound(variance, add(within_parts, between));
        if (has(m, VARIANCES_NOT_WEIGHED))
            within_parts = add(mul(half, a.variance), mul(half, b.variance));
        if (has(m, DISTANCE_NOT_DIVIDED))
            between = mul(between, count);
        if (has(m, DISTANCE_FORGOTTEN))
            between = exact(0);
        if (has(m, VARIANCES_NOT_WEIGHED) || has(m, DISTANCE_NOT_DIVIDED) ||
            has(m, DISTANCE_FORGOTTEN))
            variance = add(within_parts, between);
        if (has(m, CANCELLATION))
            variance = cancelled(weighed(a, about(a, exact(0)), b, about(b, exact(0))), mean);
        if (has(m, MEANS_NOT_WEIGHED))
            mean = mul(half, add(a.mean, b.mean));
        wanted(c, "mean")[r] = mean;
        wanted(c, "variance")[r] = variance;
        reveal(c, "within the parts", within_parts);
        reveal(c, "between the means", between);
    }
}

/* ---- layer_norm_wide ---- */
typedef struct {
    bool finite, equal;
    float largest;
} Look;

static Look look_at(const float *row, int n)
{
    Look look = {true, true, 0};
    for (int j = 0; j < n; j++) {
        look.finite = look.finite && isfinite(row[j]);
        look.equal = look.equal && row[j] == row[0];
        look.largest = fmaxf(look.largest, fabsf(row[j]));
    }
    return look;
}

/* A float of the row, measured in units of 2 to that power: only what is tiny there is rounded. */
static Real in_units(double value, int power)
{
    return rounded(ldexp(value, -power), 0, 0);
}

/* The unit that an honest program could choose: neither the row nor eps is large in it. */
static int unit_of(Look row, float eps, Mistakes m)
{
    int power = 0;
    if (!has(m, SQUARES_NOT_SCALED))
        frexp(fmax(row.largest, sqrt(eps)), &power);
    return power;
}

/* What the normalized row is where float cannot hold its squares. */
enum { SQUARED_ABOVE = 1, SQUARED_BELOW = 2 };
static int beyond_float(Moments row, Mistakes m)
{
    if (!has(m, SQUARES_NOT_SCALED))
        return 0;
    return row.variance.v > 1.1 * (double)FLT_MAX ? SQUARED_ABOVE
           : row.variance.v < 1e-48               ? SQUARED_BELOW
                                                  : 0;
}

/* eps of a learner who measures the row in another unit and eps as before. The unit may be the
 * largest number, or the power of two next above it. */
static Real epsilon_not_scaled(Look row, float eps, int unit)
{
    int power;
    double largest = ldexp(row.largest, -unit), near = eps * largest * largest;
    frexp(largest, &power);
    return (Real){near, row.largest < sqrt(eps) ? INFINITY : eps * ldexp(1, 2 * power) - near};
}

/* Who is not that far yet may not have seen to rows of equal numbers: they are left to chance. */
static Real of_equal_numbers(float beta, Mistakes m)
{
    return (Real){beta, has(m, SQUARES_NOT_SCALED) || has(m, EPSILON_NOT_SCALED) ? INFINITY : 0};
}

static void wide_row(Case *c, Real *y, const float *row, Mistakes m)
{
    int n = size_of(c, "features");
    const float *gamma = given(c, "gamma"), *beta = given(c, "beta");
    float eps = scalar_of(c, "eps");
    Look look = look_at(row, n);
    for (int j = 0; j < n; j++)
        y[j] = look.finite ? of_equal_numbers(beta[j], m) : exact(NAN);
    if (!look.finite || look.equal)
        return;
    int unit = unit_of(look, eps, m);
    Real *x = new_reals(n);
    for (int j = 0; j < n; j++)
        x[j] = in_units(row[j], unit);
    Moments found = moments_of(x, n);
    Real squared = in_units(in_units(eps, unit).v, unit);
    if (has(m, EPSILON_NOT_SCALED))
        squared = epsilon_not_scaled(look, eps, unit);
    Real spread = root(add(found.variance, squared));
    int beyond = beyond_float(found, m);
    double variance = ldexp(found.variance.v, 2 * unit);
    bool tiny = has(m, TINY_IS_EQUAL) && variance < 1e-11;
    reveal(c, "spread", exact(ldexp(spread.v, unit)));
    for (int j = 0; j < n && !(tiny && variance < 1e-46); j++) {
        Real hat = divide(sub(x[j], found.mean), spread);
        if (beyond == SQUARED_ABOVE && isfinite(found.mean.e))
            hat = exact(0); /* a distance over infinity */
        if ((beyond == SQUARED_BELOW && eps == 0) || tiny)
            hat.e = INFINITY; /* a distance over 0; and who knows what is called tiny */
        reveal(c, "normalized", hat);
        y[j] = add(mul(exact(gamma[j]), hat), exact(beta[j]));
    }
    free(x);
}

static void wide_oracle(Case *c, Mistakes m)
{
    int n = size_of(c, "features");
    for (int r = 0; r < size_of(c, "rows"); r++)
        wide_row(c, wanted(c, "y") + r * n, given(c, "x") + r * n, m);
}

static const Step steps[] = {
    {"welford_statistics", welford_oracle, NULL},
    {"merge_statistics", merge_oracle, NULL},
    {"layer_norm_wide", wide_oracle, NULL},
    {0},
};

/* ---- cases ---- */
static void draw_welford(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        case_of_shape(cases, rng, "welford_statistics", i);
}

static void fill_parts(Case *c, Rng *rng, double offset)
{
    static const char *const parts[2][2] = {{"mean_a", "variance_a"}, {"mean_b", "variance_b"}};
    int rows = size_of(c, "rows");
    for (int part = 0; part < 2; part++) {
        float *mean = fill(c, parts[part][0]), *variance = fill(c, parts[part][1]);
        for (int r = 0; r < rows; r++) {
            double spread = pow(10, uniform(rng, -1, 1));
            mean[r] = (float)(offset + spread * normal(rng));
            variance[r] = (float)(spread * spread);
        }
    }
}

static void draw_merge(Cases *cases, Rng *rng)
{
    static const double offsets[] = {0, 100, -3, 1000};
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_new(cases, "merge_statistics");
        bool many = i % 3 == 2; /* a product above 2 to the power 31 */
        int a = many ? uniform_int(rng, 50000, 1000000000) : uniform_int(rng, 1, 1 << (i / 2 + 1));
        int b = many ? uniform_int(rng, 50000, 1000000000) : uniform_int(rng, 1, 1 << (12 - i / 2));
        set_size(c, "rows", i % 4 == 1 ? uniform_int(rng, 98, 300) : uniform_int(rng, 1, 9));
        set_size(c, "features_a", a);
        set_size(c, "features_b", b);
        fill_parts(c, rng, offsets[i % 4]);
        case_label(c, "%d rows of %d and %d numbers", size_of(c, "rows"), a, b);
    }
}

/* Every row of a size of its own. */
static void fill_sizes(Case *c, Rng *rng, double offset)
{
    int rows = size_of(c, "rows"), n = size_of(c, "features");
    double highest = log10(1e38 / (fabs(offset) + 8));
    float *x = fill(c, "x");
    for (int r = 0; r < rows; r++)
        fill_spread(x + r * n, n, 1, rng, pow(10, uniform(rng, -30, highest)), offset);
}

static void draw_wide(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, "layer_norm_wide");
        set_size(c, "rows", shape.rows);
        set_size(c, "features", shape.features);
        bool large_eps = shape.eps > 0.2f; /* of which rows of any size may show nothing */
        set_scalar(c, "eps", i % 3 == 1 || large_eps ? shape.eps : 0);
        if (large_eps)
            fill_rows(c, "x", rng, shape.spread, shape.offset);
        else
            fill_sizes(c, rng, shape.offset);
        fill_rest(c, rng);
        case_label(c, "%d x %d%s", shape.rows, shape.features,
                   large_eps ? "" : ", rows of any size");
    }
}

/* One row, or all but one, of each case holds a number that is none; or every number is none. */
static void draw_not_numbers(Cases *cases, Rng *rng)
{
    static const float none[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 12; i++) {
        Case *c = case_new(cases, "layer_norm_wide");
        int rows = i < 2 ? 1 : uniform_int(rng, 2, 6), n = uniform_int(rng, 1, 40);
        set_size(c, "rows", rows);
        set_size(c, "features", n);
        set_scalar(c, "eps", i % 2 ? 1e-5f : 0);
        fill_rows(c, "x", rng, 3, 0.5);
        float *x = fill(c, "x");
        int chosen = uniform_int(rng, 0, rows - 1), place = uniform_int(rng, 0, n - 1);
        bool whole = i % 4 == 3, others = i % 6 == 4;
        for (int k = 0; k < rows * n; k++)
            if ((k / n == chosen) != others && (whole || k % n == place))
                x[k] = none[i % 3];
        fill_rest(c, rng);
        case_label(c, "%d x %d, %s%g", rows, n, whole ? "whole rows of " : "with ", none[i % 3]);
    }
}

static const Check checks[] = {
    {"welford_statistics", "welford_statistics finds the mean and variance of small rows",
     .vectors = "small rows"},
    {"welford_statistics", "welford_statistics holds on rows far from zero",
     .vectors = "far from zero"},
    {"welford_statistics", "welford_statistics holds on 24 shapes drawn afresh",
     .draw = draw_welford},
    {"merge_statistics", "merge_statistics finds the mean of two parts", .vectors = "two parts",
     .only = "mean"},
    {"merge_statistics", "merge_statistics finds the variance of two parts",
     .vectors = "two parts"},
    {"merge_statistics", "merge_statistics holds on parts of up to 1000000000 numbers",
     .vectors = "large parts", .draw = draw_merge},
    {"layer_norm_wide", "layer_norm_wide matches PyTorch on ordinary rows",
     .vectors = "ordinary rows"},
    {"layer_norm_wide", "layer_norm_wide holds on rows up to 1e38", .vectors = "huge rows"},
    {"layer_norm_wide", "layer_norm_wide holds on rows down to 1e-30", .vectors = "tiny rows"},
    {"layer_norm_wide", "layer_norm_wide gives beta for rows of equal numbers",
     .vectors = "equal numbers"},
    {"layer_norm_wide", "layer_norm_wide keeps a NaN or an infinity in its own row",
     .draw = draw_not_numbers},
    {"layer_norm_wide", "layer_norm_wide holds on 24 shapes with rows of every size",
     .draw = draw_wide},
    {0},
};

const Lesson lesson = {
    "Stability",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5 features_a=1 features_b=1",
    .needs = "01",
    .learned = "one pass is enough, for any row that a float can hold.",
};
