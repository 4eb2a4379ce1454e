"""The places where classes are: each grades with the very scripts that `make handout FOR=` and `make gradescope`
write, in a root of its own that holds the system's programs and nothing of this machine's, without a network.

One hand-out is built there, by setup.sh, and serves all of them. What comes out is held against the rules that
each place publishes, written down here in our own words: Gradescope's specification of results.json, Classroom
50's contract of result.json, what VPL's submission class looks for in an evaluation's lines, and for JUnit what
the schemas of Jenkins' xUnit plug-in and of Ant's JUnit task both demand. None of their files is part of this
repository.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

import junit_schema
import layers
from lesson_files import ROOT
from workbook_copy import WorkbookCopy

FIRST, SECOND = "01_layer_norm", "02_backward"
RIGHT = {name: (ROOT / "solutions" / f"{name}.c").read_text() for name in (FIRST, SECOND)}
WRONG = RIGHT[FIRST].replace("distance * distance", "distance + distance")
# Would be a grade, if anything that a submission prints, writes or answers could be one.
FORGED = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void forge(void)
{
    FILE *file = fopen("%s", "w");
    if (file)
        fputs("{\\"score\\": 100, \\"tests\\": []}", file);
    if (file)
        fclose(file);
    puts("\\n--|>\\nGrade :=>> 100\\n</system-out></testsuite>\\n{\\"score\\": 100}\\nok 1");
}
"""
# $1 is what becomes /autograder, $2 another folder; the rest is run in that root.
FRESH_ROOT = r"""set -e
root=$(mktemp -d)
mount -t tmpfs fresh "$root"
cd "$root"
mkdir usr etc proc dev tmp autograder opt opt/layer-norm-workbook home
chmod 1777 tmp
for folder in bin sbin lib lib64; do
    [ ! -e /$folder ] || { [ -L /$folder ] && ln -s usr/$folder $folder; } || { mkdir $folder && mount --rbind /$folder $folder; }
done
for folder in usr etc proc dev; do mount --rbind /$folder $folder; done
mount --bind "$1" autograder
[ ! -d "$1/source/workbook" ] || mount --bind "$1/source/workbook" opt/layer-norm-workbook
mount --bind "$2" home
shift 2
exec chroot . "$@"
"""
VISIBILITY = ("hidden", "after_due_date", "after_published", "visible")


def can_have_a_root():
    return os.geteuid() == 0 and shutil.which("unshare") and subprocess.run(
        ["unshare", "-mn", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def in_root(*command, env=None, missing=(), cwd=None):
    """A command in a fresh root: its exit code, stdout, stderr."""
    words = ["sh", "-c", 'cd "$0" && exec "$@"', cwd or "/autograder", *command]
    run = subprocess.run(["unshare", "-mn", "sh", "-c", FRESH_ROOT, "sh", PLACE / "autograder", PLACE / "home", *words],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         errors="replace", timeout=1800, check=False, preexec_fn=layers.start(list(missing)),
                         env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/", **(env or {})})
    return run.returncode, run.stdout, run.stderr


@unittest.skipUnless(can_have_a_root(), "only root can make a root of its own (unshare, mount)")
def setUpModule():
    global PLACE, SOURCE, MADE
    PLACE = pathlib.Path(tempfile.mkdtemp(prefix="formats "))
    unittest.addModuleCleanup(shutil.rmtree, PLACE, ignore_errors=True)
    with WorkbookCopy() as copy:
        MADE = {"gradescope": copy.make("gradescope", OUT=PLACE / "gradescope", LESSONS="01 2", SEED="7"),
                "zip": copy.make("gradescope", OUT=PLACE / "a.zip", LESSONS="01 2", SEED="7"),
                "vpl": copy.make("handout", FOR="vpl", OUT=PLACE / "vpl", LESSONS="01", WEIGHTS=ROOT / "LICENSE"),
                "unweighed": copy.make("handout", FOR="vpl", OUT=PLACE / "nowhere", WEIGHTS="none"),
                "classroom50": copy.make("handout", FOR="classroom50", OUT=PLACE / "classroom50"),
                "github": copy.make("handout", FOR="github", OUT=PLACE / "github", CHECKER="school/checker"),
                "nowhere": copy.make("handout", FOR="github", OUT=PLACE / "nowhere", CHECKER="school/$(id)"),
                "unknown": copy.make("handout", FOR="blackboard", OUT=PLACE / "nowhere"),
                "odd": copy.make("gradescope", OUT=PLACE / "nowhere", SEED="7'; id; '")}
    for name in ("gradescope", "vpl", "classroom50", "github"):
        if MADE[name].returncode:
            raise AssertionError(MADE[name].stdout + MADE[name].stderr)
    SOURCE = PLACE / "autograder" / "source"
    for folder in ("home", "autograder/submission", "autograder/results"):
        (PLACE / folder).mkdir(parents=True)
    (PLACE / "gradescope").rename(SOURCE)
    shutil.copy2(SOURCE / "run_autograder", PLACE / "autograder")
    code, said, errors = in_root("sh", "source/setup.sh")
    if code:
        raise AssertionError(said + errors)


class Place(unittest.TestCase):
    folder = "autograder/submission"

    def hand_in(self, **files):
        """The files of a submission by their lessons: first=..., second=...; no others."""
        shutil.rmtree(PLACE / self.folder, ignore_errors=True)
        (PLACE / self.folder).mkdir(parents=True)
        for which, text in files.items():
            name = {"first": FIRST, "second": SECOND}[which]
            (PLACE / self.folder / f"{name}.c").write_text(text)
        (PLACE / self.folder).chmod(0o755)


class Packages(unittest.TestCase):
    def test_what_is_refused_is_said_and_writes_nothing(self):
        for name, words in (("nowhere", "CHECKER=owner/name"), ("unknown", "FOR is page, gradescope, vpl, github or classroom50"),
                            ("odd", "LESSONS are numbers or names"), ("unweighed", "WEIGHTS=none can't be read")):
            self.assertEqual(MADE[name].returncode, 2)
            self.assertIn(words, MADE[name].stderr)
        self.assertFalse(list(PLACE.glob("nowhere*")))

    def test_what_is_graded_and_what_it_is_worth_go_with_it(self):
        here = PLACE / "vpl" / "workbook" / "checker" / "elsewhere"
        self.assertEqual((here / "weights").read_bytes(), (ROOT / "LICENSE").read_bytes())
        self.assertIn("LESSONS='01'\n", (here / "assignment").read_text())

    def test_gradescopes_zip_has_both_scripts_at_its_root_and_no_solution(self):
        if MADE["zip"].returncode:
            self.assertIn("zip is missing", MADE["zip"].stderr)
            return
        with zipfile.ZipFile(PLACE / "a.zip") as archive:
            names = archive.namelist()
            self.assertTrue(archive.getinfo("run_autograder").external_attr >> 16 & 0o100)
        self.assertLess({"setup.sh", "run_autograder", "workbook/checker/elsewhere/grade.sh"}, set(names))
        self.assertFalse([name for name in names if re.search(r"solutions/|/wrong|/right|checker/tests", name)])


class Gradescope(Place):
    def grade(self, **more):
        """results.json, held against the specification; None if there is none."""
        results = PLACE / "autograder" / "results" / "results.json"
        code, said, self.errors = in_root("./run_autograder", **more)
        self.assertEqual(said, "")
        self.assertEqual(code == 0, results.exists(), self.errors)
        if not results.exists():
            return None
        document = json.loads(results.read_text())
        self.assertLessEqual(set(document), {"score", "execution_time", "output", "output_format", "test_output_format",
                                             "test_name_format", "visibility", "stdout_visibility", "extra_data",
                                             "tests", "leaderboard"})
        self.assertIsInstance(document["output"], str)
        self.assertIsInstance(document["execution_time"], int)
        self.assertIn(document["stdout_visibility"], VISIBILITY)
        for test in document["tests"]:
            self.assertLessEqual(set(test), {"score", "max_score", "status", "name", "name_format", "number", "output",
                                             "output_format", "tags", "visibility", "extra_data"})
            self.assertTrue(0 <= test["score"] <= test["max_score"])
            self.assertIn(test["status"], ("passed", "failed"))
            self.assertIn(test["visibility"], VISIBILITY)
            self.assertEqual((type(test["name"]), type(test["output"])), (str, str))
        return document

    def points(self, document):
        return {number: sum(test["score"] for test in document["tests"] if test["name"].startswith(number))
                for number in ("01", "02")}

    def test_a_right_and_a_wrong_file(self):
        self.hand_in(first=WRONG, second=RIGHT[SECOND])
        document = self.grade()
        self.assertEqual(len(document["tests"]), 9 + 12)
        self.assertEqual(self.points(document), {"01": 2, "02": 12})
        self.assertIn("another operator is needed", document["output"])
        failed = [test for test in document["tests"] if test["status"] == "failed"]
        self.assertIn("called with features = 3", failed[0]["output"])
        self.assertEqual(failed[0]["name"], "01 row_variance averages the squared distances")
        self.assertIn("seed 7", document["output"])

    def test_a_missing_file_and_one_that_does_not_compile_have_no_points_and_say_why(self):
        self.hand_in(second="this is not C")
        document = self.grade()
        self.assertEqual(self.points(document), {"01": 0, "02": 0})
        self.assertIn(f"{FIRST}.c can't be read", document["output"])
        self.assertIn("It does not compile", document["output"])

    def test_a_file_is_found_wherever_make_grade_finds_it(self):
        submission = PLACE / self.folder
        for first, second in (("exercises/01_layer_norm.c", "exercises/02_backward.c"),
                              ("01_layer_norm (1).c", "deep/er/02_backward-2.c"), ("norm.c", "02_backward.c.txt")):
            with self.subTest(first):
                self.hand_in()
                for path, text in ((first, RIGHT[FIRST]), (second, RIGHT[SECOND])):
                    (submission / path).parent.mkdir(parents=True, exist_ok=True)
                    (submission / path).write_text(text)
                self.assertEqual(self.points(self.grade()), {"01": 9, "02": 12})

    def test_where_nothing_fits_what_arrived_is_listed(self):
        self.hand_in()
        (PLACE / self.folder / "report.docx").write_text("x")
        (PLACE / self.folder / f"{FIRST}.c").write_text("")
        document = self.grade()
        self.assertEqual(self.points(document), {"01": 0, "02": 0})
        for words in (f"{FIRST}.c can't be read: no file for it was handed in", "report.docx: it is no C file",
                      f"{FIRST}.c: it is empty"):
            self.assertIn(words, document["output"])

    def test_weights_reach_the_points(self):
        self.hand_in(first=WRONG, second=RIGHT[SECOND])
        (PLACE / "autograder" / "weights").write_text("20 01\n4 01 row_mean\n30 02\n")
        document = self.grade(env={"WEIGHTS": "/autograder/weights"})
        self.assertAlmostEqual(self.points(document)["01"], 20 * 8 / 15)
        self.assertAlmostEqual(self.points(document)["02"], 30)
        self.assertAlmostEqual(sum(test["max_score"] for test in document["tests"]), 50)

    def test_nothing_that_a_submission_prints_or_writes_is_a_grade(self):
        self.hand_in(first=WRONG + FORGED % "/autograder/results/results.json",
                     second=RIGHT[SECOND] + FORGED % "/autograder/source/workbook/build/ready")
        document = self.grade()
        self.assertNotIn("score", document)
        self.assertEqual(len(document["tests"]), 9 + 12)
        self.assertLessEqual(self.points(document)["01"], 2)
        self.hand_in(first="#include <stdio.h>\n" + WRONG.replace("\n{\n", '\n{\n    puts("{\\"score\\": 100}");\n'), second=RIGHT[SECOND])
        document = self.grade()
        self.assertNotIn("score", document)
        self.assertEqual(self.points(document), {"01": 2, "02": 12})
        self.assertIn('  | {"score": 100}', document["output"])

    def test_where_it_cannot_be_graded_there_is_no_result(self):
        self.hand_in(first=RIGHT[FIRST], second=RIGHT[SECOND])
        self.assertIsNone(self.grade(missing=layers.MISSING["neither"]))
        self.assertIn("neither Landlock nor seccomp", self.errors)
        with_one = self.grade(missing=layers.MISSING["seccomp alone"])
        self.assertEqual(self.points(with_one), {"01": 9, "02": 12})
        insisted = self.grade(missing=layers.MISSING["neither"], env={"INSIST": "yes"})
        self.assertEqual(self.points(insisted), {"01": 9, "02": 12})


class Vpl(Place):
    folder = "home/p1"

    def setUp(self):
        runs = SOURCE / "workbook" / "build" / "run"
        runs.mkdir(exist_ok=True)
        runs.chmod(0o1777)

    def run_script(self, script, **variables):
        """What vpl_execution prints, as the user of a VPL jail."""
        home = PLACE / self.folder
        shutil.copy(PLACE / "vpl" / script, home)
        (home / "vpl_environment.sh").write_text("".join(f"export {name}={value}\n" for name, value in variables.items()))
        for path in [home, *home.iterdir()]:
            os.chown(path, 65534, 65534)
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        self.assertEqual(in_root(*user, "bash", script, cwd="/home/p1")[0], 0)
        return in_root(*user, "./vpl_execution", cwd="/home/p1")

    def read(self, text):
        """The grade and the comment that VPL takes from an evaluation's lines."""
        grade, comment, inside = None, [], False
        for line in text.split("\n"):
            if line.startswith("Grade :=>>"):
                grade = line[len("Grade :=>>"):].strip()
            if inside and line.strip() == "--|>":
                inside = False
            elif inside:
                comment.append(line.rstrip())
            elif line.startswith("Comment :=>>"):
                comment.append(line[len("Comment :=>>"):])
            elif line.strip() == "<|--":
                inside = True
        return grade, comment

    def test_the_grade_is_the_share_of_the_checks_between_the_activitys_limits(self):
        self.hand_in(first=WRONG, second=RIGHT[SECOND])
        code, printed, errors = self.run_script("vpl_evaluate.sh", VPL_GRADEMIN="0", VPL_GRADEMAX="10")
        self.assertEqual(code, 0, errors)
        grade, comment = self.read(printed)
        self.assertEqual(grade, f"{10 * 14 / 21:.2f}")
        titles = [line for line in comment if line.startswith("-")]
        self.assertEqual(titles, ["-Lesson 01: 2 of 9 checks passed", "-Lesson 02: 12 of 12 checks passed"])
        self.assertTrue(all(line.startswith((">", "-")) for line in comment), comment)
        self.assertTrue([line for line in comment if "another operator is needed" in line])

    def test_no_line_of_a_submission_is_a_grade_or_ends_the_comment(self):
        self.hand_in(first=WRONG + FORGED % "vpl_execution", second=RIGHT[SECOND] + FORGED % "x")
        grade, comment = self.read(self.run_script("vpl_evaluate.sh")[1])
        self.assertLess(float(grade), 100 * 14 / 21 + 0.01)
        self.assertTrue(all(line.startswith((">", "-")) for line in comment), comment)

    def test_run_shows_the_verdict_without_a_grade(self):
        self.hand_in(first=WRONG, second=RIGHT[SECOND])
        _, printed, _ = self.run_script("vpl_run.sh")
        self.assertEqual(self.read(printed), (None, []))
        self.assertIn("another operator is needed", printed)


class Actions(Place):
    folder = "home/runner/submission/exercises"

    def setUp(self):
        try:
            import yaml  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        workflow = yaml.safe_load((PLACE / "github" / ".github" / "workflows" / "grade.yml").read_text())
        self.workflow = workflow
        self.steps = workflow["jobs"]["grade"]["steps"]

    def run_steps(self):
        """As the runner does: each in the workspace, by bash -e, until one fails. The name of that one."""
        workbook = PLACE / "home" / "runner" / "workbook"
        if not workbook.is_symlink():
            workbook.symlink_to("/autograder/source/workbook")
        self.printed = {}
        for step in self.steps:
            if "run" not in step:
                continue
            code, self.printed[step["name"]], _ = in_root("bash", "-e", "-c", step["run"], cwd="/home/runner")
            if code:
                return step["name"]
        return None

    def test_the_checker_comes_from_the_teachers_repository_and_the_code_from_the_students(self):
        taken = {step["with"]["path"]: step["with"].get("repository") for step in self.steps
                 if step.get("uses", "").startswith("actions/checkout@")}
        self.assertEqual(taken, {"submission": None, "workbook": "school/checker"})
        for step in self.steps:
            self.assertNotIn("submission/checker", step.get("run", ""))

    def test_the_job_is_green_only_when_every_check_passed(self):
        self.hand_in(first=RIGHT[FIRST], second=RIGHT[SECOND])
        self.assertEqual(self.run_steps(), None)
        for first in (WRONG, "this is not C", (ROOT / "checker/lessons" / FIRST / "stub.c").read_text()):
            self.hand_in(first=first, second=RIGHT[SECOND])
            self.assertEqual(self.run_steps(), "All points")
            self.assert_junit((PLACE / "home" / "runner" / "grade.xml").read_text())

    def test_the_points_are_those_of_the_weights(self):
        """What counts for nothing keeps no job from being green."""
        weights = PLACE / "autograder" / "source" / "workbook" / "checker" / "elsewhere" / "weights"
        self.addCleanup(weights.unlink)
        self.hand_in(first=WRONG, second=RIGHT[SECOND])
        for text, failed, points in (("0 01 row_variance\n0 01 layer_norm\n", None, "100.00"),
                                     ("30 01\n10 02\n0 01 layer_norm\n3 01 row_mean\n", "All points", "75.00")):
            weights.write_text(text)
            self.assertEqual(self.run_steps(), failed)
            self.assertIn(f"\n{points} of 100 points\n", self.printed["Show"])

    def test_both_steps_that_grade_draw_the_same_cases(self):
        """Of the run's number where the teacher has chosen none."""
        script = (PLACE / "github" / "checker/elsewhere/grade.sh").read_text()
        self.assertEqual(self.workflow["env"], {"SEED": "${{ github.run_id }}"})
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "checker" / "elsewhere").mkdir(parents=True)
            (place / "build").mkdir()
            (place / "checker" / "elsewhere" / "grade.sh").write_text(script)
            (place / "build" / "workbook").write_text("#!/bin/sh\necho seed $SEED\n")
            (place / "build" / "workbook").chmod(0o755)
            (place / "Makefile").write_text("build/ready:\n")
            for assignment, seed in ((None, "17"), ("LESSONS='01'\nSEED=''\n", "17"), ("LESSONS='01'\nSEED='7'\n", "7")):
                if assignment:
                    (place / "checker" / "elsewhere" / "assignment").write_text(assignment)
                run = subprocess.run(["sh", place / "checker/elsewhere/grade.sh", "vpl", folder], text=True, check=True,
                                     capture_output=True, env={**os.environ, "SEED": "17"})
                self.assertEqual(run.stdout, f"seed {seed}\n")

    def assert_junit(self, text):
        """By Jenkins' schema where it can be had, by the rules of it and of Ant's, and by its own counts."""
        self.assertEqual(junit_schema.complaints(text.encode()), "")
        root = ElementTree.fromstring(text)
        self.assertEqual((root.tag, root.attrib), ("testsuites", {}))
        for number, suite in enumerate(root):
            cases = suite.findall("testcase")
            self.assertEqual([part.tag for part in suite],
                             ["properties", *["testcase"] * len(cases), "system-out", "system-err"])
            self.assertEqual(set(suite.attrib), {"name", "package", "id", "hostname", "timestamp", "tests", "failures",
                                                 "errors", "skipped", "time"})
            self.assertEqual(suite.get("id"), str(number))
            self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
            self.assertRegex(suite.get("time"), r"^\d{1,3}\.\d{3}$")
            for item in suite.find("properties"):
                self.assertEqual((item.tag, set(item.attrib)), ("property", {"name", "value"}))
            for case in cases:
                self.assertEqual(set(case.attrib), {"classname", "name", "time"})
                self.assertRegex(case.get("time"), r"^\d{1,3}\.\d{3}$")
                self.assertLessEqual(len(case), 1)
                for outcome in case:
                    self.assertIn(outcome.tag, ("skipped", "failure", "error"))
                    self.assertEqual(set(outcome.attrib), set() if outcome.tag == "skipped" else {"type", "message"})
            for counted, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                self.assertEqual(suite.get(counted), str(len(suite.findall(f"testcase/{tag}"))), tag)
            self.assertEqual(suite.get("tests"), str(len(cases)))

    def test_failures_are_the_failed_checks_and_what_does_not_compile_is_an_error(self):
        for first, expected in ((WRONG, ("2", "0", "5")), ("this is not C", ("0", "1", "9"))):
            self.hand_in(first=first, second=RIGHT[SECOND])
            self.run_steps()
            text = (PLACE / "home" / "runner" / "grade.xml").read_text()
            self.assert_junit(text)
            suite = ElementTree.fromstring(text)[0]
            self.assertEqual(tuple(suite.get(name) for name in ("failures", "errors", "skipped")), expected)


class Classroom50(Place):
    folder = "home/student/exercises"
    GIVEN = {"CLASSROOM": "cs", "ASSIGNMENT": "norms", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://x/commit/1",
             "RELEASE_URL": "https://x/releases/1"}

    def test_result_json_keeps_the_contract(self):
        self.hand_in(first=WRONG, second=RIGHT[SECOND])
        given = PLACE / "home" / "bundle"
        given.mkdir(exist_ok=True)
        shutil.copy(PLACE / "classroom50" / "autograder.py", given)
        if not (given / "workbook").is_symlink():
            (given / "workbook").symlink_to("/autograder/source/workbook")
        code, _, errors = in_root("/usr/bin/python3", "/home/bundle/autograder.py", cwd="/home/student", env=self.GIVEN)
        self.assertEqual(code, 0, errors)
        result = json.loads((PLACE / "home" / "student" / "result.json").read_text())
        self.assertEqual(result["schema"], "classroom50/result/v1")
        self.assertEqual([result[key] for key in ("classroom", "assignment", "submission", "commit", "release", "review")],
                         ["cs", "norms", "submit/1", "https://x/commit/1", "https://x/releases/1", "https://x/commit/1"])
        self.assertRegex(result["datetime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual((result["score"], result["max-score"]), (14, 21))
        self.assertEqual(sum(test["score"] for test in result["tests"]), 14)
        self.assertEqual(len({test["test-name"] for test in result["tests"]}), 21)
        for test in result["tests"]:
            self.assertEqual((type(test["score"]), type(test["max-score"])), (int, int))
            self.assertEqual(test["passed"], test["score"] == test["max-score"])

    def test_a_machine_that_can_not_grade_is_an_error_and_no_result(self):
        self.hand_in(first=RIGHT[FIRST], second=RIGHT[SECOND])
        (PLACE / "home" / "student" / "result.json").unlink(missing_ok=True)
        code, _, _ = in_root("/usr/bin/python3", "/home/bundle/autograder.py", cwd="/home/student", env=self.GIVEN,
                             missing=layers.MISSING["neither"])
        self.assertNotEqual(code, 0)
        self.assertFalse((PLACE / "home" / "student" / "result.json").exists())


if __name__ == "__main__":
    unittest.main()
