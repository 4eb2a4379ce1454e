"""make lab LESSON=05: whose functions it runs, what it prints and draws, how it ends when a function
misbehaves, and whether what the lesson concludes follows from the numbers.
"""

import csv
import os
import re
import statistics
import unittest
import xml.etree.ElementTree

import drivers
import lesson_files
import screen
from lab_runs import SVG, words_in
from workbook_copy import WorkbookCopy

LESSONS = ["01_layer_norm", "02_backward", "03_rms_norm", "05_batch_norm"]
RUNS = [(norm, size) for norm in ("batch norm", "layer norm") for size in (2, 8, 64)]
PICTURE = ".workbook/lab/05_batch_norm.svg"
NUMBERS = ".workbook/lab/05_batch_norm.csv"
SHOWN = [0, 1, 2, 5, 10, 20, 40]
RATES = [0.02, 0.05, 0.2, 0.8, 2]
NUMBER = r" +([\d.]+)"


def tables(output):
    """From what the lab prints: {run: losses by pass}, {run: (training, test, mean, low, high)}."""
    curves, ends = {}, {}
    for norm, size in RUNS:
        row = rf"^  {norm}, batch size +{size}"
        match = re.search(row + NUMBER * len(SHOWN) + "$", output, re.MULTILINE)
        curves[norm, size] = dict(zip(SHOWN, map(float, match.groups())))
        match = re.search(row + NUMBER * 2 + (NUMBER + " %") * 3 + "$", output, re.MULTILINE)
        ends[norm, size] = tuple(map(float, match.groups()))
    return curves, ends


def numbers(output):
    """The part of the output that no file's name and no missing program changes."""
    return output[output.index("Does the output"):output.index(" %\n\n") + 2]


# Passes every check, and does something else at the 100,000th call: the lab's third seed.
LATE = """
static int calls;
static void late(void)
{
    if (++calls > 100000) {
        %s
    }
}
"""


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        copy = WorkbookCopy()
        cls.copy = copy.__enter__()
        cls.addClassCleanup(copy.__exit__, None, None, None)
        cls.first = cls.copy.make("lab", LESSON="05")
        cls.left = list((cls.copy.path / "build" / "run").iterdir())
        folder = cls.copy.path / ".workbook" / "lab"
        cls.files = {f".workbook/lab/{path.name}": path.read_text() for path in folder.iterdir()}

    def test_it_runs_to_its_end_with_the_solutions_and_says_so(self):
        self.assertEqual((self.first.returncode, self.first.stderr), (0, ""))
        for lesson in LESSONS:
            self.assertRegex(self.first.stdout, rf"solutions/{lesson}\.c +the solution's: "
                             rf"exercises/{lesson}\.c does not pass yet\n")
        self.assertEqual(self.left, [])
        self.assertFalse((self.copy.path / ".workbook" / "progress.json").exists())

    def test_the_lessons_conclusions_follow_whatever_the_seeds(self):
        self.conclude(self.first.stdout)
        other = self.copy.make("lab", LESSON="05", SEED="100")
        self.assertEqual((other.returncode, other.stderr), (0, ""))
        self.assertIn("the seeds\n100 to 104.", other.stdout)
        self.conclude(other.stdout)

    def conclude(self, output):
        curves, ends = tables(output)
        training, test, mean, low, high = ({run: end[i] for run, end in ends.items()}
                                           for i in range(5))
        for norm, size in RUNS:
            self.assertLessEqual(low[norm, size], mean[norm, size])
            self.assertLessEqual(mean[norm, size], high[norm, size])
            self.assertEqual(curves[norm, size][40], test[norm, size])
        batch2, batch8, batch64 = RUNS[:3]
        layer64 = RUNS[5]
        # Batch norm at batch size 2 learns next to nothing, in training as in evaluation.
        self.assertLess(mean[batch2], 50)
        self.assertLess(high[batch2], 60)
        self.assertGreater(training[batch2], 1.05)
        # It recovers as the batch grows: the worst of a size is above the best of the one before.
        self.assertGreater(low[batch8], high[batch2])
        self.assertGreater(low[batch64], high[batch8])
        # Layer norm does not mind, and is no better at larger batches.
        for run in RUNS[3:]:
            self.assertGreater(mean[run], 99)
            self.assertGreater(low[run], 98)
            self.assertLess(abs(training[run] - test[run]), 0.02)
        self.assertLess(test[RUNS[3]], test[layer64])
        self.assertLess(test[RUNS[4]], test[layer64])
        # At batch size 64 the two end as good as equal, the seeds overlap; batch norm begins ahead.
        self.assertLess(abs(mean[batch64] - mean[layer64]), 0.5)
        self.assertLess(max(low[batch64], low[layer64]), min(high[batch64], high[layer64]))
        self.assertLess(curves[batch64][10], 0.8 * curves[layer64][10])
        # Batch norm learns at every rate from 0.05 on; layer norm is as good at 0.2 and 0.8 only.
        batch, layer = (dict(zip(RATES, map(float, re.search(
            rf"^  {norm}" + NUMBER * len(RATES) + "$", output, re.MULTILINE).groups())))
            for norm in ("batch norm", "layer norm"))
        self.assertGreater(min(batch[rate] for rate in RATES[1:]), 0.9)
        for rate in (0.2, 0.8):
            self.assertLess(abs(batch[rate] - layer[rate]), 0.005)
        for rate in (0.02, 0.05, 2):
            self.assertGreater(batch[rate] - layer[rate], 0.05)
        # Training and evaluation differ at batch size 8.
        self.assertGreater(training[batch8], test[batch8] + 0.2)

    def test_the_file_of_numbers_holds_those_that_the_tables_are_means_of(self):
        self.assertIn(f"All the numbers: {NUMBERS}\n", self.first.stdout)
        curves, ends = tables(self.first.stdout)
        rows = list(csv.DictReader(self.files[NUMBERS].splitlines()))
        self.assertEqual(len(rows), 6 * 5 * 41)
        for (norm, size), losses in curves.items():
            of_run = [row for row in rows if row["curve"] == f"{norm}, batch size {size}"]
            self.assertEqual({row["seed"] for row in of_run}, set("12345"))
            for shown, loss in losses.items():
                here = [float(row["test_loss"]) for row in of_run if row["pass"] == str(shown)]
                self.assertAlmostEqual(statistics.fmean(here), loss, delta=0.000501)
            last = [row for row in of_run if row["pass"] == "40"]
            training, _, mean, low, high = ends[norm, size]
            right = [100 * float(row["accuracy"]) for row in last]
            self.assertAlmostEqual(statistics.fmean(float(row["training_loss"]) for row in last),
                                   training, delta=0.000501)
            for number, shown in ((statistics.fmean(right), mean), (min(right), low), (max(right), high)):
                self.assertAlmostEqual(number, shown, delta=0.0501)
            self.assertEqual({row["training_loss"] for row in of_run if row["pass"] == "0"}, {"nan"})

    def test_the_spikes_that_the_text_speaks_of_are_there(self):
        text = " ".join(lesson_files.Lesson("05_batch_norm").read("lessons/{}.md").split())
        losses, right = {}, {}
        for row in csv.DictReader(self.files[NUMBERS].splitlines()):
            run = row["curve"], row["seed"], int(row["pass"])
            losses[run], right[run] = float(row["test_loss"]), float(row["accuracy"])
        run = "layer norm, batch size 8", "2"
        self.assertIn("At batch size 8 layer norm with seed 2 has a loss of "
                      f"{losses[*run, 6]:.3f} after 6 passes and of {losses[*run, 7]:.3f} after 7, with "
                      f"{100 * right[*run, 7]:.1f} % right.", text)
        jumps = {at for at in losses if at[0].startswith("layer") and at[2] > 0 and
                 losses[at] > 0.1 and losses[at] > 5 * losses[*at[:2], at[2] - 1]}
        self.assertGreater(len(jumps), 5)
        self.assertLessEqual(max(at[2] for at in jumps), 20)
        self.assertIn("after pass 20, it does not happen again", text)
        together = {(name, at) for name, _, at in jumps}
        self.assertLessEqual(max(sum(at[::2] == spike for at in jumps) for spike in together), 2)
        self.assertNotIn("layer norm, batch size 64", {at[0] for at in jumps})

    def test_the_pictures_show_six_curves_that_need_no_colour(self):
        pictures = [PICTURE.replace(".svg", f"{name}.svg") for name in ("", "_training", "_accuracy")]
        rates = [NUMBERS.replace(".csv", "_rates.csv"), PICTURE.replace(".svg", "_rates.svg")]
        self.assertEqual(set(self.files), {NUMBERS, *pictures, *rates})
        for picture, axis in zip(pictures, ("cross-entropy loss", "cross-entropy loss", "part that is right")):
            with self.subTest(picture):
                self.assertIn(f"picture: {picture}\n", self.first.stdout)
                root = xml.etree.ElementTree.fromstring(self.files[picture])
                self.assertEqual(root.tag, f"{SVG}svg")
                words = [words for words, _, _ in words_in(self.files[picture])]
                for word in (axis, "seeds 1 to 5", "passes over the 1024 training examples", "guessing"):
                    self.assertIn(word, " ".join(words))
                for norm, size in RUNS:
                    self.assertEqual(words.count(f"{norm}, batch size {size}"), 1)
                looks = [(path.get("class"), path.get("stroke-dasharray")) for path in root.iter(f"{SVG}path")]
                self.assertEqual(len({look for look in looks if re.fullmatch(r"line\d", look[0])}), 6)
                self.assertEqual(len([look for look, _ in looks if look.startswith("band ")]), 6)

    def test_the_pictures_have_the_books_colours_by_day_and_by_night(self):
        book = (lesson_files.ROOT / "checker/book/book.css").read_text()
        themes = [dict(re.findall(r"--(\w+): (#\w+);", theme)) for theme in book.split("@media")[:2]]
        curves = dict(re.findall(r"\.plot \.line(\d) \{\s*stroke: var\(--(\w+)\);", book))
        self.assertEqual(sorted(curves), list("012345"))
        for picture, text in self.files.items():
            if picture.endswith(".svg"):
                styles = text.split("@media (prefers-color-scheme:dark)")
                self.assertEqual(len(styles), 2)
                for style, theme in zip(styles, themes):
                    for curve, name in curves.items():
                        self.assertIn(f".line{curve}{{stroke:{theme[name]}}}.fill{curve}{{fill:{theme[name]}}}", style)
                    for part, name in ((".ground{fill", "ground"), ("text{fill", "ink"), (".grid{stroke", "line")):
                        self.assertIn(f"{part}:{theme[name]}}}", style)

    def test_each_curves_name_stands_at_its_end_and_on_no_other(self):
        picture = self.files[PICTURE.replace(".svg", "_rates.svg")]
        places = {name: (x, y) for name, x, y in words_in(picture)
                  if name in ("guessing", "batch norm", "layer norm")}
        self.assertEqual(len(places), 3)
        self.assertEqual(len({x for x, _ in places.values()}), 1)
        batch, layer, guessing = (places[name][1] for name in ("batch norm", "layer norm", "guessing"))
        self.assertGreater(layer - batch, 13)  # y grows downwards
        self.assertGreater(guessing - layer, 13)

    def test_the_numbers_of_an_axis_are_those_of_the_points_where_they_are_few(self):
        picture = self.files[PICTURE.replace(".svg", "_rates.svg")]
        below = [y for words, x, y in words_in(picture) if words == "0.02"]
        self.assertEqual([float(words) for words, _, y in words_in(picture) if y == below[0]], RATES)

    def test_it_runs_the_learners_functions_once_they_pass(self):
        with WorkbookCopy() as copy:
            for lesson in ("01_layer_norm", "02_backward", "05_batch_norm"):
                copy.solve(lesson)
            copy.write("exercises/03_rms_norm.c", copy.read("solutions/03_rms_norm.c")
                       .replace("gamma[j] *", "2 *"))
            lab = copy.make("lab", LESSON="05")
            self.assertEqual((lab.returncode, lab.stderr), (0, ""))
            for lesson in ("01_layer_norm", "02_backward", "05_batch_norm"):
                self.assertRegex(lab.stdout, rf"  exercises/{lesson}\.c +yours\n")
            self.assertRegex(lab.stdout, r"solutions/03_rms_norm\.c +the solution's")
            # The same functions give the same numbers, to the last digit.
            self.assertEqual(numbers(lab.stdout), numbers(self.first.stdout))

    def test_a_function_that_misbehaves_late_gets_a_plain_message(self):
        mine, some = r"exercises/05_batch_norm\.c", "one of the functions"
        endings = {
            "*(volatile int *)0 = 1;": rf"{mine} followed a null pointer at {mine}:11\.",
            "abort();": rf"{mine} called abort\(\) at {mine}:11\.",
            "for (;;);": rf"{mine} still running after 5 s at {mine}:11\.",
            "exit(3);": rf"{some} ended its process \(exit status 3\)\.",
            "for (;;) puts(\"hello\");": rf"{some} printed more than 1024 KB\.",
            "write(20, \"garbage!garbage!\", 16);": f"{some} gave no result that can be used.",
        }
        for code, ending in endings.items():
            with self.subTest(code=code), WorkbookCopy() as copy:
                lab = self.with_late(copy, code)
                self.assertRegex(lab.stdout, rf"  {mine} +yours\n")
                self.assertNotEqual(lab.returncode, 0)
                self.assertRegex(lab.stderr, r"^The lab ended early \(batch norm, batch size 2, seed 3"
                                 rf"\): {ending}\n")
                self.assertNotIn("After the last pass", lab.stdout)

    def test_what_the_sandbox_refuses_does_not_happen(self):
        with WorkbookCopy() as copy:
            file = "exercises/05_batch_norm.c"
            lab = self.with_late(copy, f'kill(getppid(), SIGKILL); fopen("{file}", "w");')
            self.assertEqual((lab.returncode, lab.stderr), (0, ""))
            self.assertRegex(lab.stdout, rf"  {file} +yours\n")
            self.assertIn("late();", copy.read(file))

    def with_late(self, copy, code, run=None):
        solution = copy.read("solutions/05_batch_norm.c")
        body = re.sub(r"(void batch_norm_train\([^{]*\{)", r"\1\n    late();", solution)
        includes = "".join(f"#include <{name}.h>\n"
                           for name in ("signal", "stdio", "stdlib", "sys/types", "unistd"))
        copy.write("exercises/05_batch_norm.c", includes + LATE % code + body)
        return run() if run else copy.make("lab", LESSON="05")

    def test_a_terminal_shows_how_far_it_is_in_the_locales_characters(self):
        for locale, full, empty in (("C", "#", "."), ("C.UTF-8", "█", "░")):
            with self.subTest(locale=locale), WorkbookCopy() as copy:
                env = dict(os.environ, LC_ALL=locale, TERM="xterm")
                command = ["make", "-s", "-C", str(copy.path), "lab", "LESSON=05"]
                output = self.with_late(copy, "abort();",
                                        lambda: drivers.in_terminal(command, env).decode())
                self.assertRegex(output, rf"\[{full}+{re.escape(empty)}+\]   7 % batch norm, batch "
                                 "size 2, seed 3")
                self.assertEqual(output.isascii(), locale == "C")
        self.assertNotIn("\r", self.first.stdout)

    @unittest.skipUnless(screen.TMUX, "tmux is missing")
    def test_ctrl_c_is_said_and_leaves_what_an_earlier_run_drew(self):
        window = screen.Screen(self.copy.path, "trap : INT; make -s lab LESSON=05 SEED=9")
        self.addCleanup(window.close)
        window.see(" % batch norm")
        window.keys("C-c")
        text = window.see("[ended: ")
        self.assertIn("\nStopped. What earlier runs of it drew and wrote is as it was.\n", text)
        self.assertNotIn("[ended: 0]", text)
        folder = self.copy.path / ".workbook" / "lab"
        self.assertEqual({f".workbook/lab/{path.name}": path.read_text() for path in folder.iterdir()}, self.files)

    def test_a_wrong_function_of_ones_own_is_run_when_it_is_asked_for(self):
        with WorkbookCopy() as copy:
            body = re.sub(r"(void batch_norm_eval\([^{]*\{)", r"\1\n    for (int i = 0; i < batch * features; i++)"
                          "\n        y[i] = 0;\n    return;\n", copy.read("solutions/05_batch_norm.c"))
            copy.write("exercises/05_batch_norm.c", body)
            lab = copy.make("lab", LESSON="05", MINE="yes")
            self.assertEqual((lab.returncode, lab.stderr), (0, ""))
            self.assertRegex(lab.stdout, r"exercises/05_batch_norm\.c +yours, which does not pass yet: MINE=yes\n")
            self.assertRegex(lab.stdout, r"solutions/02_backward\.c +the solution's")
            ends, right = tables(lab.stdout)[1], tables(self.first.stdout)[1]
            for run in RUNS[:3]:
                self.assertEqual(ends[run][0], right[run][0])  # it was trained as well as any
                self.assertLess(ends[run][2], 36)  # and guesses
            for run in RUNS[3:]:
                self.assertEqual(ends[run], right[run])
            copy.write("exercises/05_batch_norm.c", body.replace("y[i] = 0;", "abort();").replace(
                "#include", "#include <stdlib.h>\n#include", 1))
            lab = copy.make("lab", LESSON="05", MINE="yes")
            self.assertIn("exercises/05_batch_norm.c called abort()", lab.stderr)
            self.assertNotIn("passed its checks", lab.stderr)

    def test_a_lab_that_does_not_compile_stops_nothing_else_and_says_why(self):
        with WorkbookCopy() as copy:
            copy.write("checker/lessons/05_batch_norm/lab.c", "#error half a lab\n")
            copy.solve("01_layer_norm")
            self.assertIn("9 passed", copy.make("check", LESSON="01").stdout)
            lab = copy.make("lab", LESSON="05")
            self.assertNotEqual(lab.returncode, 0)
            self.assertIn("half a lab", lab.stderr)

    def test_mine_is_yes_or_no(self):
        lab = self.copy.make("lab", LESSON="05", MINE="maybe")
        self.assertNotEqual(lab.returncode, 0)
        self.assertIn("MINE is yes or no", lab.stderr)

    def test_a_seed_that_is_none_is_refused(self):
        for seed in ("x", "-1", "1.5", "99999999999999999999"):
            lab = self.copy.make("lab", LESSON="05", SEED=seed)
            self.assertNotEqual(lab.returncode, 0)
            self.assertIn("SEED is a whole number", lab.stderr)


if __name__ == "__main__":
    unittest.main()
