"""The house rules that a program can hold our files to: format, warnings, size, nothing of this machine,
nothing written outside build/ and .workbook/.

The files are those that git knows; a learner's own exercises are not among them.
"""

import ast
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from lesson_files import ROOT
from workbook_copy import WorkbookCopy

TOP = {"Makefile", "README.md", "LICENSE", "exercises", "solutions", "lessons", "include", "checker"}
OURS = (".c", ".h", ".py", ".sh", ".awk")
MOST_LINES = 900
OUR_CLANG_FORMAT = 14
# Not in the GNU make 3.81 of macOS.
NEWER_THAN_3_81 = {"$(file": r"\$[({]file\s", "$(let": r"\$[({](let|intcmp)\s", "!=": r"^\w+\s*!=",
                   "::=": r"::=", "&:": r"&:", ".ONESHELL": r"\.ONESHELL", "undefine": r"^undefine\b",
                   ".RECIPEPREFIX": r"\.RECIPEPREFIX", "define x =": r"^define\s+\w+\s*[:+?]?="}
CPPCHECK = ["cppcheck", "--std=c11", "--enable=warning,performance,portability", "--inline-suppr",
            "--error-exitcode=1", "--quiet", "-j2", "-D_GNU_SOURCE", "-D__x86_64__", "-Iinclude",
            "-D__GNUC__=12", "-D__LP64__", "-D__linux__", "-D__GLIBC__=2", "-D__GLIBC_MINOR__=36",
            "-DSANITIZED=1", *(f"-Ichecker/{room}" for room in ("run", "line", "box", "emulator", "program", "workbook", "class"))]


def run(command, **more):
    return subprocess.run(command, cwd=ROOT, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"there is no {program} here")


def tracked():
    listed = run(["git", "ls-files", "-z"])
    if listed.returncode:
        raise unittest.SkipTest("this is no git checkout")
    return [path for path in listed.stdout.split("\0") if path and (ROOT / path).exists()]


def ending(*suffixes):
    """Our own files that end so; exercises/ belongs to the learner, and slips/ is written as learners write."""
    return [path for path in tracked()
            if path.endswith(suffixes) and not path.startswith(("exercises/", "checker/tests/slips/"))]


def text_of(path):
    return (ROOT / path).read_text()


class Files(unittest.TestCase):
    def test_the_top_level_holds_nothing_else(self):
        tops = {path.split("/")[0] for path in tracked()}
        self.assertEqual({top for top in tops if not top.startswith(".")} - TOP, set())

    def test_nothing_that_is_built_or_remembered_is_committed(self):
        self.assertEqual([path for path in tracked() if re.match(r"(build|\.workbook)/", path) or
                          "__pycache__" in path or path == "compile_commands.json"], [])

    def test_no_file_is_longer_than_900_lines(self):
        lengths = {path: text_of(path).count("\n") for path in ending(*OURS)}
        self.assertEqual({path: n for path, n in lengths.items() if n > MOST_LINES}, {})

    def test_no_line_of_c_is_wider_than_100_columns(self):
        self.assertEqual([f"{path}:{number}" for path in ending(".c", ".h")
                          for number, line in enumerate(text_of(path).split("\n"), 1)
                          if len(line) > 100], [])

    def test_every_file_opens_by_saying_what_it_is_for(self):
        opening = re.compile(r'/\*|"""|#!/bin/sh\n# |# ')
        self.assertEqual([path for path in ending(*OURS) if not opening.match(text_of(path))], [])

    def test_no_file_names_this_machine_or_its_package_archive(self):
        words = {f"{ROOT}/", *archives()}
        words |= {name for name in [socket.gethostname()] if len(name) > 8}
        self.assertEqual([(path, word) for path in tracked() for word in words
                          if word.encode() in (ROOT / path).read_bytes()], [])

    def test_the_makefiles_need_no_newer_make_than_3_81(self):
        text = text_of("Makefile") + text_of("checker/build.mk")
        self.assertEqual([name for name, pattern in NEWER_THAN_3_81.items()
                          if re.search(pattern, text, re.MULTILINE)], [])


def archives():
    """The hosts from which apt and pip fetch here."""
    files = [*pathlib.Path("/etc/apt").glob("sources.list*"), pathlib.Path("/etc/pip.conf"),
             *pathlib.Path("/etc/apt/sources.list.d").glob("*")]
    text = " ".join(file.read_text(errors="replace") for file in files
                    if file.is_file() and os.access(file, os.R_OK))
    text += " ".join(value for name, value in os.environ.items() if name.startswith("PIP_"))
    return set(re.findall(r"https?://(?:[^/@\s]*@)?([\w.-]+\.\w+)", text))


class InC(unittest.TestCase):
    @needs("clang-format")
    def test_it_is_formatted(self):
        """By another version than ours some lines are broken elsewhere, and then nothing is known."""
        program = shutil.which(f"clang-format-{OUR_CLANG_FORMAT}") or "clang-format"
        version = run([program, "--version"]).stdout
        result = run([program, "--dry-run", "-Werror", *ending(".c", ".h")])
        if result.returncode and f"version {OUR_CLANG_FORMAT}." not in version:
            self.skipTest(f"clang-format {OUR_CLANG_FORMAT} is not here, and this one breaks lines elsewhere: {version}")
        self.assertEqual(result.returncode, 0, result.stdout[:3000])

    @needs("cppcheck")
    def test_cppcheck_finds_nothing(self):
        """wrong.c and right.c are learners' code, of which only parts are compiled."""
        files = [path for path in ending(".c") if not re.search(r"/(wrong|right)\.c$", path)]
        result = run([*CPPCHECK, *files])
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_a_suppressed_warning_says_why(self):
        for path in ending(".c", ".h"):
            for line in text_of(path).split("\n"):
                if "cppcheck-suppress" in line:
                    self.assertRegex(line, r"cppcheck-suppress \w+ ?[;,:] ?\w", path)

    def test_the_strict_warnings_are_errors_in_the_build(self):
        self.assertIn("\nWARNINGS := -std=c11 -Wall -Wextra -Wpedantic -Werror\n", text_of("checker/build.mk"))
        self.assertRegex(text_of("checker/build.mk"), r"\nOUR_CFLAGS = \$\(WARNINGS\) ")


class InShellAndPython(unittest.TestCase):
    @needs("shellcheck")
    def test_shellcheck_finds_nothing(self):
        result = run(["shellcheck", *ending(".sh"), ".ci/run"])
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_the_python_files_compile_and_use_what_they_import(self):
        trees = {path: ast.parse(text_of(path), path) for path in ending(".py")}
        for path, tree in trees.items():
            compile(tree, path, "exec")
        self.assertEqual([(path, name) for path, tree in trees.items()
                          for name in imported(tree) - used(tree)], [])


def imported(tree):
    return {(name.asname or name.name).split(".")[0] for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom)) for name in node.names}


def used(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


class Traces(unittest.TestCase):
    def test_the_commands_write_nowhere_but_in_build_and_workbook(self):
        with WorkbookCopy() as copy:
            git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=x"]
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "the copy"]):
                self.assertEqual(copy.run(git + words).returncode, 0)
            copy.make("check-all", IMPL="solutions")
            copy.make("check", LESSON="01", STEP="row_mean")
            copy.make("hint", LESSON="01")
            copy.make("lessons")
            copy.make("compile_commands.json")
            copy.write("exercises/01_layer_norm.c", "not C")
            copy.make("check", LESSON="01")
            copy.make("reset", LESSON="01")
            status = copy.run(["git", "status", "--porcelain"]).stdout
            self.assertEqual(status, "")


if __name__ == "__main__":
    unittest.main()
