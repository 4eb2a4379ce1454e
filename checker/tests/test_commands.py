"""The commands that a learner types, each run as typed, in a copy of the workbook."""

import datetime
import json
import re
import shutil
import subprocess
import unittest

import lesson_files
from workbook_copy import WorkbookCopy

STUB_WORDS = "still the stub that was handed out"


class Commands(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())

    def report(self, run):
        return json.loads(run.stdout)

    def test_make_alone_lists_the_commands_and_builds_nothing(self):
        shutil.rmtree(self.copy.path / "build")
        run = self.copy.run(["make"])
        self.assertEqual(run.returncode, 0, run.stderr)
        for command in ("make check", "make hint", "make check-all", "make reset", "make debug"):
            self.assertIn(command, run.stdout)
        self.assertFalse((self.copy.path / "build").exists())
        for target in re.findall(r"^make ([a-z_.-]+)", run.stdout, re.MULTILINE):
            known = self.copy.run(["make", "-n", target])
            self.assertNotIn("No rule to make target", known.stderr, target)

    def test_an_untouched_stub_says_so_and_points_at_the_text(self):
        run = self.copy.make("check")
        self.assertIn(STUB_WORDS, run.stdout)
        self.assertIn("lessons/01_layer_norm.md", run.stdout)
        self.assertNotEqual(run.returncode, 0)
        self.assertLess(run.stdout.count("\n"), 8)

    def test_check_grades_the_first_lesson_that_is_not_passed(self):
        self.copy.solve("01_layer_norm")
        self.assertEqual(self.copy.make("check").returncode, 0)
        self.assertIn("02_backward", self.copy.make("check").stdout)
        self.copy.solve("02_backward")
        self.assertEqual(self.copy.make("check").returncode, 0)
        self.assertIn("03_rms_norm", self.copy.make("check").stdout)

    def test_a_lesson_goes_by_its_number_and_by_its_name(self):
        for name in ("1", "01", "layer_norm", "01_layer_norm"):
            with self.subTest(name):
                run = self.copy.make("check", LESSON=name, IMPL="solutions", FORMAT="json")
                self.assertEqual(self.report(run)["lessons"][0]["lesson"], "01_layer_norm")
        run = self.copy.make("check", LESSON="77")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn('no lesson "77"', run.stderr)
        self.assertIn("05_batch_norm", run.stderr)

    def test_step_narrows_to_one_function(self):
        run = self.copy.make("check", LESSON="03", STEP="rms_norm_backward", IMPL="solutions",
                             FORMAT="json")
        checks = self.report(run)["lessons"][0]["checks"]
        self.assertEqual({check["step"] for check in checks}, {"rms_norm_backward"})
        run = self.copy.make("check", LESSON="03", STEP="no_such", IMPL="solutions")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("rms_norm, rms_norm_backward", run.stderr)

    def test_step_alone_finds_its_lesson(self):
        run = self.copy.make("check", STEP="rms_norm_backward", IMPL="solutions", FORMAT="json")
        self.assertEqual(self.report(run)["lessons"][0]["lesson"], "03_rms_norm")
        run = self.copy.make("check", STEP="no_such")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn('No lesson has a function "no_such"', run.stderr)

    def test_a_lesson_that_was_passed_and_fails_now_is_the_one_to_go_on_with(self):
        for lesson in ("01_layer_norm", "02_backward"):
            self.copy.solve(lesson)
            self.assertEqual(self.copy.make("check", LESSON=lesson).returncode, 0)
        self.copy.write("exercises/01_layer_norm.c", self.copy.read(
            "solutions/01_layer_norm.c").replace("distance * distance", "distance"))
        self.copy.make("check", LESSON="01")
        lines = self.copy.make("lessons").stdout
        self.assertRegex(lines, r"➖ 01  Layer Normalization\n +passed \d{4}-\d\d-\d\d, now 2 of 9 checks "
                                r"pass, and you are here\n")
        self.assertLessEqual(max(map(len, lines.splitlines())), 80)
        self.assertIn("01_layer_norm", self.copy.make("check").stdout)

    def test_a_function_that_was_not_written_yet_is_no_failure(self):
        stub = self.copy.read("exercises/01_layer_norm.c")
        self.copy.write("exercises/01_layer_norm.c", stub.replace(
            "    return 0.0f;", "    float sum = 0;\n    for (int j = 0; j < features; j++)\n"
            "        sum += x[j];\n    return sum / features;", 1))
        run = self.copy.make("check", LESSON="01")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("2 passed, 0 failed, 7 not reached", run.stdout)
        self.assertEqual(run.stdout.count("not written yet"), 2)

    def test_a_sum_that_was_never_set_to_zero_fails_every_time(self):
        self.copy.write("exercises/01_layer_norm.c", self.copy.read(
            "solutions/01_layer_norm.c").replace("float sum = 0.0f;", "float sum;", 1))
        run = self.copy.make("check", LESSON="01", STEP="row_mean")
        self.assertIn("0 passed, 1 failed", run.stdout)
        self.assertIn("uninitialized", run.stdout)

    def test_impl_takes_a_folder_or_a_file_of_any_name(self):
        self.copy.write("elsewhere/my own code.c", self.copy.read("solutions/01_layer_norm.c"))
        for impl in ("solutions", "solutions/", "elsewhere/my own code.c",
                     self.copy.path / "elsewhere" / "my own code.c"):
            with self.subTest(impl):
                self.assertEqual(self.copy.make("check", LESSON="1", IMPL=impl).returncode, 0)
        run = self.copy.make("check", LESSON="1", IMPL="nowhere.c")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("nowhere.c", run.stdout + run.stderr)

    def test_a_run_with_impl_or_step_leaves_no_trace_in_the_progress(self):
        self.copy.make("check", LESSON="1", IMPL="solutions")
        self.copy.solve("01_layer_norm")
        self.copy.make("check", LESSON="1", STEP="row_mean")
        self.assertFalse((self.copy.path / ".workbook" / "progress.json").exists())
        self.copy.make("check", LESSON="1")
        self.assertTrue((self.copy.path / ".workbook" / "progress.json").exists())

    def test_the_same_seed_gives_the_same_run(self):
        wrong = self.copy.read("solutions/01_layer_norm.c").replace("sum += x[j]", "sum += x[0]")
        self.copy.write("w.c", wrong)
        runs = [self.report(self.copy.make("check", LESSON="1", IMPL="w.c", FORMAT="json", SEED=seed))
                for seed in (5, 5, 6)]
        got = [[(c["name"], c["expected"], c["got"]) for c in run["lessons"][0]["checks"]]
               for run in runs]
        self.assertEqual(got[0], got[1])
        self.assertEqual(runs[0]["lessons"][0]["seed"], "5")
        largest = str(2**64 - 1)
        run = self.copy.make("check", LESSON="1", IMPL="solutions", FORMAT="json", SEED=largest)
        self.assertEqual(self.report(run)["lessons"][0]["seed"], largest)

    def test_a_bad_value_is_named_with_what_was_expected(self):
        for variables, words in (({"SEED": "x"}, "SEED is a whole number"),
                                 ({"SEED": "-1"}, "SEED is a whole number"),
                                 ({"SEED": str(2**64)}, "SEED is a whole number"),
                                 ({"LIMIT": "0"}, "LIMIT is a number of seconds"),
                                 ({"LIMIT": "soon"}, "LIMIT is a number of seconds"),
                                 ({"FORMAT": "xml"}, "FORMAT is human, json, tap, junit, gradescope")):
            with self.subTest(variables):
                run = self.copy.make("check", LESSON="1", IMPL="solutions", **variables)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(words, run.stderr)
        self.assertNotEqual(self.copy.make("check-all", FORMAT="xml").returncode, 0)

    def test_check_all_is_a_table_and_one_document(self):
        table = self.copy.make("check-all", IMPL="solutions")
        self.assertEqual(table.returncode, 0, table.stdout)
        self.assertIn(lesson_files.all_passed(), table.stdout)
        document = self.report(self.copy.make("check-all", IMPL="solutions", FORMAT="json"))
        self.assertEqual(len(document["lessons"]), len(lesson_files.names()))
        self.assertEqual(document["failed"], 0)
        tap = self.copy.make("check-all", IMPL="solutions", FORMAT="tap").stdout
        self.assertIn(f"1..{len(lesson_files.names())}\n", tap)
        self.assertEqual(tap.count("\n    ok "), document["passed"])
        untouched = self.copy.make("check-all")
        self.assertNotEqual(untouched.returncode, 0)
        self.assertEqual(untouched.stdout.count("not begun"), len(lesson_files.names()))

    def test_reset_keeps_a_dated_copy_and_needs_no_git(self):
        self.assertFalse((self.copy.path / ".git").exists())
        self.copy.write("exercises/01_layer_norm.c", "my work\n")
        run = self.copy.make("reset", LESSON="01")
        self.assertEqual(run.returncode, 0, run.stderr)
        kept = re.search(r"\.workbook/backup/01_layer_norm\.\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.c",
                         run.stdout).group(0)
        self.assertEqual(self.copy.read(kept), "my work\n")
        self.assertIn(STUB_WORDS, self.copy.make("check", LESSON="01").stdout)
        self.assertIn("is the stub already", self.copy.make("reset", LESSON="01").stdout)
        self.copy.write("exercises/01_layer_norm.c", "other work\n")
        self.copy.make("reset", LESSON="01")
        backups = list((self.copy.path / ".workbook" / "backup").iterdir())
        self.assertEqual({path.read_text() for path in backups}, {"my work\n", "other work\n"})
        self.assertIn("make reset LESSON=01", self.copy.make("reset").stderr)

    def test_reset_keeps_every_copy_of_one_second(self):
        now = datetime.datetime.now()
        names = [(now + datetime.timedelta(seconds=i)).strftime("%Y-%m-%d_%H-%M-%S")
                 for i in range(600)]
        for name in names:
            self.copy.write(f".workbook/backup/01_layer_norm.{name}.c", "older work\n")
        self.copy.write("exercises/01_layer_norm.c", "my work\n")
        self.assertIn("is kept as", self.copy.make("reset", LESSON="01").stdout)
        texts = [path.read_text() for path in (self.copy.path / ".workbook" / "backup").iterdir()]
        self.assertEqual(sorted(texts), ["my work\n"] + ["older work\n"] * len(names))

    def test_reset_loses_nothing_when_no_copy_can_be_kept(self):
        self.copy.write("exercises/01_layer_norm.c", "my work\n")
        self.copy.write(".workbook", "a file in the way")
        run = self.copy.make("reset", LESSON="01")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("was left alone", run.stderr)
        self.assertEqual(self.copy.read("exercises/01_layer_norm.c"), "my work\n")

    def test_hints_go_from_a_nudge_to_nearly_the_line(self):
        seen = [self.copy.make("hint", LESSON="01").stdout for _ in range(4)]
        for tier, text in enumerate(seen[:3], 1):
            self.assertIn(f"Hint {tier} of 3 for row_mean", text)
        self.assertIn("Hint 3 of 3", seen[3])
        self.assertEqual(len(set(seen[:3])), 3)
        self.copy.write("exercises/01_layer_norm.c", self.copy.read(
            "solutions/01_layer_norm.c").replace("distance * distance", "distance"))
        self.assertIn("on your own row_variance", self.copy.make("hint", LESSON="01").stdout)
        self.assertIn("for row_variance", self.copy.make("hint", LESSON="01").stdout)
        self.copy.solve("01_layer_norm")
        self.assertIn("nothing to hint at", self.copy.make("hint", LESSON="01").stdout)

    def test_clean_never_touches_what_the_learner_made(self):
        self.copy.write("exercises/01_layer_norm.c", "my work\n")
        self.copy.write(".workbook/progress.json", "{}")
        self.copy.write("build/deps/mnist/images", "fetched\n")
        self.assertEqual(self.copy.make("clean").returncode, 0)
        self.assertEqual(self.copy.read("build/deps/mnist/images"), "fetched\n")
        self.assertEqual({path.name for path in (self.copy.path / "build").iterdir()} - {"lock"},
                         {"deps"})
        self.assertEqual(self.copy.read("exercises/01_layer_norm.c"), "my work\n")
        self.assertEqual(self.copy.read(".workbook/progress.json"), "{}")

    def test_compile_commands_name_every_exercise(self):
        run = self.copy.make("compile_commands.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        commands = json.loads(self.copy.read("compile_commands.json"))
        self.assertEqual(len(commands), len(list((self.copy.path / "exercises").glob("*.c"))))
        for entry in commands:
            built = subprocess.run([*entry["arguments"], "-o", "/dev/null"], check=False,
                                   cwd=entry["directory"], capture_output=True)
            self.assertEqual(built.returncode, 0, built.stderr)

    def test_the_compilers_first_error_in_the_learners_file_comes_first(self):
        self.copy.write("exercises/01_layer_norm.c",
                        self.copy.read("solutions/01_layer_norm.c").replace("sum +=", "sun +=", 1))
        out = self.copy.make("check", LESSON="01").stdout
        first = next(line for line in out.splitlines()[1:] if line.strip())
        self.assertRegex(first, r"^exercises/01_layer_norm\.c:\d+:\d+: error: the compiler says:$")
        self.assertRegex(out, re.escape(first.removesuffix("the compiler says:")).join(["\n  \\| ", ".*sun"]))
        self.assertIn("no check was run", out)

    def test_one_mistake_makes_one_complaint(self):
        self.copy.write("exercises/01_layer_norm.c", self.copy.read("solutions/01_layer_norm.c")
                        .replace("return sum / (float)features;", "return sum / (float)(features - 1);"))
        run = self.copy.make("check", LESSON="01", FORMAT="json")
        checks = self.report(run)["lessons"][0]["checks"]
        failed = [check for check in checks if check["status"] == "failed"]
        self.assertEqual([check["step"] for check in failed],
                         ["row_mean", "row_variance", "layer_norm"])
        self.assertEqual([check["mistake"] for check in failed],
                         ["mean_by_n_minus_1", "n_minus_1", "mean_by_n_minus_1 and n_minus_1"])
        out = self.copy.make("check", LESSON="01").stdout
        self.assertIn("The same as above:", out)

    def test_a_full_disk_or_a_closed_output_is_no_success(self):
        for sink in ("/dev/full", "&-"):
            with self.subTest(sink):
                run = self.copy.run(f"make -s check LESSON=01 IMPL=solutions >{sink}")
                self.assertNotEqual(run.returncode, 0)
                self.assertIn("could not be written", run.stderr)

    def test_plain_locales_get_ascii_and_files_get_no_colour(self):
        for locale in ("C", "POSIX"):
            run = self.copy.make("check-all", env={"LC_ALL": locale, "NO_COLOR": ""})
            self.assertTrue(run.stdout.isascii(), run.stdout)
            self.assertNotIn("\033", run.stdout)

    def test_debug_stops_where_the_failing_call_begins(self):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed")
        self.copy.write("exercises/01_layer_norm.c", self.copy.read("solutions/01_layer_norm.c")
                        .replace("sum += distance * distance", "sum += distance"))
        run = self.copy.run("printf 'info args\\nprint x[1]\\nbt\\nkill\\nquit\\n' | make -s debug LESSON=01",
                            stdin=None)
        self.assertIn("row_variance (x=", run.stdout)
        self.assertIn("features = 3", run.stdout)
        self.assertRegex(run.stdout, r"\$1 = \d+")


if __name__ == "__main__":
    unittest.main()
