"""make bench: what the search for the line costs. The same wrong and the same right file with it and without it,
and how long after the verdict's own lines a check of each wrong program of the corpus has ended. All with one
program at a time.
"""

import shutil
import statistics
import subprocess
import time

import slips
from lesson_files import ROOT

FOLDER = ROOT / "build" / "bench"
RUNS = 15


def without_trial():
    """A folder that looks like this one, and has no build/trial."""
    top = FOLDER / "without"
    shutil.rmtree(top, ignore_errors=True)
    (top / "build").mkdir(parents=True)
    for name in ("checker", "include", "lessons", "solutions", "exercises"):
        (top / name).symlink_to(ROOT / name)
    for path in (ROOT / "build").iterdir():
        if path.name != "trial":
            (top / "build" / path.name).symlink_to(path)
    return top


def run(path, lesson, top=ROOT):
    """Seconds until the first wrong check is on the screen (None: there is none), and until all is."""
    command = [str(top / "build" / lesson / "check"), "--impl", str(path), "--seed", "1"]
    began = time.monotonic()
    first = None
    with subprocess.Popen(command, cwd=top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            if first is None and line.startswith(("❌", "FAIL", "not ok")):
                first = time.monotonic() - began
    return first, time.monotonic() - began


def say(what, value):
    print(f"{what:62} {value}", flush=True)


def ratio(path, lesson, without):
    """Medians of runs that take turns, so that both see the same machine."""
    pairs = [(run(path, lesson)[1], run(path, lesson, without)[1]) for _ in range(RUNS)]
    return statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    wrong, without = FOLDER / "wrong.c", without_trial()
    lesson = slips.lessons()[0]
    wrong.write_text(next(p.text for p in slips.wrong(lesson) if "doubled, not squared" in p.title))
    say("a wrong file with the search for the line, over without", f"{ratio(wrong, lesson, without):.2f}")
    say("a right file, the same (1.0: it is not even started)",
        f"{ratio(ROOT / 'solutions' / f'{lesson}.c', lesson, without):.2f}")
    waits = []
    for lesson in slips.lessons():
        for program in slips.wrong(lesson):
            wrong.write_text(program.text)
            first, end = run(wrong, lesson)
            waits += [end - first] if first is not None else []
    waits.sort()
    say(f"from the verdict to the line's end, {len(waits)} wrong programs, median (below 0.3 s)",
        f"{statistics.median(waits):.2f} s")
    say("  90 % of them, and the most (below 1 s)", f"{waits[int(0.9 * len(waits))]:.2f} s, {waits[-1]:.2f} s")
    shutil.rmtree(without)


if __name__ == "__main__":
    main()
