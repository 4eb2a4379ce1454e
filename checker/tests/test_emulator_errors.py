"""What a text that does not compile gets from the emulator: the words of checker/emulator/complaint.c for the errors
that beginners make most, with the place where each is meant. Each is tried against gcc's: the same line, but where
gcc's is the next one.
"""

import os
import re
import subprocess
import unittest

import test_emulator
from lesson_files import ROOT

SCRATCH = ROOT / "build" / "tests" / "emulator_errors"
RIGHT = """#include "01_layer_norm.h"
#include <math.h>

float row_mean(const float *x, int features)
{
    float sum = 0.0f;
    for (int j = 0; j < features; j++) {
        sum += x[j];
    }
    return sum / (float)features;
}

static float square(float a)
{
    return a * a;
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0.0f;
    int j;
    for (j = 0; j < features; j++)
        sum += square(x[j] - mean);
    return sum / (float)features;
}
"""
# (what is changed, into what, our words, the line of it with a ^ where that stands).
ERRORS = [
    ("sum += x[j];", "sum += x[j]",
     "a ; is missing here",
     "sum += x[j]^"),
    ("return a * a;", "return a * a",
     "a ; is missing here",
     "return a * a^"),
    ("    int j;", "    int j",
     "a ; is missing here",
     "int j^"),
    ("square(x[j] - mean);", "square(x[j] - mean;",
     "a ) is missing here",
     "sum += square(x[j] - mean^;"),
    ("for (j = 0; j < features; j++)", "for (j = 0; j < features; j++",
     "a ) is missing here",
     "for (j = 0; j < features; j++^"),
    ("return a * a;", "return (a * a));",
     "this ) has no ( before it",
     "return (a * a)^);"),
    ("    return sum / (float)features;\n}\n", "    return sum / (float)features;\n",
     "a } is missing here: the { of line 19 is still open",
     "return sum / (float)features;^"),
    ("        sum += x[j];\n    }", "        sum += x[j];\n",
     "a } is missing before this: the { of line 5 is still open",
     "static float ^square(float a)"),
    ("    return a * a;\n}", "    return a * a;\n}\n}",
     "this } has no { before it",
     "^}"),
    ("x[j] - mean", "x[j - mean",
     "a ] is missing here",
     "sum += square(x[j - mean^);"),
    ("j < features; j++) {", "j < featurs; j++) {",
     "`featurs` is declared nowhere: is `features` meant?",
     "for (int j = 0; j < ^featurs; j++) {"),
    ("for (int j = 0;", "for (j = 0;",
     "`j` is declared nowhere: a variable has its type before it where it comes first, as in `int j`",
     "for (^j = 0; j < features; j++) {"),
    ("square(x[j] - mean)", "square()",
     "`square` is called with too few arguments",
     "sum += ^square();"),
    ("square(x[j] - mean)", "square(x[j], mean)",
     "`square` is called with too many arguments",
     "sum += ^square(x[j], mean);"),
    ("square(x[j] - mean)", "square(x)",
     "here a `float` is needed, and this is a `const float *`",
     "sum += square(^x);"),
    ("square(x[j] - mean)", "row_mean(x[j], features)",
     "here a `const float *` is needed, and this is a `const float`",
     "sum += row_mean(x[j^], features);"),
    ("sum += x[j];", "x[j] = sum;",
     "what is left of this is const, and may not be changed",
     "x[j] ^= sum;"),
    ("float sum = 0.0f;\n    for", "const float sum = 0.0f;\n    for",
     "what is left of this is const, and may not be changed",
     "sum ^+= x[j];"),
    ("sum += x[j];", "sum += features[j];",
     "`features` is no array",
     "sum += ^features[j];"),
    ("x[j] - mean", "x[mean]",
     "an index must be a whole number, and this is none",
     "sum += square(x^[mean]);"),
    ("sum += x[j];", "sum + 1 = x[j];",
     "only a variable, or an element of an array, can be given a value",
     "sum + 1 ^= x[j];"),
    ("sum / (float)features", "sum % features",
     "% is for whole numbers: of floats it is fmodf(a, b)",
     "return sum ^% features;"),
    ("row_mean(const float *x, int features)", "row_mean(const double *x, int features)",
     "`row_mean` has other types here than in include/01_layer_norm.h",
     "float ^row_mean(const double *x, int features)"),
    ("row_mean(const float *x, int features)", "row_mean(const float *x)",
     "`row_mean` has other types here than in include/01_layer_norm.h",
     "float ^row_mean(const float *x)"),
    ("float sum = 0.0f;\n    int j;", "float sum = 0.0f;\n    float sum = 0;\n    int j;",
     "`sum` is declared a second time: the type stands before it only where it comes first",
     "float ^sum = 0;"),
    ("static float square", "static float square(float a) { return a; }\nstatic float square",
     "`square` is written a second time",
     "static float ^square(float a)"),
    ("#include <math.h>", "#include <math.h>\nstatic const char *s = \"abc;",
     "a \" is missing: this one has no other on its line",
     "static const char *s = ^\"abc;"),
    ("    float sum = 0.0f;\n    int j;", "    /* float sum = 0.0f;\n    int j;",
     "a */ is missing: this comment has no end",
     "^/* float sum = 0.0f;"),
    ("    return a * a;", "    else return a * a;",
     "this else has no if: before it stands one statement of an if, or its { }",
     "^else return a * a;"),
    ("    float sum = 0.0f;\n    int j;", "    flaot sum = 0.0f;\n    int j;",
     "`flaot` is no type: is `float` meant?",
     "^flaot sum = 0.0f;"),
    ("int features, float mean", "int features float mean",
     "a , is missing here",
     "float row_variance(const float *x, int features^ float mean)"),
    ("sum += x[j];", "sum += “x”;",
     "C knows no such character. Quotation marks are \" and ' in C, and minus is -",
     "sum += ^“x”;"),
    ("return a * a;", "Return a * a;",
     "`Return` is no type: is `return` meant?",
     "^Return a * a;"),
    ("for (j = 0; j < features; j++)", "for (j = 0, j < features, j++)",
     "in the ( ) of a for stand three parts, with a ; behind the first and the second",
     "for (j = 0, j < features, j++^)"),
    ("return a * a;", "return a ** 2;",
     "C has no **: a square is a * a, any other power powf(a, b)",
     "return a ^** 2;"),
    ("return a * a;", "return a ^ 2.0f;",
     "^ is no power in C: a square is a * a, any other power powf(a, b)",
     "return a ^^ 2.0f;"),
    ("const float *x, int features, float mean", "const float x, int features, float mean",
     "`row_variance` has other types here than in include/01_layer_norm.h",
     "float ^row_variance(const float x, int features, float mean)"),
    ("#include <math.h>", "#include <maths.h>",
     "there is no header maths.h here",
     "#include <^maths.h>"),
    ("#include <math.h>", "#include \"foo.h\"",
     "there is no header foo.h here",
     "#include \"^foo.h\""),
    ("    int j;", "    int j;\n    float f(int a) { return a; }",
     "a } is missing before this: the { of line 19 is still open",
     "float ^f(int a) { return a; }"),
    ("    return a * a;", "    break;",
     "this stands in a loop, or a break in a switch, only",
     "^break;"),
    ("sum += x[j];", "sum += x.y;",
     "what is left of this is no struct",
     "sum += x^.y;"),
    ("    int j;", "    int j; float t[3]; t = x;",
     "only a variable, or an element of an array, can be given a value",
     "int j; float t[3]; t ^= x;"),
    ("j < features; j++) {", "j < features: j++) {",
     "in the ( ) of a for stand three parts, with a ; behind the first and the second",
     "for (int j = 0; j < features^: j++) {"),
    ("float sum = 0.0f;\n    for", "float sum == 0.0f;\n    for",
     "= gives a variable its value, == compares",
     "float sum ^== 0.0f;"),
    ("square(x[j] - mean)", "sum(x[j] - mean)",
     "`sum` is no function: is an operator missing behind it?",
     "sum += ^sum(x[j] - mean);"),
    ("sum / (float)features;\n}\n\nstatic", "sum (float)features;\n}\n\nstatic",
     "`sum` is no function: is an operator missing behind it?",
     "return ^sum (float)features;"),
    ("    int j;", "    int 2j;",
     "this is no number, and a name begins with a letter",
     "int ^2j;"),
    ("float sum = 0.0f;\n    int j;", "float sum = x;\n    int j;",
     "here a `float` is needed, and this is a `const float *`",
     "float sum = ^x;"),
    ("    int j;", "    int j = ;",
     "a name or a number is missing before this",
     "int j = ^;"),
    ("return a * a;", "return a * sun;",
     "`sun` is declared nowhere: a variable has its type before it where it comes first, as in `int j`",
     "return a * ^sun;"),
    ("square(x[j] - mean)", "sqare(x[j] - mean)",
     "`sqare` is defined nowhere: is `square` meant?",
     "sum += ^sqare(x[j] - mean);"),
    ("return a * a;", "return fabf(a);",
     "`fabf` is defined nowhere: is `fabsf` meant?",
     "return ^fabf(a);"),
    ("static float square", "_Static_assert(sizeof(float) == 8, \"a float has 4\");\nstatic float square",
     "what is asserted here is not so: a float has 4",
     "^_Static_assert(sizeof(float) == 8, \"a float has 4\");"),
    ("return a * a;", "return A * a;",
     "`A` is declared nowhere: is `a` meant?",
     "return ^A * a;"),
    ("j < features; j++) {\n        sum += x[j];\n    }", "j < features; j++) {\n        sum += x[j];\n    }\n    sum += x[j];",
     "`j` of line 7 is known in its own for only, and that has ended",
     "sum += x[^j];"),
    ("for (int j = 0; j < features; j++) {\n        sum += x[j];\n    }", "for (int j = 0; j < features; j++);\n        sum += x[j];",
     "this ; ends the for, and with it `j`, which line 8 needs",
     "for (int j = 0; j < features; j++)^;"),
    ("        sum += x[j];\n    }\n    return sum", "        float *last = &sum;\n        *last += x[j];\n    }\n    return *last",
     "`last` of line 8 is known in its own { } only, and they have ended",
     "return *^last / (float)features;"),
    ("return a * a;", "return sums(a);",
     "`sums` is defined nowhere, neither here nor in the library that there is here",
     "return ^sums(a);"),
]
# What TCC does not know, and gcc does: what is changed, into what, the word, its line with a ^ before it.
UNKNOWN = [
    ("    int j;", "    static _Thread_local int j;", "`_Thread_local`", "static ^_Thread_local int j;"),
    ("    int j;", "    static __thread int j;", "`__thread`", "static ^__thread int j;"),
    ("static float square", "_Thread_local float kept;\nstatic float square", "`_Thread_local`",
     "^_Thread_local float kept;"),
    ("    int j;", "    _Atomic int j;", "`_Atomic`", "^_Atomic int j;"),
    ("    int j;", "    _Atomic(int) j;", "`_Atomic`", "^_Atomic(int) j;"),
    ("static float square", "static _Atomic(int) counter;\nstatic float square", "`_Atomic`",
     "static ^_Atomic(int) counter;"),
    ("static float square", "static void f(_Atomic int *x) { (void)x; }\nstatic float square", "`_Atomic`",
     "static void f(^_Atomic int *x) { (void)x; }"),
    ("    int j;", "    float _Complex z; int j;", "`_Complex`", "float ^_Complex z; int j;"),
    ("    int j;", "    int j; (void)(__int128)3;", "`__int128`", "int j; (void)(^__int128)3;"),
    ("    int j;", "    int j; __auto_type k = 0; (void)k;", "`__auto_type`", "int j; ^__auto_type k = 0; (void)k;"),
    ("static float square", "typedef float four __attribute__((vector_size(16)));\nstatic float square", "`vector_size`",
     "typedef float four __attribute__((^vector_size(16)));"),
    *(("#include <math.h>", f"#include <math.h>\n#include <{name}.h>", f"{name}.h", f"#include <^{name}.h>")
      for name in ("stdatomic", "complex", "tgmath", "time", "pthread", "fenv", "signal", "unistd")),
]
# What it does know, of C11.
KNOWN = ["#include <assert.h>\nstatic_assert(sizeof(int) == 4, \"an int\");",
         "#include <stdalign.h>\n#include <stdnoreturn.h>\nstatic alignas(32) float kept[4];\n"
         "static noreturn void gone(void) { for (kept[0] = alignof(int);;) ; }\nvoid (*names_it)(void) = gone;",
         "static int kind(float a) { return _Generic(a, float: 1, default: 2); }\nint (*names_it)(float) = kind;"]
# Where gcc names another line or none, by what the text is changed into: why.
OTHER_LINE = {
    "    int j": "it is said of what follows",
    "for (int j = 0; j < features; j++);\n        sum += x[j];": "the line of the name; ours is the line of the mistake",
    **dict.fromkeys(("sqare(x[j] - mean)", "return fabf(a);", "return sums(a);"), "the linker knows no line"),
    "    int j;\n    float f(int a) { return a; }": "a function within a function is gcc's own",
}


def wrong(old, new):
    """The right text with one change: at its last place, where that is the text's end."""
    at = RIGHT.rindex(old) if RIGHT.endswith(old) else RIGHT.index(old)
    return RIGHT[:at] + new + RIGHT[at + len(old):]


def said_of(path):
    """What the emulator says of a file: (line, column, words), or None."""
    run = subprocess.run(["build/01_layer_norm/emulated", "--impl", path, "--seed", "1", "--no-line"], cwd=ROOT,
                         text=True, check=False, capture_output=True)
    found = re.search(rf"\n  \| {re.escape(str(path))}:(\d+):(\d+): error: (.*)\n", run.stdout)
    return found and (int(found[1]), int(found[2]), found[3]), run.stdout


def compilers_line(path):
    """The line of the compiler's first error; None: it compiles."""
    run = subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-Iinclude", "-fsyntax-only", path], cwd=ROOT,
                         text=True, check=False, capture_output=True, env={**os.environ, "LC_ALL": "C"})
    found = re.search(r":(\d+):(?:\d+:)? (?:fatal )?error: ", run.stderr)
    return found and int(found[1])


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())
        SCRATCH.mkdir(parents=True, exist_ok=True)

    def test_the_right_text_compiles(self):
        path = SCRATCH / "right.c"
        path.write_text(RIGHT)
        self.assertIn("passed", said_of(path)[1])

    def test_each_has_our_words_at_its_place_and_the_compilers_line(self):
        for number, (old, new, words, marked) in enumerate(ERRORS):
            text = wrong(old, new)
            path = SCRATCH / f"wrong_{number}.c"
            path.write_text(text)
            with self.subTest(words, change=new):
                found, said = said_of(path)
                self.assertIsNotNone(found, said)
                line = text.splitlines()[found[0] - 1].encode()
                self.assertEqual((found[2], (line[:found[1] - 1] + b"^" + line[found[1] - 1:]).decode().strip()),
                                 (words, marked))
                self.assertIn(f"| {found[0]:5} | {line.decode()}\n", said)
                if new not in OTHER_LINE:
                    self.assertEqual(found[0], compilers_line(path))

    def test_what_the_small_compiler_does_not_know_is_said_to_be_no_error(self):
        for number, (old, new, word, marked) in enumerate(UNKNOWN):
            text = wrong(old, new)
            path = SCRATCH / f"unknown_{number}.c"
            path.write_text(text)
            with self.subTest(word, change=new):
                self.assertIsNone(compilers_line(path))
                found, said = said_of(path)
                self.assertIsNotNone(found, said)
                line = text.splitlines()[found[0] - 1]
                self.assertEqual((found[2], (line[:found[1] - 1] + "^" + line[found[1] - 1:]).strip()),
                                 (f"the small compiler here does not know {word}; gcc and clang, which make check "
                                  "asks, do", marked))

    def test_asm_is_no_error_of_the_learners(self):
        path = SCRATCH / "asm.c"
        path.write_text(wrong("    int j;", "    int j; __asm__ volatile(\"nop\");"))
        self.assertIsNone(compilers_line(path))
        self.assertIn(f"{path}:21: error: the small compiler here does not know asm; gcc and clang, which make check "
                      "asks, do\n", said_of(path)[1])

    def test_what_it_knows_of_c11_compiles(self):
        for number, added in enumerate(KNOWN):
            path = SCRATCH / f"known_{number}.c"
            path.write_text(wrong("#include <math.h>", f"#include <math.h>\n{added}"))
            with self.subTest(added):
                self.assertIsNone(compilers_line(path))
                self.assertNotIn("error: ", said_of(path)[1])

    def test_what_is_not_known_keeps_the_compilers_words(self):
        path = SCRATCH / "unknown.c"
        path.write_text(wrong("#include <math.h>", "#inclde <math.h>"))
        found, said = said_of(path)
        self.assertIsNone(found)
        self.assertIn(f"{path}:2: error: there is no directive #inclde\n", said)


if __name__ == "__main__":
    unittest.main()
