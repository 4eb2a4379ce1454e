"""The set-up, wherever it is begun: what is named on the command line is never run, a build that is
killed or not alone is simply gone on with, nothing is set up twice, and what can't be built is said
before anything is.

The builds here are made by a compiler that leaves out optimizing, to be quick.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
from deps_copy import NOBODY, needs_root
from workbook_copy import WorkbookCopy

VARIABLES = ["LESSON", "STEP", "IMPL", "FORMAT", "SEED", "LIMIT", "SANITIZE", "UNITY_DIR",
             "LINENOISE_DIR", "CJSON_DIR", "CLASS", "TESTS", "anything"]
COMMANDS = ["check", "check-all", "start", "hint", "reset", "lab", "race", "help", "clean"]
# Each makes a file called "ran", if anything expands it: make, the shell in a recipe, in quotes or not.
HOSTILE = ["$(shell touch ran)", "$$(touch ran)", "`touch ran`", "x'; touch ran; '", 'x"; touch ran; "',
           "x\ntouch ran\n", "${eval $(shell touch ran)}", "x; touch ran #"]
# A compiler that does as it is told, but quickly. Of a file that is named in the folder dies/ it writes
# half, once, and everything around it is killed.
QUICK = """#!/bin/sh
for word; do
    shift
    case $word in -O[12]) word=-O0 ;; esac
    set -- "$@" "$word"
    [ "$previous" != -o ] || output=$word
    previous=$word
done
mark=dies/$(echo "${output%%.new}" | tr / ,)
if [ -f "$mark" ]; then
    echo half >"$output"
    rm "$mark"
    kill -9 0
fi
exec %s "$@"
"""


class Workbook(unittest.TestCase):
    def setUp(self):
        self.copy = self.enterContext(WorkbookCopy())
        self.build = self.copy.path / "build"

    def quick_compiler(self, name="quick"):
        self.copy.write(name, QUICK % os.environ.get("CC", "cc"))
        (self.copy.path / name).chmod(0o755)
        return f"./{name}"

    def start(self, *words, **env):
        return subprocess.Popen(["make", *words], cwd=self.copy.path, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, **env}, start_new_session=True)

    def make_whole(self, *words, **env):
        run = self.copy.run(["make", *words], env=env, timeout=1800)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run


class Names(Workbook):
    def test_a_command_in_a_value_is_not_run(self):
        for command in COMMANDS:
            for hostile in HOSTILE:
                with self.subTest(f"{command} {hostile!r}"):
                    self.copy.run(["make", command, *(f"{name}={hostile}" for name in VARIABLES)])
                    self.copy.run(["make", command], env={name: hostile for name in VARIABLES})
                    self.assertFalse((self.copy.path / "ran").exists())

    def test_small_letters_hold_no_command(self):
        small = [name for word in ("lesson", "step", "impl", "format", "seed", "limit") for name in (word, word.title())]
        for hostile in HOSTILE:
            with self.subTest(hostile):
                self.copy.run(["make", "check", *(f"{name}={hostile}" for name in small)])
                self.assertFalse((self.copy.path / "ran").exists())
        run = self.copy.run(["make", "-s", "check", "lesson=3", "Impl=solutions", "step=rms_norm", "Format=json", "seed=7"])
        (lesson,) = json.loads(run.stdout)["lessons"]
        self.assertEqual((lesson["lesson"], lesson["source"], lesson["seed"]),
                         ("03_rms_norm", "solutions/03_rms_norm.c", "7"))
        self.assertEqual({check["step"] for check in lesson["checks"]}, {"rms_norm"})

    def test_a_command_in_the_compilers_name_is_not_run(self):
        for hostile in HOSTILE:
            with self.subTest(hostile):
                for words, env in (([f"CC=cc {hostile}"], {}), ([], {"CC": f"cc {hostile}"})):
                    run = self.copy.run(["make", "check", *words], env=env)
                    self.assertIn("cc ", run.stderr)
                    self.assertNotEqual(run.returncode, 0)
                    self.assertFalse((self.copy.path / "ran").exists())

    def test_a_file_or_folder_of_any_name_is_graded(self):
        for name in ("a b", "it's", 'say "x"', "ev$e", "$(touch ran)", "-n", "new\nline", "#1", "100%"):
            with self.subTest(name):
                shutil.copytree(self.copy.path / "solutions", self.copy.path / name)
                for impl in (name, f"{name}/01_layer_norm.c"):
                    run = self.copy.run(["make", "-s", "check", "LESSON=01", f"IMPL={impl}"])
                    self.assertIn("9 passed, 0 failed", run.stdout, run.stderr)
                self.assertFalse((self.copy.path / "ran").exists())

    def test_an_exercise_of_any_name_does_no_harm(self):
        names = ["01_$(shell touch ran).c", "01_$(touch ran) `touch ran`.c", 'it\'s "x".c']
        for name in names:
            self.copy.write(f"exercises/{name}", "int x;\n")
        for target in ("check-all", "compile_commands.json", "lessons"):
            self.copy.run(["make", target, "IMPL=solutions"])
        listed = json.loads(self.copy.read("compile_commands.json"))
        self.assertLessEqual({f"exercises/{name}" for name in names}, {e["file"] for e in listed})
        self.assertFalse((self.copy.path / "ran").exists())

    def test_a_lesson_of_an_odd_name_is_named(self):
        for name in ("98_$(shell touch ran)", "98_$$(touch ran)", "98_a b", "98_it's", "98_a;b", "98_a:b", "98_a%b", "98_ü"):
            with self.subTest(name):
                self.copy.write(f"checker/lessons/{name}/lesson.c", "")
                run = self.copy.run(["make", "lessons"])
                self.assertNotEqual(run.returncode, 0)
                self.assertIn("A lesson is called NN_name, of letters, digits and _. Rename", run.stderr)
                run = self.copy.run(["build/workbook", "lessons"])
                self.assertNotIn(" 98 ", run.stdout)
                self.assertFalse((self.copy.path / "ran").exists())
                shutil.rmtree(self.copy.path / "checker/lessons" / name)

    def test_the_workbook_may_lie_in_a_folder_of_any_name(self):
        with WorkbookCopy("a \"b\" $(touch ran) it's `touch ran` #1\\") as copy:
            (copy.path / "build/01_layer_norm/check").unlink()
            for command in ("check", "compile_commands.json"):
                run = copy.run(["make", command, "LESSON=01", "IMPL=solutions"])
                self.assertEqual(run.returncode, 0, run.stderr)
            entry = json.loads(copy.read("compile_commands.json"))[0]
            self.assertEqual(entry["directory"], str(copy.path))
            self.assertEqual(list(copy.path.rglob("ran")), [])


class Once(Workbook):
    def setUp(self):
        super().setUp()
        self.copy.keep_lessons("01", "05")

    def test_four_at_once_build_it_once(self):
        self.make_whole("clean")
        words = ["-s", f"CC={self.quick_compiler()}", "check", "LESSON=01", "IMPL=solutions"]
        runs = [self.start(*words) for _ in range(4)]
        said = [run.communicate(timeout=1800)[0] for run in runs]
        for run, text in zip(runs, said):
            self.assertEqual(run.returncode, 0, text)
            self.assertIn("9 passed, 0 failed", text)
        for words in ("Setting up the workbook", "Building the workbook, once"):
            self.assertEqual(sum(words in text for text in said), 1, said)

    def test_who_waits_for_another_build_is_told(self):
        (self.build / "ready").unlink()
        with open(self.build / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run = self.start("-s", "check", "LESSON=01", "IMPL=solutions")
            self.assertIn("Another make builds the workbook", run.stdout.readline())
        text = run.communicate(timeout=1800)[0]
        self.assertIn("9 passed, 0 failed", text)

    def test_a_build_that_was_killed_is_gone_on_with(self):
        """Wherever it was killed: half of a file is not taken for all of it."""
        self.make_whole("clean")
        compiler = self.quick_compiler()
        dies = ["build/objects/run/text.o", "build/objects/box/wire.o", "build/worker", "build/workbook",
                "build/01_layer_norm/name.o", "build/01_layer_norm/check",
                "build/deps_objects/cJSON.o"]
        for path in dies:
            self.copy.write(f"dies/{path.replace('/', ',')}", "")
        while os.listdir(self.copy.path / "dies"):
            run = self.start("-s", f"CC={compiler}", "lessons")
            said = run.communicate(timeout=1800)[0]
            self.assertEqual(run.returncode, -signal.SIGKILL, said)
        run = self.make_whole("-s", f"CC={compiler}", "check-all", "IMPL=solutions")
        self.assertIn("2 of 2 lessons passed", run.stdout)

    def test_the_same_settings_are_set_up_once(self):
        compiler = self.quick_compiler()
        for words in (["CC="], ["-R"], [f"CC={compiler} -DX=\\#1 -DY=\"a'$$(b)\" -DZ=x\\"]):
            env = {"CC": ""} if words == ["CC="] else {}
            with self.subTest(words):
                self.make_whole("-s", *words, "check", "LESSON=01", "IMPL=solutions", **env)
                before = (self.build / "ready").stat().st_mtime_ns
                run = self.make_whole("-s", *words, "check", "LESSON=01", "IMPL=solutions", **env)
                self.assertEqual(run.stderr, "")
                self.assertEqual((self.build / "ready").stat().st_mtime_ns, before)
        self.assertIn(f"BUILT_WITH := {compiler} -DX=", self.copy.read("build/config.mk"))

    def test_a_file_from_the_future_is_built_once(self):
        tomorrow = time.time() + 86400
        os.utime(self.copy.path / "checker/workbook/hint.c", (tomorrow, tomorrow))
        self.make_whole("-s", "lessons")
        before = (self.build / "workbook").stat().st_mtime_ns, (self.build / "ready").stat().st_mtime_ns
        run = self.make_whole("-s", "lessons")
        self.assertEqual(run.stderr, "")
        self.assertEqual(before, ((self.build / "workbook").stat().st_mtime_ns,
                                  (self.build / "ready").stat().st_mtime_ns))

    def test_a_program_that_is_gone_is_built_again(self):
        (self.build / "worker").unlink()
        shutil.rmtree(self.build / "05_batch_norm")
        self.make_whole("-s", "check-all", "IMPL=solutions")

    def test_it_uses_all_processors(self):
        shutil.rmtree(self.build / "objects" / "workbook")
        (self.build / "ready").unlink()
        self.copy.write("nproc", "#!/bin/sh\necho 7\n")
        self.copy.write("make", f'#!/bin/sh\necho "$*" >>asked\nexec {shutil.which("make")} "$@"\n')
        for name in ("nproc", "make"):
            (self.copy.path / name).chmod(0o755)
        path = f"{self.copy.path}:{os.environ['PATH']}"
        run = self.copy.run([shutil.which("make"), "-s", "lessons", "MAKE_COMMAND=make"],
                            env={"PATH": path})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("-j 7 ", self.copy.read("asked"))


class WithoutSolutions(Workbook):
    def test_the_stub_is_known_without_them(self):
        stub = self.copy.read("exercises/01_layer_norm.c")
        shutil.rmtree(self.copy.path / "solutions")
        (self.build / "ready").unlink()
        self.assertIn("still the stub", self.copy.make("check", LESSON="01").stdout)
        self.copy.write("exercises/01_layer_norm.c", "my work\n")
        run = self.copy.make("reset", LESSON="01")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.copy.read("exercises/01_layer_norm.c"), stub)
        said = self.copy.run("printf 'solution\\nsolution\\n' | make -s start", stdin=None).stderr
        self.assertIn("solutions/01_layer_norm.c can't be read: No such file", said)


class Refusals(Workbook):
    """In one sentence, and before anything is compiled."""

    def refused(self, words, *make, **more):
        run = self.copy.run(["make", "check", *make], **more)
        said = run.stdout + run.stderr
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(words, said)
        self.assertNotIn("Setting up", said)

    def test_a_compiler_that_will_not_do(self):
        will_not_do = {"tcc": "tcc can't build the workbook: it is neither gcc nor clang.",
                       "gcc -m32": "gcc -m32 can't build the workbook: it makes programs of 32 bits",
                       "musl-gcc": "musl-gcc can't build the workbook: its C library is not glibc"}
        for compiler, words in will_not_do.items():
            with self.subTest(compiler):
                if not shutil.which(compiler.split()[0]):
                    self.skipTest(f"there is no {compiler} here")
                self.refused(words, f"CC={compiler}")

    def test_another_processor_and_an_old_c_library(self):
        """Told by what the preprocessor says of them, which one line more can say, too."""
        lock = self.copy.read("checker/deps/lock.c")
        for change, words in (("#undef __x86_64__\n#undef __aarch64__\n", "neither x86-64 nor arm64"),
                              ("#undef __linux__\n#undef __APPLE__\n", "neither Linux nor macOS")):
            with self.subTest(words):
                self.copy.write("checker/deps/lock.c", change + lock)
                self.refused(words)
        if sys.platform == "linux":
            old = "#include <stdio.h>\n#undef __GLIBC_MINOR__\n#define __GLIBC_MINOR__ 24\n"
            self.copy.write("checker/deps/lock.c", old + lock)
            self.refused("its C library is older than glibc 2.25")

    def test_an_old_compiler_and_a_broken_one(self):
        self.copy.write("old", '#!/bin/sh\ncase $* in *-E*) exec cc "$@";; esac\n'
                               "echo \"cc1: error: unrecognized option '-std=c11'\" >&2; exit 1\n")
        self.copy.write("broken", "#!/bin/sh\nexit 1\n")
        for name in ("old", "broken"):
            (self.copy.path / name).chmod(0o755)
        self.refused("./old can't build a C program: cc1: error: unrecognized option '-std=c11'",
                     "CC=./old")
        self.refused("./broken does not work: it fails without a word", "CC=./broken")

    @needs_root
    def test_a_folder_in_which_nothing_can_be_run(self):
        self.copy.write("run", "mount -t tmpfs -o noexec none build && exec make check\n")
        run = self.copy.run(["unshare", "-m", "sh", "run"])
        if "unshare" in run.stderr or "mount:" in run.stderr:
            self.skipTest("no mounts here")
        self.assertIn("builds programs that can't be run in build/: ", run.stderr)
        self.assertIn('Is the folder mounted "noexec"', run.stderr)
        self.assertNotIn("sanitizer", run.stderr)

    @needs_root
    def test_a_folder_that_is_read_only(self):
        for path in (self.copy.path / "build", self.copy.path / ".workbook"):
            shutil.rmtree(path, ignore_errors=True)
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            shutil.copytree(self.copy.path, f"{folder}/copy")
            self.refused("Can't write to build/: is the disk full, or the folder read-only", cwd=f"{folder}/copy",
                         preexec_fn=lambda: os.setuid(NOBODY))


class Checkouts(Workbook):
    def test_one_with_the_line_ends_of_windows_works(self):
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=x"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "the copy"],
                      ["clone", "-q", "-c", "core.autocrlf=true", ".", "clone"]):
            run = self.copy.run(git + words)
            self.assertEqual(run.returncode, 0, run.stderr)
        clone = self.copy.path / "clone"
        self.assertEqual([str(path) for path in clone.rglob("*") if path.is_file()
                          and ".git" not in path.parts and b"\r\n" in path.read_bytes()], [])
        shutil.copytree(self.build, clone / "build", copy_function=shutil.copy)
        run = self.copy.run(["make", "-s", "check", "LESSON=01", "IMPL=solutions"], cwd=clone)
        self.assertIn("9 passed, 0 failed", run.stdout, run.stderr)


if __name__ == "__main__":
    unittest.main()
