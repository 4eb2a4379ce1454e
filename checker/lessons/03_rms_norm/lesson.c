/* Lesson 03, RMS norm: its checks. What is right, and the mistakes with a name, stand in
 * lessons/03_rms_norm.formulas. */
#include "author.h"

static const Step steps[] = {
    {"rms_norm"},
    {"rms_norm_backward"},
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
    .defaults = "gamma=1 eps=1e-5",
    .needs = "01",
    .core = true,
    .learned = "a norm that leaves the mean in, and has one term less in dx.",
};
