"""What the fuzz targets start from: build/fuzz/corpus/TARGET/, made of what the tests know. Committed
headers, vectors, texts and hints; reports and progress files that the checkers write; and what a
learner, or a learner's code, may send."""

import pathlib
import shutil
import struct
import subprocess

import drivers
import idx_files
import lesson_files
import slips
import test_emulator_errors
import test_progress
from lesson_files import ROOT

CORPUS = ROOT / "build" / "fuzz" / "corpus"
LOAD = 0x4C4F4144  # FrameKind, in wire.h; the next ones follow
CALL, LEAKS, LOADED, ANSWER, UNKNOWN, LEAKING, ENDED = range(LOAD + 1, LOAD + 8)
LINES = ["check", "check all", "check 03", "check row_mean", "check solutions/03_rms_norm.c", "go rms",
         "go 5", "hint layer_norm", "try 10 50 20; 1 2 3 eps=0 gamma=1 2 3", "lab 05", "next", "q", "re",
         "help try", "chekc", "  diff   02 ", "reset 01", "edit exercises/01_layer_norm.c", "\t", "read x"]
TRIED = ["10 50 20", "1 2 3; 4 4 4 gamma=2 beta=1 2 3 eps=0.5", "layer_norm x=1 2 3 eps=0", "1 2; 3",
         "1 2 gamma=", "1 inf nan", "-1e300,2e-9", "x=1 x=2", "1;;2", "w_gamma=1 2;3 4;5 6"]
PATHS = ["exercises/01_layer_norm.c", "/a/b/c.c", "a.c", "./a.c", "class//eve/./a.c", "../a", "/", ".",
         "..", "", "a/", "a/./", "/./"]

CODES = ['#include "a.h"\n#if 0\nint no(void) { return "}"[0]; }\n#else // a\\\nb\nint yes(int a, char c);\n#endif\n',
         "/* { */ static float f(const float *x,\n int n) { return '\\'' + x[n]; }\nint a = (1), b; struct s { int (*g)(void); };\n",
         '#  if 0 /* x */\n#ifdef A\n#endif\n"#endif"\n#elif 1\nint h() {}\n', 'char *s = "\\\n#if 0\n";\n# if 0 || 1\nint k(void){}']
TABLES = ['\ufeffStudent,ID,"Norms, 01 (9)"\r\n    Points Possible,,20.00\r\n"Byron, ""Ada""",4711,\r\n',
          "First name;Last name;ID number\nAda;Lovelace;7\n\nBob;O'Hara;8", "a\tb\n\"c\nd\"\te\n", '"open', "one\ntwo\r\n",
          'Identifier,Full name,Last modified (submission)\nParticipant 12,Ada,"Monday, 4 May 2026, 11:58 PM"\n']
COURSES = ["due 01 2026-05-04 23:59\ngrace 15\nlate 10\nmost 50\ncount in-time\n",
           "due 2 2026-05-04 # all day\nextend 01 2026-05-11 Lovelace, Ada\nhanded 01 2026-05-05 00:10 bob\nlate 100\n",
           "excuse 01 bob: ill\nscore 02 80.5 4711: oral exam\nlate 1e1\ndue backward 2026-01-01 0:00\n"]


# A function's beginning; sum += x[j] for j < 3, j++, with a place that is far; its end.
LOOP = (0xa9b27bfd, 0x910003fd, 0xd10243ff, 0x00000000, 0xb90013bf, 0xb85b83a0, 0xb85b43a1, 0x6b01001f, 0x1a9fa7e0,
        0x35000040, 0x14000009, 0x9280107e, 0xb87e6ba0, 0x93407c00, 0xd37ef400, 0xf85a83a1, 0x8b000020, 0xb85b83a0,
        0x2a0003e1, 0x31000400, 0xb81b83a0, 0x17fffff0, 0xa8ce7bfd, 0xd65f03c0)


def frame(kind, payload=b""):
    return struct.pack("<IIQ", kind, len(payload), 0) + payload  # fuzz_reply.c draws the token 0


def replies():
    """By the function that the first byte picks: row_mean, row_variance, layer_norm."""
    report = struct.pack("<Iiiiq2QI4x32Q64s256s", 1, 11, 0, 1, 12, 4, 0, 1, *[64] * 32,
                         b"heap-buffer-overflow", b"/etc/passwd")
    for kind in range(9):
        yield b"\0" + frame(ENDED, struct.pack("<I", kind) + report[4:])
    yield b"\0" + frame(ANSWER, struct.pack("<fI", 2.5, 0) + bytes(8))
    yield b"\2" + frame(ANSWER, struct.pack("<fI", 0, 0) + bytes(48))
    yield b"\0" + frame(UNKNOWN)
    yield b"\x80" + frame(LEAKING, report)
    yield b"\0" + frame(ANSWER, b"short") + b"and more"
    yield b"\0" + struct.pack("<IIQ", ANSWER, 0xFFFFFFFF, 0)


def requests():
    params = struct.pack("<IIIi IIIi IIIf", 2, 3, 0, 0, 0, 0, 0, 3, 1, 0, 0, 1)
    call = struct.pack("<II48s", 3, 0, b"row_variance") + params.ljust(16 * 16, b"\0")
    yield frame(CALL, call + bytes(12))
    yield frame(LEAKS, call + bytes(12)) + frame(CALL, call)
    yield frame(LOAD, struct.pack("<Q", 1 << 30) + b"build/run/x/x.so")


def reports():
    for name in lesson_files.names()[:2]:
        for source in (f"solutions/{name}.c", f"build/{name}/stub.c", f"checker/lessons/{name}/right.c"):
            yield subprocess.run([f"build/{name}/check", "--impl", source, "--format", "json"], cwd=ROOT,
                                 stdout=subprocess.PIPE, check=False).stdout
    driver = drivers.build("report_driver.c")
    yield subprocess.run([driver, "json", "numbers=nan,-inf,1e30", "detail=x", "printed=\033[1m\xe9",
                          "build_error=a.c:1:1: error: no"], stdout=subprocess.PIPE, check=True).stdout


def progress():
    test_progress.setUpModule()
    folder = test_progress.Damage("test_damage_twice_in_a_second_keeps_both")
    folder.setUp()
    folder.record(passed=4)
    folder.run_driver("hint", "01_layer_norm", "row_mean", 2)
    folder.record(lesson="02_backward")
    yield folder.file.read_bytes()
    yield test_progress.json.dumps(test_progress.GOOD).encode()
    folder.doCleanups()


def compiler_output():
    source = ROOT / "build" / "tests" / "fuzz_words.c"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("#include <nothing.h>\nint f(void)\n{\n    int unused;\n    return x\n}\n")
    said = subprocess.run([lesson_files.CC, "-Wall", "-c", source, "-o", "/dev/null"],
                          stderr=subprocess.PIPE, check=False).stderr
    yield said.replace(str(source).encode(), b"exercises/x.c")
    yield said + b"Killed signal terminated program cc1\nError: file not found\n"


def small(parts):
    """Pieces that fit a fuzzer's inputs: a whole lesson text would be mutated for ever."""
    for part in parts:
        yield part[:4000]


def committed(pattern):
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern))]


def texts(pattern):
    for text in committed(pattern):
        pieces = text.split(b"\n## ")
        yield from small(b"## " + piece for piece in pieces[:6])


def complaints():
    """TCC's words, a byte that says where in the text it was, and the text."""
    said = ["';' expected (got \"}\")", "')' expected (got \";\")", "',' expected (got \";\")", "'featurs' undeclared",
            "pointer expected", "identifier expected", "redefinition of 'square'", "unexpected end of file in comment",
            "missing terminating \" character", "include file 'math.h' not found", "lvalue expected",
            "cannot convert 'float' to 'const float *'", "too few arguments to function", "function pointer expected"]
    for number, words in enumerate(said):
        old, new = test_emulator_errors.ERRORS[number][:2]
        yield f"{words}\n{chr(40 + 5 * number)}{test_emulator_errors.wrong(old, new)}".encode()


def instructions():
    """Loops that our compiler makes, and single words of each kind."""
    yield struct.pack("<24I", *LOOP)
    for word in LOOP:
        yield struct.pack("<3I", word, 0xd2800020, 0xd65f03c0)


def inputs():
    stubs = [path.read_bytes() for path in sorted(ROOT.glob("build/0*/stub.c"))]
    return {
        "complaint": complaints(), "instructions": instructions(),
        "contract": committed("include/*.h") + committed("checker/tests/*.h"),
        "vectors": small_vectors(), "progress": progress(), "report": reports(),
        "known": (text.encode() for text in TRIED), "reply": replies(), "request": requests(),
        "line": (text.encode() for text in LINES), "page": texts("lessons/*.md"),
        "hints": committed("lessons/*.hints"), "stub": stubs + committed("solutions/*.c"),
        "code": stubs + [text.encode() for text in CODES], "csv": [text.encode() for text in TABLES],
        "course": [text.encode() for text in COURSES], "path": (text.encode() for text in PATHS), "compiler": compiler_output(), "idx": digit_files(),
        "program": committed("solutions/*.c") + committed("checker/tests/slips/[01h]*/*.c")
                   + [program.text.encode() for program, _ in slips.written_odd()],
    }


def digit_files():
    """Labels of some length, then images: right ones, and all that is refused."""
    right = {"images": idx_files.images(2), "labels": idx_files.labels(2)}
    for kind, content in [("images", right["images"])] + [
            (name.split("-")[1], content[:3000]) for _, name, content, _ in idx_files.BAD]:
        labels, images = ({**right, kind: content}[name] for name in ("labels", "images"))
        yield struct.pack(">H", len(labels)) + labels + images


def small_vectors():
    """The first case of every group: the whole files are too long to be mutated usefully."""
    for name in lesson_files.names():
        document = test_progress.json.loads((ROOT / f"checker/lessons/{name}/vectors.json").read_text())
        for group, cases in document["groups"].items():
            yield test_progress.json.dumps({"groups": {group: cases[:1]}}).encode()


def make(target):
    """The target's folder of inputs, made anew."""
    folder = CORPUS / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, data in enumerate(inputs()[target]):
        pathlib.Path(folder / f"test_{number:03}").write_bytes(data)
    return folder
