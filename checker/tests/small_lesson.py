"""A whole lesson, as small as one can be, for the tests of what instructors do: 99_center, in which a
row's mean is taken off it, forwards and backwards.

Its checker is built and tests itself in a second, so that it can be broken in many ways.
"""

import json

NAME = "99_center"
LESSON = f"checker/lessons/{NAME}/lesson.c"
VECTORS = f"checker/lessons/{NAME}/vectors.json"
HEADER = f"include/{NAME}.h"
SOLUTION = f"solutions/{NAME}.c"
STUB = f"checker/lessons/{NAME}/stub.c"
EXERCISE = f"exercises/{NAME}.c"
TEXT = f"lessons/{NAME}.md"
SAID = f"lessons/{NAME}.mistakes.md"
HINTS = f"lessons/{NAME}.hints"
REFERENCE = f"checker/lessons/{NAME}/reference.py"

FILES = {
    HEADER: """/* Lesson 99: Centering. */
/* y[r][j] = x[r][j] - mean_r */
void center(float *y,       /* rows x features */
            const float *x, /* rows x features */
            int rows, int features);
/* dx, from dy = the derivative of the loss by y */
void center_backward(float *dx,       /* rows x features */
                     const float *dy, /* rows x features */
                     int rows, int features);
""",
    SOLUTION: """/* Lesson 99: Centering. */
#include "99_center.h"

void center(float *y, const float *x, int rows, int features)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int j = 0; j < features; j++)
            sum += x[r * features + j];
        for (int j = 0; j < features; j++)
            y[r * features + j] = x[r * features + j] - sum / (float)features;
    }
}

void center_backward(float *dx, const float *dy, int rows, int features)
{
    center(dx, dy, rows, features);
}
""",
    STUB: """/* Lesson 99: Centering. */
#include "99_center.h"

void center(float *y, const float *x, int rows, int features)
{
    /* Your code here. */
}

void center_backward(float *dx, const float *dy, int rows, int features)
{
    /* Your code here, too. */
}
""",
    TEXT: """# Lesson 99: Centering
""",
    SAID: """# The mistakes of lesson 99: Centering

`make check` names them.

The examples use the row 1, 2, 6. Right for it is -2, -1, 3.

## The sum for the mean

It is not divided by n: -8, -7, -3.

## The first row's mean

Every row has its own.
""",
    HINTS: """# center
1. It is an average.
2. Add up the row, divide by features.
3. y = x - sum / features

# center_backward
1. The mean moves, too.
2. Each dx is its dy, and a share of each of the others.
3. It is center once more.
""",
    REFERENCE: """def center(args):
    return {"y": args["x"] - args["x"].mean(dim=-1, keepdim=True)}


def center_backward(args):
    return {"dx": args["dy"] - args["dy"].mean(dim=-1, keepdim=True)}


FUNCTIONS = {"center": center, "center_backward": center_backward}


def cases(draw):
    x = draw.values([1, 2, 6], [5, -3, 1])
    yield "small", "2 x 3", "center", {"rows": 2, "features": 3, "x": x}
    yield "small back", "2 x 3", "center_backward", {"rows": 2, "features": 3, "dy": x}
""",
    VECTORS: json.dumps({"groups": {"small": [{
        "label": "2 x 3", "function": "center", "sizes": {"rows": 2, "features": 3}, "scalars": {},
        "given": {"x": [1, 2, 6, 5, -3, 1]}, "wanted": {"y": [-2, -1, 3, 4, -4, 0]}}], "small back": [{
        "label": "2 x 3", "function": "center_backward", "sizes": {"rows": 2, "features": 3}, "scalars": {},
        "given": {"dy": [1, 2, 6, 5, -3, 1]}, "wanted": {"dx": [-2, -1, 3, 4, -4, 0]}}]}}),
    LESSON: """#include "run.h"

enum { NOT_DIVIDED, FIRST_ROW };
static const Mistake mistakes[] = {
    {"not_divided", "center", "the sum is not divided by n", "Divide it", "The sum for the mean"},
    {"first_row", "center", "row 0 gives the mean", "Every row has one", "The first row's mean"},
    {0},
};

static void center_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), n = size_of(c, "features");
    for (int r = 0; r < rows; r++) {
        const float *row = given(c, "x") + r * n, *averaged = has(m, FIRST_ROW) ? given(c, "x") : row;
        Sum sum = {0};
        for (int j = 0; j < n; j++)
            include(&sum, exact(averaged[j]));
        Real mean = has(m, NOT_DIVIDED) ? total(sum) : average(sum, n);
        for (int j = 0; j < n; j++)
            wanted(c, "y")[r * n + j] = sub(exact(row[j]), mean);
    }
}

static void center_backward_oracle(Case *c, Mistakes m)
{
    int rows = size_of(c, "rows"), n = size_of(c, "features");
    (void)m;
    for (int r = 0; r < rows; r++) {
        const float *row = given(c, "dy") + r * n;
        Sum sum = {0};
        for (int j = 0; j < n; j++)
            include(&sum, exact(row[j]));
        for (int j = 0; j < n; j++)
            wanted(c, "dx")[r * n + j] = sub(exact(row[j]), average(sum, n));
    }
}

static void draw_center(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, "center");
        set_size(c, "rows", shape.rows);
        set_size(c, "features", shape.features);
        fill_rows(c, "x", rng, shape.spread, shape.offset);
        case_label(c, "%d x %d", shape.rows, shape.features);
    }
}

static void draw_center_backward(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape drawn = odd_shape(rng, i);
        Case *c = case_new(cases, "center_backward");
        set_size(c, "rows", drawn.rows);
        set_size(c, "features", drawn.features);
        fill_rest(c, rng);
        case_label(c, "%d by %d", drawn.rows, drawn.features);
    }
}

static const Step steps[] = {{"center", center_oracle, NULL},
                             {"center_backward", center_backward_oracle, NULL}, {0}};
static const Check checks[] = {
    {"center", "center takes off the mean", .vectors = "small"},
    {"center", "center holds on 24 shapes", .draw = draw_center},
    {"center_backward", "center_backward takes it off dy", .vectors = "small back"},
    {"center_backward", "center_backward holds on 24 shapes", .draw = draw_center_backward},
    {0},
};
const Lesson lesson = {"Centering", steps, checks, mistakes, .defaults = ""};
""",
}
