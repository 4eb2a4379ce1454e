"""A lesson with arrays of ints, a pointer that may be NULL, and lengths that are worked out: from its
header and its vectors to what a learner reads.
"""

import json
import re
import sys
import unittest

sys.dont_write_bytecode = True
from workbook_copy import WorkbookCopy

NAME = "98_masked"
VECTORS = f"checker/lessons/{NAME}/vectors.json"
STUB = f"checker/lessons/{NAME}/stub.c"
HEADER = f"include/{NAME}.h"
KEEP = {"keep": [1, 0, 1]}
MASKED = {"label": "2 x 3", "function": "masked", "sizes": {"rows": 2, "n": 3}, "scalars": {}}
FILES = {
    HEADER: """/* How many are kept. */
int kept(const int *keep, /* n */
         int n);
/* y[2 r] is the sum of those of row r that are kept, plus beta[2 r]; y[2 r + 1] its negative. */
void masked(float *y,          /* 2 * rows */
            const float *x,    /* rows x n */
            const int *keep,   /* n */
            const float *beta, /* 2 * rows, or NULL */
            int rows, int n);
""",
    f"solutions/{NAME}.c": """#include "98_masked.h"

#include <stddef.h>

int kept(const int *keep, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += keep[i];
    return count;
}

void masked(float *y, const float *x, const int *keep, const float *beta, int rows, int n)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            if (keep[i])
                sum += x[r * n + i];
        for (int k = 0; k < 2; k++)
            y[2 * r + k] = (k ? -sum : sum) + (beta != NULL ? beta[2 * r + k] : 0);
    }
}
""",
    STUB: """#include "98_masked.h"

int kept(const int *keep, int n)
{
    return 0;
}

void masked(float *y, const float *x, const int *keep, const float *beta, int rows, int n)
{
}
""",
    VECTORS: json.dumps({"groups": {
        "kept": [{"label": "3", "function": "kept", "sizes": {"n": 3}, "scalars": {}, "given": KEEP,
                  "wanted": {"return": [2]}}],
        "masked": [{**MASKED, "given": {**KEEP, "x": [1, 2, 4, 8, 16, 32], "beta": None},
                    "wanted": {"y": [5, -5, 40, -40]}},
                   {**MASKED, "given": {**KEEP, "x": [1, 2, 4, 8, 16, 32], "beta": [1, 2, 3, 4]},
                    "wanted": {"y": [6, -3, 43, -36]}}]}}),
    f"checker/lessons/{NAME}/lesson.c": """#include "run.h"

static void kept_oracle(Case *c, Mistakes m)
{
    (void)m;
    Real *count = wanted(c, "return");
    *count = exact(0);
    for (int i = 0; i < size_of(c, "n"); i++)
        count->v += given_ints(c, "keep")[i];
}

static void masked_oracle(Case *c, Mistakes m)
{
    (void)m;
    const float *x = given(c, "x"), *beta = given(c, "beta");
    int n = size_of(c, "n");
    for (int i = 0; i < 2 * size_of(c, "rows"); i++) {
        Sum sum = {0};
        for (int k = 0; k < n; k++)
            if (given_ints(c, "keep")[k])
                include(&sum, exact(i % 2 ? -x[i / 2 * n + k] : x[i / 2 * n + k]));
        if (beta)
            include(&sum, exact(beta[i]));
        wanted(c, "y")[i] = total(sum);
    }
}

static void draw_masked(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = case_new(cases, "masked");
        set_size(c, "rows", shape.rows);
        set_size(c, "n", shape.features);
        for (int k = 0; k < shape.features; k++)
            fill_ints(c, "keep")[k] = uniform_int(rng, 0, 1);
        if (i % 2)
            set_null(c, "beta");
        fill_rest(c, rng);
        case_label(c, "%d x %d", shape.rows, shape.features);
    }
}

static const Step steps[] = {{"kept", kept_oracle, "count"}, {"masked", masked_oracle, NULL}, {0}};
static const Check checks[] = {
    {"kept", "kept counts the ones", .vectors = "kept"},
    {"masked", "masked adds what is kept", .vectors = "masked"},
    {"masked", "masked holds on 24 shapes", .draw = draw_masked},
    {0},
};
const Lesson lesson = {"Masks", steps, checks, NULL, .defaults = "keep=1"};
""",
}


class Ints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.add_lesson(NAME, FILES)

    def checked(self, old="", new=""):
        solution = self.copy.read(f"solutions/{NAME}.c")
        self.assertIn(old, solution)
        self.copy.write("mine.c", solution.replace(old, new, 1))
        run = self.copy.make("check", LESSON="98", IMPL="mine.c")
        return run.stdout + run.stderr

    def tried(self, words):
        run = self.copy.run([f"build/{NAME}/check", "--impl", f"solutions/{NAME}.c", "--try", words])
        return re.sub(" +", " ", run.stdout + run.stderr)

    def test_the_solution_passes(self):
        self.assertIn("3 passed, 0 failed", self.checked())

    def test_a_wrong_int_is_shown_with_the_ints_that_it_came_from(self):
        said = self.checked("int i = 0", "int i = 1")
        self.assertIn("kept(...): expected 2, got 1", said)
        self.assertIn("called with n = 3\n     keep is 1, 0, 1\n", said)

    def test_a_null_pointer_is_named_where_it_is_followed(self):
        self.assertRegex(self.checked("beta != NULL", "1"),
                         r"followed a null pointer at mine\.c:\d+\n +called with beta = NULL, rows = 2, n = 3")

    def test_an_access_past_ints_is_told_in_their_elements(self):
        self.assertIn("read 4 bytes past the end of keep at mine.c:9 (keep has 3 elements, this is keep[3])",
                      self.checked("i < n", "i <= n"))

    def test_ints_are_typed_and_null_is_left_out(self):
        said = self.tried("masked 1 2 4; 8 16 32 keep=1 0 1")
        self.assertIn("y yours ✅ 5 -5 40 -40", said)
        self.assertIn("y yours ✅ 6 -3 43 -36", self.tried("1 2 4; 8 16 32 keep=1 0 1 beta=1 2 3 4"))
        self.assertIn("count yours ✅ 2", self.tried("kept keep=1 0 1"))

    def test_what_is_typed_must_fit(self):
        self.assertIn("keep holds whole numbers, and 0.5 is none", self.tried("masked 1 2 keep=0.5 1"))
        self.assertIn("beta has 3 numbers where 2 * rows is 4", self.tried("masked 1 2; 3 4 beta=1 2 3"))
        self.assertIn("keep has 3 numbers where n is 2", self.tried("masked 1 2 keep=1 0 1"))

    def test_vectors_that_do_not_fit_are_refused(self):
        text = self.copy.read(VECTORS)
        for old, new in (("[1, 0, 1]", "[1, 0.5, 1]"), ('"beta": null', '"beta": [1]'),
                         ('"x": [1, 2, 4, 8, 16, 32]', '"x": null')):
            with self.subTest(new):
                self.copy.write(VECTORS, text.replace(old, new))
                self.assertIn("is missing or doesn't fit the header", self.checked())
        self.copy.write(VECTORS, text)

    def test_null_where_the_header_does_not_allow_it_is_the_authors_error(self):
        text = self.copy.read(HEADER)
        self.copy.write(HEADER, text.replace(", or NULL", ""))
        said = self.checked()
        self.copy.write(HEADER, text)
        self.assertIn('"beta" is missing or doesn\'t fit the header', said)


if __name__ == "__main__":
    unittest.main()
