"""The engine's unit tests in C: every test of every checker/tests/unit_*.c is a test here, and each
program's end is one. What make built is run: build/tests/unit_*.
"""

import functools
import pathlib
import re
import subprocess
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
LINE = re.compile(r"^\S+?:\d+:(\w+):(PASS|FAIL|IGNORE)(.*)$", re.M)


@functools.lru_cache(None)
def run(program):
    return subprocess.run([f"build/tests/{program}"], capture_output=True, text=True, timeout=1800)


def passes(program, name):
    def test(self):
        verdicts = {found: (verdict, text) for found, verdict, text in LINE.findall(run(program).stdout)}
        self.assertIn(name, verdicts, run(program).stdout + run(program).stderr)
        verdict, text = verdicts[name]
        if verdict == "IGNORE":
            self.skipTest(text.strip(": "))
        self.assertEqual(verdict, "PASS", text)
    return test


def ends_well(program, names):
    def test(self):
        done = run(program)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rf"(?m)^{len(names)} Tests 0 Failures \d+ Ignored")
    return test


def load_tests(loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for source in sorted(TESTS.glob("unit_*.c")):
        names = re.findall(r"RUN_TEST\((\w+)\)", source.read_text())
        methods = {f"test_{name.removeprefix('test_')}": passes(source.stem, name) for name in names}
        methods["test_it_runs_every_test_and_ends_with_code_0"] = ends_well(source.stem, names)
        suite.addTests(loader.loadTestsFromTestCase(
            type(source.stem, (unittest.TestCase,), methods)))
    return suite
