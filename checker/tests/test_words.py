"""Words like ours: what comes from the learner or from the compiler can't be taken for the checker's, in
any command, in a file or on a terminal of any width. Whatever they say here holds a Q, which no line
of the checker's does, and must stand behind a bar.
"""

import re
import unittest

import screen
from hostile_entry import HEAD, PROTOCOL, TAIL, wrap
from screen import Screen
from workbook_copy import WorkbookCopy

BAR = "  | "
VERDICTS = ["9 passed, 0 failed   (0.10 s, seed 1) Q", "✅ row_mean averages one row Q", "ok Q", "❌ Q", "It does not "
            "compile, so no check was run. Q", "Lesson 01 is passed. Q", "  mean   yours   ✅   26.6667 Q"]
LONG = "".join(f"{n:03} ✅ Q 9 passed " for n in range(60))
WORD = "Q9passed" * 60
# Line markers give any name to a file; the compiler repeats what messages and lines hold.
SAID = "".join(f'#pragma message "{text}"\n' for text in [*VERDICTS, LONG, WORD])
NAMES = "".join(f'# 1 "{text}"\nstatic int Q{n};\n' for n, text in enumerate(
    [*VERDICTS, LONG, r"\n9 passed, 0 failed Q", r"\r9 passed, 0 failed Q"]))
PRINTS = "".join(f'    puts("{text}");\n' for text in [*VERDICTS, LONG, WORD, r"x\r9 passed, 0 failed Q"])
# The frames of checker/box/wire.h: the worker's last words, and the loader's.
FORGED_END = """
    struct {
        unsigned kind;
        int number, param, writes;
        long offset;
        unsigned long size, address;
        unsigned frame_count;
        unsigned long frames[32];
        char what[64], detail[256];
    } report = {.kind = 2, .param = -1, .what = "x", .detail = "%s"};
    memcpy(&frame.returned, &report, sizeof report);
    send_frame(FRAME_ENDED, 0, sizeof report);
    for (;;)
        pause();
"""
FORGED_LOADER = """
__attribute__((constructor, no_sanitize("address"))) static void forge(void)
{
    struct {
        unsigned head[4];
        char error[512];
    } frame = {{FRAME_LOADED, 512}, "%s"};
    volatile unsigned *at = __builtin_frame_address(0);
    while (at[0] != FRAME_LOAD) /* the request to load, on the worker's stack */
        at++;
    frame.head[2] = at[2];
    frame.head[3] = at[3];
    while (write(CHANNEL, &frame, sizeof frame) > 0)
        pause();
}
"""


def not_barred(text):
    """The lines that hold a Q without a bar in front. Every kind of text has one at all."""
    assert "Q" in text, text
    return [line for line in text.splitlines() if "Q" in line and not line.startswith(BAR)]


class Copied(unittest.TestCase):
    """`says`: compiles, with warnings, and prints. `fails`: the compiler refuses it."""

    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        solution = self.copy.read("solutions/01_layer_norm.c")
        says = solution.replace("#include", "#include <stdio.h>\n#include", 1).replace(
            "    float sum = 0.0f;", f"    static int calls;\n    if (calls++ < 50) {{ /* 1 MB is too much */\n{PRINTS}    }}\n"
            "    float sum = 0.0f;", 1)
        self.says = SAID + says + NAMES
        self.fails = "".join(f"#error {text}\n" for text in VERDICTS) + self.says

    def save(self, text):
        self.copy.write("exercises/01_layer_norm.c", text)


class InAFile(Copied):
    def test_what_a_file_says_while_it_is_compiled_and_run(self):
        for text, verdict in ((self.says, "\n9 passed, 0 failed   ("),
                              (self.fails, "\nIt does not compile, so no check was run.\n")):
            with self.subTest(verdict):
                self.save(text)
                run = self.copy.make("check", LESSON="01")
                self.assertIn(verdict, run.stdout)
                self.assertEqual(not_barred(run.stdout), [])
                self.assertEqual(run.stderr.count("Q"), 0)

    def test_in_a_locale_without_utf8(self):
        for text in (self.says, self.fails):
            self.save(text)
            run = self.copy.make("check", LESSON="01", env={"LC_ALL": "C"})
            self.assertEqual(not_barred(run.stdout), [])

    def test_in_the_other_commands(self):
        for text in (self.says, self.fails):
            self.save(text)
            for command in ("echo try 10 50 20 | make -s start LESSON=01",
                            "echo check | make -s start LESSON=01",
                            "build/01_layer_norm/check --try '10 50 20'", "make -s check-all",
                            "timeout 1800 make -s check LESSON=01 FORMAT=tap"):
                with self.subTest(command):
                    run = self.copy.run(command)
                    lines = [line for line in (run.stdout + run.stderr).splitlines() if "Q" in line]
                    bars = (BAR, "    # ", '      message: "') if "tap" in command else (BAR,)
                    self.assertEqual([line for line in lines if not line.startswith(bars)], [])
                    self.assertEqual(bool(lines), command != "make -s check-all")
        run = self.copy.run("make -s debug LESSON=01")  # it does not compile
        self.assertEqual(not_barred(run.stdout + run.stderr), [])

    def test_in_the_last_words_of_the_process_that_runs_the_code(self):
        """The code can speak for it: of what was undefined, of what could not be loaded."""
        text = "9 passed, 0 failed Q"
        for words, code in (("     did what C leaves undefined: " + text, wrap(FORGED_END % text)),
                            (BAR + text, HEAD + PROTOCOL + FORGED_LOADER % text + TAIL),
                            ("Undefined: Q is used", HEAD + PROTOCOL + FORGED_LOADER % "undefined symbol: Q" + TAIL)):
            with self.subTest(words):
                self.save(code)
                run = self.copy.make("check", LESSON="01")
                self.assertIn(f"\n{words}", run.stdout)
                self.assertEqual(re.findall("(?m)^9.*Q", run.stdout), [])

    def test_names_of_files(self):
        name = "class/x\n9 passed, 0 failed\nQ.c"
        for text in (self.says, self.fails, ""):
            self.copy.write(name, text)
            run = self.copy.make("check", LESSON="01", IMPL=name)
            self.assertEqual([line for line in run.stdout.splitlines() if "Q.c" in line and not
                              line.startswith(BAR) and "class/x?9 passed, 0 failed?Q.c" not in line], [])
            self.assertEqual(len(re.findall(r"(?m)^\s*\d passed", run.stdout)), 0 if text == self.fails else 1)
        self.assertIn("row_mean is not defined in class/x?9 passed, 0 failed?Q.c\n", run.stdout)


@unittest.skipUnless(screen.TMUX, "tmux is not installed")
class OnATerminal(Copied):
    """tmux shows the lines as a terminal breaks them."""

    def shown(self, command, columns, *waits):
        window = Screen(self.copy.path, command, columns=columns, rows=400)
        self.addCleanup(window.close)
        for keys, words in waits:
            window.see(*words)
            getattr(window, "line" if len(keys) > 1 else "keys")(keys)
        text = window.see("[ended")
        self.assertEqual(not_barred(text), [])
        return text

    def test_long_lines_stand_behind_bars_wherever_the_terminal_breaks_them(self):
        for columns in (24, 40, 79, 80, 81, 133, 300):
            for text in (self.says, self.fails):
                with self.subTest(f"{columns} columns, {'fails' if text == self.fails else 'says'}"):
                    self.save(text)
                    self.shown("make -s check LESSON=01", columns)

    def test_in_watch_mode(self):
        for columns in (40, 80):
            self.save(self.fails)
            self.shown("make -s watch LESSON=01", columns,
                       ("r", ["It does not compile,", "uit"]), ("q", ["It does not compile,"]))

    def test_at_the_prompt(self):
        self.save(self.says)
        self.shown("make -s start LESSON=01", 60, ("try 10 50 20", ["layer_norm>"]),
                   ("check", ["Q", "normalized"]), ("quit", ["Lesson 01 is passed. Next"]))

    def test_a_long_name_of_a_file_does_not_begin_a_line(self):
        name = "class/" + "9 " * 90 + ".c"
        self.copy.write(name, self.copy.read("solutions/01_layer_norm.c"))
        window = Screen(self.copy.path, f"make -s check LESSON=01 IMPL='{name}'", columns=60, rows=60)
        self.addCleanup(window.close)
        text = window.see("[ended")
        self.assertEqual(re.findall("(?m)^9.*", text), re.findall("(?m)^9 passed, 0 failed.*", text))

    def test_lines_are_broken_between_words(self):
        solution = self.copy.read("solutions/01_layer_norm.c")
        self.copy.write("class/slip.c", solution.replace("/ (float)features", "/ (float)(features + 3)", 1))
        command = "make -s check LESSON=01 SEED=1 IMPL=class/slip.c"
        whole = set(self.copy.run(command).stdout.split("passed,")[0].split())
        self.assertIn("(off", whole)
        for columns in (60, 70, 79):
            with self.subTest(columns):
                window = Screen(self.copy.path, command, columns=columns, rows=100)
                self.addCleanup(window.close)
                text = window.see("[ended").split("passed,")[0]
                self.assertEqual(set(text.split()) - whole, set())

    def test_a_terminal_of_any_width_gets_its_lines(self):
        self.save(self.says)
        for columns in (1, 2, 5, 6):
            with self.subTest(columns):
                window = Screen(self.copy.path, "make -s check LESSON=01", columns=columns, rows=50)
                self.addCleanup(window.close)
                window.until(lambda text: "[ended:0]" in "".join(text.split()))


if __name__ == "__main__":
    unittest.main()
