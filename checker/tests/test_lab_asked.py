"""make lab: whose functions it runs when it is told, and the viewer that opens what it drew. By lesson 07's lab,
which takes a second.
"""

import os
import unittest

import drivers
from workbook_copy import WorkbookCopy

STUB, SOLUTION = "exercises/07_stability.c", "solutions/07_stability.c"


class AskedFor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())

    def numbers(self):
        return self.copy.read(".workbook/lab/07_stability_error.csv")

    def test_the_solutions_are_run_when_they_are_asked_for_whatever_the_learners_are(self):
        right = self.copy.read(SOLUTION)
        plain = self.copy.make("lab", LESSON="07")
        solutions = self.numbers()
        for call in (lambda: self.copy.make("lab", LESSON="07", IMPL="solutions"),
                     lambda: self.copy.run("echo lab 07 solutions | make -s start"),
                     lambda: self.copy.run("echo lab solutions/07_stability.c | make -s start")):
            self.copy.write(STUB, right.replace("double", "long double"))
            self.addCleanup(self.copy.write, STUB, self.copy.read("checker/lessons/07_stability/stub.c"))
            self.copy.write(".workbook/lab/07_stability_error.csv", "")
            lab = call()
            self.assertEqual((lab.returncode, lab.stderr), (0, ""))
            self.assertRegex(lab.stdout, rf"\n  {SOLUTION} +as asked for\n")
            self.assertEqual(self.numbers(), solutions)
        self.assertRegex(plain.stdout, rf"\n  {SOLUTION} +the solution's: {STUB} does not pass yet\n")

    def test_a_folder_of_another_is_run_unchecked_and_what_it_lacks_is_named(self):
        body = self.copy.read(SOLUTION).replace("#include", "#include <stdlib.h>\n#include", 1)
        self.copy.write("other/07_stability.c", body.replace("\n{\n", "\n{\n    abort();\n"))
        for folder in ("other", "nowhere"):
            lab = self.copy.make("lab", LESSON="07", IMPL=folder)
            self.assertNotEqual(lab.returncode, 0)
            self.assertIn("A lab runs on a folder with all of these files, or on a file of its own lesson.\n",
                          lab.stderr)
        self.copy.write("other/01_layer_norm.c", self.copy.read("solutions/01_layer_norm.c"))
        lab = self.copy.make("lab", LESSON="07", IMPL="other")
        self.assertRegex(lab.stderr, r"other/07_stability\.c called abort\(\)")
        self.copy.write("other/07_stability.c", body.replace("\n{\n", "\n{\n    exit(3);\n"))
        lab = self.copy.make("lab", LESSON="07", IMPL="other")
        self.assertIn("one of the functions ended its process", lab.stderr)
        self.assertNotIn("passed its checks", lab.stderr)

    def in_terminal(self, **more):
        """What it prints there. The viewer tells `given` what it is to show, and stays until `shut` is closed."""
        self.copy.write("viewers/xdg-open", '#!/bin/sh\necho "$1" >given\nexec timeout 600 cat shut\n')
        os.chmod(self.copy.path / "viewers/xdg-open", 0o755)
        env = {name: value for name, value in os.environ.items()
               if name not in ("DISPLAY", "WAYLAND_DISPLAY", "OPEN")}
        env.update(PATH=f"{self.copy.path}/viewers:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="xterm", **more)
        command = ["make", "-s", "-C", str(self.copy.path), "lab", "LESSON=07"]
        return drivers.in_terminal(command, env).decode()

    def test_the_first_picture_is_opened_where_there_is_a_screen_and_nothing_waits_for_the_viewer(self):
        for screen in ("DISPLAY", "WAYLAND_DISPLAY"):
            with self.subTest(screen):
                for name in ("given", "shut"):
                    (self.copy.path / name).unlink(missing_ok=True)
                    os.mkfifo(self.copy.path / name)
                printed = self.in_terminal(**{screen: ":9"})
                self.assertIn("The curves as a picture: .workbook/lab/07_stability_error.svg", printed)
                given = self.copy.run("cat given", timeout=600).stdout
                self.assertEqual(given, ".workbook/lab/07_stability_error.svg\n")
                self.copy.run(": >shut", timeout=600)

    def test_it_is_opened_nowhere_else(self):
        given = self.copy.path / "given"
        given.unlink(missing_ok=True)
        for more in ({}, {"DISPLAY": ""}, {"DISPLAY": ":9", "OPEN": "no"}):
            with self.subTest(**more):
                self.assertIn("07_stability_error.svg", self.in_terminal(**more))
                self.assertFalse(given.exists())
        self.copy.make("lab", {"PATH": f"{self.copy.path}/viewers:{os.environ['PATH']}", "DISPLAY": ":9"},
                       LESSON="07")
        self.assertFalse(given.exists())


if __name__ == "__main__":
    unittest.main()
