"""Holds checker/deps/tools.sh to what it promises: a missing tool is named with the command that
brings it, and only what a command really can't do without ends it. Nothing is really installed."""

import shutil
import sys
import unittest

sys.dont_write_bytecode = True
from deps_copy import Copy


class Tools(Copy):
    def test_a_missing_compiler_is_named_with_the_command_that_brings_it(self):
        """A missing compiler is named with the command that brings it."""
        for name in ("cc", "gcc"):
            (self.bin / name).unlink()
        code, said = self.run_script("tools.sh", "check")
        self.assertEqual(code, 1)
        self.assertTrue(said.startswith("cc is missing: "), said)
        if shutil.which("apt-get"):
            self.assertIn("apt-get install gcc libc6-dev", said)
        self.env["CC"] = "no-such-cc -m64"
        self.assertIn("no-such-cc is missing: ", self.run_script("tools.sh", "check")[1])

    def test_missing_headers_of_the_c_library_are_told_from_a_missing_compiler(self):
        """Missing headers of the C library are told from a missing compiler."""
        self.command("cc", "echo 'lock.c:17:10: fatal error: stdio.h: No such file' >&2; exit 1")
        code, said = self.run_script("tools.sh", "check")
        self.assertEqual(code, 1)
        self.assertIn("can't find stdio.h", said)

    def test_git_is_asked_for_only_while_something_is_to_be_fetched(self):
        """git is asked for only while something is still to be fetched."""
        (self.bin / "git").unlink()
        code, said = self.run_script("tools.sh", "check")
        self.assertEqual((code, said.split(" is missing")[0]), (1, "git"))
        for library in ("UNITY_DIR", "LINENOISE_DIR", "CJSON_DIR"):
            self.assertEqual(self.run_script("tools.sh", "check")[0], 1)
            self.env[library] = "/mine"
        self.assertEqual(self.run_script("tools.sh", "check"), (0, ""))
        for library in ("UNITY_DIR", "LINENOISE_DIR", "CJSON_DIR"):
            del self.env[library]
        self.deps.mkdir(parents=True)
        (self.deps / "deps.mk").touch()
        self.assertEqual(self.run_script("tools.sh", "check"), (0, ""))

    def test_a_compiler_without_sanitizers_is_only_a_note(self):
        """A compiler without sanitizers is only a note, with the command that brings them."""
        real = shutil.which("gcc")
        self.command("cc", f'case $* in *-fsanitize*) exit 1;; esac; exec {real} "$@"')
        self.env.update(CC="cc", SANITIZE="yes")
        (self.top / "build").mkdir()
        code, said = self.run_script("config.sh", "build/config.mk")
        self.assertEqual(code, 0, said)
        self.assertIn("\nNote: cc has no AddressSanitizer that works", said)
        self.assertIn("SANITIZED := 0\n", (self.top / "build/config.mk").read_text())
        self.assertIn("#define SANITIZED 0\n", (self.top / "build/config.h").read_text())

    def test_an_ordinary_user_is_told_which_tests_are_left_out(self):
        """An ordinary user is told which tests are left out, and the command."""
        self.command("id", "echo 1000")
        self.command("apt-get", f"echo called >'{self.folder}/called'")
        code, said = self.run_script("tools.sh", "test")
        self.assertEqual(code, 0)
        self.assertIn("\n  shellcheck: the static analysis of our scripts\n", said)
        self.assertRegex(said, "\nGet what is missing with: sudo apt-get install clang .*shellcheck")
        self.assertFalse((self.folder / "called").exists())
        for line in said.splitlines()[1:-1]:
            self.assertRegex(line, r"^  [a-z0-9-]+: ")

    def test_root_gets_what_is_missing_installed(self):
        """Root gets what is missing installed, and a package that fails keeps no other away."""
        self.command("id", "echo 0")
        self.command("python3", "exit 0")
        self.command("apt-get", f"""echo "$DEBIAN_FRONTEND $*" >>'{self.folder}/called'
case $* in
*update) exit 0 ;;
*' install clang '*) exit 100 ;;
*' jq') exit 100 ;;
*) ln -s /bin/true "{self.bin}/${{5}}" ;;
esac""")
        code, said = self.run_script("tools.sh", "test")
        self.assertEqual(code, 0)
        called = (self.folder / "called").read_text().splitlines()
        self.assertEqual(sum("update" in line for line in called), 1)
        self.assertTrue(all("noninteractive" in line for line in called if "install" in line))
        self.assertTrue(said.startswith("Installing what the tests need (once): clang "), said)
        self.assertIn("\n  jq: ", said)
        self.assertNotIn("\n  shellcheck: ", said)
        self.assertTrue((self.top / "build/tools.log").exists())

    def test_nothing_is_said_when_nothing_is_missing(self):
        """Nothing is said when nothing is missing."""
        self.assertEqual(self.run_script("tools.sh", "check"), (0, ""))


if __name__ == "__main__":
    unittest.main()
