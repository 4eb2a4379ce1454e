"""The book's pages are where a learner writes: an editor behind each step, and below it what the checker says. In
Chromium, from the disk.
"""

import json
import re
import subprocess
import unittest

import lesson_files
from lesson_files import ROOT
from workbook_copy import WorkbookCopy
from writing import BOOK, CONTROL, LESSON, SLOW, SOLUTION, STUB, WRONG, InABrowser, Page, make_book, without_seconds

MEAN = """
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
"""
VARIANCE = """
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / (float)features;
"""
NORM = """
    for (int r = 0; r < rows; r++) {
        const float *in = x + r * features;
        float mean = row_mean(in, features);
        float scale = 1.0f / sqrtf(row_variance(in, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[r * features + j] = gamma[j] * (in[j] - mean) * scale + beta[j];
    }
"""
setUpModule = make_book


class Written(InABrowser):

    # ---- the editor ----
    def test_behind_each_step_is_the_editor_with_the_stub(self):
        page = Page(self.browser)
        page.bring_near()
        self.assertIn("\n".join(page.lines()[:5]), STUB)
        self.assertEqual(page.run("workbook.lesson"), {"number": "01", "name": LESSON})
        self.assertEqual(page.all(".opener"),
                         ["Write row_mean here", "Write row_variance here", "Write layer_norm here"])
        page.press(".opener", 2)
        self.assertEqual(page.run("document.querySelector('.bench').parentElement.dataset.step"), "layer_norm")
        self.browser.insert("int here;")  # it is where the function's body begins
        self.assertRegex("\n".join(page.lines()), r"\{\n    /\* Your code here: normalize.*int here;")
        self.assertEqual(self.browser.complaints(), [])

    def test_every_lessons_steps_have_their_places(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                text = lesson_files.Lesson(name).read("lessons/{}.md")
                steps = re.findall(r"(?m)^##+ Step \d+: (.*)$", text)
                page = (BOOK / f"{name}.html").read_text()
                self.assertEqual(re.findall(r'<section class="write" [^>]*data-step="([^"]*)"', page), steps)
                self.assertEqual(len(re.findall(r'<a href="#[^"]*" data-step=', page)), len(steps))
                self.assertEqual(page.count('class="block-tools"'), len(re.findall(r"(?m)^```c run$", text)))
                functions = re.findall(r"\b\w+(?=\()", lesson_files.Lesson(name).read("include/{}.h"))
                for step in steps:
                    self.assertTrue(set(re.findall(r"\w+", step)) & set(functions), step)

    def test_a_slash_that_is_typed_is_a_division(self):
        page = Page(self.browser)
        page.write("sum")
        for key in "/n":
            self.browser.key(key)
        self.assertEqual((page.lines(), page.run("document.activeElement.className.split(' ')[0]")),
                         (["sum/n"], "cm-content"))

    def test_escape_and_then_tab_leaves_the_editor(self):
        page = Page(self.browser)
        page.bring_near()
        inside = "document.querySelector('.bench .cm-content').contains(document.activeElement)"
        before = len("".join(page.lines()))
        page.run("document.querySelector('.bench .cm-content').focus()")
        self.browser.key("Tab")
        self.assertTrue(page.run(inside))
        self.assertEqual(len("".join(page.lines())), before + 4)
        self.browser.key("Escape")
        self.browser.key("Tab")
        self.assertFalse(page.run(inside))

    def test_a_screen_reader_is_told_what_the_editor_is(self):
        page = Page(self.browser)
        page.bring_near()
        nodes = self.browser.ask("Accessibility.getFullAXTree")["nodes"]
        said = {(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in nodes}
        for one in (("textbox", f"{LESSON}.c, your code"), ("button", "Check"), ("button", "Hint"),
                    ("log", "What the checker says"), ("navigation", "Steps")):
            self.assertIn(one, said)
        told = [node["description"]["value"] for node in nodes if node.get("name", {}).get("value") ==
                f"{LESSON}.c, your code" and "description" in node]
        self.assertIn("Escape, then Tab, leaves the editor.", " ".join(told))

    def test_it_can_be_searched(self):
        page = Page(self.browser)
        page.bring_near()
        page.run("document.querySelector('.bench .cm-content').focus()")
        self.browser.chord("f", CONTROL)
        self.browser.until("document.activeElement.matches('.cm-textfield')")
        self.browser.insert("variance")
        self.browser.key("Enter")  # its end is what the field goes by, as behind every key
        self.browser.key("Enter")
        self.browser.until("document.querySelector('.cm-searchMatch-selected')?.textContent === 'variance'")

    # ---- the verdict ----
    def test_it_says_what_make_check_says(self):
        page, copy = Page(self.browser), self.enterContext(WorkbookCopy())
        for name, text in {"the stub": STUB, "a wrong one": WRONG, "the solution": SOLUTION}.items():
            with self.subTest(name):
                copy.write(f"exercises/{LESSON}.c", text)
                native = copy.make("check", LESSON="01", SEED="7").stdout
                self.assertEqual(page.verdict_of(text, 7), without_seconds(native))

    def test_a_newcomer_solves_the_first_lesson_by_keys_alone(self):
        page = Page(self.browser)
        page.bring_near()
        for step, (code, said) in enumerate(((MEAN, "2 passed, 0 failed, 7 not reached"),
                                             (VARIANCE, "5 passed, 0 failed, 4 not reached"), (NORM, "9 passed, 0 failed"))):
            if step == 0:  # that one is opened
                page.run("document.querySelector('.bench .cm-content').focus()")
            else:
                page.run(f"document.querySelectorAll('.opener')[{step}].focus()")
                self.browser.key("Enter")
            self.browser.frame()
            self.browser.insert(code)
            self.browser.chord("Enter", CONTROL)
            page.until_said(said)
        self.assertIn("Lesson 01 is passed.", page.said())
        self.assertEqual(page.all(".steps a", "dataset.mark"), ["passes"] * 3)
        page.browser.open(BOOK / "index.html")
        self.browser.until("document.querySelector('.lessons span.done')")
        self.assertEqual(page.all(".lessons span.done"), ["\u2713 passed"])

    def test_it_checks_as_one_types_if_that_is_wished(self):
        page = Page(self.browser)
        page.write(STUB)
        page.press(".auto input")
        page.write(SOLUTION)
        page.until_said("9 passed")
        Page(self.browser)
        self.assertTrue(page.run("document.querySelector('.auto input').checked"))

    def test_the_line_is_marked_and_the_section_is_a_link(self):
        page = Page(self.browser)
        page.write(WRONG)
        said = page.check()
        line = int(re.search(r"It is made in line (\d+) of your file", said)[1])
        self.assertIn("features - 1", WRONG.split("\n")[line - 1])
        page.press(".verdict button.link")
        self.assertEqual(page.all(".cm-line.wrong-line"),
                         [WRONG.split("\n")[line - 1]])
        file, _, section = page.all(".verdict a", "getAttribute('href')")[0].partition("#")
        self.assertIn(f'id="{section}"', (BOOK / file).read_text())

    def test_every_section_that_a_verdict_names_is_where_the_link_leads(self):
        sections = [(path.name[:-3], title) for path in sorted((BOOK.parents[1] / "lessons").glob("*.m*.md"))
                    for title in re.findall(r"(?m)^## (.*)$", path.read_text())]
        self.assertGreater(len(sections), 100)
        lines = [f'     See lessons/{file}.md, "{title}".' for file, title in sections if not set(title) & set('"`')]
        script = f"""import {{ firstLink }} from "{ROOT}/checker/book/verdict.js";
                     console.log(JSON.stringify({json.dumps(lines)}.map((line) => firstLink(line)[2].href)))"""
        done = subprocess.run(["node", "--input-type=module", "-e", script], text=True, check=True, capture_output=True)
        for line, link in zip(lines, json.loads(done.stdout), strict=True):
            file, _, section = link.partition("#")
            self.assertIn(f'id="{section}"', (BOOK / file).read_text(), line)

    def test_a_compile_errors_line_is_marked(self):
        page = Page(self.browser)
        page.write(STUB.replace("return 0.0f;", "return 0.0f", 1))
        said = page.check("does not compile")
        self.assertRegex(said, rf"exercises/{LESSON}\.c:\d+")
        self.assertEqual(len(page.all(".cm-line.wrong-line")), 1)

    def test_what_was_printed_stands_behind_a_bar(self):
        page = Page(self.browser)
        page.write(SOLUTION.replace("float sum", 'printf("<b>here</b>\\n");\n    float sum', 1)
                   .replace("#include <math.h>", "#include <math.h>\n#include <stdio.h>"))
        self.assertIn("  | <b>here</b>\n", page.check())
        self.assertEqual(page.all(".verdict b"), [])

    def test_every_line_is_in_sight(self):
        page = Page(self.browser)
        page.write(WRONG)
        page.check()
        for width in (1440, 360):
            self.browser.window(width)
            inside = page.run("""(() => { const all = document.querySelector(".verdict").getBoundingClientRect();
                return [...document.querySelectorAll(".verdict > div")].map((line) => line.getBoundingClientRect())
                    .every((line, i, lines) => line.left >= all.left && line.right <= all.right && line.height > 5
                        && (!i || line.top >= lines[i - 1].bottom - 1)); })()""")
            self.assertTrue(inside)
        self.browser.window(1440)

    def test_hints_come_one_by_one(self):
        page = Page(self.browser)
        page.bring_near()
        for words in ("Hint 1 of 3 for row_mean", "Hint 2 of 3", "Hint 3 of 3"):
            page.press(".bench .hint")
            page.until_said(words, ".more-said")
        page.write(WRONG)
        for words in ("Hint 1 of 2 on your own", "would be", "Hint 1 of 3 for"):
            page.press(".bench .hint")
            page.until_said(words, ".more-said")

    def test_a_call_is_tried_with_numbers(self):
        page = Page(self.browser)
        page.write(WRONG)
        page.check()
        page.press(".verdict .said button.link", 1)
        page.until_said("reference", ".more-said")
        page.run("document.querySelector('.try input').value = '1 2 3'")
        page.press(".try button")
        page.until_said("x is 1 row of 3", ".more-said")

    def test_stop_ends_it_at_once_and_the_page_never_stalls(self):
        page = Page(self.browser)
        page.write(SLOW)
        page.run("""window.longest = 0; (function look(before) { requestAnimationFrame((now) => {
            window.longest = Math.max(window.longest, now - before); window.frames_seen = (window.frames_seen || 0) + 1;
            look(now); }); })(performance.now())""")
        page.press(".check")
        self.browser.until("window.frames_seen > 20")  # while it goes on
        self.assertEqual(page.run("document.querySelector('.check').textContent"), "Stop")
        page.press(".check")
        page.until_said("Stopped.")
        page.write(SOLUTION)
        self.assertIn("9 passed", page.check())

    # ---- the text's own code ----
    def test_a_block_of_the_text_is_run_changed_and_put_back(self):
        page = Page(self.browser)
        page.write(SOLUTION)
        page.press(".block-tools button")
        said = page.until_said("1.3728", ".block-said")
        self.assertEqual(said, page.all("pre.output")[0])
        page.press(".block-tools button", 1)
        self.browser.until("document.querySelector('.block-editor .cm-content') === document.activeElement")
        self.browser.insert('printf("changed\\n");')
        self.browser.chord("Enter", CONTROL)
        page.until_said("changed", ".block-said")
        page.press(".block-tools button", 2)
        self.assertEqual(page.said(".block-said"), "")
        self.assertFalse(page.run("document.querySelector('pre.c.run').hidden"))

    def test_every_block_prints_what_the_text_says(self):
        for name in lesson_files.names():
            with self.subTest(lesson=name):
                lesson = lesson_files.Lesson(name)
                page = Page(self.browser, name)
                page.write(lesson.read("solutions/{}.c"))
                wanted = re.findall(r"(?ms)^```c run\n.*?^```\n```output\n(.*?)^```", lesson.read("lessons/{}.md"))
                count = page.run("document.querySelectorAll('pre.c.run').length")
                for i in range(count):
                    page.press(".block-tools button:first-child", i)
                self.browser.until("[...document.querySelectorAll('.block-said:not(.lab-here *)')].every(one => one.textContent)")
                self.assertEqual([said for said in page.all(".block-said") if said in wanted], wanted)


if __name__ == "__main__":
    unittest.main()
