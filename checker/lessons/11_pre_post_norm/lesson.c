/* Lesson 11, pre-norm and post-norm: its checks. What is right, and the mistakes with a name, stand
 * in lessons/11_pre_post_norm.formulas. */
#include "author.h"

#include <stdlib.h>

#define POST "post_norm"
#define POST_BACKWARD "post_norm_backward"
#define PRE_BACKWARD "pre_norm_backward"
#define NORMS "gradient_norms"

static const Step steps[] = {
    {POST},
    {POST_BACKWARD},
    {PRE_BACKWARD, .slopes_of = ""}, /* dinput is from inside the block */
    {NORMS},
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
        fill(c, "rstd")[r] = (float)(1 / sqrt(found.variance.v + (double)1e-5f));
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
    .defaults = "branch=0 gamma=1 beta=0 eps=1e-5",
    .needs = "02",
    .learned = "why the shortcut beside a norm keeps deep gradients alive.",
};
