"""Builds our own programs with AddressSanitizer and UndefinedBehaviorSanitizer, and runs the tests of the core, the
class and the line with them: make test SANITIZE_OURS=yes, or make built SANITIZE_OURS=yes for the programs alone.

It works in a copy of this checkout, build/ours/, which has its own build/, so the ordinary programs stay as they
are. What a sanitizer says is written to a file, whatever program it is said in and whoever started that: each is a
failure, though a test may have asked for no more than an exit code that is not 0. What a program holds to its end
is given back by its end, and not looked for.

The worker and the trial are as always, but for the sanitizers that the learner's code has: ours in them runs in
signal handlers.
"""

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import lesson_files
import run
from lesson_files import ROOT

TREE = ROOT / "build" / "ours"
SAID = TREE / "build" / "said"
NAMES = ["unit_", "test_judgements", "test_verdict", "test_reports", "test_progress", "test_submission", "test_ints",
         "test_line", "test_grade", "test_handed_in", "test_given_back"]
EXIT = 99  # none of our programs' own


def environment():
    flags = f"log_path={SAID}/by:exitcode={EXIT}:detect_leaks=0"
    return {**os.environ, "SANITIZE_OURS": "here", "ASAN_OPTIONS": flags,
            "UBSAN_OPTIONS": f"{flags}:print_stacktrace=1"}


def main(goal):
    for name in run.OF_MAKE:
        os.environ.pop(name, None)
    lesson_files.fill_copy(TREE, builds=True)
    shutil.rmtree(SAID, ignore_errors=True)
    code = subprocess.run(["make", "-s", "built"], cwd=TREE, env=environment(), check=False).returncode
    if code or goal == "built":
        return code
    SAID.mkdir(exist_ok=True)
    names = run.names_in(os.environ.get("TESTS", "")) or NAMES
    tests = [sys.executable, "checker/tests/run.py", *names]
    code = subprocess.run(tests, cwd=TREE, env=environment(), check=False).returncode
    return verdict(code, SAID)


def verdict(code, folder):
    """The tests' exit code, or 1 where a sanitizer has said something, which is shown."""
    said = sorted(folder.iterdir())
    for path in said[:5]:
        print(f"\nFAIL A sanitizer said:\n{path.read_text(errors='replace')}")
    print(f"The sanitizers said something {len(said)} times." if said else "The sanitizers said nothing.")
    return 1 if code or said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
