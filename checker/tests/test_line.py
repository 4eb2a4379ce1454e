"""What is said to ordinary wrong programs, of which nothing here knows how they will be explained: slips.py.

Explained is a wrong program whose first failing check names a mistake, gives a plain reason (a crash, an
element never written), or shows the line that is wrong ("fix" in the JSON). The figures are printed.
"""

import concurrent.futures
import json
import re
import shutil
import subprocess
import unittest

import slips
from lesson_files import ROOT, names

SCRATCH = ROOT / "build" / "tests" / "line"
SEED = "1"
AT_ONCE = 2
# What is said instead of numbers, or beside them, and says why: explain.c. A crash has "ended_by".
PLAIN = re.compile(r"was never written|changed its input|in a static variable|"
                   r"is not defined in|0 / 0 gives: |first NaN is made in line|made from an element|made from memory that was never|nothing is subtracted from x, where|"
                   r"of these x\.")
RIGHT_LINES = 0.96  # of the lines that are shown; of two, one
REACHED = 0.85      # of the wrong programs are explained


class Verdict:
    """What the checker said of a program."""

    def __init__(self, program, report, code, unchanged):
        self.program, self.report, self.code, self.unchanged = program, report, code, unchanged
        self.failed = [check for check in report["checks"] if check["status"] == "failed"]
        self.fixes = [check["fix"] for check in report["checks"] if check.get("fix")]
        first = self.failed[0] if self.failed else {}
        self.named = bool(first.get("mistake"))
        self.plain = bool(first.get("ended_by")) or any(map(PLAIN.search, first.get("details", [])))
        fix = first.get("fix") or {}
        self.line = fix.get("line")
        self.other = (fix.get("other") or {}).get("line")

    def right(self):
        return bool(self.report["passed"]) and self.report["passed"] == len(self.report["checks"])

    def right_line(self):
        return self.line in self.program.lines or self.other in self.program.lines

    def explained(self):
        return self.named or self.plain or self.right_line()

    def words(self):
        """What a learner sees of it first."""
        shown = self.failed[0]["details"] if self.failed else [self.report["build_error"] or "passed"]
        return f"{self.report['source']}, {self.program.title}: {' / '.join(shown)}"


def graded(job):
    number, program = job
    path = SCRATCH / program.lesson / f"{number}.c"
    before = program.text.encode()
    path.write_bytes(before)
    command = [f"build/{program.lesson}/check", "--impl", str(path.relative_to(ROOT)), "--format", "json",
               "--seed", SEED]
    run = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=1800, check=False)
    try:
        report = json.loads(run.stdout)["lessons"][0]
    except (ValueError, KeyError, IndexError):
        raise AssertionError(f"{program.title}: no report, exit code {run.returncode}\n{run.stdout}{run.stderr}"
                             ) from None
    return Verdict(program, report, run.returncode, path.read_bytes() == before)


def verdicts(programs):
    """Of each program, computed two at once, in order."""
    programs = list(programs)
    for lesson in {program.lesson for program in programs}:
        (SCRATCH / lesson).mkdir(parents=True, exist_ok=True)
        shutil.copy(slips.SLIPS / "odd" / "own.h", SCRATCH / lesson)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(graded, enumerate(programs)))


def figures(title, found):
    shown = [verdict for verdict in found if verdict.line]
    larger = sum(verdict.program.larger for verdict in found)
    return (f"     {title}: {len(found)} wrong ({larger} of them larger): {sum(v.named for v in found)} named, "
            f"{sum(v.plain for v in found)} with a plain reason, {len(shown)} with a line, "
            f"{sum(v.right_line() for v in shown)} of these the right one: "
            f"{100 * sum(v.explained() for v in found) // max(len(found), 1)} % explained")


class Line(unittest.TestCase):
    maxDiff = None

    def test_a_right_program_of_any_style_passes_and_no_line_of_it_is_shown(self):
        for verdict in verdicts(style for lesson in slips.lessons() for style in slips.styles(lesson)):
            with self.subTest(f"{verdict.program.lesson}/{verdict.program.title}"):
                self.assertTrue(verdict.right(), verdict.words())
                self.assertEqual((verdict.code, verdict.fixes), (0, []))

    def test_every_wrong_program_fails_and_a_line_that_is_shown_is_the_wrong_one(self):
        every = []
        for lesson in slips.lessons():
            found = verdicts(slips.wrong(lesson))
            print(figures(lesson, found))
            every += found
        print(figures("all lessons", every))
        for verdict in every:
            with self.subTest(verdict.program.title):
                self.assertIsNone(verdict.report["build_error"])
                self.assertTrue(verdict.failed, f"nobody noticed: {verdict.report['source']}")
        shown = [verdict for verdict in every if verdict.line]
        with self.subTest("the right line"):
            astray = [verdict.words() for verdict in shown if not verdict.right_line()]
            self.assertLessEqual(len(astray), (1 - RIGHT_LINES) * len(shown), "\n".join(astray))
        with self.subTest("explained"):
            silent = [verdict.words() for verdict in every if not verdict.explained()]
            self.assertLessEqual(len(silent), (1 - REACHED) * len(every), "\n".join(silent))

    def test_a_slip_that_has_no_name_any_more_has_its_line(self):
        programs = [program for lesson in slips.lessons() for program in slips.by_line(lesson)]
        self.assertGreater(len(programs), 15)
        for verdict in verdicts(programs):
            with self.subTest(verdict.program.title):
                # What is set back belongs behind the line that is shown, in front of the loop that adds to it.
                lines = verdict.program.text.split("\n")
                in_front = [fix for fix in verdict.fixes[:1] if "set back" in fix["kind"]
                            for place in (fix, fix["other"]) if place and place["behind"] and
                            "".join(lines[place["line"]:]).lstrip().startswith("for (")]
                self.assertTrue(verdict.right_line() or in_front, verdict.words())
                self.assertFalse(verdict.named, verdict.words())

    def test_three_mistakes_in_one_function_get_no_change(self):
        self.no_change(slips.three())

    def test_a_half_written_program_gets_no_change(self):
        self.no_change(slips.half())

    def no_change(self, programs):
        for verdict in verdicts(programs):
            with self.subTest(verdict.program.title):
                self.assertTrue(verdict.failed)
                self.assertEqual([fix for fix in verdict.fixes if fix.get("to")], [])

    def test_an_odd_file_is_judged_like_any_other_and_stays_as_it_is(self):
        programs, kinds = zip(*slips.odd())
        for verdict, kind in zip(verdicts(programs), kinds):
            with self.subTest(verdict.program.title):
                self.assertTrue(verdict.unchanged, "the file was changed")
                self.assertEqual(verdict.code, 0 if verdict.right() else 1, verdict.words())
                self.assertIn(kind, ("either", "right" if verdict.right() else "wrong"), verdict.words())
                self.assertFalse(verdict.right() and verdict.fixes)

    def test_the_corpus_covers_every_lesson_of_the_first_eleven(self):
        self.assertEqual(slips.lessons()[:11], names()[:11])
        wrong = [len(slips.wrong(lesson)) for lesson in slips.lessons()]
        self.assertGreaterEqual(min(wrong), 12)
        self.assertGreaterEqual(min(len(list(slips.three())), len(slips.half())), 8)


if __name__ == "__main__":
    unittest.main()
