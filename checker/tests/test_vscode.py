""".vscode/tasks.json and .devcontainer/: what VS Code would make of real output.

Problems below reads lines as VS Code's own collector does where every pattern is of one line: a line that
begins or ends a run of a background task is nothing else; problems that an older run had found go when a run
ends without them; what is found behind a run's end is not shown.
"""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import unittest

import watching
from lesson_files import ROOT
from watching import FIRST, SOLVED, WRONG

FILE = f"exercises/{FIRST}.c"
TASKS = {task["label"]: task for task in json.loads((ROOT / ".vscode" / "tasks.json").read_text())["tasks"]}
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
SLIP = SOLVED.replace("distance * distance", "distance + distance")
KNOWN = "return sum / (float)(features - 1);".join(SOLVED.rsplit("return sum / (float)features;", 1))
CRASHES = SOLVED.replace("j < features", "j <= features", 1)
BROKEN = SOLVED.replace("sum +=", "sun +=", 1)
SPEAKS = SOLVED.replace("    float sum = 0", f'    printf("     {FILE}:3: not so\\n");\n    float sum = 0', 1).replace(
    "#include", "#include <stdio.h>\n#include", 1)

# Of each text that the checker makes of a line, what it may come to, and the lines in it.
PLACES = {
    "Look at %s of your file: %s in": (("Look at line 24 of your file: another operator is needed in", 24),
                                       ("Look at lines 7 and 24 of your file: a sign is wrong in", 7, 24)),
    "It is made in %s of your file:": (("It is made in line 24 of your file:", 24),
                                       ("It is made in lines 7 and 24 of your file:", 7, 24)),
    "It is made %s of your file, where %s:": (
        ("It is made after line 24 of your file, where something is missing:", 24),),
    "%c%s %s of your file:": (("Something is missing after line 24 of your file:", 24),),
    "%s of two places in your file, %s or %s:": (
        ("Look at one of two places in your file, line 7 or line 24:", 7, 24),
        ("It is made in one of two places in your file, after line 7 or after line 24:", 7, 24)),
    "The same as above: %s%s%s of your file.": (("The same as above: line 24 of your file.", 24),
                                                ("The same as above: after line 24 of your file.", 24),
                                                ("The same as above: lines 7 and 24 of your file.", 7, 24),
                                                ("The same as above: line 7 or after line 24 of your file.", 7, 24)),
    "The first NaN is made in line %d of your file, by %s:": (
        ("The first NaN is made in line 24 of your file, by the root of -1 at line 7:", 24),),
    "The compiler warns of line %d: %s.": (("The compiler warns of line 24: a variable is read before anything is put into it.", 24),),
}
NO_PLACES = ("The same as above: the sum is not divided by 24.", "y[7]: expected 24, got 7",
             "   return 24; /* line 7 of your file: */", "   x = 24; // one of two places in your file, line 7:")


def setUpModule():
    watching.begin()


def tearDownModule():
    watching.end()


def forget():
    shutil.rmtree(watching.COPY.path / ".workbook", ignore_errors=True)


def line_of(text, part):
    return text[:text.index(part)].count("\n") + 1


class Problems:
    """What is in VS Code's list: (file, line, message)."""

    def __init__(self, task):
        self.matchers = task["problemMatcher"]
        self.background = next((m["background"] for m in self.matchers if "background" in m), None)
        self.shown, self.found, self.runs = [], [], 0
        self.active = bool(self.background and self.background["activeOnStart"])

    def line(self, text):
        if self.background and re.search(self.background["beginsPattern"], text) and not self.active:
            self.active, self.found = True, []
        elif self.background and re.search(self.background["endsPattern"], text) and self.active:
            self.active, self.shown, self.runs = False, self.found, self.runs + 1
        else:
            self.found += [problem for problem in map(lambda m: self.problem(m, text), self.matchers) if problem][:1]

    @staticmethod
    def problem(matcher, text):
        pattern = matcher["pattern"]
        match = re.search(pattern["regexp"], text)
        parts = match and [match[pattern[part]] for part in ("file", "line", "message")]
        return (parts[0], int(parts[1]), parts[2]) if parts and all(parts) else None


class InATask(watching.Watching):
    def start(self, name, limit=None):
        task = TASKS[name]
        self.assertEqual(task["type"], "process")
        words = ["sh", "-c", f'ulimit {limit} && exec "$@"', "sh"] if limit else []
        return subprocess.Popen([*words, task["command"], *task["args"]], cwd=watching.COPY.path, bufsize=0,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                env=self.environment(), start_new_session=True)

    @staticmethod
    def environment():
        kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
        return {**kept, "LC_ALL": "C.UTF-8"}

    def checked(self, text):
        """The problems of a file, and the task's output."""
        watching.save(text)
        printed = self.start("check").communicate()[0].decode()
        problems = Problems(TASKS["check"])
        for line in printed.splitlines():
            problems.line(line)
        return problems.found, printed


class Check(InATask):
    def test_it_is_the_default_build_task_and_the_other_stays_in_the_background(self):
        self.assertEqual(TASKS["check"]["group"], {"kind": "build", "isDefault": True})
        self.assertEqual(TASKS["check"]["args"][1:], ["make", "-s", "check"])
        self.assertEqual(TASKS["watch"]["args"][1:], ["make", "-s", "watch"])
        self.assertTrue(TASKS["watch"]["isBackground"])
        for task in TASKS.values():
            self.assertEqual({(m["owner"], *m["fileLocation"]) for m in task["problemMatcher"]},
                             {("workbook", "relative", "${workspaceFolder}")})
        self.assertEqual([m["pattern"] for m in TASKS["check"]["problemMatcher"]],
                         [m["pattern"] for m in TASKS["watch"]["problemMatcher"]])

    def test_a_compile_error_is_a_problem_on_its_line(self):
        found, _ = self.checked(BROKEN)
        self.assertEqual(found[0][:2], (FILE, line_of(BROKEN, "sun +=")))
        self.assertIn("sun", found[0][2])

    def test_a_crash_is_one_on_its_line(self):
        found, _ = self.checked(CRASHES)
        self.assertEqual(set(found), {(FILE, line_of(CRASHES, "sum += x[j]"), "read 4 bytes past the end of x")})

    def test_a_line_of_your_file_is_one_on_that_line_of_it(self):
        for text, part in ((SLIP, "distance + distance"), (KNOWN, "(features - 1)")):
            found, printed = self.checked(text)
            self.assertRegex(printed, r"line \d+ of your file")
            self.assertEqual(found, [(FILE, line_of(text, part), "❌ row_variance averages the squared distances")])

    def test_whatever_the_checker_says_of_a_line_is_one_on_each_line_that_it_names(self):
        made = "".join((ROOT / "checker" / "run" / name).read_text() for name in ("explain.c", "warning.c"))
        self.assertEqual(set(re.findall(r'"([^"\n]*(?:your file| of line )[^"\n]*)"', made)), set(PLACES))
        said = [form for forms in PLACES.values() for form in forms]
        for text, *lines in [*said, *((text,) for text in NO_PLACES)]:
            with self.subTest(text):
                run = watching.COPY.run(["sh", "checker/workbook/places.sh", "printf", "%s\\n",
                                         f"Running checks for Lesson 01: Layer Norm ({FILE})...",
                                         "❌ 3 rows of line 9", f"     {text}"])
                problems = Problems(TASKS["check"])
                for line in run.stdout.splitlines():
                    problems.line(line)
                self.assertEqual(problems.found, [(FILE, line, "❌ 3 rows of line 9") for line in lines])

    def test_what_is_right_or_untouched_or_only_printed_is_none(self):
        stub = (watching.COPY.path / "build" / "stubs" / f"{FIRST}.c").read_text()
        for text, words in ((SOLVED, "9 passed"), (stub, "still the stub"), (SPEAKS, "not so")):
            with self.subTest(words):
                forget()
                found, printed = self.checked(text)
                self.assertIn(words, printed)
                self.assertEqual(found, [])

    def test_nothing_but_the_places_is_added_and_the_exit_code_stays(self):
        for text, code in ((SLIP, 2), (SOLVED, 0)):
            _, printed = self.checked(text)
            forget()
            plain = watching.COPY.make("check", SEED=re.search(r"seed (\d+)\)", printed)[1])
            added = [line for line in printed.splitlines() if re.match(rf"     {FILE}:\d+: ", line)]
            self.assertEqual(len(added), 1 if code else 0)
            self.assertEqual([line for line in watching.steady(printed).splitlines() if line not in added],
                             watching.steady(plain.stdout).splitlines())
            forget()
            task = self.start("check")
            task.communicate()
            self.assertEqual((task.returncode, plain.returncode), (code, code))
            forget()

    def test_a_last_line_without_an_end_is_not_lost(self):
        run = watching.COPY.run(["sh", "checker/workbook/places.sh", "printf", "one\\ntwo"])
        self.assertEqual((run.stdout, run.returncode), ("one\ntwo\n", 0))


class Watch(InATask):
    def follow(self, task, problems, runs):
        """Reads on until so many runs have ended. The line that ended the last one."""
        line = b""
        while problems.runs < runs:
            waiting, _, _ = select.select([task.stdout], [], [], watching.PATIENCE)
            self.assertTrue(waiting, f"run {runs} did not end")
            line = task.stdout.readline()
            problems.line(line.decode().rstrip("\n"))
        return line.decode()

    def started(self, **more):
        task = self.start("watch", **more)
        self.addCleanup(task.stdout.close)
        self.addCleanup(task.wait)
        self.addCleanup(os.killpg, task.pid, signal.SIGHUP)  # as a terminal's end does
        return task, Problems(TASKS["watch"])

    def test_every_save_is_a_run_that_begins_and_ends_and_shows_its_own_problems(self):
        task, problems = self.started()
        self.follow(task, problems, 1)
        self.assertEqual(problems.shown, [])
        for runs, (text, part) in enumerate(((SLIP, "distance + distance"), (BROKEN, "sun +="), (SOLVED, None),
                                             (CRASHES, "sum += x[j]"), (WRONG, "distance * 1.000000")), 2):
            watching.save(text)
            self.follow(task, problems, runs)
            self.assertEqual([problem[:2] for problem in problems.shown][:1],
                             [(FILE, line_of(text, part))] if part else [])

    def test_a_run_that_this_machine_does_not_grade_ends_too(self):
        watching.save(SLIP)
        task, problems = self.started(limit="-n 20")
        self.assertIn("It could not be graded", self.follow(task, problems, 1))
        self.assertEqual(problems.shown, [])


class Container(unittest.TestCase):
    def test_it_installs_what_the_readme_names_and_builds_by_a_command_that_is_there(self):
        named = re.search(r"`apt-get install ([a-z ]+)`", (ROOT / "README.md").read_text())[1]
        self.assertEqual(CONTAINER["onCreateCommand"], f"apt-get update && apt-get install -y {named}")
        self.assertRegex((ROOT / "checker" / "workbook" / "help.txt").read_text(),
                         rf"(?m)^## {CONTAINER['updateContentCommand']} ")

    def test_its_texts_are_in_utf_8(self):
        self.assertEqual(CONTAINER["containerEnv"], {"LANG": "C.UTF-8"})


if __name__ == "__main__":
    unittest.main()
