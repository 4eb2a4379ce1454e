"""The search for the line, one rule at a time: when it speaks, when it is silent, and what it never does. What
it reaches on ordinary wrong programs is in test_line.py.
"""

import json
import re
import subprocess
import unittest

from lesson_files import ROOT
from workbook_copy import WorkbookCopy

SCRATCH = ROOT / "build" / "tests" / "line_search"
SOLUTION = ROOT / "solutions" / "01_layer_norm.c"
TOP = '#include "01_layer_norm.h"\n#include <math.h>\n'
MEAN = """float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / features;
}
"""
VARIANCE = """float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int j = 0; j < features; j++) {
        float d = x[j] - mean;
        sum += d * d;
    }
    return sum / features;
}
"""
NORM = """void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows, int features,
                float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float m = row_mean(x, features);
        float root = sqrtf(row_variance(x, features, m) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - m) / root + beta[j];
    }
}
"""
RIGHT = TOP + MEAN + VARIANCE + NORM


def changed(text, *pairs):
    for old, new in zip(pairs[::2], pairs[1::2]):
        if text.count(old) != 1:
            raise ValueError(f"{text.count(old)} times: {old}")
        text = text.replace(old, new)
    return text


def line_of(text, part):
    return text[:text.index(part)].count("\n") + 1


def checked(text, lesson="01_layer_norm", name="mine", top=ROOT, words="json"):
    """The report, or what a learner reads."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / f"{name}.c"
    path.write_text(text)
    run = subprocess.run([f"build/{lesson}/check", "--impl", str(path), "--format", words, "--seed", "1"], cwd=top,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=1800, text=True, check=False)
    return json.loads(run.stdout)["lessons"][0] if words == "json" else run.stdout


def fix_of(text, **more):
    """What is said of the first check that fails."""
    failed = [check for check in checked(text, **more)["checks"] if check["status"] == "failed"]
    return failed[0]["fix"]


class Search(unittest.TestCase):
    maxDiff = None

    def assert_line(self, text, part, **more):
        fix = fix_of(text, **more)
        self.assertIsNotNone(fix)
        self.assertEqual(fix["line"], line_of(text, part), fix)
        return fix

    def test_one_change_that_does_is_given_with_its_place(self):
        text = changed(RIGHT, "x[j] - mean", "x[j] + mean")
        place = line_of(text, "x[j] + mean")
        fix = self.assert_line(text, "x[j] + mean")
        self.assertEqual(fix, {"function": "row_variance", "line": place, "behind": False,
                               "kind": "another operator is needed",
                               "from": "+", "to": "-", "code": "float d = x[j] + mean;", "also": None, "other": None,
                               "question": fix["question"],
                               "lines": [{"line": place, "before": "float d = x[j] + mean;",
                                          "after": "float d = x[j] - mean;"}]})

    def test_the_change_is_not_in_what_a_learner_reads(self):
        text = changed(RIGHT, "x[j] - mean", "x[j] * mean")
        said = checked(text, words="human")
        self.assertIn(f"Look at line {line_of(text, 'x[j] * mean')} of your file:", said)
        self.assertIn("        float d = x[j] * mean;", said)
        self.assertNotIn("x[j] - mean", said)

    def test_a_helper_is_searched_too(self):
        helper = "static float square(float a)\n{\n    return a * 2;\n}\n"
        text = changed(TOP + helper + MEAN + VARIANCE + NORM, "d * d", "square(d)")
        self.assertEqual(self.assert_line(text, "a * 2")["function"], "square")

    def test_a_helper_that_is_inline_and_not_static_is_there(self):
        """A change is compiled without the optimizer, which has no need of a function of that name."""
        helper = "inline float square(float a)\n{\n    return a * a;\n}\n"
        text = changed(TOP + helper + MEAN + VARIANCE + NORM, "d * d", "square(x[j])")
        self.assert_line(text, "square(x[j])")

    def test_a_condition_that_need_not_be_asked_hides_what_is_wrong_elsewhere(self):
        """About its own mean nothing is off, and a sign before that does no harm."""
        text = changed(RIGHT, MEAN, """float row_mean(const float *x, int features)
{
    float near = x[0], off = 0;
    for (int j = 0; j < features; j++)
        off += (x[j] - near) / features;
    if (off * off > 1e6f) {
        near += off;
        off = 0;
    }
    return near - off;
}
""")
        fix = self.assert_line(text, "near - off")
        self.assertEqual(fix["kind"], "another operator is needed", fix)

    def test_a_sum_that_begins_elsewhere_is_not_set_back_too_late(self):
        text = changed(RIGHT, MEAN, MEAN.replace("sum = 0", "sum = features"))
        fix = self.assert_line(text, "sum = features")
        self.assertEqual((fix["behind"], fix["kind"]), (False, "a number is not the right one"), fix)

    def test_a_loop_may_belong_into_another(self):
        text = changed(RIGHT, NORM, """void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows, int features,
                float eps)
{
    float sums[2];
    for (int k = 0; k < 2; k++)
        sums[k] = 0;
    for (int r = 0; r < rows; r++, x += features, y += features) {
        for (int j = 0; j < features; j++)
            sums[0] += x[j] / features;
        for (int j = 0; j < features; j++)
            sums[1] += (x[j] - sums[0]) * (x[j] - sums[0]) / features;
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - sums[0]) / sqrtf(sums[1] + eps) + beta[j];
    }
}
""")
        fix = self.assert_line(text, "for (int k")
        self.assertEqual(fix["kind"], "a statement is in the wrong place", fix)

    def test_a_loop_that_need_not_run_hides_what_is_wrong_in_it(self):
        """What is left over of the fours may be all."""
        text = changed(RIGHT, MEAN, """float row_mean(const float *x, int features)
{
    float sum = 0;
    int j = 0;
    for (; j + 4 <= features; j += 4)
        sum += x[j] + x[j + 1] + x[j + 2] + x[j + 2];
    for (; j < features; j++)
        sum += x[j];
    return sum / features;
}
""")
        self.assert_line(text, "x[j + 2] + x[j + 2]")

    def test_changes_on_several_lines_give_the_likelier_line_and_no_change(self):
        text = changed(RIGHT, "(x[j] - m) / root", "(x[j] - m) * root")  # or 1 / sqrtf(...), two lines above
        fix = self.assert_line(text, "(x[j] - m) * root")
        self.assertEqual((fix["from"], fix["to"]), (None, None))

    def test_of_two_lines_that_are_as_likely_the_earlier_is_given_and_no_change(self):
        text = changed(RIGHT, "            y[j] = gamma[j] * (x[j] - m) / root + beta[j];\n    }\n",
                       "        {\n            float off = x[j] - m;\n"
                       "            y[j] = gamma[j] * off + beta[j];\n        }\n    }\n")
        fix = self.assert_line(text, "float off = x[j] - m")
        self.assertEqual((fix["from"], fix["to"]), (None, None))

    def test_changes_that_agree_on_no_line_give_nothing(self):
        text = changed(RIGHT, "            y[j] = gamma[j] * (x[j] - m) / root + beta[j];\n    }\n",
                       "        {\n            float d = x[j] - m;\n            float e = d;\n"
                       "            y[j] = gamma[j] * e + beta[j];\n        }\n    }\n")
        self.assertIsNone(fix_of(text))

    def test_where_no_change_does_nothing_is_said(self):
        text = changed(RIGHT, "sum += d * d", "sum += d * d * d + j")
        self.assertIsNone(fix_of(text))

    def test_a_function_that_is_hardly_written_gets_nothing(self):
        for body in ("    return 0;\n", "    return x[0];\n", "    return features;\n"):
            with self.subTest(body):
                text = TOP + "float row_mean(const float *x, int features)\n{\n" + body + "}\n" + VARIANCE + NORM
                self.assertIsNone(fix_of(text))

    def test_what_another_compiler_makes_another_program_of_gets_nothing(self):
        ours = "#ifdef __TINYC__\n#define MORE 0\n#else\n#define MORE 1\n#endif\n"
        text = changed(RIGHT, "sum += x[j];", "sum += x[j] + MORE;", TOP, TOP + ours)
        self.assertIsNone(fix_of(text))

    def test_a_change_must_pass_the_ordinary_checker_on_other_cases(self):
        """Here the same change would do under the trial's compiler only."""
        ours = "#ifdef __TINYC__\n#define TIMES 1\n#else\n#define TIMES 2\n#endif\n"
        text = changed(RIGHT, TOP, TOP + ours, "x[j] - mean", "TIMES * (x[j] + mean)")
        self.assertIsNone(fix_of(text))

    def test_the_same_file_gives_the_same_line_however_busy_the_machine_is(self):
        text = changed(RIGHT, "x[j] - m)", "x[j] - m * eps)")
        alone = fix_of(text)
        self.assertIsNotNone(alone)
        busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(4)]
        try:
            self.assertEqual(fix_of(text), alone)
        finally:
            for process in busy:
                process.kill()
                process.wait()

    def test_changes_that_loop_write_anywhere_or_crash_are_only_not_right(self):
        text = changed(RIGHT, "    for (int j = 0; j < features; j++)\n        sum += x[j];",
                       "    int j = 0;\n    while (j < features - 1)\n        sum += x[j++];")
        self.assert_line(text, "features - 1")

    def test_changes_that_end_badly_behind_the_right_numbers_are_none(self):
        """`<=` writes all of them, and one beyond the array."""
        loop = "for (int j = 0; j < features; j++)\n            y[j]"
        text = changed(RIGHT, loop, loop.replace("features", "features - 1"))
        self.assertEqual(self.assert_line(text, "features - 1")["to"], "features")

    def test_a_change_may_stand_beside_what_is_no_place_for_one(self):
        """A static variable begins with a constant, a macro may be a loop, and a loop's body may have no braces."""
        text = changed(RIGHT, TOP, TOP + "#define EACH(j, n) for (int j = 0; j < n; j++)\n", VARIANCE,
                       VARIANCE.replace("float sum = 0;", "static const float none = 0;\n    float sum = none;")
                       .replace("for (int j = 0; j < features; j++)", "EACH(j, features)")
                       .replace("x[j] - mean", "x[j] + mean"))
        self.assertEqual(self.assert_line(text, "x[j] + mean")["to"], "-")
        text = changed(text, "x[j] + mean", "x[j] - mean", "EACH(j, features)", "EACH(j, features - 1)")
        self.assert_line(text, "features - 1")

    def test_a_change_may_have_two_places_stand_between_statements_or_in_a_declaration(self):
        for what, old, new, wrong in [
                ("it is moved out of a loop", "    for (int j = 0; j < features; j++)\n        sum += x[j];\n"
                 "    return sum / features;", "    for (int j = 0; j < features; j++) {\n        sum += x[j];\n"
                 "        sum /= features;\n    }\n    return sum;", "sum /= features;"),
                ("it is alone in a loop", "    for (int j = 0; j < features; j++)\n        sum += x[j];",
                 "    const float *at = x;\n    for (int j = 0; j < features; j++)\n        sum += *at;", "sum += *at;"),
                ("two names of a declaration", "return sum / features;",
                 "float count = features;\n    float share = count / sum, other = 1;\n    return share * other;",
                 "count / sum")]:
            with self.subTest(what):
                text = changed(TOP + MEAN, old, new) + VARIANCE + NORM
                self.assert_line(text, wrong)

    def test_two_names_may_be_exchanged_from_the_head_of_a_loop_to_behind_it(self):
        body = NORM[NORM.index("{"):]
        other = body.replace("features", "count").replace("rows", "features").replace("count", "rows")
        text = changed(RIGHT, body, other)
        fix = self.assert_line(text, "r < features")
        self.assertEqual(fix["kind"], "a name is not the right one")

    def test_another_change_is_asked_about_where_the_likeliest_does_not_pass(self):
        """Under the trial's compiler `1 * Z` would do as well."""
        ours = "#ifdef __TINYC__\n#define Z 0\n#else\n#define Z 1\n#endif\n"
        text = changed(TOP + ours + MEAN, "sum / features", "sum / (features - (1 + Z))") + VARIANCE + NORM
        self.assert_line(text, "(1 + Z)")

    def test_a_change_that_mends_several_functions_is_compiled_once(self):
        """Each worker leaves a file: one grades the learner's file, one that with the change."""
        total = ("static float total(const float *x, int n)\n{\n    float sum = 0;\n"
                 "    for (int j = 0; j < n - 1; j++)\n        sum += x[j];\n    return sum;\n}\n")
        mean = MEAN[:MEAN.index("{")] + "{\n    return total(x, features) / features;\n}\n"
        text = changed(TOP + total + mean + VARIANCE + NORM, "row_mean(x, features);", "total(x, features) / features;")
        with WorkbookCopy() as copy:
            (copy.path / "build" / "worker").rename(copy.path / "build" / "right")
            copy.write("build/worker", f"#!/bin/sh\n: >'{copy.path}'/begun.$$\nexec build/right\n")
            (copy.path / "build" / "worker").chmod(0o755)
            report = checked(text, top=copy.path)
            begun = len(list(copy.path.glob("begun.*")))
        fixes = [check["fix"] for check in report["checks"] if check.get("fix")]
        self.assertEqual([fix["line"] for fix in fixes], 2 * [line_of(text, "n - 1")])
        self.assertEqual(begun, 2)

    def test_a_function_that_calls_a_wrong_one_says_so(self):
        text = changed(RIGHT, "x[j] - mean", "x[j] + mean")
        said = checked(text, words="human")
        self.assertIn("layer_norm calls row_variance, which is wrong: mend that first.", said)

    def test_functions_that_pass_are_not_changed(self):
        """A row_mean of the other sign would make up for it, and would be wrong."""
        text = changed(RIGHT, "float m = row_mean", "float m = -row_mean")
        self.assertEqual(self.assert_line(text, "float m = -row_mean")["to"], "row_mean(x, features)")

    def test_a_lesson_whose_functions_own_memory_is_searched_through_its_calls(self):
        solution = (ROOT / "solutions" / "06_module.c").read_text()
        text = solution.replace("-= rate *", "+= rate *", 1)
        self.assertNotEqual(text, solution)
        fix = self.assert_line(text, "+= rate *", lesson="06_module", name="module")
        self.assertEqual(fix["function"], "layer_norm_step")

    def test_the_file_stays_as_it_is(self):
        text = changed(RIGHT, "x[j] - mean", "x[j] + mean")
        fix_of(text, name="stays")
        self.assertEqual((SCRATCH / "stays.c").read_text(), text)

    def test_without_tcc_the_verdict_is_the_same_and_the_line_is_missing(self):
        text = changed(RIGHT, "x[j] - mean", "x[j] + mean")
        with WorkbookCopy() as copy:
            before = checked(text, top=copy.path)
            (copy.path / "build" / "trial").unlink()
            after = checked(text, top=copy.path)
            said = checked(text, top=copy.path, words="human")
        self.assertIsNotNone(before["checks"][2]["fix"])
        self.assertEqual([check["status"] for check in after["checks"]],
                         [check["status"] for check in before["checks"]])
        self.assertEqual([check.get("fix") for check in after["checks"] if check.get("fix")], [])
        self.assertNotIn("of your file", said)
        self.assertNotIn("trial", said)

    def test_a_right_file_pays_nothing_the_search_is_not_even_started(self):
        with WorkbookCopy() as copy:
            trial, started = copy.path / "build" / "trial", copy.path / "started"
            trial.unlink()
            trial.write_text(f"#!/bin/sh\ntouch '{started}'\n")
            trial.chmod(0o755)
            checked(RIGHT, top=copy.path)
            self.assertFalse(started.exists())
            checked(changed(RIGHT, "x[j] - mean", "x[j] + mean"), top=copy.path)
            self.assertTrue(started.exists())

    def test_a_lesson_of_an_instructor_has_it_from_its_header_formulas_and_cases_alone(self):
        name = "18_my_norm"
        with WorkbookCopy() as copy:
            self.assertEqual(copy.make("new", LESSON=name).returncode, 0)
            formulas = copy.read(f"lessons/{name}.formulas").partition("\nmistake ")[0]
            copy.write(f"lessons/{name}.formulas", re.sub(r"(?m)^ +\w+:.*\n", "", formulas))
            solution = copy.read(f"solutions/{name}.c")
            wrong = changed(solution, "sum += dy[i] * x[i]", "sum += dy[i] + x[i]")
            copy.write("mine.c", wrong)
            run = copy.make("check", LESSON="18", IMPL="mine.c", FORMAT="json", SEED="1")
            [report] = json.loads(run.stdout)["lessons"]
            said = copy.make("check", LESSON="18", IMPL="mine.c", SEED="1").stdout
        [fix] = [check["fix"] for check in report["checks"] if check.get("fix")]
        self.assertLessEqual({"function": "my_norm_backward", "line": line_of(wrong, "dy[i] + x[i]"),
                              "kind": "another operator is needed", "from": "+", "to": "*"}.items(),
                             {name: value for name, value in fix.items() if name != "lines"}.items())
        self.assertIn(f"Look at line {fix['line']} of your file: {fix['kind']} in", said)


if __name__ == "__main__":
    unittest.main()
