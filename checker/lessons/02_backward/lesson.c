/* Lesson 02, the backward pass: its checks. What is right, and the mistakes with a name, stand in
 * lessons/02_backward.formulas. */
#include "author.h"

#define FORWARD "layer_norm_forward"
#define BACKWARD "layer_norm_backward"

static const Step steps[] = {
    {FORWARD},
    {BACKWARD},
    {0},
};

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
            double mean = honest_mean(row, features, 1).v, squares = 0;
            for (int j = 0; j < features; j++)
                squares += (row[j] - mean) * (row[j] - mean);
            fill(c, "mean")[r] = (float)mean;
            fill(c, "rstd")[r] = (float)(1 / sqrt(squares / features + 1e-5));
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
    .defaults = "gamma=1 beta=0 eps=1e-5",
    .needs = "01",
    .core = true,
    .learned = "dx is dy without its mean and without its part along the row.",
};
