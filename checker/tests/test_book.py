"""make book: every lesson is a page that holds its whole text, asks for nothing from outside, and is read
well in a browser. One browser is started for all pages.
"""

import base64
import functools
import html
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import unittest

import lesson_files
from browser import PROGRAM, Browser
from lesson_files import ROOT
from workbook_copy import WorkbookCopy

BOOK = ROOT / "build" / "book"
MOST_BYTES = 300_000
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIAGRAM = re.compile(r"-->|<--")  # in a block without a word: diagram.c draws it
FORMULA = re.compile(r"\$\$.+?\$\$", re.DOTALL)
CONTRAST = (ROOT / "checker/tests/contrast.js").read_text()
LEAST_CONTRAST = 4.5
PAPERS = ("https://arxiv.org/abs/", "https://doi.org/10.")
# What is wider than its place, and has no shade there that what is scrolled covers; or can't be scrolled by keys.
NO_SIGN_OF_MORE = """[...document.querySelectorAll("#text *")].filter(one => {
    const style = getComputedStyle(one), shades = style.backgroundAttachment.split(", ");
    return style.overflowX === "auto" && one.scrollWidth > one.clientWidth && !one.closest(".bench, .cm-editor")
        && (one.tabIndex < 0 || shades.join() !== "local,local,scroll,scroll");
}).map(one => one.outerHTML.slice(0, 80))"""
WASI = pathlib.Path("/usr/lib/wasm32-wasi/libc.a")


def setUpModule():
    done = subprocess.run(["make", "-s", "book"], cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"make book: {done.stdout}{done.stderr}")


@functools.lru_cache(None)
def pages():
    """{name: HTML} of all pages."""
    return {path.name: path.read_text() for path in sorted(BOOK.glob("*.html"))}


def text_of(page, between=""):
    """Its text, with this in the place of tags."""
    return html.unescape(re.sub(r"<[^>]*>", between, page))


def rows_of(plot):
    """What stands below a plot's head."""
    return re.sub(r"\A(.*:.*\n)+", "", plot)


def links_of(page):
    return [html.unescape(link) for link in re.findall(r'\bhref="([^"]*)"', page)]


def contents_of(name):
    """What one page takes, with all that it loads before the editor comes near."""
    own = ("book.css", "book.js", "figure.js", "write.css", "write.js")
    return (BOOK / f"{name}.html").stat().st_size + sum(
        (BOOK / file).stat().st_size for file in own if (BOOK / file).exists())


def path_without(program, folder):
    """A PATH that holds what ours holds, but for one program."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for path in pathlib.Path(place).glob("*") if place else ():
            if path.name != program and not (folder / path.name).is_symlink():
                (folder / path.name).symlink_to(path)
    return str(folder)


class Pages(unittest.TestCase):
    def test_every_lesson_and_its_mistakes_are_pages(self):
        wanted = {f"{name}{kind}.html" for name in lesson_files.names() for kind in ("", ".mistakes")}
        self.assertEqual(set(pages()), wanted | {"index.html", "slips.html"})

    def test_every_block_of_code_and_every_formula_of_a_lesson_is_in_its_page(self):
        for name in lesson_files.names():
            for path in (f"{name}.md", f"{name}.mistakes.md"):
                markdown = (ROOT / "lessons" / path).read_text()
                page = pages()[path.replace(".md", ".html")]
                blocks = [text_of(block) for block in re.findall(r"<pre.*?</pre>", page, re.DOTALL)]
                with self.subTest(text=path):
                    fenced = [rows_of(code) if kind == "plot" else code
                              for kind, code in FENCE.findall(markdown) if kind or not DIAGRAM.search(code)]
                    self.assertEqual([block for block in blocks if block in fenced], fenced)
                    self.assertEqual(page.count('<figure class="plot"'), len(re.findall("^```plot", markdown, re.M)))
                    self.assertEqual(page.count('<math class="formula"'), len(FORMULA.findall(markdown)))
                    self.assertEqual(page.count("<math"), page.count('<math class="formula"')
                                     + page.count("<math><mrow><msqrt>"))
                    self.assertNotRegex(text_of(page), r"\\(frac|cdot|sum|left|text|partial)|\$\$")

    def test_every_diagram_of_a_lesson_is_drawn_with_its_words(self):
        with_one = set()
        for name in lesson_files.names():
            markdown = (ROOT / f"lessons/{name}.md").read_text()
            drawn = re.findall(r'<figure class="diagram">.*?</figure>', pages()[f"{name}.html"], re.DOTALL)
            diagrams = [code for kind, code in FENCE.findall(markdown) if not kind and DIAGRAM.search(code)]
            with self.subTest(lesson=name):
                self.assertEqual(len(drawn), len(diagrams))
                for code, picture in zip(diagrams, drawn):
                    words = set(re.findall(r"[^\W_]{2,}", code))
                    self.assertEqual(set(re.findall(r"[^\W_]{2,}", text_of(picture, " "))), words)
                    label = html.unescape(re.search('role="img" aria-label="([^"]*)"', picture)[1])
                    self.assertLessEqual(words, set(re.findall(r"[^\W_]+", label)))
                    with_one.add(name[:2])
        self.assertLessEqual({"02", "11", "12"}, with_one)

    def test_every_word_of_a_lesson_is_in_its_page(self):
        for name in lesson_files.names():
            markdown = FORMULA.sub(" ", FENCE.sub(" ", (ROOT / f"lessons/{name}.md").read_text()))
            markdown = re.sub(r"(?m)^ *\d+\. ", "", markdown)  # a browser counts by itself
            markdown = re.sub(r"\]\([^)]*\)", "]", markdown)  # where a link leads to
            markdown = re.sub(r"(`[^`]*`)|\bsqrt\(", lambda found: found[1] or "(", markdown)  # a sign
            page = pages()[f"{name}.html"]
            pictures = re.findall(r'<img [^>]*alt="([^"]*)"', page)
            shown = set(re.findall(r"[^\W_]+", " ".join([text_of(page, " "), *pictures])))
            with self.subTest(lesson=name):
                self.assertEqual(set(re.findall(r"[^\W_]+", markdown)) - shown, set())

    def test_every_link_leads_to_a_page_and_a_place_in_it(self):
        all_pages = pages()
        ids = {name: re.findall(r'\bid="([^"]*)"', page) for name, page in all_pages.items()}
        for name, page in all_pages.items():
            with self.subTest(page=name):
                self.assertEqual(len(ids[name]), len(set(ids[name])))
                for link in links_of(page):
                    file, _, place = link.partition("#")
                    if file in ("data:,", "book.css", "write.css") or file.startswith(PAPERS):
                        continue
                    self.assertIn(file or name, all_pages, link)
                    self.assertTrue(not place or place in ids[file or name], link)

    def test_every_heading_has_a_link_to_itself(self):
        for name, page in pages().items():
            for level, heading in re.findall(r'<h([2-6]) id="([^"]*)"', page):
                self.assertIn(f'<a class="anchor" href="#{heading}"', page, (name, level))

    def test_every_page_says_in_its_head_what_its_first_sentence_says(self):
        said = {}
        for name, page in pages().items():
            said[name] = re.search(r'<meta name="description" content="([^"]*)">', page)[1]
            text = " ".join(text_of(page.partition('<main class="page"')[2]).split())
            self.assertIn(" ".join(html.unescape(said[name]).split()), text, name)
            self.assertRegex(said[name], r"^[A-Z].{20,250}\.$", name)
        self.assertEqual(said["index.html"], "Learn normalization by building it, in C.")
        self.assertGreater(len(set(said.values())), len(lesson_files.names()))

    def test_next_and_before_go_through_all_lessons(self):
        names = [f"{name}.html" for name in lesson_files.names()]
        for rel, order in (("next", names), ("prev", names[::-1])):
            found = [re.findall(rf'rel="{rel}" href="([^"]*)"', pages()[name]) for name in order]
            self.assertEqual(found, [[name] for name in order[1:]] + [[]])

    def test_every_page_names_all_lessons_in_its_bar_and_marks_its_own(self):
        wanted = [f"{name}.html" for name in lesson_files.names()]
        for name, page in pages().items():
            bar = page.partition("<header")[2].partition("</header>")[0]
            links = re.findall(r'<a href="(\d\d_[^"]*)"( aria-current="page")?', bar)
            with self.subTest(page=name):
                self.assertEqual([link for link, _ in links], [] if name == "index.html" else wanted)
                self.assertEqual([link.partition(".")[0] for link, marked in links if marked],
                                 [name.partition(".")[0]] if name[0].isdigit() else [])

    def test_every_lab_has_pictures_of_the_solutions_and_says_how_to_get_ones_own(self):
        for name in lesson_files.names():
            lesson = lesson_files.Lesson(name)
            commands = [command for command, _ in lesson.pictures()]
            lab = f"make lab LESSON={name[:2]}"
            with self.subTest(lesson=name):
                wanted = (ROOT / "checker/lessons" / name / "lab.c").exists()
                self.assertEqual(any(command.startswith(lab) for command in commands), wanted)
                self.assertEqual(f"Your own: `{lab}`." in lesson.read("lessons/{}.md"), wanted)

    def test_what_is_read_next_has_a_link_to_the_paper(self):
        for name in lesson_files.names():
            read = pages()[f"{name}.html"].partition('<h2 id="read-next"')[2].partition("</ul>")[0]
            papers = re.findall(r"<li>(.*?)</li>", read, re.DOTALL)
            with self.subTest(lesson=name):
                linked = [paper for paper in papers if any(f'href="{place}' in paper for place in PAPERS)]
                self.assertGreaterEqual(len(linked), 0.6 * len(papers))
                for title in re.findall(r'<a href="https:[^"]*">(.*?)</a>', read, re.DOTALL):
                    self.assertRegex(html.unescape(title), r'^"[^"]+"$')

    def test_a_page_with_all_that_it_loads_is_below_300_kb(self):
        sizes = {name: contents_of(name) for name in lesson_files.names()}
        self.assertEqual({name: size for name, size in sizes.items() if size > MOST_BYTES}, {})

    def test_the_index_says_of_every_lesson_what_it_is_and_builds_on(self):
        index = pages()["index.html"]
        self.assertEqual(re.findall(r'<li><a href="([^"]*)"', index),
                         [f"{name}.html" for name in lesson_files.names()])
        self.assertIn("the mean of a row, its variance, and layer normalization itself. ", text_of(index))
        self.assertIn("builds on 01", index)


class Marks(unittest.TestCase):
    def test_it_is_opened_with_the_passed_lessons_marked(self):
        copy = self.enterContext(WorkbookCopy())
        copy.solve("01_layer_norm")
        self.assertEqual(copy.make("check", LESSON="01").returncode, 0)
        copy.write("browser", '#!/bin/sh\necho "$1" >opened\n')
        (copy.path / "browser").chmod(0o755)
        opened = copy.run(["build/workbook", "start"], stdin=None, input="book\n",
                          env={"BROWSER": str(copy.path / "browser")})
        self.assertEqual((opened.returncode, opened.stderr), (0, ""))
        index = copy.read("opened").strip()
        self.assertEqual(index, str(copy.path / "build/book/index.html"))
        self.assertEqual(copy.read(index).count("passed</span>"), 1)
        self.assertIn("You passed this lesson.", copy.read("build/book/01_layer_norm.html"))
        self.assertNotIn("You passed this lesson.", copy.read("build/book/02_backward.html"))
        with self.subTest("and not in a book for others"):
            self.assertEqual(copy.make("book").returncode, 0)
            self.assertNotIn("passed</span>", copy.read(index))
        with self.subTest("without clang"):
            (copy.path / "checker/lessons/03_rms_norm/figure.c").unlink()
            (copy.path / "solutions/04_conditional_layer_norm.c").unlink()  # as in a hand-out
            still = copy.run(["make", "-s", "book"], env={"PATH": path_without("clang", copy.path / "bin")})
            self.assertEqual(still.returncode, 0, still.stderr)
            self.assertTrue(still.stderr.startswith(
                "Note: the figures in it stand still, for there is no clang here. Get them to move with:\n"
                "apt-get install clang\n"), still.stderr)
            page = copy.read("build/book/01_layer_norm.html")
            self.assertEqual((page.count('id="figure"'), page.count("</script>")), (1, 1))
            for name in ("03_rms_norm", "04_conditional_layer_norm"):
                self.assertNotIn('id="figure"', copy.read(f"build/book/{name}.html"))
        with self.subTest("without md4c"):
            (copy.path / "build/deps/md4c/md4c.c").unlink()
            without = copy.make("book")
            self.assertEqual((without.returncode, without.stderr.split(",")[0]), (2, "The book needs md4c"))
            self.assertIn("</html>", copy.read(index))


class ItsPlace(unittest.TestCase):
    def test_two_makers_at_once_leave_a_whole_book_at_every_moment_and_nothing_beside_it(self):
        """After each mv and rm of theirs it is looked at; what the exchange itself does is in unit_book.c."""
        copy = self.enterContext(WorkbookCopy())
        self.assertEqual(copy.make("book").returncode, 0)
        for name in ("mv", "rm"):
            copy.write(f"bin/{name}", f'#!/bin/sh\n{shutil.which(name)} "$@" || exit\n'
                                      'grep -q "</html>" build/book/index.html || echo "$@" >>gone\n')
            (copy.path / "bin" / name).chmod(0o755)
        copy.write("build/book/old", "")
        makers = [subprocess.Popen(["make", "-s", "book"], cwd=copy.path, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env={**os.environ, "OPEN": "",
                                       "PATH": f"{copy.path / 'bin'}:{os.environ['PATH']}"})
                  for _ in range(2)]
        said = [maker.communicate()[0] for maker in makers]
        self.assertEqual([maker.returncode for maker in makers], [0, 0], said)
        self.assertFalse((copy.path / "gone").exists() and copy.read("gone"))
        self.assertEqual({path.name for path in (copy.path / "build/book").iterdir()},
                         {path.name for path in BOOK.iterdir()})
        self.assertEqual([path.name for path in (copy.path / "build").glob("book.*")], [])


@unittest.skipUnless(PROGRAM, "there is no chromium here")
class InABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())

    def each_page(self):
        for name in pages():
            with self.subTest(page=name):
                self.browser.window(1440)
                self.browser.open(BOOK / name)
                yield name

    def test_every_page_is_read_well_and_asks_for_nothing_from_outside(self):
        for name in self.each_page():
            page = self.browser
            self.assertEqual(page.complaints(), [])
            self.assertEqual([url for url in page.asked_for()
                              if not url.startswith((f"file://{BOOK}/", "data:"))], [])
            self.assertEqual(page.shifts(), [])
            formulas = json.loads(page.run(
                "JSON.stringify([...document.querySelectorAll('math')].map(m => m.getBoundingClientRect()"
                ".width * m.getBoundingClientRect().height))"))
            self.assertEqual([size for size in formulas if size < 20], [])
            self.assertEqual(len(formulas) > 0, "<math" in (BOOK / name).read_text())
            for dark in (False, True):
                page.window(1440, dark=dark)
                found = json.loads(page.run(CONTRAST))
                self.assertGreater(found["looked_at"], 10)
                self.assertGreaterEqual(found["least"], LEAST_CONTRAST, found)
            for width in (1440, 360):
                page.window(width)
                self.assertEqual(page.run("document.documentElement.scrollWidth"), width)
            self.assertEqual(page.run("""[...document.querySelectorAll("mtext")].filter(words =>
                words.getBoundingClientRect().height > 40).length"""), 0)
            page.frame()  # the script hears of the width
            self.assertEqual(page.run(NO_SIGN_OF_MORE), [])

    def test_on_paper_it_is_black_on_white_whole_and_without_what_only_a_screen_has(self):
        page, paper = self.browser, 718  # A4 between a browser's margins, in its pixels
        self.addCleanup(page.window, 1440)
        for name in [f"{name}.html" for name in lesson_files.names()]:
            with self.subTest(page=name):
                page.window(paper, 1020, dark=True, media="print")
                page.open(BOOK / name)
                page.frame()
                self.assertEqual(page.run("[getComputedStyle(document.body).color, "
                                          "getComputedStyle(document.documentElement).backgroundColor]"),
                                 ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"])
                self.assertEqual(page.run("""[...document.querySelectorAll("button, input, header, nav, .cm-editor,"
                    + ".handle, .hit")].filter(one => one.getClientRects().length)
                    .map(one => one.outerHTML.slice(0, 80))"""), [])
                self.assertEqual(page.run(f"""[...document.querySelectorAll("math, svg, img, td, pre")].filter(
                    one => one.getBoundingClientRect().right > {paper}).map(one => one.outerHTML.slice(0, 80))"""), [])
        colours = lambda: page.run("""["--out", "--accent", "--soft", "--line"].map(name =>
            getComputedStyle(document.documentElement).getPropertyValue(name))""")
        by_night = colours()
        page.window(paper, 1020, media="print")
        self.assertEqual(by_night, colours())
        pages_on_paper = page.ask("Page.printToPDF")["data"]
        self.assertTrue(base64.b64decode(pages_on_paper).startswith(b"%PDF"))

    def test_the_bar_stays_and_the_contents_mark_what_is_being_read(self):
        page = self.browser
        for width in (360, 1440):
            page.window(width, 740)
            page.open(BOOK / "02_backward.html")
            page.run("document.getElementById('read-next').scrollIntoView({behavior: 'instant'})")
            page.frame()
            top, bottom, heading = page.run("""(() => { const bar = document.querySelector("header")
                .getBoundingClientRect(), heading = document.getElementById("read-next").getBoundingClientRect();
                return [bar.top, bar.bottom, heading.top]; })()""")
            self.assertEqual(top, 0)
            self.assertLess(bottom, min(heading, 70))  # one line, and nothing is behind it
            marked = "[...document.querySelectorAll('.contents [aria-current]')].map(link => link.hash)"
            page.run("document.getElementById('a-worked-example').scrollIntoView({behavior: 'instant'})")
            page.until(f"{marked}.join() === '#a-worked-example'")
            page.run("document.querySelector('.all summary').click()")
            self.assertEqual(page.run("document.querySelector('.all [aria-current]').textContent"),
                             "02 The Backward Pass")
            page.key("Escape")
            page.run("document.querySelector('.all summary').focus()")
            page.key("Escape")
            self.assertFalse(page.run("document.querySelector('.all').open"))

    def test_a_page_that_has_only_begun_has_all_at_its_place(self):
        page = self.browser
        for width in (360, 1440):
            page.window(width, 740)
            page.open(BOOK / "06_module.html")
            places = lambda: page.run("""[document.querySelector(".top").getBoundingClientRect().bottom,
                document.querySelector(".text").getBoundingClientRect().top]""")
            whole = places()
            page.run("""(document.querySelector(".text").replaceChildren(),
                document.querySelectorAll(".all, .steps, .search").forEach(one => one.remove()))""")
            self.assertEqual(places(), whole)

    def test_a_line_has_some_seventy_letters(self):
        page = self.browser
        page.window(1440)
        page.open(BOOK / "01_layer_norm.html")
        lines = page.run("""[...document.querySelectorAll(".text > p")].map(block => {
            const all = document.createRange();
            all.selectNodeContents(block);
            const lines = new Set([...all.getClientRects()].map(box => Math.round(box.bottom / 12)));
            return [block.textContent.length, lines.size];
        }).filter(([length, lines]) => lines > 3).map(([length, lines]) => length / lines)""")
        self.assertGreater(len(lines), 5)
        self.assertTrue(50 < sum(lines) / len(lines) < 80, lines)

    def test_a_block_is_copied_as_it_is_typed(self):
        page = self.browser
        page.window(1440)
        page.open(BOOK / "01_layer_norm.html")
        page.run("navigator.clipboard.writeText = async text => { copied = text; }")
        for block, wanted in (("pre.console", "make check LESSON=01\n"), ("pre.c", "float x[] = {1, 5, 2}")):
            page.run(f"""(() => {{ let place = document.querySelector(".text > {block}");
                while (!place.matches(".copy"))
                    place = place.previousElementSibling;
                place.querySelector("button").click(); }})()""")
            self.assertTrue(page.run("copied").startswith(wanted), page.run("copied"))

    def test_a_diagram_is_whole_and_readable_on_a_phone(self):
        page = self.browser
        for name in ("02_backward", "04_conditional_layer_norm", "11_pre_post_norm", "12_lstm"):
            page.window(360, 740)
            page.open(BOOK / f"{name}.html")
            for left, right, letters, beside in page.run("""[...document.querySelectorAll(".diagram svg")].map(svg => {
                    const box = svg.getBoundingClientRect(), boxes = [...svg.querySelectorAll("rect")];
                    return [box.left, box.right, 13 * box.width / svg.viewBox.baseVal.width,
                        [...svg.querySelectorAll("text:not(.note)")].filter(words => {
                            const of = words.getBBox(), middle = of.x + of.width / 2;
                            return of.width > 20 && !boxes.some(one => Math.abs(one.x.baseVal.value
                                + one.width.baseVal.value / 2 - middle) < 1 && one.width.baseVal.value > of.width);
                        }).map(words => words.textContent)];
                })"""):
                with self.subTest(page=name):
                    self.assertTrue(0 <= left < right <= 360, (left, right))
                    self.assertGreater(letters, 9)  # in pixels
                    self.assertEqual(beside, [])  # words that are not within a box

    def test_the_mistakes_have_their_contents_on_a_phone_too(self):
        page = self.browser
        page.window(360, 740)
        page.open(BOOK / "02_backward.mistakes.html")
        self.assertTrue(1 < page.run("document.querySelectorAll('.contents a').length"))
        self.assertTrue(50 < page.run("document.querySelector('.contents').getBoundingClientRect().height") < 370)

    def test_a_page_is_shown_without_its_script(self):
        self.browser.ask("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.ask, "Emulation.setScriptExecutionDisabled", value=False)
        self.browser.open(BOOK / "02_backward.html")
        tree = self.browser.ask("Accessibility.getFullAXTree")["nodes"]
        said = {}
        for node in tree:
            said.setdefault(node.get("role", {}).get("value"), []).append(node.get("name", {}).get("value"))
        first = lesson_files.Lesson("02_backward").read("lessons/{}.md").split("\n\n")[1]
        for role, name in (("heading", "Lesson 02: The Backward Pass"), ("group", "x: 1, 2, 6"),
                           ("image", "xhat: -0.9258, -0.4629, 1.389"),
                           ("StaticText", first.partition("`")[0].replace("\n", " "))):
            self.assertIn(name, said[role])
        self.assertFalse({"slider", "button"} & set(said), "what needs the script is there")
        for page in pages().values():  # and nothing that is shown waits for one
            self.assertEqual(re.findall(r"<script(?! defer| type=\"text/plain\")", page), [])

    def test_the_search_finds_a_section_of_any_page(self):
        page = self.browser
        page.window(1440)
        page.open(BOOK / "index.html")
        page.run("document.querySelector('#search').focus()")
        self.assertEqual(page.run("document.activeElement.id"), "search")
        page.ask("Input.insertText", text="cancellation")
        first = page.run("new Promise(done => { const look = () => { const link = document.querySelector("
                         "'#found a'); link ? done(link.getAttribute('href')) : setTimeout(look, 10); };"
                         " look(); })")
        self.assertRegex(first, r"^\d\d_\w+(\.mistakes)?\.html#[\w-]+$")
        page.key("ArrowDown")
        self.assertEqual(page.run("document.activeElement.getAttribute('href')"), first)
        page.key("Escape")
        self.assertTrue(page.run("document.querySelector('#found').hidden"))
        found = lambda: page.run("""[...document.querySelectorAll("#found a")].map(link =>
            [link.getAttribute("href"), link.textContent])""")
        def search(typed):
            page.run("document.querySelector('#search').value = ''")
            page.ask("Input.insertText", text=typed)
            page.until(f"document.querySelector('#search').value === {json.dumps(typed)}")

        for typed, wanted in (("n-1", "Why n and not n - 1"), ("\u03b5", "epsilon")):
            search(typed)
            self.assertIn(wanted, " ".join(text for _, text in found()), typed)
        search("n-1")
        as_one = found()
        search("n - 1")
        self.assertEqual(found(), as_one)
        search("rstd")
        kinds = ["mistakes" in link or "slips" in link for link, _ in found()]
        self.assertEqual(kinds, sorted(kinds))  # the texts come first
        search("zzzz nothing has this")
        self.assertIn("Nothing is found", page.run("document.querySelector('#found').textContent"))


@unittest.skipUnless(PROGRAM, "there is no chromium here")
@unittest.skipUnless(all(map(shutil.which, ("clang", "wasm-ld"))) and WASI.exists(),
                     "clang, lld or wasi-libc is missing")
class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())
        cls.browser.window(1440)

    def open(self, name):
        self.browser.open(BOOK / f"{name}.html")
        self.browser.run("new Promise(done => { const look = () => document.querySelector('.figure.moves')"
                         " ? done() : setTimeout(look, 5); look(); })")

    def bars(self):
        """[row, index, whether it can be dragged, low, high, number as it is written] of each bar."""
        return json.loads(self.browser.run("""JSON.stringify([...document.querySelectorAll(".bar")].map(
            bar => [+bar.dataset.row, +bar.dataset.index, bar.matches(".dragged"),
                    +bar.ownerSVGElement.dataset.low, +bar.ownerSVGElement.dataset.high,
                    bar.querySelector("text")?.textContent]))"""))

    def text(self, row, index):
        return next(bar[5] for bar in self.bars() if bar[:2] == [row, index])

    def handle(self, row, index):
        """Where the middle of a handle is in the window."""
        self.browser.run(f"bar = document.querySelector('[data-row=\"{row}\"][data-index=\"{index}\"]'); "
                         "bar.scrollIntoView({block: 'center', behavior: 'instant'})")
        return json.loads(self.browser.run("(() => { const box = bar.querySelector('.handle')"
                                           ".getBoundingClientRect(); return JSON.stringify([box.x + box.width"
                                           " / 2, box.y + box.height / 2]); })()"))

    def test_every_lesson_has_a_figure_which_its_script_leaves_as_it_is(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                figure = pages()[f"{name}.html"].partition('<figure class="figure"')[2].partition("</figure>")[0]
                still = re.findall(r'<text(?: class="(?:first|last)")? x[^>]*>([^<]*)</text>', figure)
                paths = re.findall(r'<path class="[^"]*"[^>]* d="([^"]*)"', figure)
                self.open(name)
                self.assertEqual([bar[5] for bar in self.bars() if bar[5] is not None], still)
                self.assertEqual(self.browser.run("[...document.querySelectorAll('.figure path')].map(path =>"
                                                  "path.getAttribute('d'))"), paths)
                self.assertEqual(self.browser.complaints(), [])
                self.assertEqual(self.browser.shifts(), [])

    def test_a_number_off_its_scale_has_a_sign_and_no_other(self):
        signs = 0
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                self.open(name)
                for end in ("Home", "End"):
                    self.browser.run("document.querySelector('.again button').click()")
                    for i in range(self.browser.run("document.querySelectorAll('.bar.dragged').length")):
                        self.browser.run(f"document.querySelectorAll('.bar.dragged')[{i}].focus()")
                        self.browser.key(end)
                    wrong, seen = self.browser.run("""(() => {
                        const module = document.querySelector(".figure").module;
                        let seen = 0;
                        return [[...document.querySelectorAll(".bar")].filter(bar => {
                            const number = module.get(+bar.dataset.row, +bar.dataset.index);
                            const { low, high } = bar.ownerSVGElement.dataset;
                            const sign = bar.querySelector(".beyond").getAttribute("d");
                            seen += sign !== "";
                            const above = /(-8|v12l8 -6)z$/.test(sign), below = /( 8|v12l-8 -6)z$/.test(sign);
                            return Number.isNaN(number) ? sign !== "" : (Math.fround(number) > Math.fround(high)) !==
                                above || (Math.fround(number) < Math.fround(low)) !== below;
                        }).map(bar => bar.outerHTML), seen];
                    })()""")
                    self.assertEqual(wrong, [])
                    signs += seen
        self.assertGreater(signs, 3)

    def test_the_mean_is_a_line_through_its_row_and_moves_with_it(self):
        for name in ("01_layer_norm", "03_rms_norm"):
            self.open(name)
            figure = pages()[f"{name}.html"]
            at = lambda: self.browser.run("document.querySelector('line.across').getAttribute('y1')")
            self.assertEqual(at(), re.search(r'<line class="across"[^>]* y1="([^"]*)"', figure)[1])
            still = float(at())
            ends = lambda: self.browser.run("""[...document.querySelectorAll(".away")].map(arrow =>
                arrow.getAttribute("d").match(/ ([\d.]+)V([\d.]+)/).slice(1))""")
            first = ends()
            self.browser.run("document.querySelectorAll('.bar.dragged')[1].focus()")
            self.browser.key("End")
            self.assertLess(float(at()), still)
            for (begins, _), (begun, _) in zip(ends(), first):  # the arrows from it to the row's numbers
                self.assertLess(float(begins), float(begun))
            self.assertAlmostEqual(float(self.browser.run("document.querySelector('[data-number]').textContent")),
                                   self.browser.run("document.querySelector('.figure').module.get("
                                                    "document.querySelector('[data-number]').dataset.number, 0)"),
                                   places=2)

    def test_a_line_to_a_token_is_as_thick_as_its_weight(self):
        self.open("10_transformer_block")
        shown = lambda: self.browser.run("""[...document.querySelectorAll(".bar:has(.weight)")].map(bar => [
            +bar.querySelector(".weight").getAttribute("stroke-width"),
            document.querySelector(".figure").module.get(+bar.dataset.row, +bar.dataset.index)])""")
        still = re.findall(r'class="weight"[^>]*stroke-width="([^"]*)"', pages()["10_transformer_block.html"])
        self.assertEqual([thick for thick, _ in shown()], [float(thick) for thick in still])
        self.browser.run("[...document.querySelectorAll('.bar.dragged')].pop().focus()")
        self.browser.key("Home")  # not kept
        for thick, weight in shown():
            self.assertAlmostEqual(thick, 16 * weight, delta=0.006)
        self.assertEqual((len(shown()), shown()[2]), (3, [0, 0]))

    def test_another_idea_has_its_words_above_its_numbers(self):
        for name in ("05_batch_norm", "07_stability", "14_initialization"):
            self.open(name)
            self.assertEqual(self.browser.run("""[...document.querySelector(".figure").children].map(
                part => part.className).filter(kind => kind === "panels" || kind === "part")"""),
                             ["panels", "part", "panels"])

    def test_groups_have_their_frames(self):
        frames = lambda: self.browser.run(
            "[...document.querySelectorAll('.groups')].map(path => path.getAttribute('d').match(/Z|H/g).join(''))")
        self.open("08_shapes")
        self.assertEqual(frames(), ["HH", "HHZHHZ", "HHZ", "HH"])  # Z: a frame; else a line below
        self.open("09_group_norm")
        self.assertEqual(frames(), ["HHZHHZ"] * 4)
        self.browser.run("document.querySelectorAll('.bar.dragged')[8].focus()")
        self.browser.key("End")
        self.assertEqual(frames(), ["HHZ" * 4] * 4)
        self.browser.key("Home")
        self.assertEqual(frames(), ["HHZ"] * 4)

    def test_its_numbers_are_those_of_the_c_code_bit_for_bit(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                native = native_figure(name)
                self.open(name)
                bars, draw = sorted(self.bars()), random.Random(name)
                for _ in range(10):
                    given = [(row, i, struct.unpack("f", struct.pack("f", draw.uniform(low, high)))[0])
                             for row, i, dragged, low, high, _ in bars if dragged]
                    got = json.loads(self.browser.run(f"""(() => {{
                        const module = document.querySelector(".figure").module;
                        for (const [row, i, number] of {json.dumps(given)})
                            module.set(row, i, number);
                        module.compute();
                        const numbers = {json.dumps(bars)}.map(([row, i]) => module.get(row, i));
                        return JSON.stringify([...new Uint32Array(new Float32Array(numbers).buffer)]);
                    }})()"""))
                    lines = "".join(f"{row} {i} {number!r}\n" for row, i, number in given)
                    answer = subprocess.run([native, "numbers"], input=lines, text=True, check=True,
                                            stdout=subprocess.PIPE).stdout.split()
                    self.assertEqual(list(map(one_nan, got)), list(map(one_nan, map(int, answer))))

    def test_a_drag_moves_its_number_and_what_follows_from_it(self):
        self.open("01_layer_norm")
        page, before = self.browser, self.text(7, 1)
        x, y = self.handle(0, 1)
        page.mouse("mousePressed", x, y)
        page.mouse("mouseMoved", x, y + 20)
        moved, y_moved = self.text(0, 1), self.text(7, 1)
        self.assertLess(float(moved), 30)
        self.assertNotEqual(y_moved, before)
        page.mouse("mouseReleased", x, y + 20)
        page.mouse("mouseMoved", x, y + 26)  # still on the handle
        self.assertEqual(self.text(0, 1), moved)
        self.assertAlmostEqual(float(page.run("document.querySelector('[data-number]').textContent")),
                               (10 + float(moved) + 20) / 3, places=2)
        page.run("document.querySelector('.again button').click()")
        self.assertEqual((self.text(0, 1), self.text(7, 1)), ("50", before))

    def test_a_number_alone_is_dragged_along_its_scale(self):
        self.open("01_layer_norm")
        page = self.browser
        x, y = self.handle(3, 0)
        page.mouse("mousePressed", x, y)
        page.mouse("mouseMoved", x + 20, y + 40)
        page.mouse("mouseReleased", x + 20, y + 40)
        self.assertAlmostEqual(float(self.text(3, 0)), 1 + 20 / 134 * 1.5, delta=0.02)  # 134 pixels for 1.5
        self.assertEqual(page.run("document.querySelector('[data-row=\"3\"]').getAttribute('aria-orientation')"),
                         "horizontal")

    def test_on_a_phone_what_is_dragged_and_what_it_changes_are_in_view_together_and_a_finger_fits(self):
        page = self.browser
        page.window(360, 740)
        self.addCleanup(page.window, 1440)
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                self.open(name)
                unseen, thin, cut = page.run("""(() => {
                    const figure = document.querySelector(".figure"), module = figure.module, unseen = [];
                    const bars = [...figure.querySelectorAll(".bar")], dragged = bars.filter(bar => bar.matches(".dragged"));
                    const number = bar => module.get(+bar.dataset.row, +bar.dataset.index);
                    const bar = document.querySelector("header").getBoundingClientRect();
                    const first = bars.map(number), thin = [];
                    for (const one of dragged) {
                        const svg = one.ownerSVGElement, own = number(one), changed = new Set();
                        for (const end of [+svg.dataset.low, +svg.dataset.high]) {
                            module.set(+one.dataset.row, +one.dataset.index, end);
                            module.compute();
                            bars.forEach((other, i) => Object.is(number(other), first[i])
                                || changed.add(other.ownerSVGElement));
                        }
                        module.set(+one.dataset.row, +one.dataset.index, own);
                        module.compute();
                        svg.scrollIntoView({block: "center", behavior: "instant"});
                        for (const other of changed) {
                            if (other.closest(".panels") !== svg.closest(".panels"))
                                continue; // another idea
                            const box = other.getBoundingClientRect();
                            if (box.top < bar.height || box.bottom > 740 || box.left < 0 || box.right > 360)
                                unseen.push([svg.dataset.name, other.dataset.name, box.top, box.bottom]);
                        }
                        const boxes = [...svg.querySelectorAll(".hit")].map(hit => hit.getBoundingClientRect());
                        if (boxes.some((box, i) => box.width < 43.9 || box.height < 43.9
                            || (i && box.left - boxes[i - 1].left < 43.9)))
                            thin.push(svg.dataset.name);
                    }
                    const boxes = [...figure.querySelectorAll("text")].map(text => text.getBoundingClientRect());
                    return [unseen, thin, boxes.filter(box => box.left < 0 || box.right > 360).map(box => box.left)];
                })()""")
                self.assertEqual((unseen, thin, cut), ([], [], []))

    def test_a_finger_drags_as_well(self):
        self.open("01_layer_norm")
        x, y = self.handle(0, 0)
        touch = lambda kind, *points: self.browser.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        touch("touchStart", {"x": x, "y": y})
        for way in range(4, 29, 4):
            touch("touchMove", {"x": x, "y": y - way})
        touch("touchEnd")
        self.assertAlmostEqual(float(self.text(0, 0)), 10 + 28 / 66 * 120, delta=2)  # 66 pixels for 120

    def test_the_keys_move_a_number_and_say_it(self):
        self.open("01_layer_norm")
        page = self.browser
        page.run("bar = document.querySelector('[data-row=\"0\"][data-index=\"2\"]'); bar.focus()")
        said = lambda what: page.run(f"bar.getAttribute('{what}')")
        self.assertEqual((said("role"), said("aria-label"), said("aria-valuenow")), ("slider", "x[2]", "20"))
        for key, number in (("ArrowUp", "21"), ("ArrowLeft", "20"), ("PageUp", "30"), ("Home", "-60"),
                            ("ArrowDown", "-60"), ("End", "60")):
            page.key(key)
            self.assertEqual((key, self.text(0, 2), said("aria-valuetext")), (key, number, number))
        page.run("document.querySelector('[data-row=\"6\"]').focus()")
        page.key("ArrowUp")
        self.assertEqual(self.text(6, 0), "3.162e-5")  # a scale of powers: half of one
        self.open("11_pre_post_norm")
        page.run("document.querySelector('[data-row=\"3\"]').focus()")
        page.key("ArrowDown")
        self.assertEqual(self.text(3, 0), "23")  # a depth is a whole number


def one_nan(bits):
    return "nan" if bits & 0x7F800000 == 0x7F800000 and bits & 0x7FFFFF else bits


def native_figure(name):
    """The program that answers for a figure on this machine. What tanhf() rounds to is the C library's
    choice; WebAssembly's is musl."""
    solution = ROOT / f"solutions/{name}.c"
    if "tanhf(" not in solution.read_text():
        return ROOT / "build" / name / "still"
    if not shutil.which("musl-gcc"):
        raise unittest.SkipTest("there is no musl-gcc here, and the solution calls tanhf()")
    program = ROOT / "build" / "tests" / f"{name}.still"
    subprocess.run(["musl-gcc", "-static", "-std=c11", "-O2", "-ffp-contract=off", "-Iinclude", "-Ichecker/book",
                    f"checker/lessons/{name}/figure.c", solution, "checker/book/still.c", "-lm", "-o", program],
                   cwd=ROOT, check=True)
    return program


if __name__ == "__main__":
    unittest.main()
