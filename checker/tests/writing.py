"""What the tests do on a lesson's page where a learner writes."""

import json
import re
import subprocess
import unittest

import lesson_files
from browser import PROGRAM, Browser
from lesson_files import ROOT

BOOK = ROOT / "build" / "book"
LESSON = "01_layer_norm"
STUB = lesson_files.Lesson(LESSON).read("checker/lessons/{}/stub.c")
SOLUTION = lesson_files.Lesson(LESSON).read("solutions/{}.c")
WRONG = "sum / (float)(features - 1)".join(SOLUTION.rsplit("sum / (float)features", 1))  # of the variance
SLOW = SOLUTION.replace("sum = 0.0f;", "sum = 0.0f;\n    for (volatile int i = 0; i < 3000000; i++)\n        ;", 1)
CONTROL = 2


def make_book():
    done = subprocess.run(["make", "-s", "book"], cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"make book: {done.stdout}{done.stderr}")
    if not (BOOK / "write.js").exists():
        raise unittest.SkipTest(f"the book has no editor: {done.stderr}")


def without_seconds(verdict):
    return re.sub(r"(?m)^(\d+ passed, \d+ failed.* {3}\()\d+\.\d\d s, ", r"\1", verdict)


@unittest.skipUnless(PROGRAM, "there is no chromium here")
class InABrowser(unittest.TestCase):
    """One for all tests of a class; nothing is kept from one to the next."""

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())
        cls.browser.window(1440)

    def setUp(self):
        self.browser.forget()


class Page:
    def __init__(self, browser, lesson=LESSON, at=None):
        self.browser = browser
        browser.open(at or BOOK / f"{lesson}.html")
        browser.until("window.workbook")

    def run(self, script):
        return self.browser.run(script)

    def all(self, selector, what="textContent"):
        return json.loads(self.run(f"JSON.stringify([...document.querySelectorAll({json.dumps(selector)})]"
                                   f".map(one => one.{what}))"))

    def press(self, selector, number=0):
        self.run(f"document.querySelectorAll({json.dumps(selector)})[{number}].click()")

    def bring_near(self):
        self.run("document.querySelector('.bench').scrollIntoView({block: 'start', behavior: 'instant'})")
        self.browser.until("document.querySelector('.bench .cm-content')")

    def lines(self):
        return self.all(".bench .cm-line")

    def write(self, text):
        """In the place of all that is there."""
        self.bring_near()
        self.run("document.querySelector('.bench .cm-content').focus()")
        self.browser.chord("a", CONTROL, commands=["selectAll"])
        self.insert(text)

    def insert(self, text):
        """Where the cursor is. It ends when the page has it."""
        self.run("(typed => { window.typed = typed })(new Promise(done => "
                 "document.querySelector('.bench .cm-content').addEventListener('input', done, {once: true})))")
        self.browser.insert(text)  # it answers before the page has it: in a tab that is left at once it may get lost
        self.run("typed.then(() => true)")

    def said(self, part=".verdict"):
        return self.run(f"document.querySelector({json.dumps(part)}).textContent")

    def until_said(self, words, part=".verdict"):
        self.browser.until(f"document.querySelector({json.dumps(part)}).textContent.includes({json.dumps(words)})")
        return self.said(part)

    def check(self, end=" passed, "):
        self.run("document.querySelector('.verdict').replaceChildren()")
        self.press(".check")
        self.until_said(end)
        self.browser.until("document.querySelector('.check').textContent === 'Check'")
        return self.said()

    def verdict_of(self, text, seed=1):
        return self.run(f"workbook.check({json.dumps(text)}, {{seed: {seed}}})")
