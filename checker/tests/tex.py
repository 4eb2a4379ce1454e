"""Formulas in TeX, as the lessons' texts write them, worked out with numbers.

parse() gives the sides of an equation as trees:

    ("number", 2)   ("name", "xhat", "rj")   ("+", a, b)   ("sum", "j", body)   ("mean", body)   ...

A Reading says what the names stand for: a case's arrays, which axes the text leaves out ("row by row"), and which
length n is. A letter below a name is an axis of that name, or goes over what is left.
"""

import math
import re

TOKEN = re.compile(r"\s*(\\[A-Za-z]+|\\.|[A-Za-z](?:[A-Za-z]|\\_|\\ )*|\d+(?:\.\d+)?|.)")
SPACES = {"\\;", "\\,", "\\ ", "\\quad", "\\left", "\\right", "~"}
FUNCTIONS = {"tanh": math.tanh, "sigmoid": lambda v: 1 / (1 + math.exp(-v))}
REDUCTIONS = ("mean", "variance")
CLOSING = {"(": ")", "[": "]", "|": "|"}


class Unknown(Exception):
    """What can't be worked out, or read."""


class Parser:
    def __init__(self, text):
        self.tokens = [token for token in TOKEN.findall(text.strip()) if token not in SPACES] + [""]
        self.at = 0

    @property
    def next(self):
        return self.tokens[self.at]

    def take(self, *wanted):
        if self.next and self.next in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def expect(self, wanted):
        if not self.take(wanted):
            raise Unknown(f"expected {wanted}, found {self.next or 'the end'}")

    def sides(self):
        found = [self.sum()]
        while self.take("=", "\\leftarrow"):
            found.append(self.sum())
        if self.next:
            raise Unknown(f"{self.next} is behind it")
        return found

    def sum(self):
        left = ("-", ("number", 0), self.product()) if self.take("-") else self.product()
        while sign := self.take("+", "-"):
            left = (sign, left, self.product())
        return left

    def product(self):
        left = self.power()
        while True:
            if self.take("\\cdot"):
                left = ("*", left, self.power())
            elif self.take("/"):
                left = ("/", left, self.power())
            elif self.next in ("(", "{", "[") or re.match(r"[A-Za-z0-9]|\\(frac|sqrt|sum|hat)$", self.next):
                left = ("*", left, self.power())
            else:
                return left

    def power(self):
        base = self.factor()
        while self.take("^"):
            base = ("^", base, self.group())
        return base

    def group(self):
        """What stands between { and }, or one token."""
        if self.take("{"):
            found = self.sum()
            self.expect("}")
            return found
        return self.factor()

    def letters(self):
        """Those below a name: "rj"."""
        if not self.take("_"):
            return ""
        if not self.take("{"):
            self.at += 1
            return self.tokens[self.at - 1]
        found = ""
        while not self.take("}"):
            found += self.next if self.next != "," else ""
            self.at += 1
        return found

    def name(self):
        found = self.tokens[self.at]
        self.at += 1
        if self.next == "^" and self.tokens[self.at + 1] == "{" and len(self.tokens[self.at + 2]) > 1 \
                and self.tokens[self.at + 2].isalpha() and self.tokens[self.at + 3] == "}":
            found += "_" + self.tokens[self.at + 2]
            self.at += 4
        return found.replace("\\", "")

    def factor(self):
        if self.take("\\frac"):
            if self.tokens[self.at + 1] == "\\partial":
                return self.slope()
            return ("/", self.group(), self.group())
        if self.take("\\sqrt"):
            return ("sqrt", self.group())
        if self.take("\\sum"):
            letter = self.letters()
            if not letter.isalpha():
                raise Unknown("a sum over what")
            return ("sum", letter, self.product())
        if opened := self.take("(", "[", "|"):
            inner = self.sum()
            if opened == "[":
                self.expect("=")
                inner = ("is", inner[1], self.sum()[1])
            self.expect(CLOSING[opened])
            return ("abs", inner) if opened == "|" else inner
        if re.match(r"\d", self.next):
            self.at += 1
            return ("number", float(self.tokens[self.at - 1]))
        if re.match(r"[A-Za-z]", self.next):
            name = self.name()
            if self.next == "(" and (name in FUNCTIONS or name in REDUCTIONS):
                return (name, self.factor())
            return ("name", name, self.letters())
        raise Unknown(f"{self.next or 'the end'} is no quantity")

    def slope(self):
        """\\frac{\\partial xhat_k}{\\partial x_j} is a name of its own."""
        parts = []
        for _ in range(2):
            self.expect("{")
            self.expect("\\partial")
            parts.append((self.name(), self.letters()))
            self.expect("}")
        (above, of), (below, by) = parts
        return ("name", f"{above} by {below}", of + by)


def plain(name):
    """cnext is c_next, and "mean square" mean_square."""
    return name.replace("_", "").replace(" ", "")


class Reading:
    def __init__(self, case, defined, implied, n):
        self.axes, self.defined, self.implied, self.n = case["axes"], defined, implied, n
        self.arrays = {plain(name): array for name, array in case["arrays"].items()}

    def length_of(self, letter, node):
        """Of what a letter goes over in there; None: nothing has it."""
        if node[0] == "name":
            if letter not in node[2]:
                return None
            if plain(node[1]) in self.defined:
                letters, body = self.defined[plain(node[1])]
                if len(letters) != len(node[2]):
                    raise Unknown(f"{node[1]} has other places")
                return self.length_of(letters[node[2].index(letter)], body)
            shape, letters = self.shape(node)
            return shape[letters.index(letter)]
        lengths = [self.length_of(letter, part) for part in node[1:] if isinstance(part, tuple)]
        return next((length for length in lengths if length), None)

    def shape(self, node):
        """An array's, and for each of its places the letter that stands there: of an axis that is left out its own."""
        _, name, letters = node
        if plain(name) not in self.arrays:
            raise Unknown(f"{name} is no quantity")
        shape = self.arrays[plain(name)][0]
        left_out = [axis for axis in self.implied if axis not in letters]
        letters, found = list(letters), []
        for place, length in enumerate(shape):
            own = next((axis for axis in left_out if self.axes[axis] == length and
                        len(shape) - place > len(letters)), None)
            if letters and (own is None or self.axes.get(letters[0]) == length):
                found.append(letters.pop(0))
            elif own:
                left_out.remove(own)
                found.append(own)
            else:
                raise Unknown(f"{name} has more places")
            if self.axes.get(found[-1], length) != length:
                raise Unknown(f"{found[-1]} is no place of {name}")
        if letters:
            raise Unknown(f"{name} has fewer places")
        return shape, found

    def lookup(self, node, at, after=False):
        name = plain(node[1])
        if after and name + "after" in self.arrays:
            node = ("name", node[1] + " after", node[2])
        elif name in self.defined:
            letters, body = self.defined[name]
            if len(letters) != len(node[2]):
                raise Unknown(f"{node[1]} has other places")
            return self.value(body, {**at, **dict(zip(letters, (at[letter] for letter in node[2])))})
        elif name not in self.arrays and node[1] in ("n", "N", "R"):
            return self.n
        shape, letters = self.shape(node)
        index = 0
        for length, letter in zip(shape, letters):
            if letter not in at or at[letter] >= length:
                raise Unknown(f"{letter} has no value")
            index = index * length + at[letter]
        return self.arrays[plain(node[1])][1][index]

    def reduced(self, body, at):
        """mean(g): over the axis that it has and that is not left out."""
        letters = sorted({letter for letter in self.letters(body) if letter not in at})
        if not letters:  # it has none below: the axis that is not left out, or the last of them
            letters = [axis for axis in self.axes if axis not in self.implied] or list(self.axes)[-1:]
        if len(letters) != 1:
            raise Unknown("a mean of which axis")
        count = self.axes[letters[0]] if letters[0] in self.axes else self.length_of(letters[0], body)
        return [self.value(self.below(body, letters[0]), {**at, letters[0]: i}) for i in range(count)]

    def letters(self, node):
        if node[0] == "name":
            return set(node[2])
        return set().union(*(self.letters(part) for part in node[1:] if isinstance(part, tuple)))

    def free(self, node):
        """The letters that have to have a value."""
        if node[0] == "sum":
            return self.free(node[2]) - {node[1]}
        if node[0] == "is":
            return {node[1], node[2]}
        return self.letters(node) if node[0] == "name" else set().union(
            *(self.free(part) for part in node[1:] if isinstance(part, tuple)))

    def below(self, node, letter):
        """mean(g xhat) is that of g_j xhat_j."""
        if node[0] == "name":
            array = self.arrays.get(plain(node[1]))
            missing = array and len(array[0]) > len(self.implied_in(array[0])) + len(node[2])
            return ("name", node[1], node[2] + letter) if missing else node
        return tuple(self.below(part, letter) if isinstance(part, tuple) else part for part in node)

    def implied_in(self, shape):
        return [axis for axis in self.implied if self.axes[axis] in shape]

    def value(self, node, at, after=False):
        kind = node[0]
        if kind == "number":
            return node[1]
        if kind == "name":
            return self.lookup(node, at, after)
        if kind == "is":
            if node[1] not in at or node[2] not in at:
                raise Unknown(f"{node[1]} = {node[2]}")
            return float(at[node[1]] == at[node[2]])
        if kind == "sum":
            count = self.length_of(node[1], node[2])
            if not count or node[1] in self.implied:
                raise Unknown(f"{node[1]} goes over nothing")
            return sum(self.value(node[2], {**at, node[1]: i}) for i in range(count))
        if kind in REDUCTIONS:
            values = self.reduced(node[1], at)
            mean = sum(values) / len(values)
            return mean if kind == "mean" else sum((v - mean) ** 2 for v in values) / len(values)
        parts = [self.value(part, at) for part in node[1:]]
        return {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
                "^": lambda a, b: a ** b, "sqrt": math.sqrt, "abs": abs, **FUNCTIONS}[kind](*parts)


def equations(tex):
    """The sides of each equation in a formula: several are set apart by \\qquad. In front may stand whose it is."""
    return [Parser(part.strip().rstrip(",")).sides()
            for part in re.split(r"\\qquad", re.sub(r"^[\w\\]+: ", "", tex))]
