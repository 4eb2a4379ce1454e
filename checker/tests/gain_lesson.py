"""A small lesson with what numeric gradients can miss, for test_judgements.py: an array of ints by which all may be
0, a number alone that has a gradient, too, and a function that gives ints."""

NAME = "98_gain"
FOLDER = f"checker/lessons/{NAME}"
LESSON = f"{FOLDER}/lesson.c"
HEADER = f"include/{NAME}.h"
SOLUTION = f"solutions/{NAME}.c"
STUB = f"{FOLDER}/stub.c"

FILES = {
    HEADER: """/* Lesson 98: Gain. */
/* y[r][j] = g * x[r][j], and 0 in the rows where out is 1 */
void gain(float *y,         /* rows x features */
          const float *x,   /* rows x features */
          const int *out,   /* rows */
          float g, int rows, int features);
void gain_backward(float *dx,       /* rows x features */
                   float *dg,       /* 1 */
                   const float *dy, /* rows x features */
                   const float *x,  /* rows x features */
                   const int *out,  /* rows */
                   float g, int rows, int features);
/* which of them is largest; of equal ones the first */
int largest(const float *v, /* n */
            int n);
""",
    SOLUTION: """#include "98_gain.h"

void gain(float *y, const float *x, const int *out, float g, int rows, int features)
{
    for (int i = 0; i < rows * features; i++)
        y[i] = out[i / features] ? 0 : g * x[i];
}

void gain_backward(float *dx, float *dg, const float *dy, const float *x, const int *out, float g,
                   int rows, int features)
{
    dg[0] = 0;
    for (int i = 0; i < rows * features; i++) {
        dx[i] = out[i / features] ? 0 : g * dy[i];
        dg[0] += out[i / features] ? 0 : dy[i] * x[i];
    }
}

int largest(const float *v, int n)
{
    int found = 0;
    for (int i = 1; i < n; i++)
        if (v[i] > v[found])
            found = i;
    return found;
}
""",
    STUB: """#include "98_gain.h"

void gain(float *y, const float *x, const int *out, float g, int rows, int features)
{
}

void gain_backward(float *dx, float *dg, const float *dy, const float *x, const int *out, float g,
                   int rows, int features)
{
}

int largest(const float *v, int n)
{
    return 0;
}
""",
    LESSON: """#include "author.h"

enum { LAST_OF_EQUAL };
static const Mistake mistakes[] = {
    {"last_of_equal", "largest", "of equal ones the last is taken", "The first is", "Ties"},
    {0},
};

static void gain_oracle(Case *c, Mistakes m)
{
    int n = size_of(c, "features");
    (void)m;
    for (int i = 0; i < size_of(c, "rows") * n; i++)
        wanted(c, "y")[i] = given_ints(c, "out")[i / n]
                                ? exact(0)
                                : mul(exact(scalar_of(c, "g")), exact(given(c, "x")[i]));
}

static void gain_backward_oracle(Case *c, Mistakes m)
{
    int n = size_of(c, "features");
    Sum sum = {0};
    (void)m;
    for (int i = 0; i < size_of(c, "rows") * n; i++) {
        Real dy = exact(given_ints(c, "out")[i / n] ? 0 : given(c, "dy")[i]);
        wanted(c, "dx")[i] = mul(exact(scalar_of(c, "g")), dy);
        include_product(&sum, dy, exact(given(c, "x")[i]));
    }
    wanted(c, "dg")[0] = total(sum);
}

static void largest_oracle(Case *c, Mistakes m)
{
    const float *v = given(c, "v");
    int found = 0;
    for (int i = 1; i < size_of(c, "n"); i++)
        if (v[i] > v[found] || (v[i] == v[found] && has(m, LAST_OF_EQUAL)))
            found = i;
    *wanted(c, "return") = exact(found);
}

static void draw(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < SHAPES; i++) {
        Case *c = case_of_shape(cases, rng, function, i);
        set_scalar(c, "g", (float)uniform(rng, 0.5, 2));
        for (int r = 0; r < size_of(c, "rows"); r++)
            fill_ints(c, "out")[r] = uniform_int(rng, 0, 1);
        fill_rest(c, rng);
    }
}

static void draw_gain(Cases *cases, Rng *rng)
{
    draw(cases, rng, "gain");
}

static void draw_gain_backward(Cases *cases, Rng *rng)
{
    draw(cases, rng, "gain_backward");
}

static void draw_largest(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 24; i++) {
        Case *c = case_new(cases, "largest");
        set_size(c, "n", uniform_int(rng, 12, 40));
        for (int k = 0; k < size_of(c, "n"); k++)
            fill(c, "v")[k] = (float)uniform_int(rng, 0, 2);
    }
}

static const Step steps[] = {
    {"gain", gain_oracle},
    {"gain_backward", gain_backward_oracle},
    {"largest", largest_oracle},
    {0},
};
static const Check checks[] = {
    {"gain", "gain scales what is not left out", .draw = draw_gain},
    {"gain_backward", "gain_backward gives dx and dg", .draw = draw_gain_backward},
    {"largest", "largest finds the first", .draw = draw_largest},
    {0},
};
const Lesson lesson = {"Gain", steps, checks, mistakes, .defaults = ""};
""",
}
