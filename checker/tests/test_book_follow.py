"""A book that the workbook opened follows the texts and the progress, in a real browser, for as long as
the prompt is there or until Ctrl-C. The other tests of the book are in test_book.py.
"""

import os
import signal
import unittest

import screen
from browser import PROGRAM, Browser
from watching import wait_until
from workbook_copy import WorkbookCopy

FIRST, SECOND = "01_layer_norm", "02_backward"
TOP = 10  # pixels from the top of the window to what is read
READ, LATER = "Layer normalization fixes the size of a row before it is handed on.", "It moves the row so that"
OTHER = "No row is like another."
HEADING, MUCH = "## What it is", "Much is new. " * 60
# One save after the other: what happens, what is read, what stays, and pairs of what is replaced by what.
SAVES = (
    ("a paragraph comes in above", READ, READ, ((HEADING, f"{MUCH}\n\n{HEADING}"),)),
    ("a sentence above goes", READ, READ, (("In both cases training stops working.", ""),)),
    ("a paragraph comes in below", READ, READ, (("## Read next", "It is new.\n\n## Read next"),)),
    ("a sentence comes in before it", READ, READ, ((READ, f"It is a long one, {'and so on, ' * 20}.\n{READ}"),)),
    ("its words change, and a paragraph above goes", READ, LATER, ((READ, OTHER), (MUCH, ""))),
    ("it goes, and a paragraph comes in above", OTHER, LATER, ((OTHER, ""), (HEADING, f"{MUCH}\n\n{HEADING}"))),
)


@unittest.skipUnless(PROGRAM and screen.TMUX, "there is no chromium here, or no tmux")
class Follows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.write("browser", '#!/bin/sh\necho "$1" >>opened\n')
        (cls.copy.path / "browser").chmod(0o755)
        cls.copy.solve(FIRST)
        cls.page = cls.enterClassContext(Browser())

    def open(self, command):
        (self.copy.path / "opened").unlink(missing_ok=True)
        window = screen.Screen(self.copy.path, command, BROWSER=self.copy.path / "browser")
        self.addCleanup(window.close)
        return window

    def followers(self):
        """The time of the last look of each that follows."""
        return [path.stat().st_mtime_ns for path in self.copy.path.glob("build/book.*/look")]

    def wait_for_looks(self):
        """Until what is there now has been looked at."""
        for _ in range(2):
            before = self.followers()
            wait_until(lambda: self.followers() > before, "the next look")  # pylint: disable=cell-var-from-loop

    def book(self, window, times):
        """`book` at the prompt, that many times by now."""
        window.command("book")
        wait_until(lambda: (self.copy.path / "opened").exists() and
                   self.copy.read("opened").count("\n") == times, "the browser")
        window.prompt("01 layer_norm>")

    def change(self, lesson, *pairs):
        """One save: of each pair one is replaced by the other."""
        path = f"lessons/{lesson}.md"
        text = self.copy.read(path)
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.copy.write(path, text)

    def height(self, words):
        """How many pixels they are below the top of the window."""
        return self.page.run(f"""(() => {{
            const nodes = document.createTreeWalker(document.querySelector(".text"), NodeFilter.SHOW_TEXT);
            while (nodes.nextNode() && !nodes.currentNode.data.includes({words!r}));
            const range = document.createRange(), at = nodes.currentNode.data.indexOf({words!r});
            range.setStart(nodes.currentNode, at);
            range.setEnd(nodes.currentNode, at + 1);
            return range.getBoundingClientRect().top;
        }})()""")

    def read(self, words):
        """Scrolls them to the top of the window."""
        self.page.run(f"scrollBy({{top: {self.height(words)} - {TOP}, behavior: 'instant'}})")
        self.assertAlmostEqual(self.height(words), TOP, delta=1)

    def shows(self, words):
        """Waits for the open page to have them: nobody touches it."""
        def has():
            try:
                return self.page.run(f"document.readyState === 'complete' && "
                                     f"document.querySelector('#text').textContent.includes({words!r})")
            except RuntimeError:  # just then it is loaded anew
                return False
        wait_until(has, f"a page that says: {words}")

    def test_what_is_read_stays_at_its_height_with_and_without_the_browsers_help(self):
        window = self.open("trap : INT; make -s book OPEN=yes")
        window.see("Ctrl-C ends that.")
        path, style = f"lessons/{FIRST}.md", self.copy.read("build/book/book.css")
        self.copy.write("kept", self.copy.read(path))
        for anchor in ("auto", "none"):
            self.copy.write("build/book/book.css", f"{style}html {{ overflow-anchor: {anchor}; }}\n")
            self.page.open(self.copy.path / f"build/book/{FIRST}.html#the-formula")
            for count, (what, read, stays, pairs) in enumerate(SAVES):
                with self.subTest(save=what, anchor=anchor):
                    self.read(read)
                    before = self.height(stays)
                    self.change(FIRST, *pairs, ("# Lesson 01:", f"# Save {count} {anchor},"))
                    self.shows(f"Save {count} {anchor},")
                    self.assertAlmostEqual(self.height(stays), before, delta=1)
                self.change(FIRST, (f"# Save {count} {anchor},", "# Lesson 01:"))
            self.copy.write(path, self.copy.read("kept"))
            self.shows(READ)

    def test_the_open_page_follows_its_text_and_what_is_passed_until_the_prompt_ends(self):
        window = self.open("build/workbook start")
        window.prompt("01 layer_norm>")
        self.book(window, 1)
        page = self.page
        page.open(self.copy.path / f"build/book/{FIRST}.html")
        self.read("Take a pencil.")
        page.run("here = true")
        self.change(FIRST, ("## A worked example", "A sentence that is new.\n\n## A worked example"))
        self.shows("A sentence that is new.")
        self.assertAlmostEqual(self.height("Take a pencil."), TOP, delta=1)
        self.assertEqual(page.run("typeof here"), "undefined")
        with self.subTest("another page stays as it is"):
            page.open(self.copy.path / f"build/book/{SECOND}.html")
            page.run("here = true")
        with self.subTest("a key for a command is none for what follows, and a second book starts no second"):
            os.killpg(window.process(), signal.SIGINT)
            self.book(window, 2)
            self.assertEqual(len(self.followers()), 1)
        with self.subTest("a text in the middle of a save, which is empty"):
            self.copy.write("kept", self.copy.read(f"lessons/{SECOND}.md"))
            self.copy.write(f"lessons/{SECOND}.md", "")
            done = self.copy.run(["build/bookbinder", "build/book/none", "marks"])
            self.assertEqual((done.returncode, done.stderr), (1, f"lessons/{SECOND}.md is empty\n"))
            self.wait_for_looks()
            self.shows("The Backward Pass")
            self.copy.write(f"lessons/{SECOND}.md", self.copy.read("kept"))
        window.command("check")
        window.see("Lesson 01 is passed.")
        wait_until(lambda: "You passed" in self.copy.read(f"build/book/{FIRST}.html"), "the mark of lesson 01")
        self.assertTrue(page.run("here"))
        page.open(self.copy.path / f"build/book/{FIRST}.html")
        self.shows("You passed this lesson.")
        self.assertEqual(page.complaints(), [])
        with self.subTest("a book for others, made meanwhile, stays without marks"):
            self.assertEqual(self.copy.make("book").returncode, 0)
            self.change(FIRST, ("A sentence that is new.", "Another one."))
            self.wait_for_looks()
            self.assertNotIn("You passed", self.copy.read(f"build/book/{FIRST}.html"))
        os.kill(window.process(), signal.SIGKILL)
        wait_until(lambda: not self.followers(), "the end of what follows")

    def test_make_book_open_follows_until_ctrl_c(self):
        window = self.open("trap : INT; make -s book OPEN=yes")
        window.see("Its pages follow the texts and what you pass. Ctrl-C ends that.")
        self.page.open(self.copy.path / "build/book/index.html")
        self.change(SECOND, ("# Lesson 02: The Backward Pass", "# Lesson 02: Another title"))
        self.shows("Another title")
        window.keys("C-c")
        window.see("[ended: ")
        wait_until(lambda: not self.followers(), "the end of what follows")
        with self.subTest("a book for others does not"):
            self.assertEqual(self.copy.make("book").returncode, 0)
            self.assertNotIn('id="stamp"', self.copy.read("build/book/index.html"))
            self.assertFalse((self.copy.path / "build/book/changed.js").exists())


if __name__ == "__main__":
    unittest.main()
