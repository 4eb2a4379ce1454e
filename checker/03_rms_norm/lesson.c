/* Lesson 03, RMS norm: its checks, its oracle and the mistakes that the oracle can make. */
#include "engine.h"

#include <stdlib.h>

enum {
    LAYER_NORM,
    VARIANCE,
    SQUARE_OF_MEAN,
    MEAN_ABSOLUTE,
    NOT_DIVIDED,
    N_MINUS_1,
    INTEGER_DIVISION,
    SUM_NOT_RESET,
    STATISTICS_OF_ALL,
    STATISTICS_PER_FEATURE,
    STATISTICS_OF_FIRST_ROW,
    FIRST_ROW_REPEATED,
    ROOT_MISSING,
    MULTIPLIES_BY_RMS,
    EPSILON_OUTSIDE,
    EPSILON_MISSING,
    EPSILON_1E_5,
    EPSILON_1E_6,
    GAMMA_MISSING,
    GAMMA_PLUS_ONE,
    GAMMA_FIRST_ONLY,
    DGAMMA_WITHOUT_RSTD,
    DGAMMA_WITHOUT_X,
    DGAMMA_TIMES_GAMMA,
    DGAMMA_LAST_ROW,
    DGAMMA_AVERAGED,
    PROJECTION_MISSING,
    PROJECTION_SIGN,
    PROJECTION_NOT_DIVIDED,
    PROJECTION_NOT_RESET,
    PROJECTION_WITHOUT_EPSILON,
    RSTD_SQUARED,
    RSTD_ONCE,
    RSTD_LEFT_OUT,
    GAMMA_NOT_IN_SUM,
    GAMMA_NOT_IN_FIRST,
    GAMMA_OUTSIDE,
    MEAN_OF_G_SUBTRACTED,
};

#define FORWARD "rms_norm"
#define BACKWARD "rms_norm_backward"
#define BOTH "rms_norm rms_norm_backward"

static const Mistake mistakes[] = {
    [LAYER_NORM] = {"layer_norm", BOTH, "it is layer norm: the row's mean is subtracted everywhere",
                    "RMS norm subtracts no mean", "Layer norm without beta"},
    [VARIANCE] = {"variance", BOTH, "x is divided by the root of its variance",
                  "The mean square is about zero, not about the mean",
                  "The variance for the mean square"},
    [SQUARE_OF_MEAN] = {"square_of_mean", FORWARD,
                        "the mean is squared, in place of averaging the squares",
                        "Square each element, then average", "The square of the mean"},
    [MEAN_ABSOLUTE] = {"mean_absolute", FORWARD, "x is divided by the mean of |x|, plus eps",
                       "The root mean square weighs large elements more", "The mean of |x|"},
    [NOT_DIVIDED] = {"not_divided", BOTH, "the sum of squares is not divided by n",
                     "A mean square is the sum over n", "Squares that were never averaged"},
    [N_MINUS_1] = {"n_minus_1", BOTH, "the sum of squares is divided by n - 1",
                   "RMS norm divides by n", "Dividing the squares by n - 1"},
    [INTEGER_DIVISION] = {"integer_division", BOTH,
                          "the sum of squares is multiplied by 1 / n in int, which is 0",
                          "Divide floats: 1.0f / features", "One over n in int"},
    [SUM_NOT_RESET] = {"sum_not_reset", BOTH,
                       "the sum of squares still holds the rows before, where a row begins",
                       "Every row starts its sum at 0", "A sum that runs on"},
    [STATISTICS_OF_ALL] = {"statistics_of_all", FORWARD,
                           "one mean square is taken over all rows together",
                           "Every row has its own", "One mean square for the whole array"},
    [STATISTICS_PER_FEATURE] = {"statistics_per_feature", FORWARD,
                                "the mean square is taken down each column, over the rows",
                                "RMS norm looks at one row at a time", "Normalizing the columns"},
    [STATISTICS_OF_FIRST_ROW] = {"statistics_of_first_row", FORWARD,
                                 "the first row's mean square serves every row",
                                 "Every row has its own", "The first row's mean square"},
    [FIRST_ROW_REPEATED] = {"first_row_repeated", BOTH,
                            "row 0 is read again and again in place of row r",
                            "Element j of row r is x[r * features + j]",
                            "The first row, again and again"},
    [ROOT_MISSING] = {"root_missing", BOTH,
                      "x is divided by the mean square + eps, without the root",
                      "Divide by the root of it", "The root left out"},
    [MULTIPLIES_BY_RMS] = {"multiplies_by_rms", BOTH, "x is multiplied by the root mean square",
                           "It is divided by it", "Multiplying by the root mean square"},
    [EPSILON_OUTSIDE] = {"epsilon_outside", BOTH, "eps is added to the root instead of under it",
                         "It is sqrt(mean square + eps)", "Epsilon outside the root"},
    [EPSILON_MISSING] = {"epsilon_missing", BOTH, "eps is left out",
                         "It is sqrt(mean square + eps)", "Epsilon left out"},
    [EPSILON_1E_5] = {"epsilon_1e_5", BOTH, "eps is 1e-5 whatever the caller passes",
                      "eps is an argument", "An epsilon of 1e-5"},
    [EPSILON_1E_6] = {"epsilon_1e_6", BOTH, "eps is 1e-6 whatever the caller passes",
                      "eps is an argument", "An epsilon of 1e-6"},
    [GAMMA_MISSING] = {"gamma_missing", BOTH, "gamma is left out",
                       "Each feature is scaled by its gamma", "Gamma left out"},
    [GAMMA_PLUS_ONE] = {"gamma_plus_one", BOTH, "the scale is 1 + gamma, as in Gemma",
                        "Here the scale is gamma itself", "One plus gamma"},
    [GAMMA_FIRST_ONLY] = {"gamma_first_only", BOTH, "gamma[0] serves every feature",
                          "Feature j has gamma[j]", "One gamma for all features"},
    [DGAMMA_WITHOUT_RSTD] = {"dgamma_without_rstd", BACKWARD,
                             "dgamma sums dy * x, with x not normalized",
                             "gamma multiplies x * rstd, so dgamma sums dy * x * rstd",
                             "Dgamma of the raw x"},
    [DGAMMA_WITHOUT_X] = {"dgamma_without_x", BACKWARD, "dgamma is the sum of dy alone",
                          "That is layer norm's dbeta; dgamma sums dy * x * rstd",
                          "Dgamma that is a dbeta"},
    [DGAMMA_TIMES_GAMMA] = {"dgamma_times_gamma", BACKWARD,
                            "dgamma sums gamma * dy instead of dy, times x * rstd",
                            "gamma's own gradient has no gamma in it", "Gamma in its own gradient"},
    [DGAMMA_LAST_ROW] = {"dgamma_last_row", BACKWARD, "dgamma holds the last row's share only",
                         "Add up the shares of all rows", "Dgamma of the last row"},
    [DGAMMA_AVERAGED] = {"dgamma_averaged", BACKWARD, "dgamma is divided by the number of rows",
                         "dgamma is the sum over the rows", "Dgamma averaged over the rows"},
    [PROJECTION_MISSING] = {"projection_missing", BACKWARD,
                            "dx is rstd * gamma * dy, as if rstd did not depend on x",
                            "Moving x moves rstd as well", "Rstd taken for a constant"},
    [PROJECTION_SIGN] = {"projection_sign", BACKWARD,
                         "the term with the sum over the row is added to dx", "It is subtracted",
                         "The second term added"},
    [PROJECTION_NOT_DIVIDED] = {"projection_not_divided", BACKWARD,
                                "the sum over the row in dx is not divided by n",
                                "It is the mean of gamma * dy * hat",
                                "The second term's missing n"},
    [PROJECTION_NOT_RESET] = {"projection_not_reset", BACKWARD,
                              "the sum in dx still holds the rows before, where a row begins",
                              "Every row starts that sum at 0 too", "The second sum that runs on"},
    [PROJECTION_WITHOUT_EPSILON] = {"projection_without_epsilon", BACKWARD,
                                    "eps is left out of dx's second term (its sum is divided by "
                                    "the sum of x^2)",
                                    "Both terms use the same rstd", "Epsilon in one term only"},
    [RSTD_SQUARED] = {"rstd_squared", BACKWARD,
                      "dx's second term has x for hat once: rstd squared, not cubed",
                      "It is rstd * hat * mean(g * hat), with hat = x * rstd",
                      "Rstd squared where it is cubed"},
    [RSTD_ONCE] = {"rstd_once", BACKWARD,
                   "dx's second term has x for hat both times: one rstd where three belong",
                   "It is rstd * hat * mean(g * hat), with hat = x * rstd",
                   "Rstd once for three times"},
    [RSTD_LEFT_OUT] = {"rstd_left_out", BACKWARD, "dx is not multiplied by rstd at the end",
                       "It is rstd * (g - hat * mean(g * hat))", "The outer rstd left out"},
    [GAMMA_NOT_IN_SUM] = {"gamma_not_in_sum", BACKWARD,
                          "gamma is left out of the sum in dx's second term",
                          "The sum is of gamma * dy * hat", "No gamma in the sum"},
    [GAMMA_NOT_IN_FIRST] = {"gamma_not_in_first", BACKWARD, "gamma is left out of dx's first term",
                            "Both terms start from g = gamma * dy", "No gamma in the first term"},
    [GAMMA_OUTSIDE] = {"gamma_outside", BACKWARD,
                       "gamma multiplies dx at the end instead of dy at the start",
                       "gamma[j] belongs to dy[j], inside the sum too", "Gamma applied at the end"},
    [MEAN_OF_G_SUBTRACTED] = {"mean_of_g_subtracted", BACKWARD,
                              "the mean of gamma * dy is subtracted in dx, as layer norm does",
                              "No mean was subtracted forward, none is backward",
                              "Layer norm's extra term"},
    {0},
};

/* The numbers of one row as a lesson's function sees them, mistakes and all. */
typedef struct {
    Real mean;    /* what is subtracted from x: 0, or the row's mean */
    Real square;  /* the mean square */
    Real epsilon; /* under the root */
    Real rstd;
} Row;

/* Of `length` values `step` apart, of which `count` are said to be averaged. */
static Row row_of(const float *x, int length, int step, int count, float eps, Mistakes m)
{
    Sum plain = {0}, squares = {0}, about_mean = {0}, absolute = {0};
    for (int i = 0; i < length; i++) {
        Real value = exact(x[i * step]);
        include(&plain, value);
        include(&squares, square(value));
        include(&absolute, exact(fabs(value.v)));
    }
    Real mean = average(plain, count);
    for (int i = 0; i < length; i++)
        include(&about_mean, square(sub(exact(x[i * step]), mean)));

    Row row = {.mean = has(m, LAYER_NORM) ? mean : exact(0)};
    Sum sum = has(m, LAYER_NORM) || has(m, VARIANCE) ? about_mean : squares;
    row.square =
        has(m, NOT_DIVIDED) ? total(sum) : average(sum, has(m, N_MINUS_1) ? count - 1 : count);
    if (has(m, SQUARE_OF_MEAN))
        row.square = square(mean);
    if (has(m, INTEGER_DIVISION) && count > 1)
        row.square = exact(0);
    row.epsilon = exact(has(m, EPSILON_MISSING) ? 0
                        : has(m, EPSILON_1E_5)  ? (double)1e-5f
                        : has(m, EPSILON_1E_6)  ? (double)1e-6f
                                                : (double)eps);
    Real rms = root(add(row.square, row.epsilon));
    if (has(m, EPSILON_OUTSIDE))
        rms = add(root(row.square), row.epsilon);
    if (has(m, ROOT_MISSING))
        rms = add(row.square, row.epsilon);
    if (has(m, MEAN_ABSOLUTE))
        rms = add(average(absolute, count), row.epsilon);
    row.rstd = has(m, MULTIPLIES_BY_RMS) ? rms : divide(exact(1), rms);
    return row;
}

/* The row that stands where row r should. */
static int row_read(int r, Mistakes m)
{
    return has(m, FIRST_ROW_REPEATED) ? 0 : r;
}

/* Row r; what it holds for element j only differs from it where columns were normalized. */
static Row row_at(const Case *c, int r, int j, Mistakes m)
{
    const float *x = given(c, "x");
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    float eps = scalar_of(c, "eps");
    if (has(m, STATISTICS_PER_FEATURE))
        return row_of(x + j, rows, features, rows, eps, m);
    if (has(m, STATISTICS_OF_ALL))
        return row_of(x, rows * features, 1, rows * features, eps, m);
    if (has(m, STATISTICS_OF_FIRST_ROW))
        return row_of(x, features, 1, features, eps, m);
    if (has(m, SUM_NOT_RESET))
        return row_of(x, (r + 1) * features, 1, features, eps, m);
    return row_of(x + row_read(r, m) * features, features, 1, features, eps, m);
}

static Real scale_of(const Case *c, int j, Mistakes m)
{
    if (has(m, GAMMA_MISSING))
        return exact(1);
    Real gamma = exact(given(c, "gamma")[has(m, GAMMA_FIRST_ONLY) ? 0 : j]);
    return has(m, GAMMA_PLUS_ONE) ? add(exact(1), gamma) : gamma;
}

static void rms_norm_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    const float *x = given(c, "x");
    Real *y = wanted(c, "y");
    Row row = {0};
    for (int i = 0; i < rows * features; i++) {
        int r = i / features, j = i % features;
        if (j == 0 || has(m, STATISTICS_PER_FEATURE)) {
            row = row_at(c, r, j, m);
            reveal(c, "mean square", row.square);
            reveal(c, "rstd", row.rstd);
        }
        Real x_here = exact(x[row_read(r, m) * features + j]);
        Real hat = mul(sub(x_here, row.mean), row.rstd);
        reveal(c, "hat", hat);
        y[i] = mul(scale_of(c, j, m), hat);
    }
}

/* What row r adds to each sum of dgamma. */
static void add_to_dgamma(Sum *dgamma, const Case *c, int r, Row row, Mistakes m)
{
    int features = size_of(c, "features"), at = row_read(r, m) * features;
    const float *x = given(c, "x") + at, *dy = given(c, "dy") + at;
    for (int j = 0; j < features; j++) {
        Real hat = sub(exact(x[j]), row.mean), share = exact(dy[j]);
        if (!has(m, DGAMMA_WITHOUT_RSTD))
            hat = mul(hat, row.rstd);
        if (!has(m, DGAMMA_WITHOUT_X))
            share = mul(share, hat);
        if (has(m, DGAMMA_TIMES_GAMMA))
            share = mul(share, scale_of(c, j, m));
        if (has(m, DGAMMA_LAST_ROW))
            dgamma[j] = (Sum){0};
        include(&dgamma[j], share);
    }
}

/* g = gamma * dy, as it enters the first term or the sum of dx. */
static Real gradient(const Case *c, int r, int j, bool with_gamma, Mistakes m)
{
    Real dy = exact(given(c, "dy")[row_read(r, m) * size_of(c, "features") + j]);
    return with_gamma && !has(m, GAMMA_OUTSIDE) ? mul(scale_of(c, j, m), dy) : dy;
}

/* dx[j] = rstd * (g[j] - hat[j] * mean(g * hat)). `dot` is the sum of g * hat. */
static void dx_of_row(Real *dx, Sum *dot, const Case *c, int r, Row row, Mistakes m)
{
    int n = size_of(c, "features");
    const float *x = given(c, "x") + row_read(r, m) * n;
    Real in_sum = row.rstd,
         in_front = row.rstd; /* what makes x a hat, inside the sum and before it */
    if (has(m, PROJECTION_WITHOUT_EPSILON))
        in_sum = in_front = divide(exact(1), root(row.square));
    if (has(m, RSTD_SQUARED) || has(m, RSTD_ONCE))
        in_sum = exact(1);
    if (has(m, RSTD_ONCE))
        in_front = exact(1);

    Sum plain = {0};
    if (!has(m, PROJECTION_NOT_RESET))
        *dot = (Sum){0};
    for (int j = 0; j < n; j++) {
        Real hat = mul(sub(exact(x[j]), row.mean), in_sum);
        reveal(c, "hat", hat);
        include(dot, mul(gradient(c, r, j, !has(m, GAMMA_NOT_IN_SUM), m), hat));
        include(&plain, gradient(c, r, j, true, m));
    }
    Real mean = has(m, PROJECTION_NOT_DIVIDED) ? total(*dot) : average(*dot, n);
    reveal(c, "mean(g * hat)", mean);
    if (has(m, PROJECTION_SIGN))
        mean.v = -mean.v;
    for (int j = 0; j < n; j++) {
        Real inner = gradient(c, r, j, !has(m, GAMMA_NOT_IN_FIRST), m);
        inner.e += n * UNIT_ROUNDOFF * fabs(inner.v); /* may be one of the sum's n terms */
        if (has(m, MEAN_OF_G_SUBTRACTED) || has(m, LAYER_NORM))
            inner = sub(inner, average(plain, n));
        if (!has(m, PROJECTION_MISSING))
            inner = sub(inner, mul(mul(sub(exact(x[j]), row.mean), in_front), mean));
        if (has(m, GAMMA_OUTSIDE))
            inner = mul(scale_of(c, j, m), inner);
        dx[j] = has(m, RSTD_LEFT_OUT) ? inner : mul(row.rstd, inner);
    }
}

static void rms_norm_backward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    Real *dx = wanted(c, "dx"), *dgamma = wanted(c, "dgamma");
    Sum *shares = calloc((size_t)features, sizeof *shares), dot = {0};
    if (!shares)
        author_error("out of memory");
    for (int r = 0; r < rows; r++) {
        Row row = row_at(c, r, 0, m);
        reveal(c, "rstd", row.rstd);
        add_to_dgamma(shares, c, r, row, m);
        dx_of_row(dx + r * features, &dot, c, r, row, m);
    }
    for (int j = 0; j < features; j++)
        dgamma[j] = has(m, DGAMMA_AVERAGED) ? average(shares[j], rows) : total(shares[j]);
    free(shares);
}

static const Step steps[] = {
    {"rms_norm", rms_norm_oracle, NULL},
    {"rms_norm_backward", rms_norm_backward_oracle, NULL},
    {0},
};

static void draw_shapes(Cases *cases, Rng *rng, const char *function)
{
    static const float epsilons[] = {1e-5f, 1e-3f, 1e-6f, 0.25f};
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(i);
        Case *c = case_new(cases, function);
        set_size(c, "rows", shape.rows);
        set_size(c, "features", shape.features);
        set_scalar(c, "eps", epsilons[i % 4]);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        fill_rest(c, rng);
        case_label(c, "%d x %d", shape.rows, shape.features);
    }
}

static void draw_rms_norm(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, "rms_norm");
}

static void draw_rms_norm_backward(Cases *cases, Rng *rng)
{
    draw_shapes(cases, rng, "rms_norm_backward");
}

static const Check checks[] = {
    {"rms_norm", "rms_norm matches PyTorch on 3 x 5", "3 x 5", NULL, NULL},
    {"rms_norm", "rms_norm leaves the mean in, far from zero too", "far from zero", NULL, NULL},
    {"rms_norm", "rms_norm counts eps on tiny rows", "tiny rows", NULL, NULL},
    {"rms_norm", "rms_norm holds on 24 shapes drawn afresh", NULL, draw_rms_norm, NULL},
    {"rms_norm_backward", "rms_norm_backward sums dgamma over the rows", "backward", NULL,
     "dgamma"},
    {"rms_norm_backward", "rms_norm_backward finds dx of one row with gamma 1", "backward, one row",
     NULL, "dx"},
    {"rms_norm_backward", "rms_norm_backward finds dx through gamma", "backward", NULL, "dx"},
    {"rms_norm_backward", "rms_norm_backward counts eps on tiny rows", "backward, tiny rows", NULL,
     NULL},
    {"rms_norm_backward", "rms_norm_backward holds on 24 shapes drawn afresh", NULL,
     draw_rms_norm_backward, NULL},
    {0},
};

const Lesson lesson = {"RMS Normalization", steps, checks, mistakes,
                       .defaults = "gamma=1 eps=1e-5"};
