"""The emulator runs wherever C does: with the core and one lesson it is a WebAssembly module that grades a learner's
file by itself, without a compiler or a process of the machine's, and says what the lesson's program says.
"""

import os
import shutil
import subprocess
import unittest

import test_emulator
from lesson_files import ROOT
from test_core import CLANG, FLAGS, RUN, sources

SCRATCH = ROOT / "build" / "tests" / "emulator_page"
EMULATOR = ["-Ichecker/emulator", "-Ichecker/box/tcc", "-isystem", "build/emulator/tcc", "-DTCC_TARGET_ARM64",
            "-DCONFIG_TCC_STATIC", "-DEMULATED"]
LESSON = "01_layer_norm"
WRONG = """#include "01_layer_norm.h"

float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j <= features; j++)
        sum += x[j];
    return sum / (float)features;
}
"""


@unittest.skipUnless(CLANG and shutil.which("node"),
                     "there is no clang for WebAssembly here with its library, no lld, no wasi-libc, or no node")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())
        SCRATCH.mkdir(parents=True, exist_ok=True)
        (SCRATCH / "run.mjs").write_text(RUN)
        done = subprocess.run(["clang", *FLAGS, *EMULATOR, *map(str, sources()),
                               *map(str, sorted((ROOT / "checker" / "emulator").glob("*.c"))),
                               "checker/program/name.c", f'-DLESSON_NAME="{LESSON}"',
                               f"checker/lessons/{LESSON}/lesson.c", "checker/tests/core_page.c",
                               "build/deps/cjson/cJSON.c", "-Wl,-z,stack-size=4194304", "-o", SCRATCH / "page.wasm"],
                              cwd=ROOT, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise AssertionError(done.stdout)

    def said_of(self, path):
        page = subprocess.run(["node", "--no-warnings", SCRATCH / "run.mjs", SCRATCH / "page.wasm", path], cwd=ROOT,
                              text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        native = subprocess.run([f"build/{LESSON}/emulated", "--impl", path, "--seed", "1"], cwd=ROOT, text=True,
                                env={**os.environ, "LC_ALL": "C"}, check=False, capture_output=True)
        self.assertEqual(page.stderr, "")
        return [text.split("   (")[0] for text in (page.stdout, native.stdout)]

    def test_it_says_what_the_lessons_program_says(self):
        (SCRATCH / "wrong.c").write_text(WRONG)
        for path in (f"solutions/{LESSON}.c", str((SCRATCH / "wrong.c").relative_to(ROOT))):
            with self.subTest(path):
                page, native = self.said_of(path)
                self.assertEqual(page, native)
        self.assertIn("read 4 bytes past the end of x", page)


if __name__ == "__main__":
    unittest.main()
