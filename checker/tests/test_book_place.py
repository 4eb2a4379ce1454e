"""Where the book with its editors goes: on a server and then without a network, to a phone, to a slow machine, handed
out; how large it is, and what axe finds. In Chromium.
"""

import base64
import functools
import gzip
import hashlib
import http.server
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile
import threading
import unittest

import lesson_files
from lesson_files import ROOT
from workbook_copy import WorkbookCopy
from writing import BOOK, LESSON, SOLUTION, STUB, WRONG, InABrowser, Page, make_book

AXE = "axe-core@4.14.1"
AXE_SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
MOST_BYTES = 2_000_000  # of the whole folder, gzipped
WIDE, NARROW = (1440, 900), (360, 740)
setUpModule = make_book


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@functools.lru_cache(None)
def axe():
    """The script, or None where npm can't fetch it."""
    folder = ROOT / "build" / "tests" / "axe"
    folder.mkdir(parents=True, exist_ok=True)
    packed = folder / f"{AXE.replace('@', '-')}.tgz"
    if not packed.exists():
        subprocess.run(["npm", "pack", AXE, "--prefer-offline", "--silent"], cwd=folder, capture_output=True, check=False)
    if not packed.exists():
        return None
    found = hashlib.sha256(packed.read_bytes()).hexdigest()
    if found != AXE_SHA256:
        raise AssertionError(f"{AXE} is not what was pinned: its SHA-256 is {found}")
    with tarfile.open(packed) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


class Files(unittest.TestCase):
    def test_the_whole_folder_is_below_2_mb_gzipped(self):
        self.assertLess(sum(len(gzip.compress(path.read_bytes())) for path in BOOK.iterdir()), MOST_BYTES)

    def test_what_is_taken_from_others_is_there_with_their_licences(self):
        licences = (BOOK / "licences.txt").read_text()
        wanted = json.loads((ROOT / "checker/book/package.json").read_text())["dependencies"]
        for name in wanted:
            self.assertIn(f"{name}\n", licences)
        self.assertGreater(licences.count("Permission is hereby granted"), len(wanted))
        self.assertRegex(licences, r"(?s)\nTCC, changed .*Fabrice Bellard.*GNU Lesser General Public")

    def test_handed_out_it_holds_no_solution(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "page"
            done = subprocess.run(["make", "-s", "handout", "FOR=page", f"OUT={out}"], cwd=ROOT, text=True,
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({path.name for path in BOOK.iterdir()} - {path.name for path in out.iterdir()}, {"figure.js"})
            pages = "".join(path.read_text() for path in out.glob("*.html"))
            self.assertIn('class="figure"', pages)
            self.assertNotIn('class="module"', pages)
            self.assertNotIn("figure.js", pages)
            whole = b"".join(self.unpacked(path) for path in sorted(out.iterdir()))
            for name in lesson_files.names():
                lesson = lesson_files.Lesson(name)
                known = lesson.read("lessons/{}.md") + lesson.read("lessons/{}.mistakes.md")
                lines = [line.strip() for line in lesson.read("solutions/{}.c").splitlines() if len(line) > 60]
                told = [line for line in lines if line.encode() in whole and line not in known
                        and line not in lesson.read("checker/lessons/{}/stub.c")]
                self.assertLess(len(told), len(lines) / 4, told)

    @staticmethod
    def unpacked(path):
        """A file, and what it holds packed."""
        text = path.read_bytes()
        return text + b"".join(gzip.decompress(base64.b64decode(part))
                               for part in re.findall(rb'"(H4sI[\w+/=]+)"', text))

    def test_without_npm_it_is_the_book_to_read_and_says_so(self):
        with WorkbookCopy() as copy:
            (copy.path / "bin").mkdir()
            for place in ("/usr/local/bin", "/usr/bin", "/bin"):
                for path in pathlib.Path(place).glob("*"):
                    if path.name != "npm" and not (copy.path / "bin" / path.name).is_symlink():
                        (copy.path / "bin" / path.name).symlink_to(path)
            done = copy.run(["make", "-s", "book"], env={"PATH": str(copy.path / "bin")})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Note: there is no editor in its pages, for there is no npm here. Get it with:\n"
                          "apt-get install npm\n", done.stderr)
            page = copy.read(f"build/book/{LESSON}.html")
            self.assertNotIn("write.js", page)
            self.assertNotIn('class="write"', page)
            self.assertFalse((copy.path / "build/book/write.js").exists())


class Places(InABrowser):
    def setUp(self):
        super().setUp()
        self.browser.window(*WIDE)

    def serve(self):
        """The address of the book on a server, and what ends that."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=BOOK))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()

        def end():
            server.shutdown()
            server.server_close()
            thread.join()
        return f"http://127.0.0.1:{server.server_address[1]}/", end

    def test_from_a_server_it_can_be_installed_and_then_needs_no_network(self):
        address, end = self.serve()
        try:
            self.browser.open(f"{address}{LESSON}.html")
            self.browser.until("navigator.serviceWorker.controller")
            self.assertEqual(self.browser.ask("Page.getInstallabilityErrors")["installabilityErrors"], [])
        finally:
            end()
        page = Page(self.browser, at=f"{address}02_backward.html")  # never seen before
        page.write(lesson_files.Lesson("02_backward").read("solutions/{}.c"))
        self.assertIn(" 0 failed", page.check())
        self.browser.open(address)
        self.assertEqual(page.run("document.title"), "The Layer Normalization Workbook")

    def test_a_phone_writes_with_a_row_of_keys(self):
        self.browser.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.browser.ask("Emulation.setEmitTouchEventsForMouse", enabled=True, configuration="mobile")
        self.addCleanup(self.browser.ask, "Emulation.setTouchEmulationEnabled", enabled=False)
        self.addCleanup(self.browser.ask, "Emulation.setEmitTouchEventsForMouse", enabled=False)
        self.browser.window(*NARROW)
        page = Page(self.browser)
        page.write("int a")
        self.assertEqual("".join(page.all(".keys button")), "{}[]();*=<>")
        for key in "[];":
            self.tap(page, f"[...document.querySelectorAll('.keys button')].find(b => b.textContent === '{key}')")
        self.assertEqual(page.lines(), ["int a[];"])
        self.assertTrue(page.run("document.activeElement.matches('.cm-content')"))
        page.write(SOLUTION)
        self.tap(page, "document.querySelector('.check')")
        page.until_said("9 passed")
        self.assertEqual(page.run("document.documentElement.scrollWidth"), NARROW[0])

    def tap(self, page, element):
        x, y = json.loads(page.run(f"(() => {{ const one = {element}; one.scrollIntoView({{block: 'nearest'}}); const box = "
                                   "one.getBoundingClientRect(); return JSON.stringify([box.x + box.width / 2, box.y + "
                                   "box.height / 2]); })()"))
        self.browser.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.browser.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.browser.frame()

    def test_on_a_machine_of_a_quarter_the_speed_the_verdict_is_the_same(self):
        page = Page(self.browser)
        wanted = page.verdict_of(WRONG)
        self.browser.ask("Emulation.setCPUThrottlingRate", rate=4)
        self.addCleanup(self.browser.ask, "Emulation.setCPUThrottlingRate", rate=1)
        page = Page(self.browser)
        self.assertEqual(page.verdict_of(WRONG), wanted)

    def test_nothing_is_wider_than_the_window_and_axe_finds_nothing(self):
        if not axe():
            self.skipTest("npm can't fetch axe-core")
        for width, height, dark in ((*WIDE, False), (*NARROW, False), (*WIDE, True), (*NARROW, True)):
            with self.subTest(width=width, dark=dark):
                self.browser.window(width, height, dark=dark)
                page = Page(self.browser)
                page.write(WRONG)
                page.check()
                page.press(".bench .hint")
                page.until_said("Hint 1", ".more-said")
                page.press(".versions")
                page.press(".block-tools button", 1)
                self.browser.until("document.querySelector('.block-editor .cm-content')")
                self.assertEqual(page.run("document.documentElement.scrollWidth"), width)
                self.browser.run(axe())
                found = json.loads(self.browser.run(
                    "axe.run().then(all => JSON.stringify(all.violations.map(one => [one.id, one.nodes.map(node => "
                    "node.html.slice(0, 200))])))"))
                self.assertEqual(found, [])

    def test_it_asks_for_the_editor_when_that_comes_near_and_moves_nothing(self):
        page = Page(self.browser)
        late = ("editor.js", "engine.js", f"{LESSON}.files.js")
        asked = [url.rpartition("/")[2] for url in self.browser.asked_for()]
        self.assertEqual([name for name in late if name in asked], [])
        self.assertEqual(self.browser.shifts(), [])
        page.run("document.querySelector('.bench').scrollIntoView({block: 'start', behavior: 'instant'}); "
                 "scrollBy(0, -740)")  # the bar is above it
        height = page.run("scrollY")
        self.browser.until("document.querySelector('.bench .cm-content')")
        self.browser.frame()
        self.assertEqual(page.run("scrollY"), height)
        page.bring_near()
        page.verdict_of(STUB)
        asked = [url.rpartition("/")[2] for url in self.browser.asked_for()]
        self.assertEqual([name for name in late if name in asked], list(late))
        self.assertEqual([url for url in self.browser.asked_for()
                          if not url.startswith((f"file://{BOOK}/", "data:", "blob:"))], [])
        self.assertEqual(self.browser.shifts(), [])

    def test_every_lesson_is_checked_in_its_page(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                page = Page(self.browser, name)
                page.write(lesson_files.Lesson(name).read("solutions/{}.c"))
                self.assertIn(" 0 failed", page.check())
                self.assertEqual(set(page.all(".steps a", "dataset.mark")), {"passes"})
                self.assertEqual(self.browser.complaints(), [])


if __name__ == "__main__":
    unittest.main()
