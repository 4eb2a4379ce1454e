"""The map is true: a header says which file defines what it declares, and a room's own header, ROOM/ROOM.h,
names every file of its room.

What a file defines is read from its object, so make built comes first. A declaration belongs to the heading
above it, `/* ---- name.c ---- */`, which may go on behind the name; where none is above it, to the file of
the header's own name, or to the one that the opening comment names.
"""

import functools
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from lesson_files import ROOT

ROOMS = "run line box emulator program workbook class labs race book page".split()  # where the map is true
OBJECTS = {"labs": "build/lab_objects", "race": "build/race_objects", "book": "build/book_objects", "tests": "build/tests"}
SOURCES = ["*/*.c", *(f"lessons/*/{name}.c" for name in ("lesson", "lab*", "race", "calls", "figure"))]
# The trial's compiler reads these beside a learner's file: what they declare, it has or the C library.
LEARNERS = ("box/trial_prelude.h", "box/trial_memory.h", "emulator/prelude.h")
EACH = "NN_name"  # in a path: of every lesson
NAME = re.compile(r"(?<![\w./*-])(?:[\w-]+/)*\w+\.[ch]\b(?!\w)")
PIECE = re.compile(r"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<line>^[ \t]*#(?:\\\n|[^\n])*)|(?P<text>\"(?:\\.|[^\"\\])*\")"
                   r"|'(?:\\.|[^'\\])'|(?P<mark>[{};])|(?P<rest>.)", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"/\* ---- (.*?)(?::.*?)? ?----", re.DOTALL)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")


def opening(text):
    """The comment that a file begins with."""
    return re.match(r"/\*.*?\*/|", text, re.DOTALL)[0]


def statements(text):
    """(the heading above it or None, a declaration without comments and braces), at file scope."""
    heading, said, depth, found = None, "", 0, []
    for piece in PIECE.finditer(text):
        begins = HEADING.match(piece["comment"] or "")
        if begins:
            heading = begins[1].strip()
        elif piece["mark"] == "{":
            depth += 1
        elif piece["mark"] == "}":
            depth -= 1
            if not depth and said.rstrip().endswith(")"):
                said = ""  # a function's body
        elif piece["mark"] and not depth:
            found.append((heading, " ".join(ATTRIBUTE.sub("", said).split())))
            said = ""
        elif not depth:
            said += piece["text"] or piece["rest"] or " "
    return found


def declared(text):
    """{name: its heading} of the functions and objects that are not the header's own."""
    names = {}
    for heading, said in statements(text):
        if said and not re.match(r"typedef\b|static\b|_Static_assert\b|(struct|union|enum)\b[^()=]*$", said):
            said = re.sub(r"(\s*\[[^]]*\])*\s*(=.*)?$", "", said)
            names[(re.search(r"(\w+)\s*\(", said) or re.search(r"(\w+)$", said))[1]] = heading
    return names


def file_of(heading, header, text, definers):
    """The file, as a path from checker/, that a declaration below that heading is to be in; None: it names several.
    A heading of words alone says nothing of files. A bare name lies beside the header."""
    named = NAME.findall(heading or "")
    if not named:
        own = header.with_suffix(".c")
        named = sorted({name for name in NAME.findall(opening(text)) if name.endswith(".c")})
        if len(named) != 1 or any(own.as_posix() in paths for paths in definers.values()):
            named = [own.name]
    elif not heading.startswith(named[0]):
        named = []
    if len(named) != 1:
        return None
    return named[0].removeprefix("checker/") if "/" in named[0] else (header.parent / named[0]).as_posix()


def is_one_of(file, paths):
    pattern = re.escape(file).replace(EACH, r"\d\d_\w+")
    return any(re.fullmatch(pattern, path) for path in paths)


def misplaced(header, text, definers):
    """Declarations that stand under another file than the one that defines them, each as a sentence. header and
    files: paths from checker/. definers: {name: files}."""
    faults = []
    for name, heading in declared(text).items():
        file, paths = file_of(heading, header, text, definers), definers.get(name, set())
        if not paths:
            faults.append(f"{header}: {name} is defined nowhere")
        elif not file or not is_one_of(file, paths):
            faults.append(f"{header}: {name} stands under {heading or 'no heading'}, and is {min(paths)}'s")
    return faults


def named_in(text):
    """The files that a room's header names: in its opening comment and in its headings."""
    return {name for part in [opening(text), *HEADING.findall(text)] for name in NAME.findall(part)}


def map_faults(text, files, elsewhere):
    """What the map leaves out of the room's files, and what it names that is none. elsewhere(path): is it a file?"""
    named = named_in(text)
    return ([f"{name} is not in the map" for name in sorted(files - named)] +
            [f"{name} is in the map, and is no file" for name in sorted(named - files)
             if not ("/" in name and elsewhere(name))])


def unused(text, definers, users):
    """What the header declares and nobody asks for but the file that defines it. users: {name: files}."""
    return [name for name in declared(text) if definers.get(name) and not users.get(name, set()) - definers[name]]


# ---- the checkout ----
def objects_of(source):
    """Where make puts what it makes of checker/SOURCE: of one source for each lesson, an object for each."""
    room, name = source.split("/")[0], source.split("/", 1)[1].replace(".c", ".o")
    if room == "lessons":
        return [ROOT / "build" / name]
    if source == "program/name.c":
        return sorted((ROOT / "build").glob("[0-9][0-9]_*/name.o"))
    if source.startswith("box/trial"):
        room = "trial"
    return [ROOT / OBJECTS.get(room, f"build/objects/{room}") / name]


def symbols_of(source):
    """(the names it defines, the names it asks for). Some files are made only when they are asked for: of these all
    that begins a line in the way of a definition, and all their words."""
    objects = objects_of(source)
    if objects and all(file.is_file() for file in objects):
        listed = subprocess.run(["nm", *objects], text=True, capture_output=True, check=True).stdout
        found = re.findall(r"^[0-9a-f ]* ([A-Za-z]) (\w+)$", listed, re.MULTILINE)
        return {name for kind, name in found if kind in "TDBRCWV"}, {name for kind, name in found if kind == "U"}
    code = PIECE.sub(lambda piece: " " if piece["comment"] else piece[0], (ROOT / "checker" / source).read_text())
    begun = re.findall(r"^(?!static|typedef|extern)\w[\w *]*?\b(\w+)(?:\[\])? ?(?:=|\([^;]*$)", code, re.MULTILINE)
    return set(begun), set(re.findall(r"\w+", code)) - set(begun)


@functools.lru_cache(None)
def symbols():
    """({name: the files that define it}, {name: the files that ask for it})."""
    definers, users = {}, {}
    for path in sorted({path for shape in SOURCES for path in (ROOT / "checker").glob(shape)}):
        source = path.relative_to(ROOT / "checker").as_posix()
        for names, files in zip(symbols_of(source), (definers, users)):
            for name in names:
                files.setdefault(name, set()).add(source)
    return definers, users


def headers_of(room):
    """{path from checker/: text}. A lesson's own headers are those of its lab: the others are a learner's."""
    folder = ROOT / "checker"
    paths = (path.relative_to(folder) for path in
             folder.glob("lessons/*/lab*.h" if room == "lessons" else f"{room}/*.h"))
    return {path: (folder / path).read_text() for path in sorted(paths) if path.as_posix() not in LEARNERS}


def is_a_file(name):
    shape = name.replace(EACH, "[0-9][0-9]_*")
    return any(any(folder.glob(shape)) for folder in (ROOT, ROOT / "checker"))


class Rooms(unittest.TestCase):
    def test_a_declaration_stands_under_the_file_that_defines_it(self):
        for room in [*ROOMS, "lessons"]:
            with self.subTest(room):
                self.assertEqual([fault for header, text in headers_of(room).items()
                                  for fault in misplaced(header, text, symbols()[0])], [])

    def test_a_rooms_header_names_every_file_of_its_room(self):
        for room in ROOMS:
            with self.subTest(room):
                folder = ROOT / "checker" / room
                files = {path.name for path in folder.glob("*.[ch]")} - {f"{room}.h"}
                self.assertEqual(map_faults((folder / f"{room}.h").read_text(), files, is_a_file), [])

    def test_what_a_header_declares_is_asked_for_by_another_file(self):
        for room in [*ROOMS, "lessons"]:
            with self.subTest(room):
                self.assertEqual([f"{header}: {name}" for header, text in headers_of(room).items()
                                  for name in unused(text, *symbols())], [])


HEADER = """/* A room.
 *
 *   one.c    the first; other/far.c is of another room
 *   two.h    what it shares; each lessons/NN_name/part.c has it */
#ifndef ROOM_H
#define ROOM_H \\
    int no_declaration(void);
#include "one.h"

typedef struct Thing Thing;
struct Thing {
    int (*call)(void); /* one.c's */
};
enum { MOST = 3 };
static inline int inside(int a)
{
    return a + outside(a);
}
/* ---- one.c: words, and two.c: not its heading ---- */
const char *first(const char *text, int (*call)(int)); // a comment; with ;
extern const Thing things[MOST][2];
/* ---- other/far.c ----
 * and words. */
__attribute__((format(printf, 1, 2))) void far(const char *format, ...) __attribute__((noreturn));
/* ---- lessons/NN_name/part.c ---- */
extern const Thing own;
#endif
"""
DEFINERS = {"first": {"room/one.c"}, "things": {"room/one.c"}, "far": {"other/far.c"},
            "own": {"lessons/01_a/part.c", "lessons/02_b/part.c"}}


class TheTestItself(unittest.TestCase):
    """Of small texts: what these rules find, and what they let pass."""

    @staticmethod
    def misplaced(old="", new="", definers=None):
        return misplaced(pathlib.PurePath("room/room.h"), HEADER.replace(old, new), definers or DEFINERS)

    @staticmethod
    def map_faults(text, *files):
        return map_faults(text, set(files), {"other/far.c", "lessons/NN_name/part.c"}.__contains__)

    def test_it_reads_declarations_and_nothing_else(self):
        self.assertEqual(set(declared(HEADER)), set(DEFINERS))
        self.assertEqual(self.misplaced(), [])

    def test_a_declaration_under_another_files_heading_is_found(self):
        self.assertEqual(self.misplaced("---- one.c:", "---- two.c:"),
                         ["room/room.h: first stands under two.c, and is room/one.c's",
                          "room/room.h: things stands under two.c, and is room/one.c's"])
        self.assertEqual(self.misplaced(definers={**DEFINERS, "far": {"room/far.c"}}),
                         ["room/room.h: far stands under other/far.c, and is room/far.c's"])

    def test_a_heading_for_two_files_is_none(self):
        self.assertEqual(self.misplaced("---- other/far.c ----", "---- other/far.c, one.c ----"),
                         ["room/room.h: far stands under other/far.c, one.c, and is other/far.c's"])

    def test_what_no_file_defines_is_found(self):
        self.assertEqual(self.misplaced(definers={name: DEFINERS[name] for name in ("first", "things", "far")}),
                         ["room/room.h: own is defined nowhere"])

    def test_one_files_header_needs_no_heading(self):
        for name, opening_words in (("one.h", "It is small."), ("one.h", "Not three.c."), ("other.h", "What one.c has.")):
            text = f"/* {opening_words} */\nint first(void);\n/* ---- in words ---- */\nint second(void);\n"
            definers = {"first": {"room/one.c"}, "second": {"room/one.c"}}
            self.assertEqual(misplaced(pathlib.PurePath("room", name), text, definers), [])
            definers["second"] = {"room/two.c"}
            self.assertEqual(len(misplaced(pathlib.PurePath("room", name), text, definers)), 1)

    def test_a_file_that_the_map_leaves_out_is_found(self):
        self.assertEqual(self.map_faults(HEADER, "one.c", "two.h"), [])
        self.assertEqual(self.map_faults(HEADER, "one.c", "two.h", "ne.c"), ["ne.c is not in the map"])
        self.assertEqual(self.map_faults(HEADER.replace("*   two.h  ", "*   two*.h "), "one.c", "two.h"),
                         ["two.h is not in the map"])

    def test_a_name_of_no_file_in_the_map_is_found(self):
        self.assertEqual(self.map_faults(HEADER, "two.h"), ["one.c is in the map, and is no file"])
        self.assertEqual(self.map_faults(HEADER.replace("far.c", "near.c"), "one.c", "two.h"),
                         ["other/near.c is in the map, and is no file"])

    def test_what_nobody_else_asks_for_is_found(self):
        users = {"first": {"room/one.c", "room/two.c"}, "things": {"other/far.c"}, "far": {"room/one.c"}}
        self.assertEqual(unused(HEADER, DEFINERS, {**users, "own": {"room/one.c"}}), [])
        self.assertEqual(unused(HEADER, DEFINERS, {**users, "own": {"lessons/01_a/part.c"}}), ["own"])
        self.assertEqual(unused(HEADER, DEFINERS, users), ["own"])


if __name__ == "__main__":
    unittest.main()
