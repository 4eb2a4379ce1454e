"""make start, used as a person uses it: in a terminal (tmux), in a pipe, and with neither.

All of it happens in one copy of the tree; every test starts with the stubs and without progress.
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

import lesson_files
import screen

HANGS = """#include "01_layer_norm.h"
float row_mean(const float *x, int features)
{
    for (volatile int on = features; on;)
        ;
    return *x;
}
"""


def setUpModule():
    global COPY, TREE
    COPY = lesson_files.copy_of_tree(pathlib.Path(tempfile.mkdtemp()) / "tree")
    TREE = COPY.__enter__()
    shutil.copytree(TREE / "exercises", TREE / "build" / "stubs", dirs_exist_ok=True)
    subprocess.run(["make", "-s", "lessons"], cwd=TREE, check=True, stdout=subprocess.PIPE)


def tearDownModule():
    screen.kill_server()
    COPY.__exit__(None, None, None)
    TREE.parent.rmdir()


def make(*arguments, typed=None, **environment):
    names = ("MAKEFLAGS", "MAKELEVEL", "PAGER", "VISUAL", "EDITOR", "LC_ALL", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(["make", "-s", *arguments], cwd=TREE, text=True, timeout=60,
                          input=typed, stdin=subprocess.DEVNULL if typed is None else None,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**kept, "LANG": "C.UTF-8", **environment})


def pipe(*lines, **environment):
    return make("start", typed="".join(f"{line}\n" for line in lines), **environment)


def steady(text):
    """Without what differs from run to run."""
    return re.sub(r"\(\d+\.\d+ s.*\)", "(time)", text)


class Test(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(TREE / ".workbook", ignore_errors=True)
        shutil.copytree(TREE / "build" / "stubs", TREE / "exercises", dirs_exist_ok=True)

    def solve(self, *lessons):
        for lesson in lessons or lesson_files.names():
            shutil.copy(TREE / "solutions" / f"{lesson}.c", TREE / "exercises" / f"{lesson}.c")

    def write(self, text, lesson="01_layer_norm"):
        (TREE / "exercises" / f"{lesson}.c").write_text(text)

    def progress(self):
        return json.loads((TREE / ".workbook" / "progress.json").read_text())["lessons"]


class InAPipe(Test):
    def test_nothing_typed_gives_the_map_and_the_next_step(self):
        for result in (make("start"), make("start", typed=""), make("start", typed="\n \n")):
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            lines = result.stdout.splitlines()
            self.assertEqual(len(lines), len(lesson_files.names()) + 2)
            self.assertRegex(lines[0], "01  Layer Normalization +not begun, and you are here")
            self.assertIn("Next: read lessons/01_layer_norm.md", lines[-1])

    def test_check_prints_what_make_check_prints(self):
        self.solve("01_layer_norm")
        here, there = pipe("check 01"), make("check", "LESSON=01")
        self.assertEqual(steady(here.stdout), steady(there.stdout))
        self.assertEqual((here.returncode, there.returncode), (0, 0))

    def test_the_exit_code_is_that_of_the_last_command(self):
        for lines, code in ((["check 01"], 2), (["check 01", "lessons"], 0), (["lessons", "chekc"], 2),
                            (["check 01", "quit"], 2), (["lessons", "quit", "check 01"], 0)):
            with self.subTest(lines=lines):
                self.assertEqual(pipe(*lines).returncode, code)

    def test_every_command_has_its_line_of_help(self):
        listed = re.findall(r"^(\w+) +\S", pipe("help").stdout, re.MULTILINE)[:17]
        self.assertEqual(sorted(listed), sorted(
            "lessons go next read edit check watch hint diff solution reset lab try debug progress "
            "help quit".split()))
        for command in listed:
            result = pipe(f"help {command}")
            self.assertTrue(result.stdout.startswith(command), result.stdout)

    def test_any_beginning_that_fits_one_command_will_do(self):
        self.assertEqual(pipe("less").stdout, pipe("lessons").stdout)
        self.assertEqual(pipe("q").returncode, 0)
        self.assertEqual(pipe("re").stderr.splitlines()[0], "That could be read or reset.")

    def test_a_mistyped_word_gets_the_nearest(self):
        for typed, meant in (("chekc", "check"), ("lesons", "lessons"), ("hnit", "hint"),
                             ("go batch_nrom", "batch_norm"), ("check row_maen", "row_mean")):
            with self.subTest(typed=typed):
                self.assertIn(f"Did you mean {meant}?", pipe(typed).stderr)
        self.assertIn("`help`", pipe("xyzzy").stderr)

    def test_lessons_are_named_in_any_way(self):
        for word in ("03", "3", "rms_norm", "03_rms_norm", "rms"):
            with self.subTest(word=word):
                self.assertIn("Lesson 03, RMS Normalization", pipe(f"go {word}").stdout)
        self.assertIn("go where?", pipe("go").stderr)

    def test_one_function_is_checked_alone(self):
        self.solve("01_layer_norm")
        text = pipe("check row_mean").stdout
        self.assertIn("row_mean averages one row", text)
        self.assertNotIn("row_variance", text)

    def test_a_file_is_checked_in_place_of_the_learners(self):
        result = pipe("check solutions/03_rms_norm.c")
        self.assertIn("(solutions/03_rms_norm.c)", result.stdout)
        self.assertEqual(result.returncode, 0)
        self.assertFalse((TREE / ".workbook" / "progress.json").exists())

    def test_check_all_gives_a_line_to_each_lesson(self):
        lines = pipe("check all").stdout.splitlines()
        self.assertEqual(len(lines), len(lesson_files.names()) + 2)
        self.assertIn("0 of 5 lessons passed", lines[-1])

    def test_try_shows_mine_and_the_reference(self):
        self.solve("01_layer_norm")
        result = pipe("try 10 50 20")
        self.assertRegex(result.stdout, r"mean +yours +✅ +26\.6667\n +reference +26\.6667")
        self.assertEqual(result.returncode, 0)
        self.assertIn("expected a number", pipe("try ten").stderr)

    def test_read_sets_the_text_for_the_terminal(self):
        text = pipe("read").stdout
        self.assertIn("Lesson 01: Layer Normalization", text)
        self.assertIn("variance = 1/n Σ_j (x_j - mean)²", text)
        self.assertIn("running_mean", pipe("read 05").stdout)
        self.assertNotRegex(text, r"\\frac|\$\$|\033")

    def test_read_works_without_lowdown(self):
        folder = TREE / "build" / "path"
        folder.mkdir(exist_ok=True)
        for program in ("sh", "make", "sed", "cc", "awk"):
            if not (folder / program).exists():
                (folder / program).symlink_to(shutil.which(program))
        text = pipe("read", PATH=str(folder)).stdout
        self.assertIn("# Lesson 01: Layer Normalization", text)
        self.assertIn("mean = 1/n Σ_j x_j", text)

    def test_where_characters_are_ascii_all_is(self):
        self.solve("01_layer_norm")
        result = pipe("lessons", "progress", "read 05", "check", "try 10 50 20", "progress",
                      LC_ALL="C", LANG="C")
        self.assertTrue((result.stdout + result.stderr).isascii())
        self.assertIn("[#########] 9/9", result.stdout)

    def test_the_solution_is_shown_when_asked_for_twice_or_after_passing(self):
        for command, shown in (("diff", "+++ the solution"), ("solution", "float row_mean(")):
            with self.subTest(command=command):
                once = pipe(command)
                self.assertNotIn(shown, once.stdout)
                self.assertIn(f"type `{command}` again", re.sub(r"\s+", " ", once.stdout))
                self.assertNotIn(shown, pipe(command, "lessons", command).stdout)
                twice = pipe(command, command).stdout
                self.assertIn(shown, twice)
                self.assertNotRegex(twice, "// SOLUTION|// STUB|// END|\033")
        self.solve("01_layer_norm")
        self.assertIn("+++ the solution", pipe("check 01", "diff 01").stdout)
        self.write((TREE / "build" / "01_layer_norm" / "solution.c").read_text())
        self.assertIn("the solution, line for line", pipe("diff 01").stdout)

    def test_reset_keeps_a_copy(self):
        self.write("int mine;\n")
        result = pipe("reset")
        self.assertIn("is the stub again", result.stdout)
        kept = re.search(r"kept as (\S+)", result.stdout).group(1)
        self.assertEqual((TREE / kept).read_text(), "int mine;\n")

    def test_edit_takes_an_editor_with_arguments(self):
        self.assertIn("export EDITOR=", pipe("edit").stderr)
        pipe("edit", EDITOR="cp include/01_layer_norm.h")
        self.assertIn("#ifndef", (TREE / "exercises" / "01_layer_norm.c").read_text())
        self.assertEqual(pipe("edit Makefile", VISUAL="ls", EDITOR="false").stdout, "Makefile\n")

    def test_the_lab_and_the_debugger_are_told_apart_by_lesson(self):
        self.assertIn("has no lab", pipe("lab 01").stderr)
        if not shutil.which("gdb"):
            self.skipTest("gdb is missing")
        self.solve("01_layer_norm")
        self.assertIn("row_mean", pipe("debug").stdout)

    def test_hints_follow_one_another(self):
        lines = pipe("hint", "hint").stdout
        self.assertIn("Hint 1 of 3 for row_mean", lines)
        self.assertIn("Hint 2 of 3 for row_mean", lines)


class Remembering(Test):
    def test_the_lesson_that_one_went_to_is_where_one_starts(self):
        pipe("go 03")
        self.assertIn("exercises/03_rms_norm.c", make("check").stdout)
        self.assertRegex(make("start").stdout, "03  RMS Normalization .*you are here")
        self.solve("03_rms_norm")
        pipe("check")
        self.assertRegex(make("start").stdout, "01  Layer Normalization .*you are here")

    def test_start_takes_a_lesson(self):
        text = make("start", "LESSON=03", typed="check\n").stdout
        self.assertIn("exercises/03_rms_norm.c", text)
        self.assertIn('no lesson "9"', make("start", "LESSON=9").stderr)

    def test_progress_is_drawn(self):
        self.solve("01_layer_norm")
        pipe("hint row_mean", "check 01", "check 01")
        for text in (pipe("progress").stdout, make("progress").stdout):
            self.assertRegex(text, r"01_layer_norm\n +█████████ 9/9\n"
                             r" +2 runs, 1 hint, the last run took \d+\.\d\d s\n"
                             r" +passed first \d{4}-\d\d-\d\d, last \d{4}-\d\d-\d\d\n")
            self.assertIn("02_backward\n       not begun", text)
            self.assertIn("1 of 5 lessons passed", text)

    def test_after_an_update_what_was_passed_counts_no_more(self):
        self.solve("01_layer_norm")
        pipe("check 01")
        self.assertIn("Layer Normalization              passed 20", make("lessons").stdout)
        path = TREE / ".workbook" / "progress.json"
        path.write_text(path.read_text().replace(
            self.progress()["01_layer_norm"]["passed_signature"], "0123456789abcdef"))
        self.assertIn("changed since you passed it, and you are here", make("lessons").stdout)
        self.assertIn("changed since you passed it", pipe("go 01").stdout)
        pipe("check 01")
        self.assertIn("Layer Normalization              passed 20", make("lessons").stdout)

    def test_next_checks_everything_before_it_says_all_done(self):
        self.solve()
        result = pipe("check all", "next")
        self.assertEqual(result.returncode, 0)
        self.assertIn("All of them once more:", result.stdout)
        self.assertIn("All done.", result.stdout)
        self.write("int broken", "02_backward")
        result = pipe("next", "lessons")
        self.assertNotIn("All done.", result.stdout)
        self.assertIn("Lesson 02, The Backward Pass", result.stdout)


@unittest.skipUnless(screen.TMUX, "tmux is missing")
class InATerminal(Test):
    def open(self, command="make -s start", **options):
        window = screen.Screen(TREE, command, **options)
        self.addCleanup(window.close)
        return window

    def test_the_first_start_welcomes_in_six_lines_and_later_ones_say_where_one_is(self):
        window = self.open()
        lines = window.prompt("01 layer_norm>").splitlines()
        self.assertTrue(lines[0].startswith("Welcome"))
        self.assertEqual(lines[6:], ["", "Lesson 01, Layer Normalization: not begun.",
                                     "Next: type `read`.", "01 layer_norm>"])
        window.line("lessons")
        window.see("05  Batch")
        window.line("quit")
        window.see("[ended: 0]")
        again = self.open().prompt("01 layer_norm>").splitlines()
        self.assertEqual(again[0], "Lesson 01, Layer Normalization: not begun.")

    def test_a_bare_enter_checks_and_the_prompt_says_how_far_one_is(self):
        self.solve("01_layer_norm")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line()
        window.see("9 passed, 0 failed", "Lesson 01 is passed. Next: type `next`.")
        window.prompt("01 layer_norm 9/9>")
        window.line("next")
        window.see("Lesson 02, The Backward Pass: not begun.")
        window.prompt("02 backward>")

    def test_enter_repeats_the_last_check_as_it_was(self):
        self.solve("01_layer_norm")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("check row_mean")
        window.see("2 passed, 0 failed")
        window.clear()
        window.line()
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
        window.keys("C-u")
        window.line("go 02")
        window.prompt("02 backward>")
        window.keys("try ")
        window.until(lambda text: text.endswith("> try 10 50 20 dy=1 0 2"))
        window.keys("C-u")
        window.line("prog")
        window.see("0 of 5 lessons passed")

    def test_history_survives_a_restart(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("help quit")
        window.see("so does Ctrl-D")
        window.keys("C-d")
        window.see("[ended: 0]")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.keys("Up")
        window.see("01 layer_norm> help quit")

    def test_ctrl_c_stops_a_check_that_hangs_and_nothing_else(self):
        self.write(HANGS)
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("check")
        time.sleep(0.5)
        window.keys("C-c")
        window.see("Stopped.")
        window.prompt("01 layer_norm>")
        window.keys("C-c")
        window.keys("some", "C-c")
        window.line("help quit")
        window.see("so does Ctrl-D")
        window.keys("C-d")
        window.see("[ended: 0]")

    def test_ctrl_z_takes_nobody_away(self):
        self.write(HANGS)
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("check")
        time.sleep(0.3)
        window.keys("C-z")
        window.see("Results:", "still running after 2 s")
        window.line("help quit")
        window.see("so does Ctrl-D")

    def test_a_check_that_crashes_leaves_the_prompt(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("edit")
        window.see("export EDITOR=")
        checker, kept = TREE / "build/01_layer_norm/check", TREE / "build/01_layer_norm/check.kept"
        os.rename(checker, kept)
        self.addCleanup(os.rename, kept, checker)
        for script, words in (("kill -SEGV $$", "\n\nIt was ended by a signal: Segmentation fault."),
                              ("stty raw -echo; exit 3", "")):
            checker.write_text(f"#!/bin/sh\n{script}\n")
            checker.chmod(0o755)
            window.clear()
            window.line("check")
            shown = f"01 layer_norm> check{words}\n01 layer_norm>"
            window.until(lambda text: text == shown)
            window.line("help quit")
            window.see("\n01 layer_norm> help quit\nquit\n          leaves; so does Ctrl-D\n")

    def test_forty_columns_and_a_window_that_changes_its_size(self):
        window = self.open(columns=40, rows=24)
        text = window.prompt("01 layer_norm>")
        self.assertIn("Welcome to the Layer Normalization\nWorkbook.", text)
        window.clear()
        window.line("lessons")
        window.see("04  Conditional Layer Normalization\n       not begun\n")
        window.line("go 04")
        window.prompt("04 conditional_layer_norm>")
        window.line("help help quit")
        window.see("04 conditional_layer_norm> help help qui\nt")
        window.resize(80, 24)
        window.clear()
        window.line("lessons")
        window.see("04  Conditional Layer Normalization  not begun, and you are here")
        window.resize(30, 24)
        window.line("help quit")
        window.see("04 conditional_layer_norm> hel\np quit", "quit")

    def test_read_goes_through_the_pager_that_is_set(self):
        window = self.open(PAGER="grep -c Layer")
        window.prompt("01 layer_norm>")
        window.clear()
        window.line("read")
        window.until(lambda text: re.search(r"> read\n\d+\n01 layer_norm>$", text))

    @unittest.skipUnless(shutil.which("less"), "less is missing")
    def test_read_goes_through_less_otherwise(self):
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("read")
        window.until(lambda text: text.startswith("Lesson 01: Layer Normalization")
                     and text.endswith("\n:"))
        window.keys("q")
        window.prompt("01 layer_norm>")

    def test_colour_is_left_out_where_it_is_not_wanted(self):
        window = self.open(NO_COLOR="1", PAGER="cat", rows=100)
        window.prompt("01 layer_norm>")
        for line in ("diff", "diff", "lessons", "read"):
            window.line(line)
        window.prompt("01 layer_norm>")
        self.assertNotRegex(window.text(colours=True), r"\033\[(\d+;)*[349][0-7]")

    def test_reset_asks_first(self):
        self.write("int mine;\n")
        window = self.open()
        window.prompt("01 layer_norm>")
        for answer in ("n", ""):
            window.clear()
            window.line("reset")
            window.see("Put the stub back as exercises/01_layer_norm.c? [y/N]")
            window.line(answer)
            window.see("Nothing was changed.")
        window.line("reset")
        window.until(lambda text: text.endswith("[y/N]"))
        window.line("y")
        window.see("is the stub again.", ".workbook/backup/")

    def test_watch_is_left_with_q(self):
        self.solve("01_layer_norm")
        window = self.open()
        window.prompt("01 layer_norm>")
        window.line("watch")
        window.see("9 passed, 0 failed", "q quit")
        window.keys("q")
        window.prompt("01 layer_norm 9/9>")

    def test_a_terminal_that_can_nothing_is_enough(self):
        window = self.open(TERM="dumb")
        window.prompt("01 layer_norm>")
        window.line("help quit")
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


class Speed(Test):
    def test_the_prompt_opens_within_50_milliseconds(self):
        times = []
        for _ in range(7):
            controller, terminal = pty.openpty()
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
            began = time.monotonic()
            process = subprocess.Popen([TREE / "build" / "workbook", "start"], cwd=TREE, stdin=terminal,
                                       stdout=terminal, stderr=terminal, start_new_session=True,
                                       env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8"})
            seen = b""
            while b"layer_norm> " not in seen:
                self.assertTrue(select.select([controller], [], [], 10)[0], seen)
                seen += os.read(controller, 4096)
            times.append(time.monotonic() - began)
            process.kill()
            process.wait()
            os.close(terminal)
            os.close(controller)
        self.assertLess(sorted(times)[0], 0.05, times)


if __name__ == "__main__":
    unittest.main()
