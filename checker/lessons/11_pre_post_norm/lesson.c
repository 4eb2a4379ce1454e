/* Lesson 11, pre-norm and post-norm: its checks, and the oracles that can make every mistake of
 * mistakes.h.
 *
 * What is right here: the slope of what was normalized is rstd * (g - mean(g) - xhat * mean(g *
 * xhat)), with the mean and the rstd that are given, for one block as for the other. They differ in
 * what was normalized, in what the slope of the norm's output is, and in what comes past the norm.
 */
#include "mistakes.h"

#include <stdlib.h>

/* ---- post_norm ---- */
/* Row r of what is normalized, and what is added behind the norm (nothing, but for a mistake). */
static void split_row(const Case *c, int r, Mistakes m, Real *inside, Real *behind)
{
    int n = size_of(c, "features");
    const float *x = given(c, "x") + r * n, *branch = given(c, "branch") + r * n;
    for (int j = 0; j < n; j++) {
        inside[j] = add(exact(x[j]), exact(branch[j]));
        behind[j] = exact(0);
        if (has(m, BRANCH_ALONE) || has(m, X_ALONE)) {
            inside[j] = exact(has(m, BRANCH_ALONE) ? branch[j] : x[j]);
            behind[j] = exact(has(m, BRANCH_ALONE) ? x[j] : branch[j]);
        }
    }
}

static Real rstd_of(Real variance, float eps)
{
    return divide(exact(1), root(add(variance, exact(eps))));
}

static void post_oracle(Case *c, Mistakes m)
{
    int n = size_of(c, "features");
    const float *gamma = given(c, "gamma"), *beta = given(c, "beta");
    Real *inside = new_reals(n), *behind = new_reals(n);
    for (int r = 0; r < size_of(c, "rows"); r++) {
        split_row(c, r, m, inside, behind);
        Moments found = moments_of(inside, n);
        Real rstd = rstd_of(found.variance, scalar_of(c, "eps"));
        for (int j = 0; j < n; j++) {
            Real xhat = mul(sub(inside[j], found.mean), rstd);
            Real y = add(mul(exact(gamma[j]), xhat), exact(beta[j]));
            wanted(c, "y")[r * n + j] = behind[j].v == 0 ? y : add(y, behind[j]);
            reveal(c, "x + branch", inside[j]);
            reveal(c, "xhat", xhat);
        }
        wanted(c, "mean")[r] = found.mean;
        wanted(c, "rstd")[r] = rstd;
    }
    free(inside);
    free(behind);
}

/* ---- post_norm_backward, pre_norm_backward ---- */
/* A norm on the way back. branch: NULL in a pre-norm block, which normalizes x. */
typedef struct {
    const float *x, *branch, *mean, *rstd, *gamma;
    const float *slope, *more; /* of the norm's output; what is added to it, or NULL */
    int rows, n;
    Mistakes m;
} Norm;

static Norm norm_of(const Case *c, Mistakes m)
{
    Norm norm = {.x = given(c, "x"),
                 .mean = given(c, "mean"),
                 .rstd = given(c, "rstd"),
                 .gamma = given(c, "gamma"),
                 .slope = given(c, "dy"),
                 .rows = size_of(c, "rows"),
                 .n = size_of(c, "features"),
                 .m = m};
    if (takes(c, "branch") && !has(m, BRANCH_FORGOTTEN))
        norm.branch = given(c, "branch");
    if (takes(c, "dinput") && !has(m, DY_FOR_DINPUT))
        norm.slope = given(c, "dinput");
    if (has(m, SHORTCUT_THROUGH))
        norm.more = given(c, "dy");
    return norm;
}

static Real normalized_at(const Norm *norm, int r, int j)
{
    int i = r * norm->n + j;
    Real inside = exact(norm->x[i]);
    if (norm->branch)
        inside = add(inside, exact(norm->branch[i]));
    return mul(sub(inside, exact(norm->mean[r])), exact(norm->rstd[r]));
}

static Real slope_at(const Norm *norm, int r, int j)
{
    int i = r * norm->n + j;
    Real slope = exact(norm->slope[i]);
    return norm->more ? add(slope, exact(norm->more[i])) : slope;
}

static void parameters_oracle(Case *c, const Norm *norm)
{
    for (int j = 0; j < norm->n; j++) {
        Sum dgamma = {0}, dbeta = {0};
        for (int r = 0; r < norm->rows; r++) {
            include(&dbeta, slope_at(norm, r, j));
            include_product(&dgamma, slope_at(norm, r, j), normalized_at(norm, r, j));
        }
        wanted(c, "dgamma")[j] = total(dgamma);
        wanted(c, "dbeta")[j] = total(dbeta);
    }
}

/* The slope of row r of what was normalized. */
static void row_slopes(const Case *c, const Norm *norm, int r, Real *slopes)
{
    int n = norm->n;
    Sum of_g = {0}, of_g_xhat = {0}, of_g_x = {0}, of_xhat = {0};
    for (int j = 0; j < n; j++) {
        Real xhat = normalized_at(norm, r, j);
        Real g = mul(exact(norm->gamma[j]), slope_at(norm, r, j));
        include(&of_g, g);
        include(&of_xhat, xhat);
        include_product(&of_g_xhat, g, xhat);
        include_product(&of_g_x, g, exact(norm->x[r * n + j]));
    }
    Real mean_g = average(of_g, n), mean_xhat = average(of_xhat, n);
    Real mean_g_xhat = average(of_g_xhat, n), rstd = exact(norm->rstd[r]);
    reveal(c, "mean(g)", mean_g);
    reveal(c, "mean(g * xhat)", mean_g_xhat);

    /* Honest code may sum g * x, and subtract the mean afterwards, as PyTorch does, ... */
    Real afterwards = sub(average(of_g_x, n), mul(exact(norm->mean[r]), mean_g));
    mean_g_xhat.e = fmax(mean_g_xhat.e, mul(afterwards, rstd).e);
    for (int j = 0; j < n; j++) {
        Real xhat = normalized_at(norm, r, j);
        Real g = mul(exact(norm->gamma[j]), slope_at(norm, r, j));
        /* ... follow the path through rstd on to the mean, which ends in the average xhat, about 0,
         * or sum a row of the Jacobian, where g is one of n terms. */
        xhat.e += fabs(mean_xhat.v) + mean_xhat.e;
        g.e += n * UNIT_ROUNDOFF * fabs(g.v);
        Real left = sub(sub(g, mean_g), mul(xhat, mean_g_xhat));
        slopes[j] = mul(has(norm->m, STATISTICS_CONSTANT) ? g : left, rstd);
    }
}

static void post_backward_oracle(Case *c, Mistakes m)
{
    Norm norm = norm_of(c, m);
    Real *slopes = new_reals(norm.n);
    parameters_oracle(c, &norm);
    for (int r = 0; r < norm.rows; r++) {
        row_slopes(c, &norm, r, slopes);
        for (int j = 0; j < norm.n; j++) {
            int i = r * norm.n + j;
            Real slope = has(m, SLOPE_HALVED) ? scaled(slopes[j], 0.5) : slopes[j];
            Real past = exact(given(c, "dy")[i]);
            wanted(c, "dbranch")[i] = slope;
            wanted(c, "dx")[i] = has(m, SHORTCUT_AROUND) ? add(slope, past) : slope;
        }
    }
    free(slopes);
}

static void pre_backward_oracle(Case *c, Mistakes m)
{
    Norm norm = norm_of(c, m);
    Real *slopes = new_reals(norm.n);
    bool past = !has(m, SHORTCUT_FORGOTTEN) && !has(m, SHORTCUT_THROUGH);
    parameters_oracle(c, &norm);
    for (int r = 0; r < norm.rows; r++) {
        row_slopes(c, &norm, r, slopes);
        for (int j = 0; j < norm.n; j++) {
            Real dy = exact(given(c, "dy")[r * norm.n + j]);
            wanted(c, "dx")[r * norm.n + j] = past ? add(dy, slopes[j]) : slopes[j];
        }
    }
    free(slopes);
}

/* ---- gradient_norms ---- */
static void norms_oracle(Case *c, Mistakes m)
{
    int count = size_of(c, "count");
    const float *gradient = given(c, "gradient");
    Sum squares = {0};
    for (int l = 0; l < size_of(c, "layers"); l++) {
        if (!has(m, LAYERS_RUN_ON))
            squares = (Sum){0};
        for (int i = 0; i < count; i++)
            include(&squares, square(exact(gradient[l * count + i])));
        Real sum = has(m, ROOT_OF_MEAN) ? average(squares, count) : total(squares);
        wanted(c, "norm")[l] = has(m, ROOT_MISSING) ? sum : root(sum);
        reveal(c, "sum of squares", sum);
    }
}

static const Step steps[] = {
    {POST, post_oracle, NULL},
    {POST_BACKWARD, post_backward_oracle, NULL},
    {PRE_BACKWARD, pre_backward_oracle, .slopes_of = ""}, /* dinput is from inside the block */
    {NORMS, norms_oracle, NULL},
    {0},
};

/* ---- cases ---- */
/* x + branch is what case_of_shape() drew: two that are drawn apart may meet in a row of equal
 * numbers. Some branches are 0, as those of a network that begins as nothing but shortcuts. */
static void split_x(Case *c, Rng *rng, int index)
{
    int count = size_of(c, "rows") * size_of(c, "features");
    float *x = fill(c, "x"), *branch = fill(c, "branch");
    double spread = index % 5 == 4 ? 0 : pow(10, uniform(rng, -2, 1));
    for (int i = 0; i < count; i++) {
        branch[i] = (float)(spread * normal(rng));
        x[i] -= branch[i];
    }
}

/* What the forward pass saves of x, or of x + branch. */
static void fill_statistics(Case *c)
{
    int n = size_of(c, "features");
    Real *row = new_reals(n);
    for (int r = 0; r < size_of(c, "rows"); r++) {
        for (int j = 0; j < n; j++) {
            double branch = takes(c, "branch") ? given(c, "branch")[r * n + j] : 0;
            row[j] = exact(given(c, "x")[r * n + j] + branch);
        }
        Moments found = moments_of(row, n);
        fill(c, "mean")[r] = (float)found.mean.v;
        fill(c, "rstd")[r] = (float)rstd_of(found.variance, 1e-5f).v;
    }
    free(row);
}

static void draw_post(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_of_shape(cases, rng, POST, i);
        split_x(c, rng, i);
        fill_rest(c, rng);
    }
}

static void draw_post_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_of_shape(cases, rng, POST_BACKWARD, i);
        split_x(c, rng, i);
        fill_statistics(c);
        fill_rest(c, rng);
    }
}

static void draw_pre_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_of_shape(cases, rng, PRE_BACKWARD, i);
        fill_statistics(c);
        fill_rest(c, rng);
    }
}

/* Every layer has a size of its own, and some are 0. */
static void draw_norms(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, NORMS);
        set_size(c, "layers", shape.rows);
        set_size(c, "count", shape.features);
        float *gradient = fill(c, "gradient");
        for (int l = 0; l < shape.rows; l++) {
            double size = l % 7 == 3 ? 0 : pow(10, uniform(rng, -9, 9));
            fill_spread(gradient + l * shape.features, shape.features, 1, rng, size, 0);
        }
        case_label(c, "%d layers of %d, each of its own size", shape.rows, shape.features);
    }
}

static const Check checks[] = {
    {POST, POST " normalizes the sum", .vectors = "post", .only = "y"},
    {POST, POST " saves the mean and rstd of the sum", .vectors = "post"},
    {POST, POST " holds on rows far from zero", .vectors = "post, far from zero"},
    {POST, POST " holds on 24 shapes drawn afresh", .draw = draw_post},
    {POST_BACKWARD, POST_BACKWARD " sums dgamma and dbeta over the rows",
     .vectors = "post, backward", .only = "dgamma dbeta"},
    {POST_BACKWARD, POST_BACKWARD " matches PyTorch's dx and dbranch", .vectors = "post, backward",
     .only = "dx dbranch"},
    {POST_BACKWARD, POST_BACKWARD " uses the mean it is given", .vectors = "post, given mean",
     .only = "dgamma"},
    {POST_BACKWARD, POST_BACKWARD " uses the rstd it is given", .vectors = "post, given rstd"},
    {POST_BACKWARD, POST_BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_post_backward},
    {PRE_BACKWARD, PRE_BACKWARD " sums dgamma and dbeta over the rows", .vectors = "pre, backward",
     .only = "dgamma dbeta"},
    {PRE_BACKWARD, PRE_BACKWARD " matches PyTorch's dx", .vectors = "pre, backward", .only = "dx"},
    {PRE_BACKWARD, PRE_BACKWARD " uses the rstd it is given", .vectors = "pre, given rstd"},
    {PRE_BACKWARD, PRE_BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_pre_backward},
    {NORMS, NORMS " measures small gradients", .vectors = "norms"},
    {NORMS, NORMS " holds on 24 gradients drawn afresh", .draw = draw_norms},
    {0},
};

const Lesson lesson = {
    "Pre-Norm and Post-Norm",
    steps,
    checks,
    mistakes,
    .defaults = "branch=0 gamma=1 beta=0 eps=1e-5",
    .needs = "02",
    .learned = "why the shortcut beside a norm keeps deep gradients alive.",
};
