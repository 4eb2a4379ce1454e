"""Reads checker/tests/slips/: wrong programs as learners write them, whose wrong line is known.

    NN_name/STYLE.c      a right program of that lesson, in one style
    NN_name/STYLE.txt    wrong programs, as changes of it (lesson_files.py's change_blocks()); the title says
                         what is wrong. "larger: ..." is what no single change is expected to repair
    NN_name/solution.txt  the same, as changes of the solution: the line says it better than a name would
    three/NN_STYLE.txt   the same, with three independent mistakes in one function
    half/NN_what.c       programs that are half written
    odd/right_NN_what.c  programs that parsers don't like; wrong_NN_what.c, and either_NN_what.c, which some
                         compilers refuse. More of them are made here, by made_odd()

None of it was derived from what a search for the line can do. The known lines of a wrong program are
those that differ from the right one. Where a line is missing, or was moved, its neighbours count too.
"""

import re

import lesson_files
from lesson_files import ROOT

SLIPS = ROOT / "checker" / "tests" / "slips"


class Program:
    """A file to grade. lines: those of which one is wrong; larger: no single change repairs it."""

    def __init__(self, lesson, title, text, lines=frozenset(), larger=False):
        self.lesson, self.title, self.text, self.lines, self.larger = lesson, title, text, lines, larger


def lesson_of(number):
    return next(name for name in lesson_files.names() if name.startswith(f"{number}_"))


def lessons():
    return [name for name in lesson_files.names() if (SLIPS / name).is_dir()]


def styles(lesson):
    return [Program(lesson, path.name, path.read_text()) for path in sorted((SLIPS / lesson).glob("*.c"))]


def wrong(lesson):
    return [program for style in sorted((SLIPS / lesson).glob("*.c"))
            for program in changed(lesson, style, style.with_suffix(".txt"))]


def by_line(lesson):
    """The slips that no mistake of the lesson names any more: of the solution, and no part of the corpus,
    for some of the search was written with them at hand."""
    changes = SLIPS / lesson / "solution.txt"
    return list(changed(lesson, ROOT / "solutions" / f"{lesson}.c", changes)) if changes.exists() else []


def three():
    for path in sorted((SLIPS / "three").glob("*.txt")):
        number, style = path.stem.split("_", 1)
        lesson = lesson_of(number)
        yield from changed(lesson, SLIPS / lesson / f"{style}.c", path)


def half():
    return [Program(lesson_of(path.name[:2]), path.name, path.read_text())
            for path in sorted((SLIPS / "half").glob("*.c"))]


def changed(lesson, style, changes):
    """The programs that a file of changes makes of a style."""
    right = style.read_text()
    for line, title, pairs in lesson_files.change_blocks(changes):
        place = f"{changes.parent.name}/{changes.name}:{line}"
        text, lines = applied(right, pairs, place)
        yield Program(lesson, f"{place}: {title}", text, lines, title.startswith("larger: "))


# ---- changes, and the lines they leave wrong --------------------------------------------------------
def applied(text, pairs, place):
    """The changed text, and the numbers of its lines that are not as they were."""
    spans = []  # [begin, end, neighbours count]
    for where, old, new, every in pairs:
        begin, end = in_functions(text, where, place)
        if every or text.count(old, begin, end) != 1:
            raise ValueError(f"{place}: the style has it {text.count(old, begin, end)} times: {old.strip()}")
        at = text.index(old, begin, end)
        if not new.strip():
            at, old, new = whole_lines(text, at, old)
        longer = len(new) - len(old)
        spans = [[a + longer * (a > at), b + longer * (b > at), wide] for a, b, wide in spans]
        text = text[:at] + new + text[at + len(old):]
        front = shared(old, new)
        back = shared(old[front:][::-1], new[front:][::-1])
        cut, put = old[front:len(old) - back], new[front:len(new) - back]
        spans.append([at + front, at + len(new) - back, "\n" in cut + put])
    lines = set()
    for begin, end, neighbours in spans:
        first, last = (text.count("\n", 0, offset) + 1 for offset in (begin, end))
        lines.update(range(max(first - neighbours, 1), last + neighbours + 1))
    return text, lines


def in_functions(text, where, place):
    """From where to where the one function that an `@` names is; without, all of the text."""
    if not where:
        return 0, len(text)
    functions = lesson_files.functions_of(text)
    if len(where) != 1 or where[0] not in functions:
        raise ValueError(f"{place}: no function of the style: {' '.join(where)}")
    begin = text.index(functions[where[0]])
    return begin, begin + len(functions[where[0]])


def whole_lines(text, at, old):
    """What is taken out, and the rest of its lines, if nothing else is on them."""
    before, after = text[:at].rpartition("\n")[2], text[at + len(old):].partition("\n")[0]
    if before.strip() or after.strip():
        return at, old, ""
    return at - len(before), before + old + after + "\n", ""


def shared(one, other):
    """How many characters they begin with together."""
    for i, (a, b) in enumerate(zip(one, other)):
        if a != b:
            return i
    return min(len(one), len(other))


# ---- odd files ---------------------------------------------------------------------------------------
def odd():
    """(program, "right", "wrong" or "either")"""
    for path in sorted((SLIPS / "odd").glob("*.c")):
        kind, number, _ = re.split("_", path.stem, maxsplit=2)
        yield Program(lesson_of(number), path.name, path.read_text()), kind
    yield from made_odd()


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
