"""make watch, on a terminal of its own (a pty): every way of saving, every key, every way out.

A screen is what was written since the terminal was last cleared, so that screens can be counted. All
of it happens in one copy of the tree; every test starts with the stubs and without progress.
"""

import contextlib
import fcntl
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
from workbook_copy import WorkbookCopy

PATIENCE = 30  # seconds until something that does not appear is a failure
KEYS = "n next  h hint  r run again  l lessons  e edit  q quit"
NARROW_KEYS = "n next h hint r run l map e edit q quit"
CLEAR = b"\033[H\033[2J"
FIRST = "01_layer_norm"
HANGS = """#include "01_layer_norm.h"
float row_mean(const float *x, int features)
{
    for (volatile int on = features; on;)
        ;
    return *x;
}
"""


def setUpModule():
    global COPY, TREE, SOLVED, WRONG
    COPY = WorkbookCopy()
    TREE = COPY.__enter__().path.resolve()
    shutil.copytree(TREE / "exercises", TREE / "build" / "stubs", dirs_exist_ok=True)
    SOLVED = COPY.read(f"solutions/{FIRST}.c")
    WRONG = SOLVED.replace("distance * distance", "distance * 1.000000")  # 2 of its 9 checks pass
    assert WRONG != SOLVED


def tearDownModule():
    COPY.__exit__(None, None, None)


def exercise(lesson=FIRST):
    return TREE / "exercises" / f"{lesson}.c"


def save(text, lesson=FIRST):
    exercise(lesson).write_text(text)


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"this never came: {what}")
        time.sleep(0.01)


def processes():
    """What runs in the copy, but for this test."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and os.readlink(entry / "cwd").startswith(str(TREE)):
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def checker_runs():
    return any(command.startswith("build/01_layer_norm/check") for command in processes())


def steady(text):
    """Without what differs from run to run."""
    return re.sub(r"\(\d+\.\d+ s, seed \d+\)", "(time)", text)


class Terminal:
    """A program on a terminal of its own, which this reads and types into."""

    def __init__(self, *command, columns=80, rows=24, **environment):
        self.ours, self.theirs = pty.openpty()
        self.resize(columns, rows)
        self.before = self.settings()
        unwanted = ("MAKEFLAGS", "MAKELEVEL", "VISUAL", "EDITOR", "NO_COLOR", "LANG", "LC_CTYPE")
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        self.program = subprocess.Popen(
            command, cwd=TREE, stdin=self.theirs, stdout=self.theirs, stderr=self.theirs,
            env={**kept, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment},
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.raw = b""

    def close(self):
        if self.program.poll() is None:
            os.killpg(self.program.pid, signal.SIGKILL)
            self.program.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def settings(self):
        return termios.tcgetattr(self.theirs)

    def resize(self, columns, rows):
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.ours, keys.encode())

    def kill(self, number):
        os.kill(self.program.pid, number)

    def read(self, seconds=0.0):
        if select.select([self.ours], [], [], seconds)[0]:
            self.raw += os.read(self.ours, 65536)
            return True
        return False

    def screens(self):
        """Every one so far, without colours; the first is what was there before the first clearing."""
        while self.read():
            pass
        texts = self.raw.decode(errors="replace").replace("\r\n", "\n").split(CLEAR.decode())
        return [re.sub(r"\033\[[0-9;]*m|[^\n]*\r\033\[K", "", text) for text in texts]

    def until(self, condition, what):
        """Waits for it to hold for the screen, and returns that."""
        end = time.monotonic() + PATIENCE
        while not condition(self.screens()[-1]):
            if time.monotonic() > end:
                raise AssertionError(f"{what} never came; the screen:\n{self.screens()[-1]}")
            self.read(0.05)
        return self.screens()[-1]

    def see(self, *parts):
        """Waits for these on a screen that is complete: its last line lists the keys."""
        return self.until(lambda text: all(part in text for part in parts)
                          and text.endswith((KEYS, NARROW_KEYS)), parts)

    def sees(self, part):
        return self.until(lambda text: part in text, part)

    def ended(self):
        """The exit code; a signal's number is negative."""
        end = time.monotonic() + PATIENCE
        while self.program.poll() is None and time.monotonic() < end:
            self.read(0.02)  # or the last words would not find room
        return self.program.wait(0)


class Watching(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(TREE / ".workbook", ignore_errors=True)
        shutil.copytree(TREE / "build" / "stubs", TREE / "exercises", dirs_exist_ok=True)

    def terminal(self, *command, **settings):
        terminal = Terminal(*command, **settings)
        self.addCleanup(terminal.close)
        return terminal

    def watch(self, *options, **settings):
        """Just started, with the first verdict on the screen."""
        watch = self.terminal("build/workbook", "watch", *options, **settings)
        watch.see("Running checks for Lesson")
        self.assertFalse(watch.settings()[3] & termios.ICANON)
        return watch

    def assert_given_back(self, terminal):
        self.assertEqual(terminal.settings(), terminal.before)

    def assert_nothing_runs(self):
        wait_until(lambda: not processes(), f"the end of {processes()}")

    def quit(self, watch):
        watch.type("q")
        self.assertEqual(watch.ended(), 0)
        self.assert_given_back(watch)
        self.assert_nothing_runs()


def in_place(path, text):
    with path.open("r+") as file:
        file.write(text)
        file.truncate()


def truncated_and_slowly(path, text):
    with path.open("w") as file:
        for i in range(0, len(text), len(text) // 4):
            time.sleep(0.03)
            file.write(text[i:i + len(text) // 4])
            file.flush()


def renamed_over(path, text):
    new = path.with_suffix(".tmp")
    new.write_text(text)
    new.rename(path)


def unlinked_and_made_anew(path, text):
    path.unlink()
    time.sleep(0.02)
    path.write_text(text)


def as_vim_does(path, text):
    """With 'backup' and 'backupcopy=no': a swap file beside it, the old file renamed, a new one."""
    swap = path.with_name(f".{path.name}.swp")
    backup = path.with_name(f"{path.name}~")
    swap.write_bytes(b"b0VIM")
    path.rename(backup)
    time.sleep(0.01)
    with path.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    swap.unlink()
    backup.unlink()


def as_vim_itself(path, text):
    new = path.parent.parent / "build" / "typed.c"
    new.write_text(text)
    subprocess.run(["vim", "-Nu", "NONE", "-es", "-c", "%d", "-c", f"silent r {new}", "-c", "1d",
                    "-c", "wq", str(path)], stdin=subprocess.DEVNULL, check=True, timeout=60)


class Saving(Watching):
    WAYS = [in_place, truncated_and_slowly, renamed_over, unlinked_and_made_anew, as_vim_does]

    def test_every_way_of_saving_is_seen(self):
        watch = self.watch()
        for way in self.WAYS + ([as_vim_itself] if shutil.which("vim") else []):
            with self.subTest(way.__name__):
                way(exercise(), WRONG)
                watch.see("2 passed, 2 failed")
                way(exercise(), SOLVED)
                watch.see("9 passed, 0 failed")
        self.quit(watch)

    def test_a_save_of_the_same_size_is_seen_by_its_nanoseconds(self):
        save(WRONG)
        long_ago = 1_700_000_000_000_000_000
        os.utime(exercise(), ns=(long_ago, long_ago))
        watch = self.watch()
        watch.see("2 passed, 2 failed")
        time.sleep(3.2)  # from then on only the file's time, size and inode are looked at
        watch.kill(signal.SIGSTOP)
        in_place(exercise(), SOLVED)
        self.assertEqual(len(SOLVED), len(WRONG))
        os.utime(exercise(), ns=(long_ago, long_ago + 1))
        watch.kill(signal.SIGCONT)
        watch.see("9 passed, 0 failed")

    def test_two_saves_of_the_same_size_within_one_tick_of_the_clock_are_two(self):
        watch = self.watch()
        save(WRONG)
        watch.see("2 passed, 2 failed")
        at = exercise().stat().st_mtime_ns
        watch.kill(signal.SIGSTOP)
        in_place(exercise(), SOLVED)
        os.utime(exercise(), ns=(at, at))
        watch.kill(signal.SIGCONT)
        watch.see("9 passed, 0 failed")

    def test_a_save_that_changes_nothing_is_checked_too(self):
        save(WRONG)
        watch = self.watch()
        count = len(watch.screens())
        save(WRONG)
        watch.see("2 passed, 2 failed", "The same checks pass as before.")
        self.assertEqual(len(watch.screens()), count + 1)

    def test_a_burst_of_20_saves_gives_one_verdict_on_the_last(self):
        watch = self.watch()
        for _ in range(20):  # until the machine lets 20 saves through in one go
            count = len(watch.screens())
            began = time.monotonic()
            for i in range(19):
                save(f"{WRONG}/* save {i} */\n")
            save(SOLVED)
            if time.monotonic() - began < 0.03:
                break
            watch.see("9 passed, 0 failed")
            time.sleep(0.5)
        watch.see("9 passed, 0 failed")
        time.sleep(0.5)
        self.assertEqual(len(watch.screens()), count + 1)
        self.assertNotIn("2 passed, 2 failed", watch.screens()[-1])

    def test_a_save_during_a_check_is_never_missed(self):
        watch = self.watch("--limit", "60")
        save(HANGS)
        wait_until(checker_runs, "the check that hangs")
        watch.see("Checking lesson 01 ...")
        save(SOLVED)
        watch.see("9 passed, 0 failed")
        for i in range(12):  # at all the moments of a check
            save(WRONG)
            time.sleep(0.012 * i)
            save(SOLVED)
            watch.see("9 passed, 0 failed")
            save(f"{WRONG}\n")
            watch.see("2 passed, 2 failed")
        self.quit(watch)

    def test_a_file_that_is_gone_is_said_to_be_and_its_return_is_seen(self):
        save(SOLVED)
        watch = self.watch()
        exercise().unlink()
        watch.see("It compiled the last time.")
        self.assertIn(COPY.make("check", LESSON="01").stdout.splitlines()[2], watch.screens()[-1])
        save(SOLVED)
        watch.see("9 passed, 0 failed", "It compiles now.")
        self.quit(watch)

    def test_a_missing_file_at_the_start_is_no_obstacle(self):
        exercise().unlink()
        watch = self.watch()
        save(SOLVED)
        watch.see("9 passed, 0 failed")

    def test_saving_another_lesson_switches_to_it(self):
        watch = self.watch()
        save(COPY.read("solutions/03_rms_norm.c"), "03_rms_norm")
        watch.see("Lesson 03: RMS Normalization", "Lesson 03 is passed.")
        save(WRONG)
        watch.see("Lesson 01: Layer Normalization", "2 passed, 2 failed")
        exercise("02_backward").unlink()  # which is no editing
        save(SOLVED)
        watch.see("Lesson 01 is passed.")
        for lesson in lesson_files.names():  # git does so: the one that is worked on stays
            save(COPY.read(f"solutions/{lesson}.c"), lesson)
        watch.see("9 passed, 0 failed")


class Showing(Watching):
    def test_the_lines_are_those_of_make_check(self):
        warns = SOLVED.replace("float sum = 0.0f;", "float sum = 0.0f; int unused;", 1)
        prints = WRONG.replace("float sum = 0.0f;", 'float sum = 0.0f; printf("here\\n");', 1)
        crashes = SOLVED.replace("float sum = 0.0f;", "float sum = x[features];", 1)
        texts = {"a stub": COPY.read(f"build/stubs/{FIRST}.c"), "all right": SOLVED,
                 "wrong": WRONG, "no C at all": "no C\n", "a warning": warns,
                 "a crash": crashes, "printing": f"#include <stdio.h>\n{prints}"}
        watch = self.watch("--seed", "5")
        for what, text in texts.items():
            with self.subTest(what):
                save(f"{text}\n" if what != "a stub" else text)
                wanted = COPY.make("check", LESSON="01", SEED="5", env={"TERM": "xterm"}).stdout
                shown = watch.until(lambda text, wanted=wanted: steady(text).startswith(
                    steady(wanted)) and text.endswith(KEYS), wanted)
                rest = steady(shown)[len(steady(wanted)):-len(KEYS)].strip()
                self.assertLessEqual(rest.count("\n"), 2, rest)

    def test_what_changed_is_said_of_every_step(self):
        no_mean = SOLVED.replace("return sum / (float)features;", "return sum;", 1)
        only_mean = WRONG.replace("(row[j] - mean)", "(row[j] + mean)")
        watch = self.watch()
        save(WRONG)
        watch.see("\n2 more pass.\n")
        save(SOLVED)
        watch.see("\n7 more pass.\n")
        save(SOLVED.replace("gamma[j] *", "gamma[0] *"))
        watch.see("\nlayer_norm broke again.\n")
        save(SOLVED)
        watch.see("\n4 more pass.\n")
        save(no_mean)
        self.assertRegex(watch.see("broke again."), r"\nrow_mean(, row_variance)? and layer_norm"
                                                    r" broke again\.\n")
        save(only_mean)
        text = watch.see("2 more pass.")
        self.assertIn("row_variance broke again.\n", text)
        save(f"{only_mean}\n")
        watch.see("\nThe same checks pass as before.\n")
        self.quit(watch)

    def test_a_step_that_was_not_whole_does_not_break_but_passes_less(self):
        large = SOLVED.replace("+ beta[j]", "+ beta[j] + (features > 500)")  # in the last check only
        self.assertNotEqual(large, SOLVED)
        watch = self.watch()
        save(large)
        watch.see("\n8 more pass.\n")
        save(large.replace("+ beta[j]", "+ beta[0]"))
        self.assertNotIn("broke", watch.see("\n3 fewer pass.\n"))
        save(large)
        watch.see("\n3 more pass.\n")
        save(SOLVED)
        watch.see("\n1 more passes.\n", "Lesson 01 is passed.")

    def test_a_compile_error_is_compared_with_what_was_before_it(self):
        watch = self.watch()
        save(SOLVED)
        watch.see("9 more pass.")
        save(SOLVED.replace("sum += x[j];", "sum += x[j]"))
        watch.see("error:", "It does not compile", "\nIt compiled the last time.\n")
        save(SOLVED.replace("gamma[j] *", "gamma[0] *"))
        watch.see("\nIt compiles now.\nlayer_norm broke again.\n")

    def test_a_lesson_that_is_passed_is_marked_and_stays_until_n(self):
        watch = self.watch()
        save(SOLVED)
        watch.see("\n✅ Lesson 01 is passed. n goes on to the next.\n")
        time.sleep(1)
        self.assertIn("Lesson 01 is passed.", watch.see("9 passed"))
        watch.type("n")
        watch.see("Lesson 02: The Backward Pass", "still the stub")
        self.quit(watch)

    def test_40_columns_hold_the_keys_in_one_line(self):
        watch = self.watch(columns=40, rows=15)
        for key in "hl":
            watch.type(key)
        text = watch.see("02  The Backward")
        self.assertEqual(text.split("\n")[-1], NARROW_KEYS)
        self.assertLess(len(NARROW_KEYS), 40)

    def test_another_size_draws_the_screen_anew(self):
        watch = self.watch()
        count = len(watch.screens())
        watch.resize(40, 15)
        watch.until(lambda text: text.endswith(NARROW_KEYS), "the narrow list of keys")
        watch.resize(100, 50)
        watch.see(KEYS)
        self.assertEqual(len(watch.screens()), count + 2)
        watch.type("h")
        watch.see("Hint 1 of 3")
        watch.resize(80, 24)
        watch.type("l")
        watch.see("Hint 1 of 3", "02  The Backward Pass")  # a hint is not wiped away

    def test_a_plain_locale_gets_ascii(self):
        watch = self.watch(LC_ALL="C")
        save(WRONG)
        watch.see("2 more pass")
        save(SOLVED)
        watch.see("\nok   Lesson 01 is passed. n goes on to the next.\n")
        watch.type("hl")
        watch.see("02  The Backward Pass")
        self.assertTrue(watch.raw.isascii(), watch.raw)

    def test_a_dumb_terminal_gets_no_sequences(self):
        watch = self.watch(TERM="dumb")
        save(SOLVED)
        watch.see("9 passed, 0 failed")
        watch.type("h")
        watch.see("nothing to hint at")
        self.assertNotIn(b"\033", watch.raw)

    def test_what_the_checker_says_beside_its_report_is_not_wiped_away(self):
        (TREE / ".workbook").write_text("a file in the way")
        try:
            watch = self.watch()
            save(SOLVED)
            watch.see("9 passed, 0 failed", "Your progress could not be saved")
        finally:
            (TREE / ".workbook").unlink()


class Keys(Watching):
    def test_r_checks_again(self):
        watch = self.watch()
        count = len(watch.screens())
        watch.type("r")
        wait_until(lambda: len(watch.screens()) == count + 1, "another screen")
        watch.see("still the stub")

    def test_h_gives_one_hint_after_the_other_for_the_step_that_fails(self):
        watch = self.watch()
        save(WRONG)
        watch.see("2 passed, 2 failed")
        watch.type("h")
        watch.see("2 passed, 2 failed", "Hint 1 of 3 for row_variance")
        watch.type("h")
        watch.see("Hint 2 of 3 for row_variance")
        save(SOLVED)
        watch.see("9 passed")
        watch.type("h")
        watch.see("nothing to hint at")

    def test_l_lists_the_lessons(self):
        save(SOLVED)
        watch = self.watch()
        watch.type("l")
        text = watch.see("05  Batch Normalization")
        self.assertRegex(text, r"✅ 01  Layer Normalization +passed \d{4}")

    def test_keys_pressed_during_a_check_are_answered_after_it(self):
        watch = self.watch("--limit", "0.5")
        save(HANGS)
        wait_until(checker_runs, "the check that hangs")
        watch.type("h")
        text = watch.see("Hint 1 of 3 for row_mean", "still running after 0.5 s")
        self.assertLess(text.index("still running"), text.index("Hint 1 of 3"))

    def test_e_opens_the_editor_and_its_save_is_seen(self):
        script = TREE / "build" / "editor.sh"
        script.write_text('stty -a >build/tty\necho "$@" >build/arguments\n'
                          f'cp solutions/{FIRST}.c "$2"\n')
        watch = self.watch(EDITOR=f"sh {script} -w")
        watch.type("e")
        watch.see("9 passed, 0 failed")
        self.assertEqual(COPY.read("build/arguments"), f"-w exercises/{FIRST}.c\n")
        settings = COPY.read("build/tty").split()
        self.assertTrue({"icanon", "echo"} <= {word.strip(";") for word in settings}, settings)
        watch.type("n")  # the keys are back
        watch.see("Lesson 02")
        self.quit(watch)

    def test_e_prefers_visual_and_survives_an_editor_that_is_not_there(self):
        watch = self.watch(VISUAL="no-such-editor", EDITOR="true")
        watch.type("e")
        watch.see("The editor ended with code 127.")
        self.quit(watch)

    def test_e_without_an_editor_says_how_to_name_one(self):
        watch = self.watch(EDITOR="")
        watch.type("e")
        watch.see("export EDITOR=nano")

    def test_n_stays_where_the_lesson_is_not_passed(self):
        watch = self.watch()
        watch.type("n")
        watch.see("Lesson 01 is not passed. To work on another", "still the stub")

    def test_n_checks_everything_again_before_it_says_all_done(self):
        for lesson in lesson_files.names():
            save(COPY.read(f"solutions/{lesson}.c"), lesson)
        self.assertEqual(COPY.make("check-all").returncode, 0)
        watch = self.watch()
        watch.see("9 passed", "It was the last one: n checks them all once more.")
        watch.type("n")
        watch.see("All of them once more", "5 of 5 lessons passed", "All done.")
        self.quit(watch)
        save(COPY.read("solutions/03_rms_norm.c").replace("sqrtf", "fabsf"), "03_rms_norm")
        watch = self.watch("--lesson", "01")
        watch.type("n")
        text = watch.see("4 of 5 lessons passed", "Lesson 03 does not pass any more: r shows why.")
        self.assertNotIn("All done", text)
        watch.type("r")
        watch.see("Lesson 03: RMS", "0 passed")
        watch.type("n")
        watch.see("Lesson 03 is not passed.")
        save(COPY.read("solutions/03_rms_norm.c"), "03_rms_norm")
        watch.see("\n9 more pass.\n", "It was the last one")
        self.quit(watch)

    def test_unknown_keys_do_nothing(self):
        watch = self.watch()
        before = watch.raw
        for keys in ("x", "Q", "N", " ", "\t", "\r", "1", "\x7f", "é", "\0", "\033", "\033q",
                     "\033[A", "\033[3~", "\033OP", "\033[1;5C"):
            watch.type(keys)
            time.sleep(0.03)
        watch.type("l")
        text = watch.see("05  Batch Normalization")
        self.assertIn("still the stub", text)
        self.assertTrue(watch.raw.startswith(before))
        self.assertEqual(watch.raw.count(CLEAR), before.count(CLEAR))

    def test_options_that_mean_nothing_here_are_named(self):
        for option, value in (("STEP", "row_mean"), ("IMPL", "solutions"), ("FORMAT", "json")):
            run = COPY.make("watch", **{option: value})
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("watch takes LESSON, SEED and LIMIT", run.stderr)
        self.assertIn('no lesson "77"', COPY.make("watch", LESSON="77").stderr)


class Leaving(Watching):
    SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV,
               signal.SIGABRT, signal.SIGUSR1)

    def test_every_signal_gives_the_terminal_back_and_leaves_nothing_running(self):
        for number in self.SIGNALS:
            with self.subTest(number.name):
                watch = self.watch()
                watch.kill(number)
                self.assertEqual(watch.ended(), -number)
                self.assert_given_back(watch)
                self.assert_nothing_runs()

    def test_a_check_that_hangs_ends_with_the_watch(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, None):
            with self.subTest(number or "q"):
                save("")
                watch = self.watch("--limit", "60")
                save(HANGS)
                watch.see("Checking lesson 01 ...")
                wait_until(checker_runs, "the check that hangs")
                if number:
                    watch.kill(number)
                    self.assertEqual(watch.ended(), -number)
                else:
                    watch.type("q")
                    self.assertEqual(watch.ended(), 0)
                self.assert_given_back(watch)
                self.assert_nothing_runs()

    def test_under_make_ctrl_c_and_a_kill_of_make_leave_nothing(self):
        for what in ("\x03", "\x04", signal.SIGTERM, "q"):
            with self.subTest(repr(what)):
                watch = self.terminal("make", "-s", "watch", "LESSON=01")
                watch.see("still the stub")
                if isinstance(what, str):
                    watch.type(what)
                else:
                    watch.kill(what)
                code = watch.ended()
                self.assertEqual(code == 0, what in ("q", "\x04"))
                wait_until(lambda: not processes(), "the end of all")
                self.assert_given_back(watch)

    def test_a_terminal_that_goes_away_ends_it(self):
        watch = self.watch()
        os.close(watch.theirs)
        os.close(watch.ours)
        watch.ours, watch.theirs = pty.openpty()
        self.assertNotEqual(watch.program.wait(PATIENCE), None)
        self.assert_nothing_runs()

    def test_ctrl_z_gives_the_terminal_back_until_fg(self):
        if not shutil.which("bash"):
            self.skipTest("bash is not installed")
        shell = self.terminal("bash", "--norc", "--noprofile", "-i", PS1="$ ")
        shell.sees("$ ")
        for i, command in enumerate(("make -s watch", "build/workbook watch")):
            with self.subTest(command):
                shell.type(f"stty -a >build/before; {command}\n")
                shell.see("still the stub")
                for k in range(2):
                    shell.type("\x1a")
                    shell.sees("Stopped")
                    shell.type(f"stty -a >build/stopped; cp build/stopped build/seen.{i}.{k}\n")
                    wait_until((TREE / f"build/seen.{i}.{k}").exists, "the shell's answer")
                    self.assertEqual(COPY.read("build/stopped"), COPY.read("build/before"))
                    count = len(shell.screens())
                    shell.type("fg\n")
                    wait_until(lambda count=count: len(shell.screens()) > count, "the screen again")
                    shell.see("still the stub")
                    shell.type("h")  # the keys need no Enter, once more
                    shell.see("Hint ")
                    count = len(shell.screens())
                    shell.type("r")
                    wait_until(lambda count=count: len(shell.screens()) > count, "the next screen")
                    shell.see("still the stub")
                save(SOLVED)
                shell.see("9 passed")
                shell.type("q")
                shell.until(lambda text: text.endswith("$ "), "the shell")
                shell.type(f"stty -a >build/after; echo done.$((1 + {i}))\n")
                shell.sees(f"done.{1 + i}\n")
                self.assertEqual(COPY.read("build/after"), COPY.read("build/before"))
                self.setUp()
        shell.type("exit\n")
        shell.ended()
        self.assert_nothing_runs()

    def test_ctrl_z_where_nobody_could_continue_it_changes_nothing(self):
        watch = self.watch()
        count = len(watch.screens())
        watch.type("\x1a")
        wait_until(lambda: len(watch.screens()) > count, "the screen again")
        watch.type("l")
        watch.see("05  Batch Normalization")
        self.quit(watch)

    def test_a_check_that_was_stopped_halfway_is_made_again(self):
        watch = self.watch("--limit", "60")
        save(HANGS)
        watch.see("Checking lesson 01 ...")
        watch.kill(signal.SIGSTOP)
        watch.kill(signal.SIGCONT)
        save(SOLVED)
        watch.see("9 passed, 0 failed")
        self.quit(watch)

    def test_at_the_prompt_it_leaves_the_prompt_as_it_was(self):
        prompt = self.terminal("build/workbook", "start")
        prompt.sees("01 layer_norm")
        for key in ("q", "\x03"):
            prompt.type("watch\r")
            prompt.see("still the stub")
            prompt.type(key)
            prompt.until(lambda text: "01 layer_norm" in text.split(KEYS)[-1], "the prompt again")
        prompt.type("quit\r")
        self.assertEqual(prompt.ended(), 0)
        self.assert_given_back(prompt)
        self.assert_nothing_runs()


class WithoutATerminal(Watching):
    def start(self):
        log = (TREE / "build" / "log").open("w")
        watch = subprocess.Popen(["make", "-s", "watch"], cwd=TREE, stdin=subprocess.DEVNULL,
                                 stdout=log, stderr=log, start_new_session=True,
                                 env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"})
        self.addCleanup(log.close)
        self.addCleanup(watch.wait)
        self.addCleanup(lambda: watch.poll() is None and os.killpg(watch.pid, signal.SIGKILL))
        return watch

    def see(self, text):
        wait_until(lambda: text in COPY.read("build/log"), text)

    def test_it_still_checks_on_save_in_plain_lines_until_it_is_told_to_end(self):
        watch = self.start()
        self.see("still the stub")
        save(SOLVED)
        self.see("Lesson 01 is passed.\n")
        save(WRONG)
        self.see("row_variance and layer_norm broke again.\n")
        watch.terminate()
        self.assertNotEqual(watch.wait(PATIENCE), 0)
        self.assert_nothing_runs()
        self.assertNotIn("\033", COPY.read("build/log"))
        self.assertNotIn("n next", COPY.read("build/log"))
        self.assertNotIn("n goes on", COPY.read("build/log"))

    def test_its_end_is_the_end_of_a_check_that_hangs(self):
        save(HANGS)
        watch = subprocess.Popen(["build/workbook", "watch", "--limit", "60"], cwd=TREE,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_until(checker_runs, "the check that hangs")
        watch.terminate()
        self.assertEqual(watch.wait(PATIENCE), -signal.SIGTERM)
        self.assert_nothing_runs()


if __name__ == "__main__":
    unittest.main()
