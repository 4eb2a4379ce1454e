"""The built checkouts that the tests of the worker run in: this one, and copies of it that are built
with another compiler or without sanitizers.
"""

import os
import pathlib
import re
import shutil
import subprocess

import lesson_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIES = ROOT / "build" / "tests" / "trees"
CONFIG = r"\b(SANITIZED|LEARNER_CC|LEARNER_CFLAGS)\b"


def setting(name):
    """What this checkout was built with: LEARNER_CC, LEARNER_CFLAGS."""
    config = (ROOT / "build" / "config.h").read_text()
    return re.search(rf'^#define {name} "(.*)"$', config, re.MULTILINE).group(1)


def is_sanitized(tree):
    return "\nSANITIZED := 1" in (tree / "build" / "config.mk").read_text()


def other_compiler():
    """clang where gcc is used and the other way round; None where it is not installed."""
    version = subprocess.run([*setting("LEARNER_CC").split(), "--version"], text=True,
                             stdout=subprocess.PIPE, check=True).stdout
    return shutil.which("gcc" if "clang" in version else "clang")


def without_compiling_the_same_again(tree, compiler, sanitize):
    """In a tree that this compiler has built: changes whether there are sanitizers, and lets make take the objects
    of which the compiler would see and make the same. They know nothing of build/config.h."""
    if f" {sanitize}\n" in re.search("^BUILT_WITH.*\n", (tree / "build/config.mk").read_text(), re.MULTILINE)[0]:
        return
    subprocess.run(["sh", "checker/deps/config.sh", "build/config.mk"], cwd=tree, check=True, capture_output=True,
                   env={**os.environ, "CC": compiler, "SANITIZE": sanitize})
    (tree / "build" / "ready").unlink()  # or make would look no further
    asks = [path for path in (tree / "checker").rglob("*.[ch]") if re.search(CONFIG, path.read_text())]
    if any(path.suffix == ".h" for path in asks):
        raise AssertionError(f"a header knows of build/config.h, and so may any file: {asks}")
    for path in (tree / "build").rglob("*.o"):
        if path.stem not in {path.stem for path in asks} | {"calls"}:  # calls.c has the learner's own flags
            path.touch()


def built_with(compiler, sanitize):
    """A context that yields a copy of this checkout in which lesson 01 is built that way."""
    return _Copy(compiler, sanitize)


class _Copy:
    def __init__(self, compiler, sanitize):
        self.compiler, self.sanitize = compiler, sanitize

    def __enter__(self):
        COPIES.mkdir(parents=True, exist_ok=True)
        folder = COPIES / f"{os.path.basename(self.compiler)}-{self.sanitize}"
        self.copy = lesson_files.copy_of_tree(folder)
        tree = self.copy.__enter__()
        if self.compiler == setting("LEARNER_CC"):
            without_compiling_the_same_again(tree, self.compiler, self.sanitize)
        command = ["make", "-s", f"CC={self.compiler}", f"SANITIZE={self.sanitize}", "build/worker",
                   "build/01_layer_norm/check"]
        done = subprocess.run(command, cwd=tree, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            self.copy.__exit__(None, None, None)
            raise AssertionError(done.stdout)
        return tree

    def __exit__(self, *error):
        self.copy.__exit__(*error)
