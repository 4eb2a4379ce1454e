/* Lesson 01, layer norm: its checks, its oracle and the mistakes that the oracle can make. */
#include "engine.h"

enum {
    SUM_NOT_DIVIDED,
    MEAN_BY_N_MINUS_1,
    MEAN_MISSES_LAST,
    MEAN_MISSES_FIRST,
    MEAN_IN_INT,
    MEAN_OF_INTS,
    MEAN_RECIPROCAL,
    N_MINUS_1,
    VARIANCE_NOT_DIVIDED,
    VARIANCE_MISSES_LAST,
    VARIANCE_RECIPROCAL,
    VARIANCE_IS_STD,
    VARIANCE_OWN_MEAN,
    VARIANCE_ABOUT_ZERO,
    VARIANCE_ABSOLUTE,
    CANCELLATION,
    EPSILON_OUTSIDE,
    EPSILON_MISSING,
    EPSILON_FIXED,
    DIVIDE_BY_VARIANCE,
    MULTIPLY_BY_STD,
    DIVISION_MISSING,
    GAMMA_MISSING,
    BETA_MISSING,
    GAMMA_BETA_SWAPPED,
    GAMMA_FIRST_ONLY,
    BETA_INSIDE,
    MEAN_NOT_SUBTRACTED,
    PARENTHESES_MISSING,
    STATISTICS_PER_FEATURE,
    STATISTICS_OF_ALL,
    STATISTICS_OF_FIRST_ROW,
    FIRST_ROW_AGAIN,
    SUM_NOT_RESET,
    MEAN_NOT_RESET,
    SQUARES_NOT_RESET,
    VARIANCE_NOT_RESET,
    CIRCULATING_FORMULA,
};

static const Mistake mistakes[] = {
    [SUM_NOT_DIVIDED] = {"sum_not_divided", "row_mean layer_norm",
                         "the sum of the row is not divided by n", "A mean is the sum over n",
                         "The sum that was never divided"},
    [MEAN_BY_N_MINUS_1] = {"mean_by_n_minus_1", "row_mean layer_norm",
                           "the mean is the sum divided by n - 1", "A mean divides by n",
                           "A mean that divides by n - 1"},
    [MEAN_MISSES_LAST] = {"mean_misses_last", "row_mean layer_norm",
                          "the last element is left out of the mean's sum",
                          "The loop runs while j < features", "The loop that ends one early"},
    [MEAN_MISSES_FIRST] = {"mean_misses_first", "row_mean layer_norm",
                           "the first element is left out of the mean's sum",
                           "The loop starts at j = 0", "The loop that starts at one"},
    [MEAN_IN_INT] = {"mean_in_int", "row_mean layer_norm",
                     "the sum is kept in an int, which cuts off the fraction at every step",
                     "The sum is a float", "The sum kept in an int"},
    [MEAN_OF_INTS] = {"mean_of_ints", "row_mean layer_norm",
                      "the sum is an int and is divided by an int, which gives whole numbers only",
                      "The sum is a float", "The sum kept in an int"},
    [MEAN_RECIPROCAL] = {"mean_reciprocal", "row_mean layer_norm",
                         "the sum is multiplied by 1 / features, which is 0 in whole numbers",
                         "Divide the sum by features", "One divided by an int"},
    [N_MINUS_1] = {"n_minus_1", "row_variance layer_norm", "the variance is divided by n - 1",
                   "Layer norm divides by n", "Dividing the variance by n - 1"},
    [VARIANCE_NOT_DIVIDED] = {"variance_not_divided", "row_variance layer_norm",
                              "the sum of squares is not divided by n",
                              "A variance is the average square",
                              "Squares that were never averaged"},
    [VARIANCE_MISSES_LAST] = {"variance_misses_last", "row_variance layer_norm",
                              "the last element is left out of the variance's sum",
                              "The loop runs while j < features", "The loop that ends one early"},
    [VARIANCE_RECIPROCAL] = {"variance_reciprocal", "row_variance layer_norm",
                             "the squares are multiplied by 1 / features, which is 0 in whole "
                             "numbers",
                             "Divide the sum by features", "One divided by an int"},
    [VARIANCE_IS_STD] = {"variance_is_std", "row_variance layer_norm",
                         "the variance is the standard deviation, its root already taken",
                         "The root comes later, over variance + eps", "The root taken twice"},
    [VARIANCE_OWN_MEAN] = {"variance_own_mean", "row_variance",
                           "row_variance works out a mean of its own",
                           "row_variance uses the mean it is given",
                           "Ignoring the mean you are given"},
    [VARIANCE_ABOUT_ZERO] = {"variance_about_zero", "row_variance layer_norm",
                             "the mean is not subtracted before squaring",
                             "A variance is about the mean", "Squares about zero"},
    [VARIANCE_ABSOLUTE] = {"variance_absolute", "row_variance layer_norm",
                           "the distances from the mean are averaged without squaring",
                           "A variance squares the distances", "Distances that were not squared"},
    [CANCELLATION] = {"cancellation", "row_variance layer_norm",
                      "the variance is E[x^2] - mean^2 in float",
                      "Subtract the mean first, then square", "E[x^2] - mean^2 in float"},
    [EPSILON_OUTSIDE] = {"epsilon_outside", "layer_norm",
                         "eps is added to the root instead of under it",
                         "It is sqrt(variance + eps)", "Epsilon outside the root"},
    [EPSILON_MISSING] = {"epsilon_missing", "layer_norm", "eps is left out",
                         "It is sqrt(variance + eps)", "Epsilon left out"},
    [EPSILON_FIXED] = {"epsilon_fixed", "layer_norm", "eps is 1e-5 whatever the caller passes",
                       "eps is an argument", "An epsilon of your own"},
    [DIVIDE_BY_VARIANCE] = {"divide_by_variance", "layer_norm",
                            "the row is divided by variance + eps, without the root",
                            "Divide by the standard deviation", "Dividing by the variance"},
    [MULTIPLY_BY_STD] = {"multiply_by_std", "layer_norm",
                         "x - mean is multiplied by sqrt(variance + eps)",
                         "Divide by the standard deviation",
                         "Multiplying by the standard deviation"},
    [DIVISION_MISSING] = {"division_missing", "layer_norm", "x - mean is not divided by anything",
                          "Divide by sqrt(variance + eps)", "Centered, but not scaled"},
    [GAMMA_MISSING] = {"gamma_missing", "layer_norm", "gamma is left out",
                       "Each feature is scaled by its gamma", "Gamma left out"},
    [BETA_MISSING] = {"beta_missing", "layer_norm", "beta is left out",
                      "Each feature is shifted by its beta", "Beta left out"},
    [GAMMA_BETA_SWAPPED] = {"gamma_beta_swapped", "layer_norm", "gamma and beta change places",
                            "gamma multiplies, beta is added", "Gamma and beta swapped"},
    [GAMMA_FIRST_ONLY] = {"gamma_first_only", "layer_norm",
                          "gamma[0] and beta[0] serve every feature",
                          "Feature j has gamma[j] and beta[j]", "One gamma for all features"},
    [BETA_INSIDE] = {"beta_inside", "layer_norm", "gamma multiplies beta too",
                     "Scale first, then shift", "Shifting before scaling"},
    [MEAN_NOT_SUBTRACTED] = {"mean_not_subtracted", "layer_norm",
                             "the mean is not subtracted from x (the variance is right)",
                             "The numerator is x - mean", "The mean that stays in"},
    [PARENTHESES_MISSING] = {"parentheses_missing", "layer_norm",
                             "only the mean is divided by the root: x - mean / root",
                             "Subtract first: (x - mean) / root", "Parentheses left out"},
    [STATISTICS_PER_FEATURE] = {"statistics_per_feature", "layer_norm",
                                "mean and variance are taken down each column, over the rows",
                                "Layer norm looks at one row at a time", "Normalizing the columns"},
    [STATISTICS_OF_ALL] = {"statistics_of_all", "layer_norm",
                           "one mean and one variance are taken over all rows together",
                           "Every row has its own", "One mean for the whole array"},
    [STATISTICS_OF_FIRST_ROW] = {"statistics_of_first_row", "layer_norm",
                                 "the first row's mean and variance serve every row",
                                 "Every row has its own", "The first row's statistics"},
    [FIRST_ROW_AGAIN] = {"first_row_again", "layer_norm",
                         "the first row is read again for every row",
                         "Row r starts at x + r * features", "The first row, again and again"},
    [SUM_NOT_RESET] = {"sum_not_reset", "layer_norm", "the mean's sum goes on from the row before",
                       "Start every row's sums at 0", "Sums that go on from row to row"},
    [MEAN_NOT_RESET] = {"mean_not_reset", "layer_norm",
                        "the mean is added up on top of the mean of the row before",
                        "Start every row's sums at 0", "Sums that go on from row to row"},
    [SQUARES_NOT_RESET] = {"squares_not_reset", "layer_norm",
                           "the variance's sum goes on from the row before",
                           "Start every row's sums at 0", "Sums that go on from row to row"},
    [VARIANCE_NOT_RESET] = {"variance_not_reset", "layer_norm",
                            "the variance is added up on top of the variance of the row before",
                            "Start every row's sums at 0", "Sums that go on from row to row"},
    [CIRCULATING_FORMULA] = {"circulating_formula", "layer_norm",
                             "the formula is (x + eps) / (sqrt(variance) + eps)",
                             "That formula circulates, and is wrong twice",
                             "The formula that circulates"},
    {0},
};

/* Values `step` apart: a row has step 1, a column of a rows x features array has step features. */

/* Honest code may also take mean and variance from the distances to the first value. Its roundings
 * are charged where they are the larger ones: when the first value is far from the mean. */
static void by_distances(const float *x, int n, int step, Real *mean, Real *variance)
{
    Sum sum = {0}, squares = {0};
    for (int j = 0; j < n; j++) {
        double v = (double)x[j * step] - x[0];
        Real distance = {v, UNIT_ROUNDOFF * fabs(v)};
        include(&sum, distance);
        include(&squares, square(distance));
    }
    *mean = add(exact(x[0]), average(sum, n));
    *variance = sub(average(squares, n), square(average(sum, n)));
}

static Real mean_of(const float *x, int n, int step, Mistakes m)
{
    bool whole = has(m, MEAN_IN_INT) || has(m, MEAN_OF_INTS);
    Sum sum = {0};
    for (int j = has(m, MEAN_MISSES_FIRST); j < n - has(m, MEAN_MISSES_LAST); j++) {
        if (whole) /* as C does it: int to float, a float addition, float to int */
            sum.v = truncf((float)sum.v + x[j * step]);
        else
            include(&sum, exact(x[j * step]));
    }
    if (has(m, SUM_NOT_DIVIDED))
        return total(sum);
    if (has(m, MEAN_RECIPROCAL) && n > 1)
        return exact(0);
    Real mean = average(sum, has(m, MEAN_BY_N_MINUS_1) ? n - 1 : n);
    if (has(m, MEAN_OF_INTS))
        return exact(trunc(mean.v));
    Real other, variance;
    by_distances(x, n, step, &other, &variance);
    mean.e = fmax(mean.e, other.e);
    return mean;
}

static Real variance_of(const float *x, int n, int step, Real mean, Mistakes m)
{
    Sum sum = {0}, squares = {0};
    for (int j = 0; j < n - has(m, VARIANCE_MISSES_LAST); j++) {
        Real distance = sub(exact(x[j * step]), has(m, VARIANCE_ABOUT_ZERO) ? exact(0) : mean);
        if (has(m, VARIANCE_ABSOLUTE))
            include(&sum, (Real){fabs(distance.v), distance.e});
        else
            include(&sum, square(distance));
        include(&squares, square(exact(x[j * step])));
    }
    if (has(m, VARIANCE_RECIPROCAL) && n > 1)
        return exact(0);
    double count = has(m, N_MINUS_1) ? n - 1 : n;
    Real variance = has(m, VARIANCE_NOT_DIVIDED) ? total(sum) : average(sum, count);
    Real own_mean, other;
    by_distances(x, n, step, &own_mean, &other);
    if (!has(m, VARIANCE_ABSOLUTE))
        variance.e = fmax(variance.e, other.e);
    if (has(m, CANCELLATION))
        variance = cancelled(average(squares, count), mean);
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
        mean = mean_of(x, features, 1, 0);
    Real variance = variance_of(x, features, 1, mean, m);
    /* Welford's sum is about the row's own mean, and (own - mean)^2 is added to it. */
    variance.e += square(sub(mean_of(x, features, 1, 0), mean)).e;
    *wanted(c, "return") = variance;
}

static Real normalized(Real x, Real mean, Real variance, double given_eps, Mistakes m)
{
    Real eps = exact(has(m, EPSILON_MISSING) ? 0
                     : has(m, EPSILON_FIXED) ? (double)1e-5f
                                             : given_eps);
    if (has(m, CIRCULATING_FORMULA))
        return divide(add(x, eps), add(root(variance), eps));
    if (has(m, PARENTHESES_MISSING))
        return sub(x, divide(mean, root(add(variance, eps))));
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

/* An average whose sum began with what a variable still held, instead of 0. */
static Real on_top(Real average, Real held, int n)
{
    Real both = add(average, held);
    both.e += n * UNIT_ROUNDOFF * fabs(held.v);
    return both;
}

/* Mean and variance of one row. They hold the row before's. */
static void next_row(const float *row, int n, Real *mean, Real *variance, Mistakes m)
{
    Real held = has(m, SUM_NOT_RESET)    ? *mean
                : has(m, MEAN_NOT_RESET) ? divide(*mean, exact(n))
                                         : exact(0);
    *mean = on_top(mean_of(row, n, 1, m), held, n);
    held = has(m, SQUARES_NOT_RESET)    ? *variance
           : has(m, VARIANCE_NOT_RESET) ? divide(*variance, exact(n))
                                        : exact(0);
    *variance = on_top(variance_of(row, n, 1, *mean, m), held, n);
}

static void layer_norm_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    const float *x = given(c, "x");
    const float *gamma = given(c, has(m, GAMMA_BETA_SWAPPED) ? "beta" : "gamma");
    const float *beta = given(c, has(m, GAMMA_BETA_SWAPPED) ? "gamma" : "beta");
    Real *y = wanted(c, "y");

    bool first_row = has(m, STATISTICS_OF_FIRST_ROW) || has(m, FIRST_ROW_AGAIN);
    Real mean = {0}, variance = {0};
    if (has(m, STATISTICS_OF_ALL)) {
        mean = mean_of(x, rows * features, 1, m);
        variance = variance_of(x, rows * features, 1, mean, m);
    }
    for (int i = 0; i < rows * features; i++) {
        int r = i / features, j = i % features;
        if (has(m, STATISTICS_PER_FEATURE)) {
            mean = mean_of(x + j, rows, features, m);
            variance = variance_of(x + j, rows, features, mean, m);
        } else if (j == 0 && !has(m, STATISTICS_OF_ALL) && !(first_row && r)) {
            next_row(x + i, features, &mean, &variance, m);
        }
        Real scale = exact(has(m, GAMMA_MISSING) ? 1 : gamma[has(m, GAMMA_FIRST_ONLY) ? 0 : j]);
        Real shift = exact(has(m, BETA_MISSING) ? 0 : beta[has(m, GAMMA_FIRST_ONLY) ? 0 : j]);
        Real hat = normalized(exact(x[has(m, FIRST_ROW_AGAIN) ? j : i]), mean, variance,
                              scalar_of(c, "eps"), m);
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
        Shape shape = odd_shape(i);
        Case *c = case_new(cases, function);
        set_size(c, "features", shape.features);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        case_label(c, "%d features", shape.features);
        if (param_index(c->function, "mean") >= 0) {
            Real mean = mean_of(given(c, "x"), shape.features, 1, 0);
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
    static const float epsilons[] = {1e-5f, 1e-3f, 1e-6f};
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(i);
        Case *c = case_new(cases, "layer_norm");
        set_size(c, "rows", shape.rows);
        set_size(c, "features", shape.features);
        set_scalar(c, "eps", epsilons[i % 3]);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        fill_rest(c, rng);
        case_label(c, "%d x %d", shape.rows, shape.features);
    }
}

static const Check checks[] = {
    {"row_mean", "row_mean averages one row", .vectors = "row_mean"},
    {"row_mean", "row_mean holds on 24 rows drawn afresh", .draw = draw_row_mean},
    {"row_variance", "row_variance is the biased estimate", .vectors = "row_variance"},
    {"row_variance", "row_variance holds on 24 rows drawn afresh", .draw = draw_row_variance},
    {"row_variance", "row_variance uses the mean it is given", .vectors = "given mean",
     .draw = draw_row_variance_other_mean},
    {"layer_norm", "layer_norm matches PyTorch on 3 x 5", .vectors = "3 x 5"},
    {"layer_norm", "layer_norm keeps rows of small variance small", .vectors = "small variance"},
    {"layer_norm", "layer_norm holds on rows far from zero", .vectors = "far from zero"},
    {"layer_norm", "layer_norm holds on 24 shapes drawn afresh", .draw = draw_layer_norm},
    {0},
};

const Lesson lesson = {"Layer Normalization", steps, checks, mistakes,
                       .defaults = "gamma=1 beta=0 eps=1e-5"};
