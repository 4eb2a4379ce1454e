"""checker/labs/lab.h, the page for whoever writes a lab: the lab that it shows is built and run."""

import csv
import re
import unittest

import lesson_files
from workbook_copy import WorkbookCopy

LESSON = "01_layer_norm"


def shown():
    """The lines of the page's comment that are indented, from its first #include on."""
    page = (lesson_files.ROOT / "checker/labs/lab.h").read_text().split("*/")[0]
    lines = re.findall(r"^ \*(?:     (.*))?$", page[page.index(" *     #include"):], re.MULTILINE)
    return "\n".join(lines).rstrip() + "\n"


class Page(unittest.TestCase):
    def test_the_lab_that_it_shows_runs_as_it_stands_there(self):
        copy = self.enterContext(WorkbookCopy())
        self.assertFalse((copy.path / f"checker/lessons/{LESSON}/lab.c").exists())
        copy.write(f"checker/lessons/{LESSON}/lab.c", shown())
        lab = copy.make("lab", LESSON="01")
        self.assertEqual((lab.returncode, lab.stderr), (0, ""))
        self.assertIn("\nThe error, far from zero:\n", lab.stdout)
        self.assertRegex(lab.stdout, r"Relative error +1 +10 .* 1e\+06  from zero\n")
        for curve, most in (("about the mean", 0.01), ("about one of them", 1.1)):
            errors = re.search(rf"\n  {curve}((?: +\d\.\de[-+]\d\d){{7}})\n", lab.stdout)[1].split()
            self.assertLessEqual(max(map(float, errors)), most)
        with self.subTest("the file of numbers"):
            numbers = copy.read(f".workbook/lab/{LESSON}.csv").splitlines()
            rows = list(csv.DictReader(numbers))
            self.assertEqual(len(rows), 2 * 5 * 7)
            self.assertEqual({float(row["offset"]) for row in rows if row["seed"] == "3"},
                             {10.0 ** i for i in range(7)})


if __name__ == "__main__":
    unittest.main()
