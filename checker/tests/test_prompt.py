"""make start, used without a terminal: every command, and what is remembered."""

import re
import shutil

import lesson_files
import prompt_copy
from prompt_copy import TREE, Test, make, pipe, steady


def setUpModule():
    prompt_copy.set_up()


class InAPipe(Test):
    def test_nothing_typed_gives_the_map_and_the_next_step(self):
        for result in (make("start"), make("start", typed=""), make("start", typed="\n \n")):
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            lines = result.stdout.splitlines()
            self.assertEqual(lines[len(lesson_files.names())], "")
            self.assertRegex(lines[0], "01  Layer Normalization +ready, and you are here")
            self.assertIn("Next: read lessons/01_layer_norm.md", lines[-1])

    def test_check_prints_what_make_check_prints(self):
        self.solve("01_layer_norm")
        here, there = pipe("check 01"), make("check", "LESSON=01")
        here_text, here_next = steady(here.stdout).split("\n\nYou know now: ")
        there_text, there_next = steady(there.stdout).split("\n\nYou know now: ")
        self.assertEqual(here_text, there_text)
        self.assertTrue(here_next.endswith("Lesson 01 is passed. Next: type `next`.\n"), here_next)
        self.assertTrue(there_next.endswith("Lesson 01 is passed. Next: read lessons/02_backward.md\n"))
        self.assertEqual((here.returncode, there.returncode), (0, 0))

    def test_the_exit_code_is_that_of_the_last_command(self):
        for lines, code in ((["check 01"], 2), (["check 01", "lessons"], 0), (["lessons", "chekc"], 2),
                            (["check 01", "quit"], 2), (["lessons", "quit", "check 01"], 0)):
            with self.subTest(lines=lines):
                self.assertEqual(pipe(*lines).returncode, code)

    def test_every_command_has_its_line_of_help(self):
        table = pipe("help").stdout.partition("Any beginning that fits")[0]
        listed = [line.split()[0] for line in table.splitlines()]
        self.assertEqual(sorted(listed), sorted(
            "lessons go next read edit check watch hint diff solution reset lab race try debug progress "
            "why book help quit /".split()))
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

    def test_a_beginning_that_fits_two_lessons_is_none(self):
        result = pipe("go b")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn('go takes LESSON, not "b".', result.stderr)
        self.assertIn("Lesson 05", pipe("go bat").stdout)
        self.assertIn("Lesson 02", pipe("go bac").stdout)

    def test_a_function_of_the_lesson_comes_before_a_lesson_of_its_name(self):
        self.solve("01_layer_norm")
        text = pipe("check layer_norm").stdout
        self.assertIn("layer_norm matches PyTorch", text)
        self.assertNotIn("row_mean", text)

    def test_next_chooses_the_next_that_is_not_passed_from_where_one_is(self):
        self.solve("01_layer_norm", "03_rms_norm")
        self.assertEqual(make("check", "LESSON=01").returncode, 0)
        self.assertEqual(make("check", "LESSON=03").returncode, 0)
        last = lesson_files.names()[-1][:2]
        for at, then in (("01", "02"), ("02", "04"), ("04", "05"), (last, "02"), ("03", "04")):
            with self.subTest(at=at):
                places = re.findall(r"^Lesson (\d\d), ", pipe(f"go {at}", "next").stdout, re.MULTILINE)
                self.assertEqual(places, [at, then])
        pipe("go 03")  # which is passed, so the next start is at the first that is not
        self.assertIn("Lesson 02: The Backward Pass", make("check").stdout)

    def test_the_core_lessons_follow_each_other_and_then_there_is_a_choice(self):
        core = lesson_files.names()[:5]
        self.solve(*core)
        for done, lesson in enumerate(core, 1):
            pipe(f"check {lesson}")
            said = pipe(f"go {lesson}", "next").stdout
            if done < len(core):
                self.assertNotIn("Ready", said)
                self.assertIn(f"Lesson 0{done + 1}, ", said)
        others = lesson_files.numbers("07")
        self.assertEqual(said.count(f"Ready as well: {others} (`next 07`)."), 2)
        self.assertIn("Next: type `next`, for 06.\n", said)
        self.assertIn("Lesson 06, The Module: not begun.\n", said)
        self.assertIn("Lesson 08, Shapes: not begun.\n", pipe("next 08").stdout)
        self.assertIn("\nTo take one of these: make check LESSON=06\n", make("start").stdout)

    def test_the_map_shows_which_lesson_needs_which_and_what_is_ready(self):
        lines = pipe("lessons").stdout.splitlines()
        self.assertIn("➖ 02  The Backward Pass                needs 01", lines)
        self.assertIn("➖ 12  The Normalized LSTM              needs 02", lines)
        self.assertRegex(lines[-2], "^01 leads to 02, 03, 04, 05, 06, 07, 08, ")
        self.assertRegex(lines[-1], "^02 leads to 09, 11, 12, ")
        self.assertIn("It builds on 02, not passed yet.\n", pipe("go 12").stdout)
        self.solve("01_layer_norm")
        lines = pipe("check 01", "go 02", "lessons").stdout.splitlines()
        self.assertIn("➖ 02  The Backward Pass                ready, and you are here", lines)
        self.assertIn("➖ 08  Shapes                           ready", lines)
        self.assertIn("➖ 12  The Normalized LSTM              needs 02", lines)

    def test_what_a_passed_lesson_builds_on_counts_as_known(self):
        self.solve("12_lstm")
        pipe("check 12")
        self.assertIn("➖ 09  Group Normalization              ready\n", pipe("lessons").stdout)
        self.assertIn("Lesson 13, ", pipe("go 12", "next").stdout)

    def test_next_prefers_what_is_ready(self):
        self.solve("01_layer_norm", "08_shapes")
        pipe("check 01", "check 08")
        self.assertIn("Lesson 10, ", pipe("go 08", "next").stdout)

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
        self.assertIn(lesson_files.passed(0), lines[-1])

    def test_try_shows_mine_and_the_reference(self):
        self.solve("01_layer_norm")
        result = pipe("try 10 50 20")
        self.assertRegex(result.stdout, r"mean +yours +✅ +26\.6667\n +reference +26\.6667")
        self.assertEqual(result.returncode, 0)
        self.assertIn("expected a number", pipe("try ten").stderr)

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
                self.assertNotIn("\033", twice)
        solution = (TREE / "solutions" / "01_layer_norm.c").read_text()
        self.write(f"{solution}\n/* mine */\n")
        self.assertIn("+++ the solution", pipe("check 01", "diff 01").stdout)
        self.write(solution)
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
        (TREE / "-l").write_text("")
        self.assertEqual(pipe("edit -l", EDITOR="ls").stdout, "./-l\n")

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
        self.assertIn("How would you average 10, 50 and 20", lines)
        self.assertIn("Start a float sum at 0. Add x[j]", lines)


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
        self.assertIn('no lesson "99"', make("start", "LESSON=99").stderr)

    def test_progress_is_drawn(self):
        self.solve("01_layer_norm")
        pipe("hint row_mean", "check 01", "check 01")
        for text in (pipe("progress").stdout, make("progress").stdout):
            self.assertRegex(text, r"01_layer_norm\n +█████████ 9/9\n"
                             r" +2 runs, 1 hint, the last run took \d+\.\d\d s\n"
                             r" +passed first \d{4}-\d\d-\d\d, last \d{4}-\d\d-\d\d\n")
            self.assertIn("02_backward\n       not begun", text)
            self.assertIn(lesson_files.passed(1), text)

    def test_progress_is_drawn_as_far_as_it_goes(self):
        solution = (TREE / "solutions" / "01_layer_norm.c").read_text()
        self.write(solution.replace("distance * distance", "distance"))
        pipe("check 01")
        self.assertRegex(pipe("progress").stdout, r"01_layer_norm\n +██░░░░░░░ 2/9\n")

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


if __name__ == "__main__":
    unittest.main()
