"""Which version is here of each tool that a test's file names. What a test says depends on them, and
another machine has others: so it is part of what a failure says.
"""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess

TESTS = pathlib.Path(__file__).resolve().parent
HOW = {"tmux": "-V", "slurmd": "-V", "mawk": "-W version"}  # the others know --version
TOOLS = (*HOW, "awk", "bash", "chromium", "clang", "clang-format", "cppcheck", "curl", "gcc", "gdb", "git",
         "google-chrome", "jq", "lldb", "make", "munged", "musl-gcc", "npm", "perl", "qemu-aarch64",
         "shellcheck", "valgrind", "vim", "wasm-ld", "xmllint")


def texts(stem):
    """{name: text} of a file of the tests and of all of ours that it imports."""
    found, wanted = {}, [stem]
    while wanted:
        name = wanted.pop()
        path = TESTS / f"{name}.py"
        if name not in found and path.exists():
            found[name] = path.read_text()
            wanted += re.findall(r"^ *(?:from|import) (\w+)", found[name], re.MULTILINE)
    return found


@functools.lru_cache(None)
def version(command):
    """The first line that has a number, of what it says of itself."""
    try:
        done = subprocess.run([*shlex.split(command), *HOW.get(command, "--version").split()], text=True,
                              errors="replace", stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command}: {error}"
    said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if re.search(r"\d", line)]
    return f"{command}: {said[0] if said else 'says no version'}"


def of(stem):
    """The compiler's, and of what is named and is here; one line each."""
    words = set(re.findall(r"[\w-]+", " ".join(texts(stem).values())))
    return [version(os.environ.get("CC") or "cc"),
            *(version(tool) for tool in sorted(TOOLS) if tool in words and shutil.which(tool))]
