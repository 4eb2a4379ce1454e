"""The part of `make bench` that needs a terminal: watch mode, and how fast the prompt opens.

    python3 checker/tests/bench_terminal.py COMMAND     the bare compile, timed between the saves
"""

import fcntl
import os
import pathlib
import pty
import select
import shlex
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "bench" / "tree"
SAVES = 20


def start(command, cwd):
    """A child on a terminal of its own; its pid and the terminal's other end."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.chdir(cwd)
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
        os.execvp(command[0], command)
    return pid, terminal


def wait_for(terminal, wanted, seconds=10):
    """Reads until `wanted` was printed; the moment it was."""
    seen, end = b"", time.monotonic() + seconds
    while wanted not in seen:
        ready, _, _ = select.select([terminal], [], [], end - time.monotonic())
        if not ready:
            sys.exit(f"bench: {wanted!r} did not appear: {seen[-300:]!r}")
        seen += os.read(terminal, 65536)
    return time.monotonic()


def stop(pid, terminal):
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    os.close(terminal)


def copy_tree():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    shutil.copytree(ROOT, SCRATCH, symlinks=True,
                    ignore=shutil.ignore_patterns(".git", ".workbook", "bench", "tests"))


def watch(compile_command):
    """Seconds from each save to the verdict on the screen, and of a bare compile after each."""
    exercise = SCRATCH / "exercises" / "01_layer_norm.c"
    solution = (SCRATCH / "solutions" / "01_layer_norm.c").read_text()
    pid, terminal = start(["env", "LESSON=01", "build/workbook", "watch"], SCRATCH)
    wait_for(terminal, b"q quit")
    took, bare = [], []
    for i in range(SAVES):
        time.sleep(0.05)
        began = time.monotonic()
        exercise.write_text(f"{solution}/* save {i} */\n")
        took.append(wait_for(terminal, b"q quit") - began)  # the screen's last words
        began = time.monotonic()
        subprocess.run(shlex.split(compile_command), cwd=ROOT, check=True)
        bare.append(time.monotonic() - began)
    stop(pid, terminal)
    return statistics.median(took), statistics.median(bare)


def prompt():
    """Seconds until the prompt can be typed at."""
    took = []
    for _ in range(10):
        began = time.monotonic()
        pid, terminal = start(["build/workbook", "start"], SCRATCH)
        took.append(wait_for(terminal, b"> ") - began)
        stop(pid, terminal)
    return took


def main():
    copy_tree()
    saved, bare = watch(sys.argv[1])
    print(f"{'watch: from a save to the verdict, median of 20':62} {saved:.4f} s")
    print(f"{'  over the bare compile (at most 1.6)':62} {saved / bare:.2f}")
    print(f"{'the prompt opens (below 0.05 s)':62} {statistics.median(prompt()):.4f} s")
    shutil.rmtree(SCRATCH, ignore_errors=True)


if __name__ == "__main__":
    main()
