"""make grade: what was handed in. Nothing that came in is lost without a word, and nothing that one student hands
in costs another.
"""

import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import unittest
import zipfile

import classroom
from classroom import FILE, LESSON, SOLUTION, STUB, right
from grading import Room, grade, plain, rows
from lesson_files import ROOT

WITH_HEADER = '#include "%s"\n' + SOLUTION.replace("= 0.0f", "= ZERO")
ZERO = "#define ZERO 0.0f\n"
SECOND = (ROOT / "solutions" / "02_backward.c").read_text()


class HandedIn(Room):
    def grade(self, code=0, **variables):
        """Each student's status; of several lessons a list."""
        self.done = grade(self.room, self.out, LINES="no", **variables)
        self.assertEqual(self.done.returncode, code, self.done.stdout + self.done.stderr)
        found = {}
        for row in rows(self.out):
            found.setdefault(plain(row["student"]), []).append(row["status"])
        return {name: words if len(words) > 1 else words[0] for name, words in found.items()}

    def taken(self):
        return (self.out / "taken.txt").read_text()

    def reasons(self):
        document = json.loads((self.out / "grades.json").read_text())
        return {student["student"]: student["lessons"][0]["reason"] for student in document["students"]}


class NobodyIsRobbed(HandedIn):
    def test_five_archives_of_45000_files_cost_no_other_student_anything(self):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for number in range(45000):
                archive.writestr(f"{number}.c", "")
        for number in range(5):
            self.put(f"Bad {number}_{number + 1000}_assignsubmission_file_all.zip", data.getvalue())
        for number in range(6):
            self.put(f"Good {number}_{number + 2000}_assignsubmission_file_{FILE}", right(number))
        found = self.grade(LESSONS="01 02")
        self.assertEqual({found[f"Good {number}"][0] for number in range(6)}, {"passed"})
        self.assertEqual({found[f"Bad {number}"][0] for number in range(5)}, {"unusable"})
        self.assertIn("  Bad 3: 43000 more files, which are more than are looked at", self.taken())
        self.assertIn("more files came in than are looked at", (self.out / "feedback" / "Bad 3.txt").read_text())

    def test_a_students_headers_are_theirs_all_of_them_and_no_other(self):
        for number in range(25):
            self.put(f"Student {number:02}_{number + 1000}_assignsubmission_file_{FILE}", WITH_HEADER % f"own{number}.h")
            self.put(f"Student {number:02}_{number + 1000}_assignsubmission_file_own{number}.h", ZERO)
        for number in range(200):
            self.put(f"many_4711_{number + 100}_h{number}.h", ZERO)
        self.put(f"many_4711_815_{FILE}", WITH_HEADER % "h199.h")
        self.put(f"ada_{FILE}", WITH_HEADER % "own.h")
        self.put("ada_own.h", ZERO)
        self.put(f"adam_{FILE}", WITH_HEADER % "own.h")
        self.assertEqual(self.grade(), {**{f"Student {number:02}": "passed" for number in range(25)},
                                        "many": "passed", "ada": "passed", "adam": "does not compile"})

    def test_a_header_that_is_asked_for_by_its_whole_name_is_there_and_others_are_not(self):
        self.put(f"ada_{FILE}", WITH_HEADER % "ada_own.h")
        self.put("ada_own.h", ZERO)
        self.put(f"bob_{FILE}", WITH_HEADER % "ada_own.h")
        self.put("bob_own.h", ZERO)
        self.assertEqual(self.grade(), {"ada": "passed", "bob": "does not compile"})

    def test_a_header_that_is_not_taken_says_why_where_it_is_included(self):
        large = ZERO + "\n" * (4 << 20)
        self.put("ada_own.h", large)
        self.put(f"ada_{FILE}", WITH_HEADER % "own.h")
        self.put("bob.zip", classroom.zipped({FILE: WITH_HEADER % "own.h", "own.h": large}))
        self.put(f"cyd_{FILE}", SOLUTION)
        self.put("cyd_own.h", large)
        self.assertEqual(self.grade(LESSONS="01"), {"ada": "does not compile", "bob": "does not compile",
                                                    "cyd": "passed"})
        for name in ("ada", "bob"):
            feedback = (self.out / "feedback" / f"{name}.txt").read_text()
            self.assertIn('#error "It is not taken: It is larger than 4 MB."', feedback)
            self.assertNotIn("No such file", feedback)
            self.assertRegex(self.taken(), f"{name}: .*own.h: It is larger than 4 MB")

    def test_another_students_header_is_out_of_reach_for_make_grade_and_for_make_check(self):
        header = "mallory_4_assignsubmission_file_all.h"
        self.put(header, SOLUTION)
        names = {f"eve_5_assignsubmission_file_{FILE}": "eve", "zoe.c": "zoe"}
        for name in names:
            self.put(name, f'#include "{header}"\n')
        own = f"mallory_4_assignsubmission_file_{FILE}"
        self.put(own, '#include "all.h"\n')
        self.assertEqual(self.grade(LESSONS="01"), {"mallory": "passed", "eve": "does not compile",
                                                    "zoe": "does not compile"})
        self.put(own, f'#include "{header}"\n')
        for name, passes in {**dict.fromkeys(names, False), own: True}.items():
            run = subprocess.run([ROOT / "build" / LESSON / "check", "--impl", self.room / name, "--format", "json"],
                                 cwd=ROOT, text=True, capture_output=True, check=False)
            self.assertEqual(json.loads(run.stdout)["passed"] == classroom.TOTAL, passes, name)

    def test_a_small_disk_is_not_filled_by_what_one_student_zipped(self):
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", self.out.parent], check=False,
                          stderr=subprocess.DEVNULL).returncode:
            self.skipTest("it takes the right to mount")
        self.addCleanup(subprocess.run, ["umount", self.out.parent], check=True)
        self.room.mkdir()
        big = f"/* {'x' * (4 << 20)}"[:(4 << 20) - 4] + "*/\n"
        self.put("Bad_1001_assignsubmission_file_all.zip", classroom.zipped({f"{i}.c": big for i in range(50)}))
        self.put(f"Good_1002_assignsubmission_file_{FILE}", SOLUTION)
        self.assertEqual(self.grade(LESSONS="01"), {"Bad": "unusable", "Good": "passed"})
        self.assertIn("more than 32 MB of C came in before it", self.taken())


class NothingIsLost(HandedIn):
    def test_what_cannot_be_used_is_a_status_of_its_own_and_says_why(self):
        deep = "/".join(f"d{i}" for i in range(40))
        files = {"cpp": (f"{LESSON}.cpp", SOLUTION, "it is C++ by its name, and no C file"),
                 "docx": (f"{LESSON}.docx", classroom.zipped({"word/document.xml": "x"}), "it is no C file"),
                 "png": ("photo.png", b"\x89PNG", "it is no C file"),
                 "deep": (f"{deep}/{FILE}", SOLUTION, "it lies more than 16 folders deep"),
                 "hidden": (f".work/{FILE}", SOLUTION, "it lies in a hidden folder"),
                 "utf16": (FILE, SOLUTION.encode("utf-16"), "it is saved as UTF-16; save it as UTF-8"),
                 "utf16be": (FILE, SOLUTION.encode("utf-16-be"), "it is saved as UTF-16; save it as UTF-8"),
                 "empty": (FILE, "", "it is empty"),
                 "blank": (FILE, "\ufeff \r\n\n", "it is empty"),
                 "other": (FILE, SECOND, "this defines the functions of lesson 02"),
                 "alone": ("own.h", ZERO, "own.h: a header, and no file that is graded lies beside it"),
                 "dull": ("all.zip", classroom.zipped({"readme.md": "x"}), "readme.md: it is no C file"),
                 "thrice": ("a.zip", classroom.zipped({"b.zip": classroom.zipped({
                     "c.zip": classroom.zipped({FILE: SOLUTION})})}), "it is an archive in an archive in another")}
        for name, (path, content, _) in files.items():
            self.put(f"{name}/{path}", content)
        (self.room / "absent").mkdir()
        found = self.grade(LESSONS="01")
        self.assertEqual(found, {**{name: "unusable" for name in files}, "absent": "missing"})
        reasons, report = self.reasons(), (self.out / "report.html").read_text()
        for name, (path, _, why) in files.items():
            with self.subTest(name):
                self.assertIn(why, reasons[name])
                self.assertIn(f"{name}/{path.split('/')[0]}", reasons[name])
                feedback = (self.out / "feedback" / f"{name}.txt").read_text()
                self.assertIn(why, re.sub(r"\n *", " ", feedback))
                self.assertIn(why.replace("'", "&#39;"), report)
        self.assertIn("<h3>Handed in, and nothing usable</h3>", report)
        self.assertIn(f"{len(files):6} unusable\n", self.done.stdout)

    def test_what_can_be_used_is_used(self):
        inner = classroom.zipped({f"x/{FILE}": SOLUTION})
        files = {"txt/01_layer_norm.c.txt": SOLUTION, "second/01_layer_norm (1).c": SOLUTION,
                 "zipped/all.zip": inner, "Moodle_1234_assignsubmission_file_/work.zip": inner,
                 "twice.zip": classroom.zipped({"all.zip": inner}),
                 "tarred.tar.gz": classroom.tarred({"./x/" + FILE: SOLUTION}),
                 "named_01_layer_norm.zip": inner, "LOUD/01_LAYER_NORM.C": SOLUTION,
                 "older/01_layer_norm.c": SOLUTION, "older/01_layer_norm-1.c": "",
                 "byname/norm.c": SOLUTION}
        for path, content in files.items():
            self.put(path, content)
        for ending, mode in (("tar.xz", "w:xz"), ("tar.bz2", "w:bz2")):
            data = io.BytesIO()
            with tarfile.open(fileobj=data, mode=mode) as archive:
                info = tarfile.TarInfo(FILE)
                info.size = len(SOLUTION.encode())
                archive.addfile(info, io.BytesIO(SOLUTION.encode()))
            self.put(f"{ending.rpartition('.')[2]}.{ending}", data.getvalue())
        found = self.grade(LESSONS="01 02")
        self.assertEqual({name: words[0] for name, words in found.items() if words[0] != "passed"}, {})
        self.assertEqual(len(found), 12)

    def test_a_stub_in_exercises_does_not_win_over_an_answer_beside_it(self):
        whole = {"exercises/01_layer_norm.c": STUB, "solutions/01_layer_norm.c": SOLUTION,
                 "checker/lessons/01_layer_norm/stub.c": STUB}
        for path, content in {**{f"ada/{path}": text for path, text in whole.items()}, "ada/answers/01_layer_norm.c": SOLUTION,
                              **{f"bob/{path}": text for path, text in whole.items()},
                              "carol/exercises/02_backward.c": SECOND, "carol/01_layer_norm.c": SOLUTION,
                              "dan/exercises/01_layer_norm.c": SOLUTION, "dan/01_layer_norm.c": "not C"}.items():
            self.put(path, content)
        self.assertEqual(self.grade(LESSONS="01"), {"ada": "passed", "bob": "stub", "carol": "passed", "dan": "passed"})
        taken = self.taken()
        for words in ("ada/exercises/01_layer_norm.c: it is the stub, and an answer lies elsewhere",
                      "ada/solutions/01_layer_norm.c: what lies in exercises/ counts",
                      "bob/solutions/01_layer_norm.c: what lies in exercises/ counts",
                      "dan/01_layer_norm.c: what lies in exercises/ counts"):
            self.assertIn(words, taken)

    def test_every_file_that_came_in_is_accounted_for_once(self):
        files = {f"ada/{FILE}": SOLUTION, "ada/old/01_layer_norm.c": STUB, "ada/notes.txt": "x", "ada/02_backward.c": SECOND,
                 "ada/.DS_Store": "x", "ada/own.h": ZERO, "ada/far/other.h": ZERO, "ada/x.cpp": "y",
                 "bob/exercises/01_layer_norm.c": SOLUTION, "bob/solutions/01_layer_norm.c": STUB, "nobody.txt": "x",
                 "nobody_either.c": "x"}
        for path, content in files.items():
            self.put(path, content)
        os.utime(self.room / "ada" / "old" / FILE, (1, 1))
        self.put("eve/a.zip", classroom.zipped({FILE: SOLUTION, "b.txt": "x", ".git/objects/1": "x", ".git/objects/2": "x"}))
        self.assertEqual(self.grade(LESSONS="01 03"), {name: ["passed", "missing"] for name in ("ada", "bob", "eve")})
        taken = self.taken()
        for path in [*files, f"eve/a.zip/{FILE}", "eve/a.zip/b.txt"]:
            self.assertEqual(len(re.findall(rf"(?<!\S){re.escape(path)}(?=[:\n ])", taken)), 1, path)
        for words in ("Headers that come along:\n  ada: ada/own.h\n", "ada/old/01_layer_norm.c: a newer one counts", "02_backward.c: its lesson is not graded now",
                      "bob/solutions/01_layer_norm.c: what lies in exercises/ counts", "ada/.DS_Store: a system made it"):
            self.assertIn(words, taken)
        self.assertEqual(taken.count(".git"), 1)

    def test_what_is_hidden_in_the_classs_folder_is_nobodys_and_said(self):
        hidden = {".eve/01_layer_norm.c": SOLUTION, ".eve/own.h": ZERO, ".bob_01_layer_norm.c": SOLUTION, ".DS_Store": "x"}
        files = {**hidden, f"ada/{FILE}": SOLUTION, f"bert/{FILE}": SOLUTION}
        for path, content in files.items():
            self.put(path, content)
        self.assertEqual(self.grade(), {"ada": "passed", "bert": "passed"})
        said = "Nobody's:\n  .bob_01_layer_norm.c: it is hidden\n  .eve: it is hidden\n"
        self.assertTrue(self.taken().endswith(said), self.taken())
        self.room = self.path / "all.zip"
        self.room.write_bytes(classroom.zipped(files))
        self.assertEqual(self.grade(), {"ada": "passed", "bert": "passed"})
        for line in said.splitlines():
            self.assertEqual(self.taken().count(f"{line}\n"), 1)

    def test_where_nothing_opens_archives_that_is_said_and_files_are_graded_all_the_same(self):
        self.put(f"ada/{FILE}", SOLUTION)
        self.assertEqual(self.grade(), {"ada": "passed"})
        self.put("bob.zip", classroom.zipped({FILE: SOLUTION}))
        listed = subprocess.run(["/sbin/ldconfig", "-p"], text=True, capture_output=True, check=True).stdout
        library = re.search(r"libarchive\.so\.13 .*=> (\S+)", listed)[1]
        hide = f"mount --bind /dev/null {library} && exec build/workbook grade"
        run = subprocess.run(["unshare", "-m", "sh", "-c", hide], cwd=ROOT, text=True, capture_output=True, check=False,
                             env={**os.environ, "CLASS": str(self.room), "SEED": "7", "LINES": "no"})
        if "unshare" in run.stderr or "mount" in run.stderr:
            self.skipTest("it takes the right to mount")
        self.assertEqual((run.returncode, run.stderr), (2, "bob.zip: libarchive is missing: it opens archives. Get it with: "
                                                        "apt-get install libarchive-tools\n"))
        (self.room / "bob.zip").unlink()
        again = subprocess.run(["unshare", "-m", "sh", "-c", hide], cwd=ROOT, text=True, capture_output=True, check=False,
                               env={**os.environ, "CLASS": str(self.room), "SEED": "7", "LINES": "no"})
        self.assertEqual((again.returncode, again.stderr), (0, ""))

    def test_a_file_without_a_lessons_name_is_of_the_one_whose_functions_it_defines(self):
        self.put("ada/first.c", SOLUTION)
        self.put("ada/second.c", SECOND)
        self.put("bob/notes.c", "/* void layer_norm(void) {} */ int x;")
        self.assertEqual(self.grade(LESSONS="01 02"), {"ada": ["passed", "passed"], "bob": ["unusable", "unusable"]})

    def test_an_archive_that_is_locked_or_odd_is_refused_by_name_and_the_rest_is_graded(self):
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("zero.bin", bytes(300 << 20))
            archive.writestr(FILE, SOLUTION)
        self.put("bomb.zip", bomb.getvalue())
        self.put("nothing.rar", b"")
        self.put("noise.7z", os.urandom(5000))
        self.put(f"ada/{FILE}", SOLUTION)
        links = io.BytesIO()
        with tarfile.open(fileobj=links, mode="w") as archive:
            for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                info = tarfile.TarInfo(FILE)
                info.type, info.linkname = kind, "/etc/passwd"
                archive.addfile(info)
        self.put("links.tar", links.getvalue())
        names = {"bomb": "holds more than is taken", "nothing": "it is empty", "noise": "damaged, or no archive",
                 "links": "a link is not followed"}
        if shutil.which("zip"):
            subprocess.run(["zip", "-q", "-P", "secret", self.room / "locked.zip", FILE], cwd=ROOT / "solutions", check=True)
            names["locked"] = "it is locked by a password"
        self.assertEqual(self.grade(LESSONS="01"), {"ada": "passed", **dict.fromkeys(names, "not accepted")})
        for name, words in names.items():
            self.assertIn(words, self.reasons()[name])


if __name__ == "__main__":
    unittest.main()
