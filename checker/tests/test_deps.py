"""Holds checker/deps/ to what it promises: what is fetched is complete and checked, whoever fetches
it and from where, or it is refused and says why.

Every test works on a copy of checker/deps/ (deps_copy.py). Only the two of the machine's own archives
need a network; the others fetch from an archive in a folder (archive.py), if at all.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import archive
from deps_copy import NOBODY, Copy, needs_apt, needs_root

WITHOUT_NETWORK = ("resolving", "resolve host", "Could not connect", "Network is unreachable")


@needs_apt
class FromTheMachinesOwnArchives(Copy):
    def fetch(self, **options):
        self.env["PATH"] += ":/usr/bin:/bin"  # apt has helpers of its own
        code, said = self.run_script(**options)
        apt_said = [line for line in said.splitlines() if line.startswith("  apt")]
        if apt_said and any(word in apt_said[0] for word in WITHOUT_NETWORK):
            self.skipTest("there is no network")
        self.assertEqual(code, 0, said)
        self.assertTrue(said.startswith("Fetching unity linenoise cjson tcc md4c"), said)
        self.assert_complete(same=False)

    def test_whoever_runs_the_tests_gets_all_three(self):
        """Whoever runs the tests gets all three from the machine's own archives."""
        self.fetch()

    @needs_root
    def test_an_ordinary_user_gets_them_too(self):
        """An ordinary user gets them, too."""
        os.chown(self.top, NOBODY, NOBODY)
        self.fetch(before=["setpriv", f"--reuid={NOBODY}", "--clear-groups"])
        self.assertEqual(self.deps.stat().st_uid, NOBODY)


@needs_apt
class FromAnArchive(Copy):
    def test_both_formats_of_lists_are_read_and_other_vendors_do_no_harm(self):
        """Both formats of apt's lists are read, and other vendors' archives do no harm."""
        for as_sources in (True, False):
            with self.subTest(as_sources=as_sources):
                shutil.rmtree(self.top / "build", ignore_errors=True)
                self.use_archive(as_sources=as_sources)
                self.assertEqual(self.run_script(),
                                 (0, "Fetching unity linenoise cjson tcc md4c (once)...\n"))
                self.assert_complete()

    def test_a_second_run_says_nothing_and_needs_no_network(self):
        """A second run says nothing, changes nothing and needs no network."""
        self.use_archive()
        self.run_script()
        before = (self.deps / "deps.mk").stat().st_mtime_ns
        self.no_network()
        self.assertEqual(self.run_script(), (0, ""))
        self.assertEqual((self.deps / "deps.mk").stat().st_mtime_ns, before)

    def test_newer_pins_that_still_hold_need_no_network_either(self):
        """After an update of the pins the files are looked at again, without a network."""
        self.use_archive()
        self.run_script()
        pins = self.top / "checker/deps/pins.txt"
        os.utime(pins, (time.time() + 5, time.time() + 5))
        self.no_network()
        self.assertEqual(self.run_script(), (0, ""))
        self.assert_complete()

    def test_debians_patches_are_applied_and_one_too_many_does_no_harm(self):
        """Debian's patches are applied, and one that came after our pins does no harm."""
        ours = self.files["cjson/cJSON.c"]
        upstream = ours.replace(b"cJSON_Parse", b"cJSON_Pause", 1)
        self.use_archive(dict(self.files, **{"cjson/cJSON.c": upstream}), {
            "1.patch": archive.patch("cJSON.c", upstream, ours),
            "2.patch": archive.patch("tests/other.c", b"not\n", b"here\n"),
            "3.patch": archive.patch("cJSON.c", ours, ours + b"/* as of tomorrow */\n"),
        })
        subprocess.run(["git", "init", "-q", self.top], check=True)  # as the workbook itself is
        self.assertEqual(self.run_script()[0], 0)
        self.assert_complete()

    def test_wrong_bytes_are_refused_with_their_hash_and_nothing_is_left(self):
        """Wrong bytes are refused with what was expected and got, and nothing is left of them."""
        wrong = self.files["linenoise/linenoise.c"] + b"\n"
        self.use_archive(dict(self.files, **{"linenoise/linenoise.c": wrong}))
        self.command("git", "echo fatal: no network >&2; exit 1")
        code, said = self.run_script()
        self.assertEqual(code, 1, said)
        self.assertIn("source package redis: linenoise.c is refused", said)
        self.assertIn("expected " + hashlib.sha256(self.files["linenoise/linenoise.c"]).hexdigest(),
                      said)
        self.assertIn("got      " + hashlib.sha256(wrong).hexdigest(), said)
        self.assertIn("LINENOISE_DIR", said)
        self.assert_nothing_left()

    def test_every_awk_does_it(self):
        """Every awk does it: fetches, and says of wrong bytes what was expected."""
        right = self.files["linenoise/linenoise.c"]
        for awk in ("mawk", "gawk", "gawk --posix", "busybox awk", "original-awk"):
            if not shutil.which(awk.split()[0]):
                continue
            with self.subTest(awk):
                self.command("awk", f'exec {shutil.which(awk.split()[0])} {awk.partition(" ")[2]} "$@"')
                self.use_archive(dict(self.files, **{"linenoise/linenoise.c": right + b"\n"}))
                self.command("git", "exit 1")
                code, said = self.run_script()
                self.assertEqual(code, 1)
                self.assertIn("expected " + hashlib.sha256(right).hexdigest(), said)
                self.assertNotIn("awk:", said)
                (self.bin / "git").unlink()
                (self.bin / "git").symlink_to(shutil.which("git"))
                self.use_archive()
                self.assertEqual(self.run_script(), (0, "Fetching unity linenoise cjson tcc md4c (once)...\n"))
                self.assert_complete()
                shutil.rmtree(self.top / "build")

    def test_without_a_network_it_says_what_is_missing_and_the_ways_out(self):
        """Without a network it says what could not be fetched, why, and the ways out."""
        self.no_network()
        code, said = self.run_script()
        self.assertEqual(code, 1)
        self.assertIn("Could not fetch unity:", said)
        self.assertIn("E: there is no network", said)
        self.assertIn("in the variable UNITY_DIR", said)
        self.assert_nothing_left()

    def test_a_missing_compiler_is_named_before_anything_is_fetched(self):
        """A missing compiler is named before anything is fetched."""
        self.use_archive()
        self.env.update(CC="no-such-cc", SANITIZE="no")
        code, said = self.run_script("build.sh", "ready")
        self.assertEqual((code, said[:25]), (1, "no-such-cc is missing: th"))
        self.assertFalse((self.top / "build").exists())

    def test_a_run_that_was_killed_is_simply_repeated(self):
        """A run that was killed is simply repeated, and what it left goes after an hour."""
        self.use_archive()
        real = os.readlink(self.bin / "apt-get")
        self.command("apt-get", f"echo $$ >pid && mv pid '{self.folder}/pid' && exec sleep 1800")
        process = self.start()
        while not (self.folder / "pid").exists():
            time.sleep(0.01)
        process.kill()
        process.stdout.close()
        process.wait()
        (left,) = (self.top / "build").glob("fetch.*")
        os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)
        self.assertEqual(list(self.deps.iterdir()), [])
        hours_ago = time.time() - 7200
        os.utime(left, (hours_ago, hours_ago))
        (self.bin / "apt-get").unlink()
        (self.bin / "apt-get").symlink_to(real)
        self.assertEqual(self.run_script()[0], 0)
        self.assert_complete()

    def test_two_runs_at_once_both_succeed(self):
        """Two runs at once both succeed."""
        self.use_archive()
        runs = [self.start(), self.start()]
        for process in runs:
            said = process.communicate(timeout=1800)[0]
            self.assertEqual(process.returncode, 0, said)
        self.assert_complete()


def changed(content):
    """Other bytes, by one in the middle."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:]


class OneOtherByte(Copy):
    """checker/deps/pins.txt says all the bytes that are taken."""

    def assert_refused(self, name, said):
        self.assertRegex(said, rf"{re.escape(name.rpartition('/')[2])} is refused, its SHA-256 is not one of "
                               r"checker/deps/pins\.txt\n")
        self.assertIn("got      " + hashlib.sha256(changed(self.files[name])).hexdigest(), said)

    def test_in_any_file_of_a_named_folder_is_refused(self):
        self.no_network()
        self.use_folders()
        for name, content in self.files.items():
            with self.subTest(name):
                path = self.folder / "mine" / name
                path.write_bytes(changed(content))
                code, said = self.run_script()
                self.assertEqual(code, 1)
                self.assert_refused(name, said)
                self.assert_nothing_left()
                path.write_bytes(content)

    @needs_apt
    def test_in_what_is_fetched_of_each_source_is_refused(self):
        self.command("git", "echo fatal: no network >&2; exit 1")
        for library in ("unity", "linenoise", "cjson", "tcc", "md4c"):
            with self.subTest(library):
                name = next(name for name in self.files if name.startswith(f"{library}/"))
                self.use_archive({**self.files, name: changed(self.files[name])})
                code, said = self.run_script()
                self.assert_refused(name, said)
                self.assertIn(f"Could not fetch {library}", said)
                self.assertEqual(code, 0 if library in ("tcc", "md4c") else 1)
                self.assertFalse((self.deps / library).exists())
                shutil.rmtree(self.top / "build")

    def change_what_is_there(self, library):
        """One byte of its first file, after it came in."""
        name = next(name for name in self.files if name.startswith(f"{library}/"))
        (self.deps / name).write_bytes(changed(self.files[name]))
        later = time.time() + 5
        os.utime(self.deps / name, (later, later))
        return name

    @needs_apt
    def test_in_what_was_fetched_before_is_refused_and_fetched_anew(self):
        self.use_archive()
        self.run_script()
        for library in ("unity", "linenoise", "cjson", "tcc", "md4c"):
            with self.subTest(library):
                name = self.change_what_is_there(library)
                code, said = self.run_script()
                self.assertEqual(code, 0, said)
                self.assert_refused(name, said)
                self.assertTrue(said.endswith(f"Fetching {library} (once)...\n"), said)
                self.assert_complete()

    def test_in_what_was_fetched_before_is_not_used_where_nothing_can_be_fetched(self):
        self.use_folders()
        self.run_script()
        self.env = {name: value for name, value in self.env.items() if not name.endswith("_DIR")}
        self.no_network()
        for library in ("md4c", "tcc", "cjson"):
            with self.subTest(library):
                name = self.change_what_is_there(library)
                code, said = self.run_script()
                self.assert_refused(name, said)
                self.assertEqual((code, (self.deps / library).exists()), (1, True) if library == "cjson" else (0, False))


class FromElsewhere(Copy):
    def test_folders_that_the_user_names_need_no_network(self):
        """Folders that the user names need no network, laid out flat or as upstream has them."""
        self.no_network()
        self.use_folders()
        unity = self.folder / "mine/unity"
        (self.folder / "mine/upstream").mkdir()
        unity.rename(self.folder / "mine/upstream/src")
        self.env["UNITY_DIR"] = str(self.folder / "mine/upstream")
        self.assertEqual(self.run_script(), (0, ""))
        self.assert_complete()

    def test_a_named_folder_with_other_bytes_is_refused(self):
        """A named folder with other bytes in it is refused, and nothing is left."""
        self.use_folders(cJSON_h=b"something else")
        code, said = self.run_script()
        self.assertEqual(code, 1)
        self.assertIn(f"CJSON_DIR={self.folder}/mine/cjson: cJSON.h is refused", said)
        self.assertIn("got      " + hashlib.sha256(b"something else").hexdigest(), said)
        self.assertIn("unset CJSON_DIR", said)
        self.assert_nothing_left()

    def test_a_named_folder_that_is_not_there_is_named(self):
        """A named folder that is not there is named."""
        self.env["UNITY_DIR"] = "/nowhere"
        self.assertEqual(self.run_script(), (1, "UNITY_DIR=/nowhere is not a folder.\n"))

    def upstream(self, library, inside, tag=None):
        """A repository that holds a library as upstream has it; the id of its commit."""
        git = ["git", "-C", str(self.folder / "git" / library), "-c", "user.name=x",
               "-c", "user.email=x@example.org"]
        for name, content in self.files.items():
            if name.startswith(library + "/"):
                path = self.folder / "git" / library / inside / name.rpartition("/")[2]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run(git + command, check=True)
        if tag:
            subprocess.run(git + ["tag", "-a", "-m", "x", tag], check=True)
        return subprocess.check_output(git + ["rev-parse", "HEAD"], text=True).strip()

    def test_upstreams_git_serves_where_there_is_no_debian(self):
        """Upstream's git serves where there is no Debian: a commit, or a tag."""
        sources = self.top / "checker/deps/sources.txt"
        pinned = next(line.split() for line in sources.read_text().splitlines()
                      if line.startswith("unity") and " git " in line)
        commit = self.upstream("unity", "src")
        sources.write_text(sources.read_text().replace(pinned[3], commit))
        self.upstream("linenoise", "deps/linenoise", "7.0.15")
        self.upstream("cjson", ".", "v1.7.19")
        urls = {"unity": "ThrowTheSwitch/Unity", "linenoise": "redis/redis",
                "cjson": "DaveGamble/cJSON"}
        self.env["GIT_CONFIG_COUNT"] = "3"
        for index, (library, url) in enumerate(urls.items()):
            self.env[f"GIT_CONFIG_KEY_{index}"] = f"url.file://{self.folder}/git/{library}.insteadOf"
            self.env[f"GIT_CONFIG_VALUE_{index}"] = f"https://github.com/{url}.git"
        (self.bin / "apt-get").unlink(missing_ok=True)
        code, said = self.run_script()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"(?s)^Fetching unity linenoise cjson tcc md4c \(once\)\.\.\.\nCould not fetch tcc, so a "
                               r"wrong answer comes without the line that it comes from:\n.*To have it, try again.*"
                               r"Could not fetch md4c, so `read` shows a lesson's text as it stands in its file:\n")
        self.files = {name: text for name, text in self.files.items() if not name.startswith(("tcc/", "md4c/"))}
        self.assert_complete()
        self.assertFalse((self.deps / "tcc").exists())
        self.assertFalse((self.deps / "md4c").exists())

    def test_three_named_folders_are_enough(self):
        """Three named folders are enough: what is missing without TCC and md4c is said."""
        self.use_folders()
        del self.env["TCC_DIR"], self.env["MD4C_DIR"]
        self.no_network()
        self.assertEqual(self.run_script(), (0, "TCC_DIR is not named, so a wrong answer comes without the line "
                                                "that it comes from.\nMD4C_DIR is not named, so `read` shows a "
                                                "lesson's text as it stands in its file.\n"))


class WhereItCanNotWrite(Copy):
    @needs_root
    def test_a_folder_of_another_user_is_named_as_the_cause(self):
        """A folder that can't be written is named as the cause."""
        code, said = self.run_script(before=["setpriv", f"--reuid={NOBODY}", "--clear-groups"])
        self.assertEqual(code, 1)
        self.assertIn("Can't write to build/", said)

    @needs_root
    def test_a_full_disk_is_said_before_anything_is_fetched(self):
        """A disk that is too full is said before anything is fetched, or when it fills up."""
        (self.top / "build").mkdir()
        for size, words in (("3500k", "build/ has only 3 MB free"), ("16k", "Can't write to build/")):
            if size == "16k":
                self.use_folders()
            code, said = self.run_script(before=[
                "unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size={size} none build && exec "$@"',
                "-"])
            if "unshare" in said or "mount:" in said:
                self.skipTest("no mounts here")
            self.assertEqual(code, 1, said)
            self.assertIn(words, said)


class TheLists(Copy):
    def converted(self, name, text, types="deb-src"):
        (self.folder / name).write_text(text)
        return subprocess.check_output(
            ["awk", "-v", f"types={types}", "-v", "codenames=bookworm", "-v", f"file={name}", "-f",
             self.top / "checker/deps/apt_lists.awk", name], cwd=self.folder, text=True)

    def test_a_line_becomes_its_source_package_twin(self):
        """A line keeps its options and the main archive, and loses all else."""
        self.assertEqual(self.converted("x.list", """# deb http://a bookworm main
deb-src http://a bookworm main
deb cdrom:[Debian]/ bookworm main
deb [ signed-by=/k.gpg arch=amd64 ] http://a bookworm main non-free # ours
deb http://a bookworm-security main universe
deb http://a bookworm-backports main
deb http://vendor stable-vendor main
deb http://vendor bookworm vendor
""", "deb deb-src"), """deb [ signed-by=/k.gpg arch=amd64 ] http://a bookworm main
deb-src [ signed-by=/k.gpg arch=amd64 ] http://a bookworm main
deb http://a bookworm-security main universe
deb-src http://a bookworm-security main universe
""")

    def test_a_stanza_becomes_its_source_package_twin(self):
        """A stanza keeps everything that says how to trust it, a key within it too."""
        key = "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n abc\n"
        self.assertEqual(self.converted("x.sources", f"""Types: deb
# an old one
URIs: http://a
  http://b
Suites: bookworm bookworm-updates
Components: main contrib
{key}
Types: deb
URIs: http://off
Suites: bookworm
Components: main
Enabled: no

types: deb-src
URIs: http://c
Suites: bookworm
Components: main
"""), f"""Types: deb-src
Suites: bookworm
Components: main
URIs: http://a
  http://b
{key}
""")


if __name__ == "__main__":
    unittest.main()
