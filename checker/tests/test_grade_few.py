"""make grade of a few hand-ins: which file is whose, what a teacher can ask for, and what is said when something
is not as it should be.
"""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import threading
import unittest

import classroom
import layers
import slips
from classroom import FILE, SOLUTION, STUB, right
from grading import WORKBOOK, Room, grade, plain, rows, verdicts
from lesson_files import ROOT
from watching import wait_until
from workbook_copy import WorkbookCopy


def parent_of(stat):
    """None: the process is gone."""
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def untimed(report):
    return re.sub(r'"seconds":\s*[\d.e-]+', "", report)


def processor_time_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class OfAFew(Room):
    def status(self, **variables):
        done = grade(self.room, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {row["student"]: row["status"] for row in rows(self.out)}

    def test_without_a_class_it_says_how_it_is_used(self):
        run = subprocess.run(["make", "-s", "grade"], cwd=ROOT, text=True, capture_output=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn('make grade CLASS=hand-ins LESSONS="01 02"', run.stderr)

    def test_a_folder_with_nobody_in_it_is_no_class(self):
        for lessons in ("", "01"):
            run = grade(self.room, LESSONS=lessons)
            self.assertEqual((run.returncode, run.stderr), (2, f"{self.room}: there is no student's file in it.\n"))

    def test_two_at_once_do_not_grade_into_one_book(self):
        """A lock that is let go of soon is waited for: a child of one that was killed may have it."""
        self.put(f"ada/{FILE}", STUB)
        held = self.out / "kept" / "lock"
        held.parent.mkdir(parents=True)
        with open(held, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run = grade(self.room)
            self.assertEqual((run.returncode, run.stderr), (2, f"Another make grade is at work in {self.out}.\n"))
            later = threading.Timer(0.5, fcntl.flock, (lock, fcntl.LOCK_UN))
            later.start()
            self.assertEqual(self.status(), {"ada": "stub"})
            later.join()

    def test_a_class_of_any_name_comes_through_make_as_it_is(self):
        odd = self.path / "$(touch made) $$x 'y' \"z\""
        odd.mkdir()
        (odd / FILE).write_text(SOLUTION)
        (odd / f"ada_{FILE}").write_text(STUB)
        run = subprocess.run(["make", "-s", "grade", f"CLASS={odd}", "LESSONS=01 02", "SEED=7"], cwd=ROOT,
                             text=True, capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual([(row["student"], row["lesson"], row["status"])
                          for row in rows(self.path / (odd.name + "-grades")) if row["student"] == "ada"],
                         [("ada", "01_layer_norm", "stub"), ("ada", "02_backward", "missing")])
        self.assertFalse((ROOT / "made").exists())

    def test_strangers_code_is_refused_where_a_layer_of_the_sandbox_is_missing(self):
        self.put(f"ada/{FILE}", SOLUTION)
        for layer in ("Landlock alone", "seccomp alone", "neither"):
            with self.subTest(layer):
                refused = grade(self.room, missing=layers.MISSING[layer])
                self.assertEqual(refused.returncode, 2)
                self.assertIn("only where Landlock and seccomp hold", refused.stderr)
                self.assertIn("INSIST=yes", refused.stderr)
                self.assertFalse(self.out.exists())
        insisted = grade(self.room, missing=layers.MISSING["seccomp alone"], INSIST="yes")
        self.assertEqual(insisted.returncode, 0, insisted.stderr)

    def test_what_the_machine_could_not_do_is_no_score_and_is_tried_again(self):
        self.put(f"ada/{FILE}", right(1))
        failed = grade(self.room, limits=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
        self.assertEqual(failed.returncode, 3)
        self.assertIn("24 open files", failed.stderr)
        row = rows(self.out)[0]
        self.assertEqual((row["status"], row["passed"], row["score"]), ("could not be graded", "", ""))
        self.assertEqual(self.status(), {"ada": "passed"})

    def test_a_folder_that_is_a_link_inside_of_a_students_is_not_entered(self):
        self.put(f"ada/{FILE}", SOLUTION)
        (self.room / "eve").mkdir()
        (self.room / "eve" / "mine").symlink_to("../ada")
        self.assertEqual(self.status(LESSONS="01"), {"ada": "passed", "eve": "unusable"})
        self.assertIn("eve: eve/mine: it is a link, which is not followed", (self.out / "taken.txt").read_text())

    def test_a_name_that_a_spreadsheet_would_run_has_a_sign_before_it(self):
        for name in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", 'a"=1', "a,b", "＝1", "＋1", "－1", "＠A1", "\x1b[31m", "\x9b31m"):
            self.put(f"{name}/{FILE}", STUB)
        self.status()
        cells = [line.rpartition(",01_layer_norm,")[0] for line in
                 (self.out / "grades.csv").read_bytes().decode().split("\r\n")[1:-1]]
        self.assertEqual(sorted(cells), sorted(['"\'=1+1"', '"\'+1"', '"\'-1"', '"\'@SUM(A1)"', '"\'\t=1"',
                                                '"a""=1"', '"a,b"', '"\'＝1"', '"\'＋1"', '"\'－1"', '"\'＠A1"',
                                                r"\x1b[31m", r"\u009b31m"]))

    def test_another_class_in_the_same_place_leaves_nothing_of_the_former_ones_feedback(self):
        self.put(f"ada/{FILE}", STUB)
        self.put(f"bob/{FILE}", STUB)
        self.status(LINES="no")
        (self.out / "feedback" / "teachers own.txt").write_text("x")
        shutil.rmtree(self.room / "bob")
        self.put(f"eve/{FILE}", STUB)
        self.status(LINES="no")
        self.assertEqual(sorted(path.name for path in (self.out / "feedback").iterdir()),
                         ["ada.html", "ada.txt", "eve.html", "eve.txt", "teachers own.txt"])

    def test_what_a_killed_run_had_begun_to_write_goes_away(self):
        self.put(f"ada/{FILE}", STUB)
        self.status(LINES="no")
        gone = subprocess.Popen(["true"])
        gone.wait()
        host = re.sub("[^A-Za-z0-9]", "-", socket.gethostname())
        kept = [self.out / f"kept/verdicts/x.json.{host}.{os.getpid()}.new", self.out / "my.new"]
        key = next((self.out / "kept" / "files").iterdir())
        for place in (self.out, self.out / "kept", self.out / "kept/verdicts", self.out / "feedback", key):
            (place / f"a.b.{host}.{gone.pid}.new").write_text("x")
        for path in kept:
            path.write_text("x")
        old = self.out / "kept" / "verdicts" / "y.json.elsewhere.1.new"
        old.write_text("x")
        os.utime(old, (1, 1))
        self.status(LINES="no")
        self.assertEqual(set(self.out.rglob("*.new")), set(kept))

    def test_of_several_files_the_newest_counts(self):
        self.put(f"ada/old/{FILE}", SOLUTION)
        self.put(f"ada/new/{FILE}", STUB)
        os.utime(self.room / "ada" / "old" / FILE, (1, 1))
        self.put("bob_1234_5678_01_layer_norm-1.c", STUB)
        self.put("bob_1234_5679_01_layer_norm-2.c", SOLUTION)
        os.utime(self.room / "bob_1234_5679_01_layer_norm-2.c", (1, 1))
        self.assertEqual(self.status(), {"ada": "stub", "bob": "passed"})
        self.assertIn("(the newest of 2)", (self.out / "taken.txt").read_text())

    def test_a_file_of_any_name_will_do_where_one_lesson_is_named(self):
        self.put("ada/norm.c", SOLUTION)
        self.put("bob.c", STUB)
        self.assertEqual(self.status(LESSONS="01"), {"ada": "passed", "bob": "stub"})

    def test_a_students_own_header_comes_along_and_its_path_is_not_told(self):
        self.put(f"ada/{FILE}", '#include "own.h"\n' + SOLUTION)
        self.put("ada/own.h", "#define MINE 1\n")
        self.put(f"bob/{FILE}", '#include "own.h"\n' + SOLUTION)
        self.put("bob/own.h", "int 1;\n")
        self.assertEqual(self.status(), {"ada": "passed", "bob": "does not compile"})
        kept = "".join(path.read_text() for path in (self.out / "kept" / "verdicts").iterdir())
        self.assertIn("own.h:1", kept)
        self.assertNotIn("kept/files", kept)

    def test_an_archive_of_the_whole_class_is_as_good_as_its_folder(self):
        inside = {f"class/Ada L_1234_assignsubmission_file_/{FILE}": SOLUTION,
                  f"class/Ada L_1235_assignsubmission_file_/{FILE}": STUB}
        (self.path / "all.zip").write_bytes(classroom.zipped(inside))
        done = grade(self.path / "all.zip")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row["student"]: row["status"] for row in rows(self.path / "all-grades")},
                         {"Ada L": "passed", "Ada L (1235)": "stub"})

    def test_no_member_of_an_archive_leaves_its_folder(self):
        up = "../" * 12
        (self.room / "eve.tar.gz").write_bytes(classroom.tarred(
            {f"{up}{str(self.path)[1:]}/outside.c": "1", f"{self.path}/outside.c": "1", FILE: SOLUTION}))
        (self.room / "max.zip").write_bytes(classroom.zipped(
            {f"a/../../../../../outside.c": "1", f"{self.path}/outside.c": "1", FILE: SOLUTION}))
        self.assertEqual(self.status(), {"eve": "passed", "max": "passed"})
        self.assertEqual([path for path in self.path.rglob("outside.c")], [])

    @unittest.skipUnless(shutil.which("sim_c"), "there is no sim_c here")
    def test_a_copy_with_other_names_looks_alike_and_another_way_of_writing_it_does_not(self):
        copied = SOLUTION.replace("distance", "d").replace("sum", "total") + "/* all my own work */\n"
        self.put(f"ada/{FILE}", SOLUTION)
        self.put(f"bob/{FILE}", copied)
        for number, style in enumerate(slips.styles(classroom.LESSON)):
            self.put(f"honest{number}/{FILE}", style.text)
        self.status(LINES="no")
        alike = json.loads((self.out / "grades.json").read_text())["alike"]
        self.assertEqual([(pair["a"], pair["b"], pair["percent"]) for pair in alike], [("ada", "bob", 100)])
        self.assertTrue(20 < alike[0]["lines"] < 80, alike)
        groups = json.loads((self.out / "grades.json").read_text())["alike_groups"]
        self.assertEqual(groups, [{"lesson": classroom.LESSON, "students": ["ada", "bob"]}])

    @unittest.skipUnless(shutil.which("sim_c"), "there is no sim_c here")
    def test_code_that_is_on_is_compared_though_its_line_begins_like_one_that_is_off(self):
        self.put(f"ada/{FILE}", SOLUTION)
        for number, line in enumerate(("#if 0 || 1", "#if 01", "#if 0x1", "#if 0 == 0 /* on */")):
            self.put(f"copy{number}/{FILE}", f"{line}\n{SOLUTION.replace('distance', 'd')}#endif\n")
        self.status(LINES="no")
        groups = json.loads((self.out / "grades.json").read_text())["alike_groups"]
        self.assertEqual(groups[0]["students"], ["ada", "copy0", "copy1", "copy2", "copy3"])

    @unittest.skipUnless(shutil.which("sim_c"), "there is no sim_c here")
    def test_files_that_would_keep_the_comparison_busy_cost_nobody_elses(self):
        dull = "".join(f"x = a[{i}] + b[{i}] * c[{i}];\n" for i in range(100000))
        dead = "void dead(void)\n{\n    float x, a[9], b[9];\n" + "    x = a[1] + b[2];\n" * 20000 + "}\n"
        for number in range(4):
            self.put(f"off{number}/{FILE}", f"{SOLUTION}#if 0\n{dull}{number}\n#endif\n")
            self.put(f"dead{number}/{FILE}", f"{SOLUTION}{dead}/* {number} */\n")
        self.put(f"ada/{FILE}", SOLUTION.replace("distance", "d"))
        self.put(f"bob/{FILE}", SOLUTION.replace("sum", "total"))
        began = processor_time_of_children()
        self.status(LINES="no")
        self.assertLess(processor_time_of_children() - began, 60)
        document = json.loads((self.out / "grades.json").read_text())
        self.assertIn({"ada", "bob"}, [{pair["a"], pair["b"]} for pair in document["alike"]])
        said = " ".join(item["what"] for item in document["not_compared"])
        for number in range(4):
            self.assertIn(f"off{number}: 1 of its 3485 KB were compared: 3484 KB are below an #if 0", said)
            self.assertIn(f"dead{number}: 1 of its 412 KB were compared: 391 KB repeat themselves", said)
        self.assertIn("KB are below an #if 0", (self.out / "report.html").read_text())

    def test_a_part_of_the_work_can_be_done_by_another_process(self):
        for i in range(4):
            self.put(f"student{i}/{FILE}", right(i))
        done = grade(self.room, limits=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
        self.assertEqual(done.returncode, 3)
        for part in (1, 2):
            environment = {**os.environ, "OUT": str(self.out), "PART": str(part), "PARTS": "2"}
            run = subprocess.run([WORKBOOK[0], "grade-part"], cwd=ROOT, env=environment, check=False)
            self.assertEqual((run.returncode, len(verdicts(self.out))), (0, 4))
            graded = list((self.out / "kept" / "verdicts").glob("*.json"))
            self.assertEqual(len(graded), 2 * part)
        before = verdicts(self.out)
        self.assertEqual(set(self.status().values()), {"passed"})
        self.assertEqual(verdicts(self.out), before)

    def test_a_checker_that_is_killed_in_the_middle_of_a_file_leaves_none_ungraded(self):
        for i in range(4):
            self.put(f"student{i}/{FILE}", right(i))
        self.put(f"endless/{FILE}", SOLUTION.replace("j++", "j += 0", 1))
        environment = {**os.environ, "CLASS": str(self.room), "SEED": "7", "LINES": "no", "LIMIT": "1"}
        with subprocess.Popen(WORKBOOK, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as run:
            wait_until(lambda: list(self.out.glob("kept/verdicts/*.json")), "the first verdict")
            checkers = [int(path.parent.name) for path in pathlib.Path("/proc").glob("[0-9]*/stat")
                        if parent_of(path) == run.pid]
            for checker in checkers:
                os.kill(checker, signal.SIGKILL)
            self.assertEqual(run.stderr.read(), b"")
        self.assertEqual((run.returncode, len(checkers) > 0), (0, True))
        self.assertEqual([row["status"] for row in rows(self.out)], ["ended by a limit"] + 4 * ["passed"])

    def test_what_one_file_did_to_its_checker_is_nothing_to_the_next(self):
        files = [SOLUTION, classroom.changed("distance * distance", "distance + distance"),
                 SOLUTION.replace("j < features", "j <= features", 1), "not C", SOLUTION]
        names = []
        for i, text in enumerate(files):
            self.put(f"{i}/{FILE}", text)
            names.append(str(self.room / str(i) / FILE))
        command = [ROOT / "build" / classroom.LESSON / "check", "--seed", "7", "--format", "json", "--shown", FILE]
        each = subprocess.run([*command, "--each"], cwd=ROOT, input="".join(name + "\0" for name in names), text=True,
                              capture_output=True, check=True).stdout.split("\0")
        self.assertEqual(len(each), len(files) + 1)
        for name, report in zip(names, each):
            alone = subprocess.run([*command, "--impl", name], cwd=ROOT, text=True, capture_output=True, check=False)
            self.assertEqual(untimed(report), untimed(alone.stdout))

    def test_the_names_of_the_files_may_stand_in_a_file(self):
        self.put(FILE, "not C")
        (self.path / "names").write_text(f"{self.room / FILE}\0" * 3)
        with open(self.path / "names", encoding="utf-8") as names:
            each = subprocess.run([ROOT / "build" / classroom.LESSON / "check", "--each", "--format", "json"], cwd=ROOT,
                                  stdin=names, capture_output=True, text=True, check=True, timeout=1800).stdout
        self.assertEqual(each.count("\0"), 3)

    def test_on_a_terminal_it_shows_how_far_it_is_and_how_long_it_will_take(self):
        for i in range(6):
            self.put(f"student{i}/{FILE}", right(i))
        control, terminal = os.openpty()
        environment = {**os.environ, "CLASS": str(self.room), "SEED": "7", "LC_ALL": "C"}
        with subprocess.Popen(WORKBOOK, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=terminal) as run:
            os.close(terminal)
            shown = b""
            with contextlib.suppress(OSError):
                while part := os.read(control, 4096):
                    shown += part
        os.close(control)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(shown.decode(), r"\[#+\.+\]  50 % 3 of 6, \d+ s to go")
        self.assertRegex(shown.decode(), r"\r *\r$")

    def of_list(self, text, **variables):
        """Status and whether listed, by name, with that list of students."""
        (self.path / "list").write_bytes(text if isinstance(text, bytes) else text.encode())
        done = grade(self.room, STUDENTS=str(self.path / "list"), LINES="no", **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads((self.out / "grades.json").read_text())
        found = {student["student"]: (student["lessons"][0]["status"], student["listed"])
                 for student in document["students"]}
        self.assertEqual({plain(row["student"]): row["status"] for row in rows(self.out)},
                         {name: status for name, (status, _) in found.items()})
        return found, done.stdout

    def test_a_list_says_who_is_missing_and_who_is_not_of_the_class(self):
        self.put(f"ada_{FILE}", STUB)
        self.put(f"Lovelace, Ada/{FILE}", STUB)
        self.put(f"mallory <b>\nada/{FILE}", STUB)
        found, said = self.of_list("ada\r\n\n  =1+1 \nLovelace, Bob\n$(touch made)\n\xff<i>\n")
        self.assertEqual(found, {"ada": ("stub", True), "=1+1": ("missing", True), "Lovelace, Bob": ("missing", True),
                                 "$(touch made)": ("missing", True), "\xff<i>": ("missing", True),
                                 "Lovelace, Ada": ("stub", False), "mallory <b>\nada": ("stub", False)})
        self.assertIn("Not on the list:\n  Lovelace, Ada\n  mallory <b>", said)
        report = (self.out / "report.html").read_text()
        missing, strangers = (report.partition(words)[2].partition("</ul>")[0]
                              for words in ("<h3>Not handed in</h3>", "<h2>Not on the list</h2>"))
        self.assertEqual((missing.count("<li>"), strangers.count("<li>")), (4, 2))
        self.assertIn(">$(touch made)<", missing)
        self.assertIn("mallory &lt;b&gt;", strangers)
        self.assertFalse((ROOT / "made").exists())

    def test_a_list_is_taken_as_Canvas_and_Moodle_export_it(self):
        self.put("lovelaceada_4711_815_01_layer_norm.c", STUB)
        self.put("Mary Jane Watson_12345_assignsubmission_file_01_layer_norm.c", STUB)
        canvas = ('\ufeffStudent,ID,SIS Login ID,Essay\r\n    Points Possible,,,9\r\n"Byron, ""Ada""\n",4711,ada,\r\n'
                  '"Watson, Mary Jane",99,mj,\r\n"Nobody, Else",100,,\r\n')
        self.assertEqual(self.of_list(canvas)[0], {'Byron, "Ada"\n': ("stub", True), "Watson, Mary Jane": ("stub", True),
                                                   "Nobody, Else": ("missing", True)})
        self.put("Mary Jane Watson_12346_assignsubmission_file_01_layer_norm.c", STUB)
        moodle = "First name;Last name;ID number\nAda;Lovelace;7\nMary Jane;Watson;8\nMary Jane;Watson;9\n"
        self.assertEqual(self.of_list(moodle)[0], {
            "Ada Lovelace": ("missing", True), "lovelaceada": ("stub", False), "Mary Jane Watson": ("stub", True),
            "Mary Jane Watson (12346)": ("stub", True)})
        worksheet = "Identifier,Full name,Status\nParticipant 12345,M. J.,\nParticipant 12346,Mary Jane Watson,\n"
        self.assertEqual(self.of_list(worksheet)[0], {
            "M. J.": ("stub", True), "Mary Jane Watson": ("stub", True), "lovelaceada": ("stub", False)})

    def test_a_list_that_cannot_be_read_is_said(self):
        self.put(f"ada_{FILE}", STUB)
        for text, words in ((b"\xff\xfea\0d\0a\0", "it is no text in UTF-8: it holds a byte 0"),
                            (b'Student,ID\n"ada,1\nbob,2\n', "a quote is opened that nothing closes"),
                            (b"\n \n", "there is no name in it"), (b"a\n" * 20001, "more than 20000 students"),
                            (None, "No such file or directory")):
            if text is None:
                (self.path / "list").unlink()
            else:
                (self.path / "list").write_bytes(text)
            refused = grade(self.room, STUDENTS=str(self.path / "list"))
            self.assertEqual(refused.returncode, 2)
            self.assertIn(words, refused.stderr)

    def test_weights_say_what_lessons_and_checks_are_worth(self):
        self.put(f"ada/{FILE}", SOLUTION.replace("distance * distance", "distance + distance"))
        (self.path / "weights").write_text("20 01   # the lesson\n4 01 row_mean\n"
                                           "0 01 layer_norm holds on rows far from zero\n")
        self.status(LINES="no", WEIGHTS=str(self.path / "weights"))
        self.assertAlmostEqual(float(rows(self.out)[0]["score"]), 20 * 8 / 14, 2)
        (self.path / "weights").write_text("1 01\n3 01 row_median\n")
        wrong = grade(self.room, WEIGHTS=str(self.path / "weights"))
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("line 2: the lesson has no function or check of that name", wrong.stderr)

    def test_with_ALL_the_later_checks_of_a_function_are_run_too(self):
        self.put(f"ada/{FILE}", classroom.changed("distance * distance", "distance + distance"))
        counts = {}
        for everything in ("no", "yes"):
            self.status(LINES="no", ALL=everything)
            lesson = json.loads((self.out / "grades.json").read_text())["students"][0]["lessons"][0]
            counts[everything] = lesson["checks"]
        self.assertEqual(counts["no"][2:5], ["failed", "not reached", "not reached"])
        self.assertEqual(counts["yes"], ["passed"] * 2 + ["failed"] * 7)

    def test_a_lesson_that_changed_is_graded_again(self):
        with WorkbookCopy() as copy:
            copy.write(f"class/ada/{FILE}", SOLUTION)
            command = ["make", "-s", "grade", "CLASS=class", "SEED=7"]
            self.assertEqual(copy.run(command).returncode, 0)
            before = verdicts(copy.path / "class-grades")
            copy.write("checker/lessons/01_layer_norm/stub.c", STUB + "\n")
            self.assertEqual(copy.run(command).returncode, 0)
            self.assertEqual((len(before), len(verdicts(copy.path / "class-grades"))), (1, 2))


if __name__ == "__main__":
    unittest.main()
