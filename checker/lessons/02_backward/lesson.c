/* Lesson 02, the backward pass: its checks, and the oracles that can make every mistake of
 * mistakes.h.
 *
 * What is right here: dx is rstd * (g - mean(g) - xhat * mean(g * xhat)) with the mean and the rstd
 * that are given. A dx that takes the paths through mean and variance one by one has one term more,
 * with the row's average xhat in it. That is zero, up to the rounding of the mean, when the mean is
 * the row's own; so a mean that is not is asked of dgamma only, and dx allows for the rest. */
#include "mistakes.h"

/* ---- layer_norm_forward ------------------------------------------------------------------- */
static Real mean_of(const float *row, int n, Mistakes m)
{
    Sum x = {0};
    for (int j = 0; j < n; j++)
        include(&x, exact(row[j]));
    if (has(m, MEAN_RECIPROCAL) && n > 1)
        return exact(0);
    return has(m, MEAN_NOT_DIVIDED) ? total(x) : honest_mean(row, n, 1);
}

static Real variance_of(const float *row, int n, Real mean, Mistakes m)
{
    Sum distances = {0}, squares = {0};
    for (int j = 0; j < n; j++) {
        include(&distances, square(sub(exact(row[j]), mean)));
        include(&squares, square(exact(row[j])));
    }
    if (has(m, VARIANCE_RECIPROCAL) && n > 1)
        return exact(0);
    double count = has(m, N_MINUS_1) ? n - 1 : n;
    if (has(m, CANCELLATION))
        return cancelled(average(squares, count), mean);
    return average(distances, count);
}

static Real rstd_of(Real variance, double eps, Mistakes m)
{
    Real epsilon = exact(has(m, EPSILON_MISSING) ? 0 : has(m, EPSILON_FIXED) ? (double)1e-5f : eps);
    if (has(m, EPSILON_OUTSIDE))
        return divide(exact(1), add(root(variance), epsilon));
    Real sum = add(variance, epsilon);
    return divide(exact(1), has(m, ROOT_MISSING) ? sum : root(sum));
}

static void forward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    const float *x = given(c, "x"), *gamma = given(c, "gamma"), *beta = given(c, "beta");
    bool undefined = has(m, N_MINUS_1) && features == 1; /* 0 / 0, for certain */
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * features;
        Real mean = mean_of(row, features, m), variance = variance_of(row, features, mean, m);
        Real rstd = rstd_of(variance, scalar_of(c, "eps"), m);
        reveal_row(c, "variance", &variance, 1);
        for (int j = 0; j < features; j++) {
            Real distance = sub(exact(row[j]), mean);
            Real xhat = has(m, RSTD_TAKEN_FOR_STD) ? divide(distance, rstd) : mul(distance, rstd);
            reveal(c, "xhat", xhat);
            Real scale = exact(has(m, GAMMA_MISSING) ? 1 : gamma[j]);
            Real y = add(mul(scale, xhat), exact(has(m, BETA_MISSING) ? 0 : beta[j]));
            wanted(c, "y")[r * features + j] = undefined ? exact(NAN) : y;
        }
        wanted(c, "mean")[r] = mean;
        wanted(c, "rstd")[r] = undefined                ? exact(NAN)
                               : has(m, SAVES_VARIANCE) ? variance
                               : has(m, SAVES_STD)      ? divide(exact(1), rstd)
                                                        : rstd;
    }
}

/* ---- layer_norm_backward ------------------------------------------------------------------ */
typedef struct {
    const float *x, *dy, *gamma;
    int rows, features;
    Real mean, rstd;
    Mistakes m;
} Row;

static Row row_of(Case *c, int r, Mistakes m)
{
    int features = size_of(c, "features"), saved = has(m, FIRST_ROW_STATISTICS) ? 0 : r;
    Row row = {.x = given(c, "x") + r * features,
               .dy = given(c, "dy") + r * features,
               .gamma = given(c, "gamma"),
               .rows = size_of(c, "rows"),
               .features = features,
               .mean = exact(given(c, "mean")[saved]),
               .rstd = exact(given(c, "rstd")[saved]),
               .m = m};
    if (has(m, MEAN_RECOMPUTED))
        row.mean = honest_mean(row.x, features, 1);
    if (has(m, RSTD_RECOMPUTED))
        row.rstd = rstd_of(variance_of(row.x, features, row.mean, 0), 1e-5f, 0);
    return row;
}

static Real by_rstd(const Row *row, Real a)
{
    return has(row->m, RSTD_TAKEN_FOR_STD) ? divide(a, row->rstd) : mul(a, row->rstd);
}

static Real xhat_of(const Row *row, int j)
{
    Real x = exact(row->x[j]);
    if (has(row->m, XHAT_PARENTHESES))
        return sub(x, by_rstd(row, row->mean));
    Real centered = has(row->m, XHAT_NOT_CENTERED) ? x : sub(x, row->mean);
    return has(row->m, XHAT_NOT_SCALED) ? centered : by_rstd(row, centered);
}

static Real g_of(const Row *row, int j)
{
    bool plain = has(row->m, DX_GAMMA_MISSING) || has(row->m, DX_GAMMA_LATE);
    return plain ? exact(row->dy[j]) : mul(exact(row->gamma[j]), exact(row->dy[j]));
}

/* include() and total() in place, for a sum of that many terms. */
static void accumulate(Real *sum, Real term, int terms)
{
    sum->v += term.v;
    sum->e += term.e + (terms > 1 ? terms * UNIT_ROUNDOFF * fabs(term.v) : 0);
}

static void dgamma_dbeta_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    Real *dgamma = wanted(c, has(m, DGAMMA_DBETA_SWAPPED) ? "dbeta" : "dgamma");
    Real *dbeta = wanted(c, has(m, DGAMMA_DBETA_SWAPPED) ? "dgamma" : "dbeta");
    for (int r = 0; r < rows; r++) {
        Row row = row_of(c, r, m);
        for (int j = 0; j < features; j++) {
            if (r == 0 || has(m, LAST_ROW_ONLY))
                dgamma[j] = dbeta[j] = exact(0);
            Real scale = exact(has(m, PARAMETERS_TIMES_GAMMA) ? row.gamma[j] : 1);
            Real dy = scale.v == 1 ? exact(row.dy[j]) : mul(scale, exact(row.dy[j]));
            Real factor = has(m, DGAMMA_USES_X) ? exact(row.x[j]) : xhat_of(&row, j);
            accumulate(&dbeta[j], dy, rows);
            accumulate(&dgamma[j], mul(dy, factor), rows);
        }
    }
    for (int j = 0; j < features && has(m, AVERAGED_OVER_ROWS); j++) {
        dgamma[j] = divide(dgamma[j], exact(rows));
        dbeta[j] = divide(dbeta[j], exact(rows));
    }
}

typedef struct {
    Sum g, g_xhat, g_x, xhat;
} Sums;

static void include_element(Sums *sums, const Row *row, int j)
{
    Real xhat = xhat_of(row, j);
    Real g = has(row->m, MEANS_WITHOUT_GAMMA) ? exact(row->dy[j]) : g_of(row, j);
    include(&sums->g, g);
    include(&sums->g_xhat, mul(g, xhat));
    include(&sums->g_x, mul(g, exact(row->x[j])));
    include(&sums->xhat, xhat);
}

static Real mean_in(const Row *row, Sum sum, int not_divided)
{
    if (has(row->m, SUMS_NOT_DIVIDED) || has(row->m, not_divided))
        return total(sum);
    if (has(row->m, SUMS_RECIPROCAL) && row->features > 1)
        return exact(0);
    int count = has(row->m, SUMS_BY_ROWS) ? row->rows : row->features;
    return average(sum, has(row->m, SUMS_BY_N_MINUS_1) ? count - 1 : count);
}

static Real mean_of_g(const Row *row, const Sums *sums)
{
    if (has(row->m, SUM_G_RECIPROCAL) && row->features > 1)
        return exact(0);
    return mean_in(row, sums->g, SUM_G_NOT_DIVIDED);
}

/* Honest code may sum g * x and subtract mean * mean(g) afterwards, as PyTorch does. */
static Real mean_of_g_xhat(const Row *row, const Sums *sums)
{
    Real mean = mean_in(row, sums->g_xhat, SUM_G_XHAT_NOT_DIVIDED);
    Real g_x = mean_in(row, sums->g_x, SUM_G_XHAT_NOT_DIVIDED);
    g_x = sub(g_x, mul(row->mean, mean_in(row, sums->g, SUM_G_XHAT_NOT_DIVIDED)));
    mean.e = fmax(mean.e, by_rstd(row, g_x).e);
    return mean;
}

/* A term that ought to be subtracted once. */
static Real taken(Mistakes m, Real term, int missing, int added)
{
    if (has(m, missing) || has(m, STATISTICS_CONSTANT))
        return exact(0);
    return has(m, added) ? scaled(term, -1) : term;
}

/* 0 / 0, from a division by n - 1, is NaN whatever the rounding. */
static Real certain(Real a)
{
    return isnan(a.v) ? exact(NAN) : a;
}

static Real dx_of(const Row *row, int j, const Sums *sums)
{
    Mistakes m = row->m;
    Real g = g_of(row, j), xhat = xhat_of(row, j);
    Real mean_g = mean_of_g(row, sums), mean_g_xhat = mean_of_g_xhat(row, sums);

    /* Honest code may follow the path through rstd on to the mean, which ends in the average xhat,
     * about 0, ... */
    Real mean_xhat = average(sums->xhat, row->features);
    xhat.e += fabs(mean_xhat.v) + mean_xhat.e;
    /* ... or sum a row of the Jacobian, where g[j] is one of n terms. */
    g.e += row->features * UNIT_ROUNDOFF * fabs(g.v);

    double times =
        (has(m, VARIANCE_TERM_DOUBLED) ? 2 : 1) * (has(m, VARIANCE_TERM_HALVED) ? 0.5 : 1);
    Real by_mean = taken(m, mean_g, MEAN_TERM_MISSING, MEAN_TERM_ADDED);
    Real by_variance =
        taken(m, scaled(mul(xhat, mean_g_xhat), times), VARIANCE_TERM_MISSING, VARIANCE_TERM_ADDED);
    if (has(m, RSTD_ON_G_ONLY))
        g = mul(g, row->rstd);
    Real bracket = sub(sub(g, by_mean), by_variance);
    if (has(m, DX_GAMMA_LATE))
        bracket = mul(exact(row->gamma[j]), bracket);
    if (has(m, RSTD_MISSING) || has(m, RSTD_ON_G_ONLY))
        return certain(bracket);
    if (has(m, RSTD_SQUARED))
        bracket = mul(bracket, row->rstd);
    return certain(has(m, DX_DIVIDED_BY_RSTD) ? divide(bracket, row->rstd)
                                              : mul(bracket, row->rstd));
}

static void reveal_steps(const Case *c, const Row *row, const Sums *sums)
{
    Real mean_g = mean_of_g(row, sums), mean_g_xhat = mean_of_g_xhat(row, sums);
    for (int j = 0; j < row->features; j++)
        reveal(c, "xhat", xhat_of(row, j));
    for (int j = 0; j < row->features; j++)
        reveal(c, "g", g_of(row, j));
    reveal_row(c, "mean(g)", &mean_g, 1);
    reveal_row(c, "mean(g * xhat)", &mean_g_xhat, 1);
}

static void backward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    Real *dx = wanted(c, "dx");
    dgamma_dbeta_oracle(c, m);
    for (int r = 0; r < rows; r++) {
        Row row = row_of(c, r, m);
        Sums sums = {0};
        for (int j = 0; j < features && !has(m, SUMS_UNFINISHED); j++)
            include_element(&sums, &row, j);
        reveal_steps(c, &row, &sums);
        for (int j = 0; j < features; j++) {
            if (has(m, SUMS_UNFINISHED))
                include_element(&sums, &row, j);
            dx[r * features + j] = dx_of(&row, j, &sums);
        }
    }
}

static const Step steps[] = {
    {FORWARD, forward_oracle, NULL},
    {BACKWARD, backward_oracle, NULL},
    {0},
};

/* ---- cases drawn afresh ------------------------------------------------------------------- */
static void draw_forward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, FORWARD, i), rng);
}

/* mean and rstd are those that a forward pass saves. */
static void draw_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_of_shape(cases, rng, BACKWARD, i);
        int features = size_of(c, "features");
        for (int r = 0; r < size_of(c, "rows"); r++) {
            const float *row = given(c, "x") + r * features;
            Real mean = honest_mean(row, features, 1);
            fill(c, "mean")[r] = (float)mean.v;
            fill(c, "rstd")[r] = (float)rstd_of(variance_of(row, features, mean, 0), 1e-5, 0).v;
        }
        fill_rest(c, rng);
    }
}

static const Check checks[] = {
    {FORWARD, FORWARD " saves the mean of each row", .vectors = "forward", .only = "mean"},
    {FORWARD, FORWARD " saves rstd, one over the root", .vectors = "forward", .only = "rstd"},
    {FORWARD, FORWARD " gives y as in lesson 01", .vectors = "forward", .only = "y"},
    {FORWARD, FORWARD " holds on rows far from zero", .vectors = "forward, far from zero"},
    {FORWARD, FORWARD " holds on 24 shapes drawn afresh", .draw = draw_forward},
    {BACKWARD, BACKWARD " sums dbeta over the rows", .vectors = "backward", .only = "dbeta"},
    {BACKWARD, BACKWARD " sums dgamma over the rows", .vectors = "backward", .only = "dgamma"},
    {BACKWARD, BACKWARD " matches PyTorch's dx", .vectors = "backward", .only = "dx"},
    {BACKWARD, BACKWARD " uses the mean it is given", .vectors = "given mean", .only = "dgamma"},
    {BACKWARD, BACKWARD " uses the rstd it is given", .vectors = "given rstd"},
    {BACKWARD, BACKWARD " holds on rows far from zero", .vectors = "backward, far from zero"},
    {BACKWARD, BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_backward},
    {0},
};

const Lesson lesson = {
    "The Backward Pass",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5",
    .needs = "01",
    .core = true,
    .learned = "dx is dy without its mean and without its part along the row.",
};
