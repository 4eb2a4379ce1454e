"""The emulator (checker/emulator/) gives what processes give: the same marks, the same mistakes by name, the same
line, the same numbers to the last bit. Every solution, right style and wrong program of the lessons goes through both.

What is not the same stands here, each with its reason.
"""

import functools
import inspect
import json
import re
import subprocess
import unittest

import hostile
import lesson_files
import lesson_programs
from hostile_entry import OPEN, TAIL
from lesson_files import ROOT, Lesson

# Right styles that TCC does not compile: (lesson, style).
NO_PLAIN_C = {("01_layer_norm", "vector extensions"): "vector types are gcc's",
              ("17_fast", "two threads that end"): "there are no threads"}
# A word that differs in a reason: (natively, here, why).
WORDS = [(r"still running after \S+ s\b( at \S+)?", r"still running after \S+ million instructions( at \S+)?",
          "the emulator's limit counts instructions, so that a verdict is the same on every computer: of a loop that "
          "does not end another line may have its turn"),
         (r"(\d+) \* (\d+) cannot", r"\d+ \* \d+ cannot", "TCC puts the second factor first"),
         (r"(\d+) \+ (\d+) cannot", r"\d+ \+ \d+ cannot", "TCC puts a constant last")]
# What goes wrong otherwise than natively: what is said here, and why.
OTHERWISE = {
    "read_before_start_without_instruments": ("read 4 bytes before the start of x", "exact, where a page had to help"),
    "index_out_of_bounds": ("read 4 bytes past the end of a local array", "there is no UBSan to know the index"),
    "wild": ("followed a null pointer", "TCC makes of an address in the text one of its lower half"),
    "trap": ("ran into a trap instruction", "the instruction has no line of its own"),
}
PLAIN = "".join(f"#include <{name}.h>\n" for name in ("limits", "math", "stdio", "stdlib", "string"))


def make(goal):
    return subprocess.run(["make", "-s", goal], cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


@functools.lru_cache(None)
def missing():
    """Why the emulator can't be here; None: it is."""
    if not (ROOT / "build/deps/tcc/libtcc.c").is_file():
        return "TCC's source is not here"
    done = make("build/emulated")
    if done.returncode:
        raise AssertionError(done.stdout)
    return None


def reports(lesson, program, files, *options):
    command = [f"build/{lesson}/{program}", "--each", "--format", "json", "--seed", "1", *options]
    said = lesson_programs.run(command, input="".join(f"{file}\0" for file in files))
    return [json.loads(report)["lessons"][0] for report in said.stdout.split("\0")[:-1]]


def same_words(native, ours):
    """Are they, but for WORDS?"""
    if native == ours:
        return True
    return any(re.search(there, native) and re.sub(there, "", native) == re.sub(here, "", ours)
               for there, here, _ in WORDS)


def differences(native, ours):
    """Between two reports of one file, as sentences."""
    if native["build_error"] or ours["build_error"]:
        return [] if native["build_error"] and ours["build_error"] else [str(native["build_error"] or ours["build_error"])]
    found = []
    for there, here in zip(native["checks"], ours["checks"]):
        for key in ("name", "status", "mistake", "where", "expected", "got", "allowed", "when", "fix"):
            if there.get(key) != here.get(key):
                found.append(f"{there['name']}: {key} {there.get(key)}, here {here.get(key)}")
        if len(there["details"]) != len(here["details"]) or not all(map(same_words, there["details"], here["details"])):
            found.append(f"{there['name']}: {there['details']}, here {here['details']}")
    return found


def plain(entry):
    """A hostile file that includes only what is C's own."""
    return '#include "01_layer_norm.h"\n' + PLAIN + TAIL + inspect.cleandoc(entry.before) + OPEN + \
        inspect.cleandoc(entry.body) + "\n}\n"


def first_failure(report):
    """What is said of it; None: it passed."""
    failed = [check["details"][0] for check in report["checks"] if check["status"] == "failed"]
    return failed[0] if failed else None


def programs(name):
    """(What it is, its file) of the solution, the right styles and the wrong programs."""
    lesson = Lesson(name)
    right, wrong = lesson.sections("right", "style"), lesson.sections("wrong", "mistake")
    files = lesson_programs.scratch_files(lesson, "both_right", right) + \
        lesson_programs.scratch_files(lesson, "both_wrong", wrong)
    return [("solution", f"solutions/{name}.c"), *zip([section.title for section in right + wrong], map(str, files))]


class Emulator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if missing():
            raise unittest.SkipTest(missing())

    def test_every_lessons_programs_get_the_verdicts_of_processes(self):
        for name in lesson_files.names():
            all_of_it = programs(name)
            files = [file for _, file in all_of_it]
            native, ours = (reports(name, program, files) for program in ("check", "emulated"))
            self.assertEqual((len(native), len(ours)), (len(files), len(files)))
            for (title, file), there, here in zip(all_of_it, native, ours):
                with self.subTest(name, program=title, file=file):
                    if (name, title) in NO_PLAIN_C:
                        self.assertIn("error: ", here["build_error"])
                    else:
                        self.assertEqual(differences(there, here), [])

    def test_every_solutions_numbers_are_the_same_bits(self):
        for name in lesson_files.names():
            with self.subTest(name):
                done = make(f"build/{name}/both")
                self.assertEqual(done.returncode, 0, done.stdout)
                said = lesson_programs.run([f"build/{name}/both", "1", f"solutions/{name}.c"]).stdout
                numbers, different = re.fullmatch(r"(\d+) numbers, (\d+) different: .*\n", said).groups()
                self.assertGreater(int(numbers), 1000)
                self.assertEqual(int(different), 0)

    def test_no_exercise_commands_what_counts_its_memory(self):
        """A leak of every call, which it hides."""
        leak = "    static volatile char *forgotten;\n    (forgotten = malloc(1000))[0] = 1;\n"
        named = {"calls it": ("void __calls_leave_since(int held);\n", "    __calls_leave_since(0);\n"),
                 "names it": ('void quiet(int held) __asm__("__calls_leave_since");\n', "    quiet(0);\n"),
                 "answers for it": ("int __calls_blocks_held(void)\n{\n    return 0;\n}\n", "")}
        for name, function in (("01_layer_norm", "float row_mean("), ("06_module", "int layer_norm_forward(")):
            lesson = Lesson(name)
            text = "#include <stdlib.h>\n" + lesson.read("solutions/{}.c")
            at = text.index("{\n", text.index(function)) + 2
            files = [lesson_programs.scratch_file(lesson, f"ours_{i}.c", before + text[:at] + leak + call + text[at:])
                     for i, (before, call) in enumerate([("", ""), *named.values()])]
            leaks, *reached = reports(name, "emulated", list(map(str, files)), "--no-line")
            self.assertIn("does not free it", first_failure(leaks))
            for how, report in zip(named, reached):
                with self.subTest(name, how=how):
                    self.assertIn("a name that the checker keeps to itself", report["build_error"])

    def test_an_endless_loop_in_each_of_four_functions_takes_half_a_billion_instructions(self):
        stub = (ROOT / "exercises/17_fast.c").read_text()
        endless = stub.replace("/* Your code here", "for (;;)\n        ; /* Your code here")
        file = str(lesson_programs.scratch_file(Lesson("17_fast"), "endless.c", endless))
        said = "".join(str(check["details"]) for check in reports("17_fast", "emulated", [file])[0]["checks"])
        million = [float(number) for number in re.findall(r"still running after (\S+) million", said)]
        self.assertEqual(len(million), 4)
        self.assertLessEqual(sum(million), 500)

    def test_what_only_explains_ends_at_a_limit_of_its_own(self):
        """A program that takes long for large cases alone: the checks' own calls have their time, but not those that
        hold a change of the formula, or of a line, against cases of its own."""
        lesson = Lesson("01_layer_norm")
        wrong = lesson.read("solutions/{}.c").replace("(row[j] - mean) * rstd", "(row[j] + mean) * rstd")
        loop = "    for (int r = 0; r < rows; r++) {\n"
        self.assertEqual(wrong.count(loop), 1)
        waits = "    for (int i = 0; rows * features > 1500 && i < {}; i++)\n        ;\n"
        files = [str(lesson_programs.scratch_file(lesson, f"takes_{times}.c",
                                                  wrong.replace(loop, waits.format(times) + loop)))
                 for times in (10, 15000000)]
        quick, slow = (next(check for check in report["checks"] if check["status"] == "failed")
                       for report in reports(lesson.name, "emulated", files, "--step", "layer_norm"))
        self.assertIn("mean has the wrong sign", quick["when"])
        self.assertIsNotNone(quick["fix"])
        self.assertEqual((slow["name"], slow["got"], slow["when"]), (quick["name"], quick["got"], quick["when"]))
        self.assertIsNone(slow["fix"])

    def test_a_mistakes_name_is_sought_by_the_smallest_cases_first(self):
        """So where there is no time for all, a slow program's largest are left out. This one answers otherwise
        once it has seen a larger case."""
        lesson = Lesson("01_layer_norm")
        wrong = lesson.read("solutions/{}.c").replace(
            "row_variance(row, features, mean) + eps",
            "row_variance(row, features, mean) * (float)features / (float)(features - 1) + eps")
        spoils = ("    static int largest = {0};\n    const int size = 2 * rows * features + 2 * features + 3;\n"
                  "    const float more = {1} ? 1.0f : 0.0f;\n"
                  "    largest = size > largest ? size : largest;\n")
        start, end = "    for (int r = 0; r < rows; r++) {\n", "* rstd + beta[j];"
        files = [str(lesson_programs.scratch_file(
            lesson, f"grows_{i}.c", wrong.replace(start, spoils.replace("{0}", least).replace("{1}", sign) + start)
            .replace(end, "* rstd + beta[j] + more;"))) for i, (least, sign) in enumerate((("0", "largest > 200 && size < largest"),
                                                                     ("200", "size > largest")))]
        for program in ("check", "emulated"):
            grows, shrinks = (next(check for check in report["checks"] if check["status"] == "failed")
                              for report in reports(lesson.name, program, files, "--no-line"))
            self.assertEqual((grows["mistake"], shrinks["mistake"]), ("n_minus_1", None), program)

    def test_a_change_that_no_fresh_number_was_held_against_is_not_told(self):
        """Each call takes nearly its limit, so the time is over before any of them is asked for."""
        lesson = Lesson("01_layer_norm")
        wrong = lesson.read("solutions/{}.c").replace("sum += x[j];", "sum += x[j] * x[j];")
        start = "    float sum = 0.0f;\n    for (int j = 0; j < features; j++)\n"
        waits = "    for (int i = 0; i < {}; i++)\n        ;\n"
        files = [str(lesson_programs.scratch_file(lesson, f"each_takes_{times}.c",
                                                  wrong.replace(start, waits.format(times) + start)))
                 for times in (10, 8000000)]
        quick, slow = (report["checks"][0] for report in reports(lesson.name, "emulated", files, "--step", "row_mean"))
        self.assertIn("row_mean has the factor x too many", quick["when"])
        self.assertEqual((slow["got"], slow["when"]), (quick["got"], None))

    def test_what_ends_a_call_is_said_in_the_same_words(self):
        lesson = Lesson("01_layer_norm")
        entries = [entry for entry in hostile.MEMORY + hostile.ENDS + hostile.LIMITS]
        files = [str(lesson_programs.scratch_file(lesson, f"both_{entry.name}.c", plain(entry))) for entry in entries]
        native, ours = (reports(lesson.name, program, files, "--no-line") for program in ("check", "emulated"))
        same = 0
        for entry, there, here in zip(entries, native, ours):
            if there["build_error"] or here["build_error"]:
                continue  # threads, signals, pages: no plain C
            with self.subTest(entry.name):
                said, other = first_failure(there), first_failure(here)
                if entry.name in OTHERWISE:
                    self.assertIn(OTHERWISE[entry.name][0], other)
                else:
                    self.assertTrue(said == other or same_words(said, other), f"{said}\n{other}")
                    same += 1
        self.assertGreater(same, 25)


if __name__ == "__main__":
    unittest.main()
