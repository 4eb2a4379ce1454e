"""make bench: the workbook in a page, in Chromium: its size, how soon a verdict is there, what the searches take, the
same at a quarter of the speed, and its memory.

DevTools' throttling leaves workers as they are, and in one the checker runs. So the page's whole process is stopped
for three quarters of the time.
"""

import contextlib
import gzip
import json
import os
import signal
import statistics
import sys
import threading
import time

sys.dont_write_bytecode = True
import lesson_files
import slips
from browser import PROGRAM, Browser
from writing import BOOK, Page, make_book

LATER = 7
LIMITS = {**dict.fromkeys(("01", "02", "03", "04", "05"), 60), **dict.fromkeys(("10", "12"), 250)}
SLOWED = ("01", "05", "10", "12")
RUNS, STOPS = 0.004, 3  # seconds; stopped for so many times as long


def say(what, value):
    print(f"{what:62} {value}", flush=True)


def packed(*paths):
    return sum(len(gzip.compress(path.read_bytes())) for path in paths)


def sizes():
    say("the book's folder, gzipped (below 2000 kB)", f"{packed(*BOOK.iterdir()) / 1000:.0f} kB")
    own = {name: packed(BOOK / f"{name}.html", BOOK / f"{name}.files.js") for name in lesson_files.names()}
    most = max(own, key=own.get)
    say("a page's own part, gzipped, the most (below 300 kB)", f"{own[most] / 1000:.0f} kB ({most})")


def milliseconds(page, text):
    """From asking to the verdict's end, line and second search included."""
    return page.run(f"(async () => {{ const began = performance.now(); await workbook.check({json.dumps(text)}); "
                    "return performance.now() - began; })()")


def verdicts(browser, name):
    """Milliseconds of a right file: from opening the page to the first verdict's end, and a later one's median."""
    text = lesson_files.Lesson(name).read("solutions/{}.c")
    page = Page(browser, name)
    first = page.run(f"workbook.check({json.dumps(text)}).then(() => performance.now())")
    return first, statistics.median(milliseconds(page, text) for _ in range(LATER))


def speeds(browser):
    for name in lesson_files.names():
        first, later = verdicts(browser, name)
        limit = f" (below {LIMITS[name[:2]]})" if name[:2] in LIMITS else ""
        say(f"{name}: first verdict (below 500), later ones{limit}", f"{first:.0f} ms, {later:.0f} ms")


def searches(browser):
    taken = []
    for name in slips.lessons():
        page = Page(browser, name)
        programs = slips.wrong(name)
        if programs:
            milliseconds(page, programs[0].text)  # the first one compiles the page's own code, too
        taken += [(milliseconds(page, program.text), f"{name}: {program.title}") for program in programs]
    taken.sort()
    say(f"a wrong file, with line and second search, {len(taken)}: median (below 1500)",
        f"{statistics.median(ms for ms, _ in taken):.0f} ms")
    say("  90 % of them, and the most (below 4000)",
        f"{taken[int(0.9 * len(taken))][0]:.0f} ms, {taken[-1][0]:.0f} ms ({taken[-1][1]})")


def renderers(browser):
    """The processes in which pages run."""
    session, browser.session = browser.session, None
    found = browser.ask("SystemInfo.getProcessInfo")["processInfo"]
    browser.session = session
    return [process["id"] for process in found if process["type"] == "renderer"]


@contextlib.contextmanager
def slowed(processes):
    """These run a quarter of the time; whatever happens, they go on afterwards."""
    done = threading.Event()

    def send(number):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def slow():
        owed, now = 0, time.monotonic()
        while not done.is_set():
            time.sleep(RUNS)
            send(signal.SIGSTOP)
            began, now = now, time.monotonic()
            owed += STOPS * (now - began)  # a sleep is longer than it was asked for
            time.sleep(max(owed, 0))
            send(signal.SIGCONT)
            began, now = now, time.monotonic()
            owed -= now - began

    slower = threading.Thread(target=slow)
    slower.start()
    try:
        yield
    finally:
        done.set()
        slower.join()
        send(signal.SIGCONT)


def slow_speeds(browser):
    for name in lesson_files.names():
        if name[:2] in SLOWED:
            Page(browser, name)  # a page of the same origin: the next one stays in its process
            with slowed(renderers(browser)):
                first, later = verdicts(browser, name)
            say(f"{name} at a quarter of the speed (below 1500, {3 * LIMITS[name[:2]]})", f"{first:.0f} ms, {later:.0f} ms")


def held(browser):
    """Bytes that belong to the pages' processes alone."""
    total = 0
    for process in renderers(browser):
        with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith("Private_")) * 1024
    return total


def memory(browser):
    browser.open("about:blank")
    before = held(browser)
    most = 0
    for name in slips.lessons():
        page = Page(browser, name)
        page.bring_near()
        for program in slips.wrong(name)[:2]:
            milliseconds(page, program.text)
        most = max(most, held(browser) - before)
    say("memory of a page, over an empty one's, the most (below 100 MB)", f"{most / 1e6:.0f} MB")


def main():
    if not PROGRAM:
        say("the workbook in a page", "not measured: apt-get install chromium")
        return
    make_book()
    print("The workbook in a page, in Chromium:")
    sizes()
    with Browser() as browser:
        browser.window(1440)
        speeds(browser)
        searches(browser)
        memory(browser)
        slow_speeds(browser)


if __name__ == "__main__":
    main()
