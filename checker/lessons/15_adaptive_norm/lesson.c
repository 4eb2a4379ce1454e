/* Lesson 15, adaptive norms: its checks. What is right, and the mistakes with a name, stand in
 * lessons/15_adaptive_norm.formulas. */
#include "author.h"

#define ADA "ada_norm"
#define ADA_BACKWARD "ada_norm_backward"
#define ADAPTIVE "adaptive_norm"
#define ADAPTIVE_BACKWARD "adaptive_norm_backward"

static const Step steps[] = {
    {ADA},
    /* The factor moves with x, and is held constant: no slope of ada_norm's. */
    {ADA_BACKWARD, .slopes_of = ""},
    {ADAPTIVE},
    {ADAPTIVE_BACKWARD, .slopes_of = ADAPTIVE},
    {0},
};

/* ---- cases drawn afresh ---- */
/* A factor that turns some numbers around, and now and then k 0. */
static void finish_ada(Case *c, Rng *rng, int index)
{
    set_scalar(c, "scale", (float)(index % 2 ? uniform(rng, 0.3, 0.8) : uniform(rng, 1.3, 3)));
    set_scalar(c, "k", index % 6 == 5 ? 0 : (float)uniform(rng, 0.05, 0.6));
    fill_rest(c, rng);
}

static void draw_ada(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        finish_ada(case_of_shape(cases, rng, ADA, i), rng, i);
}

static void draw_ada_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        finish_ada(case_of_shape(cases, rng, ADA_BACKWARD, i), rng, i);
}

static void draw_adaptive(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, ADAPTIVE, i), rng);
}

static void draw_adaptive_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, ADAPTIVE_BACKWARD, i), rng);
}

static const Check checks[] = {
    {ADA, ADA " gives each number a factor of its own", .vectors = "ada"},
    {ADA, ADA " with k 0 is layer norm, times scale", .vectors = "ada, k 0"},
    {ADA, ADA " holds on rows far from zero", .vectors = "ada, far from zero"},
    {ADA, ADA " holds on 24 shapes drawn afresh", .draw = draw_ada},
    {ADA_BACKWARD, ADA_BACKWARD " holds the factor constant", .vectors = "ada, backward"},
    {ADA_BACKWARD, ADA_BACKWARD " with k 0 is layer norm's", .vectors = "ada, backward, k 0"},
    {ADA_BACKWARD, ADA_BACKWARD " holds on rows far from zero",
     .vectors = "ada, backward, far from zero"},
    {ADA_BACKWARD, ADA_BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_ada_backward},
    {ADAPTIVE, ADAPTIVE " follows the row's m and s", .vectors = "adaptive"},
    {ADAPTIVE, ADAPTIVE " with u, v, p and q 0 is layer norm", .vectors = "adaptive, layer norm"},
    {ADAPTIVE, ADAPTIVE " gives the row back where v and p are 1", .vectors = "adaptive, identity"},
    {ADAPTIVE, ADAPTIVE " holds on rows far from zero", .vectors = "adaptive, far from zero"},
    {ADAPTIVE, ADAPTIVE " holds on 24 shapes drawn afresh", .draw = draw_adaptive},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " sums dparameters over the rows",
     .vectors = "adaptive, backward", .only = "dparameters"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " matches PyTorch's dx", .vectors = "adaptive, backward"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " hands dy on where the row comes back",
     .vectors = "adaptive, backward, identity"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " holds on rows far from zero",
     .vectors = "adaptive, backward, far from zero"},
    {ADAPTIVE_BACKWARD, ADAPTIVE_BACKWARD " holds on 24 shapes drawn afresh",
     .draw = draw_adaptive_backward},
    {0},
};

const Lesson lesson = {
    "Adaptive Norms", steps,
    checks,           .defaults = "scale=1 k=0.1 eps=1e-5",
    .needs = "02",    .learned = "a norm's factor can be held constant for the gradient.",
};
