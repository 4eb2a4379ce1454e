"""Progress is never lost: not by a kill, a full disk, a crowd, or a file that something else damaged.
progress_driver.c records; each test has a folder of its own.
"""

import fcntl
import json
import os
import pathlib
import random
import resource
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import drivers
from watching import wait_until
from workbook_copy import WorkbookCopy

GOOD = {"version": 1, "lessons": {"01_layer_norm": {"passed": 4, "failed": 5, "checks": 9,
                                                    "attempts": 7, "hints": {"row_mean": 2}}}}


def setUpModule():
    global DRIVER, PLAIN
    DRIVER = drivers.build("progress_driver.c")
    PLAIN = drivers.build("progress_driver.c", sanitize=False)


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="progress_", dir=drivers.SCRATCH))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def workbook(self):
        return self.folder / ".workbook"

    @property
    def file(self):
        return self.workbook / "progress.json"

    def give(self, content):
        self.workbook.mkdir(exist_ok=True)
        self.file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())

    def run_driver(self, *arguments, **options):
        return subprocess.run([DRIVER, *map(str, arguments)], cwd=self.folder, text=True, timeout=1800,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def record(self, lesson="01_layer_norm", passed=9, **options):
        return self.run_driver("record", lesson, passed, **options)

    def assert_recorded(self, result):
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def assert_refused(self, result, *words):
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stderr.startswith("not recorded: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        for word in words:
            self.assertIn(word, result.stderr)

    def lesson(self, name="01_layer_norm"):
        return json.loads(self.file.read_text())["lessons"][name]


class Keeping(InAFolder):
    def test_the_first_run_makes_the_folder_and_the_file(self):
        self.assert_recorded(self.record())
        self.assertEqual(sorted(os.listdir(self.workbook)), ["lock", "progress.json"])
        lesson = self.lesson()
        self.assertEqual((lesson["passed"], lesson["checks"], lesson["attempts"]), (9, 9, 1))
        self.assertRegex(lesson["first_pass"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_fields_of_a_newer_version_are_kept(self):
        newer = json.loads(json.dumps(GOOD))
        newer["version"] = 2
        newer["theme"] = {"dark": [1, None, "x"]}
        newer["lessons"]["01_layer_norm"]["stars"] = 3
        newer["lessons"]["99_future"] = {"medal": True}
        self.give(newer)
        self.assert_recorded(self.record(passed=9))
        after = json.loads(self.file.read_text())
        self.assertEqual((after["version"], after["theme"]), (2, newer["theme"]))
        self.assertEqual(after["lessons"]["99_future"], {"medal": True})
        lesson = after["lessons"]["01_layer_norm"]
        self.assertEqual((lesson["stars"], lesson["attempts"], lesson["hints"]),
                         (3, 8, {"row_mean": 2}))

    def test_the_day_of_the_first_pass_stays_and_only_a_whole_pass_is_one(self):
        self.assert_recorded(self.record(passed=8))
        self.assertNotIn("first_pass", self.lesson())
        old = "2020-01-01T00:00:00Z"
        passed = json.loads(json.dumps(GOOD))
        passed["lessons"]["01_layer_norm"].update(first_pass=old, last_pass=old)
        self.give(passed)
        self.assert_recorded(self.record(passed=8))
        self.assertEqual(self.lesson()["last_pass"], old)
        self.assert_recorded(self.record(passed=9))
        self.assertEqual(self.lesson()["first_pass"], old)
        self.assertGreater(self.lesson()["last_pass"], old)

    def test_a_newer_shape_that_is_not_understood_is_left_alone(self):
        newer = b'{"version": 2, "lessons": ["another", "shape"]}'
        self.give(newer)
        self.assert_refused(self.record(), "newer workbook")
        self.assertEqual(self.file.read_bytes(), newer)


SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void note(const char *what, const char *path)
{
    FILE *log = fopen(getenv("SHIM_LOG"), "a");
    fprintf(log, "%s %s\n", what, path);
    fclose(log);
}

int fsync(int fd)
{
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, path, sizeof path - 1) > 0)
        note("fsync", path);
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int rename(const char *from, const char *to)
{
    note("rename", from);
    return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}

int unlink(const char *path)
{
    note("unlink", path);
    return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(path);
}
"""


@unittest.skipUnless(sys.platform == "linux", "LD_PRELOAD is Linux's")
class OnTheDisk(InAFolder):
    """The order in which a program syncs, renames and unlinks, as a library in between sees it."""

    def calls(self, command, cwd, ends):
        source, library, log = (self.folder / name for name in ("shim.c", "shim.so", "log"))
        source.write_text(SHIM)
        subprocess.run([drivers.CC, "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, check=False, env={
            **os.environ, "LD_PRELOAD": str(library), "SHIM_LOG": str(log)})
        self.assertEqual(done.returncode, 0)
        return [line for line in log.read_text().splitlines() if line.endswith(ends)]

    def test_the_new_file_is_on_the_disk_before_it_takes_the_old_ones_name(self):
        self.give(GOOD)
        calls = self.calls([PLAIN, "record", "01_layer_norm", "9"], self.folder,
                           (".workbook", ".json", ".new"))
        self.assertEqual([call.replace(f"{self.folder}/", "") for call in calls], [
            "unlink .workbook/progress.json.new",  # what a run that was killed left
            "fsync .workbook/progress.json.new", "rename .workbook/progress.json.new",
            "fsync .workbook"])

    def test_a_reset_has_its_copy_on_the_disk_before_the_stub_takes_its_place(self):
        with WorkbookCopy() as copy:
            copy.write("exercises/01_layer_norm.c", "mine")
            calls = self.calls(["env", "LESSON=01", "build/workbook", "reset"], copy.path, (".c", ".new"))
            names = [re.sub(r"\S*/|[-\d_]{19}", "", call) for call in calls]
            self.assertEqual(names, ["fsync 01_layer_norm..c", "unlink 01_layer_norm.c.new",
                                     "fsync 01_layer_norm.c.new", "rename 01_layer_norm.c.new"])


class Damage(InAFolder):
    def test_a_damaged_file_is_set_aside_whole_and_a_new_one_begun(self):
        good = json.dumps(GOOD).encode()
        damages = {
            "empty": b"", "zeros": bytes(4096), "cut": good[:len(good) // 2],
            "not JSON": b"hello\n", "a list": b"[]", "no lessons": b'{"version": 1}',
            "lessons is a number": b'{"version": 1, "lessons": 7}',
            "a lesson is a string": b'{"version": 1, "lessons": {"01_layer_norm": "done"}}',
            "a count is a string": good.replace(b'"attempts": 7', b'"attempts": "many"'),
            "a count is absurd": good.replace(b'"attempts": 7', b'"attempts": 1e300'),
            "a hint is a list": good.replace(b'"row_mean": 2', b'"row_mean": []'),
            "no version": good.replace(b'"version"', b'"edition"'),
            "text behind it": good + b"}", "a zero byte behind it": good + b"\0",
            "nested too deep": b"[" * 100000, "noise": random.Random(3).randbytes(5000),
            "two at once": good + good,
        }
        for name, content in damages.items():
            with self.subTest(damage=name):
                shutil.rmtree(self.workbook, ignore_errors=True)
                self.give(content)
                load = self.run_driver("load")
                self.assert_refused(load, "damaged")
                result = self.record()
                self.assertEqual(result.returncode, 0)
                self.assertIn("was damaged", result.stderr)
                kept = list(self.workbook.glob("progress.json.damaged-*"))
                self.assertEqual([path.read_bytes() for path in kept], [content])
                self.assertIn(kept[0].name, result.stderr)
                self.assertEqual(self.lesson()["attempts"], 1)

    def test_damage_twice_in_a_second_keeps_both(self):
        for content in (b"one", b"two", b"three"):
            self.give(content)
            self.record()
        kept = sorted(path.read_bytes() for path in self.workbook.glob("*damaged*"))
        self.assertEqual(kept, [b"one", b"three", b"two"])

    def test_a_file_larger_than_we_write_is_not_read_into_memory(self):
        self.give(b"")
        os.truncate(self.file, 1 << 40)
        result = self.record()
        self.assertEqual(result.returncode, 0)
        self.assertIn("was damaged", result.stderr)


class OddPlaces(InAFolder):
    def test_a_workbook_that_is_a_file_is_left_alone(self):
        self.workbook.write_text("mine")
        self.assert_refused(self.record(), ".workbook", "Not a directory")
        self.assertEqual(self.workbook.read_text(), "mine")

    def test_a_workbook_elsewhere_behind_a_link_is_used(self):
        (self.folder / "elsewhere").mkdir()
        self.workbook.symlink_to("elsewhere")
        self.assert_recorded(self.record())
        self.assertTrue((self.folder / "elsewhere" / "progress.json").exists())

    def test_a_link_to_nothing_is_named(self):
        self.workbook.symlink_to("nowhere")
        self.assert_refused(self.record(), ".workbook")

    def test_a_progress_file_that_is_no_file_is_left_alone(self):
        makers = {"a folder": lambda: self.file.mkdir(),
                  "a link": lambda: self.file.symlink_to("../mine.json"),
                  "a pipe": lambda: os.mkfifo(self.file)}
        for name, make in makers.items():
            with self.subTest(kind=name):
                shutil.rmtree(self.workbook, ignore_errors=True)
                self.workbook.mkdir()
                make()
                self.assert_refused(self.record(), "not a plain file")
                self.assert_refused(self.run_driver("load"), "not a plain file")
                self.assertTrue(os.path.lexists(self.file))

    def test_what_lies_in_the_way_of_the_new_file_does_no_harm(self):
        self.give(GOOD)
        mine = self.folder / "mine"
        mine.write_text("mine")
        (self.workbook / "progress.json.new").symlink_to("../mine")
        self.assert_recorded(self.record())
        self.assertEqual(mine.read_text(), "mine")
        self.assertFalse(self.file.is_symlink())

    def test_a_folder_without_permission_is_named_and_nothing_changes(self):
        self.give(GOOD)
        before = self.file.read_bytes()
        os.chmod(self.folder, 0o755)
        os.chmod(self.workbook, 0o555)
        if os.geteuid() == 0:
            if not shutil.which("setpriv"):
                self.skipTest("root may write everywhere, and setpriv is missing")
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            if subprocess.run([*command, "test", "-x", DRIVER]).returncode:
                self.skipTest("another user can't reach this folder")
        else:
            command = []
        result = subprocess.run([*command, DRIVER, "record", "01_layer_norm", "9"], cwd=self.folder,
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.chmod(self.workbook, 0o755)
        self.assert_refused(result, "Permission denied")
        self.assertEqual(self.file.read_bytes(), before)


class FullDisk(InAFolder):
    def test_a_limit_on_file_sizes_is_reported_and_the_old_file_stays(self):
        self.give(GOOD)
        before = self.file.read_bytes()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
        result = self.record(preexec_fn=limit)
        self.assert_refused(result, "File too large")
        self.assertEqual(self.file.read_bytes(), before)
        self.assertEqual(sorted(os.listdir(self.workbook)), ["lock", "progress.json"])
        self.assert_recorded(self.record())

    def test_a_full_disk_is_reported_and_the_old_file_stays(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.folder],
                                 stderr=subprocess.DEVNULL).returncode == 0
        if not mounted:
            self.skipTest("mounting a small disk needs root")
        self.addCleanup(subprocess.run, ["umount", self.folder])
        self.assert_recorded(self.record(passed=5))
        before = self.file.read_bytes()
        with open(self.folder / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(512))
            except OSError:
                pass
        self.assert_refused(self.record(), "No space left on device")
        self.assertEqual(self.file.read_bytes(), before)
        self.assertEqual(self.run_driver("load").stdout, "01_layer_norm 5 1\n")
        (self.folder / "filler").unlink()
        self.assert_recorded(self.record())
        self.assertEqual(self.lesson()["attempts"], 2)


class Crowds(InAFolder):
    def test_twenty_at_once_are_all_recorded(self):
        running = [subprocess.Popen([DRIVER, "record", f"{i % 4:02}_lesson", "9", "5"],
                                    cwd=self.folder, stderr=subprocess.PIPE) for i in range(20)]
        for process in running:
            _, errors = process.communicate(timeout=1800)
            self.assertEqual((process.returncode, errors), (0, b""))
        lines = self.run_driver("load").stdout.splitlines()
        self.assertEqual(lines, [f"{i:02}_lesson 9 25" for i in range(4)])

    def test_a_kill_at_any_moment_leaves_the_old_or_the_new_file(self):
        draw = random.Random(11)
        attempts = 0
        for _ in range(60):
            with subprocess.Popen([PLAIN, "record", "01_layer_norm", "9", "1000000"],
                                  cwd=self.folder) as process:
                wait_until(lambda seen=attempts: self.file.exists() and
                           self.lesson()["attempts"] > seen, "another record")
                time.sleep(draw.uniform(0, 0.02))
                process.send_signal(signal.SIGKILL)
            now = self.lesson()["attempts"]
            self.assertGreater(now, attempts)
            attempts = now
        self.assert_recorded(self.record())
        self.assertEqual(sorted(os.listdir(self.workbook)), ["lock", "progress.json"])

    def test_a_writer_that_is_stopped_makes_the_others_say_so(self):
        self.give(GOOD)
        with open(self.workbook / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assert_refused(self.record(), "lock")
        self.assert_recorded(self.record())


if __name__ == "__main__":
    unittest.main()
