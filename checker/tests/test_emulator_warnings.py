"""What the emulator warns of, which explains wrong numbers (checker/emulator/warnings.c), with its line: what a
compiler's -Wall warns of there, too. What only looks like it has no warning.
"""

import os
import re
import subprocess
import unittest

import test_emulator
from lesson_files import ROOT
from test_emulator_errors import RIGHT, wrong

SCRATCH = ROOT / "build" / "tests" / "emulator_warnings"
FOR = "    for (j = 0; j < features; j++)\n        sum += square(x[j] - mean);"
UNUSED = "a value is computed and put nowhere"
UNSET = "a variable is read before anything is put into it"
NO_RETURN = "the function can end without returning anything"
ASSIGNED = "= gives a variable its value, == compares"
# (what is changed, into what, our words, the line of it with a ^ where that stands).
WARNED = [
    ("    return sum / (float)features;\n}\n\nstatic", "    sum / (float)features;\n    return sum;\n}\n\nstatic",
     UNUSED, "sum ^/ (float)features;"),
    ("sum += x[j];", "sum + x[j];", UNUSED, "sum ^+ x[j];"),
    ("    int j;", "    int j;\n    sum == 0.0f;", UNUSED, "sum ^== 0.0f;"),
    ("    int j;", "    int j;\n    x[0];", UNUSED, "^x[0];"),
    ("    int j;", "    int j;\n    (-sum);", UNUSED, "(^-sum);"),
    ("(j = 0; j < features; j++)", "(j = 0; j < features; j + 1)", UNUSED, "for (j = 0; j < features; j ^+ 1)"),
    ("    int j;\n    for (j = 0;", "    int j = 0;\n    for (j == 0;", UNUSED, "for (j ^== 0; j < features; j++)"),
    ("x[j] - mean", "x[0, j] - mean", UNUSED, "sum += square(x[^0, j] - mean);"),
    ("    int j;", "    int j = features;\n    if (j = 0)\n        return 0.0f;", ASSIGNED, "if (j ^= 0)"),
    (FOR, "    j = 0;\n    while (j = features)\n        j++;", ASSIGNED, "while (j ^= features)"),
    ("(j = 0; j < features; j++)", "(j = 0; j = features; j++)", ASSIGNED, "for (j = 0; j ^= features; j++)"),
    ("    return a * a;", "    a = a * a;", NO_RETURN, "^}"),
    ("    return a * a;", "    if (a > 0.0f)\n        return a * a;", NO_RETURN, "^}"),
    ("    return a * a;", "    for (int i = 0; i < 3; i++)\n        return a * a;", NO_RETURN, "^}"),
    ("float sum = 0.0f;\n    for", "float sum;\n    for", UNSET, "^sum += x[j];"),
    ("float sum = 0.0f;\n    for", "float sum, other;\n    sum = other;\n    for", UNSET, "sum = ^other;"),
    ("float sum = 0.0f;\n    int j;", "float sum;\n    int j;", UNSET, "^sum += square(x[j] - mean);"),
    (FOR, "    while (j < features)\n        sum += square(x[j++] - mean);", UNSET, "while (^j < features)"),
    (FOR, "    for (; j < features; j++)\n        sum += square(x[j] - mean);", UNSET, "for (; ^j < features; j++)"),
    ("    return a * a;", "    float b;\n    if (a > 0.0f)\n        return b;\n    return a * a;", UNSET, "return ^b;"),
]
# The same text, and no warning.
QUIET = [
    ("    int j;", "    int j;\n    (void)j;"),
    ("    int j;", "    int j, k;\n    (k = 0), sum = (float)k;"),
    ("    int j;", "    int j;\n    if ((j = features))\n        sum = 0.0f;"),
    ("    int j;", "    int j;\n    j = features, sum = 0.0f;"),
    ("    int j;", "    int j;\n    features > 0 && (sum = 0.0f);"),
    ("    int j;", "    int j;\n#define NOTHING sum = sum\n    NOTHING;"),
    ("    return a * a;", "    while (1)\n        if (a < 2.0f)\n            return a * a;"),
    ("    return a * a;", "    if (a < 2.0f)\n        return a * a;\n    else\n        return a * a;"),
    ("    return a * a;", "    for (;;)\n        return a * a;"),
    ("    return a * a;", "    switch (a > 0.0f) {\n    case 0:\n        return a * a;\n    default:\n        return a * a;\n    }"),
    ("    return a * a;", "    do\n        return a * a;\n    while (a > 0.0f);"),
    ("    return a * a;", "    float b;\n    if (a > 0.0f)\n        b = a;\n    else\n        b = -a;\n    return b * b;"),
    ("    return a * a;", "    float b;\n    float *p = &b;\n    *p = a;\n    return b * b;"),
    ("    return a * a;", "    float b[1];\n    b[0] = a;\n    return b[0] * b[0];"),
    ("    return a * a;", "    static float b;\n    b += a;\n    return b - b + a * a;"),
    ("    return a * a;", "#define SET(v) v = a\n    float b;\n    SET(b);\n    return b * b;"),
    ("    return a * a;", "    float b;\n    const size_t size = sizeof b;\n    b = a;\n    return size ? b * b : 0.0f;"),
    ("    return a * a;", "    float b;\n    switch (a > 0.0f) {\n    default:\n        b = a;\n    }\n    return b * b;"),
    # What is read first is known by another variable.
    (FOR, "    float most;\n    for (j = 0; j < features; j++)\n        if (j == 0 || x[j] > most)\n            most = x[j];\n"
          "    sum = most - most;\n" + FOR),
    (FOR, "    float last;\n    for (j = 0; j < features; j++) {\n        if (j > 0)\n            sum += last - last;\n"
          "        last = x[j];\n    }\n    sum = 0.0f;\n" + FOR),
    (FOR, "    float last;\n    for (j = 0; j < features; j++) {\n        for (int k = 0; k < j; k++)\n"
          "            sum += last - last;\n        last = x[j];\n    }\n    sum = 0.0f;\n" + FOR),
    (FOR, "    float last;\n    for (j = 0; j < features; j++) {\n        if (j == 0) {\n            last = x[j];\n"
          "            continue;\n        }\n        sum += last - last;\n    }\n    sum = 0.0f;\n" + FOR),
    (FOR, "    float last;\n    j = 0;\n    do {\n        if (j == 0) {\n            last = x[j];\n            continue;\n"
          "        }\n        sum += last - last;\n    } while (++j < features);\n    sum = 0.0f;\n" + FOR),
]


def warned(path):
    """[(line, column, words, flag)] that the emulator warns of, and all it says."""
    run = subprocess.run(["build/01_layer_norm/emulated", "--impl", path, "--seed", "1", "--no-line"], cwd=ROOT,
                         text=True, check=False, capture_output=True)
    found = re.findall(rf"^  \| {re.escape(str(path))}:(\d+):(\d+): warning: (.*) \[(-W[\w-]+)\]$", run.stdout, re.M)
    return [(int(line), int(column), words, flag) for line, column, words, flag in found], run.stdout


def compilers(path):
    """The lines that the compiler warns of by one of our names."""
    run = subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Iinclude", "-S", "-o", os.devnull, path],
                         cwd=ROOT, text=True, check=True, capture_output=True, env={**os.environ, "LC_ALL": "C"})
    names = "unused-value|unused-comparison|parentheses|return-type"
    return {int(line) for line in re.findall(rf":(\d+):\d+: warning: .* \[-W(?:{names})", run.stderr)}


class Warned(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())
        SCRATCH.mkdir(parents=True, exist_ok=True)

    def test_each_has_our_words_at_its_place_and_the_compilers_line(self):
        for number, (old, new, words, marked) in enumerate(WARNED):
            text = wrong(old, new)
            path = SCRATCH / f"warned_{number}.c"
            path.write_text(text)
            with self.subTest(words, change=new):
                [(line, column, said, flag)], all_of_it = warned(path)
                shown = text.splitlines()[line - 1]
                self.assertEqual((said, shown[:column - 1].lstrip() + "^" + shown[column - 1:]), (words, marked))
                self.assertIn(f"| {line:5} | {shown}\n", all_of_it)
                if words == UNSET:  # which compilers find, or not, as they optimize
                    self.assertEqual(flag, "-Wuninitialized")
                else:
                    self.assertEqual(compilers(path), {line})

    def test_what_only_looks_like_it_has_none(self):
        for number, (old, new) in enumerate([("", ""), *QUIET]):
            path = SCRATCH / f"quiet_{number}.c"
            path.write_text(wrong(old, new) if old else RIGHT)
            with self.subTest(change=new):
                found, said = warned(path)
                self.assertEqual(found, [])
                self.assertNotIn("warns", said)
                self.assertNotIn("error:", said)

    def test_it_is_told_with_the_check_that_fails_by_it(self):
        path = SCRATCH / "told.c"
        path.write_text(wrong("sum += x[j];", "sum + x[j];"))
        self.assertIn(f"     The compiler warns of line 8: {UNUSED}.\n", warned(path)[1])
        path.write_text(wrong("    int j;", "    int j = features;\n    if (j = 1)\n        return 0.0f;"))
        self.assertIn(f"     The compiler warns of line 22: {ASSIGNED}.\n", warned(path)[1])

    def test_a_function_without_a_return_gives_nothing_that_was_computed(self):
        path = SCRATCH / "no_return.c"
        for last in ("sum / (float)features;", "sum /= (float)features;"):
            path.write_text(wrong("    return sum / (float)features;\n}\n\nstatic", f"    {last}\n}}\n\nstatic"))
            with self.subTest(last):
                self.assertIn("row_mean(...): expected 26.67, got -16843010 ", warned(path)[1])


if __name__ == "__main__":
    unittest.main()
