"""What the machine does not allow is said of the machine, with its value, and never of the learner's
code: the verdict is then "not graded", with an exit code of its own."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import unittest

import lesson_files
import trees
from workbook_copy import WorkbookCopy

CHECK = "build/01_layer_norm/check"
RIGHT = "solutions/01_layer_norm.c"
NOT_GRADED = 3
KB, MB = 1024, 1024 * 1024
SANITIZED = trees.is_sanitized(trees.ROOT)


def grade(tree, limits=(), source=RIGHT, before=()):
    """Exit code and report. `limits`: (resource, soft, hard)."""
    def install():
        for which, soft, hard in limits:
            resource.setrlimit(which, (soft, hard))
    done = subprocess.run([*before, CHECK, "--impl", source, "--format", "json"], cwd=tree,
                          capture_output=True, text=True, timeout=1800, preexec_fn=install)
    return done.returncode, json.loads(done.stdout)["lessons"][0]


class Limits(unittest.TestCase):
    def assert_not_graded(self, graded, *words):
        code, report = graded
        self.assertEqual(code, NOT_GRADED)
        self.assertEqual((report["passed"], report["failed"], report["build_error"]), (0, 0, None))
        self.assertEqual({check["status"] for check in report["checks"]}, {"not reached"})
        for word in words:
            self.assertIn(word, report["not_graded"])

    def test_one_that_is_too_small_is_named_with_its_value(self):
        for which, value, words in (
                (resource.RLIMIT_NOFILE, 24, "24 open files (ulimit -n), and a check needs 32"),
                (resource.RLIMIT_STACK, 64 * KB, "64 KB of stack (ulimit -s)"),
                (resource.RLIMIT_FSIZE, 10 * KB, "10 KB in one file (ulimit -f)"),
                (resource.RLIMIT_CPU, 1, "1 s of processor time (ulimit -t)"),
                (resource.RLIMIT_AS, 500000 * KB, "500000 KB of address space (ulimit -v)"),
                (resource.RLIMIT_DATA, 500000 * KB, "500000 KB of data (ulimit -d)")):
            if not SANITIZED and which in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
                continue
            with self.subTest(words):
                self.assert_not_graded(grade(trees.ROOT, [(which, value, value)]), words)

    def test_make_too_says_so_as_it_is_typed(self):
        for limit, words in (("-s 64", "64 KB of stack (ulimit -s)"), ("-f 10", "KB in one file (ulimit -f)"),
                             ("-n 20", "20 open files (ulimit -n)"), ("-d 20000", "20000 KB of data (ulimit -d)"),
                             ("-v 500000", "500000 KB of address space (ulimit -v)")):
            if not SANITIZED and limit[:2] in ("-d", "-v"):
                continue
            with self.subTest(limit):
                run = subprocess.run(["sh", "-c", f"ulimit {limit} && exec make check LESSON=01 IMPL=solutions"],
                                     cwd=trees.ROOT, capture_output=True, text=True, timeout=1800, check=False)
                self.assertEqual(run.returncode, 2)
                self.assertIn(words, run.stdout)
                self.assertIn("not your code's doing", run.stdout)
                self.assertIn("Error 3", run.stderr)

    def test_a_soft_one_is_raised(self):
        for which, value in ((resource.RLIMIT_NOFILE, 24), (resource.RLIMIT_STACK, 64 * KB),
                             (resource.RLIMIT_FSIZE, 10 * KB), (resource.RLIMIT_CPU, 1)):
            with self.subTest(which):
                code, report = grade(trees.ROOT, [(which, value, resource.RLIM_INFINITY
                                                   if which != resource.RLIMIT_NOFILE else 4096)])
                self.assertEqual((code, report["not_graded"]), (0, None))

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to be someone who has no other process")
    def test_too_few_processes_are_named_with_their_number(self):
        with lesson_files.copy_of_tree(trees.ROOT / "build" / "tests" / "few") as tree:
            (tree / "build" / "run").mkdir(exist_ok=True)
            (tree / "build" / "run").chmod(0o777)
            for number, words in ((1, "Can't start the compiler"), (2, "The compiler ran into a limit")):
                with self.subTest(number):
                    self.assert_not_graded(
                        grade(tree, [(resource.RLIMIT_NPROC, number, number)],
                              before=["setpriv", "--reuid", "54321", "--clear-groups"]),
                        words, f"ulimit -u: {number}")

    def test_64_open_files_are_enough(self):
        code, report = grade(trees.ROOT, [(resource.RLIMIT_NOFILE, 64, 64)])
        self.assertEqual((code, report["failed"]), (0, 0))

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root, to mount")
    def test_a_full_disk_is_no_compile_error(self):
        (trees.ROOT / "build" / "run").mkdir(exist_ok=True)
        page = 4
        too_small, enough = 0, 64 * KB
        while enough - too_small > page:  # up to the largest that is too small, whatever the compiler writes
            kilobytes = (too_small + enough) // 2 // page * page if too_small else page
            mount = f"mount -t tmpfs -o size={kilobytes}k tmpfs build/run && exec \"$@\""
            graded = grade(trees.ROOT, before=["unshare", "-m", "sh", "-c", mount, "sh"])
            if too_small and graded[0] == 0:
                enough = kilobytes
                continue
            too_small = kilobytes
            with self.subTest(kilobytes):
                self.assert_not_graded(graded, "The disk is full: ", " KB are free where build/run/")
        self.assertGreater(too_small, page)
        self.assertLess(enough, 64 * KB)

    def test_a_learners_words_do_not_make_a_full_disk(self):
        source = trees.ROOT / "build" / "tests" / "words.c"
        source.parent.mkdir(exist_ok=True)
        source.write_text('#error "No space left on device, Resource temporarily unavailable"\n')
        code, report = grade(trees.ROOT, source=str(source))
        self.assertEqual((code, report["not_graded"]), (1, None))
        self.assertIn("No space left", report["build_error"])

    def test_a_worker_that_ends_before_the_learners_code_is_not_the_learners_fault(self):
        with WorkbookCopy() as copy:
            copy.keep_lessons("01", "02")
            done = copy.make("check-all", IMPL="solutions")
            self.assertEqual(done.returncode, 0, done.stderr)
            worker = copy.path / "build" / "worker"
            worker.unlink()
            worker.write_text("#!/bin/sh\necho no memory left; exit 9\n")
            worker.chmod(0o755)
            self.assert_not_graded(grade(copy.path), "ended with status 9 before anything of yours",
                                   "no memory left")
            done = copy.run([CHECK, "--impl", RIGHT])
            self.assertIn("It could not be graded, and that is not your code's doing", done.stdout)
            done = copy.make("check-all", IMPL="solutions")
            self.assertIn(f"Error {NOT_GRADED}", done.stderr)
            self.assertIn("could not be graded", done.stdout)


@unittest.skipUnless(pathlib.Path("/proc/self/schedstat").exists(), "this kernel does not say who waits")
class Busy(unittest.TestCase):
    """Everything on one processor, and three others on it who never rest. A call's limit, and a check's, is of
    the time that the code could have run in, all but the wait that it is in just then: so long is the limit more
    than the code takes."""

    SLOW = """#include <time.h>
        float row_mean(const float *x, int features)
        {
            static int calls;
            for (clock_t began = clock(); calls < %d && clock() - began < %g * CLOCKS_PER_SEC;)
                ;
            calls++;
            return solution_row_mean(x, features);
        }
        """

    def graded(self, code, limit):
        source = trees.ROOT / "build" / "tests" / "busy.c"
        source.parent.mkdir(exist_ok=True)
        source.write_text("#define row_mean solution_row_mean\n" + (trees.ROOT / RIGHT).read_text()
                          + "#undef row_mean\n" + code)
        one = sorted(os.sched_getaffinity(0))[:1]
        pin = lambda: os.sched_setaffinity(0, one)
        others = [subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=pin) for _ in range(3)]
        try:
            done = subprocess.run([CHECK, "--impl", str(source), "--step", "row_mean", "--limit", str(limit),
                                   "--format", "json"], cwd=trees.ROOT, capture_output=True, text=True,
                                  timeout=1800, preexec_fn=pin)
        finally:
            for other in others:
                other.kill()
                other.wait()
        return json.loads(done.stdout)["lessons"][0]

    def test_a_call_that_waits_for_a_processor_is_not_too_slow(self):
        report = self.graded(self.SLOW % (1, 1.5), 2.5)
        self.assertEqual((report["failed"], report["build_error"]), (0, None), report)

    def test_nor_is_a_check_of_such_calls(self):
        report = self.graded(self.SLOW % (3, 1.5), 2.5)
        self.assertEqual((report["failed"], report["build_error"]), (0, None), report)

    def test_a_call_that_never_ends_is_ended(self):
        report = self.graded(self.SLOW % (1, 1e9), 0.3)
        self.assertIn("still running after 0.3 s", " ".join(report["checks"][0]["details"]))
