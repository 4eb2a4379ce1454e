"""make mutate: its lists fit the code, and it tells what is noticed from what is not."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
import mutate
import run
from workbook_copy import WorkbookCopy

JUDGE = "checker/run/judge.c"
COMPARISON = "                : within(got, expected, want.e))"
NOTICE = "units: one wrong element is found"
LIST = f"""# a wrong number is right
{JUDGE}
- {COMPARISON}
+ {COMPARISON.replace("got", "expected", 1)}
! {NOTICE}

# two spaces, which nothing
# can notice
{JUDGE}
- {COMPARISON}
+ {COMPARISON.replace(": ", ":  ")}
! {NOTICE}

# no C
{JUDGE}
- {COMPARISON}
+ not C
! {NOTICE}

# no such text
{JUDGE}
- what was never there
+
! {NOTICE}

# no such test
{JUDGE}
- {COMPARISON}
+ {COMPARISON}
! units: what nobody asks

# out of order
- {COMPARISON}
{JUDGE}
"""


class Lists(unittest.TestCase):
    def test_every_change_fits_the_code_and_its_test_exists(self):
        tests = list(run.all_tests())
        for mutant in mutate.read_all():
            with self.subTest(mutant.place):
                self.assertIsNone(mutant.misfit(), mutant.what)
                self.assertTrue(run.chosen(tests, mutant.test), f"no test is called {mutant.test}")

    def test_there_are_at_least_a_hundred_and_none_twice(self):
        changes = [(mutant.file, str(mutant.patch.pairs)) for mutant in mutate.read_all()]
        self.assertGreaterEqual(len(changes), 100)
        self.assertEqual(len(set(changes)), len(changes))


class Mutate(unittest.TestCase):
    def test_it_tells_what_is_noticed_what_survives_and_what_is_broken(self):
        with WorkbookCopy() as copy:
            before = copy.read(JUDGE)
            copy.write("checker/tests/mutants/sample.txt", LIST)
            done = copy.run(["make", "-s", "mutate", "MUTANTS=sample"], timeout=1800)
            told = done.stdout
            self.assertRegex(told, r"\n1 noticed, 1 survived, 4 broken\n$")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(told, r"(?m)^noticed +sample.txt:1: a wrong number is right ")
            self.assertRegex(told, r"(?m)^survived +sample.txt:7: two spaces, which nothing can notice")
            for words in ("does not build", "0 times in", "fits no test", "in that order"):
                self.assertIn(words, told)
            self.assertEqual(copy.read(JUDGE), before)
            self.assertFalse(list((copy.path / "build/tests/mutate").iterdir()))

    def test_words_that_fit_no_change_are_told(self):
        with WorkbookCopy() as copy:
            done = copy.run(["python3", "checker/tests/mutate.py", "xyzzy"])
            self.assertEqual((done.returncode, done.stdout), (2, "No change fits xyzzy.\n"))


class Choosing(unittest.TestCase):
    """What TESTS= names."""

    def test_a_name_that_fits_nothing_is_said_and_runs_nothing(self):
        with WorkbookCopy() as copy:
            for name in ("xyzzy", "units:xyzzy", "units xyzzy"):
                done = copy.run(["python3", "checker/tests/run.py"], env={"TESTS": name})
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stdout, r"\ANo test is called .*xyzzy\. The files are (.*, )?build, (.*, )?code")

    def test_a_background_job_runs_what_depends_on_signals(self):
        with WorkbookCopy() as copy:
            done = copy.run("trap '' INT QUIT HUP; python3 checker/tests/run.py "
                            "'runner:ending the checker' 'keys:every signal'")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_unit_programs_failure_at_its_end_is_one(self):
        with WorkbookCopy() as copy:
            copy.write("checker/tests/unit_small.c", """/* One test that passes, and a bad end. */
#include "unity.h"
void setUp(void) {}
void tearDown(void) {}
static void it_passes(void) {}
int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(it_passes);
    return UNITY_END() + 3;
}
""")
            done = copy.run(["make", "-s", "build/tests/unit_small"])
            self.assertEqual(done.returncode, 0, done.stderr)
            done = copy.run(["python3", "checker/tests/run.py", "small"])
            self.assertEqual(done.returncode, 1)
            self.assertIn("\n1 passed, 1 failed\n", done.stdout)

    def test_a_failure_says_which_versions_there_are_of_what_its_file_and_its_imports_name(self):
        with WorkbookCopy() as copy:
            copy.write("checker/tests/test_small.py", '''"""One that fails."""
import unittest

import middle


class Small(unittest.TestCase):
    def test_it_fails(self):
        for number in (1, 2):
            with self.subTest(number):
                self.assertEqual(middle.JQ, "tmux and shellcheck")
''')
            copy.write("checker/tests/middle.py", "JQ = 'bash'\n")
            (copy.path / "bin").mkdir()
            for name, says in (("tmux", "-V) echo tmux 7.1"), ("shellcheck", "--version) echo its name; echo version 8"),
                               ("bash", "--version) echo none"), ("gdb", "--version) echo gdb 3")):
                copy.write(f"bin/{name}", f"#!/bin/sh\ncase $1 in\n{says} ;;\n*) exit 1 ;;\nesac\n")
                (copy.path / "bin" / name).chmod(0o755)
            done = copy.run(["python3", "checker/tests/run.py", "small:it fails"],
                            env={"PATH": f"{copy.path}/bin:{os.environ['PATH']}"})
            said = r"     With these versions:\n     .+: .*\d.*\n     bash: says no version\n" \
                   r"     shellcheck: version 8\n     tmux: tmux 7\.1\n"
            self.assertEqual(len(re.findall(said, done.stdout)), 2, done.stdout)
            self.assertIn("\n0 passed, 2 failed\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
