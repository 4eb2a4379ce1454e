"""What a lesson's checker finds wrong with its lesson: build/NN_name/check --self-test.

Each of its judgements is a test here: a small lesson (small_lesson.py) is broken in exactly that way,
and the checker must say so.
"""

import re
import sys
import unittest

sys.dont_write_bytecode = True
import gain_lesson as gain
import small_lesson as small
from workbook_copy import WorkbookCopy

SUBTRACTED = "sub(exact(row[j]), mean)"
FIRST_ROW_ENTRY = '{"first_row", "center", "row 0 gives the mean", "Every row has one", "The first row\'s mean"},'
SUM_SECTION = '"center", "so", "Not so", "The sum for the mean"},'

# What is broken: [(the file, what in it, what stands there instead), ...], what is said.
BROKEN = {
    # parts.c
    "a mistake without a section":
        ([(small.SAID, "## The sum for the mean", "## Sums")],
         f'{small.SAID} has no "## The sum for the mean", for not_divided'),
    "a section about no mistake":
        ([(small.SAID, "## The sum for", "## Another\n\n## The sum for")],
         '"## Another" is about no mistake'),
    "a mistake's section that is a part of another one":
        ([(small.SAID, "## The first", "### The first")],
         f'{small.SAID} has no "## The first row\'s mean", for first_row'),
    "a hint too few": ([(small.HINTS, "3. y = x", "   y = x")], "has 2 of the 3 hints for center"),
    "hints in another order":
        ([(small.HINTS, "1. It is", "2. It is"), (small.HINTS, "2. Add up", "1. Add up")],
         "has 1 of the 3 hints for center"),
    "hints for a function that is not there":
        ([(small.HINTS, "# center\n", "# centre\n")], '"# centre" is no function of the header'),
    "a header that doesn't parse":
        ([(small.HEADER, "int rows,", "long rows,")], f"{small.HEADER}:5: expected float or int"),
    "an array without its shape": ([(small.HEADER, "/* rows x features */", "")], "the shape of y"),
    "a function without a step":
        ([(small.HEADER, "void center(", "void decenter(int n);\nvoid center(")],
         "the header declares decenter, lesson.c has no step for it"),
    "a step that is not in the header":
        ([(small.LESSON, '{"center", center_oracle, NULL}',
           '{"center", center_oracle, NULL}, {"other", center_oracle, NULL}')],
         "the step other is not declared in the header"),
    "a step without an oracle":
        ([(small.LESSON, '{"center", center_oracle, NULL}',
           '{"center", center_oracle, NULL}, {"other", NULL, NULL}')], "the step other has neither an oracle nor a formula"),
    "slopes of a step that comes later":
        ([(small.LESSON, '{"center_backward", center_backward_oracle, NULL}',
           '{"center_backward", center_backward_oracle, .slopes_of = "center_backward"}')],
         "the step center_backward gives slopes of center_backward, which is no step before it"),
    "a step that no check calls":
        ([(small.LESSON, '{"center_backward", "center_backward takes', '{"center", "center takes'),
          (small.LESSON, '{"center_backward", "center_backward holds', '{"center", "center holds')],
         "no check calls center_backward"),
    "a check of a step that is not there":
        ([(small.LESSON, '{"center", "center holds', '{"centre", "centre holds')],
         '"centre holds on 24 shapes" calls centre, which is no step'),
    "a check that does not start with its function":
        ([(small.LESSON, '"center holds', '"centering holds')],
         '"centering holds on 24 shapes" does not start with center'),
    "a check without cases":
        ([(small.LESSON, '"center takes off the mean", .vectors = "small"', '"center is", .only = "y"')],
         '"center is" has neither vectors nor a draw function'),
    "a check of an output that is not there":
        ([(small.LESSON, '.vectors = "small"}', '.vectors = "small", .only = "y x"}')],
         '"center takes off the mean" names x, which is not there'),
    "a mistake that is not filled in":
        ([(small.LESSON, '"Every row has one", "The first row\'s mean"', '"Every row has one", NULL')],
         "the mistake first_row is not filled in"),
    "a mistake in a step that is not there":
        ([(small.LESSON, '"first_row", "center"', '"first_row", "centre"')],
         '"first_row" names centre, which is not there'),
    "two mistakes of one name":
        ([(small.LESSON, '"first_row"', '"not_divided"')], "two mistakes are called not_divided"),
    "more mistakes than a set holds":
        ([(small.LESSON, FIRST_ROW_ENTRY,
           FIRST_ROW_ENTRY + "".join(f'\n    {{"m{i}", {SUM_SECTION}' for i in range(63)))],
         "there are more than 64 mistakes"),

    # selftest.c
    "an oracle that promises nothing on the vectors":
        ([(small.LESSON, SUBTRACTED, f"r == 1 && n == 3 ? (Real){{row[j], INFINITY}} : {SUBTRACTED}")],
         "the oracle promises nothing in center 2 x 3"),
    "a changed answer in the vectors":
        ([(small.VECTORS, "-4, 0]", "-4, 0.001]")], "the oracle and PyTorch differ in center 2 x 3"),
    "a changed input in the vectors":
        ([(small.VECTORS, "[1, 2, 6", "[1, 2.5, 6")], "the oracle and PyTorch differ in center 2 x 3"),
    "a group of vectors that is not there":
        ([(small.VECTORS, '"small"', '"smaller"')], 'has no cases in a group "small"'),
    "too few fresh cases":
        ([(small.LESSON, "i < SHAPES", "i < 19")], "has fewer than 20 fresh cases: center"),
    "two mistakes that the vectors don't tell apart":
        ([(small.LESSON, "has(m, FIRST_ROW) ? given", "has(m, FIRST_ROW) && r > 1 ? given")],
         "the vectors do not tell these apart: no mistake first_row"),
    "a mistake that is not named":
        ([(small.LESSON, SUBTRACTED, f"has(m, FIRST_ROW) && n != 3 ? (Real){{NAN, INFINITY}} : {SUBTRACTED}")],
         "is made alone, and not named: first_row center"),
    "a mistake that is named where another may be meant":
        ([(small.LESSON, SUBTRACTED, f"has(m, FIRST_ROW) ? (Real){{row[j], 1e12}} : {SUBTRACTED}")],
         "is made alone, and not named: not_divided center"),
    "a pair that is taken for another":  # 1 + 4 is 2 + 3, and only of these is the oracle sure
        ([(small.LESSON, "FIRST_ROW }", "FIRST_ROW, ONE, TWO, THREE, FOUR }"),
          (small.LESSON, FIRST_ROW_ENTRY, FIRST_ROW_ENTRY + "".join(
              f'\n    {{"{name}", {SUM_SECTION}' for name in ("one", "two", "three", "four"))),
          (small.LESSON, "= " + SUBTRACTED,
           "= (Real){row[j] - mean.v + has(m, ONE) + 2 * has(m, TWO) + 3 * has(m, THREE) + "
           "4 * has(m, FOUR),\n has(m, ONE) && has(m, FOUR) ? INFINITY : 1e-3}")],
         "another pair is named for one four"),
    "a mistake that is named for random damage":
        ([(small.LESSON, SUBTRACTED, f"has(m, FIRST_ROW) ? (Real){{row[j], 1e12}} : {SUBTRACTED}")],
         "is named for random damage: first_row center"),

    # gradient.c
    "a gradient that is wrong":
        ([(small.LESSON, "sub(exact(row[j]), average(sum, n))", "sub(exact(row[j]), total(sum))")],
         "its gradients are not the numeric ones"),

    # draws.c
    "drawn numbers that ignore the seed":
        ([(small.LESSON, 'fill_rows(c, "x", rng, shape.spread, shape.offset);',
           'for (int k = 0; k < shape.rows * shape.features; k++)\n            fill(c, "x")[k] = (float)k;')],
         '"center holds on 24 shapes": another seed draws the same numbers'),
    "drawn sizes that ignore the seed":
        ([(small.LESSON, "Shape shape = odd_shape(rng, i);", "Shape shape = odd_shape(rng, i);\n"
           "        shape.rows = 2 + i;\n        shape.features = 3;")],
         '"center holds on 24 shapes": no size depends on the seed'),
    "shapes that are all one":
        ([(small.LESSON, "Shape shape = odd_shape(rng, i)", "Shape shape = odd_shape(rng, 0)")],
         '"center holds on 24 shapes": most of its cases are of the same size'),
    "an oracle that promises nothing in a drawn case":
        ([(small.LESSON, SUBTRACTED, f"n == 13 ? (Real){{0, INFINITY}} : {SUBTRACTED}")],
         'with SEED=1 the oracle of center promises nothing for its case "4 x 13"'),
}


class Judged(unittest.TestCase):
    """A small lesson, which is changed and tests itself."""

    lesson = None

    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.add_lesson(cls.lesson.NAME, cls.lesson.FILES)

    def outcome(self):
        program = f"build/{self.lesson.NAME}/check"
        built = self.copy.make(program)
        self.assertEqual(built.returncode, 0, built.stderr)
        return self.copy.run([program, "--self-test", "--seed", "1"])

    def outcome_with(self, changes):
        whole = {path: self.copy.read(path) for path, _, _ in changes}
        try:
            for path, old, new in changes:
                text = self.copy.read(path)
                self.assertIn(old, text)
                self.copy.write(path, text.replace(old, new, 1))
            return self.outcome()
        finally:
            for path, text in whole.items():
                self.copy.write(path, text)

    def broken(self, changes, words):
        run = self.outcome_with(changes)
        self.assertIn(words, run.stdout + run.stderr)
        self.assertIn(run.returncode, (1, 3))


class Judgements(Judged):
    lesson = small

    def test_a_lesson_that_is_whole_is_found_so(self):
        run = self.outcome()
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertRegex(run.stdout, r"1 gradients within .* of the numeric ones\n"
                         r"  2 mistakes, the nearest two .* allowed errors apart .*\n"
                         r"  1 pairs: 1 named, 0 look like one, 0 silent\n"
                         r"  960 cases of 20 seeds\n"
                         r"  800 random damages; 0 broken promises \(seed 1\)")

    def test_sizes_that_two_seeds_share_by_chance_depend_on_the_seed_all_the_same(self):
        run = self.outcome_with([(small.LESSON, "Shape shape = odd_shape(rng, i);",
                                  "Shape shape = odd_shape(rng, i);\n        shape.rows = 2 + i;\n"
                                  "        shape.features = i || uniform(rng, 0, 1) < 0.75 ? 3 : 4;")])
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def test_how_long_many_draws_take_is_said_before_they_begin(self):
        self.copy.make("build/99_center/check")
        run = self.copy.run(["build/99_center/check", "--draws", "400", "--seed", "1"])
        self.assertRegex(run.stdout, r"\A99_center: 400 seeds take about [1-9]\d* s\n"
                         r"99_center: \d+ cases of 400 seeds from 1; 0 broken promises\n\Z")

    def test_a_gradient_that_comes_from_no_function_of_the_lesson_is_held_against_none(self):
        """What center_backward is given here is not only center's: it also adds what another hands down."""
        run = self.outcome_with([*self.FROM_ELSEWHERE, self.OF_NONE])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("gradients", run.stdout)
        self.assertIn('dx of center_backward: compared with nothing, as its slopes_of is ""', run.stdout)

    def test_one_that_is_held_against_none_is_refused_unless_the_lesson_says_so(self):
        self.broken(self.FROM_ELSEWHERE, "dx of center_backward is held against no numeric gradient: it takes "
                    "dother, and center has no output other. In lesson.c, .slopes_of names the step")

    FROM_ELSEWHERE = [
        (small.HEADER, "const float *dy, /* rows x features */",
         "const float *dy, /* rows x features */\n const float *dother, /* rows x features */"),
        (small.VECTORS, '{"dy":', '{"dother": [0, 0, 0, 0, 0, 0], "dy":'),
        (small.LESSON, "sub(exact(row[j]), average(sum, n))",
         'add(exact(given(c, "dother")[r * n + j]), sub(exact(row[j]), average(sum, n)))')]
    OF_NONE = (small.LESSON, "center_backward_oracle, NULL}", 'center_backward_oracle, .slopes_of = ""}')

    HALVED = (small.LESSON, "sub(exact(row[j]), average(sum, n))",
              "scaled(sub(exact(row[j]), average(sum, n)), 0.5)")
    HALF_ANSWERS = (small.VECTORS, '"wanted": {"dx": [-2, -1, 3, 4, -4, 0]}',
                    '"wanted": {"dx": [-1, -0.5, 1.5, 2, -2, 0]}')

    def test_a_gradient_that_holds_something_constant_is_held_against_none(self):
        run = self.outcome_with([self.HALVED, self.HALF_ANSWERS, self.OF_NONE])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("gradients", run.stdout)

    def test_where_several_steps_fit_a_gradient_is_held_against_the_one_that_is_named(self):
        """Lesson 99 with a second function, half of center, whose slopes center_backward gives."""
        half = ("void half(float *y,       /* rows x features */\n          const float *x, "
                "/* rows x features */\n          int rows, int features);\n/* dx, from dy")
        run = self.outcome_with([self.HALVED, self.HALF_ANSWERS, (small.HEADER, "/* dx, from dy", half), (
            small.LESSON, "static void draw_center(", """static void half_oracle(Case *c, Mistakes m)
{
    center_oracle(c, m);
    for (int i = 0; i < size_of(c, "rows") * size_of(c, "features"); i++)
        wanted(c, "y")[i] = scaled(wanted(c, "y")[i], 0.5);
}

static void draw_half(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        case_of_shape(cases, rng, "half", i);
}

static void draw_center("""), (
            small.LESSON, '{"center_backward", center_backward_oracle, NULL}',
            '{"half", half_oracle, NULL},\n'
            '{"center_backward", center_backward_oracle, .slopes_of = "half"}'), (
            small.LESSON, '    {"center_backward", "center_backward takes',
            '    {"half", "half holds on 24 shapes", .draw = draw_half},\n'
            '    {"center_backward", "center_backward takes'), (
            small.HINTS, "# center_backward", "# half\n1. a\n2. b\n3. c\n\n# center_backward")])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("1 gradients within", run.stdout)


for broken_how, (its_changes, its_words) in BROKEN.items():
    setattr(Judgements, "test_" + re.sub(r"\W+", "_", broken_how.replace("'", "")),
            lambda self, changes=its_changes, words=its_words: self.broken(changes, words))


class Gradients(Judged):
    """What numeric gradients can miss: lesson 98 has a mask of ints, and a number alone with a gradient."""

    lesson = gain
    NOT_NUMERIC = "its gradients are not the numeric ones: gain_backward "
    DX = 'wanted(c, "dx")[i] = mul(exact(scalar_of(c, "g")), dy)'
    DG = 'wanted(c, "dg")[0] = total(sum)'

    def test_each_is_told_with_its_difference_and_how_large_it_is(self):
        run = self.outcome()
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertIn("2 gradients within ", run.stdout)
        self.assertRegex(run.stdout,
                         r"  dx of gain_backward: at most \S+ from the slopes of gain, which go up to \S*[1-9]\S*\n"
                         r"  dg of gain_backward: at most \S+ from the slopes of gain, which go up to \S*[1-9]\S*\n")

    def test_a_sign_that_is_flipped_is_seen_though_a_mask_may_leave_all_out(self):
        self.broken([(gain.LESSON, self.DX, self.DX.replace("scalar_of", "-scalar_of"))], self.NOT_NUMERIC + "dx")

    def test_the_gradient_of_a_number_alone_is_compared(self):
        self.broken([(gain.LESSON, self.DG, self.DG.replace("total(sum)", "scaled(total(sum), -1)"))],
                    self.NOT_NUMERIC + "dg")

    def test_one_that_is_no_number_is_not_the_numeric_one(self):
        self.broken([(gain.LESSON, self.DG, self.DG.replace("total(sum)", "exact(NAN)"))], self.NOT_NUMERIC + "dg")

    ALL_OUT = (gain.LESSON, "uniform_int(rng, 0, 1);", "1;")

    def test_one_that_is_0_throughout_is_refused(self):
        for output in ("dx", "dg"):
            self.broken([self.ALL_OUT], f"{output} of gain_backward is compared where all of it is 0, which any "
                        "sign fits. In lesson.c, .sample gives numbers at which it is not")

    def test_a_sample_takes_the_place_of_ints_that_are_drawn(self):
        run = self.outcome_with([self.ALL_OUT, (gain.LESSON, '.defaults = ""',
                                                '.defaults = "", .sample = "out=0 1 rows=2 features=3"')])
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_one_of_another_length_is_refused(self):
        self.broken([(gain.HEADER, "float *dg,       /* 1 */", "float *dg, /* features */"),
                     (gain.LESSON, self.DG, "for (int j = 0; j < n; j++)\n" + self.DG.replace("[0]", "[j]"))],
                    "dg of gain_backward is held against no numeric gradient: dg has ")

    def test_one_that_is_added_to_what_stands_there_is_compared(self):
        added = [(gain.HEADER, "float *dg,       /* 1 */", "float *dg, /* 1, read and written */")]
        self.broken(added, self.NOT_NUMERIC + "dg")
        run = self.outcome_with([*added, (gain.LESSON, self.DG, self.DG.replace(
            "total(sum)", 'add(exact(given(c, "dg")[0]), total(sum))'))])
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("2 gradients", run.stdout)

    RETURNED = [(gain.HEADER, "void gain_backward(", "float gain_backward("),
                (gain.HEADER, "float *dg,       /* 1 */", ""),
                (gain.LESSON, 'gain_backward_oracle},', 'gain_backward_oracle, .result = "dg"},')]

    def test_one_that_is_returned_is_compared(self):
        run = self.outcome_with([*self.RETURNED, (gain.LESSON, 'wanted(c, "dg")[0]', '*wanted(c, "return")')])
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("dg of gain_backward: at most ", run.stdout)
        self.broken([*self.RETURNED, (gain.LESSON, self.DG, '*wanted(c, "return") = scaled(total(sum), 2)')],
                    self.NOT_NUMERIC + "dg")

    SUMMED = [(gain.HEADER, "void gain(float *y,         /* rows x features */", "float gain("),
              (gain.HEADER, "const float *dy, /* rows x features */", "float dy,"),
              (gain.LESSON, "    int n = size_of(c, \"features\");\n    (void)m;",
               "    int n = size_of(c, \"features\");\n    Sum y = {0};\n    (void)m;"),
              (gain.LESSON, """wanted(c, "y")[i] = given_ints(c, "out")[i / n]
                                ? exact(0)
                                : mul(exact(scalar_of(c, "g")), exact(given(c, "x")[i]));
""", """include_product(&y, exact(given_ints(c, "out")[i / n] ? 0 : scalar_of(c, "g")),
                        exact(given(c, "x")[i]));
    *wanted(c, "return") = total(y);
"""),
              (gain.LESSON, '0 : given(c, "dy")[i]', '0 : scalar_of(c, "dy")'),
              (gain.LESSON, 'set_scalar(c, "g"', 'if (takes(c, "dy"))\n            set_scalar(c, "dy", 2);\n'
               '        set_scalar(c, "g"'),
              (gain.LESSON, "gain_oracle},", 'gain_oracle, .result = "y"},')]

    def test_those_of_a_loss_that_is_returned_are_compared(self):
        run = self.outcome_with(self.SUMMED)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("2 gradients", run.stdout)
        self.broken([*self.SUMMED, (gain.LESSON, self.DX, self.DX.replace("scalar_of", "-scalar_of"))],
                    self.NOT_NUMERIC + "dx")


class Naming(Judged):
    """What make check names, make verify takes for named; and nothing else."""

    lesson = gain

    def test_a_mistake_in_a_function_that_gives_ints_is_named_by_both(self):
        tested = self.outcome()
        self.assertEqual(tested.returncode, 0, tested.stdout)
        self.copy.write("wrong.c", gain.FILES[gain.SOLUTION].replace("v[i] > v[found]", "v[i] >= v[found]"))
        run = self.copy.make("check", LESSON="98", IMPL="wrong.c")
        self.assertIn("These are the numbers you get when of equal ones the last is taken.", run.stdout)
        self.assertIn("It is made in line 23 of your file:", run.stdout)

    TWO = [(gain.LESSON, "LAST_OF_EQUAL }", "LAST_OF_EQUAL, ALL_TWICE, DX_TWICE }"),
           (gain.LESSON, "    {0},\n};\n\nstatic void gain_oracle", """    {"all_twice", "gain_backward", "so", "Not so", "All"},
    {"dx_twice", "gain_backward", "so", "Not so", "One"},
    {0},
};

static void gain_oracle"""),
           (gain.LESSON, Gradients.DX + ";", Gradients.DX + """;
        if (has(m, ALL_TWICE) || has(m, DX_TWICE))
            wanted(c, "dx")[i] = scaled(wanted(c, "dx")[i], 2);"""),
           (gain.LESSON, Gradients.DG, Gradients.DG.replace("total(sum)", "scaled(total(sum), has(m, ALL_TWICE) ? 2 : 1)"))]
    OF_DX = (gain.LESSON, '    {"gain_backward", "gain_backward gives dx',
             '    {"gain_backward", "gain_backward gives dx", .draw = draw_gain_backward, .only = "dx"},\n'
             '    {"gain_backward", "gain_backward gives dx')

    def test_mistakes_that_differ_in_what_the_failing_check_does_not_look_at_are_not_told_apart(self):
        self.assertEqual(self.outcome_with(self.TWO).returncode, 0)
        for name in ("all_twice", "dx_twice"):
            self.broken([*self.TWO, self.OF_DX], f"is made alone, and not named: {name} gain_backward "
                        "(another is named, too, or in its place)")

    def test_a_mistake_that_changes_no_number_is_said_to_fail_nothing(self):
        self.broken([(gain.LESSON, "v[i] == v[found] && has", "v[i] == -7 && has")],
                    "last_of_equal largest (no case of up to 1000 numbers fails by it)")

    def test_numbers_that_are_the_same_with_every_seed_are_told_with_what_to_do(self):
        self.broken([(gain.LESSON, "(float)uniform_int(rng, 0, 2)", "(float)(k % 3 + 0 * uniform_int(rng, 0, 2))"),
                     (gain.LESSON, "uniform_int(rng, 12, 40)", "12 + i")],
                    '"largest finds the first": another seed draws the same numbers in case 24. All that is given '
                    "comes from rng (uniform(), fill_rest()); of what has few values, draw more")
