"""make start, used as a person uses it: in a terminal (tmux)."""

import os
import re
import shutil
import signal
import unittest

import lesson_files
import prompt_copy
import screen
from prompt_copy import TREE, Test
from watching import HANGS, checker_runs, wait_until


def setUpModule():
    prompt_copy.set_up()


@unittest.skipUnless(screen.TMUX, "tmux is missing")
class InATerminal(Test):
    def open(self, command="make -s start", **options):
        window = screen.Screen(TREE, command, **options)
        self.addCleanup(window.close)
        return window

    def open_at_a_check_that_hangs(self):
        self.write(HANGS)
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("check")
        wait_until(lambda: checker_runs(TREE), "the check that hangs")
        return window

    def test_the_first_start_welcomes_in_six_lines_and_later_ones_say_where_one_is(self):
        window = self.open()
        lines = window.prompt("01 layer_norm>").splitlines()
        self.assertTrue(lines[0].startswith("Welcome"))
        self.assertEqual(lines[6:], ["", "Lesson 01, Layer Normalization: not begun.",
                                     "Next: type `read`.", "01 layer_norm>"])
        window.command("lessons")
        window.see("05  Batch")
        window.command("quit")
        window.see("[ended: 0]")
        again = self.open().prompt("01 layer_norm>").splitlines()
        self.assertEqual(again[0], "Lesson 01, Layer Normalization: not begun.")

    def test_a_bare_enter_checks_and_the_prompt_says_how_far_one_is(self):
        self.solve("01_layer_norm")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command()
        window.see("9 passed, 0 failed", "Lesson 01 is passed. Next: type `next`.")
        window.prompt("01 layer_norm 9/9>")
        window.command("next")
        window.see("Lesson 02, The Backward Pass: not begun.")
        window.prompt("02 backward>")

    def test_a_bare_try_shows_the_example_of_where_one_is(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("try")
        window.see("The example of row_mean:", "26.6667")
        window.prompt("01 layer_norm>")
        right = (TREE / "solutions" / "01_layer_norm.c").read_text()
        self.write("sum;".join(right.rsplit("sum / (float)features;", 1)))
        window.command("try")
        window.see("The example of row_variance:", "❌", "288.889")

    def test_after_the_core_lessons_next_offers_the_choice(self):
        self.solve(*lesson_files.names()[:5])
        for number in ("01", "02", "03", "04"):
            prompt_copy.pipe(f"check {number}")
        prompt_copy.pipe("go 05")
        window = self.open()
        window.prompt("05 batch_norm>")
        window.command()
        window.see("Lesson 05 is passed. Next: type `next`, for 06.\nReady as well: 07, 08, 09, ")
        window.command("next 08")
        window.see("Lesson 08, Shapes: not begun.")
        window.prompt("08 shapes>")

    def test_hint_tells_the_place_in_the_file_and_then_the_change(self):
        text = (TREE / "solutions" / "01_layer_norm.c").read_text()
        self.write(text.replace("x[j] - mean;", "x[j] + mean;"))
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("hint")
        window.see("Hint 1 of 2 on your own row_variance:", "  | float distance = x[j] + mean;")
        window.prompt("01 layer_norm>")
        window.clear()
        window.command("hint")
        window.see("Hint 2 of 2 on your own row_variance:", "  | float distance = x[j] - mean;")
        window.prompt("01 layer_norm>")
        window.clear()
        window.command("hint")
        window.see("Hint 1 of 3 for row_variance:")

    def test_enter_repeats_the_last_check_as_it_was(self):
        self.solve("01_layer_norm")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("check row_mean")
        window.see("2 passed, 0 failed")
        window.clear()
        window.command()
        window.see("2 passed, 0 failed")

    def test_tab_completes_commands_lessons_functions_and_files(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        for typed, completed in (("pro", "progress"), ("go bat", "go batch_norm"), ("go 04", "go 04_cond"),
                                 ("check row_v", "check row_variance"), ("try gam", "try gamma="),
                                 ("edit include/03", "edit include/03_rms_norm.h"),
                                 ("check al", "check all"), ("help wa", "help watch")):
            with self.subTest(typed=typed):
                window.keys("C-u", typed, "Tab")
                window.until(lambda text: text.split("\n")[-1].startswith(f"01 layer_norm> {completed}"))

    def test_the_rest_of_the_line_is_shown_in_grey(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        for typed, rest in (("try ", "10 50 20 eps=1e-5"), ("prog", "ress"), ("go rm", "s_norm"),
                            ("check", " [all, LESSON, FUNCTION or FILE]")):
            with self.subTest(typed=typed):
                window.keys("C-u", typed)
                window.until(lambda text: text.endswith(f"> {typed}{rest}"))
                self.assertRegex(window.text(colours=True), r"\033\[[0-9;]*90m" + re.escape(rest))
        window.keys("C-u", "re")  # read or reset: neither is shown
        window.until(lambda text: text.endswith("> re"))
        window.keys("C-u")
        window.command("go 02")
        window.prompt("02 backward>")
        window.keys("try ")
        window.until(lambda text: text.endswith("> try 10 50 20 dy=1 0 2"))
        window.keys("C-u")
        window.command("prog")
        window.see(lesson_files.passed(0))

    def test_history_survives_a_restart(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("help quit")
        window.see("so does Ctrl-D")
        window.leave()
        window = self.open()
        window.prompt("01 layer_norm>")
        window.keys("Up")
        window.see("01 layer_norm> help quit")

    def test_ctrl_c_stops_a_check_that_hangs_and_nothing_else(self):
        window = self.open_at_a_check_that_hangs()
        window.keys("C-c")
        window.see("Stopped.")
        window.prompt("01 layer_norm>")
        for prompts, typed in enumerate((["C-c"], ["some", "C-c"]), start=3):
            window.keys(*typed)
            window.until(lambda text, prompts=prompts: text.count("01 layer_norm>") == prompts
                         and text.endswith("\n01 layer_norm>"))
        window.command("help quit")
        window.see("so does Ctrl-D")
        window.leave()

    def test_ctrl_z_takes_nobody_away(self):
        window = self.open_at_a_check_that_hangs()
        window.keys("C-z")
        window.see("Results:", "still running after 2 s")
        window.prompt("01 layer_norm 0/9>")
        window.command("help quit")
        window.see("so does Ctrl-D")

    def test_a_check_that_crashes_leaves_the_prompt(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("edit")
        window.see("export EDITOR=")
        checker, kept = TREE / "build/01_layer_norm/check", TREE / "build/01_layer_norm/check.kept"
        os.rename(checker, kept)
        self.addCleanup(os.rename, kept, checker)
        for script, words in (("kill -SEGV $$", "\n\nIt was ended by a signal: Segmentation fault."),
                              ("stty raw -echo; exit 3", "")):
            checker.write_text(f"#!/bin/sh\n{script}\n")
            checker.chmod(0o755)
            window.clear()
            window.command("check")
            shown = f"01 layer_norm> check{words}\n01 layer_norm>"
            window.until(lambda text: text == shown)
            window.command("help quit")
            window.see("\n01 layer_norm> help quit\nquit\n          leaves; so does Ctrl-D\n")

    def test_forty_columns_and_a_window_that_changes_its_size(self):
        window = self.open(columns=40, rows=50)
        text = window.prompt("01 layer_norm>")
        self.assertIn("Welcome to the Layer Normalization\nWorkbook.", text)
        window.clear()
        window.command("lessons")
        window.see("04  Conditional Layer Normalization\n       needs 01\n")
        window.command("go 04")
        window.prompt("04 conditional_layer_norm>")
        window.command("help help quit")
        window.see("04 conditional_layer_norm> help help qui\nt")
        window.resize(80, 24)
        window.clear()
        window.command("lessons")
        window.see("04  Conditional Layer Normalization  needs 01, and you are here")
        window.resize(30, 24)
        window.command("help quit")
        window.see("04 conditional_layer_norm> hel\np quit", "quit")

    def test_read_goes_through_the_pager_that_is_set(self):
        window = self.open(PAGER="grep -c Layer")
        window.prompt("01 layer_norm>")
        window.clear()
        window.command("read")
        window.until(lambda text: re.search(r"> read\n\d+\n01 layer_norm>$", text))

    @unittest.skipUnless(shutil.which("less"), "less is missing")
    def test_read_goes_through_less_otherwise(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("read")
        window.until(lambda text: text.startswith("Lesson 01: Layer Normalization")
                     and text.endswith("\n:"))
        window.keys("q")
        window.prompt("01 layer_norm>")

    def test_colour_is_left_out_where_it_is_not_wanted(self):
        window = self.open(NO_COLOR="1", PAGER="cat", rows=100)
        window.prompt("01 layer_norm>")
        for line in ("diff", "diff", "lessons", "read"):
            window.command(line)
        window.prompt("01 layer_norm>")
        self.assertNotRegex(window.text(colours=True), r"\033\[(\d+;)*[349][0-7]")

    def test_reset_asks_first(self):
        self.write("int mine;\n")
        window = self.open()
        window.prompt("01 layer_norm>")
        for answer in ("n", ""):
            window.clear()
            window.command("reset")
            window.see("Put the stub back as exercises/01_layer_norm.c? [y/N]")
            window.line(answer)
            window.see("Nothing was changed.")
        window.command("reset")
        window.until(lambda text: text.endswith("[y/N]"))
        window.line("y")
        window.see("is the stub again.", ".workbook/backup/")

    def test_watch_is_left_with_q(self):
        self.solve("01_layer_norm")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.command("watch")
        window.see("9 passed, 0 failed", "q quit")
        window.keys("q")
        window.prompt("01 layer_norm 9/9>")

    def test_a_terminal_that_can_nothing_is_enough(self):
        window = self.open(TERM="dumb")
        window.prompt("01 layer_norm>")
        window.command("help quit")
        window.see("so does Ctrl-D")
        window.keys("C-c")
        window.keys("C-d")
        window.see("[ended:")

    def test_a_kill_gives_the_terminal_back(self):
        window = self.open("build/workbook start")
        window.prompt("01 layer_norm>")
        os.kill(window.process(), signal.SIGTERM)
        window.see("[ended: 143]")
        settings = (TREE / "tty").read_text()
        for word in ("icanon", "echo", "isig", "icrnl", "opost"):
            self.assertRegex(settings, rf"\s{word}[;\s]")


if __name__ == "__main__":
    unittest.main()
