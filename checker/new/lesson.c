/* Lesson 00, New Norm: its oracles, its cases and its checks. What is used here is described on one
 * page, checker/run/author.h.
 *
 * To make it yours: change the functions in include/00_new_norm.h, in solutions/ and in both stubs;
 * then here, from top to bottom. make verify LESSON=00 says what does not fit yet. */
#include "author.h"

/* ---- what is often wrong: a switch in an oracle for each; the text says more of it ---- */
enum { GAMMA_MISSING, LAST_ROW_ONLY };
static const Mistake mistakes[] = {
    {"gamma_missing", "new_norm new_norm_backward", "gamma is left out",
     "Every feature has a factor", "Gamma left out"},
    {"last_row_only", "new_norm_backward", "dgamma is that of the last row alone",
     "gamma has a part in every row", "The last row alone"},
    {0},
};

static Real gamma_of(const Case *c, int j, Mistakes m)
{
    return exact(has(m, GAMMA_MISSING) ? 1 : given(c, "gamma")[j]);
}

/* ---- the oracles: the functions once more, in Real ---- */
static void forward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    for (int i = 0; i < rows * features; i++)
        wanted(c, "y")[i] = mul(gamma_of(c, i % features, m), exact(given(c, "x")[i]));
}

static void backward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    for (int j = 0; j < features; j++) {
        Sum sum = {0};
        for (int r = 0; r < rows; r++) {
            int i = r * features + j;
            Real dy = exact(given(c, "dy")[i]);
            wanted(c, "dx")[i] = mul(gamma_of(c, j, m), dy);
            if (r == rows - 1 || !has(m, LAST_ROW_ONLY))
                include_product(&sum, dy, exact(given(c, "x")[i]));
        }
        wanted(c, "dgamma")[j] = total(sum);
    }
}

static const Step steps[] = {
    {"new_norm", forward_oracle},
    {"new_norm_backward", backward_oracle},
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

/* ---- the checks: the lines that a learner reads, from easy to hard ---- */
static const Check checks[] = {
    {"new_norm", "new_norm scales each feature", .draw = draw_forward},
    {"new_norm_backward", "new_norm_backward gives dx", .draw = draw_backward, .only = "dx"},
    {"new_norm_backward", "new_norm_backward sums dgamma over the rows", .draw = draw_backward},
    {0},
};

const Lesson lesson = {
    "New Norm", steps, checks, mistakes, .defaults = "gamma=1", .needs = "01",
};
