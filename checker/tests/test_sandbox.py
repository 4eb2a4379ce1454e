"""What a learner's file can reach, with both of the sandbox's layers, with either one alone, and with
neither: through its compiler, and once it runs.

What is held where is one table for each way in; where it says that something stays open, the checker
says so too.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import hostile
import layers
import lesson_files
import trees
from hostile_entry import HEAD, TAIL, wrap
from test_runner import grade, processes_in

RIGHT = wrap("RIGHT;")
PRIVATE = "a private line of somebody else's"
INCBIN = '__asm__(".section .rodata\\n.incbin \\"%s\\"\\n.previous");\n'


@unittest.skipUnless(sys.platform == "linux", "the layers are Linux's")
class Compiler(unittest.TestCase):
    """A class of two, outside of the workbook: eve's file is graded, and wants victor's."""

    def setUp(self):
        self.tree = trees.ROOT
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="class$")))
        self.eve, self.victor = self.place / "ev$e", self.place / "victor"
        for folder in (self.eve, self.victor):
            folder.mkdir()
        (self.victor / "01_layer_norm.c").write_text(RIGHT)
        (self.victor / "mine.h").write_text(f"/* {PRIVATE} */\n{RIGHT}")
        (self.place / "private.txt").write_text(f"{PRIVATE}\n")

    def wants(self):
        """{what eve's file begins with: does it want to open it behind the compiler's back?}"""
        solution = self.tree / "solutions" / "01_layer_norm.c"
        shutil.copy(solution, self.eve / "beside.c")
        (self.eve / "link.h").symlink_to(self.victor / "mine.h")
        texts = {
            "a solution": f'#include "{solution}"\n',
            "another student's file": '#include "../victor/01_layer_norm.c"\n',
            "another student's header": '#include "../victor/mine.h"\n',
            "the same, as a header of the system's": f"#include <{self.victor}/mine.h>\n",
            "the same, on the system's own line": '# 1 "x.c" 3\n#include "../victor/mine.h"\n',
            "the same, behind a link": '#include "link.h"\n',
            "the same, through proc":
                f'#include "/proc/self/root{self.victor}/mine.h"\n',
            "what is no header": '#include "beside.c"\n',
            "an exercise": f'#include "{self.tree}/exercises/01_layer_norm.c"\n',
            "the vectors":
                f'#include "{self.tree}/checker/lessons/01_layer_norm/vectors.json"\n',
            "a private file": f'#include "{self.place}/private.txt"\n',
            "the passwords": '#include "/etc/passwd"\n',
            "its own process": '#include "/proc/self/environ"\n',
        }
        behind = {"a private file as data": INCBIN % f"{self.place}/private.txt",
                  "a file of the workbook as data": INCBIN % f"{self.tree}/README.md",
                  "assembler": f'__asm__(".include \\"{self.place}/private.txt\\"");\n'}
        return {**dict.fromkeys(texts.items(), False), **dict.fromkeys(behind.items(), True)}

    def grade(self, text, layer):
        source = self.eve / "01_layer_norm.c"
        source.write_text(text)
        return grade(self.tree, source, missing=layers.MISSING[layer])

    def test_it_opens_nothing_that_is_no_business_of_the_file(self):
        for (name, begins), behind in self.wants().items():
            for layer in layers.MISSING:
                with self.subTest(f"{name}: {layer}"):
                    report = self.grade(begins + RIGHT, layer)
                    if layer == "neither" and behind:  # nothing can hold that
                        self.assertNotIn(hostile.ONLY, report["build_error"] or "")
                        continue
                    self.assertIn(hostile.ONLY, report["build_error"] or "it compiled")
                    self.assertNotIn(PRIVATE, report["build_error"])
                    self.assertNotIn("root:", report["build_error"])

    def test_it_opens_what_the_file_may_include(self):
        (self.eve / "mine.h").write_text(TAIL)
        (self.eve / "odd name #1.h").write_text("")
        text = HEAD + '#include "odd name #1.h"\n#include "mine.h"\n' + RIGHT.replace(TAIL, "")
        self.assertNotIn("row_mean(const", text)
        for layer in layers.MISSING:
            with self.subTest(layer):
                report = self.grade(text, layer)
                self.assertEqual((report["failed"], report["build_error"]), (0, None))

    def test_where_landlock_is_there_and_fails_nothing_is_compiled(self):
        (self.eve / "01_layer_norm.c").write_text(RIGHT)
        restrict_self = [(446, None)]
        error = grade(self.tree, self.eve / "01_layer_norm.c", missing=restrict_self)["build_error"]
        self.assertIn("The compiler can't be shut in", error or "it compiled")


READS = {"read a solution", "read the passwords", "list a folder"}
CHANGES = {"write into a file", "make a file", "make a folder", "make a link", "make a hard link",
           "link a file into another folder", "make a pipe", "make a socket", "make a device",
           "remove a file", "remove a folder", "rename a file", "shorten a file"}
SETTINGS = {"change a file's rights", "change a file's owner", "change a file's date"}
TCP = {"connect by TCP", "serve TCP"}
SIGNALS = {"signal the checker", "signal another program", "signal the checker's thread"}
ABSTRACT = {"connect to an abstract socket"}
RUN = {"run a program"}  # in place of the worker, with its rights
ALWAYS_OPEN_WITHOUT_SECCOMP = {"send by UDP", "connect to a local socket", "share memory",
                               "make a queue", "stay when the checker is killed",
                               "see that a file is there", "control a descriptor"}
ANYONES = {"make a folder where everyone may"}
NOBODY = 65534
NOTICES = {  # (layer, is it root?)
    ("both", False): "",
    ("seccomp alone", False): "Landlock (seccomp does its work).",
    ("Landlock alone", True): "seccomp. An exercise could use the network in other ways than TCP. "
                              "It can't start threads.",
    ("Landlock alone", False): "seccomp. An exercise could change your files' dates and rights and "
                               "use the network in other ways than TCP. It can't start threads.",
    ("neither", True): "Landlock and seccomp. An exercise could read and change files that everyone "
                       "may and use the network. It can't start threads.",
    ("neither", False): "Landlock and seccomp. An exercise could read and change your files, end your "
                        "programs and use the network. It can't start threads."}


def stays_open(layer, root):
    """What reach.c reaches there. Without seccomp root stops being root, and so owns nothing."""
    reached, version = set(), layers.landlock_version()
    if layer in ("both", "seccomp alone"):
        return reached
    reached |= ALWAYS_OPEN_WITHOUT_SECCOMP
    if not root:
        reached |= SETTINGS
    if layer == "neither":
        reached |= READS | ANYONES | TCP | ABSTRACT | RUN
        if not root:
            reached |= CHANGES | SIGNALS
    else:
        reached |= TCP if version < 4 else set()
        reached |= {"shorten a file"} if version < 3 and not root else set()
        reached |= ABSTRACT if version < 6 else set()
        reached |= SIGNALS if version < 6 and not root else set()
    return reached


@unittest.skipUnless(sys.platform == "linux", "the layers are Linux's")
class Code(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.place.chmod(0o755)
        self.tree = self.enterContext(lesson_files.copy_of_tree(self.place / "tree"))
        (self.tree / "build" / "run").mkdir(exist_ok=True)
        self.port = self.enterContext(socket.create_server(("127.0.0.1", 0), backlog=99))
        self.abstract = self.enterContext(socket.socket(socket.AF_UNIX))
        self.abstract.bind(f"\0reached {os.getpid()}")
        self.abstract.listen(99)
        self.low = os.open(__file__, os.O_RDONLY)
        self.addCleanup(os.close, self.low)
        self.assertLess(self.low, 20)

    def prepare(self, user):
        """Makes anew what the code is to reach, and the file that tries. All of it is the user's; two descriptors,
        on either side of the channel's, are the checker's."""
        place = self.place / "reached"
        shutil.rmtree(place, ignore_errors=True)
        for folder in ("", "empty", "open"):
            (place / folder).mkdir()
        for file in ("file", "unwanted", "other"):
            (place / file).write_text("some text\n")
        named = socket.socket(socket.AF_UNIX)
        named.bind(str(place / "socket"))
        named.listen(99)
        (place / "socket").chmod(0o777)
        (place / "open").chmod(0o777)
        other = subprocess.Popen(["sleep", "1000"], user=user)
        self.addCleanup(lambda: (other.kill(), other.wait()))
        text = (trees.ROOT / "checker" / "tests" / "reach.c").read_text()
        for word, there in (("OTHER", str(other.pid)), ("PLACE", str(place)), ("PORT", str(self.port.getsockname()[1])),
                            ("LOW", str(self.low)),
                            ("ABSTRACT", self.abstract.getsockname()[1:].decode())):
            text = text.replace(word, there)
        source = self.place / "reach.c"
        source.write_text(text)
        for path in [place, *place.rglob("*"), self.tree, *self.tree.rglob("*"), source]:
            if user != os.getuid() or os.getuid() == 0:
                os.chown(path, user, user, follow_symlinks=False)
        return named, source

    def reached(self, layer, user):
        named, source = self.prepare(user)
        with named, open(source) as file:
            os.dup2(file.fileno(), 57)
            try:
                report = grade(self.tree, source, missing=layers.MISSING[layer], user=user,
                               pass_fds=(57, self.low), env={**os.environ, "REACHED": "yes"})
            finally:
                os.close(57)
        self.assertEqual(processes_in(self.tree), [])
        self.assertIsNone(report["build_error"])
        lines = (report["printed"] or "").splitlines()
        self.assertIn("tried everything", lines, report["checks"])
        stopped = {"tried everything", "and was stopped"}
        ran = set() if "and was stopped" in lines else RUN
        return set(lines) - stopped | ran, report["notice"] or ""

    def test_it_reaches_nothing_but_what_the_table_says(self):
        for user in (0, NOBODY) if os.getuid() == 0 else (os.getuid(),):
            for layer in layers.MISSING:
                with self.subTest(f"{layer}, user {user}"):
                    reached, notice = self.reached(layer, user)
                    self.assertEqual(reached, stays_open(layer, user == 0))
                    if layers.landlock_version() >= 6 and trees.is_sanitized(self.tree):
                        said = NOTICES.get((layer, user == 0), NOTICES.get((layer, False)))
                        self.assertEqual(notice, said and f"Not active here: {said}")


if __name__ == "__main__":
    unittest.main()
