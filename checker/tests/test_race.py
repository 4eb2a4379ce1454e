"""make race: a real one from end to end, of which no speed is asserted; and what ends one: wrong numbers,
numbers kept from before, a crash, a refusal, an endless loop, too much printed.
"""

import csv
import re
import time
import unittest
import xml.etree.ElementTree

import screen
from workbook_copy import WorkbookCopy, processes

SHAPES = ["1 x 768", "64 x 768", "8192 x 768", "2048 x 4096", "32 x 65536", "100000 x 8"]
FOLDER = ".workbook/lab/"
MARK = "[✓·?]"
FIGURE = r"(?:[\d.]+|-)"
HEAD = "float *y, const float *x, const float *gamma, const float *beta, int rows, int features, float eps"
SAME = "y, x, gamma, beta, rows, features, eps"
# Instead of layer_norm, which is called honest() here.
REMEMBERS = f"""
    enum {{ PLACES = 512 }};
    static float kept[PLACES][768];
    static int calls;
    float *mine = kept[calls % PLACES];
    if (calls++ < PLACES) {{
        honest({SAME});
        memcpy(mine, y, sizeof *kept);
    }} else
        memcpy(y, mine, sizeof *kept);
"""


class RaceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())

    def program(self, body, more=""):
        """Lesson 01's solution, with that for the body of layer_norm."""
        honest = self.copy.read("solutions/01_layer_norm.c").replace("void layer_norm(", "static void honest(")
        return f"#include <stdio.h>\n#include <string.h>\n{more}\n{honest}\nvoid layer_norm({HEAD})\n{{\n{body}\n}}\n"

    def race(self, text, **variables):
        self.copy.write("exercises/01_layer_norm.c", text)
        return self.copy.make("race", LESSON="01", **variables)


class ARace(RaceTest):
    """One race, with the solution as the learner's file."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.copy.solve("01_layer_norm")
        cls.done = cls.copy.make("race", LESSON="01")

    def test_it_has_a_line_for_each_shape(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        lines = re.findall(rf"^ +(\d+ x \d+) +{FIGURE} +█* +{FIGURE}  +({MARK}) ({MARK}) ({MARK})", self.done.stdout,
                           re.MULTILINE)
        self.assertEqual([line[0] for line in lines], SHAPES)
        self.assertNotIn("slow", self.done.stdout)
        undecided = sum("?" in line for line in lines)
        self.assertEqual(self.done.stdout.count("this machine is too busy to tell"), undecided)

    def test_the_marks_are_counted(self):
        marks = re.findall(rf"  ({MARK}) ({MARK}) ({MARK})", self.done.stdout)
        reached, unknown = (sum(line.count(mark) for line in marks) for mark in "✓?")
        end = f", and {unknown} that could not be told" if unknown else ""
        self.assertIn(f"\n{reached} of 18 marks{end}.\n", self.done.stdout)

    def test_the_numbers_are_a_file_and_what_is_shown_is_in_it(self):
        rows = list(csv.DictReader(self.copy.read(FOLDER + "01_layer_norm_race.csv").splitlines()))
        self.assertEqual([f"{row['rows']} x {row['features']}" for row in rows], SHAPES)
        shown = re.findall(rf"^ +\d+ x \d+ +({FIGURE})", self.done.stdout, re.MULTILINE)
        for row, figure in zip(rows, shown, strict=True):
            low, median, high = (float(row["to_plain" + end] or "nan") for end in ("_low", "", "_high"))
            if figure != "-":
                self.assertLessEqual(low, median)
                self.assertLessEqual(median, high)
                self.assertAlmostEqual(float(figure), median, delta=max(0.051, median / 100))
            self.assertIn(row["mark_1"], ("reached", "not reached", "undecided", "not believed"))

    def test_the_picture_shows_every_shape(self):
        picture = xml.etree.ElementTree.fromstring(self.copy.read(FOLDER + "01_layer_norm_race.svg"))
        words = ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]
        for shape in [*SHAPES, "yours", "the plain version", "layer_norm"]:
            self.assertIn(shape, words)

    def test_pytorch_races_or_is_asked_for(self):
        if "PyTorch ran on one thread" in self.done.stdout:
            self.assertEqual(len(re.findall("you won|PyTorch won|no winner", self.done.stdout)), 6)
        else:
            self.assertIn("apt-get install python3-torch brings it", self.done.stdout)

    def test_nothing_is_left_behind(self):
        self.assertEqual(list((self.copy.path / "build" / "run").iterdir()), [])
        self.assertEqual({path.name for path in (self.copy.path / FOLDER).iterdir()},
                         {"01_layer_norm_race.csv", "01_layer_norm_race.svg"})


class AgainstAPlainVersionOfItsOwn(RaceTest):
    """Lesson 17, whose solution is not the plain version. The learner's file is the plain one."""

    def setUp(self):
        self.copy.write("exercises/17_fast.c", self.copy.read("checker/lessons/17_fast/plain.c"))

    def rows(self):
        return list(csv.DictReader(self.copy.read(FOLDER + "17_fast_race.csv").splitlines()))

    def test_the_plain_version_is_right(self):
        self.assertEqual(self.copy.make("check", LESSON="17").returncode, 0)

    def test_the_solution_takes_part_as_well(self):
        done = self.copy.make("race", LESSON="17")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("against checker/lessons/17_fast/plain.c and a copy", done.stdout)
        self.assertIn("within 1.25 of the solution.\n", done.stdout)
        self.assertIn(" of 36 marks", done.stdout)
        self.assertEqual([row["function"] for row in self.rows()],
                         ["layer_norm_fast"] * 6 + ["layer_norm_backward_fast"] * 6)
        self.assertTrue(all(row["to_solution"] != row["to_plain"] for row in self.rows() if row["to_plain"]))
        self.assertIn(">the solution</text>", self.copy.read(FOLDER + "17_fast_race.svg"))

    def test_where_there_is_no_solution_its_mark_is_not_asked_for(self):
        solution = self.copy.read("solutions/17_fast.c")
        (self.copy.path / "solutions" / "17_fast.c").unlink()
        self.addCleanup(self.copy.write, "solutions/17_fast.c", solution)
        done = self.copy.make("race", LESSON="17")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("the solution, which is not\nhere: nobody asks for that one.\n", done.stdout)
        self.assertIn(" of 24 marks", done.stdout)
        self.assertEqual({(row["mark_3"], row["to_solution"]) for row in self.rows()}, {("not asked", "")})
        self.assertNotIn(">the solution</text>", self.copy.read(FOLDER + "17_fast_race.svg"))


class WhatEndsOne(RaceTest):
    def ends_with(self, words, text):
        ended = self.race(text)
        self.assertIn(words, ended.stderr)
        self.assertEqual(ended.returncode, 2)  # make's; the program's is 1
        self.assertIn("Error 1", ended.stderr)
        self.assertNotIn("marks,", ended.stdout)
        self.assertFalse((self.copy.path / FOLDER / "01_layer_norm_race.csv").exists())

    def test_wrong_numbers_however_fast(self):
        self.ends_with("layer_norm is wrong on 1 x 768, so there is no race: y[0][0]: expected ", self.program(
            "for (int i = 0; i < rows * features; i++)\n        y[i] = beta[i % features];"))

    def test_numbers_that_were_right_before(self):
        self.ends_with("layer_norm is wrong on 1 x 768", self.program(REMEMBERS))

    def test_a_row_less_where_there_are_many(self):
        self.ends_with("layer_norm is wrong on 64 x 768, so there is no race: y[63][0]: expected ", self.program(
            "honest(y, x, gamma, beta, rows - (rows > 1), features, eps);"))

    def test_a_crash_with_its_line(self):
        self.ends_with("(layer_norm, 1 x 768): exercises/01_layer_norm.c followed a null pointer", self.program(
            "*(float *)0 = 1;"))

    def test_inputs_are_not_written_to(self):
        self.ends_with("used an address that is not its own at exercises/01_layer_norm.c:", self.program(
            "mprotect((void *)((uintptr_t)x & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);\n"
            f"    ((float *)x)[0] = 0;\n    honest({SAME});", "#include <stdint.h>\n#include <sys/mman.h>"))

    def test_what_the_sandbox_refuses(self):
        self.ends_with("exercises/01_layer_norm.c tried to ", self.program(
            f'FILE *f = fopen("kept", "w");\n    honest({SAME});\n    if (f)\n        fclose(f);'))

    def test_an_endless_loop(self):
        self.ends_with("still running after 5 s", self.program("for (volatile int i = 0;;)\n        i = 1;"))

    def test_what_prints_without_an_end(self):
        self.ends_with("printed more than 1024 KB", self.program(
            f'honest({SAME});\n    for (;;)\n        puts("once more");'))

    def test_an_exit(self):
        self.ends_with("called exit(0) at exercises/01_layer_norm.c:", self.program(
            "exit(0);", "#include <stdlib.h>"))

    def test_what_does_not_compile(self):
        self.ends_with("exercises/01_layer_norm.c could not be compiled for the race.\n  | ", "int x = ;\n")

    def test_a_missing_function(self):
        self.ends_with("has not all the functions of the race", "int nothing;\n")

    @unittest.skipUnless(screen.TMUX, "there is no tmux here")
    def test_ctrl_c_is_said_and_ends_the_racers(self):
        self.copy.solve("01_layer_norm")
        window = screen.Screen(self.copy.path, "trap : INT; make -s race LESSON=01")
        self.addCleanup(window.close)
        window.see(" % layer_norm, ")
        window.keys("C-c")
        text = window.see("[ended: ")
        self.assertIn("\nStopped. What earlier races drew and wrote is as it was.\n", text)
        self.assertNotIn("[ended: 0]", text)
        end = time.monotonic() + screen.PATIENCE
        while any("racer" in command for command in processes(self.copy.folder)) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertFalse([command for command in processes(self.copy.folder) if "racer" in command])


class Asked(RaceTest):
    def test_a_lesson_without_a_race_is_told_which_have_one(self):
        asked = self.copy.make("race", LESSON="05")
        self.assertIn("Lesson 05_batch_norm has no race. These have: 01 02 17\n", asked.stderr)
        self.assertEqual(asked.returncode, 2)

    def test_a_plain_version_that_is_not_here_is_said(self):
        (self.copy.path / "solutions" / "01_layer_norm.c").rename(self.copy.path / "kept.c")
        asked = self.copy.make("race", LESSON="01")
        (self.copy.path / "kept.c").rename(self.copy.path / "solutions" / "01_layer_norm.c")
        self.assertIn("The race of lesson 01 is against solutions/01_layer_norm.c, which is not here.", asked.stderr)
        self.assertIn("Error 2", asked.stderr)

    def test_at_the_prompt_it_is_of_the_lesson_where_one_is(self):
        typed = self.copy.run("printf 'go 01\\nrace\\n' | make -s start")
        self.assertIn("layer_norm is wrong on 1 x 768", typed.stderr)  # the stub

    def test_threads_are_for_the_learners_file_alone(self):
        """The plain version, which has the same line, is without."""
        plain = self.copy.read("solutions/01_layer_norm.c")
        self.addCleanup(self.copy.write, "solutions/01_layer_norm.c", plain)
        wrong = self.program("y[0] = 0;", "#if THREADS != 2\n#error not two\n#endif")
        self.copy.write("solutions/01_layer_norm.c", "#ifdef THREADS\n#error threads\n#endif\n" + plain)
        asked = self.race(wrong, THREADS="2")
        self.assertIn("exercises/01_layer_norm.c with -DTHREADS=2 against solutions/01_layer_norm.c", asked.stdout)
        self.assertIn("layer_norm is wrong on 1 x 768", asked.stderr)  # so it was compiled

    def test_threads_are_a_number(self):
        for threads in ("two", "0", "65", "2 -w"):
            with self.subTest(threads=threads):
                asked = self.copy.make("race", LESSON="01", THREADS=threads)
                self.assertIn("THREADS is a number from 1 to 64, as in: make race THREADS=2\n", asked.stderr)
                self.assertIn("Error 2", asked.stderr)

    def test_in_plain_letters(self):
        self.copy.solve("01_layer_norm")
        told = self.copy.make("race", LESSON="01", env={"LC_ALL": "C"})
        self.assertEqual(told.returncode, 0)
        self.assertTrue(told.stdout.isascii())
        self.assertRegex(told.stdout, r"(?m)^ +1 x 768 .*  [-+?] [-+?] [-+?]")


if __name__ == "__main__":
    unittest.main()
