"""Starts make grade for the tests of it, and reads what it has written."""

import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

import layers
from lesson_files import ROOT
from workbook_copy import SCRATCH

WORKBOOK = [str(ROOT / "build" / "workbook"), "grade"]
BOOK = ("grades.csv", "grades.json")


def grade(folder, out=None, missing=(), limits=None, **variables):
    """The finished process."""
    settings = {"CLASS": str(folder), "SEED": "7", "LIMIT": "1", "LC_ALL": "C.UTF-8", **variables}
    if out:
        settings["OUT"] = str(out)
    before = layers.start(missing)

    def prepare():
        before()
        if limits:
            limits()
    return subprocess.run(WORKBOOK, cwd=ROOT, env={**os.environ, **settings}, text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=prepare)


def rows(out):
    with open(out / "grades.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def book(out):
    return [(out / name).read_bytes() for name in BOOK]


def verdicts(out):
    return sorted((path.name, path.stat().st_mtime_ns) for path in (out / "kept" / "verdicts").iterdir())


def plain(name):
    """A name in grades.csv as it was before a spreadsheet and a terminal were thought of."""
    name = name[1:] if name[:1] == "'" and name[1:2] in tuple("=+-@＝＋－＠") else name
    return name.replace("\\x1b", "\x1b")


class Room(unittest.TestCase):
    """A class's folder, empty before each test, and where its grades go."""

    def setUp(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        self.path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(dir=SCRATCH, prefix="room.")))
        self.room, self.out = self.path / "room", self.path / "room-grades"
        self.room.mkdir()

    def put(self, path, content):
        (self.room / path).parent.mkdir(parents=True, exist_ok=True)
        (self.room / path).write_bytes(content if isinstance(content, bytes) else content.encode())
