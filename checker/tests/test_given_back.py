"""make grade: how the grades go back. The course's own table with the scores filled in, a row a student, an archive of
feedback; due dates and exceptions; names that are hidden.
"""

import csv
import io
import json
import os
import re
import shutil
import unittest
import zipfile

from classroom import FILE, SOLUTION, STUB, zipped
from grading import Room, grade, plain, rows
from lesson_files import ROOT

WRONG = SOLUTION.replace("distance * distance", "distance + distance")
SCORE = 22.22  # 2 of 9 checks


class GivenBack(Room):
    def file(self, name, text):
        (self.path / name).write_bytes(text.encode())
        return str(self.path / name)

    def grade(self, code=0, **variables):
        self.done = grade(self.room, self.out, LINES="no", **variables)
        self.assertEqual(self.done.returncode, code, self.done.stdout + self.done.stderr)
        return self.done

    def returned(self, name):
        return (self.out / name).read_bytes().decode()


class ItsOwnTable(GivenBack):
    def test_a_table_of_Canvas_comes_back_with_the_scores_and_nothing_else_changed(self):
        self.put(f"byronada_4711_815_{FILE}", SOLUTION)
        self.put(f"watsonmj_4712_816_{FILE}", WRONG)
        self.put("watsonmj_4712_817_02_backward.c", "not C")
        head = '\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,"Norms, 01_layer_norm (99)",Essay (98),Final Score\r\n'
        table = (head + ',,,,,Manual Posting,,\r\n    Points Possible,,,,,20.00,9.00,(read only)\r\n'
                 '"Byron, ""Ada""",4711,00017,ada,"A, 1",,7,\r\n"Watson, MJ",4712,00018,mj,A,3.50,,\r\n'
                 '"=Nobody",4713,00019,no,A,,,\r\n"Student, Test",,,,A,,,\r\n')
        self.grade(STUDENTS=self.file("roster.csv", table), LESSONS="01 02")
        wanted = table.replace("Final Score\r\n", "Final Score,02_backward\r\n").replace("Posting,,\r\n", "Posting,,,\r\n")
        wanted = wanted.replace("(read only)\r\n", "(read only),100\r\n").replace('"A, 1",,7,\r\n', '"A, 1",20,7,,0\r\n')
        wanted = wanted.replace("A,3.50,,\r\n", f"A,{SCORE / 5:.2f},,,0\r\n").replace('no,A,,,\r\n', 'no,A,0,,,0\r\n')
        wanted = wanted.replace('Test",,,,A,,,\r\n', 'Test",,,,A,0,,,0\r\n')
        self.assertEqual(self.returned("grades-canvas.csv"), wanted)
        records = list(csv.reader(io.StringIO(wanted[1:]), strict=True))
        self.assertEqual({len(record) for record in records}, {9})

    def test_a_worksheet_of_Moodle_comes_back_and_the_feedback_with_names_that_it_takes(self):
        self.put(f"Ada L_12345_assignsubmission_file_{FILE}", SOLUTION)
        self.put(f"Max_Under Score_12346_assignsubmission_file_/{FILE}", WRONG)
        table = ('Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Last modified (submission)"\n'
                 '"Participant 12345","Ada L",a@x,,,50.00,"Monday, 1 May 2023, 10:00 AM"\n'
                 '"Participant 12346","Max_Under Score",m@x,,1.00,50.00,-\n"Participant 12347","Eve",e@x,,,50.00,-\n')
        self.grade(STUDENTS=self.file("worksheet.csv", table))
        self.assertEqual(self.returned("grades-moodle.csv"),
                         table.replace("a@x,,,50", "a@x,,50,50").replace("m@x,,1.00", f"m@x,,{SCORE / 2:.2f}")
                         .replace("e@x,,,50", "e@x,,0,50"))
        with zipfile.ZipFile(self.out / "feedback-moodle.zip") as archive:
            self.assertEqual(sorted(archive.namelist()), [f"{name}_assignsubmission_file_feedback.html" for name in
                                                          ("Ada L_12345", "Eve_12347", "Max-Under Score_12346")])
            for name in archive.namelist():
                self.assertIn(name.split("_")[1], {"12345", "12346", "12347"})  # by which Moodle finds the student
            self.assertEqual(archive.read("Ada L_12345_assignsubmission_file_feedback.html"),
                             (self.out / "feedback" / "Ada L.html").read_bytes())

    def test_a_column_of_another_lessons_title_is_not_taken_for_this_ones(self):
        self.put(f"ada_4711_815_{FILE}", SOLUTION)
        table = "Student,ID,Conditional Layer Normalization (44),{}\nada,4711,3,{}\n"
        for own in ("Layer Normalization (41)", "Lab: Layer Normalization", "Week 1 Layer Normalization (Real)"):
            self.grade(STUDENTS=self.file("roster.csv", table.format(own, "")))
            self.assertEqual(self.returned("grades-canvas.csv"), table.format(own, 100))
        self.grade(STUDENTS=self.file("roster.csv", table.format("Essay", 5)))
        self.assertEqual(self.returned("grades-canvas.csv"), table.format("Essay,01_layer_norm", "5,100"))

    def test_a_new_column_is_the_last_one_however_many_there_are(self):
        self.put(f"ada_4711_815_{FILE}", SOLUTION)
        head = "Student,ID," + ",".join(f"task {i}" for i in range(500))
        table = head + "{}\r\nada,4711," + ",".join(map(str, range(500))) + "{}\r\n"
        self.grade(STUDENTS=self.file("roster.csv", table.format("", "")))
        self.assertEqual(self.returned("grades-canvas.csv"), table.format(",01_layer_norm", ",100"))

    def test_a_table_with_other_signs_between_its_cells_keeps_them(self):
        self.put(f"Ada Lovelace/{FILE}", SOLUTION)
        self.grade(STUDENTS=self.file("m.csv", "First name;Last name;ID number\nAda;Lovelace;7\n\nBob;O'Hara;8"))
        self.assertEqual(self.returned("grades-moodle.csv"), "First name;Last name;ID number;01_layer_norm\n"
                         "Ada;Lovelace;7;100\n\nBob;O'Hara;8;0")

    def test_a_list_of_names_has_no_table_to_come_back(self):
        self.put(f"ada/{FILE}", SOLUTION)
        self.grade(STUDENTS=self.file("list", "ada\n"))
        self.assertEqual([path.name for path in self.out.iterdir() if "canvas" in path.name or "moodle" in path.name], [])

    def test_there_is_a_row_a_student_with_all_lessons_and_a_total(self):
        self.put(f"=ada/{FILE}", WRONG)
        self.put("=ada/02_backward.c", (ROOT / "solutions" / "02_backward.c").read_text())
        self.put(f"bob/{FILE}", STUB)
        self.grade(WEIGHTS=self.file("w", "20 01\n"))
        self.assertEqual(self.returned("grades-by-student.csv"), "student,id,01_layer_norm,02_backward,total\r\n"
                         f"\"'=ada\",,{SCORE / 5:.2f},100,{100 + SCORE / 5:.2f}\r\nbob,,0,0,0\r\n")


class DueDates(GivenBack):
    DUE = 1777939140  # 2026-05-04 23:59 UTC

    def hand_in(self, name, late, text=SOLUTION):
        """`late`: hours behind the due date."""
        self.put(f"{name}/{FILE}", text)
        os.utime(self.room / name / FILE, (0, self.DUE + int(3600 * late)))

    def grade_by(self, text, **variables):
        self.grade(TZ="UTC", COURSE=self.file("course", text), **variables)
        return {plain(row["student"]): (row["score"], row["earned"], row["adjusted"]) for row in rows(self.out)}

    def test_lateness_is_taken_off_and_the_arithmetic_stands_beside_it(self):
        self.hand_in("early", -30)
        self.hand_in("grace", 0.2)
        self.hand_in("late", 25)
        self.hand_in("worse", 24 * 20, WRONG)
        (self.room / "never").mkdir()
        found = self.grade_by("due 01 2026-05-04 23:59  # a Monday\ngrace 15\nlate 10\nmost 50\n\n")
        self.assertEqual({name: words[:2] for name, words in found.items()}, {
            "early": ("100", "100"), "grace": ("100", "100"), "late": ("80", "100"), "worse": ("11.11", "22.22"),
            "never": ("0", "0")})
        why = ("late: handed in 2026-05-06 00:59 by the file's time, due 2026-05-04 23:59; 2 days begun, 20 percent "
               "off: 80 of the 100 points earned")
        self.assertEqual([found[name][2] for name in ("early", "grace", "late", "never")], ["", "", why, ""])
        self.assertIn("20 days begun, 50 percent off: 11.11 of the 22.22 points", found["worse"][2])
        self.assertIn(f"passed: 9 of 9 checks passed, 80 of 100 points {why}",
                      re.sub(r"\s+", " ", self.returned("feedback/late.txt")))
        for page in ("feedback/late.html", "report.html"):
            self.assertIn("2 days begun, 20 percent off", self.returned(page))
        lesson = {student["student"]: student["lessons"][0]
                  for student in json.loads(self.returned("grades.json"))["students"]}["late"]
        self.assertEqual((lesson["score"], lesson["earned"], lesson["adjusted"]), (80, 100, why))

    def test_single_students_have_other_dates_times_excuses_and_scores(self):
        for name in ("Lovelace, Ada", "bob", "carol", "dan", "eve"):
            self.hand_in(name, 30)
        found = self.grade_by("due 01 2026-05-04\nlate 10\nextend 01 2026-05-11 Ada Lovelace\n"
                              "handed 01 2026-05-04 20:00 bob\nexcuse 01 carol: ill\nscore 01 55.5 dan: oral exam\n"
                              "extend 02 2026-05-11 dan\nextend 01 2026-05-05 10:00 eve\n")
        self.assertEqual({name: words[0] for name, words in found.items()},
                         {"Lovelace, Ada": "100", "bob": "100", "carol": "", "dan": "55.5", "eve": "90"})
        self.assertEqual([found[name][2] for name in ("Lovelace, Ada", "bob", "carol", "dan")],
                         ["", "", "excused: ill", "set by hand to 55.5 in place of 100: oral exam"])
        self.assertIn("due 2026-05-05 10:00 by extension", found["eve"][2])
        self.assertIn("carol,,excused,0\r\n", self.returned("grades-by-student.csv"))

    def hand_in_twice(self, name, first, then):
        """The right file, and then one that has less."""
        for folder, late, text in (("first", first, SOLUTION), ("then", then, WRONG)):
            self.put(f"{name}/{folder}/{FILE}", text)
            os.utime(self.room / name / folder / FILE, (0, self.DUE + int(3600 * late)))

    def test_of_two_files_the_newest_counts_late_or_not_and_that_an_older_one_was_in_time_is_said(self):
        self.hand_in_twice("ada", -30, 20)
        self.hand_in_twice("bob", 10, 20)
        found = self.grade_by("due 01 2026-05-04 23:59\nlate 10\n")
        self.assertEqual({name: words[:2] for name, words in found.items()},
                         {name: ("20", "22.22") for name in ("ada", "bob")})
        said = "; an older file came in time, and the newest counts"
        self.assertTrue(found["ada"][2].endswith(f"20 of the 22.22 points earned{said}"), found)
        self.assertNotIn(said, found["bob"][2])

    def test_where_the_course_says_so_the_newest_that_is_not_late_counts_if_there_is_one(self):
        self.hand_in_twice("ada", -30, 20)
        self.hand_in_twice("bob", 10, 20)
        self.hand_in_twice("carol", -30, -20)
        self.hand_in_twice("dan", -30, 20)
        self.hand_in_twice("eve", -30, 0.2)
        found = self.grade_by("count in-time\ndue 01 2026-05-04 23:59\nlate 10\ngrace 15\nextend 01 2026-05-11 dan\n")
        self.assertEqual({name: words[:2] for name, words in found.items()},
                         {"ada": ("100", "100"), "bob": ("20", "22.22"), "carol": ("22.22", "22.22"),
                          "dan": ("22.22", "22.22"), "eve": ("22.22", "22.22")})
        taken = self.returned("taken.txt")
        self.assertIn(f"ada, 01: ada/first/{FILE}   (one of 2)", taken)
        self.assertIn(f"ada: ada/then/{FILE}: another one counts", taken)

    def test_what_Canvas_marks_late_is_a_day_late_at_least_unless_the_course_knows_better(self):
        for number, (name, late) in enumerate((("ada", -30), ("bob", 30), ("carol", -30), ("dan", -30)), 4711):
            path = self.room / f"{name}_LATE_{number}_815_{FILE}"
            path.write_text(SOLUTION)
            os.utime(path, (0, self.DUE + 3600 * late))
        self.put(f"eve_LATE_4799_815_{FILE.replace('.c', '.zip')}", zipped({FILE: SOLUTION}))
        os.utime(self.room / f"eve_LATE_4799_815_{FILE.replace('.c', '.zip')}", (0, self.DUE - 3600))
        found = self.grade_by("due 01 2026-05-04 23:59\nlate 10\nextend 01 2026-05-11 carol\n"
                              "handed 01 2026-05-04 23:00 dan\n")
        self.assertEqual({name: words[0] for name, words in found.items()},
                         {"ada": "90", "bob": "80", "carol": "100", "dan": "100", "eve": "90"})
        self.assertEqual(found["ada"][2], "late: marked LATE by Canvas, due 2026-05-04 23:59; 1 day begun, 10 percent "
                         "off: 90 of the 100 points earned")
        self.assertEqual(self.grade_by("late 10\n")["ada"][0], "100")  # no date is due

    def test_a_line_that_says_nothing_is_said_with_its_number(self):
        self.hand_in("Ada", 0)
        self.hand_in("ada", 0)
        for line, words in (("due 01 4.5.2026", "a day is written as 2026-05-04 23:59"), ("due 99 2026-05-04", "stands a lesson"),
                            ("due 01 2026-02-30", "a day is written"), ("due 01 2026-05-04 25:00", "a day is written"),
                            ("due 01 2026-05-04 23:59 bob", "a day is written"),
                            ("due 01 2026-05-04 10:-5", "a day is written"), ("count best", "behind count stands in-time"), ("late ten", "a number of percent, 0 to 100"),
                            ("late 101", "0 to 100"), ("grace -1", "a number of minutes"), ("sleep 8", "a line begins with due"),
                            ("score 01 80 Ada", "has a reason"), ("score 01 x Ada: y", "stands a score"),
                            ("excuse 01 bob", 'nobody in the class is called "bob"'),
                            ("excuse 01 A d a", 'more than one is called "A d a"')):
            with self.subTest(line):
                done = grade(self.room, self.out, COURSE=self.file("course", f"# a comment\n{line}\n"))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("course, line 2: ", done.stderr)
                self.assertIn(words, done.stderr)

    def test_the_time_of_a_students_own_archive_counts_and_not_what_stands_in_it(self):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr(zipfile.ZipInfo(FILE, (2020, 1, 1, 0, 0, 0)), SOLUTION)
        self.put("ada.zip", data.getvalue())
        os.utime(self.room / "ada.zip", (0, self.DUE + 3600))
        self.assertEqual(self.grade_by("due 01 2026-05-04 23:59\nlate 10\n")["ada"][0], "90")

    def test_the_times_of_Moodles_worksheet_count_before_those_of_the_files(self):
        for number, name in enumerate(("Ada", "Bob"), 12345):
            self.put(f"{name}_{number}_assignsubmission_file_{FILE}", SOLUTION)
        table = ('Identifier,Full name,Grade,Maximum Grade,Last modified (submission)\n'
                 'Participant 12345,Ada,,10,"Monday, 4 May 2026, 11:58 PM"\n'
                 'Participant 12346,Bob,,10,"Tuesday, 5 May 2026, 12:30 PM"\n')
        found = self.grade_by("due 01 2026-05-04 23:59\nlate 10\n", STUDENTS=self.file("w.csv", table))
        self.assertEqual((found["Ada"][0], found["Bob"][0]), ("100", "90"))
        self.assertIn("handed in 2026-05-05 12:30 by Moodle's table", found["Bob"][2])

    def test_without_the_file_all_is_as_it_was(self):
        self.hand_in("ada", 900)
        self.grade()
        self.assertEqual(list(rows(self.out)[0]), ["student", "lesson", "status", "passed", "total", "score", "mistakes",
                                                   "checksum", "seed"])
        self.assertNotIn("adjusted", self.returned("grades.json"))


class OneAndNobody(GivenBack):
    def test_one_student_is_graded_anew_and_the_feedback_shown_as_it_will_be(self):
        for name in ("ada", "bob"):
            self.put(f"{name}/{FILE}", WRONG + f"/* {name} */\n")
        self.grade()
        before = {path: path.stat().st_mtime_ns for path in (self.out / "kept" / "verdicts").iterdir()}
        said = self.grade(ONLY="Ada").stdout
        after = {path: path.stat().st_mtime_ns for path in (self.out / "kept" / "verdicts").iterdir()}
        self.assertEqual((set(before), len(set(before.items()) - set(after.items()))), (set(after), 1))
        for line in self.returned("feedback/ada.txt").splitlines():
            self.assertIn(line.strip(), said)
        self.assertEqual([row["score"] for row in rows(self.out)], ["22.22", "22.22"])
        for name in ("eve", "a d a x"):
            done = grade(self.room, self.out, ONLY=name)
            self.assertEqual((done.returncode, done.stderr), (2, f"ONLY={name}: nobody in the class is called that.\n"))

    def test_blind_nobody_is_told_by_name_number_path_or_order(self):
        names = [f"Lovelace {letter}" for letter in "ABCDEFGH"]
        for number, name in enumerate(names):
            self.put(f"{name}_{4711 + number}_assignsubmission_file_/{FILE}", SOLUTION + f"/* {number} */\n")
        self.put(f"Lovelace I/{FILE}.docx", "x")
        self.put("Lovelace_notes.txt", "x")
        table = "Identifier,Full name\n" + "".join(f"Participant {4711 + n},{name}\n" for n, name in enumerate(names))
        self.grade(STUDENTS=self.file("list.csv", table), COURSE=self.file("course", "score 01 7 Lovelace B: oral\n"))
        self.assertTrue((self.out / "feedback-moodle.zip").exists())
        self.grade(STUDENTS=self.file("list.csv", table), COURSE=self.file("course", "score 01 7 Lovelace B: oral\n"),
                   BLIND="yes")
        for path in [path for path in self.out.rglob("*") if path.is_file()]:
            self.assertNotRegex(str(path.relative_to(self.out)), "Lovelace|_471")
            if "kept/files" not in str(path):
                self.assertNotRegex(path.read_text(errors="replace"), "Lovelace|_471", path)
        with open(self.path / "room-grades-key.csv", newline="", encoding="utf-8") as file:
            key = {row["student"]: row["pseudonym"] for row in csv.DictReader(file, strict=True)}
        self.assertEqual((set(key), len(set(key.values()))), ({*names, "Lovelace I"}, 9))
        found = {row["student"]: row["score"] for row in rows(self.out)}
        self.assertEqual(found[key["Lovelace B"]], "7")
        self.assertEqual(list(found), sorted(found))
        self.assertIn("it is no C file", self.returned(f"feedback/{key['Lovelace I']}.txt"))
        second = self.path / "second"
        shutil.copytree(self.room, second)
        (second / "Lovelace X").mkdir()
        (second / "Lovelace X" / "02_backward.c").write_text("int x;")
        done = grade(second, BLIND=str(self.path / "room-grades-key.csv"), LESSONS="02")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = {row["student"] for row in rows(self.path / "second-grades")}
        self.assertEqual(len(again - set(key.values())), 1)
        self.assertEqual(set(key.values()) - again, set())
        shown = grade(second, BLIND="no", LESSONS="02")
        self.assertNotIn("hidden", shown.stdout)
        self.assertIn("Lovelace X", {row["student"] for row in rows(self.path / "second-grades")})
        done = grade(self.room, self.out, BLIND=self.file("course", "no key\n"))
        self.assertEqual((done.returncode, (self.path / "course").read_text()), (2, "no key\n"))


if __name__ == "__main__":
    unittest.main()
