"""make grade's report.html: what to teach again. How hard each check was and how well it tells, mistakes with a line
that says no name, questions, the class before; and the page in a browser and on paper.
"""

import html
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import unittest

import classroom
from classroom import FILE, SOLUTION, STUB, changed
from grading import grade
from workbook_copy import SCRATCH

DIVIDED = re.sub(r"(?s)(distance \* distance.*?)\(float\)features", r"\1(float)(features - 1)", SOLUTION, count=1)
NO_BETA = changed("rstd + beta[j]", "rstd")
SQUARED = changed("distance * distance", "distance + distance")


def correlation(xs, ys):
    return statistics.correlation(xs, ys) if len(set(xs)) > 1 and len(set(ys)) > 1 else math.nan


class Teaching(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        cls.folder = tempfile.TemporaryDirectory(dir=SCRATCH, prefix="teach.")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        cls.write("last", {"right": (SOLUTION, 1), "divided": (DIVIDED, 3), "stub": (STUB, 2)})
        cls.write("this", {"right": (SOLUTION, 6), "divided": (DIVIDED, 3), "squared": (SQUARED, 5), "no_beta": (NO_BETA, 2),
                           "stub": (STUB, 2),
                           "typo": (SOLUTION.replace("sum +=", "sun +=", 1), 2)})
        cls.last = cls.graded("last", LINES="no")
        cls.out = cls.graded("this", BEFORE=str(cls.last))
        cls.report = (cls.out / "report.html").read_text()
        cls.document = json.loads((cls.out / "grades.json").read_text())

    @classmethod
    def write(cls, room, students):
        for kind, (text, count) in students.items():
            for number in range(count):
                place = cls.path / room / f"Mallory {kind}{number}"
                place.mkdir(parents=True)
                (place / FILE).write_text(f"{text}/* {number} */\n")

    @classmethod
    def graded(cls, room, **variables):
        done = grade(cls.path / room, cls.path / f"{room}-grades", **variables)
        assert done.returncode == 0, done.stderr
        return cls.path / f"{room}-grades"

    def rows(self):
        table = re.search(r"<h3>Each check</h3>.*?<table>(.*?)</table>", self.report, re.DOTALL)[1]
        return [[html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)]
                for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]]

    def test_each_check_has_its_difficulty_and_how_it_goes_with_the_rest(self):
        run = [student["lessons"][0]["checks"] for student in self.document["students"]
               if student["lessons"][0]["passed"] + student["lessons"][0]["failed"]]
        self.assertEqual(len(run), 16)
        self.assertIn("Of 16 whose code compiles", self.report)
        rows = self.rows()
        self.assertEqual(len(rows), classroom.TOTAL)
        different = set()
        for number, (share, failed, tells, before, _) in enumerate(rows):
            own = [float(checks[number] == "passed") for checks in run]
            rest = [checks.count("passed") - mine for checks, mine in zip(run, own)]
            self.assertEqual(share, f"{100 * sum(own) / len(own):.0f} %")
            self.assertEqual(int(failed), sum(checks[number] == "failed" for checks in run))
            expected = correlation(own, rest)
            self.assertEqual(tells, "–" if math.isnan(expected) else f"{expected:.2f}")
            self.assertRegex(before, r"^\d+ % \([+-]\d+\)$")
            different.add((share, tells))
        self.assertGreater(len(different), 1)

    def test_the_class_before_stands_beside_this_one(self):
        self.assertIn("Beside it the class before, of 4.", self.report)
        self.assertEqual(self.rows()[2][3], "25 % (+25)")  # 1 of 4 then, 8 of 16 now
        self.assertEqual(self.rows()[0][3], "100 % (+0)")

    def test_the_commonest_mistakes_come_first_with_a_line_and_no_name(self):
        part = self.report.partition("<h3>What to teach again</h3>")[2].partition("<h3>Not handed in")[0]
        teach, _, questions = part.partition("<h3>Questions worth asking in the next lecture</h3>")
        self.assertLess(teach.index(">another operator is needed<"),
                        teach.index(">the variance is divided by n - 1 (n_minus_1)<"))
        self.assertIn("row_variance: sum += distance + distance;", html.unescape(teach))
        self.assertIn("row_variance: return sum / (float)(features - 1);", html.unescape(teach))
        self.assertIn('<td class="n">5</td>', teach)
        self.assertIn("In <code>row_variance</code>, of a line like <code>sum += distance + distance;</code> (5 made the "
                      "mistake): Read the line beside the formula, sign by sign", questions)
        self.assertNotIn("Mallory", teach + questions.partition("</ul>")[0])

    def test_what_is_no_former_class_is_refused(self):
        (self.path / "grades.json").write_text("[1, 2")
        for before, words in ((self.path, "was not written by make grade"), (self.path / "none", "No such file"),
                              (self.path / "this" / "Mallory right0" / FILE, "was not written by make grade")):
            done = grade(self.path / "this", self.out, BEFORE=str(before))
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_of_many_lessons_each_has_one_column_and_every_page_of_it_its_heading(self):
        """Two columns of each of 16 would not fit on paper."""
        (self.path / "many" / "ada").mkdir(parents=True)
        out = self.graded("many", LESSONS="01 02 03 04 05 06", LINES="no")
        students = (out / "report.html").read_text().partition("<h2>Students</h2>")[2]
        self.assertEqual(students.partition("</thead>")[0].count("</th>"), 7)
        self.assertIn('<table class="wide">\n<thead><tr><th>student</th><th class="n">01</th>', students)
        self.assertEqual(students.count('<td class="n">0<br>missing</td>'), 6)
        few = self.report.partition("<h2>Students</h2>")[2]
        self.assertIn('<table>\n<thead><tr><th>student</th><th class="n">01</th><th></th></tr></thead>', few)

    def pages(self, path):
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.path}/c",
                        f"--print-to-pdf={self.path}/page.pdf", f"file://{path}"], check=True, timeout=1800,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return (self.path / "page.pdf").read_bytes().count(b"/Type /Page\n")

    @unittest.skipUnless(shutil.which("chromium"), "there is no chromium here")
    def test_it_can_be_printed(self):
        self.assertIn(self.pages(self.out / "report.html"), range(2, 6))

    @unittest.skipUnless(shutil.which("chromium"), "there is no chromium here")
    def test_a_students_page_begins_below_the_name_and_shows_what_there_is_to_read(self):
        self.assertEqual(self.pages(self.out / "feedback" / "Mallory right0.html"), 1)
        wrong = self.out / "feedback" / "Mallory squared0.html"
        folded = self.path / "folded.html"
        folded.write_text(wrong.read_text().replace("details::details-content", "none"))
        self.assertIn("<details>", wrong.read_text())
        self.assertGreater(self.pages(wrong), 0)
        self.assertGreater((self.pages(wrong), (self.path / "page.pdf").stat().st_size),
                           (self.pages(folded), (self.path / "page.pdf").stat().st_size))


if __name__ == "__main__":
    unittest.main()
