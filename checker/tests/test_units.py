"""The engine's unit tests in C: every build/tests/unit_* is run, and each of its tests counted."""

import pathlib
import re
import subprocess
import unittest

LINE = re.compile(r"^\S+?:\d+:(\w+):(PASS|FAIL|IGNORE)(.*)$", re.M)


class Units(unittest.TestCase):
    def test_every_unit_test_in_c_passes(self):
        programs = sorted(pathlib.Path("build/tests").glob("unit_*"))
        self.assertTrue(programs)
        for source in pathlib.Path("checker/tests").glob("unit_*.c"):
            self.assertIn(source.stem, [program.name for program in programs])
        for program in programs:
            run = subprocess.run([program], capture_output=True, text=True, timeout=120)
            tests = LINE.findall(run.stdout)
            with self.subTest(f"{program.name} runs to its end"):
                self.assertRegex(run.stdout, rf"(?m)^{len(tests)} Tests \d+ Failures 0 Ignored")
            for name, verdict, message in tests:
                with self.subTest(name):
                    self.assertEqual(verdict, "PASS", message)
