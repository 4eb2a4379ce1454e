"""make grade: a class of 300 with a known grade book, graded once for all tests of this file; its feedback and
the teacher's page; the same book after kills and a full disk.
"""

import hashlib
import html.parser
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.parse

import classroom
from classroom import FILE
from grading import WORKBOOK, book, grade, plain, rows, verdicts
from lesson_files import ROOT
from workbook_copy import SCRATCH


class Reader(html.parser.HTMLParser):
    """`open`: what was opened and not closed; `asked`: what a page would load."""

    def __init__(self):
        super().__init__()
        self.open, self.asked = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.asked += [(tag, name, value) for name, value in attributes if name in ("src", "srcset", "data")
                       or name.startswith("on") or (name == "href" and not value.startswith("feedback/"))]
        self.asked += [tag] if tag in ("script", "link", "iframe", "img", "b") else []

    def handle_endtag(self, tag):
        self.asked += [] if self.open and self.open.pop() == tag else [f"</{tag}>"]


class OfAClass(unittest.TestCase):
    """Graded once; each test that changes something works on a copy of what was kept."""

    @classmethod
    def setUpClass(cls):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        cls.folder = tempfile.TemporaryDirectory(dir=SCRATCH, prefix="class.")
        path = pathlib.Path(cls.folder.name)
        (path / "300").mkdir()
        cls.room = classroom.Classroom(path / "300").make()
        cls.out = path / "300-grades"
        cls.run_ = grade(path / "300")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_grade_book_of_300_says_of_each_what_is_true(self):
        self.assertEqual((self.run_.returncode, self.run_.stderr), (0, ""))
        self.assertEqual(len(self.room.students), 300)
        found = {plain(row["student"]): row for row in rows(self.out)}
        self.assertEqual(set(found), set(self.room.students))
        for name, student in self.room.students.items():
            row = found[name]
            with self.subTest(name):
                self.assertEqual((row["status"], int(row["passed"])), (student.status, student.passed))
                self.assertEqual(row["score"], f"{100 * student.passed / classroom.TOTAL:.2f}".removesuffix(".00"))
                if student.mistakes is not None:
                    self.assertEqual(row["mistakes"], student.mistakes)

    def test_the_book_as_json_says_the_same_and_each_checksum_is_the_files(self):
        document = json.loads((self.out / "grades.json").read_text())
        self.assertEqual((document["version"], document["seed"], document["all"]), (1, "7", False))
        found = {plain(row["student"]): row for row in rows(self.out)}
        checked = 0
        for student in document["students"]:
            lesson, name = student["lessons"][0], student["student"]
            row = found[name]
            self.assertEqual((lesson["status"], str(lesson["passed"]), lesson["checksum"] or ""),
                             (row["status"], row["passed"], row["checksum"]))
            self.assertEqual(lesson["checks"].count("passed"), lesson["passed"])
            path = self.room.folder / (lesson["file"] or "")
            if row["checksum"] and path.is_file():
                checked += 1
                self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), row["checksum"])
        self.assertGreater(checked, 100)

    def test_what_it_takes_for_whose_is_said_first(self):
        lines = self.run_.stdout.split("\n")
        self.assertRegex(lines[0], r"^300 students, \d+ files for 01_layer_norm:$")
        taken = (self.out / "taken.txt").read_text()
        self.assertIn("  right000, 01: ", taken)
        self.assertIn("elsewhere", self.room.students)
        self.assertNotIn("\x1b", self.run_.stdout + taken + (self.out / "grades.csv").read_text())

    def test_each_student_is_given_their_own_verdict_and_nobody_elses(self):
        pages = {path.name: path.read_text() for path in (self.out / "feedback").iterdir()}
        self.assertEqual(len(pages), 2 * len(self.room.students))
        for ending in (".txt", ".html"):
            mine = pages["divided03" + ending]
            self.assertIn("It is made in line 24 of your file:", mine)
            self.assertIn("866.6667 / 2 in place of", mine)
            for name in self.room.students:
                if len(name) > 5 and name != "divided03":
                    self.assertNotIn(name, mine)
            self.assertIn("a link is not followed", pages["linkup" + ending].lower())
        texts = "".join(pages.values())
        self.assertNotIn("kept/files", texts)
        self.assertNotIn(str(self.room.folder), texts)

    def test_every_page_is_whole_asks_for_nothing_and_shows_a_name_as_characters(self):
        for path in [self.out / "report.html", *(self.out / "feedback").glob("*.html")]:
            page, reader = path.read_text(), Reader()
            reader.feed(page)
            reader.close()
            self.assertEqual((reader.open, reader.asked), ([], []), path.name)
            self.assertIn("default-src 'none'", page)
        report = (self.out / "report.html").read_text()
        self.assertIn("&lt;b&gt;bold&lt;!--", report)
        self.assertIn("\\x1b[31mred", report)

    def test_the_teachers_page_says_what_went_wrong_and_who_is_missing(self):
        report = (self.out / "report.html").read_text()
        failed = sum(student.status in ("failed", "ended by a limit") for student in self.room.students.values())
        for words in (">the variance is divided by n - 1 (n_minus_1)<", ">absent3</bdi>", ">elsewhere</bdi>",
                      f'>{failed}</td>', "It is larger than 4 MB.", "it holds more than is taken"):
            self.assertIn(words, report)
        linked = set(urllib.parse.unquote(name) for name in re.findall(r'href="feedback/([^"]*)"', report))
        self.assertEqual(linked, {path.name for path in (self.out / "feedback").glob("*.html")})

    @unittest.skipUnless(shutil.which("sim_c"), "there is no sim_c here")
    def test_files_that_look_alike_are_listed_and_two_ways_of_writing_it_are_not(self):
        alike = json.loads((self.out / "grades.json").read_text())["alike"]
        pairs = {frozenset((pair["a"], pair["b"])): pair["percent"] for pair in alike}
        self.assertEqual(pairs[frozenset(("divided00", "divided01"))], 100)
        self.assertEqual([pair for pair in pairs if any(name.startswith(("stub", "huge")) for name in pair)], [])

    def test_nothing_that_a_name_says_is_run(self):
        self.assertEqual([path for path in (ROOT, self.room.folder, self.out)
                          if (path / "made-by-a-name").exists()], [])

    def test_what_is_unchanged_is_not_graded_again_and_what_is_changed_is(self):
        before, kept = book(self.out), verdicts(self.out)
        again = grade(self.room.folder)
        self.assertEqual((again.returncode, book(self.out), verdicts(self.out)), (0, before, kept))
        changed = self.room.folder / "$(touch made-by-a-name)" / FILE
        old = changed.read_text()
        changed.write_text(old + "/* later */\n")
        grade(self.room.folder)
        self.assertEqual(len(verdicts(self.out)), len(kept) + 1)
        changed.write_text(old)
        grade(self.room.folder)
        self.assertEqual((len(verdicts(self.out)), book(self.out)), (len(kept) + 1, before))

    def test_killed_at_random_points_and_gone_on_with_it_comes_to_the_same_book(self):
        out = self.out.parent / "killed"
        chance = random.Random(10)
        environment = {**os.environ, "CLASS": str(self.room.folder), "OUT": str(out), "SEED": "7",
                       "LIMIT": "1", "LINES": "no"}
        for kill in range(20):
            with subprocess.Popen(WORKBOOK, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as run:
                time.sleep(chance.uniform(0.05, 2))
                run.send_signal(signal.SIGINT if kill == 3 else signal.SIGKILL)
            self.assertIn(run.returncode, (130, -2, 0) if kill == 3 else (-9, 0))
        self.assertEqual(grade(self.room.folder, out, LINES="no").returncode, 0)
        self.assertEqual(book(out), book(self.out))
        self.assertEqual(list(out.rglob("*.new")), [])

    def test_a_disk_that_is_full_in_the_middle_loses_nothing(self):
        out = self.out.parent / "small"
        disk = out / "kept" / "verdicts"
        disk.mkdir(parents=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=150k", "tmpfs", disk], check=False,
                                 stderr=subprocess.DEVNULL)
        if mounted.returncode:
            self.skipTest("it takes the right to mount")
        try:
            full = grade(self.room.folder, out, LINES="no")
            self.assertEqual(full.returncode, 3, full.stdout + full.stderr)
            self.assertIn("No space left on device", full.stderr)
            self.assertRegex(full.stderr, r"Stopped\. [1-9]\d* of \d+ different files are graded and kept")
            self.assertFalse((out / "grades.csv").exists())
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            self.assertEqual(grade(self.room.folder, out, LINES="no").returncode, 0)
            self.assertEqual(book(out), book(self.out))
        finally:
            subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    unittest.main()
