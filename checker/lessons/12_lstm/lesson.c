/* Lesson 12, the normalized LSTM: its checks, and the cases that are drawn for them. What is right
 * is in oracle.h and walk.h. */
#include "walk.h"

/* ---- single calls ---- */
static void project_oracle(Case *c, Mistakes m)
{
    Lstm l = lstm_in(c, m);
    Real *x = as_reals(given(c, "x"), l.batch * l.inputs);
    Real *w = as_reals(given(c, "w"), 4 * l.hidden * l.inputs);
    Real *gamma = as_reals(given(c, "gamma"), 4 * l.hidden);
    project(wanted(c, "a"), x, w, gamma, l);
    free(x);
    free(w);
    free(gamma);
}

static void project_backward_oracle(Case *c, Mistakes m)
{
    Lstm l = lstm_in(c, m);
    Real *x = as_reals(given(c, "x"), l.batch * l.inputs);
    Real *w = as_reals(given(c, "w"), 4 * l.hidden * l.inputs);
    Real *gamma = as_reals(given(c, "gamma"), 4 * l.hidden);
    Real *da = as_reals(given(c, "da"), l.batch * 4 * l.hidden);
    project_backward(wanted(c, "dx"), wanted(c, "dw"), wanted(c, "dgamma"), da, x, w, gamma, l);
    free(x);
    free(w);
    free(gamma);
    free(da);
}

/* What the two cell functions are both given. */
typedef struct {
    Real *a, *c, *gamma, *beta;
} Given;

static Given given_to_cell(const Case *c, Lstm l)
{
    return (Given){as_reals(given(c, "a"), l.batch * 4 * l.hidden),
                   as_reals(given(c, "c"), l.batch * l.hidden),
                   as_reals(given(c, "gamma"), l.hidden), as_reals(given(c, "beta"), l.hidden)};
}

static void given_free(Given *g)
{
    free(g->a);
    free(g->c);
    free(g->gamma);
    free(g->beta);
}

static void cell_oracle(Case *c, Mistakes m)
{
    Lstm l = lstm_in(c, m);
    Given in = given_to_cell(c, l);
    cell(wanted(c, "h_next"), wanted(c, "c_next"), in.a, in.c, in.gamma, in.beta, l);
    given_free(&in);
}

static void cell_backward_oracle(Case *c, Mistakes m)
{
    Lstm l = lstm_in(c, m);
    Given in = given_to_cell(c, l);
    Real *dh_next = as_reals(given(c, "dh_next"), l.batch * l.hidden);
    Real *dc_next = as_reals(given(c, "dc_next"), l.batch * l.hidden);
    cell_backward(wanted(c, "da"), wanted(c, "dc"), wanted(c, "dgamma"), wanted(c, "dbeta"),
                  dh_next, dc_next, in.a, in.c, in.gamma, in.beta, l);
    given_free(&in);
    free(dh_next);
    free(dc_next);
}

static const Step steps[] = {
    {PROJECT, project_oracle, NULL},
    {PROJECT_BACKWARD, project_backward_oracle, NULL},
    {CELL, cell_oracle, NULL},
    {CELL_BACKWARD, cell_backward_oracle, NULL},
    {"forward_steps", forward_steps_oracle, .calls = PROJECT " " CELL},
    {"backward_steps", backward_steps_oracle,
     .calls = PROJECT " " CELL " " PROJECT_BACKWARD " " CELL_BACKWARD},
    {0},
};

/* ---- cases ---- */
/* 1 example, 1 input, 1 hidden number, primes, one past 64, and some drawn, so that no buffer is
 * known to be enough. */
typedef struct {
    int batch, inputs, hidden;
} Sizes;

static Sizes sizes_at(Rng *rng, int index)
{
    static const Sizes sizes[SHAPES] = {{1, 1, 1},  {1, 3, 2},  {3, 1, 2},  {2, 5, 1},  {4, 2, 3},
                                        {5, 7, 2},  {1, 13, 1}, {7, 3, 5},  {2, 2, 17}, {64, 2, 2},
                                        {1, 65, 2}, {2, 3, 33}, {3, 4, 4},  {1, 1, 11}, {1, 5, 1},
                                        {2, 67, 5}, {1, 2, 65}, {31, 2, 1}, {3, 9, 7},  {2, 16, 4},
                                        {1, 8, 8},  {70, 1, 1}, {2, 1, 30}, {5, 6, 6}};
    Sizes s = sizes[index];
    s.batch += index % 8 == 5 ? uniform_int(rng, 0, 150) : 0;
    s.inputs += index % 8 == 6 ? uniform_int(rng, 0, 300) : 0;
    s.hidden += index % 8 == 0 && index ? uniform_int(rng, 0, 60) : 0;
    return s;
}

static const double spreads[] = {1, 0.01, 100, 3, 0.1, 10, 0.3};
static const float epsilons[] = {1e-5f, 1e-3f, 0.4f, 0};

static Case *case_of_sizes(Cases *cases, const char *function, Sizes s, float eps)
{
    Case *c = case_new(cases, function);
    set_size(c, "batch", s.batch);
    set_size(c, "hidden", s.hidden);
    if (takes(c, "inputs"))
        set_size(c, "inputs", s.inputs);
    set_scalar(c, "eps", eps);
    return c;
}

/* Weights that keep the size of what goes through them, around `offset` of their own spread. */
static void fill_weights(Case *c, const char *name, Rng *rng, int rows, int columns, double offset)
{
    float *w = fill(c, name);
    for (int i = 0; i < rows * columns; i++)
        w[i] = (float)((offset + normal(rng)) / sqrt(columns));
}

/* Where rows of w are alike the sums of a row of x are far from zero. */
static void draw_projections(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < SHAPES; i++) {
        Sizes s = sizes_at(rng, i);
        double offset = i % 4 == 2 ? 20 : 0;
        float eps = epsilons[(i + i / 4) % 4];
        Case *c = case_of_sizes(cases, function, s, eps);
        fill_rows(c, "x", rng, spreads[i % 7], i % 3 - 1);
        fill_weights(c, "w", rng, 4 * s.hidden, s.inputs, offset);
        fill_rest(c, rng);
        case_label(c, "%d x %d, hidden %d, eps %g%s", s.batch, s.inputs, s.hidden, (double)eps,
                   offset > 0 ? ", weights far from zero" : "");
    }
}

static void draw_project(Cases *cases, Rng *rng)
{
    draw_projections(cases, rng, PROJECT);
}

static void draw_project_backward(Cases *cases, Rng *rng)
{
    draw_projections(cases, rng, PROJECT_BACKWARD);
}

/* Every other row is that of a first step, or of an image's blank edge. */
static void draw_zeros(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < 6; i++) {
        Sizes s = {1 + i, uniform_int(rng, 1, 6), 1 + i % 3};
        Case *c = case_of_sizes(cases, function, s, epsilons[i % 3]);
        fill_rows(c, "x", rng, 1, 0);
        for (int k = 0; k < s.batch * s.inputs; k++)
            if (k / s.inputs % 2 == 0)
                fill(c, "x")[k] = 0;
        fill_weights(c, "w", rng, 4 * s.hidden, s.inputs, 0);
        fill_rest(c, rng);
        case_label(c, "%d x %d, hidden %d, rows of zeros", s.batch, s.inputs, s.hidden);
    }
}

static void draw_project_zeros(Cases *cases, Rng *rng)
{
    draw_zeros(cases, rng, PROJECT);
}

static void draw_project_backward_zeros(Cases *cases, Rng *rng)
{
    draw_zeros(cases, rng, PROJECT_BACKWARD);
}

/* A single number has no variance: eps may not be 0 there. wide: some gates shut or open all the
 * way, beyond where exp is a float, and a norm that hardly sees what is left. */
static void draw_cells(Cases *cases, Rng *rng, const char *function, bool wide)
{
    for (int i = 0; i < (wide ? 8 : SHAPES); i++) {
        Sizes s = sizes_at(rng, i);
        float eps = wide ? 0.1f : epsilons[s.hidden < 3 ? i % 3 : i % 4];
        Case *c = case_of_sizes(cases, function, s, eps);
        float *a = fill(c, "a"), *cell = fill(c, "c");
        double spread = wide ? 1 : spreads[i % 7];
        for (int k = 0; k < s.batch * 4 * s.hidden; k++) {
            double number = normal(rng);
            a[k] = (float)(number * (wide && uniform(rng, 0, 1) < 0.4 ? 80 : 1.5));
        }
        for (int k = 0; k < s.batch * s.hidden; k++)
            cell[k] = (float)(spread * (normal(rng) + i % 3 - 1));
        fill_rest(c, rng);
        case_label(c, "%d x %d, c about %g, eps %g%s", s.batch, s.hidden, spread, (double)eps,
                   wide ? ", gates wide open or shut" : "");
    }
}

static void draw_cell(Cases *cases, Rng *rng)
{
    draw_cells(cases, rng, CELL, false);
}

static void draw_wide_cell(Cases *cases, Rng *rng)
{
    draw_cells(cases, rng, CELL, true);
}

static void draw_cell_backward(Cases *cases, Rng *rng)
{
    draw_cells(cases, rng, CELL_BACKWARD, false);
}

static void draw_wide_cell_backward(Cases *cases, Rng *rng)
{
    draw_cells(cases, rng, CELL_BACKWARD, true);
}

/* ---- walks ---- */
static Case *case_of_walk(Cases *cases, Rng *rng, const char *function, int steps, Sizes s)
{
    Case *c = case_of_sizes(cases, function, s, 0.3f);
    int states = s.batch * s.hidden;
    set_size(c, "steps", steps);
    if (takes(c, "at_once"))
        set_size(c, "at_once", s.batch);
    fill_weights(c, "weights", rng, 4 * s.hidden, s.inputs + s.hidden, 0);
    for (int i = 0; i < 2 * states; i++)
        fill(c, "start")[i] = (float)((i < states ? 0.4 : 1) * normal(rng));
    for (int i = 0; i < 12 * s.hidden; i++) {
        int row = i / 4 / s.hidden;
        fill(c, "gates")[i] = (float)(row == 0   ? uniform(rng, 0.3, 1)
                                      : row == 1 ? uniform(rng, 0.1, 0.4)
                                                 : normal(rng));
    }
    for (int i = 0; i < 2 * s.hidden; i++)
        fill(c, "norm")[i] = (float)(i < s.hidden ? uniform(rng, 0.3, 1) : 0.5 * normal(rng));
    fill_rest(c, rng);
    case_label(c, "%d step%s, %d x %d, hidden %d", steps, steps == 1 ? "" : "s", s.batch, s.inputs,
               s.hidden);
    return c;
}

/* Half of them begin as a digit does: with h 0 and a blank row. */
static void draw_walks(Cases *cases, Rng *rng, const char *function, int steps)
{
    for (int i = 0; i < (steps == 1 ? 16 : 4); i++) {
        Sizes s = {1 + i % 3, uniform_int(rng, 1, 4), i < 6 ? 1 + i % 4 : 1 + i % 2};
        Case *c = case_of_walk(cases, rng, function, steps, s);
        for (int k = 0; k < s.batch * s.inputs && i % 4 < 2; k++)
            fill(c, "xs")[k] = 0;
        for (int k = 0; k < s.batch * s.hidden && i % 4 < 2; k++)
            fill(c, "start")[k] = 0;
    }
}

static void draw_one_step(Cases *cases, Rng *rng)
{
    draw_walks(cases, rng, "forward_steps", 1);
}

static void draw_eight_steps(Cases *cases, Rng *rng)
{
    draw_walks(cases, rng, "forward_steps", 8);
}

static void draw_one_step_back(Cases *cases, Rng *rng)
{
    draw_walks(cases, rng, "backward_steps", 1);
}

static void draw_eight_steps_back(Cases *cases, Rng *rng)
{
    draw_walks(cases, rng, "backward_steps", 8);
}

/* In one call, and each example in a call of its own. */
static void draw_64(Cases *cases, Rng *rng)
{
    for (int alone = 0; alone < 2; alone++) {
        Case *c =
            case_of_walk(cases, rng, "forward_steps", 2, (Sizes){64, uniform_int(rng, 1, 4), 3});
        if (alone)
            set_size(c, "at_once", 1);
        case_label(c, "64 examples, %s", alone ? "each in a call of its own" : "in one call");
    }
}

static const Check checks[] = {
    {PROJECT, PROJECT " normalizes w times x, all gates together", .vectors = "project"},
    {PROJECT, PROJECT " makes zeros of a row of zeros", .vectors = "zeros",
     .draw = draw_project_zeros},
    {PROJECT, PROJECT " holds on 24 shapes drawn afresh", .draw = draw_project},
    {PROJECT_BACKWARD, PROJECT_BACKWARD " sums dgamma over the batch",
     .vectors = "project, backward", .only = "dgamma"},
    {PROJECT_BACKWARD, PROJECT_BACKWARD " gives dx and dw as autograd does",
     .vectors = "project, backward"},
    {PROJECT_BACKWARD, PROJECT_BACKWARD " goes back from a row of zeros",
     .vectors = "zeros, backward", .draw = draw_project_backward_zeros},
    {PROJECT_BACKWARD, PROJECT_BACKWARD " holds on 24 shapes drawn afresh",
     .draw = draw_project_backward},
    {CELL, CELL " keeps what f says and adds what i and g say", .vectors = "cell",
     .only = "c_next"},
    {CELL, CELL " normalizes the new state, and lets out what o says", .vectors = "cell"},
    {CELL, CELL " holds on gates wide open or shut", .draw = draw_wide_cell},
    {CELL, CELL " holds on 24 shapes drawn afresh", .draw = draw_cell},
    {"forward_steps", CELL " and " PROJECT " make a step", "one step", draw_one_step},
    {"forward_steps", CELL " and " PROJECT " make eight steps", "eight steps", draw_eight_steps},
    {"forward_steps", CELL " gives each of 64 examples what it gives it alone", .draw = draw_64},
    {CELL_BACKWARD, CELL_BACKWARD " gives dgamma and dbeta", .vectors = "cell, backward",
     .only = "dgamma dbeta"},
    {CELL_BACKWARD, CELL_BACKWARD " goes back to c", .vectors = "cell, backward", .only = "dc"},
    {CELL_BACKWARD, CELL_BACKWARD " goes back to all four gates", .vectors = "cell, backward"},
    {CELL_BACKWARD, CELL_BACKWARD " holds on gates wide open or shut",
     .draw = draw_wide_cell_backward},
    {CELL_BACKWARD, CELL_BACKWARD " holds on 24 shapes drawn afresh", .draw = draw_cell_backward},
    {"backward_steps", CELL_BACKWARD " and the others go one step back", "one step, backward",
     draw_one_step_back},
    {"backward_steps", CELL_BACKWARD " and the others go back through eight steps",
     "eight steps, backward", draw_eight_steps_back},
    {0},
};

const Lesson lesson = {
    "The Normalized LSTM",
    steps,
    checks,
    mistakes,
    .defaults = "gamma=1 beta=0 eps=1e-5 dc_next=0",
    .needs = "02",
    .made_of = (const NamedParts[]){{"4 * hidden", "i f g o", "unit"}, {0}},
    .learned = "a gradient's way back through an LSTM, step by step.",
};
