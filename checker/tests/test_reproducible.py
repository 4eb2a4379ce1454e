"""Two copies of the workbook, in folders of other names and lengths, are built into the same bytes."""

import os
import subprocess
import unittest

import lesson_files
from workbook_copy import WorkbookCopy

LESSONS = ("01", "06")  # 06 has functions that are called in turn, and so an object for the worker
COMMAND = ["make", "-s", "build/workbook", "build/worker", "build/trial", "build/06_module/calls.o"]


class TwoCopies(unittest.TestCase):
    def test_in_other_folders_are_built_into_the_same_bytes(self):
        copies = [self.enterContext(WorkbookCopy(name)) for name in ("w", "it's a workbook/in a longer folder")]
        for copy in copies:
            copy.keep_lessons(*LESSONS)
            for path in (copy.path / "build").iterdir():
                if path.name != "deps":
                    lesson_files.remove(path)
        names = [name for name in lesson_files.names() if name[:2] in LESSONS]
        targets = [f"build/{name}/check" for name in names]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
        builds = [subprocess.Popen([*COMMAND, *targets], cwd=copy.path, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for copy in copies]
        for build in builds:
            said = build.communicate()[0]
            self.assertEqual(build.returncode, 0, said)
        made = [programs(copy.path) for copy in copies]
        wanted = {"workbook", "worker", "trial", "06_module/calls.o", *(f"{name}/check" for name in names)}
        self.assertGreaterEqual(set(made[0]), wanted)
        self.assertEqual(set(made[0]), set(made[1]))
        for name in sorted(made[0]):
            with self.subTest(name):
                self.assertTrue(made[0][name] == made[1][name], "the bytes differ")
                self.assertNotIn(os.fsencode(copies[1].path), made[1][name])


def programs(tree):
    """{name: bytes} of the programs, and of what is linked with a learner's file."""
    build = tree / "build"
    found = [path for path in build.rglob("*") if path.is_file() and "deps" not in path.parts and
             (os.access(path, os.X_OK) or path.name == "calls.o")]
    return {str(path.relative_to(build)): path.read_bytes() for path in found}
