"""What instructors do: verify a set, hand in solutions of their own, grade a class, add a lesson.

Each test has a copy of the workbook of its own. A set is broken, one way at a time, through a lesson
that is built in a moment (small_lesson.py).
"""

import json
import os
import pathlib
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
import drivers
import lesson_files
import small_lesson as small
from workbook_copy import WorkbookCopy

ANSWER = small.FILES[small.SOLUTION].partition("{")[2].partition("\n}")[0].strip()
# What is broken: (the file, what in it, what stands there instead, what `make verify` says).
# A file without "what" is taken away.
BROKEN = {
    "a solution that is wrong":
        (small.SOLUTION, "features + j] - sum", "features + j] + sum",
         "its solution fails: center takes off the mean"),
    "a solution that does not compile":
        (small.SOLUTION, "float sum = 0;", "float sum = oops;",
         f"its solution does not compile:\n  | {small.SOLUTION}:7:"),
    "a solution with a warning":
        (small.SOLUTION, "float sum = 0;", "float sum = 0, other;", "its solution builds with warnings"),
    "a stub that passes":
        (small.STUB, "/* Your code here. */", ANSWER, "its stub passes a check as it is"),
    "a stub with a warning":
        (small.STUB, "/* Your code here. */", "int unused;", "its stub builds with warnings"),
    "a stub that does not compile":
        (small.STUB, "/* Your code here. */", "oops", "its stub does not compile"),
    "a stub without one of the functions":
        (small.STUB, "void center(", "void centre(", "center is not defined in build/verify/99_center.c"),
    "no stub": (small.STUB, None, None, f"{small.STUB} is missing"),
    "no exercise": (small.EXERCISE, None, None, f"{small.EXERCISE} is missing"),
    "no header": (small.HEADER, None, None, f"{small.HEADER} is missing"),
    "no solution": (small.SOLUTION, None, None, f"{small.SOLUTION} is missing"),
    "a broken promise of its checker": (small.HINTS, "3. y = x", "   y = x",
                                        "has 2 of the 3 hints for center"),
    "a checker that crashes":
        (small.LESSON, "int rows = size_of(c", "__builtin_abort();\n    int rows = size_of(c",
         "its checker crashed while it tested itself: Aborted"),
    "a solution that a crash keeps from being graded":
        (small.LESSON, "int rows = size_of(c", "__builtin_abort();\n    int rows = size_of(c",
         "its solution could not be graded"),
    "a function that the solution leaves as it is in the stub":
        (small.SOLUTION, "center(dx, dy, rows, features);", "/* Your code here, too. */",
         "its solution does not pass"),
    "a need that is no lesson": (small.LESSON, '.defaults = ""', '.needs = "01 42", .defaults = ""',
                                 '99_center: it needs a lesson "42", which is not there'),
    "a lesson that needs itself": (small.LESSON, '.defaults = ""', '.needs = "99", .defaults = ""',
                                   "99_center: what it needs needs it again"),
    "a stub that a crash keeps from being graded":
        (small.LESSON, "int rows = size_of(c", "__builtin_abort();\n    int rows = size_of(c",
         "its stub could not be graded"),
}

FORMULAS = """center  r: rows, j: features
    mean[r] = average over j of x[r, j]
    y[r, j] = x[r, j] - mean[r]

center_backward  r: rows, j: features
    mean[r]  = average over j of dy[r, j]
    dx[r, j] = dy[r, j] - mean[r]
"""


class Verify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.add_lesson(small.NAME, small.FILES)

    def test_a_lesson_that_is_whole_is_fit_to_hand_out(self):
        whole = self.copy.make("verify", LESSON="99")
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        self.assertIn("99_center is fit to hand out", whole.stdout)

    def broken(self, path, old, new, words):
        text = self.copy.read(path)
        try:
            if old is None:
                (self.copy.path / path).unlink()
            else:
                self.assertIn(old, text)
                self.copy.write(path, text.replace(old, new, 1))
            run = self.copy.make("verify", LESSON="99")
        finally:
            self.copy.write(path, text)
        self.assertIn(words, run.stdout + run.stderr)
        self.assertEqual(run.returncode, 2)

    def test_lessons_that_need_each_other_are_named(self):
        needs = "build/01_layer_norm/needs"
        kept = self.copy.read(needs)
        self.copy.write(needs, "99\n\n")
        self.broken(small.LESSON, '.defaults = ""', '.needs = "01", .defaults = ""',
                    "99_center: what it needs needs it again")
        self.copy.write(needs, kept)

    def verified_with(self, formulas):
        """What is said of 99_center with these; it has none of its own."""
        path = f"lessons/{small.NAME}.formulas"
        self.copy.write(path, formulas)
        run = self.copy.make("verify", LESSON="99")
        (self.copy.path / path).unlink()
        return run

    def test_formulas_that_give_the_oracles_numbers_are_counted(self):
        run = self.verified_with(FORMULAS)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("\n  2 formulas with the oracle's numbers\n", run.stdout)
        run = self.verified_with(FORMULAS.partition("\n\n")[0])
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("\n  1 formula with the oracle's numbers\n", run.stdout)

    def test_a_formula_that_gives_other_numbers_is_named(self):
        run = self.verified_with(FORMULAS.replace("dy[r, j] - mean[r]", "dy[r, j] + mean[r]"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("BROKEN 99_center: lessons/99_center.formulas: the formula of center_backward does not give the "
                      "oracle's dx[0][0]\n", run.stdout)
        self.assertIn("\n  1 formula with the oracle's numbers\n", run.stdout)
        self.assertIn("BROKEN lessons/99_center.formulas:7: dx of center_backward is not the derivative of center:\n",
                      run.stdout)

    def test_a_formula_that_is_none_is_refused_with_its_line(self):
        run = self.verified_with(FORMULAS.replace("dy[r, j] - mean[r]", "dy[r, j] - mean"))
        self.assertEqual(run.returncode, 2)
        self.assertIn('BROKEN lessons/99_center.formulas:7: expected "[", found the end of the line\n', run.stdout)

    def test_what_a_learner_wrote_does_not_matter(self):
        self.copy.write(small.EXERCISE, "this is not C")
        run = self.copy.make("verify", LESSON="99")
        self.copy.write(small.EXERCISE, self.copy.read(small.STUB))
        self.assertEqual(run.returncode, 0, run.stdout)


for broken_how, its_change in BROKEN.items():
    setattr(Verify, "test_" + re.sub(r"\W+", "_", broken_how.replace("'", "")),
            lambda self, change=its_change: self.broken(*change))


FOLDER = f"checker/lessons/{small.NAME}"
WRONG, RIGHT = f"{FOLDER}/wrong.txt", f"{FOLDER}/right.c"
PROGRAMS = {
    small.TEXT: """# Lesson 99: Centering

```c run
    float y[3], x[3] = {1, 2, 6};
    center(y, x, 1, 3);
    printf("%g %g %g\\n", y[0], y[1], y[2]);
```
```output
-2 -1 3
```
""",
    WRONG: """# not_divided
- - sum / (float)features
+ - sum

# first_row: of all of them
- sum += x[r * features + j]
+ sum += x[j]

# not_divided + first_row
- sum += x[r * features + j]
+ sum += x[j]
- - sum / (float)features
+ - sum

# nothing: it is added
from the back
- - mean
+ + mean
""",
    RIGHT: """/* ---- style: from the back ---- */
static float mean_of(const float *x, int n)
{
    float sum = 0;
    while (n--)
        sum += x[n];
    return sum;
}

void center(float *y, const float *x, int rows, int features)
{
    for (int i = 0; i < rows * features; i++) {
        float mean = mean_of(x + i / features * features, features) / (float)features;
        y[i] = x[i] - mean;
    }
}
""",
}
# The file, what in it, what stands there instead, what `make verify` says.
UNTRUE = {
    "an output that is not what the block prints":
        (small.TEXT, "-2 -1 3", "-2 -1 4", "run block 1 of its text does not print what stands behind it:\n"
         "    float y[3], x[3] = {1, 2, 6};\n  it prints\n    -2 -1 3\n  and behind it stands\n    -2 -1 4"),
    "a block that does not compile": (small.TEXT, "center(y, x", "centre(y, x", "implicit declaration of function"),
    "a block without its output": (small.TEXT, "```output", "```text", "no output follows"),
    "a change that does not fit the solution":
        (WRONG, "sum += x[r * features + j]", "sum += x[r + j]",
         "99_center/wrong.txt:5: its old text is 0 times in it: sum += x[r + j]"),
    "a change of a style that is not there":
        (WRONG, "from the back", "from the front", "0 styles begin with from the front"),
    "a mistake that is another one":
        (WRONG, "# not_divided\n", "# first_row\n", "first_row, a wrong one, is not graded so:\n"
         "    center takes off the mean: not_divided is named\n    y[0][0]: expected"),
    "a mistake that is none": (WRONG, "+ + mean", "+ - 1 * mean", "nothing, a wrong one, is not graded so:\n"
                               "    nothing fails, where it changes center"),
    "a right answer that is refused":
        (RIGHT, "return sum;", "return -sum;", "right.c:1: from the back, a right answer, is refused:\n"
         "    center takes off the mean: failed\n    y[0][0]: expected -2, got 4"),
    "a right answer that does not compile": (RIGHT, "return sum;", "return oops;", "right.c:7:12: error: 'oops' undeclared"),
}


class Programs(unittest.TestCase):
    """What a lesson's text, right.c and wrong.txt say their programs do."""

    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.add_lesson(small.NAME, {**small.FILES, **PROGRAMS})

    def verified(self, **env):
        return self.copy.make("verify", LESSON="99", env=env)

    def test_a_lesson_whose_programs_do_what_is_said_of_them_is_fit(self):
        """Its mistakes are all in wrong.txt: there is no wrong.c."""
        run = self.verified()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("\n  1 run blocks, 1 right answers and 4 wrong ones were looked at\n", run.stdout)
        self.assertNotIn("it lacks", run.stdout)
        self.assertTrue(run.stdout.endswith("99_center is fit to hand out\n"), run.stdout)

    def test_what_is_wrong_in_a_function_that_programs_leave_alone_is_said_of_the_solution_alone(self):
        text = self.copy.read(small.SOLUTION)
        self.copy.write(small.SOLUTION, text.replace("(dx, dy, rows, features);", "(dx, dy, rows, features);\n    *dx += 1;"))
        run = self.verified()
        self.copy.write(small.SOLUTION, text)
        self.assertIn("99_center: its solution fails: center_backward", run.stdout)
        self.assertIn("\n  1 run blocks, 1 right answers and 4 wrong ones were looked at\n", run.stdout)
        self.assertNotIn("BROKEN", run.stdout)

    def test_it_says_what_took_its_time_and_on_a_terminal_what_it_is_doing(self):
        self.assertRegex(self.verified().stdout, r"\n  \d+\.\d s of processor time: its solution \d+\.\d, its stub \d+\.\d, "
                         r"its self-test \d+\.\d, its programs \d+\.\d\n")
        shown = drivers.in_terminal(["make", "-s", "-C", str(self.copy.path), "verify", "LESSON=99"],
                                    {**os.environ, "LC_ALL": "C", "NO_COLOR": "1"}).decode()
        self.assertRegex(shown, r"\[#+\.+\]  75 % 99_center: its programs\r +\r  1 run blocks")
        self.assertRegex(shown, r"\nok +99_center is fit to hand out\s+$")

    def test_wrong_programs_that_stand_in_wrong_c_alone_are_not_lacking(self):
        text = PROGRAMS[WRONG]
        (self.copy.path / WRONG).unlink()
        self.assertIn(f"it lacks, what is worth most first: {WRONG}\n", self.verified().stdout)
        self.copy.write(f"{FOLDER}/wrong.c", "/* ---- mistake: not_divided ---- */\n" +
                        re.search(r"void center\(.*?^}\n", small.FILES[small.SOLUTION], re.S | re.M)[0]
                        .replace("- sum / (float)features", "- sum"))
        run = self.verified()
        (self.copy.path / FOLDER / "wrong.c").unlink()
        self.copy.write(WRONG, text)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("1 wrong ones were looked at; no wrong one makes first_row\n", run.stdout)
        self.assertNotIn("it lacks", run.stdout)

    def without_python(self):
        """A folder with all that is on the way of programs but python3."""
        folder = self.copy.path / "without python"
        folder.mkdir()
        for path in (path for way in ("/bin", "/usr/bin", "/usr/local/bin") for path in pathlib.Path(way).glob("*")):
            if not path.name.startswith("python") and not (folder / path.name).is_symlink():
                (folder / path.name).symlink_to(path)
        return str(folder)

    def test_without_python_it_is_said_what_was_not_looked_at(self):
        run = self.verified(PATH=self.without_python())
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("run blocks", run.stdout)
        self.assertIn("99_center is fit to hand out, but for the code in its text, right.c, wrong.txt and wrong.c, "
                      "which were not looked at: there is no python3 of 3.8 or later\n", run.stdout)

    def untrue(self, path, old, new, words):
        text = self.copy.read(path)
        self.assertIn(old, text)
        self.copy.write(path, text.replace(old, new, 1))
        run = self.verified()
        self.copy.write(path, text)
        self.assertIn(words, run.stdout)
        self.assertIn("99_center: its programs do not do what is said of them (see above)", run.stdout)
        self.assertNotIn("fit to hand out", run.stdout)
        self.assertEqual(run.returncode, 2)


for untrue_how, its_change in UNTRUE.items():
    setattr(Programs, "test_" + re.sub(r"\W+", "_", untrue_how),
            lambda self, change=its_change: self.untrue(*change))


class Broken(unittest.TestCase):
    """A lesson that is not fit to hand out, before anybody verified it."""

    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.add_lesson(small.NAME, small.FILES)

    def test_a_lesson_that_knows_no_mistakes_still_grades(self):
        self.copy.write(small.LESSON, small.FILES[small.LESSON].replace("checks, mistakes,", "checks, NULL,")
                        .replace("static const Mistake mistakes", "extern const Mistake mistakes[];\n"
                                 "const Mistake mistakes"))
        self.copy.write("wrong.c", small.FILES[small.SOLUTION].replace("features + j] - sum",
                                                                       "features + j] + sum"))
        run = self.copy.make("check", LESSON="99", IMPL="wrong.c", FORMAT="json")
        checks = json.loads(run.stdout)["lessons"][0]["checks"]
        self.assertEqual([check["status"] for check in checks],
                         ["failed", "not reached", "failed", "not reached"])
        self.assertEqual(checks[0]["mistake"], None)
        self.assertIn("expected -2, got", checks[0]["details"][0])
        tested = self.copy.run(["build/99_center/check", "--self-test"])
        self.assertIn("it lacks, what is worth most first: mistakes", tested.stdout)

    def test_a_checker_that_dies_counts_against_its_lesson_and_is_named(self):
        self.copy.write(small.LESSON, small.FILES[small.LESSON].replace(
            "int rows = size_of(c", "__builtin_abort();\n    int rows = size_of(c"))
        run = self.copy.make("check-all", IMPL="solutions")
        self.assertEqual(run.returncode, 2)
        self.assertIn("99_center: its checker gave no report", run.stderr)
        lessons = len(list((self.copy.path / "checker" / "lessons").glob("[0-9]*_*")))
        self.assertIn(f"{lessons - 1} of {lessons} lessons passed", run.stdout)

    def test_a_checker_that_is_killed_behind_its_whole_report_counts_against_its_lesson(self):
        checker = self.copy.path / "build" / "03_rms_norm" / "check"
        checker.rename(checker.with_name("real"))
        checker.write_text('#!/bin/sh\n"${0%/*}/real" "$@"\nkill -9 $$\n')
        checker.chmod(0o755)
        try:
            run = self.copy.make("check-all", IMPL="solutions", LESSONS="01 03")
        finally:
            checker.with_name("real").replace(checker)
        self.assertEqual(run.returncode, 2)
        self.assertIn("03_rms_norm: its checker gave no report, or did not come to its end", run.stderr)
        self.assertIn("1 of 2 lessons passed", run.stdout)

    def test_an_error_of_the_author_names_the_lesson(self):
        self.copy.write(small.LESSON, small.FILES[small.LESSON].replace('"features")', '"feature")'))
        run = self.copy.make("check", LESSON="99", IMPL="solutions")
        self.assertEqual(run.returncode, 2)
        self.assertIn("checker/lessons/99_center: this lesson's checks are wrong: center has no int called "
                      '"feature"', run.stderr)


class Set(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())

    def test_a_set_is_verified_lesson_by_lesson(self):
        """Of three of its lessons. What is verified of each of them all is asked in test_lessons.py, where
        the self-tests, which take seconds, are run once."""
        kept = ("01_layer_norm", "08_shapes", "16_sparse")  # what these need is there
        parts = [path for folder in ("exercises", "solutions", "include", "lessons", "checker/lessons")
                 for path in (self.copy.path / folder).glob("[0-9]*_*")]
        self.assertEqual({path.name.split(".")[0] for path in parts}, set(lesson_files.names()))
        for path in parts:
            if not path.name.startswith(kept):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        run = self.copy.make("verify")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(tuple(re.findall(r"(\w+) is fit to hand out", run.stdout)), kept)

    def test_a_part_of_no_lesson_is_named(self):
        for folder in (self.copy.path / "checker" / "lessons").glob("[0-9]*_*"):
            (folder / "lesson.c").unlink()  # or verifying all of them would take its time
        self.copy.add_lesson(small.NAME, small.FILES)
        (self.copy.path / small.LESSON).rename(self.copy.path / "kept")
        self.copy.write("lessons/98_lost.md", "")
        run = self.copy.make("verify")
        self.assertEqual(run.returncode, 2)
        for path in (small.SOLUTION, "checker/lessons/99_center", "lessons/98_lost.md"):
            self.assertRegex(run.stdout, rf"{path}: it is part of no lesson: checker/lessons/\w+/lesson.c is")

    def test_a_whole_set_of_solutions_is_graded_from_a_folder(self):
        for path in (self.copy.path / "solutions").glob("*.c"):
            self.copy.write(f"my set/{path.name}", path.read_text())
        run = self.copy.make("check-all", IMPL="my set", FORMAT="json")
        self.assertEqual(run.returncode, 0, run.stdout)
        lessons = json.loads(run.stdout)["lessons"]
        self.assertEqual({lesson["source"].split("/")[0] for lesson in lessons}, {"my set"})
        wrong = self.copy.read("solutions/03_rms_norm.c").replace("/ (float)features", "", 1)
        self.copy.write("my set/03_rms_norm.c", wrong)
        run = self.copy.make("check-all", IMPL="my set", FORMAT="json")
        self.assertNotEqual(run.returncode, 0)
        failed = [lesson["lesson"] for lesson in json.loads(run.stdout)["lessons"] if lesson["failed"]]
        self.assertEqual(failed, ["03_rms_norm"])

    def test_a_class_is_graded_by_a_loop_of_the_shell(self):
        solution = self.copy.read("solutions/01_layer_norm.c")
        self.copy.write("class/ada.c", solution)
        self.copy.write("class/bob.c", solution.replace("sum += x[j]", "sum += x[j"))
        self.copy.write("class/cyd o'x.c", solution.replace("return sum / (float)features",
                                                            "return sum", 1))
        self.copy.write("class/dan.c", "void layer_norm(void) { for (;;); }")
        self.copy.write("class/eve.c", '#include "../solutions/01_layer_norm.c"')
        run = self.copy.run('for file in class/*.c; do make -s check LESSON=01 IMPL="$file" '
                            'FORMAT=json SEED=7 LIMIT=0.5 >"$file.json" 2>/dev/null; '
                            'echo "$? $file"; done')
        self.assertEqual(run.stdout, "0 class/ada.c\n2 class/bob.c\n2 class/cyd o'x.c\n"
                                     "2 class/dan.c\n2 class/eve.c\n")
        ada, bob, cyd, dan, eve = (json.loads(self.copy.read(f"class/{name}.c.json"))["lessons"][0]
                                   for name in ("ada", "bob", "cyd o'x", "dan", "eve"))
        self.assertEqual((ada["passed"], ada["failed"], ada["seed"]), (len(ada["checks"]), 0, "7"))
        self.assertIn("class/bob.c:", bob["build_error"])
        self.assertEqual({c["mistake"] for c in cyd["checks"] if c["status"] == "failed"},
                         {"sum_not_divided"})
        self.assertEqual((dan["passed"], eve["passed"]), (0, 0))
        self.assertTrue(dan["build_error"] and eve["build_error"])
        self.assertFalse((self.copy.path / ".workbook").exists())


class NewLesson(unittest.TestCase):
    """Lesson 01's files under another name, with other functions, of which one has another formula, and its
    mistakes with it: everything that layer norm gives, with the other sign. What its text prints, and its right
    and wrong programs, would have the same: it does without."""

    NAME = "77_mirrored_norm"
    CHANGES = [(r"01_layer_norm", NAME), (r"01_LAYER_NORM", NAME.upper()), (r"Lesson 01", "Lesson 77"),
               (r"Layer Normalization", "Mirrored Normalization"),
               (r"(?<!F\.)\blayer_norm\b", "mirrored_norm"),
               (r"\brow_(mean|variance)", r"line_\1"),
               (r"out\[j\] = (.*);", r"out[j] = -(\1);"),
               (r'\{"y": y\}', '{"y": -y}'),
               (r"(\by\[r, j\] +=) (.*)", r"\1 -(\2)"),
               ("```c run", "```c"), ("```plot", "```text")]

    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        if cls.copy.run(["/usr/bin/python3", "-c", "import torch"]).returncode:
            raise unittest.SkipTest("there is no PyTorch here: apt install python3-torch")
        cls.before = cls.contents()
        changed = {old: 0 for old, _ in cls.CHANGES}
        for path in cls.before:
            if "01_layer_norm" in path and "exercises" not in path and \
                    pathlib.Path(path).name not in ("right.c", "wrong.c", "wrong.txt"):
                text = cls.copy.read(path)
                for old, new in cls.CHANGES:
                    text, count = re.subn(old, new, text)
                    changed[old] += count
                cls.copy.write(path.replace("01_layer_norm", cls.NAME), text)
        assert all(changed.values()), changed
        cls.copy.write(f"exercises/{cls.NAME}.c",
                       cls.copy.read(f"checker/lessons/{cls.NAME}/stub.c"))
        made = cls.copy.run(["/usr/bin/python3", "checker/vectors.py", cls.NAME])
        if made.returncode:
            raise AssertionError(made.stdout + made.stderr)

    @classmethod
    def contents(cls):
        return {str(path.relative_to(cls.copy.path)): path.read_bytes()
                for folder in ("exercises", "solutions", "include", "lessons", "checker")
                for path in (cls.copy.path / folder).rglob("*") if path.is_file()}

    def test_it_is_built_and_listed_and_no_other_file_is_edited(self):
        self.assertRegex(self.copy.make("lessons").stdout, r"77 +Mirrored Normalization +ready")
        table = self.copy.make("check-all", IMPL="solutions").stdout
        self.assertRegex(table, r"(?m)77 +Mirrored Normalization +9/9$")
        count = len(lesson_files.names()) + 1
        self.assertIn(f"{count} of {count} lessons passed", table)
        after = self.contents()
        self.assertEqual({path: after[path] for path in self.before}, self.before)

    def test_it_is_graded_and_its_mistakes_are_named(self):
        stub = self.copy.make("check", LESSON="77")
        self.assertIn("still the stub that was handed out", stub.stdout)
        self.assertIn(f"lessons/{self.NAME}.md", stub.stdout)
        solution = self.copy.read(f"solutions/{self.NAME}.c")
        self.copy.write("old.c", solution.replace("out[j] = -(", "out[j] = ("))
        self.copy.write("wrong.c", solution.replace(" + beta[j]", ""))
        old = self.checks("old.c")
        self.assertEqual(old["mirrored_norm"][:2], ("failed", None))
        self.assertEqual(old["line_mean"][0], "passed")
        self.assertEqual(self.checks("wrong.c")["mirrored_norm"], ("failed", "beta_missing"))
        solved = self.copy.make("check", LESSON="mirrored_norm", IMPL="solutions")
        self.assertEqual(solved.returncode, 0, solved.stdout)

    def checks(self, source):
        """{step: (status, mistake)} of each step's first check."""
        run = self.copy.make("check", LESSON="77", IMPL=source, FORMAT="json")
        return {check["step"]: (check["status"], check["mistake"])
                for check in reversed(json.loads(run.stdout)["lessons"][0]["checks"])}

    def test_it_has_hints_and_can_be_reset_and_tried(self):
        self.assertIn("Hint 1 of 3 for line_mean", self.copy.make("hint", LESSON="77").stdout)
        exercise = f"exercises/{self.NAME}.c"
        stub = self.copy.read(exercise)
        self.copy.write(exercise, "mine")
        self.assertEqual(self.copy.make("reset", LESSON="77").returncode, 0)
        self.assertEqual(self.copy.read(exercise), stub)
        (self.copy.path / exercise).unlink()
        self.assertEqual(self.copy.make("reset", LESSON="77").returncode, 0)
        self.assertEqual(self.copy.read(exercise), stub)
        tried = self.copy.run([f"build/{self.NAME}/check", "--impl", f"solutions/{self.NAME}.c",
                               "--try", "10 50 20 beta=1"])
        self.assertRegex(tried.stdout, r"(?m)^ +mean +yours .* 26\.6667$")
        self.assertRegex(tried.stdout, r"y +yours .* -0\.0194193 +-2\.37281 +-0\.607768")

    def test_it_is_verified_and_its_vectors_are_what_pytorch_gives(self):
        run = self.copy.make("verify", LESSON="77")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        again = self.copy.run(["/usr/bin/python3", "checker/vectors.py", "--check", self.NAME])
        self.assertEqual(again.returncode, 0, again.stdout)

    def test_what_does_not_compile_in_it_is_named_with_its_line(self):
        path = f"checker/lessons/{self.NAME}/lesson.c"
        text = self.copy.read(path)
        self.copy.write(path, text + "int broken = ;\n")
        run = self.copy.make("check", LESSON="01")
        self.copy.write(path, text)
        self.assertEqual(run.returncode, 2)
        self.assertIn(f"{path}:{text.count(chr(10)) + 1}:", run.stderr.split(" error: ")[0])


if __name__ == "__main__":
    unittest.main()
