/* Lesson 01, layer norm: its checks. What is right, and the mistakes with a name, stand in
 * lessons/01_layer_norm.formulas. */
#include "author.h"

static const Step steps[] = {
    {"row_mean", .result = "mean"},
    {"row_variance", .result = "variance"},
    {"layer_norm"},
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
    .defaults = "gamma=1 beta=0 eps=1e-5",
    .core = true,
    .learned = "each row gets mean 0 and spread 1; eps stands under the root.",
};
