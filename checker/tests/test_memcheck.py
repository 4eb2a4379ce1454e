"""A lesson's program under valgrind's memcheck: nothing is read that was never written, and nothing beside what there
is. The worker is not: it is another program, and the sanitizers look at the learner's code there.
"""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from classroom import SOLUTION
from workbook_copy import ROOT, SCRATCH

CHECK = ["build/01_layer_norm/check", "--seed", "1", "--limit", "30", "--format", "json"]
MEMCHECK = ["valgrind", "--vgdb=no", "--child-silent-after-fork=yes"]


@unittest.skipUnless(shutil.which("valgrind"), "there is no valgrind here")
class UnderMemcheck(unittest.TestCase):
    def statuses(self, text, before=()):
        """Of the checks of a file with that text; the order is the lesson's."""
        (self.folder / "x.c").write_text(text)
        done = subprocess.run([*before, *CHECK, "--impl", self.folder / "x.c"], cwd=ROOT, text=True, check=False,
                              capture_output=True, timeout=1800)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return [check["status"] for check in json.loads(done.stdout)["lessons"][0]["checks"]]

    def compare(self, text, passed):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(dir=SCRATCH)))
        log = self.folder / "log"
        found = self.statuses(text, [*MEMCHECK, f"--log-file={log}"])
        self.assertIn("ERROR SUMMARY: 0 errors", log.read_text())
        self.assertEqual(found, self.statuses(text))
        self.assertEqual(found.count("passed"), passed)

    def test_a_right_file_is_graded_as_always_and_without_an_error(self):
        self.compare(SOLUTION, 9)

    def test_a_wrong_file_is_graded_as_always_and_without_an_error(self):
        self.compare(SOLUTION.replace("distance * distance", "distance * 1.000000f"), 2)


if __name__ == "__main__":
    unittest.main()
