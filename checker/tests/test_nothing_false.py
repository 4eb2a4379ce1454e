"""What is said of real wrong programs is true. Each of these was told something false once: a right line was
accused, a change had another name, a number another origin."""

import json
import re
import subprocess
import unittest

from lesson_files import ROOT, names, numbers
from test_line_search import changed
from workbook_copy import WorkbookCopy

SCRATCH = ROOT / "build" / "tests" / "nothing_false"


def solution(lesson):
    [path] = (ROOT / "solutions").glob(f"{lesson}_*.c")
    return path.stem, path.read_text()


def report_of(lesson, text, name):
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / f"{name}.c"
    path.write_text(text)
    run = subprocess.run([f"build/{lesson}/check", "--impl", str(path.relative_to(ROOT)), "--format", "json",
                          "--seed", "1"], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=1800,
                         text=True, check=False)
    return json.loads(run.stdout)["lessons"][0]


class Said(unittest.TestCase):
    maxDiff = None

    def failed(self, lesson, *pairs):
        """The solution with these parts changed, and its checks that fail."""
        name, text = solution(lesson)
        text = changed(text, *pairs)
        report = report_of(name, text, self.id().split(".")[-1])
        return text, [check for check in report["checks"] if check["status"] == "failed"]

    def said(self, lesson, *pairs):
        """What the first check that fails shows of the line, or of where a NaN was made."""
        _, [first, *_] = self.failed(lesson, *pairs)
        places = [i for i, line in enumerate(first["details"]) if " of your file" in line or " in your file" in line]
        return " / ".join(re.sub(r"line \d+", "line N", line.strip()) for i in places
                          for line in first["details"][i:i + 2])


class Lines(Said):
    def test_one_of_the_lines_that_an_exchange_of_names_changes_is_not_accused_alone(self):
        text, [first, *_] = self.failed("10", "query + at, key + at, value + at", "query + at, value + at, key + at")
        fix = first["fix"]
        self.assertIn("value + at, key + at", text.split("\n")[fix["line"] - 1])
        self.assertIsNone(fix["other"], fix)

    def test_a_statement_that_is_missing_is_not_the_fault_of_the_line_behind_it(self):
        _, [first, *_] = self.failed(
            "09", "float sum = 0.0f, squares = 0.0f;", "float m = 0.0f, squares = 0.0f;", "sum += x[i];", "m += x[i];",
            "mean[k] = sum / (float)count;", "mean[k] = m;",
            "squares += (x[i] - mean[k]) * (x[i] - mean[k]);", "squares += (x[i] - m) * (x[i] - m);",
            "y[i] = gamma[first + c] * (x[i] - mean[k])", "y[i] = gamma[first + c] * (x[i] - m)")
        self.assertEqual((first["fix"]["behind"], first["fix"]["code"]), (True, "m += x[i];"), first["fix"])
        _, [first, *_] = self.failed(
            "15", "    float mean = sum / (float)features, mean_xhat = sum_xhat / (float)features;\n",
            "    sum /= features;\n", "(dx[j] - mean - (row[j] - m) / s * mean_xhat) / s",
            "(dx[j] - sum - (row[j] - m) / s * sum_xhat) / s")
        self.assertEqual((first["fix"]["behind"], first["fix"]["code"]), (True, "}"), first["fix"])

    def test_where_a_change_of_either_line_mends_it_neither_is_called_wrong(self):
        text, [first, *_] = self.failed("07", "mean_a[r] + share_b * apart", "mean_a[r] - share_b * apart")
        fix, lines = first["fix"], text.split("\n")
        both = {lines[place["line"] - 1].strip() for place in (fix, fix["other"])}
        self.assertEqual(both, {"float apart = mean_b[r] - mean_a[r];", "mean[r] = mean_a[r] - share_b * apart;"})
        self.assertIn(f"Look at one of two places in your file, line {fix['line']} or line {fix['other']['line']}:",
                      first["details"])
        self.assertNotIn("Look at line", " ".join(first["details"]))
        self.assertEqual((fix["from"], fix["to"], fix["lines"]), (None, None, []))


    def places(self, lesson, *pairs):
        text, [first, *_] = self.failed(lesson, *pairs)
        lines = text.split("\n")
        fix = first["fix"]
        return [lines[place["line"] - 1].strip() for place in (fix, fix["other"]) if place] if fix else []

    def test_a_line_that_uses_two_names_is_not_called_wrong_where_they_were_made_the_wrong_way_round(self):
        first, second = "float i_ = sigmoid(f[j]), f_ = sigmoid(i[j]);", "c_next[j] = f_ * c[j] + i_ * hyperbolic(g[j]);"
        self.assertEqual(set(self.places(
            "12", "        for (int j = 0; j < hidden; j++)\n            c_next[j] = sigmoid(f[j]) * c[j] + sigmoid(i[j]) * "
            "hyperbolic(g[j]);", f"        for (int j = 0; j < hidden; j++) {{\n            {first}\n            {second}\n"
            "        }")), {first, second})

    def test_a_square_is_no_slip_for_a_product(self):
        """The sum of the squares less something else: by chance a change of one factor alone would do."""
        self.assertNotIn("squares += distance * distance;", self.places(
            "16", "    float squares = (float)(features - count) * *mean * *mean; /* of the zeros' distances */\n",
            "    float squares = 0.0f;\n", "        squares += (value[i] - *mean) * (value[i] - *mean);",
            "        { float distance = value[i] - *mean;\n        squares += distance * distance;\n        }"))
        self.assertNotIn("squares += (value[i] - *mean) * (value[i] - *mean);", self.places(
            "16", "    float squares = (float)(features - count) * *mean * *mean; /* of the zeros' distances */\n",
            "    float squares = 0.0f;\n"))

    def test_of_sums_side_by_side_the_one_that_is_not_added_is_found(self):
        old = ("    float sum = 0.0f;\n    for (int j = 0; j < features; j++)\n        sum += x[j];\n"
               "    return sum / (float)features;\n")
        for begin, adds, end in [
                ("float even = 0.0f, odd = 0.0f;", "if (j % 2)\n            odd += x[j];\n        else\n"
                 "            even += x[j];", "return even / (float)features;"),
                ("float sums[3] = {0};", "sums[j % 3] += x[j];", "return (sums[0] + sums[1]) / (float)features;")]:
            with self.subTest(end):
                self.assertIn(end, self.places("01", old, f"    {begin}\n    for (int j = 0; j < features; j++)\n"
                                                          f"        {adds}\n    {end}\n"))

    def test_what_an_index_or_a_beginning_lacks_is_found(self):
        for lesson, wrong, *pairs in [
                ("08", "int first = o * features + i;",
                 "size_t first = (size_t)o * (size_t)features * (size_t)inner + (size_t)i;"),
                ("09", "int first = k / batch * of_group;\n        float sum_g",
                 "int first = k % groups * of_group;\n        float sum_g"),
                ("10", "float largest = 0.0f,", "float largest = row[0],"),
                ("12", "int count = hidden;\n    multiply(a, x", "int count = 4 * hidden;\n    multiply(a, x"),
                ("12", "dc[j] = all;", "dc[j] = all * f[j];")]:
            with self.subTest(wrong):
                [place] = self.places(lesson, pairs[0], wrong)
                self.assertTrue(place.startswith(wrong.split("\n")[0]), place)

    def test_an_index_that_lacks_its_row_is_found_where_it_is_made(self):
        self.assertIn("int at = j * 1;", self.places(
            "01", "            out[j] = gamma[j] * (row[j] - mean) * rstd + beta[j];\n",
            "        {\n            int at = j * 1;\n            y[at] = gamma[j] * (x[at] - mean) * rstd + beta[j];\n        }\n"))

    def test_a_loop_that_should_go_on_where_another_ended_is_found(self):
        self.assertEqual(["for (j = features - 1; j < features; j++)"], self.places(
            "01", "    float sum = 0.0f;\n    for (int j = 0; j < features; j++)\n        sum += x[j];\n",
            "    float sum = 0.0f;\n    int j = 0;\n    for (; j + 2 <= features; j += 2)\n        sum += x[j] + x[j + 1];\n"
            "    for (j = features - 1; j < features; j++)\n        sum += x[j];\n"))

    def test_what_is_missing_behind_a_line_or_wrong_on_it_is_one_place(self):
        _, [first, *_] = self.failed("02", "        mean[r] = sum / (float)features;", "        mean[r] = sum;")
        self.assertNotRegex(" ".join(first["details"]), r"(line \d+) or (after )?\1\b")
        _, [first, *_] = self.failed("06", "    m->rows = rows;", "    m->rows = 1;")
        self.assertEqual((first["fix"]["code"], first["fix"]["behind"], first["fix"]["other"]),
                         ("m->rows = 1;", False, None), first["details"])

    def test_the_end_of_a_longer_index_is_found(self):
        loop = ("        for (int r = 0; r < rows; r++) {{\n            const float *row = h + {0} * features;\n"
                "            for (int j = 0; j < features; j++)\n                {1};\n        }}\n")
        self.assertIn("const float *row = h + r * features;", self.places(
            "13", "l++, h += count)", "l++)", "        for (size_t i = 0; i < count; i++)\n            sum += h[i];\n",
            loop.format("(l * rows + r)", "sum += row[j]"), "        for (size_t i = 0; i < count; i++)\n"
            "            squares += (h[i] - mean[l]) * (h[i] - mean[l]);\n",
            loop.format("r", "squares += (row[j] - mean[l]) * (row[j] - mean[l])")))

    def test_bytes_that_are_counted_as_floats_are_found(self):
        _, [first, *_] = self.failed(
            "06", "    for (int j = 0; j < m->features; j++) {\n        m->dgamma[j] = 0.0f;\n        if (m->dbeta)\n"
            "            m->dbeta[j] = 0.0f;\n    }\n", "    memset(m->dgamma, 0, (size_t)m->features);\n    if (m->dbeta)\n"
            "        memset(m->dbeta, 0, (size_t)m->features * sizeof(float));\n", "#include <stdlib.h>\n",
            "#include <stdlib.h>\n#include <string.h>\n")
        self.assertIn("memset(m->dgamma, 0, (size_t)m->features);", " ".join(first["details"]))


    def test_numbers_with_a_name_are_not_the_fault_of_a_condition_that_need_not_be_asked(self):
        """In double any unit does, and with 1 for all of them eps is right."""
        name, text = solution("07")
        own = """
static double unit_of(const float *v, int n, float eps)
{
    double top = sqrt(eps);
    for (int i = 0; i < n; i++)
        top = fmax(top, fabs(v[i]));
    return top;
}

void layer_norm_wide(float *y, const float *x, const float *gamma, const float *beta, int rows, int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        double unit = unit_of(x, features, eps), m = 0, q = 0;
        if (unit == 0)
            unit = 1;
        for (int j = 0; j < features; j++)
            m += (x[j] / unit - x[0] / unit) / features;
        for (int j = 0; j < features; j++)
            q += (x[j] / unit - x[0] / unit - m) * (x[j] / unit - x[0] / unit - m);
        double s = sqrt(q / features + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (s == 0 ? 0 * x[j] : (x[j] / unit - x[0] / unit - m) / s) + beta[j];
    }
}
"""
        text = text[:text.index("/* The row is measured in units")].replace("layer_norm_wide(float", "none(float") + own
        [first] = [check for check in report_of(name, text, self.id().split(".")[-1])["checks"]
                   if check["status"] == "failed"]
        self.assertEqual((first["mistake"], first["fix"]), ("epsilon_not_scaled", None), first["details"])


class Kinds(Said):
    def test_a_kind_is_what_the_change_is(self):
        for kind, lesson, old, new in [
                ("a sign is wrong", "06", "m->gamma[j] -= rate", "m->gamma[j] += rate"),
                ("a sign is wrong", "11", "dgamma[j] += slope[j] * row[j]", "dgamma[j] -= slope[j] * row[j]"),
                ("= and += are not the same", "11", "dgamma[j] += slope[j] * row[j]", "dgamma[j] = slope[j] * row[j]"),
                ("a term or a factor is missing, or one too many", "09",
                 "int first = k % groups * of_group; /*", "int first = k % groups; /*"),
                ("another operator is needed", "11", "- mean_g - row[j] * mean_g_xhat)",
                 "- mean_g + row[j] * mean_g_xhat)"),
                ("a function is not the right one", "13", "h[j] = tanhf(h[j]);", "h[j] = expf(tanhf(h[j]));")]:
            with self.subTest(new):
                _, [first, *_] = self.failed(lesson, old, new)
                self.assertEqual((first["fix"]["kind"], new in first["fix"]["code"]), (kind, True), first["fix"])


    def test_a_macro_without_parentheses_is_no_sign_of_the_line_that_uses_it(self):
        for macro, use in (("SQ(a) a * a", "SQ(x[j] - mean)"), ("FROM(a, b) a - b", "FROM(x[j], mean) * FROM(x[j], mean)")):
            with self.subTest(macro):
                _, [first, *_] = self.failed("01", "#include <math.h>\n", f"#include <math.h>\n#define {macro}\n",
                                             "sum += distance * distance;", f"sum += {use};")
                self.assertEqual((first["fix"]["kind"], first["fix"]["code"]), ("parentheses", f"sum += {use};"))


class Names(Said):
    def test_a_mistake_that_would_spoil_what_is_right_is_not_named(self):
        """dgamma is as without the tanh of h_next; da, of the gate o, is not."""
        _, [first, *_] = self.failed("12", "dh_next[j] * o[j] * (1.0f - t * t)", "dh_next[j] * o[j]")
        self.assertIsNone(first["mistake"], first["details"])
        self.assertIn("These are the numbers you get when the factor 1 - t^2 is left out of dn.", first["details"])
        _, [first, *_] = self.failed("02", "dbeta[j] += dy_row[j];", "dbeta[j] += dy_row[j] / (float)rows;")
        self.assertIn("These are the numbers you get when the sum over the rows is averaged.", first["details"])


    def details(self, lesson, *pairs):
        return " ".join(self.failed(lesson, *pairs)[1][0]["details"])

    def test_what_only_rounds_a_little_is_no_cancellation(self):
        """With 1 number and 100,000 the smaller share is 1 - 0.99999. Near 20 and at 1000 it is right all the same."""
        _, [first, *_] = self.failed(
            "07", "float share_a = (float)features_a / count, share_b = (float)features_b / count;",
            "float share_b = (float)features_b / count, share_a = 1 - share_b;")
        self.assertIsNone(first["mistake"], first["details"])
        self.assertNotIn("square of the mean", " ".join(first["details"]))

    def test_of_two_changes_none_is_named_that_does_nothing_beside_the_other(self):
        """A sum of distances is 0 but for rounding; so is one that is multiplied by 0, whatever else is in it."""
        said = self.details("05", "squares += distance * distance;", "squares += distance;")
        self.assertNotIn("in int, and", said)

    def test_a_quantity_that_is_0_wherever_it_matters_is_not_named_for_0(self):
        said = self.details("07", "sum = 0.0f, squares = 0.0f;\n        for (int j = 0; j < features; j++) { /*",
                            "sum = 0.0f, squares = 0.0f, apart = 0.0f;\n        for (int j = 0; j < features; j++) { /*",
                            "            sum += out[j];\n", "            sum += out[j];\n            apart += row[j] != row[0];\n",
                            "gamma[j] * (spread == 0.0f ? 0.0f : out[j] / spread) + beta[j];",
                            "apart == 0.0f ? 0.0f : gamma[j] * (out[j] / spread) + beta[j];")
        self.assertIn("when 0 stands in y where beta belongs.", said)

    def test_a_sum_that_is_not_divided_may_round_as_a_sum(self):
        """4,128 numbers: 3,433,774 where the formula has 3,433,776.6."""
        said = self.details("11", "mean[r] = sum / (float)features;", "mean[r] = sum;")
        self.assertIn("when mean is sum(s), not mean(s).", said)

    def test_another_place_is_told_as_the_element_that_is_read(self):
        said = self.details("10", "query + at, key + at,",
                            "query + at, key + (size_t)(n * time) * (size_t)features + (size_t)h,")
        self.assertIn("when key[n][s][h + d] stands in score where key[n][s][h * (features / heads) + d] belongs.", said)

    def test_what_stays_as_it_is_is_a_count_and_no_row(self):
        _, [first, *_] = self.failed("10", "int rows = batch * time, size = features / heads;",
                                     "int rows = batch * time;\n    const int size = features / heads;",
                                     "w + 2 * square, b + 2 * features", "w + 2 * square, &b[features]")
        self.assertEqual(first["fix"]["kind"], "an index is not the right one", first["fix"])

    def test_a_number_that_is_another_statistic_in_one_row_alone_is_not_said_to_be_one(self):
        """10 is the mean of one row without signs; in the other it is 4 that divides, and 7 that mean."""
        said = self.details("06", "sqrtf(squares / (float)features + m->eps)", "sqrtf(squares + m->eps)")
        self.assertIn("That is divided by 10, where 5 is right.", said)
        self.assertNotIn("of these x", said)

    def test_what_divides_a_row_is_not_said_to_be_one_of_its_numbers(self):
        said = self.details("08", "float distance = x[first + (size_t)j * (size_t)inner] - mean;",
                            "float distance = x[first + (size_t)j] - mean;")
        self.assertIn("That is divided by 3, where 4 is right.", said)
        self.assertNotIn("of these x", said)


class Read(Said):
    def read(self, *pairs, lesson="01", wrong="x[j] + mean", right="-"):
        text, [first, *_] = self.failed(lesson, *pairs)
        self.assertIsNotNone(first["fix"], first["details"])
        self.assertEqual((text.split("\n")[first["fix"]["line"] - 1].count(wrong), first["fix"]["to"]), (1, right))
        return first["fix"]

    def test_what_c_has_besides_loops_and_sums_is_read(self):
        line, head = "        float distance = x[j] - mean;\n", "#include <math.h>\n"
        for what, *pairs in [
                ("a macro within", line, "#define TWICE(a) (2 * (a))\n        float distance = x[j] + mean;\n"),
                ("#pragma", line, "#pragma GCC unroll 4\n        for (int k = 0; k < 1; k++)\n            sum += 0;\n"
                                  "        float distance = x[j] + mean;\n"),
                ("#if", line, "#if 1\n        float distance = x[j] + mean;\n#else\n        float distance = 0;\n#endif\n"),
                ("#ifdef", line, "        float distance = x[j] + mean;\n#ifdef DEBUG\n        puts(\"}\");\n#endif\n"),
                ("typedef", line, "        Row row = x;\n        Many none = {0};\n"
                                  "        float distance = row[j] + none[1] + 0 * (x[j] + mean) - -mean;\n",
                 head, head + "typedef const float *Row;\ntypedef float Many[4];\n"),
                ("a pointer to an array", line, "        float all[2][3] = {{0}}, (*rows)[3] = all;\n        rows[1][2] = x[j];\n"
                                                "        float distance = rows[1][2] + 0 * (x[j] + mean) - -mean;\n"),
                ("switch", line, "        float distance;\n        switch (features > 0) {\n        case 0:\n            distance = 0;\n"
                                 "            break;\n        default:\n            distance = x[j] + mean;\n            break;\n        }\n"),
                ("goto", line, "        float distance = x[j] + mean;\n        if (features < 0)\n            goto done;\n",
                 "    return sum / (float)features;\n}\n\n/* y,", "done:\n    return sum / (float)features;\n}\n\n/* y,")]:
            with self.subTest(what):
                name, text = solution("01")
                text = changed(text, *pairs)
                [first, *_] = [check for check in report_of(name, text, "read")["checks"] if check["status"] == "failed"]
                self.assertIsNotNone(first["fix"], first["details"])
                self.assertIn("mean", first["fix"]["code"])

    def test_an_array_of_ints_may_be_what_an_index_lacks(self):
        self.assertEqual(self.failed("16", "gamma[column[i]] *", "gamma[i] *")[1][0]["fix"]["kind"],
                         "an index is not the right one")

    def test_the_same_change_at_two_places_is_one(self):
        text, [first, *_] = self.failed("16", "weights[column[i]] * gamma[column[i]] *", "weights[i] * gamma[i] *")
        self.assertEqual([line["after"] for line in first["fix"]["lines"]],
                         ["sum += weights[column[i]] * gamma[column[i]] * delta[i];"])
        text, [first, *_] = self.failed("11", "        for (int j = 0; j < features; j++)\n            sum +=",
                                        "        for (int j = 1; j < features; j++)\n            sum +=",
                                        "        for (int j = 0; j < features; j++) {\n            float distance",
                                        "        for (int j = 1; j < features; j++) {\n            float distance")
        fix, lines = first["fix"], text.split("\n")
        self.assertEqual([lines[place["line"] - 1].strip()[:14] for place in (fix, fix["also"])], 2 * ["for (int j = 1"])
        self.assertIn(f"Look at lines {fix['line']} and {fix['also']['line']} of your file: {fix['kind']} in",
                      first["details"])


class Nan(Said):
    def test_it_says_by_which_operation_the_first_was_made(self):
        first = "The first NaN is made in line N of your file, by "
        for how, lesson, old, new in [
                ("infinity / infinity", "12", "(float)(1.0 / (1.0 + exp(-(double)v)))", "expf(v) / (1.0f + expf(v))"),
                ("0 * infinity", "10", "inner[i] = 0.0f;", "inner[i] = 0.0f * (1 / (inner[i] * 0));"),
                ("infinity - infinity", "01", "row[j] - mean) * rstd", "row[j] - mean) * rstd + (1 / (eps - eps) - 1 / (eps - eps))"),
                ("the root of a number below 0", "01", "sqrtf(row_variance", "sqrtf(-row_variance"),
                ("0 / 0", "07", "(spread == 0.0f ? 0.0f : out[j] / spread)", "(out[j] / spread)")]:
            with self.subTest(new):
                self.assertIn(first + how + ":", self.said(lesson, old, new))

    def test_of_a_function_without_a_variance_none_is_spoken_of(self):
        _, failed = self.failed("10", "expf(row[j] - largest)", "expf(row[j])")
        words = " ".join(detail for check in failed for detail in check["details"])
        self.assertIn("got NaN", words)
        self.assertNotIn("variance", words)

    def test_an_element_that_was_read_too_early_was_not_added_to(self):
        _, [first, *_] = self.failed("01", "+ beta[j];", "+ beta[j] + (j ? 0 : out[features - 1]);")
        self.assertIn("made from an element that was never written", first["details"][0])


class Crashes(Said):
    def test_a_pointer_that_is_no_address_is_no_null_pointer(self):
        for words, pointer in [("used an address that is not its own", "0xbebebebebebebebc"), ("followed a null pointer", "0"),
                               ("followed a null pointer, or a number that is no address", "1000")]:
            with self.subTest(pointer):
                _, [first, *_] = self.failed(
                    "01", "float sum = 0.0f;\n    for (int j = 0; j < features; j++)\n        sum += x[j];",
                    f"const float *p = (const float *){pointer};\n    float sum = 0.0f;\n"
                    "    for (int j = 0; j < features; j++)\n        sum += x[j] + p[j];")
                self.assertRegex(first["details"][0], rf"^{words} at ")

    def test_an_array_of_a_function_that_has_returned_is_no_array(self):
        _, [first, *_] = self.failed(
            "01", "float row_variance(const float *x, int features, float mean)\n{", "static const float *distances("
            "const float *x, int features, float mean)\n{\n    float all[1024];\n    for (int j = 0; j < features; j++)"
            "\n        all[j] = x[j] - mean;\n    const float *first = all;\n    return first;\n}\n\n"
            "float row_variance(const float *x, int features, float mean)\n{\n"
            "    const float *d = features <= 1024 ? distances(x, features, mean) : 0;",
            "float distance = x[j] - mean;", "float distance = d ? d[j] : x[j] - mean;")
        self.assertIn("of a local variable of a function that has returned at ", first["details"][0])

    def test_a_warning_that_names_the_mistake_is_a_reason(self):
        helper = "static float *pair(float a, float b)\n{\n    float both[2] = {a, b};\n    return both;\n}\n\n"
        head = "float row_variance(const float *x, int features, float mean)\n{"
        text, [first, second] = self.failed("01", head, helper + head, "float distance = x[j] - mean;",
                                            "float *two = pair(x[j], mean);\n        float distance = two[0] - two[1];")
        line = text[:text.index("return both")].count("\n") + 1
        self.assertIn(f"The compiler warns of line {line}: the address of a local variable is returned, which is gone "
                      "then.", first["details"])
        self.assertEqual(second["step"], "layer_norm")
        _, [first, *_] = self.failed("01", head, helper + head, "sum += distance * distance;", "sum += distance;")
        self.assertNotIn("The compiler warns", " ".join(first["details"]))

    def test_what_free_does_not_free_is_not_what_forward_leaks(self):
        _, [first, *more] = self.failed("06", "    free(m->xhat);\n    free(m->rstd);\n    *m", "    *m")
        self.assertEqual((first["step"], more), ("layer_norm_free", []))
        _, [first, *_] = self.failed("06", "    free(m->xhat);\n    free(m->rstd);\n    m->xhat", "    m->xhat")
        self.assertEqual(first["step"], "layer_norm_forward")
        self.assertRegex(first["details"][0], "^allocates memory at ")
        _, [first, second] = self.failed("06", "    free(m->dgamma);\n", "")
        self.assertEqual((first["step"], first["fix"]["code"]), ("layer_norm_free", "free(m->gamma);"))
        self.assertEqual(second["details"], ["layer_norm_init calls layer_norm_free, which is wrong: mend that first."])

    def test_memory_that_was_never_written_is_called_that_in_a_struct_too(self):
        for element, old, new in [("rstd[0]", "        rstd[r] = normalize(m, y + at, xhat + at, x + at);",
                                   "        normalize(m, y + at, xhat + at, x + at);"),
                                  ("m_eps[0]", "    m->eps = eps;\n", ""), ("m_rows[0]", "", "")]:
            with self.subTest(element):
                pairs = (old, new) if old else ("    *m = (struct layer_norm){0};\n    int features",
                                                "    m->xhat = m->rstd = NULL;\n    int features")
                if element == "m_eps[0]":
                    pairs += ("    *m = (struct layer_norm){0};\n    int features",
                              "    m->rows = 0, m->xhat = m->rstd = NULL;\n    int features")
                _, failed = self.failed("06", *pairs)
                words = " ".join(detail for check in failed for detail in check["details"])
                self.assertRegex(words, rf"{re.escape(element)} was never written: it is \S+, which stood there before")

    def test_a_field_that_is_left_has_its_name(self):
        _, [first, *_] = self.failed("06", "    *m = (struct layer_norm){0};\n}", "    m->gamma = m->beta = m->dgamma = "
                                     "m->dbeta = m->xhat = m->rstd = NULL;\n    m->features = 0;\n}")
        self.assertRegex(first["details"][0], r"^fields_left\[2\], eps: expected 0, got 1 ")


class Callees(Said):
    def test_a_function_that_calls_one_that_is_not_written_waits_for_it(self):
        name, text = solution("10")
        stub = (ROOT / "exercises" / f"{name}.c").read_text()

        def softmax(file):
            begin = file.index("void softmax(")
            return file[begin:file.index("\n}\n", begin)]

        report = report_of(name, text.replace(softmax(text), softmax(stub)), "callee")
        self.assertEqual(report["failed"], 0)
        waiting = {check["step"]: (check["needs"], check["details"]) for check in report["checks"] if check["needs"]}
        self.assertEqual(waiting, {step: ("softmax", [f"{step} calls softmax, which is not written yet"])
                                   for step in ("attention", "encoder_block")})

    def test_a_helper_of_two_functions_is_accused_once(self):
        text, [first, second] = self.failed("11", "sum_g_xhat += g * row[j];", "sum_g_xhat += g + row[j];")
        line = text[:text.index("g + row[j]")].count("\n") + 1
        self.assertIn(f"Look at line {line} of your file: another operator is needed in", first["details"])
        self.assertEqual(second["details"][-1], f"The same as above: line {line} of your file.")


class Numbers(Said):
    def test_a_gate_s_number_is_called_by_gate_and_unit(self):
        _, [first, *_] = self.failed("12", "dh_next[j] * t * o[j] * (1.0f - o[j])", "dh_next[j] * o[j] * (1.0f - o[j])")
        self.assertRegex(first["details"][0], r"^da\[\d\]\[\d+\], o of unit \d: expected ")

    def test_a_row_is_not_cut_without_dots(self):
        """Gates that are shut are no part of it: what is shown of the row is not all."""
        name, text = solution("12")
        text = changed(text, "(float)(1.0 - 2.0 / (1.0 + exp(2.0 * (double)v)))", "(expf(2 * v) - 1) / (expf(2 * v) + 1)")
        SCRATCH.mkdir(parents=True, exist_ok=True)
        (SCRATCH / "cut.c").write_text(text)
        cut = 0
        for seed in range(1, 9):
            said = subprocess.run([f"build/{name}/check", "--impl", str((SCRATCH / "cut.c").relative_to(ROOT)), "--seed",
                                   str(seed), "--step", "lstm_cell_backward"], cwd=ROOT, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, text=True, check=False).stdout
            for row, hidden in re.findall(r"hidden = (\d+).*\n(?:       .*\n)*?       a(?:\[\d\])? (.*)\n", said):
                shown = [word for word in hidden.split() if word != "..."]
                cut += "..." in hidden
                self.assertEqual("..." in hidden, len(shown) < 4 * int(row), said)
        self.assertGreater(cut, 0)

class Ready(unittest.TestCase):
    def test_a_lesson_that_has_just_been_passed_is_not_ready_and_what_it_opens_is(self):
        with WorkbookCopy() as copy:
            for name in names()[:6]:
                copy.write(f"exercises/{name}.c", copy.read(f"solutions/{name}.c"))
                said = copy.make("check", LESSON=name[:2]).stdout
        self.assertIn("Lesson 06 is passed. Next: read lessons/07_stability.md", said)
        [ready] = re.findall(r"^Ready as well: (.*)$", said, re.MULTILINE)
        self.assertEqual(ready, numbers("08"))


class Tried(unittest.TestCase):
    def tried(self, words):
        run = subprocess.run(["build/06_module/check", "--impl", "solutions/06_module.c", "--try", words], cwd=ROOT,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        return run.returncode, run.stdout

    def test_a_right_module_is_right_where_it_is_tried(self):
        for words, returned in (("layer_norm_init shape=2 2", "0"), ("layer_norm_init shape=0 2", "-1"),
                                ("layer_norm_init shape=65536 65536 65536", "-1")):
            with self.subTest(words):
                code, said = self.tried(words)
                self.assertEqual(code, 0, said)
                self.assertRegex(said, rf"(?m)^  layer_norm_init +yours +✅ +{returned}$")
                self.assertNotRegex(said, "❌|init_")


if __name__ == "__main__":
    unittest.main()
