"""What judges needs neither processes nor this machine: checker/run/ and checker/line/ compile for
wasm32-wasi, and with a runner that runs nothing (core_page.c) they are a program that grades.
"""

import pathlib
import re
import shutil
import subprocess
import unittest

import lesson_files
from lesson_files import ROOT

SCRATCH = ROOT / "build" / "tests" / "core"
WASI = pathlib.Path("/usr/include/wasm32-wasi")
BUILTINS = [*pathlib.Path("/usr/lib").glob("llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a")]
CLANG = shutil.which("clang") and shutil.which("wasm-ld") and WASI.is_dir() and BUILTINS
# What there is wherever C is.
STANDARD = {"ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdarg.h", "stdbool.h",
            "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h"}
FLAGS = ["--target=wasm32-wasi", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-D_GNU_SOURCE",
         "-Wno-missing-field-initializers", "-Ichecker/run", "-Ichecker/line", "-isystem", "build/deps/cjson",
         "-include", "build/config.h"]
RUN = """
import { WASI } from 'node:wasi';
import { readFileSync } from 'node:fs';
const wasi = new WASI({ version: 'preview1', args: ['core', process.argv[3]], preopens: { '.': '.' } });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
"""


def sources():
    return sorted(path for room in ("run", "line") for path in (ROOT / "checker" / room).glob("*.c"))


def clang(*words):
    done = subprocess.run(["clang", *FLAGS, *map(str, words)], cwd=ROOT, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class Core(unittest.TestCase):
    def test_it_includes_nothing_but_itself_standard_c_and_cjson(self):
        core = sorted(path for room in ("run", "line") for path in (ROOT / "checker" / room).glob("*.[ch]"))
        known = {*STANDARD, "cJSON.h", *(path.name for path in core)}
        for path in core:
            with self.subTest(f"{path.parent.name}/{path.name}"):
                asked = re.findall(r'(?m)^ *# *include [<"]([^>"]+)', path.read_text())
                self.assertEqual([name for name in asked if name not in known], [])

    def test_files_are_read_by_the_machines_two_functions_alone(self):
        for path in sources():
            with self.subTest(path.name):
                self.assertEqual(re.findall(r"\b(fopen|freopen|open|openat|access|stat|remove|rename)\(",
                                            path.read_text()), [])


@unittest.skipUnless(CLANG, "there is no clang for WebAssembly here with its library, no lld, or no wasi-libc")
class OnAnotherMachine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCRATCH.mkdir(parents=True, exist_ok=True)

    def test_every_lessons_cases_compile_for_it(self):
        for name in lesson_files.names():
            with self.subTest(name):
                self.assertEqual(clang("-c", f"checker/lessons/{name}/lesson.c", "-o", SCRATCH / "lesson.o"), (0, ""))

    def program(self, lesson):
        """The core and one lesson, as one module."""
        module = SCRATCH / f"{lesson}.wasm"
        self.assertEqual(clang(*sources(), "checker/program/name.c", f'-DLESSON_NAME="{lesson}"',
                               f"checker/lessons/{lesson}/lesson.c", "checker/tests/core_page.c",
                               "build/deps/cjson/cJSON.c", "-Wl,-z,stack-size=1048576", "-o", module), (0, ""))
        return module

    def test_with_a_runner_that_runs_nothing_it_is_a_program_that_grades(self):
        module = self.program("01_layer_norm")
        if not shutil.which("node"):
            self.skipTest("there is no node here to run it")
        (SCRATCH / "run.mjs").write_text(RUN)

        def said_of(path):
            done = subprocess.run(["node", "--no-warnings", SCRATCH / "run.mjs", module, path], cwd=ROOT, text=True,
                                  check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout
        with self.subTest("the stub"):
            self.assertEqual(said_of("checker/lessons/01_layer_norm/stub.c"), (
                "Running checks for Lesson 01: Layer Normalization (checker/lessons/01_layer_norm/stub.c)...\n\n"
                "checker/lessons/01_layer_norm/stub.c is still the stub that was handed out.\n"
                "Read lessons/01_layer_norm.md, then write row_mean, the first step.\n"))
        with self.subTest("a right answer, which nobody can run"):
            self.assertEqual(said_of("solutions/01_layer_norm.c"), (
                "Running checks for Lesson 01: Layer Normalization (solutions/01_layer_norm.c)...\n\n"
                "It could not be graded, and that is not your code's doing: there is nobody here to run it.\n"))
