"""The list of what a compiler needs to read (checker/deps/toolchain.sh), and a compiler that lives in
somebody's home.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import hostile
import trees
from hostile_entry import wrap
from test_runner import grade

SCRIPT = trees.ROOT / "checker" / "deps" / "toolchain.sh"


def script(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


class List(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.around = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.project = self.around / "workbook"
        self.project.mkdir()

    def of(self, compiler, **variables):
        done = subprocess.run(["sh", SCRIPT], cwd=self.project, text=True, capture_output=True, check=True,
                              env={**os.environ, "HOME": str(self.home), "CC": compiler, **variables})
        return done.stdout.splitlines(), done.stderr

    def test_it_has_what_the_compiler_names_and_nothing_that_is_too_wide(self):
        for folder in ("cc/lib", "cc/include"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        named = ["/", "/usr", "/home", "/tmp", "/etc", "/opt", "/var", "/usr/local", str(self.home),
                 str(self.home / "cc/lib"), str(self.home / "cc/lib/../lib"), str(self.home / "none")]
        compiler = script(self.home / "bin" / "cc",
                          'case "$*" in',
                          f"-print-search-dirs) echo 'install: {self.home}/cc/lib/'",
                          f"    echo 'libraries: ={':'.join(named)}:{self.around}' ;;",
                          f"*-E*) printf '%s\\n' '#include <...> search starts here:' ' {self.home}/cc/include'"
                          " 'End of search list.' >&2 ;;",
                          "esac")
        found, said = self.of(str(compiler))
        mine = [path for path in found if path.startswith(str(self.home))]
        self.assertEqual(mine, [f"{self.home}/{path}" for path in ("bin/cc", "cc/include", "cc/lib")])
        self.assertFalse(set(named[:9]) & set(found), found)
        self.assertIn("/usr/include", found)
        self.assertNotIn(str(self.around), found)
        self.assertIn(f"{self.around} holds this workbook and stays closed", said)

    def test_it_does_not_depend_on_who_sets_up(self):
        ours, _ = self.of(trees.setting("LEARNER_CC"))
        own = self.home / "headers"
        own.mkdir()
        theirs, _ = self.of(trees.setting("LEARNER_CC"), LANG="de_DE.UTF-8", CPATH=str(own),
                            LIBRARY_PATH=str(own), C_INCLUDE_PATH=str(own))
        self.assertEqual(ours, theirs)
        self.assertEqual(len(ours), len(set(ours)))
        for path in ours:
            self.assertTrue(path.startswith("/") and os.path.exists(path), path)
            self.assertFalse([other for other in ours if path.startswith(other + "/")], path)


@unittest.skipUnless(sys.platform == "linux", "elsewhere compilers do not move")
class InAHome(unittest.TestCase):
    """A gcc of one's own, started by a script of one's own."""

    def install(self, home):
        def where(name):
            return pathlib.Path(subprocess.run(["gcc", f"-print-{name}"], text=True, check=True,
                                               capture_output=True).stdout.strip()).resolve()
        folder = where("file-name=libgcc.a").parent
        here = home / "gcc" / "lib" / "gcc" / folder.parent.name / folder.name
        for name in ("cc1", "collect2", "lto-wrapper"):
            here.mkdir(parents=True, exist_ok=True)
            shutil.copy(where(f"prog-name={name}"), here)
        for path in folder.iterdir():
            if path.name == "include":
                shutil.copytree(path, here / "include")
            elif path.suffix == ".o" or path.name.startswith(("libgcc", "liblto")):
                shutil.copy(path, here)
        (home / "gcc" / "bin").mkdir()
        shutil.copy(pathlib.Path(shutil.which("gcc")).resolve(), home / "gcc" / "bin" / "gcc")
        return script(home / "bin" / "my-cc", ": >/dev/null", f'exec {home}/gcc/bin/gcc "$@"')

    @unittest.skipUnless(shutil.which("gcc"), "gcc is not installed")
    def test_it_compiles_and_the_rest_of_that_home_stays_closed(self):
        home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        compiler = self.install(home)
        (home / "private.h").write_text("/* a private line */\n")
        tree = self.enterContext(trees.built_with(str(compiler), "no"))
        self.assertIn(f"{home}/gcc/bin/gcc", (tree / "build" / "toolchain").read_text())
        report = grade(tree, "solutions/01_layer_norm.c")
        self.assertEqual((report["failed"], report["build_error"]), (0, None))
        (tree / "exercises" / "01_layer_norm.c").write_text(
            f'#include "{home}/private.h"\n{wrap("RIGHT;")}')
        self.assertIn(hostile.ONLY, grade(tree, "exercises/01_layer_norm.c")["build_error"])


if __name__ == "__main__":
    unittest.main()
