"""A class of 300 for test_grade.py, made by a script, whose grade book is known: right, wrong, crashing,
endless, malicious, missing, huge and strangely named hand-ins, in every form in which a course's system
hands them out. What a student has made wrong is written here beside what it must cost.
"""

import io
import os
import re
import tarfile
import zipfile

import hostile
from hostile_attacks import FORBIDDEN
from lesson_files import ROOT

LESSON = "01_layer_norm"
FILE = f"{LESSON}.c"
SOLUTION = (ROOT / "solutions" / FILE).read_text()
STUB = (ROOT / "checker" / "lessons" / LESSON / "stub.c").read_text()
TOTAL = 9  # checks of lesson 01: 2 of row_mean, 3 of row_variance, 4 of layer_norm
STRANGE = ["O'Neil, Shaquille", 'Robert"); DROP TABLE', "$(touch made-by-a-name)", "`touch made-by-a-name`",
           "a\nb", "=1+1", "+cmd|' \\C calc'!A0", "-rf", "@SUM(A1)", "Ключевский", "山田 太郎", "😀", "<b>bold<!--",
           "a%20b", "x" * 150, " lead and trail ", "*", "~", "a;b&c|d", "\x1b[31mred", "Ada.", "ada."]


class Student:
    """`passed`: how many checks; `mistakes`: what is named, or None where the class does not say."""

    def __init__(self, name, status, passed=0, mistakes=None):
        self.name, self.status, self.passed, self.mistakes = name, status, passed, mistakes


def right(number):
    return SOLUTION + f"/* {number} */\n"


def changed(old, new, number=0):
    assert SOLUTION.count(old) == 1, old
    return SOLUTION.replace(old, new) + f"/* {number} */\n"


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def tarred(files):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


class Classroom:
    """make() fills the folder; students is then what the grade book must say, by name."""

    def __init__(self, folder):
        self.folder = folder
        self.students = {}

    def expect(self, name, *what):
        assert name not in self.students, name
        self.students[name] = Student(name, *what)

    def put(self, path, content):
        path = os.path.join(os.fsencode(self.folder), os.fsencode(path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def hand_in(self, name, text, *what):
        """In one form after the other."""
        self.expect(name, *what)
        number = len(self.students)
        repository = {f"norm-{name}/exercises/{FILE}": text, f"norm-{name}/solutions/{FILE}": SOLUTION,
                      f"norm-{name}/checker/lessons/{LESSON}/stub.c": STUB}
        forms = [
            (f"{name}/{FILE}", text),
            (f"{name}_{FILE}", text),
            (f"{name}_{100000 + number}_assignsubmission_file_/{FILE}", text),
            (f"{name}_{100000 + number}_{200000 + number}_{LESSON}-1.c", text),
            (f"{name}_LATE_{100000 + number}_{200000 + number}_{FILE}", text),
            (f"{name}_{100000 + number}_{200000 + number}_all.zip", zipped(repository)),
            (f"{name}-main.tar.gz", tarred(repository)),
            (f"{name}/norm-1a2b3c4/exercises/{FILE}", text),
        ]
        self.put(*forms[number % len(forms)])

    def make(self):
        for i in range(130):
            self.hand_in(f"right{i:03}", right(i % 16), "passed", TOTAL, "")
        self.make_wrong()
        self.make_hostile()
        self.make_unaccepted()
        for i, name in enumerate(STRANGE):
            self.expect(name, "passed", TOTAL, "")
            self.put(f"{name}/{FILE}", right(i % 16))
        for i in range(27):
            self.hand_in(f"stub{i:02}", STUB, "stub")
        for i in range(6):
            self.expect(f"absent{i}", "missing")
            (self.folder / f"absent{i}").mkdir()
        self.expect("elsewhere", "unusable")
        self.put("elsewhere/essay.txt", "Normalization")
        return self

    def make_wrong(self):
        for i in range(40):
            self.hand_in(f"squared{i:02}", changed("distance * distance", "distance + distance", i % 3),
                         "failed", 2, "")
        for i in range(20):
            self.hand_in(f"divided{i:02}", re.sub(r"(?s)(distance \* distance.*?)\(float\)features",
                                                  r"\1(float)(features - 1)", SOLUTION, count=1),
                         "failed", 2, "n_minus_1")
        for i in range(3):
            text = SOLUTION.replace("j < features", "j <= features", 1)
            self.hand_in(f"crash{i}", text + f"/* {i} */\n", "failed", 3, "")
        for i in range(2):
            self.hand_in(f"endless{i}", SOLUTION.replace("j++", "j += 0", 1), "ended by a limit", 3, "")
        for i in range(20):
            self.hand_in(f"typo{i:02}", SOLUTION.replace("sum +=", "sun +=", 1) + f"/* {i % 4} */\n",
                         "does not compile")

    def make_hostile(self):
        for entry in FORBIDDEN:
            if entry.words:
                self.hand_in(f"hostile.{entry.name}", entry.code(), "failed", 5, "")
        only = {"include_relative", "include_absolute", "incbin_solution", "include_zeroes"}
        for refused in hostile.refused_by_the_compiler(ROOT):
            if refused.name in only:
                self.hand_in(f"hostile.{refused.name}", refused.text, "does not compile")

    def make_unaccepted(self):
        self.hand_in("huge", "/* " + "x" * (5 << 20) + " */\n" + SOLUTION, "not accepted")
        self.hand_in("binary", SOLUTION + "\0", "not accepted")
        for i, (name, content) in enumerate({
                "torn": tarred({FILE: SOLUTION})[:-30], "nozip": b"PK\3\4 and nothing else",
                "bomb": tarred({"zero.bin": "\0" * (300 << 20), FILE: SOLUTION})}.items()):
            self.expect(name, "not accepted")
            self.put(f"{name}.zip" if i == 1 else f"{name}.tar.gz", content)
        for name, target in {"link": f"../right000/{FILE}", "linkup": str(ROOT / "solutions" / FILE)}.items():
            self.expect(name, "not accepted")
            (self.folder / name).mkdir()
            (self.folder / name / FILE).symlink_to(target)
        self.expect("linkedfolder", "not accepted")
        (self.folder / "linkedfolder").symlink_to(ROOT / "solutions")
        self.expect("pipe", "not accepted")
        (self.folder / "pipe").mkdir()
        os.mkfifo(self.folder / "pipe" / FILE)
