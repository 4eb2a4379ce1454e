"""The build: with gcc and clang, with and without sanitizers, in folders of any name; what a failed
set-up says; and that nothing is built twice, or not again when it has to be.

Every build is a copy's own. This compiler is the one that the checkout was built with; the other is
clang for gcc, and gcc for clang.
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import hostile
import lesson_files
import trees
from hostile_entry import Entry
from test_runner import grade, of_step
from workbook_copy import WorkbookCopy

VERDICTS = ("read_past_end", "write_past_end", "null", "abort", "spin")
WRONG = Entry("wrong_number", "y[0][0]: expected", "RIGHT;\ny[0] += 1;")
SOME_LESSONS = ("01", "02", "05", "06")
EVERYTHING = ["build/workbook", "build/worker", "build/05_batch_norm/lab", "build/tests/unit_engine"]


class Matrix(unittest.TestCase):
    """Our own code is built with -Wall -Wextra -Wpedantic -Werror, so a warning fails these too."""

    @classmethod
    def setUpClass(cls):
        cls.copies = {}

    def copy_for(self, compiler, sanitize):
        """One for each compiler. Without sanitizers, or else with them, only what differs is compiled."""
        if compiler in self.copies or compiler == trees.setting("LEARNER_CC"):
            copy = self.copies.get(compiler) or self.enterClassContext(WorkbookCopy("it's ours"))
            trees.without_compiling_the_same_again(copy.path, compiler, sanitize)
        else:
            copy = self.enterClassContext(WorkbookCopy("it's the other's"))
        self.copies[compiler] = copy
        return copy

    def build_and_grade(self, compiler, sanitize):
        if not compiler:
            self.skipTest("there is no second compiler here")
        copy = self.copy_for(compiler, sanitize)
        settings = [f"CC={compiler}", f"SANITIZE={sanitize}"]
        # What differs elsewhere is the same in every lesson; test_macos compiles all of them with clang.
        here = compiler == trees.setting("LEARNER_CC") and sanitize == "yes"
        if not here:
            copy.keep_lessons(*SOME_LESSONS)
        done = copy.run(["make", "-s", "-j4", *settings, *EVERYTHING, "check-all",
                         "IMPL=solutions", "FORMAT=json"], timeout=1800)
        self.assertEqual(done.returncode, 0, done.stderr)
        lessons = json.loads(done.stdout)["lessons"]
        self.assertEqual(len(lessons), len(lesson_files.names() if here else SOME_LESSONS))
        self.assertEqual([lesson["failed"] + lesson["not_reached"] for lesson in lessons],
                         [0] * len(lessons))
        sanitized = trees.is_sanitized(copy.path)
        self.assertTrue(sanitize == "yes" or not sanitized)
        for entry in [*(e for e in hostile.entries() if e.name in VERDICTS), WRONG]:
            with self.subTest(entry.name):
                self.judge(copy, entry, sanitized)
        before = times_in(copy.path / "build")
        again = copy.run(["make", "-j4", *settings, "check", "LESSON=02", "IMPL=solutions"])
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(times_in(copy.path / "build"), before)

    def judge(self, copy, entry, sanitized):
        copy.write(f"build/tests/{entry.name}.c", entry.code())
        report = grade(copy.path, f"build/tests/{entry.name}.c", entry.limit)
        said = of_step(report, "layer_norm")["details"]
        self.assertIn(entry.words if sanitized or entry.plain is None else entry.plain,
                      " ".join(said))

    def test_this_compiler_with_sanitizers(self):
        self.build_and_grade(trees.setting("LEARNER_CC"), "yes")

    def test_this_compiler_without_sanitizers(self):
        self.build_and_grade(trees.setting("LEARNER_CC"), "no")

    def test_the_other_compiler_with_sanitizers(self):
        self.build_and_grade(trees.other_compiler(), "yes")

    def test_the_other_compiler_without_sanitizers(self):
        self.build_and_grade(trees.other_compiler(), "no")


def times_in(build):
    return {str(path): path.stat().st_mtime_ns for path in build.rglob("*")
            if path.is_file() and path.suffix in (".o", ".a", "") and "run" not in path.parts}


class SetUp(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())

    def test_one_that_fails_shows_its_reason_and_nothing_of_included_files(self):
        (self.copy.path / "build" / "config.mk").unlink()
        for command in (["make", "check"], ["make", "-j4", "-k", "check"], ["make", "-s", "lab"]):
            with self.subTest(command):
                run = self.copy.run([*command, "CC=no-such-cc"])
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                reason, *rest = run.stderr.splitlines()
                self.assertTrue(reason.startswith("no-such-cc is missing: "), reason)
                self.assertEqual([line for line in rest if not line.startswith("make: ")], [])

    def test_without_a_tool_the_command_that_brings_it_is_named(self):
        shutil.rmtree(self.copy.path / "build")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("make", "sh", "sed", "cat", "mkdir", "mktemp", "dirname", "rm", "id", "uname"):
                (pathlib.Path(folder) / name).symlink_to(shutil.which(name))
            run = self.copy.run(["make", "check"], env={"PATH": folder})
        self.assertEqual(run.returncode, 2)
        for tool in ("cc", "awk", "git"):
            self.assertRegex(run.stderr, rf"(?m)^{tool} is missing: .* with: .")
        self.assertNotIn("No such file", run.stderr)

    def test_another_compiler_or_other_sanitizers_build_everything_anew(self):
        worker = self.copy.path / "build" / "worker"
        here = (trees.setting("LEARNER_CC"), os.environ["SANITIZE"])
        other = trees.other_compiler()
        steps = [(here[0], "no" if here[1] == "yes" else "yes"), (here[0], here[1])]
        for compiler, sanitize in steps + ([(other, here[1])] if other else []):
            with self.subTest(f"{os.path.basename(compiler)} {sanitize}"):
                before = worker.stat().st_mtime_ns
                command = ["make", "-s", f"CC={compiler}", f"SANITIZE={sanitize}", "build/worker"]
                run = self.copy.run(command)
                self.assertEqual(run.returncode, 0, run.stderr)
                built = worker.stat().st_mtime_ns
                self.assertGreater(built, before)
                self.assertEqual(self.copy.run(command).returncode, 0)
                self.assertEqual(worker.stat().st_mtime_ns, built)

    def test_a_compiler_in_the_place_of_the_one_before_builds_everything_anew(self):
        """It is a second newer than that one was, and not than what is built: so a package's files are. Or older."""
        self.copy.keep_lessons("01")
        compiler = self.copy.folder / "bin" / "my-cc"
        compiler.parent.mkdir()

        def put(when):
            compiler.write_text(f'#!/bin/sh\n# {when}\nexec {trees.setting("LEARNER_CC")} "$@"\n')
            compiler.chmod(0o755)
            os.utime(compiler, (when, when))

        def built(*options):
            run = self.copy.run(["make", "-s", *options, f"CC={compiler}", "SANITIZE=no", "lessons"])
            self.assertEqual(run.returncode, 0, run.stderr)
            return run.stderr, times_in(self.copy.path / "build")
        put(before := int(time.time()) - 1000)
        _, first = built()
        self.assertEqual(built(), ("", first))
        for when in (before + 1, before - 1000):
            put(when)
            said, second = built()
            self.assertIn("Setting up the workbook", said)
            self.assertEqual([path for path in first if second[path] <= first[path] and "/tests/" not in path], [])
            self.assertEqual(built(), ("", second))
            first = second
        said, third = built("-B")
        self.assertIn("Setting up the workbook", said)
        self.assertEqual([path for path in first if third[path] <= second[path] and "/tests/" not in path], [])
        self.assertEqual(built(), ("", third))
        compiler.rename(compiler.with_name("gone"))
        run = self.copy.run(["make", "-s", f"CC={compiler}", "SANITIZE=no", "lessons"])
        self.assertIn("is missing", run.stderr)

    def test_a_lessons_own_header_builds_that_lesson_anew_and_no_other(self):
        build = self.copy.path / "build"
        self.copy.make("lessons")
        before = times_in(build)
        (self.copy.path / "checker" / "lessons" / "01_layer_norm" / "mistakes.h").touch()
        self.assertEqual(self.copy.make("lessons").returncode, 0)
        changed = {path for path, time in times_in(build).items() if before.get(path) != time}
        changed.discard(str(build / "ready"))  # says that all of it is as new as its sources
        self.assertEqual({pathlib.Path(path).parent.name for path in changed}, {"01_layer_norm"})

    def test_a_dry_run_builds_nothing(self):
        before = times_in(self.copy.path / "build")
        run = self.copy.run(["make", "-n", "check"])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("build/workbook check", run.stdout)
        self.assertEqual(times_in(self.copy.path / "build"), before)


if __name__ == "__main__":
    unittest.main()
