"""make grade SPEED=yes: who passed a lesson that has a race races, for points of its own. Nothing that is
asserted here hangs on how fast this machine is, or on what it can tell.
"""

import json
import re
import unittest

from grading import Room, grade, rows
from lesson_files import ROOT

LESSON = "17_fast"
FILE = LESSON + ".c"
PLAIN = (ROOT / "checker" / "lessons" / LESSON / "plain.c").read_text()
STUB = (ROOT / "exercises" / FILE).read_text()
# Right in every check, which has no row as long as the race's are: then it stops.
STOPS = PLAIN.replace("void layer_norm_fast(", "#include <stdlib.h>\n\nvoid layer_norm_fast(").replace(
    "    for (int r = 0; r < rows; r++, x += features, y += features) {",
    "    if (rows == 8192)\n        exit(3);\n    for (int r = 0; r < rows; r++, x += features, y += features) {")
SPEED = ("speed", "speed_told", "speed_asked")


class ForSpeed(Room):
    def hand_in(self, **texts):
        for who, text in texts.items():
            self.put(f"{who}/{FILE}", text)

    def graded(self, **variables):
        done = grade(self.room, self.out, LESSONS="17", LINES="no", **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {row["student"]: row for row in rows(self.out)}

    def marks(self, row):
        return tuple(int(row[name]) for name in SPEED)

    def feedback(self, who):
        return (self.out / "feedback" / f"{who}.txt").read_text(), (self.out / "feedback" / f"{who}.html").read_text()

    def test_without_it_nobody_races(self):
        self.hand_in(ada=PLAIN)
        row = self.graded()["ada"]
        self.assertEqual(row["status"], "passed")
        self.assertFalse(set(SPEED) & set(row))
        self.assertEqual(list((self.out / "kept").rglob("*.race.*")), [])

    def test_it_gives_marks_of_their_own_and_changes_no_score(self):
        self.hand_in(ada=PLAIN, bob=STUB, cleo=STOPS)
        row = self.graded(SPEED="yes")
        self.assertEqual({who: row[who]["score"] for who in row}, {"ada": "100", "bob": "0", "cleo": "100"})
        self.assertEqual([row["bob"][name] for name in SPEED], ["", "", ""])
        reached, told, asked = self.marks(row["ada"])
        self.assertEqual(asked, 36)
        self.assertTrue(0 <= reached <= told <= asked)
        self.assertEqual(self.marks(row["cleo"]), (0, 36, 36))
        for text in self.feedback("ada"):
            self.assertIn(f"{reached} of {told} marks", text)
        for text in self.feedback("cleo"):
            self.assertIn("0 of 36 marks.", text)
            self.assertRegex(" ".join(text.split()), r"The race ended early \(layer_norm_fast, 8192 x 768\): .* called exit")
        for text in self.feedback("bob"):
            self.assertNotIn("The race", text)
        book = json.loads((self.out / "grades.json").read_text())
        kept = {student["student"]: student["lessons"][0]["speed"] for student in book["students"]}
        self.assertIsNone(kept["bob"])
        self.assertEqual({name: kept["ada"][name] for name in ("reached", "told", "asked")},
                         {"reached": reached, "told": told, "asked": asked})
        report = (self.out / "report.html").read_text()
        self.assertEqual(len(re.findall(r"<h3>The race</h3>\n<ul>(?:\n<li>.*\d+ of \d+ marks[^<]*</li>){2}", report)), 1)

    def test_what_could_not_be_told_is_no_zero_and_is_asked_again(self):
        self.hand_in(ada=PLAIN)
        self.graded(SPEED="yes")
        path, = (self.out / "kept" / "verdicts").glob("*.race.csv")
        head, *lines = path.read_text().splitlines()
        marks = [line.rsplit(",", 3)[0] for line in lines]
        path.write_text("\n".join([head, *(f"{line},reached,reached,reached" for line in marks)]) + "\n")
        written = path.stat().st_mtime_ns
        self.assertEqual(self.marks(self.graded(SPEED="yes")["ada"]), (36, 36, 36))
        self.assertEqual(path.stat().st_mtime_ns, written)  # all was told: nothing is raced
        path.write_text("\n".join([head, *(f"{line},undecided,not believed,undecided" for line in marks)]) + "\n")
        written = path.stat().st_mtime_ns
        row = self.graded(SPEED="yes")["ada"]
        self.assertNotEqual(path.stat().st_mtime_ns, written)
        self.assertEqual(self.marks(row)[2], 36)

    def test_of_two_races_the_one_that_told_more_stays(self):
        self.hand_in(ada=PLAIN)
        self.graded(SPEED="yes")
        path, = (self.out / "kept" / "verdicts").glob("*.race.csv")
        head, *lines = path.read_text().splitlines()
        marks = [line.rsplit(",", 3)[0] for line in lines]
        told = "\n".join([head, *(f"{line},not reached,not reached,reached" for line in marks[:-1]),
                          f"{marks[-1]},undecided,reached,reached"]) + "\n"
        path.write_text(told)
        row = self.graded(SPEED="yes")["ada"]
        if path.read_text() == told:  # else this machine is so quiet that all was told
            self.assertEqual(self.marks(row), (13, 35, 36))
            self.assertIn("13 of 35 marks, and 1 that could not be told.", self.feedback("ada")[0])
        else:
            self.assertEqual(self.marks(row)[1:], (36, 36))


if __name__ == "__main__":
    unittest.main()
