"""The generic call: functions of random signatures say what they were called with.

Up to 16 parameters, 8 of them float, in any order, returning float, int or nothing. Each round is 16
functions in one file, graded like any lesson (signature_lesson.c).
"""

import json
import random
import shutil
import unittest

from workbook_copy import ROOT, WorkbookCopy

LESSON = "90_signatures"
ROUNDS = 8
MOST, MOST_FLOATS = 16, 8
KINDS = {  # the declaration, the shape; and the value that the function says it got
    "size": ("int {0}", "", "{0}"),
    "scalar": ("float {0}", "", "{0}"),
    "floats": ("const float *{0}", " /* 3 */", "{0}[0]"),
    "ints": ("const int *{0}", " /* 2 */", "(float){0}[0]"),
    "optional": ("const float *{0}", " /* 1, or NULL */", "({0} ? {0}[0] : -12345.0f)"),
}


def signature(rng):
    """The kinds of one function's parameters; None where the echo goes."""
    floats = rng.randint(0, MOST_FLOATS)
    others = rng.randint(0 if floats else 1, MOST - 1 - floats)
    kinds = ["scalar"] * floats + [rng.choice(["size", "size", "floats", "ints", "optional"])
                                   for _ in range(others)] + [None]
    rng.shuffle(kinds)
    return kinds


def function(name, kinds, returns):
    """Its declaration and its definition."""
    names = [f"p{i}" if kind else "echo" for i, kind in enumerate(kinds)]
    given = [(i, KINDS[kind][2].format(names[i])) for i, kind in enumerate(kinds) if kind]
    echo = ("float *{0}", f" /* {len(given)} */")
    declared = ""
    for i, kind in enumerate(kinds):
        declaration, shape = KINDS[kind][:2] if kind else echo
        declared += declaration.format(names[i])
        declared += shape + ")" if i + 1 == len(kinds) else "," + shape + "\n    "
    total = " + ".join(f"{i + 1} * {value}" for i, value in given)
    lines = [f"    echo[{k}] = {value};" for k, (_, value) in enumerate(given)]
    if returns != "void":
        lines.append(f"    return {'(int)(4 * ' if returns == 'int' else '('}({total}));")
    head = f"{returns} {name}({declared}"
    return head + ";\n", head + "\n{\n" + "\n".join(lines) + "\n}\n"


def write_round(copy, seed):
    """The lesson's header and solution, of 16 functions, and their heads."""
    rng = random.Random(seed)
    functions = [function(f"f{i}", signature(rng), rng.choice(["float", "int", "void"]))
                 for i in range(16)]
    # As many as there can be: of both kinds, and of what goes where integers go.
    functions[0] = function("f0", ["scalar", "size"] * 7 + ["scalar", None], "float")
    functions[1] = function("f1", ["size", "floats", "ints"] * 5 + [None], "int")
    heads = "".join(head for head, _ in functions)
    copy.write(f"include/{LESSON}.h", f"#ifndef SIGNATURES_H\n#define SIGNATURES_H\n{heads}#endif\n")
    copy.write(f"solutions/{LESSON}.c", "\n".join(body for _, body in functions))


def add_lesson(copy):
    (copy.path / f"checker/lessons/{LESSON}").mkdir()
    shutil.copy(ROOT / "checker/tests/signature_lesson.c", copy.path / f"checker/lessons/{LESSON}/lesson.c")
    copy.write(f"checker/lessons/{LESSON}/vectors.json", "{}")
    write_round(copy, 0)


class Signatures:
    rounds = ROUNDS

    def test_functions_of_random_signatures_get_what_they_are_called_with(self):
        first = random.SystemRandom().randrange(10 ** 6)
        for seed in range(first, first + self.rounds):
            with self.subTest(f"seed {seed}"):
                write_round(self.copy, seed)
                run = self.copy.run([*self.runs, f"build/{LESSON}/check", "--impl",
                                     f"solutions/{LESSON}.c", "--format", "json"])
                self.assertTrue(run.stdout, run.stderr)
                report = json.loads(run.stdout)["lessons"][0]
                self.assertIsNone(report["build_error"])
                wrong = [check for check in report["checks"] if check["status"] != "passed"]
                self.assertEqual((report["passed"], wrong), (16, []))


class SignaturesHere(Signatures, unittest.TestCase):
    runs = ()

    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        add_lesson(self.copy)
        built = self.copy.run(["sh", "checker/deps/build.sh", f"build/{LESSON}/check"],
                              env={"MAKE_COMMAND": "make"})
        self.assertEqual(built.returncode, 0, built.stderr)

    def test_a_function_that_gets_another_number_is_noticed(self):
        write_round(self.copy, 1)
        path = f"solutions/{LESSON}.c"
        self.copy.write(path, self.copy.read(path).replace("echo[0] = ", "echo[0] = 0.25f + ", 1))
        run = self.copy.run([f"build/{LESSON}/check", "--impl", path, "--format", "json"])
        self.assertEqual(json.loads(run.stdout)["lessons"][0]["failed"], 1)


if __name__ == "__main__":
    unittest.main()
