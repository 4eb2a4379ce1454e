"""make watch: every key, every way out, and no terminal at all.

All of it happens in one copy of the tree; every test starts with the stubs and without progress.
"""

import os
import pty
import shutil
import signal
import subprocess
import time
import unittest

import lesson_files
import watching
from watching import (CLEAR, COPY, FIRST, HANGS, KEYS, PATIENCE, SOLVED, WRONG, Watching,
                      checker_runs, processes, save, wait_until)


def setUpModule():
    watching.begin()


def tearDownModule():
    watching.end()


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
        watch.see("2 passed, 2 failed", "Hint 1 of 1 on your own row_variance", "  | sum += distance * 1.000000;")
        watch.type("h")
        watch.see("Hint 1 of 3 for row_variance")
        watch.type("h")
        watch.see("Hint 2 of 3 for row_variance")
        save(SOLVED.replace("x[j] - mean;", "x[j] + mean;"))
        watch.see("The same checks pass as before.")
        watch.type("h")
        self.assertNotIn("x[j] - mean", watch.see("Hint 1 of 2 on your own row_variance", "Again for the change."))
        watch.type("h")
        watch.see("Hint 2 of 2 on your own row_variance", "would be\n  | float distance = x[j] - mean;\n")
        save(SOLVED)
        watch.see("9 passed")
        watch.type("h")
        watch.see("nothing to hint at")

    def test_w_shows_what_is_said_of_it_without_a_pager_that_would_take_the_keys(self):
        watch = self.watch(PAGER="sleep 60; cat")
        save(WRONG)
        watch.see("2 passed, 2 failed")
        watch.type("w")
        watch.see("2 passed, 2 failed", "line 22: a number is not the right one", "1.5 and not 0.9")
        save(SOLVED)
        watch.see("9 passed")
        watch.type("w")
        watch.see("there is nothing to explain")
        self.quit(watch)

    def test_f_races_and_says_where_there_is_no_race(self):
        save(WRONG)
        watch = self.watch()
        watch.see("2 passed, 2 failed")
        watch.type("f")
        watch.see("layer_norm is wrong on 1 x 768, so there is no race")
        watch.type("r")
        watch.see("2 passed, 2 failed")
        self.quit(watch)
        watch = self.watch(LESSON="05")
        watch.type("f")
        watch.see("Lesson 05_batch_norm has no race. These have: 01 02")
        self.quit(watch)

    def test_m_lists_the_lessons(self):
        save(SOLVED)
        watch = self.watch()
        watch.type("m")
        text = watch.see("05  Batch Normalization")
        self.assertRegex(text, r"✅ 01  Layer Normalization +passed \d{4}")

    def test_keys_pressed_during_a_check_are_answered_after_it(self):
        watch = self.watch(LIMIT="0.5")
        save(HANGS)
        wait_until(checker_runs, "the check that hangs")
        watch.type("h")
        text = watch.see("Hint 1 of 3 for row_mean", "still running after 0.5 s")
        self.assertLess(text.index("still running"), text.index("Hint 1 of 3"))

    def test_e_opens_the_editor_and_its_save_is_seen(self):
        script = COPY.path / "build" / "editor.sh"
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

    def test_n_goes_on_from_a_lesson_that_is_not_passed_as_next_does(self):
        watch = self.watch()
        watch.type("n")
        watch.see("Running checks for Lesson 02", "still the stub")

    def test_after_the_core_lessons_n_takes_the_first_and_the_others_are_said(self):
        core = lesson_files.names()[:5]
        for lesson in core:
            save(COPY.read(f"solutions/{lesson}.c"), lesson)
            self.assertEqual(COPY.make("check", LESSON=lesson).returncode, 0)
        watch = self.watch(LESSON="05")
        text = watch.see("Lesson 05 is passed. n goes on to 06.\nReady as well, by saving its file: 07, 08, ", "and")
        self.assertIn(f"file: {lesson_files.numbers('07')}.", " ".join(text.split()))
        watch.type("n")
        self.assertNotIn("Ready", watch.see("Running checks for Lesson 06"))
        save(COPY.read("solutions/08_shapes.c"), "08_shapes")
        watch.see("Lesson 08 is passed. n goes on to 09.\n", "file: 06, 07, 10, ")
        self.quit(watch)

    def test_no_number_of_the_others_is_broken_in_any_width(self):
        core = lesson_files.names()[:5]
        for lesson in core:
            save(COPY.read(f"solutions/{lesson}.c"), lesson)
            self.assertEqual(COPY.make("check", LESSON=lesson).returncode, 0)
        for columns in (40, 61, 80):
            watch = self.watch(LESSON="05", columns=columns, rows=50)
            text = watch.see("Lesson 05 is passed.", "Ready as well", ".\n")
            lines = text[text.index("Ready as well"):].splitlines()
            with self.subTest(columns=columns):
                self.assertEqual([line for line in lines if len(line) >= columns], [])
                self.assertIn(f"file: {lesson_files.numbers('07')}.", " ".join(" ".join(lines).split()))
            self.quit(watch)

    def test_n_checks_everything_again_before_it_says_all_done(self):
        for lesson in lesson_files.names():
            save(COPY.read(f"solutions/{lesson}.c"), lesson)
        self.assertEqual(COPY.make("check-all").returncode, 0)
        watch = self.watch()
        watch.see("9 passed", "It was the last one: n checks them all once more.")
        watch.type("n")
        watch.see("All of them once more", lesson_files.all_passed(), "All done.")
        self.quit(watch)
        save(COPY.read("solutions/03_rms_norm.c").replace("sqrtf", "fabsf"), "03_rms_norm")
        watch = self.watch(LESSON="01")
        watch.type("n")
        text = watch.see(lesson_files.passed(len(lesson_files.names()) - 1), "Lesson 03 does not pass any more: r shows why.")
        self.assertNotIn("All done", text)
        watch.type("r")
        watch.see("\n❌ rms_norm matches PyTorch", "0 passed, 2 failed")
        watch.type("n")
        watch.see("This is the only lesson left.")
        save(COPY.read("solutions/03_rms_norm.c"), "03_rms_norm")
        watch.see("\n9 more pass.\n", "It was the last one")
        self.quit(watch)

    @staticmethod
    def listed(watch):
        """A key that comes at once behind ESC is taken for a part of its sequence, and is typed again."""
        watch.type("m")
        watch.read(1)
        return "05  Batch Normalization" in watch.screens()[-1]

    def test_unknown_keys_do_nothing(self):
        watch = self.watch()
        before = watch.raw
        for keys in ("x", "Q", "N", " ", "\t", "\r", "1", "\x7f", "é", "\0", "\033", "\033q",
                     "\033[A", "\033[3~", "\033OP", "\033[1;5C"):
            watch.type(keys)
            time.sleep(0.03)
        wait_until(lambda: self.listed(watch), "the list")
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
                watch = self.watch(LIMIT="60")
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
                    wait_until((COPY.path / f"build/seen.{i}.{k}").exists, "the shell's answer")
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
        watch.type("m")
        watch.see("05  Batch Normalization")
        self.quit(watch)

    def test_a_check_that_was_stopped_halfway_is_made_again(self):
        watch = self.watch(LIMIT="60")
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
        log = (COPY.path / "build" / "log").open("w")
        watch = subprocess.Popen(["make", "-s", "watch"], cwd=COPY.path, stdin=subprocess.DEVNULL,
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
        watch = subprocess.Popen(["build/workbook", "watch"], cwd=COPY.path,
                                 env={**os.environ, "LIMIT": "60"},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_until(checker_runs, "the check that hangs")
        watch.terminate()
        self.assertEqual(watch.wait(PATIENCE), -signal.SIGTERM)
        self.assert_nothing_runs()


if __name__ == "__main__":
    unittest.main()
