"""Reads changes: the one way in which wrong programs are said, those of learners (checker/tests/slips/, and a
lesson's wrong.txt) and ours (checker/tests/mutants/).

    # n_minus_1                     <- what is wrong, in one line or more
    checker/run/judge.c             <- of which text: of ours a file, in a lesson the beginning of a title in
                                       right.c; without such a line of what the list is about
    @ row_variance layer_norm       <- where: in these functions, if the text stands in others too
    - return sum / features;        <- old: it stands there once
    + return sum / (features - 1);  <- new; nothing behind the + takes the old out, with its lines if it
                                       fills them. More pairs may follow, in the same functions or with
                                       an @ of their own
    -- mean[r]                      <- old, several times
    ++ mean[0]                      <- new, each time
    ! units: a wrong number         <- of ours: the test that fails then, as run.py takes it

Empty lines divide the changes. Lines that begin with # and have nothing behind them are a heading.
"""

import re

FUNCTION = re.compile(r"^(?!typedef|return|else)(?:[A-Za-z_]\w*[ *]+)+(\w+)\([^;{]*\)\s*\n?\{\n.*?^\}\n",
                      re.MULTILINE | re.DOTALL)
PAIR = r"(@.*\n)?((?:-.*\n)+)((?:\+.*\n)+)"
BLOCK = re.compile(rf"((?:#.*\n)+)([^#@+!\n-].*\n)?((?:{PAIR})+)(!.*\n)?")
ORDER = "not `# what`, of which text, `@ where`, `- old`, `+ new`, `! test`, in that order and as this list has them"


class Patch:
    """A change: where it is written, what is wrong, of which text ("": the list's), and the test that notices."""

    def __init__(self, path, line, block, base=False, test=False):
        parts = BLOCK.fullmatch(block)
        self.line, self.place = line, f"{path.parent.name}/{path.name}:{line}"
        self.malformed = not parts or base not in (None, bool(parts[2])) or test != bool(parts[7])
        self.title = " ".join(line[2:] for line in block.splitlines() if line.startswith("#"))
        self.base = (parts[2] or "").strip() if parts else ""
        self.test = (parts[7] or "")[2:].strip() if parts else ""
        self.pairs, where = [], []  # (in which functions, old, new, several times?)
        for at, minus, plus in re.findall(PAIR, parts[3]) if parts else ():
            where = at[2:].split() if at else where
            several = minus.startswith("--")
            old, new = ("\n".join(line[2 + several:] for line in half.splitlines()) for half in (minus, plus))
            self.pairs.append((where, old, new, several))

    def misfit(self, why):
        return ValueError(f"{self.place}: {why}")

    def applied(self, text):
        """The changed text, and in it the places [begin, end, whether lines came or went] that are not as they
        were. An error tells the one who wrote the change what does not fit."""
        if self.malformed:
            raise self.misfit(ORDER)
        spans = []
        for where, old, new, several in self.pairs:
            found = self.found(text, where, old)
            if not found or several != (len(found) > 1):
                place = " and ".join(where) or self.base or "it"
                raise self.misfit(f"its old text is {len(found)} times in {place}: {old.strip()}")
            for at in reversed(found):
                text = replaced(text, at, old, new, spans)
        return text, spans

    def found(self, text, where, old):
        """Where the old text begins, in the functions that an @ names."""
        functions = functions_of(text) if where else {}
        missing = set(where) - set(functions)
        if missing:
            raise self.misfit(f"no function there is called {' or '.join(sorted(missing))}")
        ranges = [functions[name] for name in where] or [(0, len(text))]
        return sorted(begin + part.start() for begin, end in ranges
                      for part in re.finditer(re.escape(old), text[begin:end]))


def read(path, base=False, test=False):
    """The changes of a list; none without it. base, test: whether a change says of which text it is, and which
    test fails then; None: as it likes."""
    text = path.read_text() + "\n" if path.is_file() else ""
    return [Patch(path, text.count("\n", 0, block.start()) + 1, block[0], base, test)
            for block in re.finditer(r"(?:^.+\n)+", text, re.MULTILINE)
            if re.search("^[^#]", block[0], re.MULTILINE)]


def functions_of(text):
    """{name: from where to where} of every function that is defined in a C file."""
    return {found[1]: found.span() for found in FUNCTION.finditer(text)}


def replaced(text, at, old, new, spans):
    """The text with the new in that place. The spans of earlier changes move, and one is added."""
    if not new.strip():
        at, old, new = whole_lines(text, at, old)
    longer = len(new) - len(old)
    spans[:] = [[a + longer * (a > at), b + longer * (b > at), lines] for a, b, lines in spans]
    front = shared(old, new)
    back = shared(old[front:][::-1], new[front:][::-1])
    differs = old[front:len(old) - back] + new[front:len(new) - back]
    spans.append([at + front, at + len(new) - back, "\n" in differs])
    return text[:at] + new + text[at + len(old):]


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
