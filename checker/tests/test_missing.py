"""A lesson that is not whole: what a teacher has on the way to one is graded, what it lacks is listed,
and a lesson that is broken stops no other.
"""

import sys
import unittest

sys.dont_write_bytecode = True
import small_lesson as small
from workbook_copy import WorkbookCopy

WRONG = ("- sum / (float)features", "- sum")
# What can be missing, in the order in which it is worth adding: the file, or the words in lesson.c
# and what stands there instead; and how it is listed.
PARTS = [(small.TEXT, None, small.TEXT),
         (small.REFERENCE, None, small.REFERENCE),
         (small.VECTORS, None, small.VECTORS),
         (small.HINTS, None, small.HINTS),
         (small.LESSON, ("checks, mistakes,", "checks, NULL,"), "mistakes"),
         (small.SAID, None, small.SAID)]
NEVER = [f"checker/lessons/{small.NAME}/{name}" for name in ("wrong.txt", "right.c")]
# Ways to break a lesson: the file, what in it, what stands there instead, what is said.
BROKEN = [(small.LESSON, "enum {", "enm {", "its lesson.c does not compile"),
          (small.LESSON, "run.h", "no_such.h", "its lesson.c does not compile"),
          (small.HEADER, "int rows,", "long rows,", f"{small.HEADER}:5: expected float or int"),
          (small.HEADER, None, None, f"{small.HEADER}"),
          (small.VECTORS, "]}}", "]}", f"{small.VECTORS} is not JSON"),
          (small.LESSON, '"center", center_oracle', '"centre", center_oracle', "no oracle"),
          (small.SOLUTION, None, None, None)]


class Missing(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        self.copy.add_lesson(small.NAME, small.FILES)
        solution = small.FILES[small.SOLUTION]
        self.assertIn(WRONG[0], solution)
        self.copy.write("wrong.c", solution.replace(*WRONG))

    def take_away(self, path, change):
        if change is None:
            (self.copy.path / path).unlink()
        else:
            text = self.copy.read(path)
            self.assertIn(change[0], text)
            text = text.replace(*change).replace("static const Mistake mistakes[] = {",
                                                 "extern const Mistake unused[];\n#define UNUSED {", 1)
            head, tail = text.split("#define UNUSED {", 1)
            self.copy.write(path, head + tail.split("};\n", 1)[1])

    def expect_graded(self):
        right = self.copy.make("check", LESSON="99", IMPL="solutions")
        self.assertRegex(right.stdout, "[1-9] passed, 0 failed   ", right.stderr)
        wrong = self.copy.make("check", LESSON="99", IMPL="wrong.c")
        self.assertRegex(wrong.stdout, r"y\[\d\]\[\d\]: expected", wrong.stderr)
        self.assertIn("❌ center takes off the mean", wrong.stdout)
        stub = self.copy.make("check", LESSON="99")
        self.assertIn("is still the stub that was handed out", stub.stdout)
        self.assertEqual(self.copy.make("hint", LESSON="99").returncode == 0,
                         (self.copy.path / small.HINTS).exists())

    def listed(self):
        run = self.copy.make("verify", LESSON="99")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("99_center is fit to hand out", run.stdout)
        lines = [line for line in run.stdout.splitlines() if "it lacks" in line]
        self.assertEqual(len(lines), 1, run.stdout)
        return lines[0].split(": ", 1)[1].split(", ")

    def test_each_part_may_be_missing_and_is_listed_in_the_order_of_its_worth(self):
        self.assertEqual(self.listed(), NEVER)
        gone = []
        for path, change, name in reversed(PARTS):
            with self.subTest(gone=name):
                self.take_away(path, change)
                gone.insert(0, name)
                self.expect_graded()
                self.assertEqual(self.listed(), gone + NEVER)

    def test_what_no_lesson_can_do_without_is_said(self):
        (self.copy.path / small.SOLUTION).unlink()
        run = self.copy.make("verify", LESSON="99")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(f"{small.SOLUTION} is missing", run.stdout)

    def test_a_function_without_vectors_is_listed(self):
        text = self.copy.read(small.LESSON)
        self.copy.write(small.LESSON, text.replace('.vectors = "small"}', ".draw = draw_center}"))
        self.assertEqual(self.listed(), ["vectors for every step", *NEVER])

    def test_what_is_not_there_is_not_pointed_at(self):
        named = self.copy.make("check", LESSON="99", IMPL="wrong.c").stdout
        self.assertIn(f'     Divide it: {small.SAID}, "The sum for the mean".\n', named)
        (self.copy.path / small.SAID).unlink()
        self.assertIn("     Divide it.\n", self.copy.make("check", LESSON="99", IMPL="wrong.c").stdout)
        (self.copy.path / small.TEXT).unlink()
        self.assertIn(f"Read {small.HEADER}, then write center", self.copy.make("check", LESSON="99").stdout)

    def test_a_broken_lesson_is_named_and_stops_no_other(self):
        others = 2
        self.copy.keep_lessons("01", "02")
        for path, old, new, words in BROKEN:
            text = self.copy.read(path)
            with self.subTest(path=path, new=new):
                if old is None:
                    (self.copy.path / path).unlink()
                else:
                    self.assertIn(old, text)
                    self.copy.write(path, text.replace(old, new, 1))
                other = self.copy.make("check", LESSON="01", IMPL="solutions")
                self.assertEqual(other.returncode, 0, other.stdout + other.stderr)
                all_of_them = self.copy.make("check-all", IMPL="solutions")
                said = all_of_them.stdout + all_of_them.stderr
                self.assertIn("01  Layer Normalization", said)
                self.assertIn(f"{others} of {others + 1} lessons passed", said)
                self.assertNotEqual(all_of_them.returncode, 0)
                own = self.copy.make("check", LESSON="99", IMPL="wrong.c")
                self.assertNotEqual(own.returncode, 0)
                if words:
                    self.assertIn(words, own.stdout + own.stderr)
                listed = self.copy.make("lessons")
                self.assertEqual(listed.returncode, 0, listed.stderr)
                self.assertRegex(listed.stdout, "(?m)^. *99 ")
            self.copy.write(path, text)
        whole = self.copy.make("check-all", IMPL="solutions")
        self.assertIn(f"{others + 1} of {others + 1} lessons passed", whole.stdout, whole.stderr)


if __name__ == "__main__":
    unittest.main()
