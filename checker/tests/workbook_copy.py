"""A copy of the workbook that a test may learn in: built, with the stubs, and nothing remembered."""

import atexit
import contextlib
import os
import pathlib
import subprocess
import tempfile

import lesson_files
from lesson_files import ROOT

SCRATCH = ROOT / "build" / "tests"
UNUSED = []  # folders of copies that a test is done with: the next one's are filled anew
AT_THE_END = contextlib.ExitStack()
atexit.register(AT_THE_END.close)


def processes(folder):
    """What runs there, but for this test."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and os.readlink(entry / "cwd").startswith(str(folder)):
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


class WorkbookCopy:
    """with WorkbookCopy() as copy: copy.make("check", LESSON="01")"""

    def __init__(self, name="workbook"):
        self.name = name

    def __enter__(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        left = [folder for folder in UNUSED if not processes(folder)]
        self.folder = left[0] if left else pathlib.Path(AT_THE_END.enter_context(
            tempfile.TemporaryDirectory(dir=SCRATCH, prefix="copy.", ignore_cleanup_errors=True)))
        UNUSED[:] = [folder for folder in UNUSED if folder != self.folder]
        self.path = self.folder / self.name
        for path in set(self.folder.iterdir()) - {self.path}:
            lesson_files.remove(path)
        lesson_files.fill_copy(self.path)
        return self

    def __exit__(self, *error):
        UNUSED.append(self.folder)

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
                lesson_files.remove(self.path / "checker" / "lessons" / name)

    def add_lesson(self, name, files):
        """{path: text}, and its stub as the exercise."""
        for path, text in files.items():
            self.write(path, text)
        self.write(f"exercises/{name}.c", files[f"checker/lessons/{name}/stub.c"])

    def solve(self, lesson):
        self.write(f"exercises/{lesson}.c", self.read(f"solutions/{lesson}.c"))
