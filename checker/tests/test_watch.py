"""make watch: every way of saving is seen, and what is shown of it.

All of it happens in one copy of the tree; every test starts with the stubs and without progress.
"""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import lesson_files
import watching
from watching import (COPY, FIRST, HANGS, KEYS, NARROW_KEYS, SOLVED, WRONG, Watching, checker_runs,
                      exercise, save, steady, wait_until)


def setUpModule():
    watching.begin()


def tearDownModule():
    watching.end()


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
                    "-c", "wq", str(path)], stdin=subprocess.DEVNULL, check=True, timeout=1800)


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
        watch = self.watch(LIMIT="600")
        count = len(watch.screens())
        for i in range(19):  # none of which would have a verdict within 600 s
            save(f"{HANGS}/* save {i} */\n")
        save(SOLVED)
        watch.see("9 passed, 0 failed")
        time.sleep(0.5)
        self.assertEqual(len(watch.screens()), count + 1)

    def test_a_save_during_a_check_is_never_missed(self):
        watch = self.watch(LIMIT="60")
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

    def test_a_file_that_an_editor_takes_away_for_a_moment_is_not_graded_then(self):
        watch = self.watch()
        for _ in range(50):
            save(WRONG)
            watch.see("2 passed, 2 failed")
            count = len(watch.screens())
            began = time.monotonic()
            exercise().unlink()
            time.sleep(0.05)
            save("")
            time.sleep(0.05)
            save(SOLVED)
            took = time.monotonic() - began
            watch.see("9 passed, 0 failed")
            if took < 0.25:
                self.assertEqual(len(watch.screens()), count + 1)
                return
        self.skipTest("this machine is too busy to take a file away for a moment only")

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


def of_any_place(text):
    """Without the lines that tell what to type, which is something else in a shell."""
    return re.sub(r"(?m)^(For a hint: |Next: |     To see it at work|✅ Lesson 01 is passed).*\n|\n+$", "",
                  re.sub(r"\n\n+", "\n", steady(text)))


class Showing(Watching):
    def test_the_lines_are_those_of_make_check(self):
        warns = SOLVED.replace("float sum = 0.0f;", "float sum = 0.0f; int unused;", 1)
        prints = WRONG.replace("float sum = 0.0f;", 'float sum = 0.0f; printf("here\\n");', 1)
        crashes = SOLVED.replace("float sum = 0.0f;", "float sum = x[features];", 1)
        texts = {"a stub": COPY.read(f"build/stubs/{FIRST}.c"), "all right": SOLVED,
                 "wrong": WRONG, "no C at all": "no C\n", "a warning": warns,
                 "a crash": crashes, "printing": f"#include <stdio.h>\n{prints}"}
        watch = self.watch(SEED="5", columns=200)  # nothing is wrapped
        for what, text in texts.items():
            with self.subTest(what):
                count = len(watch.screens())
                save(f"{text}\n" if what != "a stub" else text)
                wanted = COPY.make("check", LESSON="01", SEED="5", env={"TERM": "xterm"}).stdout
                wanted = of_any_place(wanted)
                watch.until(lambda text, count=count: len(watch.screens()) > count and text.endswith(KEYS), what)
                watch.type("l")
                shown = watch.until(lambda text, wanted=wanted: of_any_place(text).startswith(wanted)
                                    and text.endswith(KEYS), wanted)
                rest = of_any_place(shown)[len(wanted):-len(KEYS)].strip()
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
        large = SOLVED.replace("+ beta[j]", "+ beta[j] + (features > 500)")  # 1 check less
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
        for key in "hm":
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
        watch.type("m")
        watch.see("Hint 1 of 3", "02  The Backward Pass")  # a hint is not wiped away

    def test_a_plain_locale_gets_ascii(self):
        watch = self.watch(LC_ALL="C")
        save(WRONG)
        watch.see("2 more pass")
        save(SOLVED)
        watch.see("\nok   Lesson 01 is passed. n goes on to the next.\n")
        watch.type("hm")
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
        (COPY.path / ".workbook").write_text("a file in the way")
        try:
            watch = self.watch()
            save(SOLVED)
            watch.see("9 passed, 0 failed", "Your progress could not be saved")
        finally:
            (COPY.path / ".workbook").unlink()


if __name__ == "__main__":
    unittest.main()
