"""What a learner's code can do to the trial, the process that compiles and calls changed copies of it to
find a wrong line, with both of the sandbox's layers, with either one alone and with neither.

The file knows the trial by its compiler, __TINYC__, and misbehaves there only, by system calls of
its own. Nothing that it does may change the verdict, outlive it or write a file. Where an attack goes
through, the file goes on as an ordinary wrong one, whose line is then shown: so a line that is shown
says that it went through, and none that it was held.
"""

import concurrent.futures
import os
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import layers
import lesson_files
import slips
import trees
from hostile_entry import CHANNEL, FRAMES
from test_runner import grade, processes_in
from workbook_copy import WorkbookCopy

SOLUTION = (trees.ROOT / "solutions" / "01_layer_norm.c").read_text()
TRIED = FRAMES["TRIED"]
O_CREAT = 0o100 | 0o1
CALL = """
#ifdef __TINYC__
static long got_, calls_, pause_[] = {5, 0};
static char solution_[] = "%(tree)s/solutions/01_layer_norm.c", made_[] = "%(tree)s/made";
static unsigned garbage_[9], frame_[] = {%(tried)s, 1, 0, 0, 0};
#define CALL(number, a, b, c) __asm__ volatile("movq %%1, %%%%r10\\n\\tsyscall" : "=a"(got_) : "r"(34l), \\
    "a"((long)(number)), "D"((long)(a)), "S"((long)(b)), "d"((long)(c)) : "r10", "r8", "r9", "rcx", "r11", "memory")
#define SPY %(spy)s
#define WENT_THROUGH %(through)s
#else
#define SPY (void)0
#define WENT_THROUGH %(elsewhere)s
#endif
"""
LOOP = '__asm__ volatile("1: jmp 1b")'
THROUGH = "(got_ >= 0)"
LONG = "loop"
BOTH, SECCOMP, LANDLOCK, NEITHER = EVERY = "both", "seccomp alone", "Landlock alone", "neither"

# Without seccomp root becomes a user whom a private folder, as mktemp -d makes it, keeps out.
READABLE = os.getuid() != 0 or all(folder.stat().st_mode & 0o001 for folder in (trees.ROOT, *trees.ROOT.parents))

ATTACKS = {  # name: (in place of SPY, did it go through?, the layers under which it does)
    "nothing": ("(void)0", "1", EVERY),
    "start a process": ("CALL(57, 0, 0, 0)", THROUGH, set()),
    "start a process and stay": (f"CALL(57, 0, 0, 0); if (got_ >= 0) {LOOP}", THROUGH, set()),
    "read a solution": ("CALL(2, solution_, 0, 0)", THROUGH, {NEITHER} if READABLE else set()),
    "read a solution as a header": ("(void)0", "(sizeof private_ > 0)", {NEITHER} if READABLE else set()),
    "make a file": (f"CALL(2, made_, {O_CREAT}, 0600)", THROUGH, set()),
    "use the network": ("CALL(41, 2, 2, 0)", THROUGH, {LANDLOCK, NEITHER}),
    "look into the checker": ("CALL(101, 16, got_ = 0, 0)", "0", set()),
    "take all memory": ("CALL(9, 0, 1l << 31, 3)", "(got_ >= 0 || got_ < -4095)", set()),
    "sleep": ("if (!calls_++) CALL(35, pause_, 0, 0)", "1", set()),
    LONG: (LOOP, "1", set()),
    "end": ("CALL(231, 0, 0, 0)", "1", set()),
    "end its thread": ("CALL(60, 0, 0, 0)", "1", set()),
    "close the channel": (f"CALL(3, {CHANNEL}, 0, 0)", "1", set()),
    "write into the channel": (f"CALL(1, {CHANNEL}, garbage_, 36)", "1", set()),
    "answer for the trial": (f"CALL(1, {CHANNEL}, frame_, 17)", "1", set()),
    "run out of stack": ('if (!calls_++) __asm__ volatile("1: pushq %%rax\\n\\tjmp 1b" : : "a"(0l))', "1", EVERY),
    "write to nowhere": ("if (!calls_++) *(volatile int *)8 = 1", "1", EVERY),
}


def file_of(tree, spy="(void)0", through="1", elsewhere="1"):
    """A file whose row_variance divides by another number, after it has tried something."""
    code = CALL % {"tree": tree, "tried": TRIED, "spy": spy, "through": through, "elsewhere": elsewhere}
    if "private_" in through:  # a comment in the directive hides it from who leaves includes out
        code += f'#ifdef __TINYC__\n#/**/include "{tree}/solutions/private.h"\n#endif\n'
    begin, end = SOLUTION.split("    return sum / (float)features;\n}\n\n/* y")
    begin = begin.replace("#include <stddef.h>\n", f"#include <stddef.h>\n{code}")
    return f"{begin}    SPY;\n    return WENT_THROUGH * sum / (float)(features - 1);\n}}\n\n/* y{end}"


def verdict(report):
    return [(check["name"], check["status"], check["mistake"]) for check in report["checks"]]


def lines_shown(report):
    return [check["fix"]["line"] for check in report["checks"] if check["fix"]]


@unittest.skipUnless(layers.X86 and sys.platform == "linux", "the attacks are x86-64's and Linux's")
class Trial(unittest.TestCase):
    def setUp(self):
        if not (trees.ROOT / "build" / "trial").exists():
            self.skipTest("TCC is missing")
        self.tree = self.enterContext(lesson_files.copy_of_tree(trees.ROOT / "build" / "tests" / "trial"))
        (self.tree / "class").mkdir()
        (self.tree / "solutions" / "private.h").write_text("static int private_;\n")

    def grade(self, name, text, layer=BOTH):
        path = pathlib.Path("class", f"{name.replace(' ', '_')}.c")
        (self.tree / path).write_text(text)
        return grade(self.tree, path, missing=layers.MISSING[layer])

    def test_no_attack_changes_a_verdict_or_outlives_it_and_what_goes_through_is_known(self):
        wanted = verdict(self.grade("plain", file_of(self.tree)))
        self.assertIn("n_minus_1", [mistake for _, _, mistake in wanted])
        jobs = [(name, layer) for name in ATTACKS for layer in layers.MISSING if name != LONG or layer == BOTH]
        texts = {name: file_of(self.tree, *attack[:2]) for name, attack in ATTACKS.items()}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            reports = pool.map(lambda job: self.grade(" ".join(job), texts[job[0]], job[1]), jobs)
        for (name, layer), report in zip(jobs, reports):
            with self.subTest(f"{name}: {layer}"):
                self.assertEqual(verdict(report), wanted)
                self.assertEqual(bool(lines_shown(report)), layer in ATTACKS[name][2])
        self.assertEqual(processes_in(self.tree), [])
        self.assertFalse((self.tree / "made").exists())

    def test_a_line_is_shown_only_where_the_whole_file_passes_with_the_change(self):
        """In the trial one change makes it right, and elsewhere none does."""
        report = self.grade("right in the trial", file_of(self.tree, elsewhere="1.5f"))
        self.assertEqual(lines_shown(report), [])
        self.assertGreater(report["failed"], 0)

    def starts_of_the_trial(self, lesson, title):
        """Each leaves a file."""
        program = next(p for p in slips.wrong(lesson) if title in p.title)
        with WorkbookCopy() as copy:
            copy.write("wrong.c", program.text)
            (copy.path / "build" / "trial").rename(copy.path / "build" / "right")
            copy.write("build/trial", f"#!/bin/sh\n: >'{copy.path}'/begun.$$\nexec build/right\n")
            (copy.path / "build" / "trial").chmod(0o755)
            copy.run([f"build/{lesson}/check", "--impl", "wrong.c", "--seed", "1"])
            return len(list(copy.path.glob("begun.*")))

    def test_a_change_that_runs_over_an_array_of_its_own_costs_only_itself(self):
        """Some changes lead the loops past their arrays' ends."""
        starts = self.starts_of_the_trial("04_conditional_layer_norm", "the bias is normalized with the rest")
        self.assertIn(starts, (1, 2))

    def test_a_change_that_writes_through_a_pointer_never_set_costs_only_itself(self):
        """Here 36 of them do. What the pointer holds is no address of the trial's, or it would begin 200 times."""
        self.assertLess(self.starts_of_the_trial("10_transformer_block", "no masking at all"), 30)


if __name__ == "__main__":
    unittest.main()
