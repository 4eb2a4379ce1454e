"""The reports that are grades (checker/run/report_grades.c), whatever the learner's code printed in them.
test_formats.py reads them as they come out of each place's own scripts.
"""

import json
import subprocess
import unittest

import test_reports

setUpModule = test_reports.setUpModule


class Grades(unittest.TestCase):
    def test_any_bytes_give_a_valid_document(self):
        for form in ("gradescope", "classroom50"):
            for text, output in test_reports.hostile_reports(form):
                with self.subTest(form=form, text=text[:20]):
                    tests = json.loads(output.decode("utf-8"))["tests"]
                    self.assertEqual([test["score"] for test in tests], [1, 0, 0])

    def test_no_bytes_are_a_line_that_vpl_reads(self):
        for text, output in test_reports.hostile_reports("vpl"):
            with self.subTest(text=text[:20]):
                first, title, *verdict, last, grade = output.decode("utf-8").splitlines()
                self.assertEqual((first, last, grade), ("<|--", "--|>", "Grade :=>> 33.33"))
                self.assertEqual(title, "-Lesson 01: 1 of 3 checks passed")
                self.assertTrue(all(line.startswith(">") for line in verdict))

    def test_what_was_not_graded_is_no_grade(self):
        for form in ("gradescope", "classroom50", "vpl"):
            with self.subTest(form=form):
                run = subprocess.run([test_reports.DRIVER, form, "not_graded=the disk is full"], stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(run.stdout, "")
                self.assertIn("there is no grade: the disk is full", run.stderr)


if __name__ == "__main__":
    unittest.main()
