"""What a learner writes in the book is kept in the browser, taken out and brought in, and lost by nobody: two tabs, the
stub put back, a browser that refuses. In Chromium, from the disk.
"""

import json
import pathlib
import tempfile
import unittest
import zipfile

from workbook_copy import WorkbookCopy
from writing import LESSON, SOLUTION, STUB, WRONG, InABrowser, Page, make_book

OTHER = "02_backward"
VERSIONS = 50
setUpModule = make_book


# Whether what is written next is asked to be written at once, while there is a page.
WRITTEN = """written = new Promise(done => {
    const begin = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (...given) {
        const made = begin.apply(this, given), commit = made.commit;
        let atOnce = false;
        made.commit = () => { atOnce = true; commit.call(made); };
        if (given[1] === "readwrite")
            made.addEventListener("complete", () => done(atOnce));
        return made;
    };
}), 0"""


class Kept(InABrowser):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def download(self, page, selector, name):
        self.browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        page.press(selector)
        page.browser.until_there(self.folder / name)
        return self.folder / name

    def kept_text(self, page):
        """The file that the page gives."""
        path = self.download(page, ".save", f"{LESSON}.c")
        text = path.read_text()
        path.unlink()
        return text

    def drop(self, page, *paths):
        """As a file manager's file is dropped on the bench."""
        page.bring_near()
        x, y = json.loads(page.run("(() => { const box = document.querySelector('.editor').getBoundingClientRect(); "
                                   "return JSON.stringify([box.x + 80, box.y + 80]); })()"))
        for kind in ("dragEnter", "dragOver", "drop"):
            self.browser.ask("Input.dispatchDragEvent", type=kind, x=x, y=y,
                             data={"items": [], "files": list(map(str, paths)), "dragOperationsMask": 1})

    def versions(self, page):
        page.press(".versions")
        self.browser.until("document.querySelector('.old')")
        return page.all(".old li")

    def all_texts(self, page):
        texts = set()
        for i in range(len(self.versions(page))):
            page.press(".old button", 2 * i)  # each that is taken back is one more, the newest
            texts.add(self.kept_text(page))
            self.versions(page)
        return texts

    # ---- in the browser ----
    def test_every_key_is_kept(self):
        page = Page(self.browser)
        page.write(STUB)
        for text in ("int a", "; int b", "; int c;"):
            page.insert(text)
            page = Page(self.browser)  # at once
            page.bring_near()
            page.run("document.querySelector('.bench .cm-content').focus()")
            self.browser.chord("End", 2, commands=["moveToEndOfDocument"])
        self.assertEqual(self.kept_text(page), STUB + "int a; int b; int c;")
        page.run(WRITTEN)
        page.insert(" ")
        self.assertIs(page.run("written"), True)

    def test_a_check_begins_a_version_and_fifty_are_kept(self):
        page = Page(self.browser)
        for i in range(VERSIONS + 3):
            page.write(f"int a = {i};\n")
            page.check("not defined")
        found = self.versions(page)
        self.assertEqual(len(found), VERSIONS)
        page.press(".old button", VERSIONS - 1)
        self.assertEqual(self.kept_text(page), "int a = 3;\n")
        self.assertEqual(len(self.versions(page)), VERSIONS)

    def test_the_stub_comes_back_and_goes_again(self):
        page = Page(self.browser)
        page.write(SOLUTION)
        page.press(".reset")
        page.until_said("The stub is back.", ".notice")
        self.assertEqual(self.kept_text(page), STUB)
        page.press(".notice button")
        self.assertEqual(self.kept_text(page), SOLUTION)
        page = Page(self.browser)
        self.assertEqual(self.kept_text(page), SOLUTION)
        self.assertEqual(len(self.versions(page)), 3)

    def test_two_tabs_lose_nothing(self):
        page = Page(self.browser)
        page.write("int a;\n")
        with self.browser.tab() as (first, second):
            other = Page(self.browser)
            other.write(WRONG)
            self.browser.to(first)
            page.until_said("Another tab", ".notice")
            self.assertEqual(self.kept_text(page), WRONG)
            page.write(SOLUTION)
            self.browser.to(second)
            other.until_said("Another tab", ".notice")
            self.assertEqual(self.kept_text(other), SOLUTION)
            self.assertLessEqual({"int a;\n", WRONG, SOLUTION}, self.all_texts(other))

    def test_of_two_tabs_that_write_at_once_both_texts_stay(self):
        """Neither hears of the other: as where BroadcastChannel is missing."""
        deaf = self.browser.ask("Page.addScriptToEvaluateOnNewDocument", source="delete window.BroadcastChannel")
        page = Page(self.browser)
        page.bring_near()
        with self.browser.tab() as (first, second):
            self.browser.ask("Page.addScriptToEvaluateOnNewDocument", source="delete window.BroadcastChannel")
            other = Page(self.browser)
            other.write(WRONG)
            self.browser.to(first)
            page.run("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
            page.write(SOLUTION)
            self.browser.to(second)
        self.browser.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=deaf["identifier"])
        self.assertLessEqual({WRONG, SOLUTION}, self.all_texts(Page(self.browser)))

    def keeping(self, page):
        return page.run("(place => place.checkVisibility() ? place.textContent : '')(document.querySelector('.keeping'))")

    def test_a_private_window_is_told_that_it_forgets(self):
        for _ in range(2):  # the second time there is nothing of the first
            with self.browser.private_window():
                page = Page(self.browser)
                page.bring_near()
                self.assertEqual("\n".join(page.lines()[:5]), "\n".join(STUB.split("\n")[:5]))
                self.assertIn("a private window forgets it", self.keeping(page))
                page.write(SOLUTION)
                page = Page(self.browser)
                page.bring_near()
                self.assertIn("\n".join(page.lines()[:5]), SOLUTION)

    def test_a_browser_is_asked_to_promise_only_when_that_is_pressed(self):
        self.addCleanup(self.browser.ask, "Browser.resetPermissions")
        for promises in (False, True):
            page = Page(self.browser)
            self.assertIn("This browser has not promised to keep what you write", self.keeping(page))
            self.browser.promise(promises)
            page.press(".keeping button")
            self.browser.until("!document.querySelector('.keeping').textContent.includes('has not') || "
                               "document.querySelector('.keeping').hidden")
            self.assertEqual(bool(self.keeping(page)), not promises)
            self.assertIn("does not promise", page.said(".keeping"))
        self.browser.until("document.querySelector('.keeping').hidden")
        self.assertEqual(self.keeping(Page(self.browser)), "")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_browser_that_refuses_is_said_so_and_all_else_works(self):
        script = self.browser.ask("Page.addScriptToEvaluateOnNewDocument", source="""
            indexedDB.open = () => { throw new DOMException("no", "SecurityError"); };
            Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
        """)
        self.addCleanup(self.browser.ask, "Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        page = Page(self.browser)
        page.write(SOLUTION)
        self.assertIn("This window keeps nothing", page.said(".notice"))
        self.assertEqual(self.keeping(page), "")
        self.assertIn("9 passed", page.check())
        self.assertEqual(self.kept_text(page), SOLUTION)
        self.assertEqual(self.browser.complaints(), [])

    # ---- files ----
    def test_what_the_page_saves_passes_make_check_unchanged_and_the_reverse(self):
        page, copy = Page(self.browser), self.enterContext(WorkbookCopy())
        page.write(SOLUTION)
        path = self.download(page, ".save", f"{LESSON}.c")
        self.assertEqual(path.read_bytes(), SOLUTION.encode())
        (copy.path / "exercises" / f"{LESSON}.c").write_bytes(path.read_bytes())
        self.assertEqual(copy.make("check", LESSON="01").returncode, 0)
        page.press(".reset")
        self.drop(page, copy.path / "exercises" / f"{LESSON}.c")
        page.until_said(f"{LESSON}.c is here now.", ".notice")
        self.assertIn("9 passed", page.check())

    def test_all_lessons_go_out_as_an_archive_and_come_back(self):
        page = Page(self.browser)
        page.write(SOLUTION)
        Page(self.browser, OTHER).write("/* \u00fc */ int b;\n")
        packed = self.download(page, ".save-all", "exercises.zip")
        with zipfile.ZipFile(packed) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({name: archive.read(name).decode() for name in archive.namelist()},
                             {f"exercises/{LESSON}.c": SOLUTION, f"exercises/{OTHER}.c": "/* \u00fc */ int b;\n"})
        other = self.folder / "deflated.zip"
        with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"work/exercises/{LESSON}.c", WRONG)
            archive.writestr(f"work/exercises/{OTHER}.c", "int c;\n")
            archive.writestr("work/README.md", "no lesson")
        page = Page(self.browser)
        self.drop(page, other)
        page.until_said("From deflated.zip: lesson 01, 02.", ".notice")
        self.assertEqual(self.kept_text(page), WRONG)
        page = Page(self.browser, OTHER)
        page.bring_near()
        self.assertEqual(page.lines()[0], "int c;")

    def test_what_is_no_archive_is_said_so(self):
        page = Page(self.browser)
        (self.folder / "bad.zip").write_bytes(b"PK no")
        self.drop(page, self.folder / "bad.zip")
        page.until_said("bad.zip: it is no zip archive.", ".notice")


if __name__ == "__main__":
    unittest.main()
