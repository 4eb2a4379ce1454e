"""Where neither Landlock nor seccomp can hold a process, the emulator runs a learner's file by itself, and says so.
Where one of them is, nothing changes; nor does a grade, nor what a teacher has said to be safe (INSIST=yes).
"""

import json
import sys
import unittest

sys.dont_write_bytecode = True
import layers
import test_emulator
from lesson_files import Lesson
from workbook_copy import WorkbookCopy

BY_ITSELF = "Neither Landlock nor seccomp is here to shut your code in, so the emulator runs it: "
NAMED = "Run by the emulator, which needs no sandbox"
OPEN = "Not active here: Landlock and seccomp. "
NEITHER = layers.MISSING["neither"]


@unittest.skipUnless(sys.platform == "linux", "the layers are Linux's")
class EmulatorByItself(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())
        cls.copy = cls.enterClassContext(WorkbookCopy())
        style, = (section for section in Lesson("01_layer_norm").sections("right", "style")
                  if ("01_layer_norm", section.title) in test_emulator.NO_PLAIN_C)
        cls.copy.write("vectors.c", Lesson("01_layer_norm").with_section(style))

    def make(self, *words, missing=NEITHER, typed=None):
        more = {"input": typed, "stdin": None} if typed else {}
        return self.copy.run(["make", "-s", *words], preexec_fn=layers.start(missing), **more)

    def notice(self, *words, file="solutions/01_layer_norm.c", **how):
        """What is said of who ran that file; it was right."""
        done = self.make("check", "LESSON=01", f"IMPL={file}", "FORMAT=json", *words, **how)
        report, = json.loads(done.stdout)["lessons"]
        self.assertEqual((report["passed"], report["build_error"]), (9, None), done.stderr)
        return report["notice"] or ""

    def test_it_runs_a_file_where_no_process_can_be_held(self):
        self.assertRegex(self.notice(), f"^{BY_ITSELF}.* make check BOX=processes$")

    def test_one_layer_is_enough_for_a_process(self):
        for name, missing in layers.MISSING.items():
            if missing != NEITHER:
                with self.subTest(name):
                    self.assertNotIn("mulator", self.notice(missing=missing, file="vectors.c"))

    def test_what_is_named_is_done(self):
        self.assertTrue(self.notice("BOX=processes", file="vectors.c").startswith(OPEN))
        self.assertTrue(self.notice("BOX=emulator").startswith(BY_ITSELF))
        self.assertTrue(self.notice("BOX=emulator", missing=[]).startswith(NAMED))
        other = self.make("check", "BOX=container")
        self.assertEqual((other.returncode, other.stdout), (2, ""))
        self.assertIn("BOX=container: there are BOX=emulator and BOX=processes\n", other.stderr)

    def test_what_it_can_not_compile_is_said_with_the_way_out(self):
        said = self.make("check", "LESSON=01", "IMPL=vectors.c").stdout
        self.assertIn(": error: ", said)
        self.assertIn("make check BOX=processes\n", said)

    def test_who_says_that_it_is_safe_gets_processes(self):
        self.assertTrue(self.notice("INSIST=yes", file="vectors.c").startswith(OPEN))

    def test_a_grade_is_given_by_processes(self):
        """A right file that only they can run."""
        graded = self.make("check", "LESSON=01", "IMPL=vectors.c", "FORMAT=gradescope")
        self.assertNotIn("error: ", graded.stdout)
        self.assertIn('"passed"', graded.stdout)
        refused = self.make("check-all", "LESSONS=01", "FORMAT=gradescope")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("neither Landlock nor seccomp, so a submission could change its grade", refused.stderr)

    def test_the_prompt_and_all_lessons_go_by_it_too(self):
        typed = self.make("start", "LESSON=01", typed="check vectors.c\ncheck solutions/01_layer_norm.c\n")
        self.assertEqual(typed.stdout.count(BY_ITSELF), 2, typed.stdout + typed.stderr)
        self.copy.write("exercises/01_layer_norm.c", self.copy.read("vectors.c"))
        self.assertIn(": error: ", self.make("start", "LESSON=01", typed="try row_mean 10 50 20\n").stderr)
        self.assertIn("does not compile", self.make("check-all", "LESSONS=01").stdout)
        self.assertIn("9/9", self.make("check-all", "LESSONS=01", "BOX=processes").stdout)

    def test_without_tcc_it_stays_with_processes(self):
        trial = self.copy.path / "build" / "trial"
        aside = trial.rename(trial.with_name("trial.aside"))
        self.addCleanup(aside.rename, trial)
        done = self.copy.run(["build/workbook", "check"], preexec_fn=layers.start(NEITHER),
                             env={"LESSON": "01", "IMPL": "solutions", "FORMAT": "json"})
        self.assertTrue(json.loads(done.stdout)["lessons"][0]["notice"].startswith(OPEN))


if __name__ == "__main__":
    unittest.main()
