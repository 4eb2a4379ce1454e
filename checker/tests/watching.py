"""For the tests of make watch: a copy of the workbook, and a terminal (a pty) to watch it in.

A screen is what was written since the terminal was last cleared, so that screens can be counted.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
import unittest

import workbook_copy
from screen import PATIENCE
from workbook_copy import ROOT, WorkbookCopy

KEYS = "n next  h hint  w why  r run again  f fast?  l list  m map  e edit  q quit"
NARROW_KEYS = "n)ext h)int w)hy r)un l)ist e)dit q)uit"
CLEAR = b"\033[H\033[2J"
FIRST = "01_layer_norm"
HANGS = """#include "01_layer_norm.h"
float row_mean(const float *x, int features)
{
    for (volatile int on = features; on;)
        ;
    return *x;
}
"""
SOLVED = (ROOT / "solutions" / f"{FIRST}.c").read_text()
WRONG = SOLVED.replace("distance * distance", "distance * 1.000000")  # 2 of its 9 checks pass
COPY = WorkbookCopy()


def begin():
    COPY.__enter__()
    shutil.copytree(COPY.path / "exercises", COPY.path / "build" / "stubs", dirs_exist_ok=True)


def end():
    COPY.__exit__(None, None, None)


def exercise(lesson=FIRST):
    return COPY.path / "exercises" / f"{lesson}.c"


def save(text, lesson=FIRST):
    exercise(lesson).write_text(text)


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"this never came: {what}")
        time.sleep(0.01)


def processes(folder=None):
    """What runs in the copy, or in another folder, but for this test."""
    return workbook_copy.processes(folder or COPY.path)


def checker_runs(folder=None):
    return any(command.startswith("build/01_layer_norm/check") for command in processes(folder))


def steady(text):
    """Without what differs from run to run."""
    return re.sub(r"\(\d+\.\d+ s, seed \d+\)", "(time)", text)


class Terminal:
    """A program on a terminal of its own, which this reads and types into."""

    def __init__(self, *command, columns=80, rows=24, folder=None, **environment):
        self.ours, self.theirs = pty.openpty()
        self.resize(columns, rows)
        self.before = self.settings()
        unwanted = ("MAKEFLAGS", "MAKELEVEL", "VISUAL", "EDITOR", "NO_COLOR", "LANG", "LC_CTYPE")
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        self.program = subprocess.Popen(
            command, cwd=folder or COPY.path, stdin=self.theirs, stdout=self.theirs, stderr=self.theirs,
            env={**kept, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment},
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.raw = b""

    def close(self):
        if self.program.poll() is None:
            os.killpg(self.program.pid, signal.SIGKILL)
            self.program.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def settings(self):
        return termios.tcgetattr(self.theirs)

    def resize(self, columns, rows):
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.ours, keys.encode())

    def kill(self, number):
        os.kill(self.program.pid, number)

    def read(self, seconds=0.0):
        if select.select([self.ours], [], [], seconds)[0]:
            self.raw += os.read(self.ours, 65536)
            return True
        return False

    def screens(self):
        """Every one so far, without colours; the first is what was there before any clearing."""
        while self.read():
            pass
        texts = self.raw.decode(errors="replace").replace("\r\n", "\n").split(CLEAR.decode())
        return [re.sub(r"\033\[[0-9;]*m|[^\n]*\r\033\[K", "", text) for text in texts]

    def until(self, condition, what):
        """Waits for it to hold for the screen, and returns that."""
        end = time.monotonic() + PATIENCE
        while not condition(self.screens()[-1]):
            if time.monotonic() > end:
                raise AssertionError(f"{what} never came; the screen:\n{self.screens()[-1]}")
            self.read(0.05)
        return self.screens()[-1]

    def see(self, *parts):
        """Waits for these on a screen that is complete: its last line lists the keys."""
        return self.until(lambda text: all(part in text for part in parts)
                          and text.endswith((KEYS, NARROW_KEYS)), parts)

    def sees(self, part):
        return self.until(lambda text: part in text, part)

    def ended(self):
        """The exit code; a signal's number is negative."""
        end = time.monotonic() + PATIENCE
        while self.program.poll() is None and time.monotonic() < end:
            self.read(0.02)  # or the last words would not find room
        return self.program.wait(0)


class Watching(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(COPY.path / ".workbook", ignore_errors=True)
        shutil.copytree(COPY.path / "build" / "stubs", COPY.path / "exercises", dirs_exist_ok=True)

    def terminal(self, *command, **settings):
        terminal = Terminal(*command, **settings)
        self.addCleanup(terminal.close)
        return terminal

    def watch(self, **settings):
        """Just started, with the first verdict on the screen."""
        watch = self.terminal("build/workbook", "watch", **settings)
        watch.until(lambda text: ("Running checks for Lesson" in text or " passed" in text)
                    and text.endswith((KEYS, NARROW_KEYS)), "the first verdict")
        self.assertFalse(watch.settings()[3] & termios.ICANON)
        return watch

    def assert_given_back(self, terminal):
        self.assertEqual(terminal.settings(), terminal.before)

    def assert_nothing_runs(self):
        wait_until(lambda: not processes(), f"the end of {processes()}")

    def quit(self, watch):
        watch.type("q")
        self.assertEqual(watch.ended(), 0)
        self.assert_given_back(watch)
        self.assert_nothing_runs()
