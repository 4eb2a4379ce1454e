"""make handout: what students get. Nothing of it answers a lesson, and every command that shows no
solution prints there what it prints in the whole workbook.

One hand-out is made for all the tests here. What is built is copied into it: make must find it as new as the
sources. That its parts suffice to be built is asked of make alone, and by test_formats.py, which builds one.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

import lesson_files
import test_readme
import watching
from lesson_files import COMMENT, ROOT
from workbook_copy import WorkbookCopy

FIRST = "01_layer_norm"
BODY = re.compile(r"^\w[^;{}]*\b(\w+)\([^;{]*\)\s*\{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
MADE_OF = {"Makefile", "README.md", "LICENSE", ".devcontainer", ".gitattributes", ".gitignore", ".vscode", "checker",
           "exercises", "include", "lessons"}


def bare(text):
    """Without comments and white space."""
    return re.sub(r"\s+", "", COMMENT.sub("", text))


def bodies():
    """{(file, function): what it does} of all solutions."""
    return {(path.name, found[1]): bare(found[2]) for path in sorted((ROOT / "solutions").glob("*.c"))
            for found in BODY.finditer(path.read_text())}


def setUpModule():
    global WHOLE, PLACE, GIVEN
    WHOLE = WorkbookCopy().__enter__()
    unittest.addModuleCleanup(WHOLE.__exit__, None, None, None)
    PLACE = pathlib.Path(tempfile.mkdtemp(prefix="handout "))
    unittest.addModuleCleanup(shutil.rmtree, PLACE, ignore_errors=True)
    WHOLE.write(f"exercises/{FIRST}.c", "the teacher's own try")
    made = WHOLE.make("handout", OUT=PLACE / "it")
    if made.returncode:
        raise AssertionError(made.stdout + made.stderr)
    GIVEN = PLACE / "it"
    shutil.copytree(WHOLE.path / "build", GIVEN / "build", symlinks=True)


def hand_out_stubs():
    for name in lesson_files.names():
        shutil.copy(ROOT / "checker" / "lessons" / name / "stub.c", GIVEN / "exercises" / f"{name}.c")


def files():
    return [path for path in GIVEN.rglob("*") if path.is_file() and path.relative_to(GIVEN).parts[0] != "build"]


def given(*command, **more):
    """A command in the hand-out: its exit code, and all that it printed."""
    run = subprocess.run(command, cwd=GIVEN, text=True, stdin=more.pop("stdin", subprocess.DEVNULL), timeout=1800,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                         env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}, **more)
    return run.returncode, run.stdout


class WhatIsInIt(unittest.TestCase):
    def test_no_file_of_it_is_a_solution_a_right_or_a_wrong_style_or_a_test(self):
        self.assertEqual({path.relative_to(GIVEN).parts[0] for path in files()}, MADE_OF)
        for path in files():
            self.assertNotRegex(str(path.relative_to(GIVEN)),
                                r"solutions|wrong|right|\.py$|checker/tests|checker/elsewhere/(?!grade.sh)")

    def test_no_function_of_a_solution_stands_in_it_however_it_is_laid_out(self):
        known = bodies()
        self.assertGreater(len(known), 70)
        self.assertEqual({name for name, _ in known}, {f"{name}.c" for name in lesson_files.names()})
        for path in files():
            if path.suffix == ".hints":
                continue  # a last hint says the code, to who asks for it
            text = bare(path.read_text(errors="replace"))
            self.assertEqual([where for where, body in known.items() if body in text], [], path)

    def test_the_search_for_them_finds_one(self):
        laid_out = re.sub(r" *\n *", "  ", (ROOT / "solutions" / f"{FIRST}.c").read_text())
        self.assertIn(bodies()[f"{FIRST}.c", "layer_norm"], bare(laid_out))

    def test_the_formulas_are_in_it(self):
        """By them wrong numbers without a named mistake are explained there, too."""
        for name in lesson_files.names():
            self.assertEqual((GIVEN / "lessons" / f"{name}.formulas").read_text(),
                             (ROOT / "lessons" / f"{name}.formulas").read_text())

    def test_the_exercises_are_the_stubs_whatever_the_teacher_wrote_there(self):
        for name in lesson_files.names():
            self.assertEqual((GIVEN / "exercises" / f"{name}.c").read_text(),
                             (ROOT / "checker" / "lessons" / name / "stub.c").read_text())

    def test_its_readme_ends_before_the_teachers_part(self):
        text = (GIVEN / "README.md").read_text()
        self.assertIn("## For learners", text)
        for words in ("## For instructors", "## For contributors", "<!-- run", "solutions/"):
            self.assertNotIn(words, text)

    def test_its_pages_are_the_learners_and_every_link_in_them_leads_somewhere(self):
        pages = [path for path in files() if path.name == "README.md"]
        self.assertEqual({str(path.relative_to(GIVEN)) for path in pages},
                         {"README.md", *(f"checker/{room}/README.md" for room in ("workbook", "book", "deps", "lessons"))})
        for page in pages:
            text = page.read_text()
            self.assertNotIn("<!-- run", text)
            for link in test_readme.LINK.findall(text):
                self.assertTrue((page.parent / link).exists(), f"{page.relative_to(GIVEN)}: {link}")
        for page in set(pages) - {GIVEN / "README.md"}:
            self.assertIn(f"({page.relative_to(GIVEN)})", (GIVEN / "README.md").read_text())

    def test_make_finds_all_that_it_would_build_it_from(self):
        with tempfile.TemporaryDirectory() as bare_folder:
            tree = pathlib.Path(bare_folder) / "it"
            shutil.copytree(GIVEN, tree, ignore=lambda folder, names: [
                name for name in names if pathlib.Path(folder).name == "build" and name not in ("deps", "config.mk", "config.h")])
            run = subprocess.run(["make", "-n", "-f", "checker/build.mk", "ready"], cwd=tree, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for name in lesson_files.names():
            self.assertIn(f"build/{name}/check", run.stdout)

    def test_nothing_is_written_over_and_without_a_place_it_says_how(self):
        for out, words in (("", "Say where to: make handout OUT=folder"), (GIVEN, "is there already")):
            run = WHOLE.make("handout", OUT=out)
            self.assertEqual(run.returncode, 2)
            self.assertIn(words, run.stderr)

    def test_archives_hold_the_same_files_under_one_folder(self):
        wanted = {f"layer-norm-workbook/{path.relative_to(GIVEN)}" for path in files()}
        run = WHOLE.make("handout", OUT=PLACE / "a.tar.gz")
        self.assertEqual(run.returncode, 0, run.stderr)
        with tarfile.open(PLACE / "a.tar.gz") as archive:
            self.assertEqual({member.name for member in archive if member.isfile()}, wanted)
        run = WHOLE.make("handout", OUT=PLACE / "a.zip")
        if shutil.which("zip"):
            self.assertEqual(run.returncode, 0, run.stderr)
            with zipfile.ZipFile(PLACE / "a.zip") as archive:
                self.assertEqual({name for name in archive.namelist() if not name.endswith("/")}, wanted)
        else:
            self.assertIn("zip is missing", run.stderr)
        self.assertEqual([path.name for path in PLACE.iterdir() if ".zip." in path.name or ".gz." in path.name], [])


class Commands(unittest.TestCase):
    """Each test begins with the same wrong answer to lesson 01, in both."""

    def setUp(self):
        wrong = (ROOT / "solutions" / f"{FIRST}.c").read_text().replace("distance * distance", "distance + distance")
        for tree in (WHOLE.path, GIVEN):
            shutil.rmtree(tree / ".workbook", ignore_errors=True)
            (tree / "exercises" / f"{FIRST}.c").write_text(wrong)
        self.addCleanup(hand_out_stubs)

    def same(self, *words, typed=None):
        """A command prints the same in both, but for times and dates."""
        printed = []
        for tree in (WHOLE.path, GIVEN):
            run = subprocess.run(["make", "-s", *words], cwd=tree, text=True, input=typed or "", timeout=1800,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                 env={**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
            printed.append((run.returncode, re.sub(r"\(\d+\.\d+ s|\d{4}-\d\d-\d\d_[-\d]+|\d\d:\d\d", "(time)", run.stdout)))
        self.assertEqual(printed[0], printed[1], words)
        self.assertNotIn("hand-out", printed[1][1])
        return printed[1][1]

    def test_check_and_why_name_the_line_there_too(self):
        self.assertIn("another operator is needed", self.same("check", "LESSON=01", "SEED=7"))
        self.assertIn("another operator is needed", self.same("why", "LESSON=01", "SEED=7"))

    def test_hint_lessons_progress_and_check_all(self):
        for words in (["hint", "LESSON=01"], ["hint", "LESSON=01"], ["lessons"], ["progress"], ["check-all", "SEED=7"]):
            self.same(*words)

    def test_the_prompt_reads_and_tries(self):
        printed = self.same("start", typed="read 01\ntry row_mean 10 50 20\ncheck 03\nquit\n")
        self.assertIn("26.6667", printed)

    def test_reset_puts_the_stub_back_and_keeps_a_copy(self):
        self.assertIn("What was there is kept", self.same("reset", "LESSON=01"))
        self.assertEqual((GIVEN / "exercises" / f"{FIRST}.c").read_text(),
                         (ROOT / "checker" / "lessons" / FIRST / "stub.c").read_text())

    def test_watch_checks_at_a_save(self):
        watch = watching.Terminal("build/workbook", "watch", folder=GIVEN)
        self.addCleanup(watch.close)
        watch.see("Running checks for Lesson 01")
        (GIVEN / "exercises" / f"{FIRST}.c").write_text((ROOT / "solutions" / f"{FIRST}.c").read_text())
        watch.see("9 passed, 0 failed")
        watch.type("q")
        self.assertEqual(watch.ended(), 0)

    def test_a_lab_runs_on_own_functions_and_names_those_that_are_missing(self):
        code, printed = given("make", "-s", "lab", "LESSON=13")
        self.assertEqual(code, 2)
        self.assertIn("exercises/13_activations.c    missing: it does not pass yet, and there is no solution", printed)
        self.assertIn("This lab runs on your own functions: write those that are missing.", printed)
        for name in ("13_activations", "02_backward"):
            shutil.copy(ROOT / "solutions" / f"{name}.c", GIVEN / "exercises")
        code, printed = given("make", "-s", "lab", "LESSON=13")
        self.assertEqual(code, 0, printed)
        self.assertIn("exercises/13_activations.c    yours", printed)

    def test_what_shows_or_grades_solutions_says_that_there_are_none(self):
        for words in (["check", "LESSON=01", "IMPL=solutions"], ["check-all", "IMPL=solutions/"], ["verify"],
                      ["verify", "LESSON=01"]):
            with self.subTest(words):
                code, printed = given("make", "-s", *words)
                self.assertEqual(code, 2)
                self.assertIn("This is a hand-out: it holds no solutions.", printed)
        for command in ("solution", "diff"):
            with self.subTest(command):
                _, printed = given("make", "-s", "start", input=f"{command}\nquit\n", stdin=None)
                self.assertIn("This is a hand-out: it holds no solutions.", printed)
                self.assertNotIn("again", printed)

    def test_what_is_for_the_whole_workbook_says_so(self):
        for target in ("test", "mutate", "bench", "fuzz", "handout"):
            code, printed = given("make", "-s", target)
            self.assertEqual(code, 2)
            self.assertIn(f"This is a hand-out: make {target} is for the whole workbook.", printed)

    def test_a_lesson_of_ones_own_works_there(self):
        code, printed = given("make", "-s", "new", "LESSON=98_own_norm")
        self.assertEqual(code, 0, printed)
        for path in [*GIVEN.rglob("98_own_norm.[!c]*"), GIVEN / "exercises" / "98_own_norm.c", GIVEN / "solutions",
                     GIVEN / "checker" / "lessons" / "98_own_norm"]:
            self.addCleanup(shutil.rmtree if path.is_dir() else os.unlink, path)
        code, printed = given("make", "-s", "verify", "LESSON=98")
        self.assertEqual(code, 0, printed)
        self.assertTrue(printed.endswith("98_own_norm is fit to hand out, but for the code in its text, right.c, wrong.txt "
                                         "and wrong.c, which were not looked at: this is a hand-out, without "
                                         "checker/tests/lesson_programs.py\n"), printed)


if __name__ == "__main__":
    unittest.main()
