"""The reports, read by the programs that people read them with; and whatever the learner's code
printed in them. report_driver.c makes the reports, with any bytes in any field.
"""

import copy
import json
import os
import random
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import drivers
import junit_schema

HOSTILE = [
    b"plain",
    b"",
    b"\xff\xfe\x80 invalid",
    b"\xc3",
    b"\xed\xa0\x80\xed\xb0\x80",
    bytes(range(1, 256)),
    b"\x1b[2J\x1b]0;title\x07",
    b"\r\xe2\x9c\x85 row_mean averages one row",
    b"]]> <![CDATA[ </system-out> & &amp; &#0; <!-- -->",
    b"\"'\\ \\u0000 \\\"",
    b"ok 1\nnot ok 2 # TODO\n1..0 # skip\nBail out!\n  ---\n  ...\n",
    "\u2028\u2029\u202e\ufeff\uffff\ufffe\U0010ffff".encode(),
    b"line\n" * 5000,
    b"x" * 100000,
]
FIELDS = [b"name", b"detail", b"mistake", b"ended_by", b"build_error", b"warnings", b"notice",
          b"printed", b"source"]
UTF8 = dict(os.environ, LC_ALL="C.UTF-8")
ASCII = dict(os.environ, LC_ALL="C")


def setUpModule():
    global DRIVER
    DRIVER = drivers.build("report_driver.c")


def report(form, *fields, env=None, two=False):
    env = dict(env or UTF8, **({"TWO_LESSONS": "1"} if two else {}))
    result = subprocess.run([DRIVER, form, *fields], env=env, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, timeout=1800)
    if result.returncode or result.stderr:
        raise AssertionError(result.stderr.decode(errors="replace"))
    return result.stdout


def hostile_reports(form, **options):
    """A report for each hostile text, in all fields at once."""
    for text in HOSTILE:
        fields = [field + b"=" + (text[:400] if field == b"source" else text)
                  for field in FIELDS]
        yield text, report(form, *fields, **options)


class HumanReport(unittest.TestCase):
    def lines(self, *fields, **options):
        return report("human", *fields, **options).decode().splitlines()

    def test_it_has_the_shape_that_the_workbook_promises(self):
        self.assertEqual(self.lines("detail=y[1][3]: expected 0.5393, got 0.4824", "detail2=Why."), [
            "Running checks for Lesson 01: Layer Normalization (exercises/01_layer_norm.c)...",
            "",
            "Results:",
            "✅ row_mean averages one row",
            "❌ layer_norm matches PyTorch on 3 x 5",
            "     y[1][3]: expected 0.5393, got 0.4824",
            "     Why.",
            "➖ layer_norm holds far from zero",
            "1 passed, 1 failed, 1 not reached   (0.09 s, seed 1234)",
        ])

    def test_not_reached_is_left_out_when_there_is_none(self):
        self.assertEqual(self.lines("reached=2")[-1], "1 passed, 1 failed   (0.09 s, seed 1234)")

    def test_its_last_line_says_what_to_do_next_where_somebody_said_what_is_typed_there(self):
        lines = self.lines("shell=yes", "detail=off", "try=try 1 2 3")
        self.assertEqual(lines[5:8], ["     off", "     To see it at work: make start, then",
                                      "        try 1 2 3"])
        self.assertEqual(lines[-2:], ["", "Next: mend layer_norm. For a hint: make hint LESSON=01"])
        self.assertEqual(self.lines("shell=yes", "build_error=a.c:1:1: error: x")[-1],
                         "Next: mend this error, and save.")
        self.assertEqual(self.lines("shell=yes", "build_error=a.c:1:1: error: x; a.c:2:1: error: y")[-1],
                         "Next: mend the first error, and save. Those below it often come of it.")
        self.assertEqual(self.lines("shell=yes", "passed=yes", "learned=how.")[-3:],
                         ["", "You know now: how.", "Next: lesson 02"])
        self.assertNotIn("Next", "".join(self.lines("passed=yes", "learned=how.")))

    def test_an_untouched_stub_points_at_the_lesson_and_lists_no_failures(self):
        lines = self.lines("untouched=yes", "shell=yes")
        text = "\n".join(lines)
        self.assertIn("exercises/01_layer_norm.c is still the stub that was handed out.", text)
        self.assertIn("lessons/01_layer_norm.md", text)
        self.assertIn("make hint LESSON=01", text)
        self.assertFalse([line for line in lines if line.startswith(("✅", "❌", "➖"))])

    def test_a_build_error_stands_behind_a_bar_and_its_place_where_editors_look_for_it(self):
        error = "exercises/01_layer_norm.c:3:5: error: expected ';'\n    3 | int x\n✅ row_mean"
        lines = self.lines(f"build_error={error}")
        self.assertEqual(lines[2:], [
            "exercises/01_layer_norm.c:3:5: error: the compiler says:",
            "  | exercises/01_layer_norm.c:3:5: error: expected ';'",
            "  |     3 | int x",
            "  | ✅ row_mean",
            "",
            "It does not compile, so no check was run."])
        lines = self.lines(f"build_error={error}", "source=class/ada.c")
        self.assertEqual(lines[2], "  | exercises/01_layer_norm.c:3:5: error: expected ';'")

    def test_what_the_checker_adds_to_a_build_error_stands_without_a_bar(self):
        lines = self.lines("build_error=a.c:1:1: error: x\nNot allowed.", "advice=Not allowed.")
        self.assertEqual(lines[2:], ["  | a.c:1:1: error: x", "", "Not allowed.",
                                     "It does not compile, so no check was run."])
        lines = self.lines("build_error=a.c is a link.", "advice=a.c is a link.")
        self.assertEqual(lines[2:], ["a.c is a link.", "No check was run."])
        for advice in ("all of it passed", "failed"):  # which is not its end
            self.assertEqual(self.lines("build_error=9 passed", f"advice={advice}")[2], "  | 9 passed")

    def test_warnings_and_missing_protections_come_after_the_results(self):
        lines = self.lines("warnings=exercises/01_layer_norm.c:3:5: warning: unused",
                           "notice=No Landlock here.")
        end = lines.index("1 passed, 1 failed, 1 not reached   (0.09 s, seed 1234)")
        self.assertEqual(lines[end + 1:], [
            "", "The compiler warns:", "  | exercises/01_layer_norm.c:3:5: warning: unused", "",
            "No Landlock here."])

    def test_printed_lines_are_prefixed_and_capped_at_twenty(self):
        lines = self.lines("printed=" + "".join(f"line {i}\n" for i in range(30)),
                           "printed_total=5000")
        start = lines.index("Your code printed, in layer_norm matches PyTorch on 3 x 5:") + 1
        self.assertEqual(lines[start:start + 20], [f"  | line {i}" for i in range(20)])
        shown = sum(len(f"line {i}\n") for i in range(20))
        self.assertEqual(lines[start + 20:], [f"  | ... and {5000 - shown} bytes more"])

    def test_one_endless_printed_line_is_capped_too(self):
        text = report("human", "printed=" + "ä" * 60000)
        self.assertLess(len(text), 5000)
        self.assertIn("bytes more", text.decode())

    def test_nothing_from_outside_can_look_like_a_verdict_or_move_the_cursor(self):
        for locale, env in (("UTF-8", UTF8), ("ASCII", ASCII)):
            marks = ("✅", "❌", "➖", "ok ", "FAIL", "--")
            wanted = [line for line in report("human", env=env).decode().splitlines()
                      if line.startswith(marks)]
            for text, output in hostile_reports("human", env=env):
                with self.subTest(locale=locale, text=text[:20]):
                    decoded = output.decode("ascii" if env is ASCII else "utf-8")
                    self.assertFalse([c for c in decoded if c < " " and c not in "\n\t"
                                      or "\x7f" <= c < "\xa0" or "\u202a" <= c <= "\u202e"
                                      or "\u2066" <= c <= "\u2069"])
            for text in HOSTILE:
                with self.subTest(locale=locale, printed=text[:20]):
                    fields = [field + b"=" + text for field in (b"detail", b"printed", b"warnings")]
                    lines = report("human", *fields, env=env).decode().splitlines()
                    self.assertEqual([line for line in lines if line.startswith(marks)], wanted)

    def test_marks_are_words_in_an_ascii_locale(self):
        lines = self.lines(env=ASCII)
        self.assertEqual([line[:5] for line in lines[3:6]], ["ok   ", "FAIL ", "--   "])

    def test_a_locale_that_is_not_installed_counts_by_its_name(self):
        lines = self.lines(env={"LANG": "xx_XX.UTF-8"})
        self.assertTrue(lines[3].startswith("✅"))

    def test_colour_is_for_terminals_that_want_it(self):
        self.assertNotIn(b"\x1b", report("human"))
        wanted = {"TERM": "xterm", "LC_ALL": "C.UTF-8"}
        for env, coloured in ((wanted, True), (dict(wanted, NO_COLOR=""), True),
                              (dict(wanted, NO_COLOR="1"), False),
                              (dict(wanted, TERM="dumb"), False)):
            with self.subTest(env=env):
                text = drivers.in_terminal([DRIVER, "human"], env)
                self.assertEqual(b"\x1b[31m" in text, coloured)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
    def test_output_that_can_not_be_written_is_not_a_success(self):
        for form in ("human", "json", "tap", "junit", "gradescope", "classroom50", "vpl"):
            with self.subTest(form=form):
                with open("/dev/full", "wb") as full:
                    result = subprocess.run([DRIVER, form], stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(result.returncode, 1)
                self.assertIn(b"could not be written", result.stderr)
                closed = subprocess.run(["sh", "-c", f'"{DRIVER}" {form} >&-'],
                                        stderr=subprocess.PIPE)
                self.assertEqual(closed.returncode, 1)


class JsonReport(unittest.TestCase):
    def test_one_lesson_and_several_have_the_same_shape(self):
        one, two = json.loads(report("json")), json.loads(report("json", two=True))
        self.assertEqual(one.keys(), two.keys())
        self.assertEqual((one["version"], len(one["lessons"]), len(two["lessons"])), (1, 1, 2))
        self.assertEqual((two["passed"], two["failed"], two["not_reached"]), (2, 2, 2))

    def test_a_check_has_every_field_and_null_where_there_is_nothing(self):
        document = json.loads(report("json", "numbers=0.5393,0.4824,1.2e-6", "mistake=n_minus_1"))
        lesson = document["lessons"][0]
        self.assertEqual([check["status"] for check in lesson["checks"]],
                         ["passed", "failed", "not reached"])
        failed = lesson["checks"][1]
        self.assertEqual((failed["expected"], failed["got"], failed["allowed"]),
                         (0.5393, 0.4824, 1.2e-6))
        self.assertEqual((failed["mistake"], failed["ended_by"]), ("n_minus_1", None))
        for key in ("where", "expected", "got", "allowed", "mistake", "ended_by"):
            self.assertIsNone(lesson["checks"][0][key])
        for key in ("title", "source", "seconds", "untouched", "build_error", "warnings", "notice",
                    "printed"):
            self.assertIn(key, lesson)

    def test_a_64_bit_seed_survives(self):
        document = json.loads(report("json", f"seed={2**64 - 1}"))
        self.assertEqual(document["lessons"][0]["seed"], str(2**64 - 1))

    def test_nan_and_infinities_are_strings(self):
        check = json.loads(report("json", "numbers=nan,-inf,inf"))["lessons"][0]["checks"][1]
        self.assertEqual((check["expected"], check["got"], check["allowed"]),
                         ("NaN", "-Infinity", "Infinity"))

    def test_any_bytes_give_a_valid_document(self):
        for text, output in hostile_reports("json"):
            with self.subTest(text=text[:20]):
                lesson = json.loads(output.decode("utf-8"))["lessons"][0]
                self.assertEqual(lesson["printed"].replace("\ufffd", ""),
                                 text.decode("utf-8", "replace").replace("\ufffd", ""))

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_jq_reads_it(self):
        for text, output in hostile_reports("json"):
            with self.subTest(text=text[:20]):
                result = subprocess.run(["jq", ".failed"], input=output, stdout=subprocess.PIPE)
                self.assertEqual(result.stdout, b"1\n")


class ReadingJsonBack(unittest.TestCase):
    def parse(self, documents):
        result = subprocess.run([DRIVER, "parse"], input=b"".join(d + b"\0" for d in documents),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        answers = result.stdout.decode(errors="replace").splitlines()
        self.assertEqual(len(answers), len(documents))
        return answers

    def test_what_was_written_is_read(self):
        documents = [report("json")] + [output for _, output in hostile_reports("json")]
        self.assertEqual(set(self.parse(documents)), {"ok"})

    def test_text_behind_the_document_and_several_lessons_are_refused(self):
        answers = self.parse([report("json") + b"x", report("json", two=True), b"", b"{}", b"[]"])
        self.assertNotIn("ok", answers)

    def test_deep_nesting_is_refused(self):
        answers = self.parse([b"[" * 100000, b'{"lessons":' * 50000, b'{"a":[' * 900])
        self.assertNotIn("ok", answers)

    def test_a_wrong_type_anywhere_is_refused_or_harmless(self):
        original = json.loads(report("json", "numbers=1,nan,3", "detail=x", "printed=y"))
        documents = []

        def replace_all(node, path):
            for key in (node if isinstance(node, dict) else range(len(node))):
                for value in (None, True, -1, 1e300, 1.5, "", "x" * 2000, [], {}, [[]]):
                    changed = copy.deepcopy(original)
                    place = changed
                    for step in path:
                        place = place[step]
                    place[key] = value
                    documents.append(json.dumps(changed).encode())
                if isinstance(node[key], (dict, list)):
                    replace_all(node[key], path + [key])

        replace_all(original, [])
        answers = self.parse(documents)
        self.assertGreater(len(documents), 500)
        self.assertGreater(sum(answer != "ok" for answer in answers), len(answers) / 2)

    def test_what_is_true_or_false_is_nothing_else(self):
        original = json.loads(report("json"))
        lesson = original["lessons"][0]
        keys = [key for key, value in lesson.items() if isinstance(value, bool)]
        self.assertTrue(keys)
        documents = [json.dumps({**original, "lessons": [{**lesson, key: value}]}).encode()
                     for key in keys for value in (1, 0, "yes", None, [], {})]
        self.assertNotIn("ok", self.parse(documents))

    def test_random_damage_is_refused_or_harmless(self):
        draw = random.Random(7)
        original = report("json", "numbers=1,nan,3", "detail=x", "printed=y")
        documents = []
        for _ in range(2000):
            damaged = bytearray(original)
            for _ in range(draw.randint(1, 4)):
                damaged[draw.randrange(len(damaged))] = draw.randrange(1, 256)
            documents.append(bytes(damaged))
        self.parse(documents)


class TapReport(unittest.TestCase):
    def test_what_was_not_reached_is_not_ok(self):
        lines = report("tap").decode().splitlines()
        self.assertEqual(lines[:4], ["TAP version 13", "1..1", "# Subtest: 01_layer_norm", "    1..3"])
        self.assertEqual([line for line in lines if line.startswith(("    ok", "    not ok", "not ok"))], [
            "    ok 1 - row_mean averages one row",
            "    not ok 2 - layer_norm matches PyTorch on 3 x 5",
            "    not ok 3 - layer_norm holds far from zero",
            "not ok 1 - 01_layer_norm: 1 of 3 checks passed"])

    def test_several_lessons_are_one_plan(self):
        lines = report("tap", two=True).decode().splitlines()
        self.assertEqual(lines[1], "1..2")
        self.assertEqual(len([line for line in lines if line.startswith("not ok ")]), 2)

    def test_what_does_not_compile_is_not_ok_though_no_check_failed(self):
        lines = report("tap", "build_error=a.c:1: error", "reached=0").decode().splitlines()
        self.assertEqual(lines[-1][:7], "not ok ")

    def subtest(self, output):
        """The lesson's own TAP, as its parent indents it."""
        return b"TAP version 13\n" + b"".join(line[4:] for line in output.splitlines(True) if line.startswith(b"    "))

    @unittest.skipUnless(shutil.which("prove"), "prove is not installed")
    def test_prove_accepts_it_whatever_was_printed(self):
        outputs = list(hostile_reports("tap")) + [(b"todo", report("tap", "name=x # TODO later")),
                                                  (b"skip", report("tap", "name=# skip \\# SKIP"))]
        for text, output in outputs:
            with self.subTest(text=text[:20]):
                path = drivers.SCRATCH / "report.tap"
                for part, failed in ((output, b"Failed 1/1 subtests"), (self.subtest(output), b"Failed 2/3 subtests")):
                    path.write_bytes(part)
                    result = subprocess.run(["prove", "-e", "cat", path], stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT)
                    self.assertIn(failed, result.stdout)
                    self.assertNotIn(b"Parse errors", result.stdout)
                    self.assertNotIn(b"TODO", result.stdout)

    @unittest.skipUnless(shutil.which("prove"), "prove is not installed")
    def test_prove_passes_what_passed(self):
        path = drivers.SCRATCH / "report.tap"
        path.write_bytes(report("tap", "passed=yes"))
        result = subprocess.run(["prove", "-e", "cat", path], stdout=subprocess.PIPE)
        self.assertEqual(result.returncode, 0)

    @unittest.skipUnless(shutil.which("prove"), "prove's Perl modules are not installed")
    def test_its_diagnostics_are_read_as_yaml(self):
        reader = ("use TAP::Parser; my $p = TAP::Parser->new({tap => join '', <STDIN>});"
                  "while (my $r = $p->next) { next unless $r->is_yaml;"
                  "my $d = $r->data; print join('|', $d->{status}, $d->{message} // '',"
                  "$d->{expected} // '', ($d->{details} || [])->[0] // ''), qq(\\n) }")
        output = report("tap", 'detail=say "a\\b": #1', "detail2=more", "numbers=0.5,0.25,1e-6")
        result = subprocess.run(["perl", "-e", reader], input=self.subtest(output), stdout=subprocess.PIPE)
        self.assertEqual(result.stdout.decode().splitlines(),
                         ['failed|say "a\\b": #1|0.5|more', "not reached|||"])


class JunitReport(unittest.TestCase):
    def test_it_is_well_formed_whatever_was_printed(self):
        for text, output in hostile_reports("junit"):
            with self.subTest(text=text[:20]):
                ElementTree.fromstring(output)

    @unittest.skipUnless(shutil.which("xmllint"), "xmllint is not installed")
    def test_xmllint_accepts_it_whatever_was_printed(self):
        for text, output in hostile_reports("junit"):
            with self.subTest(text=text[:20]):
                result = subprocess.run(["xmllint", "--noout", "-"], input=output,
                                        stderr=subprocess.PIPE)
                self.assertEqual((result.returncode, result.stderr), (0, b""))

    def test_the_schema_of_jenkins_accepts_it_whatever_was_printed(self):
        if not junit_schema.schema():
            self.skipTest("xmllint or the schema can't be had")
        for two in (False, True):
            for text, output in hostile_reports("junit", two=two):
                with self.subTest(text=text[:20], two=two):
                    self.assertEqual(junit_schema.complaints(output), "")

    def test_a_suite_per_lesson_a_case_per_check_and_not_reached_is_skipped(self):
        root = ElementTree.fromstring(report("junit", "detail=expected 1 & got <2>", "printed=hi\n",
                                             two=True))
        suite = root.findall("testsuite")[1]
        self.assertEqual([suite.get(name) for name in ("name", "id", "tests", "failures", "errors", "skipped")],
                         ["01_layer_norm", "1", "3", "1", "0", "1"])
        cases = suite.findall("testcase")
        self.assertIsNone(cases[0].find("failure"))
        self.assertEqual(cases[1].get("classname"), "01_layer_norm.layer_norm")
        self.assertEqual(cases[1].find("failure").get("message"), "expected 1 & got <2>")
        self.assertIsNotNone(cases[2].find("skipped"))
        self.assertEqual(suite.find("system-out").text, "hi\n")

    def test_printed_text_comes_back_as_it_was_printed(self):
        printed = 'a\tb\n"<&>" ]]> ✅\n'
        root = ElementTree.fromstring(report("junit", f"printed={printed}"))
        self.assertEqual(root.find("testsuite/system-out").text, printed)


if __name__ == "__main__":
    unittest.main()
