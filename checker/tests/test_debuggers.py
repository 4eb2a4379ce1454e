"""make debug with gdb, with lldb where there is no gdb, and with neither."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest

import trees
from screen import PATIENCE
from workbook_copy import ROOT, WorkbookCopy

NEEDED = ("sh", "make", "cc", "gcc", "clang", "as", "ld", "sed", "mkdir", "awk", "rm", "mv", "cat",
          "dirname", "find", "grep", "sort", "tr", "env")
OFF_BY_ONE = ("j < features", "j <= features")
NO_SQUARE = ("sum += distance * distance", "sum += distance")


class Debuggers(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        self.tools = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in NEEDED:
            if shutil.which(name):
                (self.tools / name).symlink_to(shutil.which(name))

    def write_wrong(self, old, new):
        solution = self.copy.read("solutions/01_layer_norm.c")
        self.assertIn(old, solution)
        self.copy.write("exercises/01_layer_norm.c", solution.replace(old, new, 1))

    def fake(self, name):
        """A debugger that only shows what it is asked."""
        (self.tools / name).write_text(f'#!/bin/sh\nprintf "{name}"; printf " [%s]" "$@"; echo\n')
        (self.tools / name).chmod(0o755)

    def debug(self, typed=""):
        return self.copy.run("make -s debug LESSON=01", env={"PATH": str(self.tools)}, stdin=None,
                             input=typed)

    def needs(self, name):
        if not shutil.which(name):
            self.skipTest(f"{name} is not installed")
        (self.tools / name).symlink_to(shutil.which(name))

    def test_gdb_is_taken_where_both_are(self):
        self.fake("gdb")
        self.fake("lldb")
        self.write_wrong(*NO_SQUARE)
        said = self.debug().stdout.splitlines()[-1]
        self.assertTrue(said.startswith("gdb [-q]"), said)
        self.assertIn("[-ex] [break row_variance]", said)
        self.assertRegex(said, r"\[-ex\] \[run\] \[--args\] \[build/worker\] \[--replay\] ")

    def test_lldb_is_taken_where_there_is_no_gdb(self):
        self.fake("lldb")
        self.write_wrong(*NO_SQUARE)
        said = self.debug().stdout.splitlines()[-1]
        self.assertIn("[-o] [breakpoint set --name row_variance]", said)
        self.assertRegex(said, r"^lldb .*\[-o\] \[run\] \[--\] \[build/worker\] \[--replay\] ")

    def test_lldb_stops_in_the_failing_call(self):
        self.needs("lldb")
        self.write_wrong(*NO_SQUARE)
        said = self.debug("frame variable\nprint x[1]\nbt\nkill\nquit\n").stdout
        self.assertIn("stop reason = breakpoint", said)
        self.assertRegex(said, r"row_variance\(x=0x\w+, features=3, mean=26\.66666")
        self.assertRegex(said, r"\(const float\) (\$0 = )?50\b")  # lldb 16 gives it no name any more
        self.assertRegex(said, r"at 01_layer_norm\.c:\d+")

    @unittest.skipUnless(trees.is_sanitized(ROOT), "this checkout has no sanitizers")
    def test_lldb_stops_where_a_sanitizer_has_found_something(self):
        self.needs("lldb")
        self.write_wrong(*OFF_BY_ONE)
        lines = self.copy.read("exercises/01_layer_norm.c").splitlines()
        line = 1 + next(i for i, text in enumerate(lines) if "sum += x[j]" in text)
        said = self.converse(("frame #0: .*row_mean", "continue"), ("frame #0: .*__asan_on_error", "bt"),
                             (f"x.so`row_mean.* at 01_layer_norm.c:{line}:", "kill\nquit"))
        # what the sanitizer itself prints comes through lldb when it pleases
        self.assertIn("__asan_on_error", said)

    def converse(self, *turns):
        """What was said, when each pattern was waited for and then answered."""
        environment = {**os.environ, "PATH": str(self.tools), "NO_COLOR": "1"}
        command = ["make", "-s", "debug", "LESSON=01"]
        said = ""
        with subprocess.Popen(command, cwd=self.copy.path, env=environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              start_new_session=True) as process:
            patience = threading.Timer(PATIENCE, os.killpg, (process.pid, signal.SIGKILL))
            patience.start()
            self.addCleanup(patience.cancel)
            for pattern, answer in turns:
                since = len(said)
                while not re.search(pattern, said[since:]):
                    line = process.stdout.readline()
                    self.assertTrue(line, f"it ended before {pattern}:\n{said}")
                    said += line
                process.stdin.write(answer + "\n")
                process.stdin.flush()
            return said + process.stdout.read()

    def test_without_one_it_says_how_to_get_one(self):
        self.write_wrong(*NO_SQUARE)
        run = self.debug()
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stderr, r"(?m)^make debug needs gdb or lldb, and neither can be started")
        self.assertRegex(run.stderr, r"(?m)^Get one with: apt-get install gdb \(on macOS: ")


if __name__ == "__main__":
    unittest.main()
