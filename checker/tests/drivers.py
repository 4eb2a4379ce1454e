"""Builds the small C programs through which the tests reach parts of the engine, with sanitizers
where the compiler has them, so that a leak or an overrun in them fails the test.
"""

import os
import pathlib
import pty
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "tests" / "drivers"
CC = os.environ.get("CC", "cc")
PARTS = ["run/text", "run/report", "run/report_human", "run/report_json", "run/report_tap", "run/report_junit",
         "run/report_grades", "program/progress", "box/files", "box/system", "run/buffer", "box/wire"]


def build(source, sanitize=True):
    """The program's path, as a string."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    program = SCRATCH / source.replace(".c", "" if sanitize else "_plain")
    flags = ["-std=c11", "-O1", "-g", "-D_GNU_SOURCE", "-Ichecker/run", "-Ichecker/box", "-Ichecker/program",
             "-Ibuild/deps/cjson"]
    files = [f"checker/tests/{source}", *(f"checker/{part}.c" for part in PARTS),
             "build/deps/cjson/cJSON.c"]
    made = program.with_name(f"{program.name}.{os.getpid()}")  # another file's tests may run it just now
    command = [CC, *flags, *files, "-lm", "-o", str(made)]
    extra = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if sanitize else []
    result = subprocess.run(command + extra, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    if result.returncode and sanitize:
        return build(source, sanitize=False)
    if result.returncode:
        raise AssertionError(f"{source} does not build; run make check once.\n{result.stderr}")
    made.replace(program)
    return str(program)


def in_terminal(command, env):
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env):
        os.close(theirs)
        output = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux: the other end was closed
                break
            if not piece:
                break
            output += piece
    os.close(ours)
    return output
