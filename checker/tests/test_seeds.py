"""A seed is a run: the same one asks the same again, another asks something else, and without one the
run has a seed of its own."""

import concurrent.futures
import json
import os
import re
import subprocess
import unittest

import lesson_files
import trees
from lesson_files import ROOT

SOLUTION = ROOT / "solutions" / "01_layer_norm.c"
WRONG = ROOT / "build" / "tests" / "seeds.c"


def grade(*options, source=SOLUTION):
    command = ["build/01_layer_norm/check", "--impl", source, "--format", "json", *options]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(run.stdout)["lessons"][0]


class Seeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Right on every row of the vectors, wrong on the drawn ones."""
        text = SOLUTION.read_text()
        right = "return sum / (float)features;"
        assert right in text
        WRONG.parent.mkdir(parents=True, exist_ok=True)
        WRONG.write_text(text.replace(right, "return features == 64 ? 1e6f : sum / (float)features;", 1))

    def said(self, seed):
        checks = {check["name"]: check for check in grade("--seed", str(seed), source=WRONG)["checks"]}
        drawn = checks["row_mean holds on 24 rows drawn afresh"]
        self.assertEqual(drawn["status"], "failed")
        return drawn["details"]

    def test_the_same_seed_asks_the_same_and_another_something_else(self):
        first = self.said(1)
        self.assertEqual(self.said(1), first)
        self.assertEqual(len({str(self.said(seed)) for seed in (1, 2, 3, 18446744073709551615)}), 4)

    def test_a_run_without_a_seed_has_one_of_its_own(self):
        seeds = [int(grade()["seed"]) for _ in range(4)]
        self.assertEqual(len(set(seeds)), 4, seeds)
        self.assertTrue(all(0 <= seed < 1000000 for seed in seeds), seeds)


class LargeEps(unittest.TestCase):
    """Every seed draws an eps that no smaller one stands in for."""

    LESSONS = [name for name in lesson_files.names()
               if "float eps" in (ROOT / "include" / f"{name}.h").read_text()]
    AS_HANDED_OUT = r"(?m)^(?!static)\w[\w ]*[ *]\w+\([^;{}]*\bfloat eps\b[^;{}]*\)\n\{\n"

    def test_each_function_that_takes_eps_gets_one_above_a_quarter(self):
        program = ROOT / "build" / "tests" / "epsilons"
        for lesson in self.LESSONS:
            with self.subTest(lesson):
                subprocess.run([*trees.setting("LEARNER_CC").split(), *OfAnyCompiler.FLAGS, "checker/tests/drawn.c",
                                f"build/{lesson}/lesson.o", f"build/{lesson}/name.o", "build/engine.a", "-lm",
                                "-o", program], cwd=ROOT, check=True)
                found = subprocess.run([program, "20", "eps"], cwd=ROOT, text=True, check=True,
                                       stdout=subprocess.PIPE).stdout.split("\n")[:-1]
                self.assertTrue(found)
                for line in found:
                    self.assertGreaterEqual(float(line.split()[1]), 0.25, line)

    def test_one_that_is_wrong_only_above_a_fifth_is_found(self):
        for lesson in self.LESSONS:
            text = (ROOT / "solutions" / f"{lesson}.c").read_text()
            text, made = re.subn(self.AS_HANDED_OUT, r"\g<0>    eps = eps > 0.2f ? 0.2f : eps;\n", text)
            source = WRONG.with_name("large_eps.c")
            source.write_text(text)
            for seed in ("1", "2"):
                with self.subTest(f"{lesson}, seed {seed}"):
                    self.assertGreater(made, 0)
                    run = subprocess.run([f"build/{lesson}/check", "--no-line", "--impl", source, "--seed", seed],
                                         cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
                    self.assertRegex(run.stdout, r"\d+ passed, [1-9]\d* failed")


@unittest.skipUnless(trees.other_compiler(), "there is no second compiler here")
class OfAnyCompiler(unittest.TestCase):
    """The order in which arguments are worked out is the compiler's, and must not be what a seed hangs on."""

    SCRATCH = ROOT / "build" / "tests" / "drawn"
    CORE = ["cases", "contract", "judge", "lesson", "text", "vectors", "buffer",
            "formulas", "formula_tree", "mistakes", "evaluate", "reduce", "stretch", "rows",
            "phrases"]
    FLAGS = ["-std=c11", "-O1", "-w", "-D_GNU_SOURCE", "-Ichecker/run", "-Ichecker/line", "-Ichecker/box",
             "-isystem", "build/deps/cjson", "-include", "build/config.h"]

    def compiled(self, compiler, flags, out):
        done = subprocess.run([*compiler.split(), *self.FLAGS, *flags, "-o", str(out)], cwd=ROOT, text=True,
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return str(out)

    def core(self, compiler, folder):
        files = [*(f"checker/run/{name}.c" for name in self.CORE), "checker/box/files.c", "checker/box/system.c",
                 "checker/box/wire.c", "checker/tests/drawn.c", "build/deps/cjson/cJSON.c"]
        return [self.compiled(compiler, ["-c", file], folder / f"{os.path.basename(file)}.o") for file in files]

    def sums(self, compiler, folder, core, lesson):
        program = self.compiled(compiler, [f'-DLESSON_NAME="{lesson}"', "checker/program/name.c",
                                           f"checker/lessons/{lesson}/lesson.c", *core, "-lm"], folder / lesson)
        return subprocess.run([program, "20"], cwd=ROOT, text=True, check=True, stdout=subprocess.PIPE).stdout

    def test_a_seed_draws_the_same_cases_under_every_compiler(self):
        compilers = {"one": trees.setting("LEARNER_CC"), "other": trees.other_compiler()}
        core = {}
        for name, compiler in compilers.items():
            (self.SCRATCH / name).mkdir(parents=True, exist_ok=True)
            core[name] = self.core(compiler, self.SCRATCH / name)

        def drawn(lesson):
            return [self.sums(compilers[name], self.SCRATCH / name, core[name], lesson) for name in compilers]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for lesson, (one, other) in zip(lesson_files.names(), pool.map(drawn, lesson_files.names())):
                with self.subTest(lesson):
                    self.assertIn(" ", one)
                    self.assertEqual(one, other)
