"""`read`: every lesson's text in windows of every width, in the learner's pager and in ours."""

import re
import shutil
import unicodedata
import unittest
from collections import Counter

import lesson_files
import prompt_copy
import screen
from prompt_copy import TREE, Test, pipe
from watching import wait_until

# What is no word of the text: formulas, and the marks of a block of code.
FORMULAS = re.compile(r"(^```.*?^```$)|\$\$.*?\$\$|\$[^ $][^$\n]*\$", re.MULTILINE | re.DOTALL)
COMMANDS = ("sh", "make", "sed", "cc", "awk", "cat", "stty")


def setUpModule():
    prompt_copy.set_up()


def columns(line):
    """What a line takes on the screen, without its styles."""
    line = re.sub(r"\033\[[0-9;]*m", "", line)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def without_a_pager():
    """A PATH with what the workbook needs, and no less."""
    folder = TREE / "build" / "path"
    folder.mkdir(exist_ok=True)
    for program in COMMANDS:
        if not (folder / program).exists():
            (folder / program).symlink_to(shutil.which(program))
    return str(folder)


class InAPipe(Test):
    def test_the_text_is_set_with_its_formulas_and_without_marks_of_markdown(self):
        text = pipe("read").stdout
        self.assertIn("Lesson 01: Layer Normalization\n══", text)
        self.assertIn("variance = 1/n Σ_j (x_j - mean)²", text)
        self.assertIn("    float x[] = {10, 50, 20}", text)
        self.assertIn("  │ mean 26.6667, variance 288.8889", text)
        self.assertNotRegex(text, r"\\frac|\$\$|\033|```|^#")
        self.assertIn("running_mean", pipe("read 05").stdout)

    def test_what_a_text_s_code_prints_is_not_folded_in_80_columns(self):
        for name in lesson_files.names():
            printed = [line for what, text in lesson_files.Lesson(name).blocks() if what == "output"
                       for line in text.splitlines()]
            self.assertEqual([line for line in printed if columns(f"  │ {line}") > 80], [], name)

    def test_what_a_shell_prints_is_not_folded_in_80_columns_where_it_has_78(self):
        wide = 0
        for name in lesson_files.names():
            blocks = re.findall(r"^```console\n(.*?)^```$", lesson_files.Lesson(name).read("lessons/{}.md"),
                                re.MULTILINE | re.DOTALL)
            printed = [line for line in "".join(blocks).splitlines() if not line.startswith("$ ") and 0 < columns(line) <= 78]
            shown = {line.strip().removeprefix("│").strip() for line in pipe(f"read {name}").stdout.splitlines()}
            wide += sum(columns(line) > 76 for line in printed)
            self.assertEqual([line for line in printed if line.strip() not in shown], [], name)
        self.assertGreater(wide, 0)

    def test_no_word_is_lost_or_cut_in_any_lesson(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                markdown = lesson_files.Lesson(name).read("lessons/{}.md")
                markdown = re.sub(r"^```plot$.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
                markdown = FORMULAS.sub(lambda match: match[1] or " ", markdown)
                markdown = re.sub(r"^(!\[.*\])\(\S+\.svg\)$", r"\1", markdown, flags=re.MULTILINE)
                words = re.findall(r"\w+", re.sub(r"^```.*$", "", markdown, flags=re.MULTILINE))
                shown = re.findall(r"\w+", pipe(f"read {name}").stdout)
                # not in this order: the cells of a table stand side by side
                self.assertEqual(list((Counter(words) - Counter(shown)).elements()), [])

    def test_every_picture_is_drawn_in_every_lesson(self):
        drawn = 0
        for name in lesson_files.names():
            text = lesson_files.Lesson(name).read("lessons/{}.md")
            blocks = re.findall(r"^```plot\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
            shown = pipe(f"read {name}").stdout
            for title in re.findall(r"^title: (.*)$", "".join(blocks), re.MULTILINE):
                with self.subTest(lesson=name, title=title):
                    self.assertRegex(shown, rf"(?m)^    {re.escape(title)}$")
                    drawn += 1
            self.assertNotIn("title:", shown)
        self.assertGreater(drawn, 0)
        self.assertRegex(pipe("read 02", LC_ALL="C", LANG="C").stdout, r"rstd +#+\| +-0\.8597")

    def test_where_a_labs_picture_stands_is_how_to_draw_ones_own(self):
        placed = 0
        for name in lesson_files.names():
            pictures = re.findall(r"^!\[.*\]\(.*\)$", lesson_files.Lesson(name).read("lessons/{}.md"), re.MULTILINE)
            shown = " ".join(pipe(f"read {name}").stdout.split()) if pictures else ""
            with self.subTest(lesson=name):
                self.assertEqual(shown.count(f"] Your own: make lab LESSON={name[:2]} "), len(pictures))
            placed += len(pictures)
        self.assertGreater(placed, 0)

    def test_a_drawing_is_not_broken_at_80_columns(self):
        for name in lesson_files.names():
            text = lesson_files.Lesson(name).read("lessons/{}.md")
            blocks = re.findall(r"^```(.*)\n((?:(?!```).*\n)*)```$", text, re.MULTILINE)
            drawings = "".join(block for kind, block in blocks if not kind and not block.startswith("try "))
            shown = set(pipe(f"read {name}").stdout.splitlines())
            with self.subTest(lesson=name):
                self.assertEqual([line for line in drawings.splitlines() if line and f"    {line}" not in shown], [])

    def test_a_section_is_opened_by_words_of_its_heading(self):
        text = pipe("read epsilon does").stdout
        self.assertTrue(text.startswith("What epsilon does\n\nIf all features of a row are equal"), text)
        self.assertNotIn("What gamma and beta can undo", text)
        text = pipe("read 01 EPSILON").stdout
        self.assertTrue(text.startswith("What epsilon does"), text)
        self.assertRegex(text, r"\nAlso: \*Epsilon outside the root\*")
        self.assertEqual(pipe("read 12 epsilon").stdout, "")  # of a lesson that is named, that lesson's alone
        self.assertTrue(pipe("read rms_norm worked").stdout.startswith("A worked example\n"))
        mistake = pipe("read n - 1").stdout
        self.assertTrue(mistake.startswith("Why n and not n - 1\n"), mistake)
        self.assertTrue(pipe("read 01 eps").stdout.startswith("What epsilon does"))
        self.assertEqual(pipe("read lstm eps").stdout, "")  # "The later steps forgotten" is not about it

    def test_a_section_holds_those_below_it(self):
        text = pipe("read more on step 3").stdout
        for part in ("More on step 3, not needed to write it\n──", "What is kept\n", "What gamma and beta can undo\n"):
            self.assertIn(part, text)
        self.assertNotIn("Common mistakes", text)

    def test_words_of_no_heading_get_the_list(self):
        done = pipe("read lstm nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('No section of 12_lstm has "nonsense" in its heading. Its sections:\n  What it is and', done.stderr)

    def test_a_section_of_any_lesson_is_opened_and_what_lessons_teach_comes_before_mistakes(self):
        text = pipe("go 02", "read epsilon").stdout.partition("Next: type `read`.\n")[2]
        self.assertTrue(text.startswith("Lesson 01, Layer Normalization, has this section:\n\nWhat epsilon does\n"), text)
        also = " ".join(text.partition("\nAlso: ")[2].split())
        self.assertTrue(also.startswith("*Epsilon outside the root*, "), also)
        self.assertRegex(also, r"\*Epsilon outside the root\* \(01\),.* and \d+ more\.$")
        self.assertIn("\nLesson 02, The Backward Pass, has this section:\n\nWhy mean and rstd are saved\n",
                      pipe("go 01", "read rstd").stdout)

    def test_a_word_of_no_heading_and_a_slash_list_the_sections_it_stands_in(self):
        listed = pipe("/xhat").stdout
        self.assertEqual(pipe("read row_mean(").stdout, pipe("/row_mean(").stdout)
        self.assertIn("\n• 02, *A worked example*: 1\n", listed)
        passes = pipe("/one pass").stdout
        self.assertLess(passes.index("• 17, "), passes.index(", mistakes, "))
        self.assertIn("`read 01 worked example`", listed)
        self.assertEqual(pipe("/XHAT").stdout, listed)
        self.assertIn("\n• 10, ", pipe("/softmax").stdout)
        none = pipe("/no such words")
        self.assertEqual((none.returncode, none.stdout), (2, ""))
        self.assertIn('No lesson has "no such words" in its text.', none.stderr)
        self.assertIn("as in: /rstd", pipe("/").stderr)

    def test_where_characters_are_ascii_the_text_is(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                self.assertTrue(pipe(f"read {name}", LC_ALL="C", LANG="C").stdout.isascii())


@unittest.skipUnless(screen.TMUX, "tmux is missing")
class InAWindow(Test):
    def open(self, **options):
        window = screen.Screen(TREE, "build/workbook start", **options)
        self.addCleanup(window.close)
        window.prompt("01 layer_norm>")
        return window

    def shown(self, *names, **options):
        """What the pager gets of these lessons' texts."""
        file = TREE / "build" / "read.out"
        file.write_text("")
        window = self.open(PAGER=f"cat >>{file}", **options)
        for name in names:
            window.command(f"read {name}")
            wait_until(lambda name=name: f"Lesson {name[:2]}: " in file.read_text(errors="replace"), f"the text of {name}")
            window.prompt("01 layer_norm>")
        window.command("quit")
        window.see("[ended: 0]")
        return file.read_text()

    def test_every_text_fits_every_width(self):
        for width in (40, 64, 80, 100, 130):
            text = self.shown(*lesson_files.names(), columns=width)
            lines = [line for line in text.splitlines() if columns(line) > min(width, 100)]
            with self.subTest(width=width):
                # one word with its indent may be longer: words are not cut
                self.assertEqual([line for line in lines if " " in line.strip(" ↪│•")], [])

    def test_a_formula_that_is_broken_shows_where_it_goes_on(self):
        text = self.shown("02_backward", columns=40)
        whole = "dx_j = rstd · (g_j - mean(g) - xhat_j · mean(g · xhat))"
        begin = text.index("    dx_j = rstd")
        lines = text[begin:].split("\n")[:3]
        self.assertTrue(all(line.startswith("        ↪ ") for line in lines[1:2]), lines)
        self.assertTrue(" ".join(" ".join(lines).replace("↪", "").split()).startswith(whole), lines)

    def test_styles_are_shown_and_colours_only_where_they_are_wanted(self):
        for environment, style, colour in (({}, True, True), ({"NO_COLOR": "1"}, True, False)):
            text = self.shown("01_layer_norm", **environment)
            with self.subTest(environment=environment):
                self.assertEqual(("\033[1m" in text, "\033[36m" in text), (style, colour))

    def test_without_a_pager_the_workbook_has_its_own(self):
        window = self.open(rows=20, columns=64, PATH=without_a_pager())
        window.command("read")
        window.see("Lesson 01: Layer Normalization", "space on   b back   / search   q leave")
        window.keys("Space")
        window.see("Layer normalization fixes the size of a row")
        window.keys("/")
        window.see("\n/")
        window.line("WHAT EPSILON")
        self.assertEqual(window.see("What epsilon does").splitlines()[0], "What epsilon does")
        window.keys("b")
        window.until(lambda text: not text.startswith("What epsilon does"))
        window.keys("/")
        window.line("no such words")
        window.see("That is not in this text.")
        window.keys("G")
        window.see("100 %")
        window.keys("Space")
        window.see("That was the end.")
        window.keys("g")
        window.see("Lesson 01: Layer Normalization")
        window.resize(64, 12)
        window.until(lambda text: len(text.splitlines()) == 12)
        window.keys("q")
        window.until(lambda text: text.splitlines()[-1].rstrip() == "01 layer_norm>")
        window.command("quit")
        window.see("[ended: 0]")


if __name__ == "__main__":
    unittest.main()
