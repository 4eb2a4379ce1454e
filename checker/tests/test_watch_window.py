"""make watch in a window of 80 x 24 and of 40 x 15 (tmux): what matters of a verdict, and the whole of it with l."""

import unittest

import screen
import watching
from watching import COPY, KEYS, NARROW_KEYS, SOLVED, Watching, save

MODULE = (watching.ROOT / "solutions" / "06_module.c").read_text()
NO_MEAN = MODULE.replace("sum / (float)features;", "sum;")
WINDOWS = ((80, 24, KEYS), (40, 15, NARROW_KEYS))


def setUpModule():
    watching.begin()


def tearDownModule():
    watching.end()


def words(text):
    return " ".join(text.split())


def failing_check(lesson):
    """The words of the first check that fails, as `make check` has them, without the line to try."""
    text = COPY.make("check", LESSON=lesson, SEED="1").stdout
    block = text[text.index("❌"):].split("\n➖")[0].split("\n✅")[0].split("\n❌")[0]
    return words(block.split("     To see it at work")[0])


@unittest.skipUnless(screen.TMUX, "tmux is missing")
class InAWindow(Watching):
    def open(self, columns, rows, **environment):
        window = screen.Screen(COPY.path, "build/workbook watch", columns, rows, SEED="1", **environment)
        self.addCleanup(window.close)
        return window

    def shown(self, window, keys, *parts):
        """A screen that is complete, and holds these: its lines, the keys last."""
        text = window.until(lambda text: all(part in text for part in parts) and text.endswith(keys))
        return text.split("\n")

    def leave(self, window):
        window.keys("q")
        window.see("[ended: 0]")

    def test_the_failing_check_is_last_and_whole_and_the_others_are_two_lines(self):
        save(NO_MEAN, "06_module")
        for columns, rows, keys in ((80, 24, KEYS), (40, 50, NARROW_KEYS)):
            window = self.open(columns, rows, LESSON="06")
            lines = self.shown(window, keys, "6 passed, 1 failed", "Next: mend layer_norm_forward.")
            with self.subTest(columns=columns):
                self.assertLessEqual(len(lines), rows)
                self.assertIn("6 passed, 1 failed", lines)
                self.assertIn("14 wait for layer_norm_forward", lines)
                self.assertIn(failing_check("06"), words("\n".join(lines)))
                self.assertNotIn("➖", "".join(lines))
                self.assertNotIn("✅", "".join(lines))
                self.assertEqual([line for line in lines if len(line) > columns], [])
            self.leave(window)

    def test_where_it_is_too_high_its_beginning_and_its_end_stay_and_a_line_says_so(self):
        save(NO_MEAN, "06_module")
        window = self.open(40, 15, LESSON="06")
        lines = self.shown(window, NARROW_KEYS, "6 passed, 1 failed", "more lines: l")
        self.assertLessEqual(len(lines), 15)
        self.assertEqual(lines[:3], ["6 passed, 1 failed", "14 wait for layer_norm_forward", "❌ layer_norm_forward matches"])
        text, block = words("\n".join(lines)), failing_check("06")
        self.assertIn("expected 0.2, got -0.9535 (off by 1.2, allowed 0.0000017) ... ", text)
        end = text.split("more lines: l ")[1].split(" n)ext")[0]
        self.assertTrue(block.endswith(end), end)
        self.leave(window)

    def test_l_shows_the_whole_list_and_takes_it_back(self):
        save(NO_MEAN, "06_module")
        window = self.open(80, 70, LESSON="06")
        self.shown(window, KEYS, "14 wait for layer_norm_forward")
        window.keys("l")
        lines = self.shown(window, KEYS, "14 not reached")
        whole = COPY.make("check", LESSON="06", SEED="1").stdout
        self.assertEqual([line for line in lines if line[:1] in "➖✅❌" and line],
                         [line for line in whole.splitlines() if line[:1] in "➖✅❌" and line])
        window.keys("l")
        self.shown(window, KEYS, "14 wait for layer_norm_forward")
        self.leave(window)

    def test_each_that_is_waited_for_has_its_number(self):
        save(watching.WRONG)
        window = self.open(80, 24, LESSON="01")
        self.shown(window, KEYS, "\n2 passed, 2 failed\n2 wait for row_variance, 3 for layer_norm\n")
        self.leave(window)

    def test_what_the_code_prints_gives_way_to_the_failing_check(self):
        save("#include <stdio.h>\n" + watching.WRONG.replace(
            "float sum = 0.0f;", 'float sum = 0.0f;\n    for (int i = 0; i < 19; i++) printf("\\there %d\\n", i);', 1))
        window = self.open(80, 24, LESSON="01")
        lines = self.shown(window, KEYS, "2 passed, 2 failed", "  |     here 0", "more lines: l")
        self.assertLessEqual(len(lines), 24)
        self.assertIn(failing_check("01"), words("\n".join(lines)))
        self.leave(window)

    def test_of_a_compiler_s_many_lines_the_first_and_what_to_do_are_there(self):
        save(SOLVED.replace("sum += ", "sun += "))
        window = self.open(40, 15, LESSON="01")
        lines = self.shown(window, NARROW_KEYS, "error", "more lines: l", "Next: mend the first error")
        self.assertLessEqual(len(lines), 15)
        self.assertIn("exercises/01_layer_norm.c", words("\n".join(lines)))
        self.leave(window)

    def test_a_lesson_that_is_passed_fits_the_smallest_window(self):
        save(SOLVED)
        for columns, rows, keys in WINDOWS:
            window = self.open(columns, rows, LESSON="01")
            lines = self.shown(window, keys, "9 passed, 0 failed", "Lesson 01 is passed.")
            with self.subTest(columns=columns):
                self.assertLessEqual(len(lines), rows)
            self.leave(window)


if __name__ == "__main__":
    unittest.main()
