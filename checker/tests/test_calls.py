"""A lesson whose interface is a struct with a life: its calls.c calls the learner's functions in turn.
What is said is about the learner's functions, and memory is watched.
"""

import json
import sys
import unittest

sys.dont_write_bytecode = True
import trees
from workbook_copy import WorkbookCopy

NAME = "97_running"
FOLDER = f"checker/lessons/{NAME}"
FILES = {
    f"include/{NAME}.h": """#ifndef LESSON_97_RUNNING_H
#define LESSON_97_RUNNING_H
/* Sums that grow. */
struct running {
    int n;
    float *sum, *last; /* n each */
};
/* 0, or -1 when n is not positive or memory is out: all is zero then. */
int running_init(struct running *r, int n);
void running_add(struct running *r, const float *x);
void running_free(struct running *r);
#endif
""",
    f"{FOLDER}/stub.c": """#include "97_running.h"

int running_init(struct running *r, int n)
{
    return 0;
}

void running_add(struct running *r, const float *x)
{
}

void running_free(struct running *r)
{
}
""",
    f"solutions/{NAME}.c": """#include "97_running.h"

#include <stdlib.h>
#include <string.h>

int running_init(struct running *r, int n)
{
    *r = (struct running){0};
    if (n <= 0)
        return -1;
    float *sum = calloc((size_t)n, sizeof(float));
    if (!sum)
        return -1;
    float *last = malloc((size_t)n * sizeof(float));
    if (!last) {
        free(sum);
        return -1;
    }
    *r = (struct running){n, sum, last};
    return 0;
}

void running_add(struct running *r, const float *x)
{
    memcpy(r->last, x, (size_t)r->n * sizeof(float));
    for (int i = 0; i < r->n; i++)
        r->sum[i] += x[i];
}

void running_free(struct running *r)
{
    free(r->sum);
    free(r->last);
    *r = (struct running){0};
}
""",
    f"{FOLDER}/calls.h": """/* What the checks call; the learner's functions in turn. */
/* init, of memory that holds garbage. */
int begin(float *sum, /* n */
          int n);
/* init, while the nth allocation fails: -2 when it leaves something behind. */
int begin_without_memory(int nth, int n);
/* add, of two arrays that go away behind it. */
void add_two(float *sum,     /* n */
             float *last,    /* n */
             const float *x, /* n */
             const float *y, /* n */
             int n);
/* rounds of init, add and free, and a second free: how many blocks are still held. */
int go_round(const float *x, /* n */
             int n, int rounds);
""",
    f"{FOLDER}/calls.c": """#include "97_running.h"
#include "calls.h"
#include "memory.h"

static void copy(float *to, const float *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static void drop(struct running *r)
{
    free(r->sum);
    free(r->last);
}

int begin(float *sum, int n)
{
    struct running r;
    memset(&r, 0xa5, sizeof r);
    int result = running_init(&r, n);
    if (result == 0 && n > 0)
        copy(sum, r.sum, n);
    drop(&r);
    return result;
}

int begin_without_memory(int nth, int n)
{
    struct running r, zeros = {0};
    fail_allocation(nth);
    int result = running_init(&r, n);
    fail_allocation(0);
    return memcmp(&r, &zeros, sizeof r) ? -2 : result;
}

static void add_and_forget(struct running *r, const float *x, int n)
{
    float *lent = malloc((size_t)n * sizeof *lent);
    copy(lent, x, n);
    running_add(r, lent);
    free(lent);
}

void add_two(float *sum, float *last, const float *x, const float *y, int n)
{
    struct running r;
    running_init(&r, n);
    add_and_forget(&r, x, n);
    add_and_forget(&r, y, n);
    copy(sum, r.sum, n);
    copy(last, r.last, n);
    drop(&r);
}

int go_round(const float *x, int n, int rounds)
{
    int before = blocks_held();
    for (int i = 0; i < rounds; i++) {
        struct running r;
        running_init(&r, n);
        running_add(&r, x);
        running_free(&r);
        running_free(&r);
    }
    return blocks_held() - before;
}
""",
    f"{FOLDER}/lesson.c": """#include "author.h"

enum { OVERWRITTEN };
static const Mistake mistakes[] = {
    {"overwritten", "running_add", "the sum is overwritten", "It grows", "The sum"}, {0}};

static void begin_oracle(Case *c, Mistakes m)
{
    (void)m;
    int n = size_of(c, "n");
    for (int i = 0; i < n; i++)
        wanted(c, "sum")[i] = exact(0);
    *wanted(c, "return") = exact(n > 0 ? 0 : -1);
}

static void without_memory_oracle(Case *c, Mistakes m)
{
    (void)m;
    *wanted(c, "return") = exact(-1);
}

static void add_oracle(Case *c, Mistakes m)
{
    for (int i = 0; i < size_of(c, "n"); i++) {
        Real x = exact(has(m, OVERWRITTEN) ? 0 : given(c, "x")[i]), y = exact(given(c, "y")[i]);
        wanted(c, "sum")[i] = add(x, y);
        wanted(c, "last")[i] = y;
    }
}

static void round_oracle(Case *c, Mistakes m)
{
    (void)m;
    *wanted(c, "return") = exact(0);
}

static void draw_begin(Cases *cases, Rng *rng)
{
    static const int sizes[] = {3, 1, 1000, 0, -5};
    (void)rng;
    for (int i = 0; i < 5; i++)
        set_size(case_new(cases, "begin"), "n", sizes[i]);
}

static void draw_without_memory(Cases *cases, Rng *rng)
{
    (void)rng;
    for (int nth = 1; nth <= 2; nth++) {
        Case *c = case_new(cases, "begin_without_memory");
        set_size(c, "nth", nth);
        set_size(c, "n", 4);
    }
}

static void draw_add(Cases *cases, Rng *rng)
{
    for (int n = 1; n < 21; n++) {
        Case *c = case_new(cases, "add_two");
        set_size(c, "n", n);
        fill_rest(c, rng);
    }
}

static void draw_round(Cases *cases, Rng *rng)
{
    Case *c = case_new(cases, "go_round");
    set_size(c, "n", 7);
    set_size(c, "rounds", 100);
    fill_rest(c, rng);
}

static const Step steps[] = {
    {"begin", begin_oracle, .calls = "running_init"},
    {"begin_without_memory", without_memory_oracle, .calls = "running_init"},
    {"add_two", add_oracle, .calls = "running_init running_add"},
    {"go_round", round_oracle, .calls = "running_init running_add running_free"},
    {0},
};
static const Check checks[] = {
    {"begin", "running_init starts at zero", .draw = draw_begin},
    {"begin_without_memory", "running_init fails without a trace", .draw = draw_without_memory},
    {"add_two", "running_add adds", .draw = draw_add},
    {"go_round", "running_free gives all back", .draw = draw_round},
    {0},
};
const Lesson lesson = {"Running sums", steps, checks, mistakes};
""",
    f"{FOLDER}/vectors.json": '{"groups": {}}',
}


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        for path, text in FILES.items():
            cls.copy.write(path, text)
        cls.solution = FILES[f"solutions/{NAME}.c"]
        cls.copy.write(f"exercises/{NAME}.c", FILES[f"{FOLDER}/stub.c"])

    def line(self, code):
        return self.copy.read("mine.c").split(code)[0].count("\n") + 1

    def checked(self, *changes, **options):
        """What a check says of the solution with each (old, new) replaced once."""
        text = self.solution
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.copy.write("mine.c", text)
        run = self.copy.make("check", LESSON="97", IMPL="mine.c", **options)
        return run.stdout + run.stderr

    def needs_sanitizers(self):
        if not trees.is_sanitized(trees.ROOT):
            self.skipTest("only the sanitizers see it")

    def test_the_solution_passes(self):
        self.assertIn("4 passed, 0 failed", self.checked())

    def test_of_the_stub_each_function_is_not_written_yet(self):
        stub = self.copy.read(f"exercises/{NAME}.c")
        self.copy.write("begun.c", stub + "/* begun */\n")
        run = self.copy.make("check", LESSON="97", IMPL="begun.c", FORMAT="json")
        checks = json.loads(run.stdout)["lessons"][0]["checks"]
        said = {check["step"]: check["details"] for check in reversed(checks)}
        self.assertEqual(said, {name: ["not written yet"]
                                for name in ("running_init", "running_add", "running_free")})

    def test_what_comes_later_waits_for_what_it_calls(self):
        said = self.checked(("return -1;", "return 0;"))
        self.assertIn("❌ running_init starts at zero\n     running_init(...): expected -1, got 0", said)
        self.assertIn("➖ running_add adds\n     running_init comes first\n", said)

    def test_a_wrong_sum_is_named_and_its_calls_are_listed(self):
        said = self.checked(("r->sum[i] += x[i]", "r->sum[i] = x[i]"))
        self.assertIn("running_init, running_add, called with n = 1", said)
        self.assertIn("These are the numbers you get when the sum is overwritten.", said)

    def test_a_leak_where_memory_runs_out_has_its_line(self):
        self.needs_sanitizers()
        said = self.checked(("        free(sum);\n", ""))
        self.assertIn("❌ running_init fails without a trace\n     allocates memory at "
                      f"mine.c:{self.line('calloc')} and does not free it", said)

    def test_an_allocation_that_is_not_looked_at_is_followed_as_null(self):
        said = self.checked(("    if (!sum)\n        return -1;\n", "    sum[0] = 0;\n"))
        self.assertIn(f"followed a null pointer at mine.c:{self.line('sum[0] = 0')}\n"
                      "     running_init, called with nth = 1, n = 4", said)

    def test_a_struct_that_keeps_something_is_told(self):
        said = self.checked(("        free(sum);\n", "        free(sum);\n        r->n = n;\n"))
        self.assertIn("running_init(...): expected -1, got -2", said)

    def test_what_the_checker_can_not_use_is_told(self):
        said = self.checked(("{n, sum, last}", "{n, NULL, last}"))
        self.assertRegex(said, "when the checker used what your functions left.*null pointer.*\n"
                         "     running_init, called with n = 3")

    def test_what_is_never_freed_is_counted(self):
        said = self.checked(("    free(r->last);\n", ""))
        self.assertIn("running_free(...): expected 0, got 100", said)

    def test_a_second_free_and_a_use_after_it_have_their_lines(self):
        self.needs_sanitizers()
        said = self.checked(("    free(r->last);\n    *r = (struct running){0};\n",
                             "    free(r->last);\n"))
        self.assertIn(f"freed the same memory twice at mine.c:{self.line('free(r->sum)')}", said)
        said = self.checked(("    memcpy(r->last, x, (size_t)r->n * sizeof(float));\n",
                             "    static const float *kept;\n    if (kept) r->last[0] = kept[0];\n"
                             "    kept = x;\n"))
        self.assertIn(f"read 4 bytes of memory after freeing it at mine.c:{self.line('if (kept)')}", said)

    def test_one_function_is_asked_by_the_learners_name(self):
        said = self.checked(STEP="running_add")
        self.assertIn("✅ running_add adds\n1 passed", said)
        self.assertIn("has running_init, running_add, running_free", self.checked(STEP="add_two"))

    def test_a_function_that_is_missing_is_named(self):
        said = self.checked(("void running_free(struct", "void running_freed(struct"))
        self.assertIn("running_free is used or asked for but defined nowhere in mine.c", said)

    def test_it_is_tried_by_either_name(self):
        for name in ("running_add", "add_two"):
            run = self.copy.run([f"build/{NAME}/check", "--impl", f"solutions/{NAME}.c", "--try",
                                 f"{name} x=1 2 y=3 5"])
            self.assertRegex(run.stdout, r"sum +yours +✅ +4 +7\n", run.stderr)

    def test_a_lesson_without_the_parts_that_calls_need_is_told(self):
        path = f"{FOLDER}/lesson.c"
        for old, new, words in (
                ('.calls = "running_init"}', "0}", "does not say which functions it calls"),
                ('"running_init running_add"', '"running_init running_ad"', '"add_two" names running_ad'),
                ('"running_init running_add running_free"', '"running_init running_add"',
                 "the header declares running_free, lesson.c has no step for it")):
            with self.subTest(words):
                text = FILES[path]
                self.assertIn(old, text)
                self.copy.write(path, text.replace(old, new, 1))
                run = self.copy.make("verify", LESSON="97")
                self.copy.write(path, text)
                self.assertIn(words, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
