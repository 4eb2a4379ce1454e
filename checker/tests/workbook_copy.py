"""A copy of the workbook that a test may learn in: built, with the stubs, and nothing remembered."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import lesson_files
from lesson_files import ROOT

SCRATCH = ROOT / "build" / "tests"


class WorkbookCopy:
    """with WorkbookCopy() as copy: copy.make("check", LESSON="01")"""

    def __init__(self, name="workbook"):
        self.name = name

    def __enter__(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        self.folder = tempfile.TemporaryDirectory(dir=SCRATCH, prefix="copy.")
        self.tree = lesson_files.copy_of_tree(pathlib.Path(self.folder.name) / self.name)
        self.path = self.tree.__enter__()
        return self

    def __exit__(self, *error):
        self.tree.__exit__(*error)
        self.folder.cleanup()

    def run(self, command, env=None, **more):
        """The finished process of a command, a list or a shell line."""
        settings = {"cwd": self.path, "text": True, "stdin": subprocess.DEVNULL, "timeout": 1800,
                    "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                    "env": {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", **(env or {})}}
        return subprocess.run(command, shell=isinstance(command, str), **{**settings, **more},
                              check=False)

    def make(self, target, env=None, **variables):
        words = [f"{name}={value}" for name, value in variables.items()]
        return self.run(["make", "-s", target, *words], env=env)

    def read(self, path):
        return (self.path / path).read_text()

    def write(self, path, text):
        (self.path / path).parent.mkdir(parents=True, exist_ok=True)
        (self.path / path).write_text(text)

    def keep_lessons(self, *numbers):
        """And drop the others, which would only be built once more."""
        for name in lesson_files.names():
            if name[:2] not in numbers:
                shutil.rmtree(self.path / "checker" / "lessons" / name)

    def add_lesson(self, name, files):
        """{path: text}, and its stub as the exercise."""
        for path, text in files.items():
            self.write(path, text)
        self.write(f"exercises/{name}.c", files[f"checker/lessons/{name}/stub.c"])

    def solve(self, lesson):
        self.write(f"exercises/{lesson}.c", self.read(f"solutions/{lesson}.c"))
