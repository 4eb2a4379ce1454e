"""A whole lesson, as small as one can be, for the tests of what instructors do: 99_center, in which a
row's mean is taken off it.

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
HINTS = f"lessons/{NAME}.hints"
REFERENCE = f"checker/lessons/{NAME}/reference.py"

FILES = {
    HEADER: """/* Lesson 99: Centering. */
/* y[r][j] = x[r][j] - mean_r */
void center(float *y,       /* rows x features */
            const float *x, /* rows x features */
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
""",
    STUB: """/* Lesson 99: Centering. */
#include "99_center.h"

void center(float *y, const float *x, int rows, int features)
{
    /* Your code here. */
}
""",
    TEXT: """# Lesson 99: Centering

## Common mistakes

### The sum for the mean

It is not divided by n.

### The first row's mean

Every row has its own.

## Read next
""",
    HINTS: """# center
1. It is an average.
2. Add up the row, divide by features.
3. y = x - sum / features
""",
    REFERENCE: """def center(args):
    return {"y": args["x"] - args["x"].mean(dim=-1, keepdim=True)}


FUNCTIONS = {"center": center}


def cases(draw):
    x = draw.values([1, 2, 6], [5, -3, 1])
    yield "small", "2 x 3", "center", {"rows": 2, "features": 3, "x": x}
""",
    VECTORS: json.dumps({"groups": {"small": [{
        "label": "2 x 3", "function": "center", "sizes": {"rows": 2, "features": 3}, "scalars": {},
        "given": {"x": [1, 2, 6, 5, -3, 1]}, "wanted": {"y": [-2, -1, 3, 4, -4, 0]}}]}}),
    LESSON: """#include "engine.h"

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

static const Step steps[] = {{"center", center_oracle, NULL}, {0}};
static const Check checks[] = {
    {"center", "center takes off the mean", .vectors = "small"},
    {"center", "center holds on 24 shapes", .draw = draw_center},
    {0},
};
const Lesson lesson = {"Centering", steps, checks, mistakes, .defaults = ""};
""",
}


def drop_into(copy):
    """Writes the files, and the stub beside them, into a copy of the workbook."""
    for path, text in FILES.items():
        copy.write(path, text)
    copy.write(EXERCISE, FILES[STUB])
