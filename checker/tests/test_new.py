"""make new: what it writes works, and it writes over nothing. checker/lessons/README.md goes on from there,
and is executed by test_readme.
"""

import re
import unittest

from workbook_copy import WorkbookCopy

NAME = "18_my_norm"
ORACLE = """static void scaling(Case *c, Mistakes m)
{
    (void)m;
    for (int i = 0, n = size_of(c, "features"); i < size_of(c, "rows") * n; i++)
        wanted(c, "y")[i] = mul(exact(given(c, "gamma")[i % n]), exact(given(c, "x")[i]));
}

"""


class New(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())

    def files(self):
        return {str(path.relative_to(self.copy.path)): path.read_bytes()
                for folder in ("include", "solutions", "exercises", "lessons", "checker")
                for path in (self.copy.path / folder).rglob("*") if path.is_file()}

    def test_what_it_writes_is_fit_to_hand_out_and_is_listed_as_written(self):
        before = self.files()
        made = self.copy.make("new", LESSON=NAME)
        self.assertEqual(made.returncode, 0, made.stderr)
        new = self.files()
        self.assertEqual({path: new[path] for path in before}, before)
        said = {line.strip() for line in made.stdout.splitlines() if line.startswith("  ")}
        self.assertEqual(said, set(new) - set(before))
        for path in said:
            text = new[path].decode()
            self.assertNotIn("new_norm", text, path)
            self.assertNotRegex(text, "(?i)lesson 00", path)
        verified = self.copy.make("verify", LESSON="18")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertIn("0 broken promises", verified.stdout)
        self.assertIn("18  My Norm", self.copy.make("check-all", IMPL="solutions").stdout)
        self.assertIn("Hint 1 of 3 for my_norm", self.copy.make("hint", LESSON="18").stdout)

    def test_an_oracle_gives_the_right_answers_and_the_formulas_those_with_a_mistake(self):
        self.copy.make("new", LESSON=NAME)
        path = f"checker/lessons/{NAME}/lesson.c"
        text = self.copy.read(path).replace('{"my_norm"}', '{"my_norm", scaling}').replace(
            "static const Step", ORACLE + "static const Step")
        self.copy.write(path, text)
        verified = self.copy.make("verify", LESSON="18")
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertIn("1 formula with the oracle's numbers\n  2 mistakes", verified.stdout)
        self.copy.write(path, text.replace("mul(", "add("))
        refused = self.copy.make("verify", LESSON="18")
        self.assertIn("the formula of my_norm does not give the oracle's y[0][0]", refused.stdout)

    def test_another_way_that_leads_elsewhere_is_told_with_its_line(self):
        self.copy.make("new", LESSON=NAME)
        path = f"lessons/{NAME}.formulas"
        text = self.copy.read(path)
        right = "y[r, j] = gamma[j] * x[r, j]\n"
        for way, said in (("x[r, j] * gamma[j]", None), ("x[r, j] * gamma[0]", f"BROKEN {path}:2: what stands behind")):
            self.copy.write(path, text.replace(right, f"{right[:-1]}, or {way}\n", 1))
            run = self.copy.make("verify", LESSON="18")
            self.assertEqual(run.returncode, 2 if said else 0, run.stdout)
            self.assertIn(said or "0 broken promises", run.stdout)

    def test_a_formula_that_is_not_the_derivative_is_told_with_its_line_and_numbers_to_try(self):
        self.copy.make("new", LESSON=NAME)
        path = f"lessons/{NAME}.formulas"
        text = self.copy.read(path)
        for right, wrong, line, output in (
                ("dx[r, j]  = gamma[j] *", "dx[r, j]  = gamma[0] *", 7, "dx"),
                ("dgamma[j] = sum over r of dy[r, j] *", "dgamma[j] = average over r of dy[r, j] *", 8, "dgamma")):
            self.copy.write(path, text.replace(right, wrong))
            run = self.copy.make("verify", LESSON="18")
            self.assertEqual(run.returncode, 2)
            said = re.search(rf"BROKEN {path}:{line}: {output} of my_norm_backward is not the derivative of my_norm:\n"
                             rf"  ({output}[][0-9]+) is (\S+), and the slope (\S+)\. To see it: (try .*)\n", run.stdout)
            self.assertIsNotNone(said, run.stdout)
            place, given, slope, words = said.groups()
            tried = self.copy.run([f"build/{NAME}/check", "--impl", f"solutions/{NAME}.c", "--try",
                                   words.removeprefix("try ")]).stdout
            name, column = place.rpartition("[")[::2]
            rows = re.search(rf"  {re.escape(name)} .*\n.* reference (.*)\n.* numeric (.*)\n", tried)
            self.assertIsNotNone(rows, tried)
            self.assertEqual([numbers.split()[int(column[:-1])] for numbers in rows.groups()], [given, slope])

    def test_it_writes_over_nothing(self):
        for path in (f"lessons/{NAME}.hints", f"checker/lessons/{NAME}/stub.c", f"include/{NAME}.h"):
            with self.subTest(path):
                self.copy.write(path, "mine")
                before = self.files()
                made = self.copy.make("new", LESSON=NAME)
                self.assertNotEqual(made.returncode, 0)
                self.assertIn(f"{path} is there already. Nothing was written.", made.stderr)
                self.assertEqual(self.files(), before)
                (self.copy.path / path).unlink()

    def test_a_name_or_a_number_that_can_not_be_is_refused(self):
        before = self.files()
        for name, words in (("", "two digits and a name"), ("my_norm", "two digits and a name"),
                            ("1_my_norm", "two digits"), ("18_", "two digits"),
                            ("18_2fast", "two digits"), ("18_My", "two digits"),
                            ("18_my norm", "becomes a function's name"),
                            ("18_a/../../b", "becomes a function's name"),
                            ("18_$(touch x)", "two digits"), ("18_a`touch x`", "becomes a function's"),
                            ("05_mine", "There is a lesson 05 already")):
            with self.subTest(name):
                made = self.copy.make("new", LESSON=name)
                self.assertNotEqual(made.returncode, 0)
                self.assertIn(words, made.stderr)
        self.assertEqual(self.files(), before)
        self.assertFalse((self.copy.path / "x").exists())


if __name__ == "__main__":
    unittest.main()
