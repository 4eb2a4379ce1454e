"""Lesson 13's lab in its page: the histograms of the learner's own functions, which are those of `make lab`."""

import csv
import re
import unittest
import urllib.parse

import lesson_files
from test_emulator_page import asked
from test_lab_activations import RIDGES, heights_of
from workbook_copy import WorkbookCopy
from writing import InABrowser, Page, make_book

LESSON = "13_activations"
STUB = lesson_files.Lesson(LESSON).read("checker/lessons/{}/stub.c")
SOLUTION = lesson_files.Lesson(LESSON).read("solutions/{}.c")
# What tanhf() rounds to is the C library's, and the page's is another: here both have one of their own.
OURS = SOLUTION.replace("#include <stddef.h>", "#include <stddef.h>\n\nstatic float bent(float x)\n{\n"
                        "    return x / (1.0f + fabsf(x));\n}").replace("tanhf(", "bent(")
LEVELS = SOLUTION.replace("h[j] = tanhf(h[j]);", "h[j] = ((float)l - 9.5f) / 10.0f;")  # each layer its own number
ROWS, PARTS, LAYERS, PANEL = 256, 45, 20, 112
SHOWN = ("1", "2", "5", "10", "15", "20")


class Numbers(unittest.TestCase):
    """In the module, of all the rows."""

    def test_they_are_those_of_make_lab(self):
        copy = self.enterContext(WorkbookCopy())
        copy.write(f"exercises/{LESSON}.c", OURS)
        self.assertEqual(copy.make("lab", LESSON="13", env={"MINE": "yes"}).returncode, 0)
        native = [row for row in csv.DictReader(copy.read(f".workbook/lab/{LESSON}_tanh.csv").splitlines())
                  if row["seed"] == "1"]
        answer = asked([{"lesson": LESSON, "text": OURS, "rows": ROWS}])["answers"][0]
        self.assertEqual(answer["code"], 0)
        table, svg = answer["said"].split("<svg")
        with self.subTest("the table"):
            lines = {line[:18].strip(): line[18:].split() for line in table.split("\n") if "=" in line}
            self.assertEqual(len(lines), 8)
            for curve, numbers in lines.items():
                self.assertEqual(numbers, [f"{float(row['spread']):.1e}" for row in native
                                           if row["curve"] == curve and row["layer"] in SHOWN])
        ridges = RIDGES.findall(svg)
        self.assertEqual((len(ridges), len(native)), (8 * LAYERS, 8 * LAYERS))
        for ridge, row in zip(ridges, native):
            shares = [float(row[f"part_{part:02}"]) for part in range(PARTS)]
            wanted = [min(10 / 0.03 * share, 27) for share in shares]  # 10 pixels for 3 %
            drawn = heights_of(ridge[2], PANEL)
            self.assertLess(max(abs(a - b) for a, b in zip(drawn, wanted, strict=True)), 0.0501)

    def test_few_rows_are_those_of_their_layer(self):
        answer = asked([{"lesson": LESSON, "text": LEVELS, "rows": 32}])["answers"][0]
        self.assertIn("Your file does not pass yet.", answer["said"])
        ridges = RIDGES.findall(answer["said"])
        self.assertEqual(len(ridges), 8 * LAYERS)
        for i, ridge in enumerate(ridges):
            own = int((i % LAYERS + 0.5) / LAYERS * PARTS)
            self.assertEqual([round(height) for height in heights_of(ridge[2], PANEL)],
                             [27 if part == own else 0 for part in range(PARTS)])

    def test_what_ends_a_call_ends_it_and_says_so(self):
        wild = SOLUTION.replace("share[(int)place] += 1.0f;", "share[(int)place + 1000000] += 1.0f;")
        unwritten = SOLUTION.replace("spread[l] =", "float none =")
        silent = SOLUTION.replace("return;", "").replace("sum += h[i];", "sum += h[i]", 1)
        answers = asked([{"lesson": LESSON, "text": text, "rows": 1} for text in (wild, unwritten, silent)])["answers"]
        self.assertEqual([answer["code"] for answer in answers], [1, 1, 1])
        self.assertRegex(answers[0]["said"], rf"The lab ended early: histogram: .*exercises/{LESSON}\.c:\d+")
        self.assertIn("gave no result that can be used", answers[1]["said"])
        self.assertIn("a ; is missing here", answers[2]["said"])
        self.assertNotIn("<svg", "".join(answer["said"] for answer in answers))


def setUpModule():
    make_book()


class InThePage(InABrowser):
    SAID, PRESS = ".lab-here .block-said", ".lab-here button"

    def open(self, text):
        page = Page(self.browser, LESSON)
        page.write(text)
        page.run("document.querySelector('.lab-here').scrollIntoView({block: 'start', behavior: 'instant'})")
        return page

    def test_it_is_drawn_of_the_learners_own_functions(self):
        page = self.open(SOLUTION)
        page.press(self.PRESS)
        said = page.until_said("with, s=4", self.SAID)
        self.assertRegex(said, r"^Spread  .* layer\n  without, s=0\.5 ")
        self.browser.until("document.querySelector('.lab-here img')?.naturalWidth > 0")
        svg = urllib.parse.unquote(page.all(".lab-here img", "src")[0])
        self.assertEqual(len(RIDGES.findall(svg)), 8 * LAYERS)
        self.assertEqual(page.all(self.PRESS), ["Run it here with my functions"])
        for width in (1440, 360):
            self.browser.window(width)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
            self.assertEqual(page.run("document.querySelector('.lab-here .picture').getBoundingClientRect().right"
                                      " <= innerWidth"), True)
        self.browser.window(1440)
        self.assertEqual(self.browser.complaints(), [])

    def test_a_stub_is_not_run_and_a_key_ends_it(self):
        page = self.open(STUB)
        page.press(self.PRESS)
        page.until_said("not written yet", self.SAID)
        page = self.open(SOLUTION)
        page.press(self.PRESS)
        self.browser.until("document.querySelector('.lab-here .progress').textContent.includes('of 8')")
        self.assertEqual(page.all(self.PRESS), ["Stop"])
        page.write(SOLUTION + "\n")
        self.browser.until(f"document.querySelector('{self.PRESS}').textContent !== 'Stop'")
        self.assertEqual(page.said(self.SAID), "Stopped.\n")
        self.assertIn("passed", page.check())

    def test_every_other_lab_and_the_race_say_what_a_computer_adds(self):
        for name in lesson_files.names():
            text = lesson_files.Lesson(name).read("lessons/{}.md")
            commands = re.findall(r"(?m)^```console\n\$ make (lab|race)\b", text)
            if not commands:
                continue
            with self.subTest(lesson=name):
                page = Page(self.browser, name)
                told = page.run("JSON.stringify([...document.querySelectorAll('pre.machine')]"
                                ".map(one => getComputedStyle(one, '::after').content))")
                for kind in commands:
                    self.assertIn("A computer adds" if name == LESSON else
                                  "timed" if kind == "race" else "on your own functions, compiled",
                                  told + page.said(".text"))


if __name__ == "__main__":
    unittest.main()
