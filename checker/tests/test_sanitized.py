"""What make test SANITIZE_OURS=yes promises: our own programs stop at an error that only a sanitizer sees, and what one
says is a failure. What it finds is found by running it.
"""

import pathlib
import tempfile
import unittest
import unittest.mock

import sanitized
from workbook_copy import WorkbookCopy

CHECK = "build/01_layer_norm/check"
OVERRUN = ("    Report report = {.words = options->to_type};\n",
           "    volatile int given = 0, room[2] = {0};\n    given = room[given + 2];\n")
COMMAND = ["make", "-s", CHECK, "build/worker", "build/trial"]


class OurPrograms(unittest.TestCase):
    def test_stop_at_an_error_that_only_a_sanitizer_sees(self):
        copy = self.enterContext(WorkbookCopy())
        copy.keep_lessons("01")
        main = copy.read("checker/program/main.c")
        self.assertEqual(main.count(OVERRUN[0]), 1)
        copy.write("checker/program/main.c", main.replace(OVERRUN[0], "".join(OVERRUN)))
        (copy.path / "build/config.mk").unlink()
        environment = sanitized.environment()
        built = copy.run(COMMAND, env=environment)
        self.assertEqual(built.returncode, 0, built.stderr)
        said = copy.path / "said"
        environment["UBSAN_OPTIONS"] = environment["UBSAN_OPTIONS"].replace(str(sanitized.SAID), str(said))
        done = copy.run([CHECK, "--impl", "solutions/01_layer_norm.c"], env=environment)
        self.assertEqual(done.returncode, sanitized.EXIT, done.stdout)
        (report,) = said.iterdir()
        self.assertIn("index 2 out of bounds for type 'int [2]'", report.read_text())


class WhatASanitizerSays(unittest.TestCase):
    def test_is_a_failure_whatever_the_tests_say(self):
        with tempfile.TemporaryDirectory() as folder:
            for reports, code, wanted in ((0, 0, 0), (0, 1, 1), (1, 0, 1)):
                with self.subTest(reports=reports, code=code):
                    for number in range(reports):
                        (pathlib.Path(folder) / f"by.{number}").write_text("a report\n")
                    with unittest.mock.patch("builtins.print") as printed:
                        self.assertEqual(sanitized.verdict(code, pathlib.Path(folder)), wanted)
                    self.assertEqual("a report" in str(printed.mock_calls), bool(reports))
