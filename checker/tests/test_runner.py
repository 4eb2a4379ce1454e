"""What a learner's code can do to the checker, and what the checker says of it: every crash, limit and
attack that we know, tried for real on lesson 01.

Each entry of hostile.py is a layer_norm that misbehaves in one way. The checker must name what
happened and the line, still grade the two other functions, be back in time, and leave nothing
behind: no process, no file.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

import hostile
import layers
import trees
from hostile_entry import wrap
from watching import PATIENCE, wait_until
from workbook_copy import WorkbookCopy

CHECK = "build/01_layer_norm/check"


def grade(tree, source, limit=20, missing=(), user=None, **more):
    """The checker's report on the file, as JSON. `missing` and `user`: as in layers.start()."""
    command = [CHECK, "--impl", str(source), "--format", "json", "--limit", str(limit)]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=PATIENCE, preexec_fn=layers.start(missing, user), **more)
    if done.stderr:
        raise AssertionError(f"the checker wrote to stderr: {done.stderr}")
    return json.loads(done.stdout)["lessons"][0]


def of_step(report, step):
    """The step's first check that did not pass, or its last."""
    checks = [check for check in report["checks"] if check["step"] == step]
    return next((check for check in checks if check["status"] != "passed"), checks[-1])


def processes_in(tree):
    """The commands of what was started from the tree's build folder, and of compilers at work there."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            target, cwd = os.readlink(entry / "exe"), os.readlink(entry / "cwd")
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if target.startswith(f"{tree}/build/") or (cwd == str(tree) and "build/run/" in command):
            found.append(command or target)  # one that just begins has no words yet
    return found


def files_in(tree):
    folders = [path for path in pathlib.Path(tree).iterdir() if path.name not in ("build", ".git")]
    return sorted((str(path), path.stat().st_mtime_ns)
                  for folder in folders for path in [folder, *folder.rglob("*")])


class Misbehaviour:
    """What holds with any compiler, with and without sanitizers. `tree` is where: a copy, or what others start
    and leave in the checkout would be taken for its own."""

    @property
    def sanitized(self):
        return trees.is_sanitized(self.tree)

    def write(self, name, code):
        folder = self.tree / "build" / "tests" / "hostile"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.c"
        path.write_text(code)
        return path.relative_to(self.tree)

    def judge(self, entry, source, report):
        self.assertIsNone(report["build_error"], report)
        words = entry.words if self.sanitized or entry.plain is None else entry.plain
        check = of_step(report, "layer_norm")
        said = " ".join(check["details"])
        if words == "":
            self.assertEqual(check["status"], "passed", said)
            return
        self.assertEqual(check["status"], "failed", said)
        several = (words,) if isinstance(words, str) else words
        self.assertTrue(any(some in said for some in several), f"{several} are not in: {said}")
        if self.sanitized and "puts" not in entry.code() and "print" not in entry.code():
            self.assertIsNone(report["printed"])
        lines = entry.lines()
        if lines and (self.sanitized or entry.plain is None):
            self.assertTrue(any(f"at {source}:{line}" in said for line in lines), said)
        for step in ("row_mean", "row_variance"):
            self.assertEqual(of_step(report, step)["status"], entry.others)

    def judge_all(self, entries):
        """Each is named with its line, and the rest of its file is still graded."""
        sources = [self.write(entry.name, entry.code()) for entry in entries]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(lambda entry, source: grade(self.tree, source, entry.limit),
                                    entries, sources))
        for entry, source, report in zip(entries, sources, reports):
            with self.subTest(entry.name):
                self.judge(entry, source, report)

    def test_errors_in_memory_and_numbers_are_named_with_their_line(self):
        self.judge_all(hostile.MEMORY)

    def test_every_way_to_end_is_named_with_its_line(self):
        self.judge_all(hostile.ENDS)

    def test_every_limit_is_named_with_the_line_that_ran_into_it(self):
        self.judge_all(hostile.LIMITS)

    def test_what_wants_more_than_to_compute_is_named_with_its_line(self):
        self.judge_all(hostile.FORBIDDEN)

    def test_what_is_written_into_the_channel_is_no_answer(self):
        self.judge_all(hostile.CHANNEL)

    def test_what_is_odd_but_right_passes(self):
        self.judge_all(hostile.HARMLESS)

    def test_what_is_right_only_the_first_time_fails(self):
        self.judge_all(hostile.ONCE)

    def test_a_file_that_does_not_compile_or_asks_the_compiler_for_too_much_is_told_why(self):
        for entry in hostile.refused_by_the_compiler(self.tree):
            with self.subTest(entry.name):
                source = self.write(entry.name, entry.text)
                error = grade(self.tree, source)["build_error"]
                self.assertIsNotNone(error, "it was compiled")
                for words in entry.words:
                    self.assertIn(words, error)
                self.assertNotIn(hostile.SECRET, error)
                self.assertNotIn("<command-line>", error)
                self.assertLess(len(error), 6000)

    def test_words_of_the_learners_own_are_no_limit_of_the_compilers(self):
        source = self.write("own_words", '#error "Killed signal: out of memory, CPU time limit, Permission denied"\n')
        report = grade(self.tree, source)
        self.assertIn("#error", report["build_error"])
        self.assertEqual(report["advice"], None)

    def test_missing_sanitizers_are_said(self):
        notice = grade(self.tree, "solutions/01_layer_norm.c")["notice"]
        self.assertEqual("sanitizers" in (notice or ""), not self.sanitized)


class Runner(Misbehaviour, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = cls.enterClassContext(WorkbookCopy()).path

    def test_nothing_is_left_running_and_no_file_is_written(self):
        before = files_in(self.tree)
        for name in ("fork", "thread_left_running", "open_for_writing", "hang_with_signals_blocked"):
            entry = next(entry for entry in hostile.entries() if entry.name == name)
            grade(self.tree, self.write(name, entry.code()), entry.limit)
        self.assertEqual(files_in(self.tree), before)
        self.assertEqual(processes_in(self.tree), [])
        self.assertEqual(list((self.tree / "build" / "run").iterdir()), [])

    def test_the_first_error_in_the_learners_own_file_comes_first(self):
        source = self.write("errors", '#include <math.h>\n#include "01_layer_norm.h"\n'
                                      'float row_mean(const float *x, int features)\n'
                                      '{\n    return x[0] / featuers;\n}\n')
        error = grade(self.tree, source)["build_error"]
        self.assertTrue(error.startswith(f"{source}:5:"), error)

    def test_a_missing_function_is_named(self):
        source = self.write("missing", '#include "01_layer_norm.h"\n'
                                       'float row_mean(const float *x, int features)\n'
                                       '{\n    return x[0];\n}\n')
        check = of_step(grade(self.tree, source), "layer_norm")
        self.assertIn(f"layer_norm is not defined in {source}", check["details"])

    def test_what_is_printed_before_a_crash_is_kept(self):
        source = self.write("prints", wrap('printf("row %d", rows); fputs("!\\n", stderr);'
                                                   ' abort();'))
        report = grade(self.tree, source)
        self.assertEqual(report["printed"], "row 1!\n")

    def test_ending_the_checker_ends_its_compiler_and_its_worker(self):
        bomb = next(e for e in hostile.refused_by_the_compiler(self.tree) if e.name == "macro_bomb")
        hang = next(e for e in hostile.entries() if e.name == "hang_with_signals_blocked")
        for text, number, compiles in ((bomb.text, signal.SIGINT, True),
                                       (bomb.text, signal.SIGTERM, True),
                                       (hang.code(), signal.SIGKILL, False)):
            source = self.write("ended", text)
            with subprocess.Popen([CHECK, "--impl", source, "--limit", "30"], cwd=self.tree,
                                  stdout=subprocess.DEVNULL) as checker:
                wait_until(lambda: self.is_at_work(compiles), "a compiler, or a worker alone")
                self.assertEqual(checker.poll(), None)
                checker.send_signal(number)
            wait_until(lambda: not processes_in(self.tree), f"the end after {number}")
        grade(self.tree, "solutions/01_layer_norm.c")
        self.assertEqual(list((self.tree / "build" / "run").iterdir()), [])

    def is_at_work(self, compiles):
        """Whether the compiler runs; or else the worker, with the compiler at its end."""
        words = [line.split() for line in processes_in(self.tree)]  # none: it ends just now
        names = {os.path.basename(line[0]) for line in words if line}
        return bool(names - {"check", "worker"}) if compiles else names == {"check", "worker"}

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_stops_in_the_failing_call_and_at_a_sanitizers_finding(self):
        entry = next(entry for entry in hostile.entries() if entry.name == "read_past_end")
        source = self.write("debugged", entry.code())
        command = [CHECK, "--debug", "--impl", source, "--step", "layer_norm"]
        done = subprocess.run(command, cwd=self.tree, input="print rows\ncontinue\nbacktrace\n",
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=PATIENCE, check=False)
        self.assertIn("Breakpoint 1, layer_norm (y=0x", done.stdout)
        self.assertIn("$1 = 1", done.stdout)
        if self.sanitized:
            self.assertIn(f"{source}:{entry.lines()[0]}", done.stdout)
        self.assertEqual(processes_in(self.tree), [])

    def test_where_the_kernel_offers_less_the_rest_holds(self):
        """What only seccomp can refuse is in reach.c; without it there are no threads either."""
        always = hostile.CHANNEL + hostile.ENDS + hostile.HARMLESS + [
            entry for entry in hostile.entries() if entry.name in ("read_past_end", "spin")]
        for layer in ("Landlock alone", "seccomp alone", "neither"):
            seccomp = layer == "seccomp alone"
            entries = [entry for entry in always if seccomp or "pthread" not in entry.code()]
            entries += hostile.FORBIDDEN if seccomp else []
            sources = [self.write(entry.name, entry.code()) for entry in entries]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                reports = list(pool.map(
                    lambda entry, source, missing=layers.MISSING[layer]:
                    grade(self.tree, source, entry.limit, missing), entries, sources))
            for entry, source, report in zip(entries, sources, reports):
                with self.subTest(f"{entry.name}: {layer}"):
                    self.judge(entry, source, report)

    def test_a_worker_dies_with_its_checker_whatever_layer_is_missing(self):
        hang = next(e for e in hostile.entries() if e.name == "hang_with_signals_blocked")
        source = self.write("left", hang.code())
        for layer, missing in layers.MISSING.items():
            with self.subTest(layer):
                with subprocess.Popen([CHECK, "--impl", source, "--limit", "1000"], cwd=self.tree,
                                      stdout=subprocess.DEVNULL,
                                      preexec_fn=layers.start(missing)) as checker:
                    wait_until(lambda: self.is_at_work(False), "a worker alone")
                    checker.kill()
                wait_until(lambda: not processes_in(self.tree), "its end")


class InACopy(Misbehaviour):
    """Set `compiler` and `sanitize`."""

    @classmethod
    def setUpClass(cls):
        cls.copy = trees.built_with(cls.compiler(), cls.sanitize)
        cls.tree = cls.copy.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.copy.__exit__(None, None, None)

    def test_a_link_beside_the_workbook_that_leads_back_into_it_opens_no_door(self):
        link = self.tree.parent / "link_to_a_workbook"
        link.unlink(missing_ok=True)
        link.symlink_to(self.tree)
        try:
            source = self.write("beside", '#include "../../../solutions/01_layer_norm.c"\n')
            self.assertIn(hostile.ONLY, grade(self.tree, source)["build_error"])
        finally:
            link.unlink()


class RunnerWithoutSanitizers(InACopy, unittest.TestCase):
    sanitize = "no"

    @staticmethod
    def compiler():
        return trees.setting("LEARNER_CC")


@unittest.skipUnless(os.environ.get("MATRIX"), "MATRIX=1 make test also tries the other compiler")
class RunnerWithTheOtherCompiler(InACopy, unittest.TestCase):
    sanitize = "yes"

    @staticmethod
    def compiler():
        compiler = trees.other_compiler()
        if not compiler:
            raise unittest.SkipTest("there is no other compiler")
        return compiler


class RunnerWithTheOtherCompilerWithoutSanitizers(RunnerWithTheOtherCompiler):
    sanitize = "no"
