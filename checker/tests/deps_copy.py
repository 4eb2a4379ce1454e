"""For the tests of checker/deps/: a folder with a copy of it, a PATH from which a test can take
commands, and whatever a fetch needs without a network. Nothing outside that folder is changed.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import archive

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534
COMMANDS = """awk basename cat cp cut df dirname dpkg-deb env find git grep gzip head id ln ls mkdir
    mktemp mv paste rm sed sh sha256sum shasum sleep sort tail tar timeout touch tr uname xz bzip2
    as cc gcc ld apt-config apt-get mount setpriv unshare""".split()
needs_apt = unittest.skipUnless(shutil.which("apt-get"), "there is no apt-get here")
needs_root = unittest.skipUnless(os.geteuid() == 0, "only root can become another user")


def fetched_files():
    """The bytes that the build itself uses, by "unity/unity.c"."""
    return {f"{library}/{name}": (ROOT / "build/deps" / library / name).read_bytes()
            for _, _, library, names in archive.PACKAGES for name in names}


class Copy(unittest.TestCase):
    """A test's own folder, with checker/deps/ in it and a PATH that the test can take from."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="deps "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.top = self.folder / "workbook"
        shutil.copytree(ROOT / "checker/deps", self.top / "checker/deps")
        self.deps = self.top / "build/deps"
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name in COMMANDS:
            if shutil.which(name):
                (self.bin / name).symlink_to(shutil.which(name))
        self.env = {"PATH": str(self.bin), "HOME": "/nonexistent", "TMPDIR": str(self.folder)}
        self.files = fetched_files()

    def command(self, name, script):
        """Puts a command of that name in front of, or in place of, the real one."""
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def start(self, script="fetch.sh", *arguments, before=()):
        return subprocess.Popen([*before, "/bin/sh", f"checker/deps/{script}", *arguments],
                                cwd=self.top, env=self.env, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_script(self, *arguments, **options):
        """Its exit code and everything that it said."""
        process = self.start(*arguments, **options)
        said = process.communicate(timeout=1800)[0]
        return process.returncode, said

    def use_archive(self, files=None, patches=None, as_sources=True):
        """Has apt's own lists name an archive in a folder, and others that can't be reached."""
        shutil.rmtree(self.folder / "archive", ignore_errors=True)
        shutil.rmtree(self.folder / "lists", ignore_errors=True)
        archive.make(self.folder / "archive", files or self.files, patches)
        lists = self.folder / "lists"
        lists.mkdir()
        uri = f"file:{self.folder}/archive".replace(" ", "%20")
        if as_sources:
            (lists / "system.sources").write_text(
                f"Types: deb deb-src\n# a note\nURIs: {uri}\nSuites: stable stable-backports\n"
                "Components: main contrib\nTrusted: yes\n")
        else:
            (lists / "system.list").write_text(f"deb [trusted=yes] {uri} stable main contrib\n")
        (lists / "vendor.list").write_text("deb [signed-by=/x.gpg] file:/none vendor main\n"
                                           "deb file:/none stable main\n")
        (self.folder / "apt.conf").write_text(f'Dir::Etc::SourceList "/dev/null";\n'
                                              f'Dir::Etc::SourceParts "{lists}";\n')
        self.env["APT_CONFIG"] = str(self.folder / "apt.conf")

    def use_folders(self, **changed):
        """Names a folder for each library; `changed` has other bytes for some files."""
        for name, content in self.files.items():
            path = self.folder / "mine" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(changed.get(name.rpartition("/")[2].replace(".", "_"), content))
        for library in ("unity", "linenoise", "cjson", "tcc", "md4c"):
            self.env[f"{library.upper()}_DIR"] = str(self.folder / "mine" / library)

    def no_network(self):
        for name in ("apt-get", "git"):
            self.command(name, "echo E: there is no network >&2; exit 100")

    def assert_complete(self, same=True):
        for name, content in self.files.items():
            got = (self.deps / name).read_bytes()
            self.assertIn(hashlib.sha256(got).hexdigest() + f"  {name} ",
                          (self.top / "checker/deps/pins.txt").read_text())
            if same:
                self.assertEqual(got, content, name)
        self.assertIn("DEPS_CFLAGS = ", (self.deps / "deps.mk").read_text())
        self.assertEqual(sorted(path.name for path in self.deps.parent.iterdir()), ["deps"])

    def assert_nothing_left(self):
        left = [str(path) for path in (self.top / "build").rglob("*") if path.is_file()]
        self.assertEqual(left, [])
        self.assertEqual([path.name for path in (self.top / "build").glob("fetch.*")], [])
