"""Runs every test and closes with `N passed, N failed, N skipped`: python3 checker/tests/run.py [NAME ...]

A name is a part of a test file's name or of a test case's: "lessons" is test_lessons.py, "engine" is
unit_engine.c, "02_back" is what test_lessons.py asks of lesson 02. Behind a colon may stand a part of
one test's printed name: "runner:nothing is left". A name that fits nothing is a failure.

A test is one method or one subTest of checker/tests/test_*.py (unittest), or one test of a
checker/tests/unit_*.c (Unity). What can't run here is skipped with its reason, and counted. Files run
one after the other; the slow ones use the processors themselves.
"""

import os
import pathlib
import re
import signal
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent


class Counter(unittest.TestResult):
    """Prints a line per test as it ends, and counts subtests as tests."""

    def __init__(self):
        super().__init__()
        self.passed = self.failed = self.missed = 0
        self.began = 0.0
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
        print("     " + text.strip().replace("\n", "\n     "), flush=True)


def _sentence(test):
    name = test.id().split(".", 1)[-1] if hasattr(test, "id") else str(test)
    return re.sub(r"\btest_", "", name).replace("_", " ")


def deaf_to_nothing():
    """A background job, or one under nohup, ignores these signals, and so would all that it starts."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)  # what is started does not inherit a handler


def like_a_learner():
    """The tests' own makes are no parts of `make test`, but build as this checkout was built."""
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    built_with = re.search(r"^BUILT_WITH := (.*) (\S+)$",
                           pathlib.Path("build/config.mk").read_text(), re.MULTILINE)
    os.environ["CC"], os.environ["SANITIZE"] = built_with.groups()


def all_tests():
    """The tests of every file, one by one, as (file's stem, test)."""
    if str(TESTS) not in sys.path:
        sys.path.insert(0, str(TESTS))
    sys.dont_write_bytecode = True
    for file in sorted(TESTS.glob("test_*.py")):
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


def main(names):
    os.chdir(TESTS.parent.parent)
    like_a_learner()
    deaf_to_nothing()
    tests = list(all_tests())
    strangers = [name for name in names if not chosen(tests, name)]
    if strangers:
        print(f"No test is called {' or '.join(strangers)}. The files are "
              f"{', '.join(sorted({stem[len('test_'):] for stem, _ in tests}))}.")
        return 2
    wanted = [pair for name in names for pair in chosen(tests, name)] or tests
    counter = Counter()
    for file in sorted({stem for stem, _ in wanted}):
        print(f"\n{file}.py", flush=True)
        unittest.TestSuite(test for stem, test in tests
                           if stem == file and (stem, test) in wanted).run(counter)
    if counter.problems:
        print("\nFailed:")
        for name, _ in counter.problems:
            print(f"  {name}")
    skipped = f", {counter.missed} skipped" if counter.missed else ""
    print(f"\n{counter.passed} passed, {counter.failed} failed{skipped}")
    return 1 if counter.failed or not counter.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or names_in(os.environ.get("TESTS", ""))))
