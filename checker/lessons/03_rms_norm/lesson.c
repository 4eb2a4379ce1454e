/* Lesson 03, RMS norm: its checks, and the oracles that can make every mistake of mistakes.h. */
#include "mistakes.h"

#include <stdlib.h>

/* The numbers of one row as a lesson's function sees them, mistakes and all. */
typedef struct {
    Real mean;    /* what is subtracted from x: 0, or the row's mean */
    Real square;  /* the mean square */
    Real epsilon; /* under the root */
    Real rms;     /* the root */
    Real rstd;
} Row;

/* Of `count` values `step` apart. */
static Row row_of(const float *x, int count, int step, float eps, Mistakes m)
{
    Sum plain = {0}, squares = {0}, about_mean = {0}, absolute = {0};
    for (int i = 0; i < count; i++) {
        Real value = exact(x[i * step]);
        include(&plain, value);
        include(&squares, square(value));
        include(&absolute, exact(fabs(value.v)));
    }
    Real mean = average(plain, count);
    for (int i = 0; i < count; i++)
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
    row.rms = root(add(row.square, row.epsilon));
    if (has(m, EPSILON_OUTSIDE))
        row.rms = add(root(row.square), row.epsilon);
    if (has(m, ROOT_MISSING))
        row.rms = add(row.square, row.epsilon);
    if (has(m, MEAN_ABSOLUTE))
        row.rms = add(average(absolute, count), row.epsilon);
    row.rstd = has(m, MULTIPLIES_BY_RMS) ? row.rms : divide(exact(1), row.rms);
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
        return row_of(x + j, rows, features, eps, m);
    if (has(m, STATISTICS_OF_ALL))
        return row_of(x, rows * features, 1, eps, m);
    if (has(m, STATISTICS_OF_FIRST_ROW))
        return row_of(x, features, 1, eps, m);
    return row_of(x + row_read(r, m) * features, features, 1, eps, m);
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
        Real xhat = mul(sub(x_here, row.mean), row.rstd);
        reveal(c, "xhat", xhat);
        y[i] = mul(scale_of(c, j, m), xhat);
    }
}

/* What row r adds to each sum of dgamma. */
static void add_to_dgamma(Sum *dgamma, const Case *c, int r, Row row, Mistakes m)
{
    int features = size_of(c, "features"), at = row_read(r, m) * features;
    const float *x = given(c, "x") + at, *dy = given(c, "dy") + at;
    for (int j = 0; j < features; j++) {
        Real xhat = sub(exact(x[j]), row.mean), share = exact(dy[j]);
        if (!has(m, DGAMMA_WITHOUT_RSTD))
            xhat = mul(xhat, row.rstd);
        if (!has(m, DGAMMA_WITHOUT_X))
            share = mul(share, xhat);
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

/* The sum of g * xhat as it enters dx. */
static Real projection(Sum dot, int n, Mistakes m)
{
    return has(m, PROJECTION_NOT_DIVIDED) ? total(dot) : average(dot, n);
}

/* dx[j] = rstd * (g[j] - xhat[j] * mean(g * xhat)) */
static void dx_of_row(Real *dx, const Case *c, int r, Row row, Mistakes m)
{
    int n = size_of(c, "features");
    const float *x = given(c, "x") + row_read(r, m) * n;
    Real in_sum = row.rstd,
         in_front = row.rstd; /* what makes x a xhat, inside the sum and before it */
    if (has(m, PROJECTION_WITHOUT_EPSILON))
        in_sum = in_front = divide(exact(1), root(row.square));
    if (has(m, RSTD_SQUARED) || has(m, RSTD_ONCE))
        in_sum = exact(1);
    if (has(m, RSTD_ONCE))
        in_front = exact(1);

    Sum plain = {0}, dot = {0}, so_far = {0};
    for (int j = 0; j < n; j++) {
        Real xhat = mul(sub(exact(x[j]), row.mean), in_sum);
        reveal(c, "xhat", xhat);
        dx[j] = mul(gradient(c, r, j, !has(m, GAMMA_NOT_IN_SUM), m), xhat);
        include(&dot, dx[j]);
        include(&plain, gradient(c, r, j, true, m));
    }
    Real mean = projection(dot, n, m);
    reveal(c, "mean(g * xhat)", mean);
    for (int j = 0; j < n; j++) {
        include(&so_far, dx[j]);
        Real used = has(m, PROJECTION_UNFINISHED) ? projection(so_far, n, m) : mean;
        if (has(m, PROJECTION_SIGN))
            used.v = -used.v;
        Real inner = gradient(c, r, j, !has(m, GAMMA_NOT_IN_FIRST), m);
        inner.e += n * UNIT_ROUNDOFF * fabs(inner.v); /* may be one of the sum's n terms */
        if (has(m, MEAN_OF_G_SUBTRACTED) || has(m, LAYER_NORM))
            inner = sub(inner, average(plain, n));
        if (!has(m, PROJECTION_MISSING))
            inner = sub(inner, mul(mul(sub(exact(x[j]), row.mean), in_front), used));
        if (has(m, GAMMA_OUTSIDE))
            inner = mul(scale_of(c, j, m), inner);
        dx[j] = has(m, RSTD_LEFT_OUT) ? inner : mul(row.rstd, inner);
    }
}

static void rms_norm_backward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    Real *dx = wanted(c, "dx"), *dgamma = wanted(c, "dgamma");
    Sum *shares = calloc((size_t)features, sizeof *shares);
    if (!shares)
        author_error("out of memory");
    for (int r = 0; r < rows; r++) {
        Row row = row_at(c, r, 0, m);
        reveal(c, "rstd", row.rstd);
        add_to_dgamma(shares, c, r, row, m);
        dx_of_row(dx + r * features, c, r, row, m);
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

static void draw_rms_norm(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, "rms_norm", i), rng);
}

static void draw_rms_norm_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, "rms_norm_backward", i), rng);
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

const Lesson lesson = {
    "RMS Normalization",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 eps=1e-5",
    .needs = "01",
    .core = true,
    .learned = "a norm that leaves the mean in, and has one term less in dx.",
};
