"""Hints about the learner's own file: first the place, then the change, then those of the lesson."""

import json
import unittest

import lesson_files
import screen
import slips
from workbook_copy import WorkbookCopy

FIRST, EXERCISE = "01_layer_norm", "exercises/01_layer_norm.c"
SIGN = ("float distance = x[j] - mean;", "float distance = x[j] + mean;")
SQUARE = ("sum += distance * distance;", "sum += distance;")


class Hints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = WorkbookCopy()
        cls.copy = cls.context.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.context.__exit__(None, None, None)

    def setUp(self):
        self.copy.run("rm -rf .workbook")

    def slip(self, *changes, lesson=FIRST):
        """The solution with these changes as the learner's file."""
        text = self.copy.read(f"solutions/{lesson}.c")
        for old, new in changes:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.copy.write(f"exercises/{lesson}.c", text)
        return text

    def hint(self, **more):
        run = self.copy.make("hint", LESSON="01", **more)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def report(self, lesson=FIRST):
        run = self.copy.make("check", LESSON=lesson, FORMAT="json")
        return json.loads(run.stdout)["lessons"][0]

    def fix(self, lesson=FIRST):
        return next(check["fix"] for check in self.report(lesson)["checks"] if check["fix"])

    def test_first_the_place_then_the_change_then_the_hints_of_the_lesson(self):
        self.slip(SIGN)
        place, change, *general = [self.hint() for _ in range(6)]
        self.assertIn("Hint 1 of 2 on your own row_variance:\n", place)
        self.assertRegex(place, r"Line \d+ of exercises/01_layer_norm\.c, in row_variance: "
                                r"another operator is\s+needed\.\n"
                                r"  \| float distance = x\[j\] \+ mean;\nIt is about `\+`\. Read the line beside")
        self.assertNotIn(SIGN[0], place)
        self.assertIn("Again for the change.", place)
        self.assertIn("Hint 2 of 2 on your own row_variance:\n", change)
        self.assertIn(f"  | {SIGN[1]}\nwould be\n  | {SIGN[0]}\n", change)
        for tier, text in zip((1, 2, 3, 3), general):
            self.assertIn(f"Hint {tier} of 3 for row_variance:", text)

    def test_a_line_of_code_stays_one_where_it_fits(self):
        code = "rstd[r] = 1.0f / sqrtf(squares / (float)features + eps);"
        hints, words = "lessons/01_layer_norm.hints", "Words before it,\n   on two lines:"
        self.addCleanup(self.copy.write, hints, self.copy.read(hints))
        self.copy.write(hints, f"# row_mean\n1. a\n2. b\n3. {words}\n       {code}\n   and behind it.\n")
        self.copy.write(EXERCISE, self.copy.read("checker/lessons/01_layer_norm/stub.c"))
        said = [self.hint() for _ in range(3)][-1]
        self.assertIn(f"Words before it, on two lines:\n    {code}\nand behind it.\n", said)
        if not screen.TMUX:
            self.skipTest("tmux is missing")
        broken = "    rstd[r] = 1.0f / sqrtf(squares /\n      (float)features + eps);\n"
        for columns, shown in ((62, f"    {code}\n"), (40, broken)):
            window = screen.Screen(self.copy.path, "make -s hint LESSON=01", columns=columns)
            self.addCleanup(window.close)
            self.assertIn(shown, window.see("[ended"))

    def test_where_several_changes_would_do_only_the_place_is_told(self):
        self.slip(SQUARE)
        place = self.hint()
        self.assertIn("Hint 1 of 1 on your own row_variance:\n", place)
        self.assertIn("  | sum += distance;\n  | float distance = x[j] - mean;\nTo which power ", place)
        self.assertIn("Again for the hints of the lesson.", place)
        self.assertIn("Hint 1 of 3 for row_variance:", self.hint())

    def test_another_mistake_begins_anew_and_the_old_one_does_not(self):
        text = self.slip(SIGN)
        self.assertIn("Hint 1 of 2", self.hint())
        self.copy.write(EXERCISE, "/* a line more */\n" + text)
        self.assertIn("Hint 2 of 2", self.hint())
        self.assertIn("Hint 1 of 3 for row_variance", self.hint())
        self.slip(SQUARE)
        self.assertIn("Hint 1 of 1 on your own row_variance", self.hint())
        self.slip(SIGN)
        self.assertIn("Hint 1 of 2 on your own row_variance", self.hint())

    def test_a_named_step_has_hints_about_the_file_too(self):
        self.slip(SIGN)
        self.assertIn("Hint 1 of 2 on your own row_variance", self.hint(STEP="row_variance"))
        self.assertIn("Hint 1 of 3 for row_mean", self.hint(STEP="row_mean"))

    def test_a_named_mistake_without_a_line_is_told_again_and_where_it_is_explained(self):
        self.copy.write(EXERCISE, columns_for_rows())
        named = [check for check in self.report()["checks"] if check["when"]]
        self.assertTrue(named)
        self.assertIsNone(named[0]["fix"])
        shell = self.hint()
        self.assertIn(f"Hint 1 of 1 on your own {named[0]['step']}:", shell)
        flat = " ".join(shell.split())
        self.assertIn(f"Your numbers are those you get when {named[0]['when']}.", flat)
        self.assertIn("`make why` opens it.", flat)
        self.assertIn(f"Hint 1 of 3 for {named[0]['step']}:", self.hint())
        self.copy.run("rm -rf .workbook")
        prompt = self.copy.run(["build/workbook", "start"], stdin=None, input="hint\n").stdout
        self.assertIn("`why` opens it.", " ".join(prompt.split()))
        self.assertNotIn("make why", prompt)

    def test_without_a_line_first_the_output_then_the_kind_then_what_is_missing(self):
        lesson = "02_backward"  # x for xhat in three places, read in three ways: no one change mends them
        self.slip(("sum_g_xhat += g * xhat;", """if (j % 3 == 0)
                sum_g_xhat += g * x_row[j];
            else if (j % 3 == 1)
                sum_g_xhat += dy_row[j] * gamma[j] * x[r * features + j];
            else
                sum_g_xhat += gamma[j] * (dy_row[j] * *(x_row + j));"""), lesson=lesson)
        failed = next(check for check in self.report(lesson)["checks"] if check["when"])
        self.assertEqual((failed["mistake"], failed["quantity"], failed["fix"]), (None, "mean(g * xhat)", None))
        hints = [self.copy.make("hint", LESSON="02").stdout for _ in range(4)]
        for number, (hint, words) in enumerate(zip(hints, ("Look at mean(g * xhat):", f"In mean(g * xhat) {failed['slip']}.",
                                                           f"those you get when {failed['when']}.")), 1):
            self.assertIn(f"Hint {number} of 3 on your own layer_norm_backward:", hint)
            self.assertIn(words, " ".join(hint.split()))
        self.assertNotIn(failed["slip"], " ".join(hints[0].split()))
        self.assertNotIn(failed["when"], " ".join((hints[0] + hints[1]).split()))
        self.assertIn("Hint 1 of 3 for layer_norm_backward:", hints[3])

    def test_a_check_never_prints_the_change(self):
        for title, text in wrong_programs()[::3]:
            self.copy.write(EXERCISE, text)
            fix = next((check["fix"] for check in self.report()["checks"] if check["fix"]), None)
            shown = self.copy.make("check", LESSON="01").stdout
            for line in fix["lines"] if fix else ():
                with self.subTest(f"{title}: {line['after']}"):
                    self.assertIn(fix["code"], shown)
                    if line["after"] and line["after"] not in text:
                        self.assertNotIn(line["after"], shown)
        for form in ("tap", "junit"):
            self.slip(SIGN)
            self.assertNotIn(SIGN[0], self.copy.make("check", LESSON="01", FORMAT=form).stdout)

    def test_the_lines_that_are_shown_make_the_function_right(self):
        shown = 0
        for title, text in wrong_programs()[1::3]:
            self.copy.write(EXERCISE, text)
            report = self.report()
            check = next((check for check in report["checks"] if check["fix"] and check["fix"]["lines"]), None)
            if not check:
                continue
            shown += 1
            lines = text.split("\n")
            for line in check["fix"]["lines"]:
                self.assertEqual(lines[line["line"] - 1].strip(), line["before"])
                lines[line["line"] - 1] = line["after"]
            self.copy.write(EXERCISE, "\n".join(lines))
            with self.subTest(f"{title}: {check['fix']['lines']}"):
                for after in self.report()["checks"]:
                    if after["step"] == check["step"]:
                        self.assertEqual(after["status"], "passed")
        self.assertGreaterEqual(shown, 4)

    def test_a_half_written_file_gets_the_hints_of_the_lesson(self):
        for program in slips.half():
            if program.lesson == FIRST:
                with self.subTest(program.title):
                    self.copy.write(EXERCISE, program.text)
                    self.assertRegex(self.hint(), r"Hint 1 of (3 for|[123] on your own)")
                    self.copy.run("rm -rf .workbook")

    def test_what_is_remembered_of_them_may_be_missing_old_or_nonsense(self):
        self.slip(SIGN)
        self.hint()
        good = json.loads(self.copy.read(".workbook/progress.json"))
        own = good["lessons"][FIRST]["own"]
        self.assertEqual(own["row_variance"]["shown"], 1)
        for nonsense in (None, [], "text", 3, {"row_variance": 3}, {"row_variance": {"about": 1, "shown": 2}},
                         {"row_variance": {**own["row_variance"], "shown": "2"}},
                         {"row_variance": {**own["row_variance"], "shown": -1e300}}):
            with self.subTest(repr(nonsense)):
                good["lessons"][FIRST].update(own=nonsense, attempts=7)
                self.copy.write(".workbook/progress.json", json.dumps(good))
                self.assertIn("Hint 1 of 2 on", self.hint())
                self.assertIn("Hint 2 of 2 on", self.hint())
                self.assertEqual(json.loads(self.copy.read(".workbook/progress.json"))["lessons"][FIRST]["attempts"], 7)


def wrong_programs():
    return [(program.title, program.text) for program in slips.wrong(FIRST) if not program.larger]


def columns_for_rows():
    """Named, and no single change mends it."""
    lesson = lesson_files.Lesson(FIRST)
    return next(lesson.with_section(section) for section in lesson.sections("wrong", "mistake")
                if section.title == "statistics_per_feature")


if __name__ == "__main__":
    unittest.main()
