"""A clock that is wrong loses nothing and says no nonsense; a machine that sleeps in the middle of a check does not
make the learner's code slow. clock_shim.c is the clock; what stands still is stopped by a signal.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

import drivers
import grading
from classroom import SOLUTION
from test_runner import grade
from watching import wait_until
from workbook_copy import ROOT, WorkbookCopy

LESSON = "01_layer_norm"
YEAR = 365 * 24 * 60 * 60
DAY = time.strftime("%Y-%m-%d", time.gmtime(time.time()))
LOOKS = [*range(2, 13), 20, 40, 80, 160]  # at the clock: while it compiles, loads, and calls
BUSY = """#include <time.h>
static void work(void) /* half a second, once */
{
    static int done;
    for (clock_t end = clock() + CLOCKS_PER_SEC / 2; !done && clock() < end;)
        ;
    done = 1;
}
"""


def setUpModule():
    global SHIM
    if sys.platform != "linux":
        raise unittest.SkipTest("LD_PRELOAD is Linux's")
    drivers.SCRATCH.mkdir(parents=True, exist_ok=True)
    SHIM = drivers.SCRATCH / "clock_shim.so"
    subprocess.run([*drivers.CC.split(), "-std=c11", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC",
                    ROOT / "checker/tests/clock_shim.c", "-o", SHIM], check=True)


def ahead(seconds):
    """The environment of a program whose clock is wrong by that."""
    return {"LD_PRELOAD": str(SHIM), "CLOCK_AHEAD": str(seconds)}


class TheProgress(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        self.copy.solve(LESSON)

    def workbook(self, *words, off=0):
        done = self.copy.run(["build/workbook", *words], env={**ahead(off), "LESSON": "01"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def told(self, off=0):
        """(what the map says of the lesson, and of when it was passed)"""
        line = next(line for line in self.workbook("lessons", off=off).splitlines() if " 01 " in line)
        when = re.search(r"^ *(passed.*)$", self.workbook("progress", off=off), re.MULTILINE)
        return " ".join(line.split()[4:]), when and when[1]

    def test_of_a_clock_that_went_back_the_later_day_is_not_said_before_the_earlier(self):
        """Of a clock that goes back a year, no day is said that is to come, and no last day before the first."""
        self.workbook("check")
        before = self.told()
        self.assertEqual(before, (f"passed {DAY}", f"passed first {DAY}, last {DAY}"))
        self.workbook("check", off=-YEAR)
        then = time.strftime("%Y-%m-%d", time.gmtime(time.time() - YEAR))
        self.assertEqual(self.told(off=-YEAR), (f"passed {then}", f"passed last {then}"))
        self.assertEqual(self.told(), (f"passed {DAY}", f"passed first {DAY}"))
        self.workbook("check")
        self.assertEqual(self.told(), before)

    def test_a_day_that_is_to_come_is_not_said_and_the_next_pass_says_when(self):
        """A lesson that was passed while the clock was a year ahead is passed; the next pass says when."""
        self.workbook("check", off=YEAR)
        self.assertEqual(self.told(), ("passed", None))
        self.workbook("check")
        self.assertEqual(self.told(), (f"passed {DAY}", f"passed last {DAY}"))
        self.assertIn(" 2 runs,", self.workbook("progress"))

    def test_a_reset_keeps_every_file_whatever_the_clock_says(self):
        texts = [SOLUTION + f"/* {number} */\n" for number in range(4)]
        for text, off in zip(texts, (0, -YEAR, 0, YEAR)):
            self.copy.write(f"exercises/{LESSON}.c", text)
            self.workbook("reset", off=off)
        kept = (self.copy.path / ".workbook/backup").iterdir()
        self.assertEqual(sorted(path.read_text() for path in kept), texts)


class AClass(grading.Room):
    def graded(self, off):
        done = grading.grade(self.room, OUT=str(self.out), **ahead(off))
        self.assertEqual(done.returncode, 0, done.stderr)
        return grading.book(self.out), grading.verdicts(self.out)

    def test_its_grade_book_is_the_same_whatever_the_clock_says(self):
        """The grade book is the same a year before and after, and no verdict is made anew."""
        course = self.path / "course"
        course.write_text("due 01 2026-05-04 23:59\nlate 10\nmost 50\n")
        self.enterContext(unittest.mock.patch.dict(os.environ, COURSE=str(course)))
        for name, text in (("ada", SOLUTION), ("bob", SOLUTION.replace("distance * distance", "distance"))):
            self.put(f"{name}/{LESSON}.c", text)
        first = self.graded(0)
        self.assertEqual([self.graded(off) for off in (-YEAR, YEAR, 0)], [first] * 3)

    def test_what_another_machine_writes_just_now_stays(self):
        """What another machine is writing stays where this one's clock is a year ahead; a day later it goes."""
        self.put(f"ada/{LESSON}.c", SOLUTION)
        self.graded(0)
        begun = self.out / "kept" / "verdicts" / "x.json.elsewhere.1.new"
        begun.write_text("{")
        self.graded(YEAR)
        self.assertTrue(begun.exists())
        old = time.time() - 25 * 60 * 60
        os.utime(begun, (old, old))
        self.graded(-YEAR)
        self.assertFalse(begun.exists())


class AMachineThatSleeps(unittest.TestCase):
    def test_wherever_the_clock_jumps_a_right_file_is_right(self):
        """Wherever in a check a day goes by at once, a right file is right."""
        for look in LOOKS:
            with self.subTest(look=look):
                environment = {**os.environ, "LD_PRELOAD": str(SHIM), "CLOCK_JUMPS": str(look)}
                report = grade(ROOT, f"solutions/{LESSON}.c", 2, env=environment)
                self.assertEqual((report["failed"], report["not_reached"], report["build_error"]), (0, 0, None))

    def test_what_stood_still_for_longer_than_a_call_may_take_is_graded(self):
        """A check that stands still in the middle of a call, for longer than a call may take, ends as always."""
        copy = self.enterContext(WorkbookCopy())
        busy = SOLUTION.replace("{\n", "{\n    work();\n", 1).replace("\n\n", f"\n\n{BUSY}\n", 1)
        copy.write(f"exercises/{LESSON}.c", busy)
        command = ["build/01_layer_norm/check", "--limit", "3"]
        with subprocess.Popen(command, cwd=copy.path, stdout=subprocess.PIPE, text=True) as checker:
            worker = worker_at_work(checker)
            for process in (checker.pid, worker):
                os.kill(process, signal.SIGSTOP)
            time.sleep(5)
            os.kill(checker.pid, signal.SIGCONT)
            time.sleep(0.2)
            os.kill(worker, signal.SIGCONT)
            said = checker.communicate()[0]
        self.assertIn("9 passed, 0 failed", said)
        self.assertEqual(checker.returncode, 0)


def worker_at_work(checker):
    """That checker's worker, when it has begun with what BUSY says."""
    def find():
        if checker.poll() is not None:
            raise AssertionError("the check has ended before its worker was at work")
        for child in pathlib.Path(f"/proc/{checker.pid}/task/{checker.pid}/children").read_text().split():
            try:
                name, fields = pathlib.Path(f"/proc/{child}/stat").read_text().split("(")[1].rsplit(")", 1)
            except OSError:
                continue
            worked = sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")
            if name == "worker" and worked > 0.15:
                return int(child)
        return None
    found = []
    wait_until(lambda: found.append(find()) or found[-1], "the worker is at work")
    return found[-1]
