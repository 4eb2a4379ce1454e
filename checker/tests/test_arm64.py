"""The workbook on arm64 Linux, under qemu-user: a lesson, its wrong answers, and the generic call.

The checker and the worker are built with a compiler for arm64 and each runs under qemu-aarch64. There are no sanitizers, no Landlock and no seccomp under qemu, as the notice must say.
"""

import functools
import json
import shlex
import shutil
import unittest

import hostile
import test_signatures
from test_runner import of_step
from workbook_copy import WorkbookCopy

LIBRARIES = "/usr/aarch64-linux-gnu"
QEMU = ("qemu-aarch64", "-L", LIBRARIES)
COMPILERS = (["aarch64-linux-gnu-gcc"],
             ["clang", "--target=aarch64-linux-gnu", "--start-no-unused-arguments", "-fuse-ld=lld",
              "--end-no-unused-arguments"])
LESSON, FAST = "01_layer_norm", "17_fast"
# Not among them: dividing an integer by zero, which on arm64 gives 0.
VERDICTS = ("write_past_end", "write_input", "wild", "abort", "trap", "exit_3", "kill_itself", "spin",
            "print_bomb")


@functools.lru_cache(None)
def compiler():
    """The words of a compiler whose programs run under qemu; or the reason why there is none."""
    if not shutil.which(QEMU[0]):
        return None, "there is no qemu-aarch64 here"
    with WorkbookCopy() as copy:
        copy.write("build/hello.c", "int main(void) { return 42; }\n")
        for words in COMPILERS:
            if shutil.which(words[0]):
                copy.run([*words, "build/hello.c", "-o", "build/hello"])
                if copy.run([*QEMU, "build/hello"]).returncode == 42:
                    return words, None
    return None, "there is no compiler for arm64 here"


class OnArm64(test_signatures.Signatures, unittest.TestCase):
    runs = QEMU
    rounds = 4

    @classmethod
    def setUpClass(cls):
        words, missing = compiler()
        if not words:
            raise unittest.SkipTest(missing)
        cls.copy = cls.enterClassContext(WorkbookCopy())
        test_signatures.add_lesson(cls.copy)
        for path in (cls.copy.path / "build").rglob("*"):
            if path.is_file() and "deps" not in path.parts:
                path.unlink()
        cls.program("build/cc", shlex.join(words))
        environment = {"CC": str(cls.copy.path / "build/cc"), "SANITIZE": "no"}
        for command in (["sh", "checker/deps/config.sh", "build/config.mk"],
                        ["make", "-s", "-j2", "-f", "checker/build.mk", "build/worker",
                         *(f"build/{lesson}/check" for lesson in (LESSON, FAST, test_signatures.LESSON))]):
            done = cls.copy.run(command, env=environment, timeout=1800)
            if done.returncode:
                raise AssertionError(done.stdout + done.stderr)
        worker = cls.copy.path / "build/worker"
        worker.rename(worker.with_suffix(".arm64"))
        cls.program("build/worker", shlex.join(QEMU) + " build/worker.arm64")

    @classmethod
    def program(cls, path, command):
        cls.copy.write(path, f'#!/bin/sh\nexec {command} "$@"\n')
        (cls.copy.path / path).chmod(0o755)

    def check(self, source, *options, lesson=LESSON):
        run = self.copy.run([*QEMU, f"build/{lesson}/check", "--impl", source, "--format", "json",
                             *options])
        self.assertTrue(run.stdout, run.stderr)
        return json.loads(run.stdout)["lessons"][0]

    def test_the_solution_passes_and_the_notice_says_what_is_missing(self):
        report = self.check(f"solutions/{LESSON}.c")
        self.assertEqual((report["failed"], report["not_reached"]), (0, 0))
        self.assertGreaterEqual(report["passed"], 9)
        for layer in ("Landlock", "seccomp", "sanitizers"):
            self.assertIn(layer, report["notice"])

    def test_the_fast_solution_takes_four_numbers_at_a_time_and_is_right(self):
        four = "#include <wide.h>\n\n_Static_assert(WIDE == 4, \"NEON\");\n"
        self.copy.write("build/fast.c", four + self.copy.read(f"solutions/{FAST}.c"))
        report = self.check("build/fast.c", lesson=FAST)
        self.assertEqual((report["failed"], report["not_reached"]), (0, 0), report)

    def test_a_wrong_number_is_explained(self):
        solution = self.copy.read(f"solutions/{LESSON}.c")
        self.assertIn("sum / (float)features", solution)
        self.copy.write("build/wrong.c", "(float)(features - 1)".join(solution.rsplit("(float)features", 1)))
        said = " ".join(of_step(self.check("build/wrong.c"), "row_variance")["details"])
        self.assertIn("divided by n - 1", said)

    def test_misbehaviour_is_named_with_its_line(self):
        for entry in [entry for entry in hostile.entries() if entry.name in VERDICTS]:
            with self.subTest(entry.name):
                source = f"build/{entry.name}.c"
                self.copy.write(source, entry.code())
                check = of_step(self.check(source, "--limit", str(entry.limit)), "layer_norm")
                said = " ".join(check["details"])
                self.assertIn(entry.words if entry.plain is None else entry.plain, said)
                for line in entry.lines() if entry.plain is None else ():
                    self.assertIn(f"at {source}:{line}", said)


if __name__ == "__main__":
    unittest.main()
