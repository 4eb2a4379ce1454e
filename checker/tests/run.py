"""Runs every test and closes with `N passed, N failed, N skipped`: python3 checker/tests/run.py [NAME ...]

A name is a part of a test file's name or of a test case's: "lessons" is test_lessons.py, "engine" is
unit_engine.c, "02_back" is what test_lessons.py asks of lesson 02. Behind a colon may stand a part of
one test's printed name: "runner:nothing is left". A name that fits nothing is a failure.

A test is one method or one subTest of checker/tests/test_*.py (unittest), or one test of a
checker/tests/unit_*.c (Unity). What can't run here is skipped with its reason, and counted. Three files run
side by side, each in a process of its own, and are printed as they end.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.dont_write_bytecode = True
import versions

TESTS = pathlib.Path(__file__).resolve().parent
AT_ONCE = 3  # two would often wait for something together, and the processors with them
# The longest are begun first, or the last of them would be waited for alone.
LONGEST = ("test_lessons", "test_line", "test_setup", "test_runner", "test_emulator", "test_slurm", "test_deps")
ALONE = "--alone"  # as a first argument: one file, in this process; its figures are the last line
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")  # the make that runs the tests, in their environment
TELLING = threading.Lock()  # held by the one whose lines are printed


class Counter(unittest.TestResult):
    """Prints a line per test as it ends, and counts subtests as tests."""

    def __init__(self, stem):
        super().__init__()
        self.stem = stem
        self.passed = self.failed = self.missed = 0
        self.began = time.monotonic()  # what goes before the first test may fail
        self.sub_results = 0
        self.problems = []

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        self.sub_results = self.failed_here = 0

    def _line(self, word, test, note=""):
        seconds = time.monotonic() - self.began
        print(f"{word:5}{_sentence(test)}{note}   ({seconds:.1f} s)", flush=True)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        self.sub_results += 1
        if error is None:
            self.passed += 1
        else:
            self.failed += 1
            self.failed_here += 1
            self._problem(subtest, error)

    def addSuccess(self, test):
        note = f" [{self.sub_results} cases]" if self.sub_results else ""
        self.passed += 0 if self.sub_results else 1
        self._line("ok", test, note)

    def addFailure(self, test, error):
        self.failed += 1
        self._problem(test, error)

    addError = addFailure

    def addSkip(self, test, reason):
        self.missed += 1
        self._line("skip", test, f": {reason}")

    def addExpectedFailure(self, test, error):
        self.addFailure(test, error)  # there are no expected failures here

    def _problem(self, test, error):
        text = self._exc_info_to_string(error, test)
        self.problems.append((_sentence(test), text))
        self._line("FAIL", test)
        text = "\n".join([text.strip(), "With these versions:", *versions.of(self.stem)])
        print("     " + text.replace("\n", "\n     "), flush=True)


def _sentence(test):
    name = test.id() if hasattr(test, "id") else str(test)
    name = name if " " in name else name.split(".", 1)[-1]  # "setUpClass (test_fuzz.Fuzz)"
    return re.sub(r"\btest_", "", name).replace("_", " ")


def deaf_to_nothing():
    """A background job, or one under nohup, ignores these signals, and so would all that it starts."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)  # what is started does not inherit a handler


def like_a_learner():
    """The tests' own makes are no parts of `make test`, but build as this checkout was built."""
    for name in OF_MAKE:
        os.environ.pop(name, None)
    built_with = re.search(r"^BUILT_WITH := (.*) (\S+)$",
                           pathlib.Path("build/config.mk").read_text(), re.MULTILINE)
    os.environ["CC"], os.environ["SANITIZE"] = built_with.groups()


def all_tests(files="test_*.py"):
    """The tests of these files, one by one, as (file's stem, test)."""
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    for file in sorted(TESTS.glob(files)):
        # discover() makes a failing test of a file that can't be imported
        for test in _flat(unittest.defaultTestLoader.discover(str(TESTS), file.name)):
            yield file.stem, test


def _flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flat(test)
        else:
            yield test


def chosen(tests, name):
    """Those of the tests that the name fits."""
    group, _, sentence = name.partition(":")
    sentence = sentence.strip().replace("_", " ")
    return [(stem, test) for stem, test in tests
            if group in f"{stem}.{type(test).__name__}" and sentence in _sentence(test)]


def names_in(text):
    """The names in TESTS="code runner:nothing is left": what follows a colon goes to the end."""
    words = text.split()
    first = next((i for i, word in enumerate(words) if ":" in word), len(words))
    return words[:first] + ([" ".join(words[first:])] if words[first:] else [])


def run_alone(stem, names):
    """The tests of one file that the names fit, all if there are no names: how many passed, failed and
    were skipped, and the names of those that failed."""
    tests = list(all_tests(f"{stem}.py"))
    wanted = [pair for name in names for pair in chosen(tests, name)] or tests
    counter, began = Counter(stem), time.monotonic()
    print(f"\n{stem}.py", flush=True)
    unittest.TestSuite(test for _, test in tests if (stem, test) in wanted).run(counter)
    print(f"     {stem}.py took {time.monotonic() - began:.0f} s, {processor_time():.0f} s of processors", flush=True)
    return counter.passed, counter.failed, counter.missed, [name for name, _ in counter.problems]


def processor_time():
    """Of this process and of all that it started and that has ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def run_beside_others(stem, names):
    """The same in a process of its own, printed when it has ended."""
    command = [sys.executable, __file__, ALONE, stem, *names]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           errors="replace")
    *printed, figures = ended.stdout.splitlines() or [""]
    try:
        result = json.loads(figures)
    except ValueError:
        printed += [figures, f"FAIL {stem}.py ended with {ended.returncode} before its tests did"]
        result = 0, 1, 0, [f"{stem}.py itself"]
    with TELLING:
        print("\n".join(printed), flush=True)
    return result


def main(names):
    os.chdir(TESTS.parent.parent)
    like_a_learner()
    deaf_to_nothing()
    if names[:1] == [ALONE]:
        result = run_alone(names[1], names[2:])
        print(json.dumps(result))
        return 0
    tests = list(all_tests())
    strangers = [name for name in names if not chosen(tests, name)]
    if strangers:
        print(f"No test is called {' or '.join(strangers)}. The files are "
              f"{', '.join(sorted({stem[len('test_'):] for stem, _ in tests}))}.")
        return 2
    wanted = [pair for name in names for pair in chosen(tests, name)] or tests
    files = sorted({stem for stem, _ in wanted}, key=lambda stem: ([*LONGEST, stem].index(stem), stem))
    run_one = run_alone if len(files) == 1 else run_beside_others
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE if len(files) > 1 else 1) as pool:
        results = list(pool.map(lambda stem: run_one(stem, names), files))
    passed, failed, missed = (sum(result[i] for result in results) for i in range(3))
    if failed:
        print("\nFailed:")
        for name in (name for result in results for name in result[3]):
            print(f"  {name}")
    skipped = f", {missed} skipped" if missed else ""
    print(f"\n{passed} passed, {failed} failed{skipped}")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or names_in(os.environ.get("TESTS", ""))))
