"""Changes the code on purpose and says which changes no test notices: make mutate [MUTANTS="worker runner"]

checker/tests/mutants/AREA.txt holds the changes (checker/README.md says how they are written). MUTANTS picks
those whose area, file or description holds one of its words. Each is made in a copy of this checkout,
never in the checkout: the copy is built, the one test that must fail is run, and the text is put
back. Two copies work side by side. It closes with `N noticed, N survived, N broken`; broken is a
change that can't be judged: it no longer fits, does not compile, or its test is not there, is
skipped, or fails without the change too.
"""

import concurrent.futures
import os
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import lesson_files
import patches
import run
from lesson_files import ROOT

LISTS = pathlib.Path("checker/tests/mutants")
SCRATCH = ROOT / "build" / "tests" / "mutate"
AT_ONCE = 2
PATIENCE = 900  # seconds for one test; a change that makes it hang is noticed


class Mutant:
    """What is wrong, in which file, and the name of the test that fails."""

    def __init__(self, patch):
        self.patch, self.what, self.file, self.test = patch, patch.title, patch.base, patch.test
        self.area, self.place = pathlib.Path(patch.place).stem, pathlib.Path(patch.place).name

    def misfit(self):
        """Why it can't be made to this checkout; None when it can."""
        if self.patch.malformed:
            return patches.ORDER
        try:
            self.changed(ROOT)
        except (ValueError, OSError) as why:
            return str(why)
        return None

    def changed(self, root):
        return self.patch.applied((root / self.file).read_text())[0]


def read_all():
    """Every mutant of every list."""
    return [Mutant(patch) for path in sorted((ROOT / LISTS).glob("*.txt"))
            for patch in patches.read(path, base=True, test=True)]


def picked(mutants, words):
    return [mutant for mutant in mutants
            if not words or any(word in f"{mutant.area} {mutant.file} {mutant.what}" for word in words)]


class Copy:
    """A copy of the checkout, in which mutants live one after the other."""

    def __init__(self, number):
        self.tree = lesson_files.copy_of_tree(SCRATCH / str(number))
        self.path = self.tree.__enter__()
        for words in (["init", "-q"], ["add", "-A"],
                      ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "a copy"]):
            subprocess.run(["git", *words], cwd=self.path, check=False)

    def command(self, words):
        """(exit code, everything that it said); a code of None: it took too long."""
        try:
            done = subprocess.run(words, cwd=self.path, stdin=subprocess.DEVNULL, text=True,
                                  errors="replace", stdout=subprocess.PIPE, check=False,
                                  stderr=subprocess.STDOUT, timeout=PATIENCE, env=self.environment())
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout

    @staticmethod
    def environment():
        ours = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MUTANTS", "TESTS")
        return {name: value for name, value in os.environ.items() if name not in ours}

    def test(self, *names):
        """None when the tests pass; else (whether one failed, what was said)."""
        code, said = self.command(["make", "-s", "built"])
        if code:
            return False, "it does not build: " + said.strip()[-600:]
        code, said = self.command([sys.executable, "checker/tests/run.py", *names])
        if code == 0:
            return None
        if re.search(r"^0 passed, 0 failed, \d+ skipped", said, re.MULTILINE):
            return False, "its test is skipped here"
        return code != 2, said

    def judge(self, mutant):
        """("noticed", "survived" or "broken", why)."""
        path = self.path / mutant.file
        text = path.read_text()
        try:
            path.write_text(mutant.changed(self.path))
            ended = self.test(mutant.test)
        finally:
            path.write_text(text)
        if ended is None:
            return "survived", f"{mutant.test} passes"
        return ("noticed", "") if ended[0] else ("broken", ended[1])


class Run:
    def __init__(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        self.copies = queue.Queue()
        for number in range(AT_ONCE):
            self.copies.put(Copy(number))
        self.sound = {}  # a test's name: why it can't judge a mutant, or None
        self.counts = {"noticed": 0, "survived": 0, "broken": 0}
        self.telling = threading.Lock()

    def with_copy(self, work):
        copy = self.copies.get()
        try:
            return work(copy)
        finally:
            self.copies.put(copy)

    def try_unchanged(self, names):
        """All at once, for what the tests of a file prepare is prepared once; half by half if one fails."""
        ended = self.with_copy(lambda copy: copy.test(*names))
        if ended is None:
            self.sound.update(dict.fromkeys(names))
        elif len(names) > 1:
            self.try_unchanged(names[:len(names) // 2])
            self.try_unchanged(names[len(names) // 2:])
        else:
            self.sound[names[0]] = (f"{names[0]} fails without the change too, or fits no test:\n"
                                    f"{ended[1].strip()[-600:]}")

    def live(self, mutant):
        began = time.monotonic()
        broken = mutant.misfit() or self.sound[mutant.test]
        verdict, why = ("broken", broken) if broken else (
            self.with_copy(lambda copy: copy.judge(mutant)))
        with self.telling:
            self.counts[verdict] += 1
            print(f"{verdict:9}{mutant.place}: {mutant.what}   ({time.monotonic() - began:.0f} s)"
                  + "".join(f"\n     {line}" for line in why.splitlines()), flush=True)

    def close(self):
        while not self.copies.empty():
            self.copies.get().tree.__exit__(None, None, None)


def main(words):
    os.chdir(ROOT)
    run.like_a_learner()
    mutants = picked(read_all(), words)
    if not mutants:
        print(f"No change fits {' '.join(words)}." if words else f"There is no list in {LISTS}/.")
        return 2
    all_of_them = Run()
    try:
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            tests = sorted({mutant.test for mutant in mutants if not mutant.misfit()})
            shares = [tests[:len(tests) // 2], tests[len(tests) // 2:]]
            list(pool.map(all_of_them.try_unchanged, [share for share in shares if share]))
            list(pool.map(all_of_them.live, mutants))
    finally:
        all_of_them.close()
    counts = all_of_them.counts
    print("\n" + ", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return 1 if counts["survived"] or counts["broken"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or os.environ.get("MUTANTS", "").split()))
