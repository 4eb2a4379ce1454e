"""What a verdict shows of a wrong answer, tried on small changes of the solutions."""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from workbook_copy import WorkbookCopy

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "tests" / "verdict"
ENGLISH = dict(os.environ, LC_ALL="C.UTF-8")


def failed(lesson, *changes, text=None, name="changed"):
    """The checks that fail when these parts of the solution are changed: (old, new) each."""
    text = text or (ROOT / "solutions" / f"{lesson}.c").read_text()
    for old, new in changes:
        if old not in text:
            raise AssertionError(f"solutions/{lesson}.c has no {old}")
        text = text.replace(old, new)
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / f"{name}_{lesson}.c"
    path.write_text(text)
    command = [f"build/{lesson}/check", "--impl", str(path.relative_to(ROOT)), "--format", "json",
               "--seed", "1"]
    result = subprocess.run(command, cwd=ROOT, env=ENGLISH, stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800)
    return [check for check in json.loads(result.stdout)["lessons"][0]["checks"]
            if check["status"] == "failed"]


@functools.cache
def with_a_larger_root():
    """{lesson: its checks that fail then}, of those that have a root."""
    return {path.stem: failed(path.stem, ("sqrtf(", "1.37f * sqrtf("), name="root")
            for path in sorted((ROOT / "solutions").glob("*.c")) if "sqrtf(" in path.read_text()}


class Neighbours(unittest.TestCase):
    def shown(self, lesson, *changes):
        """The lines of the first failed check in which numbers stand one below the other."""
        lines = failed(lesson, *changes)[0]["details"]
        return [line for line in lines if line.startswith("  ") and not line.startswith("   ")
                or line.strip() == "^"]

    def test_a_wrong_row_is_shown_whole_with_a_mark_under_the_worst_element(self):
        self.assertEqual(self.shown("01_layer_norm", ("gamma[j] * ", "(j ? 1 : 2) * ")), [
            "  x              10     50       20",
            "  gamma           1      1        1",
            "  beta            0      0        0",
            "  expected  -0.9806  1.373  -0.3922",
            "  got        -1.961  1.373  -0.3922",
            "                  ^"])

    def test_batch_norm_shows_the_column(self):
        self.assertEqual(self.shown("05_batch_norm", ("+ beta[j]", "+ beta[j] + (r == 1) * (j == 1)")), [
            "  x[r][1]       10     50  30",
            "  expected  -1.225  1.225   0",
            "  got       -1.225  2.225   0",
            "                        ^"])

    def test_group_norm_shows_the_group(self):
        lines = self.shown("09_group_norm", ("+ beta[first + c]", "+ 2 * beta[first + c] + 1"))
        self.assertEqual(len(lines[0].split()), 1 + 4, lines)

    def test_of_a_row_that_is_too_long_to_show_it_says_which_x_make_it_nan(self):
        [check] = failed("07_stability", ("spread == 0.0f ?",
                                          "spread == 0.0f || (features > 12 && spread != spread) ?"))
        self.assertRegex(check["details"][0], r"expected NaN, got ")
        told = [line for line in check["details"] if line.startswith("In this row ")]
        self.assertRegex("".join(told), r"^In this row (\d+) of the \d+ x (is|are) not finite: x(\[\d+\]){2} is "
                         r"(NaN|-?infinity)\.$")

    def test_where_the_inputs_row_has_another_length_the_wrong_elements_row_is_shown(self):
        details = failed("10_transformer_block", ("sum = b[o]", "sum = b[o] + (r == 1)"))[0]["details"]
        self.assertRegex(details[0], r"^y\[1\]\[\d\]: expected ")
        self.assertTrue([line for line in details if line.startswith("x[1] is ")], details)

    def test_what_is_off_by_little_has_the_digits_that_show_it(self):
        lines = self.shown("01_layer_norm", ("+ beta[j]", "* 1.00001f + beta[j]"))
        marked = len(lines[-1])
        self.assertNotEqual(lines[-3][:marked].split()[-1], lines[-2][:marked].split()[-1], lines)

    def test_no_line_is_wider_than_a_terminal(self):
        for lesson, checks in with_a_larger_root().items():
            with self.subTest(lesson=lesson):
                for check in checks:
                    for line in check["details"]:
                        self.assertFalse(line.startswith("  ") and len(line) > 75, check["details"])


class OnTheWay(unittest.TestCase):
    """What of it is right, and where a NaN comes from."""

    def details(self, lesson, *changes):
        return failed(lesson, *changes)[0]["details"]

    def test_outputs_that_are_right_are_told_from_the_one_that_is_not(self):
        self.assertIn("mean and rstd are right; y is not.",
                      self.details("02_backward", ("+ beta[j]", "- 2 * beta[j] + 1")))
        self.assertIn("mean is right; rstd is not.", "\n".join(
            check for check in self.details("02_backward", ("1.0f / sqrtf(", "0.9f / sqrtf("))))

    def test_mean_and_divisor_are_read_back_from_y(self):
        self.assertEqual([line for line in self.details("01_layer_norm", ("1.0f / sqrtf(", "0.5f / sqrtf("))
                          if "is right" in line],
                         ["Read back from y: 26.6667 is subtracted from x, which is right.",
                          "That is divided by 33.9935, where 16.9967 is right."])
        self.assertIn("Read back from y: as if 25.6667 were subtracted from x, where 26.6667 is right.",
                      self.details("01_layer_norm", ("(row[j] - mean)", "(row[j] - mean + 1)")))

    def test_another_statistic_of_the_row_is_said_to_be_one(self):
        row = "        float mean = row_mean(row, features);\n"
        lowest = "        float lo = row[0], hi = row[0];\n        for (int k = 1; k < features; k++) {\n" \
                 "            lo = fminf(lo, row[k]);\n            hi = fmaxf(hi, row[k]);\n        }\n"
        self.assertEqual(self.read("01_layer_norm", (row, row + lowest),
                                   ("(row[j] - mean) * rstd", "(row[j] - lo) / (hi - lo) + 0 * rstd")),
                         ["Read back from y: 10 is subtracted from x, where 26.6667 is right.",
                          "10 is the smallest and the first of these x.",
                          "That is divided by 40, where 16.9967 is right.",
                          "40 is the largest less the smallest of these x."])
        self.assertEqual(self.read("01_layer_norm", ("(row[j] - mean) * rstd", "row[j] * rstd / 2")),
                         ["Read back from y: nothing is subtracted from x, where 26.6667 is right.",
                          "That is divided by 33.9935, where 16.9967 is right."])
        with self.subTest("where nothing is known of either, both may be far off the way"):
            self.assertEqual(self.read("01_layer_norm", ("(row[j] - mean) * rstd", "(row[j] - 17) * rstd / 7")), [])
        with self.subTest("what a function returns"):
            self.assertIn("50 is the largest and the one in the middle of these x.",
                          self.details("01_layer_norm", ("return sum / (float)features;\n}\n\n/* x: features */",
                                                         "return x[features / 2];\n}\n\n/* x: features */")))
            self.assertIn("30 is half-way between the smallest and the largest of these x.",
                          self.details("01_layer_norm", ("return sum / (float)features;\n}\n\n/* y, x:",
                                                         "return (x[0] + x[1]) / 2;\n}\n\n/* y, x:")))

    def read(self, lesson, *changes):
        return [line for line in self.details(lesson, *changes) if "is right" in line or "these x" in line]

    def test_what_is_no_straight_line_is_not_read_back(self):
        # What is added lies across x: a straight line through it would have the right slope.
        for change in (("(row[j] - mean)", "(row[j] - mean) * (j + 1)"),
                       ("+ beta[j]", "+ beta[j] + (j == 0) - 2.5f * (j == 2)")):
            self.assertNotIn("Read back", "".join(self.details("01_layer_norm", change)))

    def test_nan_says_where_it_comes_from(self):
        left_out = ("features, mean) + eps", "features, mean) + (features == 4 && row[0] == row[3] ? 0 : eps)")
        self.assertIn("NaN is what 0 / 0 gives: all x here are equal, and the variance is 0.",
                      self.details("01_layer_norm", left_out))
        self.assertIn("NaN is what 0 / 0 gives, and the root of a negative number.",
                      self.details("01_layer_norm", ("sqrtf(row_variance", "sqrtf(-row_variance")))
        self.assertIn("made from an element that was never written",
                      "".join(self.details("01_layer_norm", ("+ beta[j]", "* -out[j]"))))
        self.assertIn("Infinity is what a division by 0 gives",
                      "".join(self.details("01_layer_norm", ("+ beta[j]", "+ 1 / beta[j]"))))

    def test_the_line_to_try_works_as_it_is_printed_and_shows_it(self):
        tried = 0
        for lesson, checks in with_a_larger_root().items():
            for check in checks:
                if not check["try"]:
                    continue
                with self.subTest(lesson=lesson, line=check["try"]):
                    tried += 1
                    self.assertLessEqual(len(check["try"]), 72)
                    self.assertTrue(check["try"].startswith("try "))
                    called = dict(re.findall(r"(\w+) = ([-\d.e]+)", " ".join(check["details"])))
                    typed = dict(re.findall(r"(\w+)=([-\d.e]+)(?= |$)", check["try"]))
                    self.assertEqual([name for name in typed if called.get(name, typed[name]) != typed[name]], [])
                    result = subprocess.run(
                        [f"build/{lesson}/check", "--impl", f"build/tests/verdict/root_{lesson}.c", "--try",
                         check["try"][4:]], cwd=ROOT, env=ENGLISH, text=True, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, timeout=1800)
                    self.assertEqual((result.returncode, result.stderr), (1, ""), result.stdout)
                    self.assertIn("❌", result.stdout)
        self.assertGreater(tried, 25)

    def test_the_first_failed_check_of_every_function_has_a_line_to_try(self):
        for lesson, checks in with_a_larger_root().items():
            for check in checks:
                points = "which is wrong: mend that first." in "".join(check["details"])
                with self.subTest(lesson=lesson, check=check["name"]):
                    self.assertNotEqual(bool(check["try"]), points)

    def test_a_crash_has_a_line_to_try_and_a_second_call_that_differs_has_none(self):
        crash = failed("01_layer_norm", ("j < features", "j <= features"), name="crash")[0]
        self.assertIn("read 4 bytes past the end of x", crash["details"][0])
        self.assertEqual(crash["try"], "try row_mean 10 50 20")
        ends = "    return sum / (float)features;\n}\n\n/* x: features */\nfloat row_variance"
        kept = "    static float before = -1e30f;\n    sum += 1e6f * (before == sum);\n    before = sum;\n"
        again = failed("01_layer_norm", (ends, kept + ends), name="again")[0]
        self.assertIn("Is something kept from call to call", "".join(again["details"]))
        self.assertIsNone(again["try"])


class WhatNext(unittest.TestCase):
    """The last lines, in a shell and at the prompt."""

    @classmethod
    def setUpClass(cls):
        cls.copy = WorkbookCopy().__enter__()
        cls.addClassCleanup(cls.copy.__exit__, None, None, None)
        cls.solution = cls.copy.read("solutions/01_layer_norm.c")

    def make(self, *words):
        return self.copy.run(["make", "-s", *words])

    def prompt(self, *lines):
        result = self.copy.run(["make", "-s", "start"], stdin=None, input="".join(f"{line}\n" for line in lines))
        return result.stdout + result.stderr

    def save(self, text):
        self.copy.write("exercises/01_layer_norm.c", text)

    def wrong(self):
        self.save(self.solution.replace("distance * distance", "distance"))

    def test_a_shell_and_the_prompt_have_words_of_their_own(self):
        self.wrong()
        self.copy.run("rm -rf .workbook")
        shell = self.make("check", "LESSON=01").stdout
        self.assertTrue(shell.endswith("\nNext: mend row_variance. For a hint: make hint LESSON=01\n"), shell)
        self.assertIn("     To see it at work: make start, then\n        try row_variance 10 50 20 mean=26.6667\n",
                      shell)
        prompt = self.prompt("check", "try row_variance 10 50 20 mean=26.6667")
        self.assertIn("\nNext: mend row_variance. For a hint: hint\n", prompt)
        self.assertIn("     To see it at work:\n        try row_variance", prompt)
        self.assertNotIn("make ", prompt)
        self.assertIn("❌", prompt.split("For a hint")[1])
        self.assertIn("For a hint: hint 01\n", self.prompt("go 02", "check 01"))

    def test_a_pass_says_so_and_what_comes_next(self):
        self.save(self.solution)
        shell = self.make("check", "LESSON=01").stdout
        self.assertIn("\nYou know now: each row gets mean 0 and spread 1", shell)
        self.assertTrue(shell.endswith("✅ Lesson 01 is passed. Next: read lessons/02_backward.md\n"), shell)
        self.assertIn("For the other functions too: make check LESSON=01",
                      self.make("check", "STEP=row_mean").stdout)
        prompt = self.prompt("go 01", "check")
        self.assertEqual(prompt.count("Lesson 01 is passed. Next: type `next`."), 1, prompt)

    def test_another_file_is_graded_without_advice(self):
        text = self.make("check", "LESSON=01", "IMPL=solutions").stdout
        self.assertNotIn("Next", text)
        self.assertNotIn("You know now", text)

    def test_a_number_or_a_name_behind_check_is_a_lesson(self):
        for words in (["03"], ["3"], ["rms_norm"], ["03_rms_norm"], ["lesson=3"], ["Lesson=03"]):
            with self.subTest(words=words):
                self.assertIn("Lesson 03: RMS", self.make("check", *words).stdout)
        for words, said in ((["check", "99"], "There is no lesson 99. As in: make check LESSON=03"),
                            (["check", "row_mean"], "STEP=rms_norm for one function"),
                            (["03"], "As in: make check LESSON=03")):
            with self.subTest(words=words):
                result = self.make(*words)
                self.assertEqual(result.returncode, 2)
                self.assertIn(said, result.stderr)
                self.assertEqual(result.stdout, "")

    def test_every_lesson_says_in_a_line_what_it_teaches(self):
        for path in sorted((ROOT / "checker" / "lessons").glob("*/lesson.c")):
            with self.subTest(lesson=path.parent.name):
                said = re.search(r'\.learned = ((?:"[^"]*"\s*)+)', path.read_text())[1]
                self.assertLessEqual(len("You know now: ") + len("".join(re.findall(r'"([^"]*)"', said))), 80)


if __name__ == "__main__":
    unittest.main()
