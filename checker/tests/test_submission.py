"""The file that is graded: a plain file, read once, C by whatever name; and the folder of the run, which
is nobody else's, in whatever container that one works.
"""

import contextlib
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import layers
import trees
from hostile_entry import HEAD, OPEN, TAIL, wrap
from test_runner import CHECK, grade, of_step
from trees import ROOT
from watching import wait_until
from workbook_copy import WorkbookCopy

SOLUTION = (ROOT / "solutions" / "01_layer_norm.c").read_text()
WRONG = SOLUTION.replace("sum += x[j]", "sum += x[0]", 1)
# Its first function ends the worker; a second worker loads the object again.
HANGS_FIRST = HEAD + TAIL.replace("float sum = 0;", "for (;;);\n    float sum = 0;", 1).replace(
    "float mean = row_mean(x, features);",
    "float mean = 0;\n        for (int j = 0; j < features; j++)\n            mean += x[j] / (float)features;"
) + OPEN + "    RIGHT;\n}\n"
# The first three locks are taken only when somebody else has ("held"), or has cleared away ("gone").
LATE_LOCK = """#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int flock(int fd, int operation)
{
    static int calls;
    struct stat info;
    int held = *getenv("LATE") == 'h';
    for (calls++; calls <= 3 && fstat(fd, &info) == 0 && info.st_nlink > 0; usleep(1000)) {
        if (held && syscall(SYS_flock, fd, operation) != 0)
            break;
        if (held)
            syscall(SYS_flock, fd, LOCK_UN);
    }
    return (int)syscall(SYS_flock, fd, operation);
}
"""
SECRET = "the-first-line-of-a-private-file"


def setUpModule():
    """Nobody else's runs are in the copy."""
    global TREE, RUNS
    TREE = unittest.enterModuleContext(WorkbookCopy()).path
    RUNS = TREE / "build" / "run"


@contextlib.contextmanager
def folder(inside=None):
    """A new folder."""
    inside = inside or TREE / "build" / "tests"
    inside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=inside) as path:
        yield pathlib.Path(path)


def verdict(report):
    return report["passed"], report["failed"], report["build_error"]


class Links(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        self.copy.write("class/ada/01_layer_norm.c", SOLUTION)
        (self.copy.path / "class" / "eve").mkdir()
        self.private = self.copy.folder / "private"
        self.private.write_text(SECRET + "\n")

    def check(self, impl, folder=None):
        return self.copy.run(["make", "-s", "check", "LESSON=01", f"IMPL={impl}"],
                             cwd=folder or self.copy.path)

    def assert_refused(self, impl, words="link"):
        run = self.check(impl)
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stdout, rf"{words}[^/]*\nNo check was run\.")
        self.assertNotIn(SECRET, run.stdout + run.stderr)

    def test_a_file_that_is_a_link_is_not_graded_and_shows_nothing_of_what_it_points_at(self):
        path = self.copy.path / "class" / "eve" / "01_layer_norm.c"
        for target in ("../../solutions/01_layer_norm.c", "../ada/01_layer_norm.c",
                       self.copy.path / "solutions" / "01_layer_norm.c", self.private, "nowhere",
                       "../eve", "/dev/zero"):
            with self.subTest(target):
                path.symlink_to(target)
                self.assert_refused("class/eve", "is a link")
                self.assert_refused("class/eve/01_layer_norm.c", "is a link")
                self.assert_refused(path, "is a link")
                path.unlink()

    def test_the_folder_that_it_lies_in_is_no_link_either(self):
        for target in ("../solutions", "ada", self.copy.path / "solutions"):
            (self.copy.path / "class" / "max").symlink_to(target)
            for impl in ("class/max", "class/max/", "class/max//./", "class/max/01_layer_norm.c",
                         "class/max/./01_layer_norm.c", self.copy.path / "class" / "max"):
                with self.subTest(f"{target}, {impl}"):
                    self.assert_refused(impl, "lies in a folder that is a link")
            (self.copy.path / "class" / "max").unlink()

    def test_the_learners_own_file_is_no_link(self):
        path = self.copy.path / "exercises" / "01_layer_norm.c"
        path.unlink()
        path.symlink_to("../solutions/01_layer_norm.c")
        run = self.copy.make("check", LESSON="01")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("exercises/01_layer_norm.c is a link", run.stdout)

    def test_what_leads_to_the_folder_may_be_a_link(self):
        link = self.copy.folder / "book"
        link.symlink_to(self.copy.path)
        (self.copy.path / "course").symlink_to("class")
        for impl, place in (("solutions", link), ("solutions/", link), (link / "solutions", None),
                            (link / "solutions" / "01_layer_norm.c", None), ("course/ada", None),
                            ("course/ada/01_layer_norm.c", None), ("../book/class/ada", None),
                            ("class/eve/../ada", None), ("./class/./ada//", None)):
            with self.subTest(impl):
                run = self.check(impl, place)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class Files(unittest.TestCase):
    def test_the_file_is_c_whatever_it_is_called(self):
        with folder() as place:
            for name in ("mine.txt", "mine", "mine.C", "mine.cpp", "mine.h", "mine.s", "mine.o", "-o it's.c",
                         "@mine.c", "a=b.c", "$x %s.c", "ä\n.c"):
                with self.subTest(name):
                    (place / name).write_text(SOLUTION)
                    for source in (place / name, (place / name).relative_to(TREE)):
                        self.assertEqual(verdict(grade(TREE, source)), (9, 0, None))

    def test_a_line_is_named_by_the_learners_name_of_the_file(self):
        crash = SOLUTION.replace("j < features", "j <= features", 1)
        line = 1 + crash[:crash.index("sum += x[j]")].count("\n")
        with folder() as place:
            for name in ("mine.txt", "-o it's.c", "a=b.c", "$x %s.c"):
                source = (place / name).relative_to(TREE)
                with self.subTest(name):
                    (place / name).write_text(SOLUTION.replace("sum +=", "sun +=", 1))
                    error = grade(TREE, source)["build_error"]
                    self.assertTrue(error.startswith(f"{source}:{line}:"), error)
                    self.assertNotIn("build/run", error)
                    if not trees.is_sanitized(TREE):
                        continue
                    (place / name).write_text(crash)
                    said = of_step(grade(TREE, source), "row_mean")["details"][0]
                    self.assertIn(f"at {source}:{line} ", said)

    def test_the_code_knows_its_file_by_the_learners_name(self):
        with folder() as place:
            source = (place / "mine.c").relative_to(TREE)
            (TREE / source).write_text(wrap('puts(__FILE__); puts(__BASE_FILE__); abort();'))
            self.assertEqual(grade(TREE, source)["printed"], f"{source}\n{source}\n")

    def test_objects_archives_and_linker_scripts_are_not_linked(self):
        compiler = trees.setting("LEARNER_CC").split()
        with folder() as place:
            (place / "right.c").write_text(SOLUTION)
            for command in ([*compiler, "-fPIC", "-Iinclude", "-c", place / "right.c", "-o", place / "o"],
                            ["ar", "rcs", place / "a", place / "o"],
                            [*compiler, "-shared", place / "o", "-o", place / "so"]):
                subprocess.run(command, cwd=TREE, check=True)
            (place / "script").write_text(f"INPUT({place}/o)\n")
            for kind in ("o", "a", "so", "script"):
                for name in ("01_layer_norm.c", "mine.o", "mine.a", "mine.so", "mine"):
                    with self.subTest(f"{kind} as {name}"):
                        source = (place / name).relative_to(TREE)
                        shutil.copy(place / kind, place / name)
                        passed, _, error = verdict(grade(TREE, source))
                        self.assertEqual(passed, 0)
                        self.assertIn(f"{source}:1:", error)

    def test_a_stub_that_was_cut_short_is_not_as_it_was_handed_out(self):
        stub = (TREE / "checker/lessons/01_layer_norm/stub.c").read_text()
        with folder() as place:
            for text, untouched in ((stub, True), (stub[:-2], False), (stub + "\0", False)):
                (place / "mine.c").write_text(text)
                self.assertEqual(grade(TREE, place / "mine.c")["untouched"], untouched)

    def test_headers_beside_the_file_are_found(self):
        with folder(pathlib.Path(tempfile.gettempdir())) as place:
            (place / "mine.h").write_text("#define ZERO 0.0f\n")
            (place / "mine.c").write_text('#include "mine.h"\n' + SOLUTION.replace("= 0.0f", "= ZERO"))
            self.assertEqual(verdict(grade(TREE, place / "mine.c")), (9, 0, None))

    def test_in_one_folder_for_all_a_header_is_its_students_alone(self):
        text = '#include "%s"\n' + SOLUTION.replace("= 0.0f", "= ZERO")
        with folder() as place:
            for name in ("helpers", "ada", "ada_more", "adam", "eve"):
                (place / f"{name}.h").write_text("#define ZERO 0.0f\n")
            own = place / "ada_01_layer_norm.c"
            own.write_text(text % "helpers.h")
            self.assertEqual(verdict(grade(TREE, own)), (9, 0, None))
            (place / "eve_02_backward.c").write_text("")
            for name, passed in (("ada", 9), ("ada_more", 9), ("adam", 0), ("eve", 0), ("helpers", 0)):
                with self.subTest(name):
                    own.write_text(text % f"{name}.h")
                    self.assertEqual(verdict(grade(TREE, own))[0], passed)

    def test_what_is_no_plain_file_is_not_read(self):
        with folder() as place:
            os.mkfifo(place / "pipe.c")
            for source in (place / "pipe.c", place, "/dev/zero"):
                self.assertIn("is not a plain file", grade(TREE, source)["build_error"])
            self.assertIn("can't be read: No such file", grade(TREE, place / "none.c")["build_error"])
            self.assertIn("can't be read", grade(TREE, place / ("x/" * 3000))["build_error"])

    def test_a_file_that_is_named_like_a_folder_is_not_compiled(self):
        with folder() as place:
            (place / "mine.c").write_text(SOLUTION)
            for end in ("/", "//", "/."):
                source = f"{place}/mine.c{end}"
                self.assertEqual(grade(TREE, source)["build_error"],
                                 f"{source} can't be read: Not a directory.")

    def test_a_pipe_in_the_place_of_an_exercise_is_not_waited_for(self):
        with WorkbookCopy() as copy:
            path = copy.path / "exercises" / "01_layer_norm.c"
            stub = path.read_text()
            path.unlink()
            os.mkfifo(path)
            self.assertIn("is not a plain file", copy.make("check", LESSON="01").stdout)
            self.assertEqual(copy.make("reset", LESSON="01").returncode, 0)
            self.assertEqual(path.read_text(), stub)

    def test_a_file_has_at_most_four_megabytes(self):
        with folder() as place:
            filler = "/" * ((4 << 20) - len(SOLUTION) - 1)
            (place / "most.c").write_text(f"{SOLUTION}{filler}\n")
            self.assertEqual(verdict(grade(TREE, place / "most.c")), (9, 0, None))
            (place / "more.c").write_text(f"{SOLUTION}{filler}\n\n")
            self.assertIn("is larger than 4 MB", grade(TREE, place / "more.c")["build_error"])

    def test_headers_of_ones_own_may_be_many_and_have_at_most_four_megabytes(self):
        with folder() as place:
            for number in range(60):
                (place / f"h{number}.h").write_text("#define ZERO 0.0f\n" if number == 42 else "")
            includes = "".join(f'#include "h{number}.h"\n' for number in range(60))
            (place / "mine.c").write_text(includes + SOLUTION.replace("= 0.0f", "= ZERO"))
            self.assertEqual(verdict(grade(TREE, place / "mine.c")), (9, 0, None))
            (place / "h43.h").write_text("/" * (4 << 20))
            self.assertEqual(verdict(grade(TREE, place / "mine.c")), (9, 0, None))
            (place / "h43.h").write_text("/" * (4 << 20) + "\n")
            for missing in ((), layers.MISSING["Landlock alone"], layers.MISSING["seccomp alone"],
                            layers.MISSING["neither"]):
                with self.subTest(missing):
                    error = grade(TREE, place / "mine.c", missing=missing)["build_error"]
                    self.assertIn("h43.h is larger than 4 MB, and is not read.", error)
                    self.assertNotIn("nothing else", error)

    def test_a_file_that_changes_while_it_is_graded_is_graded_as_it_was(self):
        stub = (TREE / "checker/lessons/01_layer_norm/stub.c").read_text()
        with folder() as place:
            (place / "mine.c").write_text(HANGS_FIRST)
            with running(place / "mine.c", "--step", "row_mean", limit=2) as checker:
                wait_until(lambda: list(RUNS.glob("*/x.so")), "what is compiled")
                (place / "mine.c").write_text(stub)
                said = checker.communicate()[0]
            self.assertIn("still running after 2 s", said)


@contextlib.contextmanager
def running(source, *options, before=(), limit=0.4, env=None):
    command = [*before, CHECK, "--impl", str(source), "--limit", str(limit), *options]
    with subprocess.Popen(command, cwd=TREE, text=True, stdout=subprocess.PIPE, env=env) as checker:
        try:
            yield checker
        except BaseException:
            checker.kill()  # or it might be waited for
            raise


def runs():
    """The runs' folders."""
    return {path.name for path in RUNS.iterdir()} if RUNS.exists() else set()


class Runs(unittest.TestCase):
    """Each waits for what it needs: the checks that are at work here must be its own."""

    def setUp(self):
        self.place = self.enterContext(folder())
        for name, text in (("right.c", SOLUTION), ("wrong.c", WRONG),
                           ("hangs.c", wrap("for (;;);")), ("odd.c", HANGS_FIRST)):
            (self.place / name).write_text(text)

    def test_two_checkers_with_one_process_number_do_not_meet(self):
        alone = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("no second PID namespace can be had here")
        with running(self.place / "odd.c", before=alone, limit=3) as odd:
            wait_until(lambda: list(RUNS.glob("*/x.so")), "what is compiled")
            with running(self.place / "wrong.c", before=alone) as wrong:
                self.assertRegex(wrong.communicate()[0], r"(?m)^\d passed, [1-9]\d* failed")
            said = odd.communicate()[0]
        self.assertIn("still running after 3 s", said)
        self.assertIn("7 passed, 1 failed, 1 not reached", said)

    def test_many_at_once_each_get_their_own_verdict(self):
        with contextlib.ExitStack() as stack:
            checkers = [stack.enter_context(running(self.place / name))
                        for name in ("right.c", "wrong.c") * 6]
            for checker, words in zip(checkers, ("9 passed, 0 failed", "2 failed") * 6):
                self.assertIn(words, checker.communicate()[0])
        self.assertEqual(runs(), set())

    @unittest.skipUnless(sys.platform == "linux", "LD_PRELOAD is Linux's")
    def test_a_folder_that_is_taken_for_a_leftover_before_it_is_locked_is_given_up(self):
        """Its lock is held by the one who clears away, or is gone when it is got."""
        (self.place / "late.c").write_text(LATE_LOCK)
        subprocess.run([*trees.setting("LEARNER_CC").split(), "-shared", "-fPIC", "late.c", "-o", "late.so"],
                       cwd=self.place, check=True)
        for when in ("held", "gone"):
            grade(TREE, self.place / "right.c")  # nothing is left over before
            with self.subTest(when), running(self.place / "right.c", env={
                    **os.environ, "LD_PRELOAD": self.place / "late.so", "LATE": when}) as checker:
                for _ in range(3):
                    wait_until(lambda: list(RUNS.glob("*/lock")), "a lock")  # before that it is given up without a lock
                    self.clear_away(runs().pop(), 5 if when == "held" else 0)
                self.assertIn("9 passed, 0 failed", checker.communicate(timeout=1800)[0])

    @staticmethod
    def clear_away(name, seconds):
        """As a checker does it when it starts; with the lock until another folder is made."""
        lock = os.open(RUNS / name / "lock", os.O_RDWR | os.O_CREAT)
        fcntl.flock(lock, fcntl.LOCK_EX)
        late = time.monotonic() + seconds
        while time.monotonic() < late and len(runs()) == 1:
            time.sleep(0.001)
        shutil.rmtree(RUNS / name)
        os.close(lock)

    def test_what_a_killed_checker_leaves_is_cleared_away_and_nothing_that_is_in_use(self):
        with running(self.place / "hangs.c", limit=60) as killed, \
                running(self.place / "hangs.c", limit=60) as alive:
            wait_until(lambda: len(list(RUNS.glob("*/x.so"))) == 2, "two that are compiled")
            killed.send_signal(signal.SIGKILL)
            killed.wait()
            (RUNS / "4321").mkdir()
            (RUNS / "4321" / "x.so").write_text("of a workbook that knew no locks")
            self.assertEqual(len(runs()), 3)
            grade(TREE, self.place / "right.c")
            self.assertEqual(len(runs()), 1)
            kept = RUNS / runs().pop()
            self.assertEqual({path.name for path in kept.iterdir()}, {"lock", "x.c", "x.so"})
            self.assertIsNone(alive.poll())
            alive.send_signal(signal.SIGTERM)
            alive.wait()
        grade(TREE, self.place / "right.c")
        self.assertEqual(runs(), set())

    def test_a_folder_that_can_not_be_made_is_said(self):
        with WorkbookCopy() as copy:
            copy.write("build/run", "a file in the way")
            run = copy.make("check", LESSON="01", IMPL="solutions")
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("Can't make a folder in build/run: Not a directory.", run.stdout)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_the_debuggers_folder_is_kept_for_as_long_as_it_runs(self):
        command = [CHECK, "--debug", "--impl", str(self.place / "wrong.c")]
        with subprocess.Popen(command, cwd=TREE, text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as gdb:
            gdb.stdin.write("info source\n")
            gdb.stdin.flush()
            said = ""
            while "Current source file" not in said:  # so it has taken the checker's place
                line = gdb.stdout.readline()
                self.assertTrue(line, said)
                said += line
            grade(TREE, self.place / "right.c")
            self.assertEqual(len(list(RUNS.glob("*/case"))), 1)
            gdb.stdin.write("list 8,14\nkill\nquit\n")
            gdb.stdin.close()
            said += gdb.stdout.read()
        self.assertIn(f"Current source file is {self.place / 'wrong.c'}", said)
        self.assertIn("sum += x[0];", said)
        grade(TREE, self.place / "right.c")
        self.assertEqual(runs(), set())


if __name__ == "__main__":
    unittest.main()
