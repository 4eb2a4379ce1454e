"""Holds every lesson to what it promises: /usr/bin/python3 checker/tests/test_lessons.py [NN_name ...]

The lessons are those that have a folder checker/NN_name/; nothing here lists them. Learner code is
always judged by the real checker, build/NN_name/check, in a process of its own. Compilations are
what takes the time: two run at once.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import lesson_files
from lesson_files import CC, ROOT, Lesson

SEEDS = (1, 77, 1234)
SCRATCH = ROOT / "build" / "tests" / "lessons"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-Iinclude"]
ENGLISH = dict(os.environ, LC_ALL="C.UTF-8")
AT_ONCE = 2


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, env=ENGLISH, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, **options)


def graded(lesson, source, seed=SEEDS[0]):
    """The checker's report on one C file."""
    command = [f"build/{lesson.name}/check", "--impl", str(source), "--format", "json", "--seed",
               str(seed)]
    result = run(command)
    try:
        return json.loads(result.stdout)["lessons"][0]
    except (ValueError, KeyError, IndexError):
        raise AssertionError(f"{' '.join(command)} printed no report: {result.stderr}") from None


def refusals(report):
    """What a report holds against an implementation, as lines; empty when it passed."""
    if report["build_error"]:
        return [report["build_error"]]
    return [f"{check['name']}: {' / '.join(check['details']) or check['status']}"
            for check in report["checks"] if check["status"] != "passed"]


def scratch_file(lesson, name, text):
    """A file of this test's own; grading it keeps no progress."""
    path = SCRATCH / lesson.name / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path.relative_to(ROOT)


def all_of(work, items):
    """The results of work(item), computed two at once, in order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(work, items))


class TestLessons(unittest.TestCase):
    chosen = []

    def lessons(self):
        lessons = [Lesson(name) for name in lesson_files.names()
                   if not self.chosen or name in self.chosen]
        self.assertTrue(lessons, "there are no lessons")
        return lessons

    def each_lesson(self):
        for lesson in self.lessons():
            with self.subTest(lesson=lesson.name):
                yield lesson

    def test_every_lesson_has_all_its_parts(self):
        for lesson in self.each_lesson():
            for part in lesson_files.PARTS:
                path = part.format(lesson.name)
                with self.subTest(part=path):
                    self.assertTrue((ROOT / path).is_file(), f"{path} is missing")

    def test_the_text_has_its_sections_and_one_for_every_mistake(self):
        for lesson in self.each_lesson():
            with self.subTest(what="sections, in order"):
                wanted = lesson_files.SECTIONS
                self.assertEqual([h for h in lesson.headings(2) if h in wanted],
                                 [h for h in wanted if h in lesson.headings(2)])
                missing = [h for h in lesson_files.REQUIRED if h not in lesson.headings(2)]
                self.assertEqual(missing, [])
            told = lesson.headings(3, under="Common mistakes")
            for mistake in lesson.mistakes():
                with self.subTest(mistake=mistake.id):
                    self.assertIn(mistake.section, told)
            with self.subTest(what="no section about a mistake that cannot be named"):
                self.assertEqual(set(told) - {m.section for m in lesson.mistakes()}, set())

    def test_every_function_has_three_hints(self):
        for lesson in self.each_lesson():
            hints = lesson.hints()
            self.assertEqual(list(hints), lesson.functions())
            for function, tiers in hints.items():
                with self.subTest(function=function):
                    self.assertEqual(len(tiers), 3)

    def test_every_exercise_is_the_stub_of_its_solution(self):
        for lesson in self.each_lesson():
            stub = run(["awk", "-f", "checker/stub.awk", f"solutions/{lesson.name}.c"]).stdout
            exercise = ROOT / "exercises" / f"{lesson.name}.c"
            with self.subTest(what="a learner's own work is not held against them"):
                committed = run(["git", "show", f"HEAD:exercises/{lesson.name}.c"])
                text = exercise.read_text() if committed.returncode else committed.stdout
                self.assertEqual(text, stub)

    def test_every_stub_builds_without_a_warning_and_fails(self):
        def outcome(lesson):
            stub = run(["awk", "-f", "checker/stub.awk", f"solutions/{lesson.name}.c"]).stdout
            source = scratch_file(lesson, "stub.c", stub)
            compiled = run([CC, *STRICT, "-c", str(source), "-o", f"{source}.o"])
            # One changed line makes it a file that somebody began to work on.
            begun = scratch_file(lesson, "begun.c", stub + "\n/* begun */\n")
            return compiled.stderr, graded(lesson, begun)

        lessons = self.lessons()
        for lesson, (warnings, report) in zip(lessons, all_of(outcome, lessons)):
            with self.subTest(lesson=lesson.name):
                self.assertEqual(warnings, "")
                self.assertIsNone(report["build_error"])
                failed = {c["step"] for c in report["checks"] if c["status"] == "failed"}
                self.assertEqual(failed, set(lesson.functions()), "every step of a stub fails")

    def test_every_solution_passes_whatever_the_seed(self):
        jobs = [(lesson, seed) for lesson in self.lessons() for seed in SEEDS]
        reports = all_of(lambda j: graded(j[0], f"solutions/{j[0].name}.c", j[1]), jobs)
        for (lesson, seed), report in zip(jobs, reports):
            with self.subTest(lesson=lesson.name, seed=seed):
                self.assertEqual(refusals(report), [])

    def test_every_style_of_a_right_answer_passes(self):
        for lesson in self.each_lesson():
            styles = lesson.sections("right", "style")
            self.assertGreaterEqual(len(styles), 6, "six styles or more")
            files = [scratch_file(lesson, f"right_{i}.c", lesson.with_section(style))
                     for i, style in enumerate(styles)]
            jobs = [(i, seed) for i in range(len(styles)) for seed in SEEDS]
            reports = all_of(lambda job: graded(lesson, files[job[0]], job[1]), jobs)
            for (i, seed), report in zip(jobs, reports):
                with self.subTest(style=styles[i].title, seed=seed):
                    self.assertEqual(refusals(report), [])
            print(f"{lesson.name}: {len(styles)} styles of a right answer, {len(SEEDS)} seeds each")

    def test_every_mistake_fails_and_is_named(self):
        for lesson in self.each_lesson():
            known = {mistake.id for mistake in lesson.mistakes()}
            wrong = lesson.sections("wrong", "mistake")
            made = {section.title for section in wrong}
            with self.subTest(what="each mistake is made at least once"):
                self.assertEqual(known - made, set())
            pairs = {title for title in made if "+" in title}
            with self.subTest(what="three pairs or more"):
                self.assertGreaterEqual(len(pairs), 3)
            files = [scratch_file(lesson, f"wrong_{i}.c", lesson.with_section(section))
                     for i, section in enumerate(wrong)]
            reports = all_of(lambda path: graded(lesson, path), files)
            for section, path, report in zip(wrong, files, reports):
                with self.subTest(mistake=section.title, line=section.line, file=str(path)):
                    self.check_named(lesson, section, report)
            print(f"{lesson.name}: {len(known)} mistakes and {len(pairs)} pairs of them, made in "
                  f"{len(wrong)} ways")

    def check_named(self, lesson, section, report):
        self.assertIsNone(report["build_error"])
        replaced = set(section.functions()) & set(lesson.functions())
        self.assertTrue(replaced, "the section defines a function of the lesson")
        failed = [c for c in report["checks"] if c["status"] == "failed"]
        self.assertEqual({check["step"] for check in failed}, replaced)
        for check in failed:
            named = set((check["mistake"] or "nothing").split(" and "))
            self.assertEqual(named, set(section.title.split(" + ")),
                             f"{check['name']}: {check['details']}")

    def test_the_code_in_the_text_prints_what_the_text_says(self):
        jobs = [(lesson, i, code, output) for lesson in self.lessons()
                for i, (code, output) in enumerate(lesson.runs())]
        for (lesson, i, code, output), printed in zip(jobs, all_of(self.printed_by, jobs)):
            with self.subTest(lesson=lesson.name, block=i + 1, code=code.split("\n")[0]):
                self.assertEqual(printed, output)

    @staticmethod
    def printed_by(job):
        lesson, i, code, _ = job
        text = (f'#include "{lesson.name}.h"\n#include <math.h>\n#include <stdio.h>\n'
                f"int main(void)\n{{\n{code}\n}}\n")
        source = scratch_file(lesson, f"text_{i}.c", text)
        program = source.with_suffix("")
        compiled = run([CC, *STRICT, "-ffp-contract=off", str(source),
                        f"solutions/{lesson.name}.c", "-o", str(program), "-lm"])
        if compiled.returncode:
            return compiled.stderr
        return run([str(program)]).stdout

    def test_the_commands_in_the_text_print_what_the_text_says(self):
        for lesson in self.each_lesson():
            commands = lesson.commands()
            if not commands:
                continue
            with lesson_files.copy_of_tree(SCRATCH / "tree") as tree:
                for command, wanted in commands:
                    with self.subTest(command=command):
                        result = subprocess.run(["sh", "-c", command], cwd=tree, env=ENGLISH,
                                                text=True, stdout=subprocess.PIPE,
                                                stderr=subprocess.STDOUT, timeout=300)
                        if not lesson_files.matches(result.stdout, wanted):
                            self.assertEqual(result.stdout, wanted)

    def test_the_vectors_are_what_pytorch_gives(self):
        if run(["/usr/bin/python3", "-c", "import torch"]).returncode:
            self.skipTest("there is no PyTorch here: apt install python3-torch")
        result = run(["/usr/bin/python3", "checker/vectors.py", "--check", *self.chosen])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    TestLessons.chosen = sys.argv[1:]
    unknown = [name for name in TestLessons.chosen if name not in lesson_files.names()]
    if unknown:
        sys.exit(f"there is no lesson {unknown[0]}")
    unittest.main(argv=sys.argv[:1])
