"""Reads checker/tests/slips/: wrong programs as learners write them, whose wrong line is known.

    NN_name/STYLE.c      a right program of that lesson, in one style
    NN_name/STYLE.txt    wrong programs, as changes of it (patches.py); the title says what is wrong.
                         "larger: ..." is what no single change is expected to repair, "three: ..." has three
                         independent mistakes in one function
    NN_name/solution.txt  the same, as changes of the solution: the line says it better than a name would
    odd/NN_STYLE.c       right programs of which parsers don't like some; odd/NN_STYLE.txt has changes of them, whose
                         titles begin with "right: ", "wrong: " or "either: " (some compilers refuse it). More of
                         them are made here, by made_odd()
    half/NN_what.c       half written: whole files, for they are no change of another program

None of it was derived from what a search for the line can do. The known lines of a wrong program are
those that differ from the right one. Where a line is missing, or was moved, its neighbours count too.
"""

import lesson_files
import patches
from lesson_files import ROOT

SLIPS = ROOT / "checker" / "tests" / "slips"


class Program:
    """A file to grade. lines: those of which one is wrong; larger: no single change repairs it."""

    def __init__(self, lesson, title, text, lines=frozenset()):
        self.lesson, self.title, self.text, self.lines = lesson, title, text, lines
        self.larger, self.three = (f": {word}: " in title for word in ("larger", "three"))


def lesson_of(number):
    return next(name for name in lesson_files.names() if name.startswith(f"{number}_"))


def lessons():
    return [name for name in lesson_files.names() if (SLIPS / name).is_dir()]


def styles(lesson):
    return [Program(lesson, path.name, path.read_text()) for path in sorted((SLIPS / lesson).glob("*.c"))]


def wrong(lesson):
    return [program for program in of_styles(lesson) if not program.three]


def three():
    return [program for lesson in lessons() for program in of_styles(lesson) if program.three]


def of_styles(lesson):
    return [program for style in sorted((SLIPS / lesson).glob("*.c"))
            for program in changed(lesson, style, style.with_suffix(".txt"))]


def by_line(lesson):
    """The slips that no mistake of the lesson names any more: of the solution, and no part of the corpus,
    for some of the search was written with them at hand."""
    return changed(lesson, ROOT / "solutions" / f"{lesson}.c", SLIPS / lesson / "solution.txt")


def changed(lesson, style, changes):
    """The programs that a list of changes makes of a style."""
    made = [(patch, *patch.applied(style.read_text())) for patch in patches.read(changes)]
    return [Program(lesson, f"{patch.place}: {patch.title}", text, known_lines(text, spans))
            for patch, text, spans in made]


def known_lines(text, spans):
    """The numbers of the lines that are not as they were."""
    lines = set()
    for begin, end, neighbours in spans:
        first, last = (text.count("\n", 0, offset) + 1 for offset in (begin, end))
        lines.update(range(max(first - neighbours, 1), last + neighbours + 1))
    return lines


def half():
    return [Program(lesson_of(path.name[:2]), path.name, path.read_text())
            for path in sorted((SLIPS / "half").glob("*.c"))]


# ---- odd files ---------------------------------------------------------------------------------------
def odd():
    """(program, "right", "wrong" or "either")"""
    yield from written_odd()
    yield from made_odd()


def written_odd():
    for style in sorted((SLIPS / "odd").glob("*.c")):
        lesson = lesson_of(style.name[:2])
        yield Program(lesson, style.name, style.read_text()), "right"
        for program in changed(lesson, style, style.with_suffix(".txt")):
            yield program, program.title.split(": ")[1]


def made_odd():
    """What an editor, a file system or git might change, or nobody wants to read: made of a style."""
    lesson = lesson_of("01")
    [style] = [program.text for program in styles(lesson) if program.title == "index_macro.c"]
    slip = style.replace("return acc / features;", "return acc / (features + 1);")
    inner = "v += (X(r, j) - m)"
    ways = [
        ("crlf.c", lambda text: text.replace("\n", "\r\n")),
        ("byte_order_mark.c", lambda text: "\ufeff" + text),
        ("no_newline_at_the_end.c", lambda text: text.rstrip()),
        ("many_lines.c", lambda text: text + "".join(
            f"static int unused_{i}(int a)\n{{\n\treturn a + {i};\n}}\n" for i in range(2500))),
        ("empty_lines.c", lambda text: text.replace("{\n", "{" + 10000 * "\n", 1)),
        ("parentheses.c", lambda text: text.replace(inner, f"v += {200 * '('}X(r, j) - m{200 * ')'}")),
        ("terms.c", lambda text: text.replace(inner, f"v += (X(r, j) - m{2000 * ' + 0'})")),
        ("one_long_line.c", lambda text: text.replace("float acc = 0.f;", f"float acc = 0.f;{100_000 * ' '}", 1)),
        ("a_long_comment.c", lambda text: text.replace("float acc", f"/*{100_000 * '*'}*/ float acc", 1)),
        ("a_long_name.c", lambda text: text.replace("acc", 5000 * "acc")),
        ("braces.c", lambda text: text.replace("m /= features;", f"{100 * '{'}m /= features;{100 * '}'}")),
    ]
    for name, change in ways:
        assert change(style) != style
        yield Program(lesson, f"right_{name}", change(style)), "right"
        yield Program(lesson, f"wrong_{name}", change(slip)), "wrong"
    for name, text in [("comment.c", style + "/* and so on"), ("string.c", style + '"and so on'),
                       ("brace.c", style.rstrip().rstrip("}")), ("empty.c", ""), ("nul.c", style.replace("acc", "a\0c")),
                       ("nothing_but_nul.c", 4096 * "\0"), ("deep.c", f"int a = {50_000 * '('}1{50_000 * ')'};\n"),
                       ("not_c.c", "def row_mean(x):\n    return sum(x) / len(x)\n"),
                       ("hash.c", "#"), ("backslash.c", "\\"), ("quote.c", "'")]:
        yield Program(lesson, f"broken_{name}", text), "wrong"
