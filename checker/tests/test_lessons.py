"""Holds every lesson to what it promises: python3 checker/tests/test_lessons.py [NN_name ...]

The lessons are those that have a folder checker/lessons/NN_name/; nothing here lists them. Learner code is
always judged by the real checker, build/NN_name/check, in a process of its own. Compiling is what
takes the time: two files at once.
"""

import functools
import json
import re
import sys
import unittest

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import lesson_files
import lesson_programs as programs
from lesson_files import CC, ROOT, Lesson
from lesson_programs import STRICT, all_of, refusals, run
from workbook_copy import WorkbookCopy

SEEDS = (1, 77, 1234)
STATEMENT = re.compile(r"(return [^;:]+|[\w>.-]+(?:\[[^\]]*\])* [-+*/]?= [^;:]+);")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?")
LESS_ONE = re.compile(r"(\w* ?\(?)\b(\w+ - 1\b)")
# What is allowed over what is needed, at most. A sum of n terms is charged n roundings, as many as the
# worst order of adding makes; they really add up like their root. Hence more for more than 64 terms.
WIDEST = {"small": 15, "middle": 15, "large": 25}
# A sequence of calls hands its numbers on, with the worst of each call, which hardly ever meet: twice that;
# and three times where they go through eight steps of four calls each, and back.
OF_SEQUENCES, THROUGH_TIME = 2, {"12_lstm": 3}
# What a program may not stop at: more than were ever asked for at once, or an eps that is left out.
LIMITS = [("rows", "> 97"), ("batch", "> 4099"), ("features", "> 4099"), ("eps", "== 0"),
          ("pixels", "> 4099"), ("groups", "> 97")]
# What no formula says: memory and its lack, products of a list, many steps one after the other.
NO_FORMULA = {"06_module": ["forward_refused", "forward_without_memory", "free_new", "init_fields", "init_refused",
                            "init_without_memory", "lives", "train"],
              "12_lstm": ["backward_steps", "forward_steps"]}


def is_near(value, numbers):
    """Is it one of these, as far as a page writes a number out?"""
    return any(abs(value - number) <= 1e-4 * number for number in numbers)


@functools.cache
def of_pytorch():
    """What it says of the vectors of all lessons: it takes longer to begin than to calculate. None without it."""
    if run(["/usr/bin/python3", "-c", "import torch"]).returncode:
        return None
    checked = run(["/usr/bin/python3", "checker/vectors.py", "--check"])
    return checked.stdout + checked.stderr


class OneLesson:
    """The tests of one lesson; load_tests() makes a test case of it for each."""

    lesson = None
    maxDiff = 4000

    def graded(self, source, seed=SEEDS[0]):
        """The checker's report on one C file, the line left aside: no test here asks for it."""
        command = [f"build/{self.lesson.name}/check", "--impl", str(source), "--no-line", "--format", "json",
                   "--seed", str(seed)]
        result = run(command)
        try:
            return json.loads(result.stdout)["lessons"][0]
        except (ValueError, KeyError, IndexError):
            self.fail(f"{' '.join(command)} printed no report: {result.stdout}{result.stderr}")

    def scratch_file(self, name, text):
        return programs.scratch_file(self.lesson, name, text)

    def scratch_files(self, stem, sections):
        return programs.scratch_files(self.lesson, stem, sections)

    def stub(self):
        return self.lesson.read("checker/lessons/{}/stub.c")

    def test_it_has_all_its_parts(self):
        for part in lesson_files.PARTS:
            path = part.format(self.lesson.name)
            with self.subTest(part=path):
                self.assertTrue((ROOT / path).is_file(), f"{path} is missing")

    def test_its_text_has_all_sections_and_there_is_one_for_every_mistake(self):
        headings = self.lesson.headings("lessons/{}.md")
        with self.subTest(what="sections, in order"):
            wanted = list(lesson_files.BEFORE_STEPS)
            for number, step in enumerate(filter(lesson_files.STEP.fullmatch, headings), 1):
                more = lesson_files.MORE.format(number)
                wanted += [step] + [more] * (more in headings)
            wanted += [h for h in lesson_files.BEHIND_STEPS if h in headings or h not in lesson_files.IF_ANY]
            self.assertEqual(headings, wanted)
        told = self.lesson.headings("lessons/{}.mistakes.md")
        mistakes = self.lesson.mistakes()
        for mistake in mistakes:
            with self.subTest(mistake=mistake.id):
                self.assertIn(mistake.section, told)
        with self.subTest(what="no section about a mistake that cannot be named"):
            self.assertEqual(set(told) - {mistake.section for mistake in mistakes}, set())

    def test_a_keystroke_comes_soon_and_every_function_has_its_step(self):
        headings = self.lesson.headings("lessons/{}.md")
        words = self.lesson.words("lessons/{}.md")
        steps = [i for i, heading in enumerate(headings) if lesson_files.STEP.fullmatch(heading)]
        found = [lesson_files.STEP.fullmatch(headings[i]).groups() for i in steps]
        self.assertEqual([int(number) for number, _ in found], list(range(1, len(found) + 1)))
        named = [name for _, names in found for name in re.findall(r"\w+_\w+|\w+", names)]
        self.assertEqual([f for f in self.lesson.functions() if f not in named], [])
        self.assertLessEqual(sum(words[:steps[0] + 1]), 600, "words before the first step")
        for first, second in zip(steps, steps[1:]):
            with self.subTest(step=headings[first]):
                self.assertLessEqual(sum(words[first + 1:second + 1]), 700, "words to the next step")

    def test_no_line_of_code_in_its_texts_is_wider_than_72_columns(self):
        """It would be broken inside an expression in a terminal of 80, and scroll in the book."""
        code = "".join(code for kind, code in self.lesson.blocks() if kind.split()[:1] == ["c"])
        self.assertEqual([line for line in code.splitlines() if len(line) > 72], [])

    def test_no_line_of_a_paragraph_begins_as_an_item_of_a_list(self):
        """Markdown would make one of it: "k", and in the next line "* channels"."""
        for text in lesson_files.TEXTS:
            prose = re.sub(r"^```.*?^```$", "", self.lesson.read(text), flags=re.MULTILINE | re.DOTALL)
            self.assertEqual(re.findall(r"^(?![ |*+-]|\d+\. )\S.*\n *[*+-] .*", prose, re.MULTILINE), [])
            self.assertEqual(re.findall(r"^ *(?:[*+-]|\d+\.) .*\n +[*+] .*", prose, re.MULTILINE), [])

    def test_its_text_begins_with_what_it_needs_and_ends_with_what_comes_next(self):
        needs = re.search(r'\.needs = "([^"]*)"', self.lesson.read("checker/lessons/{}/lesson.c"))
        text = self.lesson.read("lessons/{}.md")
        told = re.search(r"You need lessons? (\d\d(?:(?:, | and )\d\d)*)", " ".join(text.split("\n## ")[0].split()))
        asked = set(needs[1].split()) if needs else set()
        self.assertEqual(asked, set(re.findall(r"\d\d", told[1] if told else "")))
        self.assertRegex(text.rsplit("\n\n", 1)[1], "^Next: ")

    def test_every_function_has_three_hints(self):
        hints = self.lesson.hints()
        self.assertEqual(list(hints), self.lesson.functions())
        for function, tiers in hints.items():
            with self.subTest(function=function):
                self.assertEqual(len(tiers), 3)

    def test_every_statement_in_a_hint_stands_in_a_right_answer(self):
        """In the solution or in a style that is graded below. And where prose says "n - 1", it is the end
        of a loop, or the solution says so too."""
        solution = self.lesson.read("solutions/{}.c")
        code = " ".join([solution, *(style.code for style in self.lesson.sections("right", "style"))])
        code = re.sub(r"\s+", " ", code)
        for function, tiers in self.lesson.hints().items():
            said = " ".join(" ".join(tiers).split())
            for statement in STATEMENT.findall(said):
                with self.subTest(function=function, statement=statement):
                    self.assertIn(statement + ";", code)
            for before, less in LESS_ONE.findall(said):
                with self.subTest(function=function, less=less):
                    self.assertTrue(before == "to " or less in solution, f"{before}{less}")

    def test_the_exercise_is_the_stub(self):
        """As it was committed: what a learner has written since is theirs."""
        name = f"exercises/{self.lesson.name}.c"
        committed = run(["git", "show", f"HEAD:{name}"])
        text = (ROOT / name).read_text() if committed.returncode else committed.stdout
        self.assertEqual(text, self.stub())

    def test_the_stub_builds_without_a_warning_and_passes_nothing(self):
        source = self.scratch_file("stub.c", self.stub())
        compiled = run([CC, *STRICT, "-c", str(source), "-o", f"{source}.o"])
        self.assertEqual(compiled.stderr, "")
        # A changed line makes it a file that somebody has begun to work on.
        report = self.graded(self.scratch_file("begun.c", self.stub() + "\n/* begun */\n"))
        self.assertIsNone(report["build_error"])
        self.assertEqual({check["status"] for check in report["checks"]}, {"not reached"})
        waiting = {check["step"] for check in report["checks"]
                   if check["details"] == ["not written yet"]}
        self.assertEqual(waiting, set(self.lesson.functions()))

    def test_the_solution_passes_whatever_the_seed(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                report = self.graded(f"solutions/{self.lesson.name}.c", seed)
                self.assertEqual(refusals(report), [])

    def test_every_style_of_a_right_answer_passes(self):
        styles = self.lesson.sections("right", "style")
        self.assertGreaterEqual(len(styles), 6, "six styles or more")
        files = self.scratch_files("right", styles)
        for style, report in zip(styles, all_of(self.graded, files)):
            with self.subTest(style=style.title):
                self.assertEqual(refusals(report), [])
        print(f"     {self.lesson.name}: {len(styles)} styles of a right answer")

    def test_what_is_allowed_is_what_right_styles_need_and_hardly_more(self):
        """Held against what float32 really does, over the vectors and five seeds (bounds.c): no style
        is refused, and none of the allowed errors is far larger than the largest that any style made."""
        files = self.scratch_files("right", self.lesson.sections("right", "style"))
        result = run([f"build/{self.lesson.name}/bounds", *map(str, files)])
        self.assertEqual(result.returncode, 0, result.stderr)
        groups = re.findall(r"(\w+ \w+) (small|middle|large) (\S+) of (.*)", result.stdout)
        times = THROUGH_TIME.get(self.lesson.name, OF_SEQUENCES if self.lesson.has_calls() else 1)
        self.assertEqual(len(groups), result.stdout.count("\n"))
        self.assertTrue(groups)
        widest = 0
        for output, size, used, where in groups:
            widest = max(widest, 1 / float(used))
            with self.subTest(output=output, size=size):
                self.assertLessEqual(float(used), 1, f"a right answer is refused: {where}")
                self.assertLessEqual(1 / float(used), times * WIDEST[size],
                                     f"allowed, over what is needed: {where}")
        print(f"     {self.lesson.name}: in {len(groups)} groups of outputs and sizes at most {widest:.1f} "
              "times of what a style needs is allowed")

    def test_what_does_nothing_beyond_a_size_or_for_no_eps_is_not_right(self):
        """No buffer is known to be enough: what the odd shapes draw is larger than any fixed one."""
        folder = ROOT / "checker" / "lessons" / self.lesson.name
        text = "".join(path.read_text() for path in [folder / "lesson.c", *folder.glob("*.h")])
        shaped = set(re.findall(r"case_of_shape\(cases, rng, ([^,]+),", text))
        if "odd_shape(" not in text and len(shaped) < len(self.lesson.functions()):
            self.skipTest("its shapes are its own")
        for parameter, condition in LIMITS:
            wrapped = self.lesson.wrapped(parameter, f"if ({parameter} {condition})")
            with self.subTest(limit=f"{parameter} {condition}"):
                if wrapped.code:
                    [path] = self.scratch_files(f"limit_{parameter}", [wrapped])
                    failed = {check["step"] for check in self.graded(path)["checks"]
                              if check["status"] == "failed"}
                    self.assertEqual(failed, set(wrapped.functions()))

    def test_no_seed_refuses_it(self):
        """A hundred seeds here, and once 30,000: build/NN_name/check --draws 30000."""
        result = run([f"build/{self.lesson.name}/check", "--draws", "100", "--seed", "1"])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"cases of 100 seeds from 1; 0 broken promises")

    def test_every_mistake_fails_and_is_named(self):
        known = {mistake.id: mistake.steps.split() for mistake in self.lesson.mistakes()}
        wrong = self.lesson.sections("wrong", "mistake")
        titles = {section.title for section in wrong}
        with self.subTest(what="each mistake is made at least once"):
            self.assertEqual(set(known) - titles, set())
        with self.subTest(what="in each function that can make it, alone or in a pair"):
            ways = {(name, function) for section in wrong for name in section.title.split(" + ")
                    for function in section.functions()}
            steps = {(name, step) for name in known for step in known[name]}
            self.assertEqual({way for way in steps - ways if way[1] in self.lesson.functions()}, set())
        pairs = {title for title in titles if " + " in title}
        with self.subTest(what="three pairs or more"):
            self.assertGreaterEqual(len(pairs), 3)
        files = self.scratch_files("wrong", wrong)
        for section, path, report in zip(wrong, files, all_of(self.graded, files)):
            with self.subTest(mistake=section.title, at=f"{section.path.name}:{section.line}",
                              file=str(path)):
                self.assertEqual(programs.misnamed(self.lesson, section, report), [])
        print(f"     {self.lesson.name}: {len(known)} mistakes and {len(pairs)} pairs of them, made "
              f"in {len(wrong)} ways")

    def test_the_code_in_the_text_prints_what_the_text_says(self):
        for i, (code, wanted, printed) in enumerate(programs.all_printed(self.lesson)):
            with self.subTest(block=i + 1, code=code.split("\n")[0]):
                self.assertEqual(printed, wanted)

    def test_the_commands_in_the_text_print_what_the_text_says(self):
        commands = self.lesson.commands()
        if not commands:
            self.skipTest("this text has no commands")
        with WorkbookCopy() as copy:
            for command, wanted in commands:
                with self.subTest(command=command):
                    printed = run(["sh", "-c", f"{command} 2>&1"], cwd=copy.path).stdout
                    if not lesson_files.matches(printed, wanted):
                        self.assertEqual(printed, wanted)
                    for picture in [picture for shown, picture in self.lesson.pictures() if shown == command]:
                        self.assertEqual(lesson_files.absent(picture, printed), [])

    def test_its_oracle_and_its_mistakes_keep_their_promises(self):
        """Against PyTorch's answers, against each other, and on damaged numbers."""
        result = run([f"build/{self.lesson.name}/check", "--self-test", "--seed", "1"])
        self.assertEqual(result.returncode, 0, result.stdout)
        print("     " + result.stdout.strip())

    def test_its_formulas_give_what_its_oracles_and_pytorch_give(self):
        """All numbers of its vectors and of five seeds: see formulas.c."""
        result = run([f"build/{self.lesson.name}/formulas", "5"])
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^\w+ \w+: \d+ numbers, apart 0, ")
        without = sorted(re.findall(r"(?m)^(\w+): no formula$", result.stdout))
        self.assertEqual(without, NO_FORMULA.get(self.lesson.name, []))

    def test_the_first_case_of_every_function_stands_on_its_page(self):
        page = self.lesson.read("lessons/{}.md").split("## Common mistakes")[0]
        shown = [0.0] + [float(number) for number in NUMBER.findall(page)]
        shown += [int(a) / int(b) for a, b in re.findall(r"(\d+)/(\d+)", page)]
        vectors = json.loads(self.lesson.read("checker/lessons/{}/vectors.json"))["groups"]
        asked = {}
        for case in (case for cases in vectors.values() for case in cases):
            asked.setdefault(case["function"], case)
        flat = self.lesson.functions()  # beside them are sequences of calls, some of which say so
        firsts = [case for name, case in asked.items() if name in flat or "page" in case["label"]]
        self.assertTrue(firsts)
        for case in firsts:
            for name, values in {**case["given"], **case["scalars"]}.items():
                with self.subTest(function=case["function"], case=case["label"], given=name):
                    values = values if isinstance(values, list) else [values]
                    self.assertEqual([value for value in values if not is_near(abs(value), shown)], [])

    def test_its_vectors_are_what_pytorch_gives(self):
        said = of_pytorch()
        if said is None:
            self.skipTest("there is no PyTorch here: apt install python3-torch")
        self.assertRegex(said, rf"(?m)^checker/lessons/{self.lesson.name}/vectors\.json: \d+ cases agree with PyTorch$")


def load_tests(loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for name in CHOSEN or lesson_files.names():
        case = type(name, (OneLesson, unittest.TestCase), {"lesson": Lesson(name)})
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


CHOSEN = []
if __name__ == "__main__":
    CHOSEN = sys.argv[1:]
    unknown = [name for name in CHOSEN if name not in lesson_files.names()]
    if unknown:
        sys.exit(f"there is no lesson {unknown[0]}")
    unittest.main(argv=sys.argv[:1])
