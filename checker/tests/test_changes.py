"""wrong.txt: a change that fits makes the functions that it says, and one that does not is an error, or a
mistake would quietly be tested no more. And of a change in slips/: which lines are wrong then."""

import contextlib
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import lesson_files
import lesson_programs as programs
import patches
import slips

HEADER = "float half(float x);\nfloat quarter(float x);\nfloat eighth(float x);\n"
SOLUTION = """#include "42_halves.h"

static float divided(float x, float by)
{
    return x / by;
}

float half(float x)
{
    return divided(x, 2);
}

float quarter(float x)
{
    float y = half(x);
    return half(y);
}

float eighth(float x)
{
    return quarter(x) / 2;
}
"""
RIGHT = """/* ---- style: by its exponent ---- */
#include <math.h>

static float power(int by)
{
    return ldexpf(1, -by);
}

static float shifted(float x, int by)
{
    return x * power(by);
}

float half(float x)
{
    return shifted(x, 1);
}

float eighth(float x)
{
    return shifted(x, 3);
}
"""


class Changes(unittest.TestCase):
    @contextlib.contextmanager
    def lesson(self, text):
        """One with that wrong.txt."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in (("include/42_halves.h", HEADER), ("solutions/42_halves.c", SOLUTION),
                                  ("checker/lessons/42_halves/right.c", RIGHT),
                                  ("checker/lessons/42_halves/wrong.txt", text)):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            with mock.patch.object(lesson_files, "ROOT", root):
                yield lesson_files.Lesson("42_halves")

    def made(self, text):
        """The sections of a lesson with that wrong.txt."""
        with self.lesson(text) as lesson:
            return lesson.sections("wrong", "mistake")

    def test_a_section_alone_defines_no_other_function_and_calls_the_solutions(self):
        """Others of these names beside it are no second definitions, and none of them is called."""
        with self.lesson("# not_divided\n- quarter(x) / 2\n+ quarter(x)\n") as lesson:
            section, = lesson.sections("wrong", "mistake")
            alone = lesson_files.ROOT / "alone.c"
            alone.write_text(lesson.with_section(section, alone=True))
            beside = alone.with_name("beside.c")
            beside.write_text('#include "42_halves.h"\n#include <stdio.h>\nfloat half(float x) { return x + 100; }\n'
                              "float quarter(float x) { return half(x); }\n"
                              'int main(void) { printf("%g %g", eighth(8), quarter(8)); }\n')
            program = alone.with_suffix("")
            compiled = programs.run([*lesson_files.CC.split(), f"-I{alone.parent}/include", str(alone), str(beside),
                                     "-o", str(program)])
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            self.assertEqual(programs.run([str(program)]).stdout, "2 108")

    def test_a_change_makes_a_section_of_the_function_that_holds_it(self):
        section, = self.made("# A heading.\n\n# not_divided: it is passed on\n- quarter(x) / 2\n+ quarter(x)\n")
        self.assertEqual((section.title, section.functions()), ("not_divided", ["eighth"]))
        self.assertIn("    return quarter(x);\n", section.code)

    def test_a_changed_helper_brings_the_functions_that_call_it(self):
        section, = self.made("# multiplied\n- x / by\n+ x * by\n")
        self.assertEqual(section.functions(), ["divided", "half"])

    def test_a_change_of_a_style_makes_a_section_with_its_helpers_and_without_what_is_right(self):
        section, = self.made("# not_far\nby its exponent\n- shifted(x, 3)\n+ shifted(x, 2)\n")
        self.assertEqual(section.functions(), ["power", "shifted", "eighth"])
        self.assertIn("#include <math.h>\n", section.code)

    def test_a_changed_helper_of_a_helper_brings_all_that_call_it(self):
        section, = self.made("# larger\nby its exponent\n- -by\n+ by\n")
        self.assertEqual(section.functions(), ["power", "shifted", "half", "eighth"])

    def test_several_places_are_changed_when_that_is_said(self):
        section, = self.made("# twice\n@ quarter\n-- half(\n++ divided(2, \n")
        self.assertEqual(section.code.count("divided(2, "), 2)

    def test_what_does_not_fit_is_an_error(self):
        for text, words in (("# gone\n- x * by\n+ x\n", "0 times"),
                            ("# in two\n- half(\n+ (\n", "times"),
                            ("# elsewhere\n@ half\n- quarter(x)\n+ x\n", "0 times"),
                            ("# once only\n@ half\n-- divided(x, 2)\n++ x\n", "1 times"),
                            ("# nothing new\n- x / by\n", "not `# what`"),
                            ("# the wrong way round\n+ x\n- x / by\n", "not `# what`"),
                            ("# of no style\nby hand\n- x / by\n+ x\n", "0 styles"),
                            ("# of ours\n- x / by\n+ x\n! changes: all\n", "not `# what`"),
                            ("no mark\n- x / by\n+ x\n", "not `# what`")):
            with self.subTest(text.splitlines()[0]), self.assertRaisesRegex(ValueError, words):
                self.made(text)


STYLE = """float half(float x)
{
    float two = 2;
    float y = 0;
    y = x / two;
    return y;
}

float quarter(float x)
{
    return half(x) / 2;
}
"""


def marked(mark, text):
    return "".join(f"{mark} {line}\n" for line in text.split("\n"))


class Slips(unittest.TestCase):
    def lines(self, pairs):
        """The changed text, and the lines that are known to be wrong."""
        block = "# wrong\n" + "".join(f"@ {where}\n" + marked("-", old) + marked("+", new)
                                      for where, old, new in pairs)
        text, spans = patches.Patch(pathlib.Path("here.txt"), 1, block).applied(STYLE)
        return text, sorted(slips.known_lines(text, spans))

    def test_a_change_in_a_line_makes_that_line_wrong(self):
        text, lines = self.lines([("", "x / two", "x * two")])
        self.assertEqual((text, lines), (STYLE.replace("x / two", "x * two"), [5]))

    def test_where_a_line_is_missing_its_neighbours_count(self):
        text, lines = self.lines([("", "y = x / two;", "")])
        self.assertEqual((text, lines), (STYLE.replace("    y = x / two;\n", ""), [4, 5, 6]))

    def test_lines_behind_a_longer_change_are_counted_as_they_are_then(self):
        text, lines = self.lines([("quarter", "/ 2", "/ 4"),
                                  ("", "float y = 0;", "float y = 0;\n\n    /* half of it, and no more than that */")])
        self.assertEqual(text.split("\n")[12], "    return half(x) / 4;")
        self.assertEqual(lines, [3, 4, 5, 6, 7, 13])

    def test_a_line_that_was_moved_is_known_at_both_of_its_places(self):
        _, lines = self.lines([("", "    float two = 2;", ""), ("", "float half", "float two = 2;\nfloat half")])
        self.assertEqual(lines, [1, 2, 3, 4, 5])

    def test_what_does_not_fit_is_an_error(self):
        for where, old in (("", "x * two"), ("", "return"), ("third", "return"), ("half quarter", "half")):
            with self.subTest(where + old), self.assertRaises(ValueError):
                self.lines([(where, old, "")])


if __name__ == "__main__":
    unittest.main()
