"""why: the section on the mistake that was named, or on the kind of slip; and lessons/slips.md, which says once
for all lessons what is said of a slip."""

import re
import subprocess
import tempfile
import unittest

import lesson_files
from lesson_files import CC, ROOT
from workbook_copy import WorkbookCopy

SLIPS = ROOT / "lessons" / "slips.md"
FIRST = "01_layer_norm"
# What is changed in the solution of lesson 01.
N_MINUS_1 = ("return sum / (float)features;\n}\n\n/* y,", "return sum / (float)(features - 1);\n}\n\n/* y,")
TWO = ("gamma[j] * (row[j] - mean) * rstd + beta[j]", "gamma[j] * (row[j] - mean) / rstd")
SLIP = ("distance * distance", "distance + distance")
NONSENSE = ("return sum / (float)features;\n}\n\n/* x", "return 7.0f * x[0] * x[0] * sum - 3.0f;\n}\n\n/* x")
PAST_THE_END = ("j < features", "j <= features")
BROKEN = ("sum +=", "sun +=")


def headings():
    text = re.sub(r"^```.*?^```$", "", SLIPS.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


class Why(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.solution = cls.copy.read(f"solutions/{FIRST}.c")

    def why(self, *changes, **variables):
        text = self.solution
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.copy.write("mine.c", text)
        return self.copy.make("why", LESSON="01", IMPL="mine.c", **variables)

    def test_the_section_on_the_mistake_is_shown_with_its_example_and_no_other_section(self):
        run = self.why(N_MINUS_1)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertTrue(run.stdout.startswith("❌ row_variance averages the squared distances\n"), run.stdout)
        said = " ".join(run.stdout.split())
        for words in ("Dividing the variance by n - 1", "The examples use the row 10, 50, 20.", "you get 433.3333"):
            self.assertEqual(said.count(words), 1, run.stdout)
        self.assertEqual(run.stdout.count("\n──"), 1, run.stdout)
        self.assertNotIn("\033", run.stdout)

    def test_two_mistakes_have_both_their_sections(self):
        said = " ".join(self.why(TWO).stdout.split())
        for words in ("deviation ──", "Beta left out ──", "The examples use the row"):
            self.assertEqual(said.count(words), 1, said)

    def test_where_there_is_only_a_line_its_kind_of_slip_is_explained(self):
        run = self.why(SLIP)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("\n     line 22: another operator is needed\n", run.stdout)
        self.assertIn("\nAnother operator is needed\n──", run.stdout)
        self.assertIn("7.5 and not 120", run.stdout)
        self.assertNotIn("A comparison", run.stdout)

    def test_where_nothing_is_named_it_says_so_and_what_to_do(self):
        for change, words, code in ((NONSENSE, 'No mistake is known that "row_mean averages one row" fails by', 2),
                                    (PAST_THE_END, "read 4 bytes past the end of x", 2),
                                    (BROKEN, "mine.c does not compile, so no check was run.", 2)):
            with self.subTest(words):
                run = self.why(change)
                self.assertIn(words, " ".join(run.stdout.split()))
                self.assertEqual("`make hint` gives a hint" in " ".join(run.stdout.split()), change != BROKEN)
                self.assertEqual(run.returncode, code)
        self.assertIn("still the stub", self.copy.make("why", LESSON="02").stdout)

    def test_a_pass_needs_no_explanation(self):
        run = self.why()
        self.assertEqual((run.stdout, run.returncode), ("Every check passes: there is nothing to explain.\n", 0))

    def test_a_function_is_explained_alone(self):
        self.assertIn("Every check passes", self.why(N_MINUS_1, STEP="row_mean").stdout)

    def test_the_prompt_has_it_too_in_its_own_words(self):
        self.copy.write("mine.c", self.solution.replace(*NONSENSE))
        self.copy.write(f"exercises/{FIRST}.c", self.solution.replace(*N_MINUS_1))
        run = self.copy.run("printf 'why\\nwhy mine.c\\nwhy 02\\n' | make -s start")
        self.assertIn("Dividing the variance by n - 1\n──", run.stdout)
        self.assertIn("`hint` gives a hint", run.stdout)
        self.assertNotIn("make hint", run.stdout)
        self.assertIn("exercises/02_backward.c is still the stub", run.stdout)

    def test_a_lesson_without_a_text_on_its_mistakes_shows_the_kind_of_slip(self):
        path = self.copy.path / "lessons" / f"{FIRST}.mistakes.md"
        text = path.read_text()
        path.unlink()
        run = self.why(N_MINUS_1)
        path.write_text(text)
        self.assertIn("A count is one off\n──", run.stdout, run.stderr)

    def test_it_is_no_lesson(self):
        listed = self.copy.make("lessons").stdout
        self.assertEqual(len(re.findall(r"(?m)^\S+ \d\d ", listed)), len(lesson_files.names()), listed)
        self.assertNotIn("lips", listed)


class Slips(unittest.TestCase):
    def test_every_kind_of_slip_has_a_section_and_every_section_a_kind(self):
        words = (ROOT / "checker" / "line" / "words.c").read_text()
        words = words.split("kind_words(", 1)[1].split("\n}\n", 1)[0]
        kinds = re.findall(r'^ +\[\w+\] = "(.*)",$', words, re.MULTILINE)
        self.assertGreater(len(kinds), 20)
        self.assertEqual(sorted(headings()), sorted(kind[0].upper() + kind[1:] for kind in kinds))

    def test_every_section_has_an_example_that_prints_what_it_says(self):
        text = SLIPS.read_text()
        for section in text.split("\n## ")[1:]:
            heading = section.split("\n", 1)[0]
            with self.subTest(heading):
                [(code, output)] = re.findall(r"^```c run\n(.*?)^```\n```output\n(.*?)^```$", section,
                                              re.MULTILINE | re.DOTALL)
                self.assertEqual(self.printed_by(code), output)
                self.assertRegex(output, r"\d")

    def printed_by(self, code):
        text = f"#include <math.h>\n#include <stdio.h>\nint main(void)\n{{\n{code}\n}}\n"
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/slip"
            compiled = subprocess.run([CC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-x", "c", "-", "-o",
                                       program, "-lm"], input=text, text=True, capture_output=True)
            return compiled.stderr or subprocess.run([program], text=True, capture_output=True).stdout

    def test_it_speaks_of_no_lesson(self):
        text = SLIPS.read_text().lower()
        functions = {name for lesson in lesson_files.names() for name in lesson_files.Lesson(lesson).functions()}
        for word in sorted(functions - {"linear", "attention"}) + ["gamma", "beta", "variance", "epsilon", "rstd"]:
            self.assertNotRegex(text, rf"\b{word}\b")


if __name__ == "__main__":
    unittest.main()
