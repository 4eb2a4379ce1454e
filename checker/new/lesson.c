/* Lesson 00, New Norm: its cases and its checks. What is right, and what is often wrong, stands in
 * lessons/00_new_norm.formulas; what is used here is described on one page, checker/run/author.h.
 *
 * make verify LESSON=00 says what does not fit yet. */
#include "author.h"

/* ---- the functions, from easy to hard ---- */
static const Step steps[] = {
    {"new_norm"},
    {"new_norm_backward"},
    {0},
};

/* ---- the cases: 24 shapes at every run, with numbers drawn afresh ---- */
static void draw(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < SHAPES; i++)
        fill_rest(case_of_shape(cases, rng, function, i), rng);
}

static void draw_forward(Cases *cases, Rng *rng)
{
    draw(cases, rng, "new_norm");
}

static void draw_backward(Cases *cases, Rng *rng)
{
    draw(cases, rng, "new_norm_backward");
}

/* ---- the checks: the lines that a learner reads ---- */
static const Check checks[] = {
    {"new_norm", "new_norm scales each feature", .draw = draw_forward},
    {"new_norm_backward", "new_norm_backward gives dx", .draw = draw_backward, .only = "dx"},
    {"new_norm_backward", "new_norm_backward sums dgamma over the rows", .draw = draw_backward},
    {0},
};

const Lesson lesson = {
    "New Norm", steps, checks, .defaults = "gamma=1", .needs = "01",
};
