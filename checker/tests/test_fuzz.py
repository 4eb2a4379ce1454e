"""The fuzz targets: each builds, starts from what the tests know, and finds nothing in a second."""

import pathlib
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import fuzz
import fuzz_corpus
from lesson_files import ROOT


def can_fuzz():
    """Whether clang is here with libFuzzer."""
    program = ROOT / "build" / "tests" / "can_fuzz"
    program.parent.mkdir(parents=True, exist_ok=True)
    code = "int LLVMFuzzerTestOneInput(const char *d, long n) { return !d && n; }\n"
    return shutil.which("clang") and not subprocess.run(
        ["clang", "-fsanitize=fuzzer,address,undefined", "-x", "c", "-", "-o", program], text=True,
        input=code, stderr=subprocess.DEVNULL, check=False).returncode


@unittest.skipUnless(can_fuzz(), "there is no clang with libFuzzer here")
class Fuzz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        built = subprocess.run(["make", "-s", "fuzz-targets"], cwd=ROOT, text=True, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if built.returncode:
            raise AssertionError(built.stdout)

    def test_every_target_tries_its_corpus_and_more_and_finds_nothing(self):
        for name in fuzz.targets():
            with self.subTest(name):
                tried, said = fuzz.fuzz(name, 1)
                self.assertEqual(said, "")
                self.assertGreater(tried, len(list((fuzz_corpus.CORPUS / name).glob("test_*"))))

    def test_every_target_has_a_corpus_of_the_tests(self):
        self.assertEqual(sorted(fuzz_corpus.inputs()), fuzz.targets())

    def test_a_parser_that_reads_too_far_is_found(self):
        """A target that overruns is told from one that does not."""
        source = pathlib.Path("checker/tests/fuzz_overrun.c")
        program = ROOT / "build" / "fuzz" / "fuzz_overrun"
        code = ('#include "fuzz.h"\nint LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)\n'
                "{\n    char *text = as_text(data, size);\n    require(text[size + 1] < 127);\n"
                "    free(text);\n    return 0;\n}\n")
        subprocess.run(["clang", "-fsanitize=fuzzer,address,undefined", "-D_GNU_SOURCE", "-x", "c", "-",
                        f"-I{ROOT}/{source.parent}", "-o", program], text=True, input=code, check=True)
        fuzz_corpus_of = fuzz_corpus.inputs
        try:
            fuzz_corpus.inputs = lambda: {"overrun": [b"abc"]}
            self.assertIn("heap-buffer-overflow", fuzz.fuzz("overrun", 1)[1])
        finally:
            fuzz_corpus.inputs = fuzz_corpus_of
            program.unlink()


if __name__ == "__main__":
    unittest.main()
