"""A terminal to test in: tmux, which shows what a person would see.

One tmux server for a test run, on a socket of its own; a Screen is one window of it.
"""

import atexit
import os
import re
import shutil
import subprocess
import tempfile
import time

TMUX = shutil.which("tmux")
SOCKET = os.path.join(tempfile.gettempdir(), f"workbook_test_{os.getpid()}")
PROMPT = re.compile(r"(?:^|\n)\d\d \w+( \d+/\d+)?>$")  # with nothing behind it
PATIENCE = 600  # seconds until something that does not appear is a failure: no machine is so busy


def tmux(*arguments, check=True):
    return subprocess.run([TMUX, "-S", SOCKET, "-f", "/dev/null", *arguments], text=True, check=check,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


@atexit.register
def kill_server():
    if TMUX:
        tmux("kill-server", check=False)


class Screen:
    """Runs a command (for a shell) in a window; afterwards the window shows its exit code."""

    def __init__(self, folder, command, columns=80, rows=24, **environment):
        self.name = f"w{time.monotonic_ns()}"
        cleared = [word for name in ("PAGER", "LESS", "VISUAL", "EDITOR", "NO_COLOR", "LC_ALL",
                                     "LC_CTYPE", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")
                   for word in ("-u", name)]
        given = [f"{name}={value}" for name, value in {"LANG": "C.UTF-8", **environment}.items()]
        shell = f"cd {folder} && {command}; code=$?; stty -a >tty; echo \"[ended: $code]\"; cat"
        # A server that ends with its last window may do so while the next one is asked for.
        tmux("-u", "start-server", ";", "set-option", "-s", "exit-empty", "off", ";",
             "new-session", "-d", "-s", self.name, "-x", str(columns), "-y", str(rows),
             "env", *cleared, *given, "sh", "-c", shell)

    def keys(self, *keys):
        """Names of keys, like Enter or C-c, or text."""
        tmux("send-keys", "-t", self.name, *keys)

    def line(self, text=""):
        if text:
            tmux("send-keys", "-t", self.name, "-l", text)
        self.keys("Enter")

    def text(self, colours=False):
        return tmux("capture-pane", "-p", *(["-e"] if colours else []), "-t", self.name).rstrip()

    def last(self):
        return self.text().split("\n")[-1]

    def until(self, condition):
        """Waits for it to hold for the text on the screen, and returns that."""
        end = time.monotonic() + PATIENCE
        while True:
            text = self.text()
            if condition(text):
                return text
            if time.monotonic() > end:
                raise AssertionError(f"this stayed on the screen:\n{text}")
            time.sleep(0.03)

    def see(self, *parts):
        return self.until(lambda text: all(part in text for part in parts))

    def prompt(self, text):
        """Waits until the last line is this prompt, with nothing behind it."""
        return self.until(lambda screen: screen.split("\n")[-1].rstrip() == text)

    def ready(self):
        """Waits until the workbook's prompt is there: what is typed before it is thrown away."""
        return self.until(PROMPT.search)

    def command(self, text=""):
        """A line at the workbook's prompt."""
        self.ready()
        self.line(text)

    def leave(self):
        self.ready()
        self.keys("C-d")
        self.see("[ended: 0]")

    def clear(self):
        self.ready()
        self.keys("C-l")
        self.until(lambda text: "\n" not in text)

    def resize(self, columns, rows):
        tmux("resize-window", "-t", self.name, "-x", str(columns), "-y", str(rows))

    def process(self):
        """The id of the command."""
        shell = tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell], text=True, check=True,
                                  stdout=subprocess.PIPE).stdout)

    def close(self):
        tmux("kill-session", "-t", self.name, check=False)
