"""No formula says two things: what a lesson's text sets in TeX computes what the lesson's formulas do.

Every equation between $$ is worked out with the numbers of cases that the lesson draws (quantities.c). Its sides
must be equal, in one function of the lesson and under one reading of what the text leaves out, for every element of
every case. A name that the formulas do not have (dmean) is what the text says it is. How many of a lesson's are not
held so is written here, with the reason.
"""

import itertools
import json
import re
import subprocess
import unittest

import tex
from lesson_files import Lesson, ROOT, names

# A mean that is given is a float: off by 2^-24 of numbers up to 1000 spreads from zero, in a sum of a few.
NEAR = 1e-3
NOT_HELD = {
    "02": (1, "what comes to 0 has no size to compare it with"),
    "03": (1, "its formulas have no variance"),
    "05": (1, "a slope of a distance, which is no name"),
    "06": (6, "what stood there before the call; d and parameter stand for others"),
    "07": (11, "recurrences; parts of rows that are named in words"),
    "08": (2, "a place in an array, and a size in words"),
    "09": (11, "sums over the channels of a group"),
    "10": (7, "whole layers as functions, exp as a power, and other names"),
    "11": (1, "a chain of blocks"),
    "12": (11, "gates before and behind their sigmoid under one name, da_o for a part of da, and two slopes"),
    "13": (5, "the layer before, and the first one's x"),
    "14": (4, "root and middle for others, a parameter before and after its step, and a sum without an end"),
    "15": (2, "terms, without what they are equal to"),
    "16": (10, "columns that are looked up, and inequalities"),
}


def cases_of(name):
    """{function: its cases}"""
    subprocess.run(["make", "-s", f"build/{name}/quantities"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    found = {}
    for line in subprocess.run([f"build/{name}/quantities"], cwd=ROOT, check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines():
        case = json.loads(line)
        found.setdefault(case["function"], []).append(case)
    return found


def readings(case):
    """What may be left out, and what n may be."""
    axes = list(case["axes"])
    lengths = [(axis,) for axis in axes] + list(itertools.combinations(axes, 2))
    for count in range(3):
        for implied in itertools.combinations(axes, count):
            for n in [n for n in lengths if not set(n) & set(implied)] or lengths[:1]:
                yield implied, n


def places(reading, sides, case):
    """Where the sides are worked out: every value of the letters and of the axes that are left out."""
    letters = sorted(set().union(*(reading.free(side) for side in sides)))
    counts = {letter: next(filter(None, (reading.length_of(letter, side) for side in sides)), 0)
              for letter in letters}
    counts.update({axis: case["axes"][axis] for axis in reading.implied})
    for values in itertools.product(*(range(count) for count in counts.values())):
        yield dict(zip(counts, values))


def holds(sides, cases, defined, implied, n):
    """Are they equal in all cases? None: they can't be worked out."""
    for case in cases:
        length = 1
        for axis in n:
            length *= case["axes"][axis]
        reading = tex.Reading(case, defined, implied, length)
        try:
            rows = [[reading.value(side, at, after=not k and side[0] == "name") for k, side in enumerate(sides)]
                    for at in places(reading, sides, case)]
        except (tex.Unknown, ZeroDivisionError, ValueError, RecursionError):
            return None
        most = max((abs(value) for row in rows for value in row), default=0)
        if not rows or any(abs(value - row[0]) > NEAR * most for row in rows for value in row[1:]):
            return False
    return True


def found_in(sides, functions, defined):
    """(function, reading) where the sides are equal; False: nowhere; None: nothing can be worked out."""
    known = None
    for function, cases in functions.items():
        for implied, n in readings(cases[0]):
            held = holds(sides, cases, defined, implied, n)
            if held:
                return function, implied
            known = False if held is False else known
    return known


def equations_of(name):
    """(the formula, the sides of an equation in it), in the text's order; sides None: it can't be read."""
    for formula in re.findall(r"^\$\$(.*)\$\$$", Lesson(name).read("lessons/{}.md"), re.MULTILINE):
        try:
            for sides in tex.equations(formula):
                yield formula, sides
        except tex.Unknown:
            yield formula, None


def defined_in(equations, functions):
    """{a name that no formula has: (the letters below it, what the text says that it is)}; the first time counts."""
    own = {tex.plain(array) for cases in functions.values() for array in cases[0]["arrays"]}
    found = {}
    for _, sides in equations:
        if sides and len(sides) > 1 and sides[0][0] == "name" and tex.plain(sides[0][1]) not in own:
            found.setdefault(tex.plain(sides[0][1]), (sides[0][2], sides[-1]))
    return found


def judged(name):
    """(formula, what became of each of its equations)."""
    functions, equations = cases_of(name), list(equations_of(name))
    defined = defined_in(equations, functions)
    for formula, sides in equations:
        if sides is None or len(sides) == 1:
            yield formula, None
        elif len(sides) == 2 and sides[0][0] == "name" and \
                defined.get(tex.plain(sides[0][1])) == (sides[0][2], sides[1]):
            yield formula, found_in([sides[1], sides[1]], functions, defined)
        else:
            yield formula, found_in(sides, functions, defined)


class Typeset(unittest.TestCase):
    def test_another_sign_factor_letter_or_count_is_another_formula(self):
        functions = cases_of("02_backward")
        right = r"dx_j = rstd \cdot (g_j - mean(g) - xhat_j \cdot mean(g \cdot xhat))"
        self.assertTrue(found_in(tex.equations(right)[0], functions, {}))
        for old, new in (("- mean(g)", "+ mean(g)"), ("rstd \\cdot (", "("), ("mean(g \\cdot", "mean(dy \\cdot"),
                         ("- xhat_j", "- x_j"), ("(g_j", "(2 g_j"), ("- mean(g)", "- \\sum_k g_k")):
            with self.subTest(new):
                self.assertEqual(right.count(old), 1)
                self.assertIs(found_in(tex.equations(right.replace(old, new))[0], functions, {}), False)

    def test_what_is_not_read_or_not_known_is_not_held(self):
        functions = cases_of("01_layer_norm")
        for wrong in ("y_j = width_j", "y_{jj} = x_j", "y_j = mean", "mean_j = x_k"):
            with self.subTest(wrong):
                self.assertFalse(found_in(tex.equations(wrong)[0], functions, {}))
        for unread in ("y = (x", "y = x)", "y = \\frac{1}", "y = \\sum x"):
            with self.subTest(unread):
                self.assertRaises(tex.Unknown, tex.equations, unread)


def agrees(name):
    def test(self):
        found = list(judged(name))
        apart = [formula for formula, where in found if not where]
        self.assertEqual(len(apart), NOT_HELD.get(name[:2], (0,))[0], "\n".join(["these are not held:", *apart]))
        self.assertTrue(found)
    return test


for lesson in names():
    setattr(Typeset, f"test_{lesson}_its_text_computes_what_its_formulas_do", agrees(lesson))

if __name__ == "__main__":
    unittest.main()
