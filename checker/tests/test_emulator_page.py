"""The page's module (checker/page/): core, emulator and all lessons as WebAssembly. It grades a learner's file by
itself, without a compiler or a process of the machine's, and says what the lesson's program says.
"""

import functools
import json
import os
import re
import shutil
import subprocess
import unittest

import lesson_files
import test_emulator
from lesson_files import ROOT
from test_core import CLANG

SCRATCH = ROOT / "build" / "tests" / "emulator_page"
# What is not the same: how long it took, and that it is the emulator.
OTHERWISE = re.compile(r"   \(\d+\.\d\d s, seed \d+\)|\nRun by the emulator.*\n|"
                       r'"seconds":\s[\d.e-]+,?|"notice":\s"Run[^"]*",|"notice":\snull,')


def with_a_slip(text):
    """A right text made wrong: its first sum keeps only the last term."""
    return text.replace("+=", "=", 1)


@functools.lru_cache(None)
def built():
    goals = ["build/page/workbook.wasm", "build/page/files.json",
             *(f"build/page/{name}.json" for name in lesson_files.names())]
    done = subprocess.run(["make", "-s", *goals], cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise AssertionError(done.stdout)


def asked(requests):
    """What the module answers: {lessons, answers}."""
    built()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    (SCRATCH / "requests.json").write_text(json.dumps(requests))
    done = subprocess.run(["node", "checker/tests/page_driver.mjs", SCRATCH / "requests.json"], cwd=ROOT, text=True,
                          check=False, capture_output=True, timeout=1800)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def native(lesson, text, *options):
    """The same by build/NN_name/emulated, with the page's name for the file: (what it ends with, what it says)."""
    path = SCRATCH / f"{lesson}.c"
    path.write_text(text)
    done = subprocess.run([f"build/{lesson}/emulated", "--impl", path, "--shown", f"exercises/{lesson}.c", *options],
                          cwd=ROOT, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False,
                          capture_output=True, timeout=1800)
    return done.returncode, comparable(done.stdout.replace(str(path), f"exercises/{lesson}.c"))


def comparable(said):
    return OTHERWISE.sub("", said)


@unittest.skipUnless(CLANG and shutil.which("node"),
                     "there is no clang for WebAssembly here with its library, no lld, no wasi-libc, or no node")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())

    def test_it_says_of_every_lesson_what_the_lessons_program_says(self):
        texts = [(name, text) for name in lesson_files.names()
                 for solution in [(ROOT / "solutions" / f"{name}.c").read_text()]
                 for text in (solution, with_a_slip(solution), solution.replace("{", "{ (", 1),
                              (ROOT / "checker" / "lessons" / name / "stub.c").read_text())]
        said = asked([{"lesson": name, "text": text, "options": {"seed": 7}} for name, text in texts])
        self.assertEqual([lesson["name"] for lesson in said["lessons"]], lesson_files.names())
        codes = set()
        for (name, text), answer in zip(texts, said["answers"]):
            with self.subTest(name, text=text):
                self.assertEqual((answer["code"], comparable(answer["said"]), answer["errors"]),
                                 (*native(name, text, "--seed", "7"), ""))
                codes.add(answer["code"])
        self.assertEqual(codes, {0, 1})

    def test_its_options_are_those_of_the_program(self):
        name = "01_layer_norm"
        text = with_a_slip((ROOT / "solutions" / f"{name}.c").read_text())
        step, hint, seed = {"step": "row_variance"}, {"hint": "press h"}, {"seed": str(2 ** 64 - 1)}
        options = [(step, ["--step", "row_variance"]), (hint, ["--hint", "press h"]),
                   ({"format": "json"}, ["--format", "json"]), (seed, ["--seed", str(2 ** 64 - 1)]),
                   ({"step": "none"}, ["--step", "none"])]
        said = asked([{"lesson": name, "text": text, "options": {"seed": 7, **these}} for these, _ in options])
        for (these, words), answer in zip(options, said["answers"]):
            with self.subTest(these):
                want = native(name, text, *(words if "seed" in these else ["--seed", "7", *words]))
                self.assertEqual((answer["code"], comparable(answer["said"])), want)

    def test_try_shows_a_function_at_work(self):
        name = "01_layer_norm"
        text = (ROOT / "solutions" / f"{name}.c").read_text()
        for words in ("10 50 20", "row_mean 1 2", "nonsense"):
            with self.subTest(words):
                answer, = asked([{"lesson": name, "text": text, "words": words}])["answers"]
                want = native(name, text, "--try", words)
                self.assertEqual((answer["code"], comparable(answer["said"])), want)


if __name__ == "__main__":
    unittest.main()
