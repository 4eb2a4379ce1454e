"""make bench: how fast a class is graded. 300 different files of lesson 01, two right ones to a wrong one, as
learners write them; over compiling the same files as fast as they can be compiled, a compiler for each
processor. None of them loops without an end: that takes its two seconds, however fast the machine is. The
argument is the bare compile of the solution.
"""

import concurrent.futures
import itertools
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

import slips
from lesson_files import ROOT

LESSON = "01_layer_norm"
FOLDER = ROOT / "build" / "bench" / "class"
GRADES = FOLDER.with_name("class-grades")
STUDENTS = 300


def hand_in():
    """The files of the class."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    right = itertools.cycle([program.text for program in slips.styles(LESSON)])
    wrong = itertools.cycle([program.text for program in slips.wrong(LESSON) if "never reached" not in program.title])
    for i in range(STUDENTS):
        text = next(wrong if i % 3 == 2 else right) + f"/* student {i} */\n"
        (FOLDER / f"student{i:03}_{LESSON}.c").write_text(text)
    return sorted(FOLDER.iterdir())


def compile_all(command, files):
    """Seconds, and processor seconds."""
    def compile_one(numbered):
        number, file = numbered
        words = [str(file) if word == f"solutions/{LESSON}.c" else word for word in command]
        words = [word.replace("bare.so", f"bare{number % 64}.so") for word in words]
        subprocess.run(words, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    began, processors = time.monotonic(), children()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, enumerate(files)))
    return time.monotonic() - began, children() - processors


def children():
    used = os.times()
    return used.children_user + used.children_system


def grade(lines):
    began, processors = time.monotonic(), children()
    subprocess.run(["make", "-s", "grade", f"CLASS={FOLDER}", "SEED=7", f"LINES={lines}"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    return time.monotonic() - began, children() - processors


def say(what, seconds, bare):
    print(f"{what:<62} {bare[0] / seconds[0]:.2f}   ({seconds[0]:.1f} s over {bare[0]:.1f} s; "
          f"processors {bare[1] / seconds[1]:.2f})", flush=True)


def main(command):
    files = hand_in()
    shutil.rmtree(GRADES, ignore_errors=True)
    bare = compile_all(shlex.split(command), files)
    grades = grade("no")
    say(f"make grade, {STUDENTS} hand-ins, rate over the bare compiler's (0.7)", grades, bare)
    if "ended by a limit" in (GRADES / "grades.csv").read_text():
        raise SystemExit("one of them loops without an end")
    lines = grade("yes")
    wrong = STUDENTS // 3
    print(f"{'  and then the search for the line, for each wrong file':<62} {lines[0] / wrong:.2f} s", flush=True)
    for path in pathlib.Path(ROOT / "build" / "bench").glob("bare[0-9]*.so"):
        path.unlink()


if __name__ == "__main__":
    main(sys.argv[1])
