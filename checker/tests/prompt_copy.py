"""What the tests of `make start` share: one copy of the tree, in which every test starts with the stubs
and without progress.
"""

import atexit
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import lesson_files
import screen

TREE = pathlib.Path(tempfile.mkdtemp()) / "tree"
AT_THE_END = contextlib.ExitStack()
atexit.register(AT_THE_END.close)
AT_THE_END.callback(shutil.rmtree, TREE.parent, ignore_errors=True)


def set_up():
    if TREE.exists():
        return
    AT_THE_END.enter_context(lesson_files.copy_of_tree(TREE))
    AT_THE_END.callback(screen.kill_server)
    shutil.copytree(TREE / "exercises", TREE / "build" / "stubs", dirs_exist_ok=True)
    subprocess.run(["make", "-s", "lessons"], cwd=TREE, check=True, stdout=subprocess.PIPE)


def make(*arguments, typed=None, **environment):
    names = ("MAKEFLAGS", "MAKELEVEL", "PAGER", "VISUAL", "EDITOR", "LC_ALL", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(["make", "-s", *arguments], cwd=TREE, text=True, timeout=1800,
                          input=typed, stdin=subprocess.DEVNULL if typed is None else None,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**kept, "LANG": "C.UTF-8", **environment})


def pipe(*lines, **environment):
    return make("start", typed="".join(f"{line}\n" for line in lines), **environment)


def steady(text):
    """Without what differs from run to run."""
    return re.sub(r"\(\d+\.\d+ s.*\)", "(time)", text)


class Test(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(TREE / ".workbook", ignore_errors=True)
        shutil.copytree(TREE / "build" / "stubs", TREE / "exercises", dirs_exist_ok=True)

    def solve(self, *lessons):
        for lesson in lessons or lesson_files.names():
            shutil.copy(TREE / "solutions" / f"{lesson}.c", TREE / "exercises" / f"{lesson}.c")

    def write(self, text, lesson="01_layer_norm"):
        (TREE / "exercises" / f"{lesson}.c").write_text(text)

    def progress(self):
        return json.loads((TREE / ".workbook" / "progress.json").read_text())["lessons"]
