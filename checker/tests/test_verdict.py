"""What a verdict shows of a wrong answer, tried on small changes of the solutions."""

import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "tests" / "verdict"
ENGLISH = dict(os.environ, LC_ALL="C.UTF-8")


def failed(lesson, *changes, text=None):
    """The checks that fail when these parts of the solution are changed: (old, new) each."""
    text = text or (ROOT / "solutions" / f"{lesson}.c").read_text()
    for old, new in changes:
        if old not in text:
            raise AssertionError(f"solutions/{lesson}.c has no {old}")
        text = text.replace(old, new)
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / f"{lesson}.c"
    path.write_text(text)
    command = [f"build/{lesson}/check", "--impl", str(path.relative_to(ROOT)), "--format", "json",
               "--seed", "1"]
    result = subprocess.run(command, cwd=ROOT, env=ENGLISH, stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800)
    return [check for check in json.loads(result.stdout)["lessons"][0]["checks"]
            if check["status"] == "failed"]


class Neighbours(unittest.TestCase):
    def shown(self, lesson, *changes):
        """The lines of the first failed check in which numbers stand one below the other."""
        lines = failed(lesson, *changes)[0]["details"]
        return [line for line in lines if line.startswith("  ") and not line.startswith("   ")
                or line.strip() == "^"]

    def test_a_wrong_row_is_shown_whole_with_a_mark_under_the_worst_element(self):
        self.assertEqual(self.shown("01_layer_norm", ("gamma[j] * ", "(j ? 1 : 2) * ")), [
            "  x              10     50       20",
            "  gamma           1      1        1",
            "  beta            0      0        0",
            "  expected  -0.9806  1.373  -0.3922",
            "  got        -1.961  1.373  -0.3922",
            "                  ^"])

    def test_batch_norm_shows_the_column(self):
        self.assertEqual(self.shown("05_batch_norm", ("+ beta[j]", "+ beta[j] + (r == 1) * (j == 1)")), [
            "  x[r][1]       10     50  30",
            "  expected  -1.225  1.225   0",
            "  got       -1.225  2.225   0",
            "                        ^"])

    def test_group_norm_shows_the_group(self):
        lines = self.shown("09_group_norm", ("+ beta[first + c]", "+ 2 * beta[first + c] + 1"))
        self.assertEqual(len(lines[0].split()), 1 + 4, lines)

    def test_what_is_off_by_little_has_the_digits_that_show_it(self):
        lines = self.shown("01_layer_norm", ("+ beta[j]", "* 1.00001f + beta[j]"))
        marked = len(lines[-1])
        self.assertNotEqual(lines[-3][:marked].split()[-1], lines[-2][:marked].split()[-1], lines)

    def test_no_line_is_wider_than_a_terminal(self):
        for path in sorted((ROOT / "solutions").glob("*.c")):
            if "sqrtf(" not in path.read_text():
                continue
            with self.subTest(lesson=path.stem):
                for check in failed(path.stem, ("sqrtf(", "1.37f * sqrtf(")):
                    for line in check["details"]:
                        self.assertFalse(line.startswith("  ") and len(line) > 75, check["details"])


if __name__ == "__main__":
    unittest.main()
