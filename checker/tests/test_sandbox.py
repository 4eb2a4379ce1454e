"""What a learner's file can reach, with both of the sandbox's layers, with either one alone, and with
neither: through its compiler, and once it runs.

What is held where is one table for each way in; where it says that something stays open, the checker
says so too.
"""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import hostile
import layers
import trees
from hostile_entry import HEAD, TAIL, wrap
from test_runner import grade

RIGHT = wrap("RIGHT;")
PRIVATE = "a private line of somebody else's"
INCBIN = '__asm__(".section .rodata\\n.incbin \\"%s\\"\\n.previous");\n'


class Compiler(unittest.TestCase):
    """A class of two, outside of the workbook: eve's file is graded, and wants victor's."""

    def setUp(self):
        self.tree = trees.ROOT
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="class$")))
        self.eve, self.victor = self.place / "ev$e", self.place / "victor"
        for folder in (self.eve, self.victor):
            folder.mkdir()
        (self.victor / "01_layer_norm.c").write_text(RIGHT)
        (self.victor / "mine.h").write_text(f"/* {PRIVATE} */\n{RIGHT}")
        (self.place / "private.txt").write_text(f"{PRIVATE}\n")

    def wants(self):
        """{what eve's file begins with: does it want to open it behind the compiler's back?}"""
        solution = self.tree / "solutions" / "01_layer_norm.c"
        shutil.copy(solution, self.eve / "beside.c")
        (self.eve / "link.h").symlink_to(self.victor / "mine.h")
        texts = {
            "a solution": f'#include "{solution}"\n',
            "another student's file": '#include "../victor/01_layer_norm.c"\n',
            "another student's header": '#include "../victor/mine.h"\n',
            "the same, as a header of the system's": f"#include <{self.victor}/mine.h>\n",
            "the same, on the system's own line": '# 1 "x.c" 3\n#include "../victor/mine.h"\n',
            "the same, behind a link": '#include "link.h"\n',
            "the same, through proc":
                f'#include "/proc/self/root{self.victor}/mine.h"\n',
            "what is no header": '#include "beside.c"\n',
            "an exercise": f'#include "{self.tree}/exercises/01_layer_norm.c"\n',
            "the vectors":
                f'#include "{self.tree}/checker/lessons/01_layer_norm/vectors.json"\n',
            "a private file": f'#include "{self.place}/private.txt"\n',
            "the passwords": '#include "/etc/passwd"\n',
            "its own process": '#include "/proc/self/environ"\n',
        }
        behind = {"a private file as data": INCBIN % f"{self.place}/private.txt",
                  "a file of the workbook as data": INCBIN % f"{self.tree}/README.md",
                  "assembler": f'__asm__(".include \\"{self.place}/private.txt\\"");\n'}
        return {**dict.fromkeys(texts.items(), False), **dict.fromkeys(behind.items(), True)}

    def grade(self, text, layer):
        source = self.eve / "01_layer_norm.c"
        source.write_text(text)
        return grade(self.tree, source, missing=layers.MISSING[layer])

    def test_it_opens_nothing_that_is_no_business_of_the_file(self):
        for (name, begins), behind in self.wants().items():
            for layer in layers.MISSING:
                with self.subTest(f"{name}: {layer}"):
                    report = self.grade(begins + RIGHT, layer)
                    if layer == "neither" and behind:  # nothing can hold that
                        self.assertNotIn(hostile.ONLY, report["build_error"] or "")
                        continue
                    self.assertIn(hostile.ONLY, report["build_error"] or "it compiled")
                    self.assertNotIn(PRIVATE, report["build_error"])
                    self.assertNotIn("root:", report["build_error"])

    def test_it_opens_what_the_file_may_include(self):
        (self.eve / "mine.h").write_text(TAIL)
        (self.eve / "odd name #1.h").write_text("")
        text = HEAD + '#include "odd name #1.h"\n#include "mine.h"\n' + RIGHT.replace(TAIL, "")
        self.assertNotIn("row_mean(const", text)
        for layer in layers.MISSING:
            with self.subTest(layer):
                report = self.grade(text, layer)
                self.assertEqual((report["failed"], report["build_error"]), (0, None))


if __name__ == "__main__":
    unittest.main()
