"""`try`: the learner's functions on numbers that are typed, beside the reference's."""

import json
import re
import unittest

import lesson_files
from workbook_copy import WorkbookCopy

NUMBER = r"[-+]?\d[\d.e+-]*"


class Try(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = WorkbookCopy()
        cls.copy = cls.context.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.context.__exit__(None, None, None)

    def tried(self, lesson, words, source=None):
        return self.copy.run([f"build/{lesson}/check", "--impl", source or f"solutions/{lesson}.c",
                              "--try", words])

    def rows(self, run):
        """{(name, whose): numbers}; a line without a name goes on with the one above."""
        found, name = {}, ""
        for line in run.stdout.splitlines():
            match = re.match(r"  (.{18}) (yours|reference|numeric|between)\s+(?:✅|❌)?(.*)", line)
            if match:
                name = match[1].strip() or name
                found[name, match[2]] = [float(x) for x in re.findall(NUMBER, match[3])]
        return found

    def test_a_row_shows_the_mean_the_variance_the_normalized_row_and_y(self):
        run = self.tried("01_layer_norm", "10 50 20")
        rows = self.rows(run)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(rows["mean", "yours"], [26.6667])
        self.assertEqual(rows["variance", "reference"], [288.889])
        self.assertEqual(rows["normalized", "between"], [-0.980581, 1.37281, -0.392232])
        self.assertEqual(rows["y", "yours"], rows["y", "reference"])

    def test_names_change_the_rest_and_rows_are_set_apart_by_semicolons(self):
        rows = self.rows(self.tried("01_layer_norm", "1 2 3; 4 4 4 gamma=2 beta=1 2 3 eps=0.5"))
        self.assertEqual(rows["y[1]", "yours"], [1, 2, 3])
        self.assertEqual(rows["mean[1]", "yours"], [4])
        self.assertAlmostEqual(rows["y[0]", "yours"][0], 1 - 2 / (2 / 3 + 0.5) ** 0.5, places=4)

    def test_a_function_can_be_called_by_its_name(self):
        rows = self.rows(self.tried("01_layer_norm", "layer_norm x=1 2 3 eps=0"))
        self.assertEqual({name for name, _ in rows}, {"normalized", "y"})
        rows = self.rows(self.tried("01_layer_norm", "row_variance 10 50 20 mean=20"))
        self.assertEqual(rows["variance", "yours"], [333.333])

    def test_attention_shows_each_heads_weights_a_row_for_each_token_that_looks(self):
        maps = "w=" + "; ".join(["1 0; 0 1"] * 4) + " b=0"
        run = self.tried("10_transformer_block", f"attention 1 1; 2 0; 5 5 {maps} keep=1 1 0 heads=2")
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        between = [line.split() for line in run.stdout.splitlines() if " between " in line]
        names = [words[0] for words in between if words[0] != "between"]
        self.assertEqual(names, ["weights[0][0]", "weights[0][1]"])
        rows = [[float(number) for number in words[words.index("between") + 1:]] for words in between]
        self.assertEqual(rows[:3], [[0.268941, 0.731059, 0], [0.119203, 0.880797, 0], [0.00669285, 0.993307, 0]])
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertAlmostEqual(sum(row), 1, places=5)

    def test_numbers_between_that_are_too_many_are_told_of(self):
        maps = "w=" + "; ".join(["1 0; 0 1"] * 4) + " b=0 heads=2"
        for tokens, shown in ((11, 242), (12, 252)):
            words = "; ".join(f"{t / 10} 1" for t in range(tokens))
            run = self.tried("10_transformer_block", f"attention {words} {maps}")
            with self.subTest(tokens=tokens):
                self.assertEqual(run.stdout.count(" between "), shown // tokens)
                told = f"and more between: here are the first {shown} numbers"
                self.assertEqual(told in run.stdout, tokens == 12)

    def test_sizes_that_a_header_rules_out_are_told_in_one_sentence_and_blame_nobody(self):
        maps = "w=" + "; ".join(["1 0; 0 1"] * 4) + " b=0"
        heads, keep = "features / heads has to be a whole number", "keep has to keep a token"
        groups, length = "channels / groups has to be a whole number", "from 1 to time"
        spread = "a feature is the same in all normalized rows: it has no spread"
        start, column = "start has to go from 0 up to nonzeros", "from 0 to features - 1"
        rest = "w=1 2 gamma=1 1 wg=1 wb=1"
        for lesson, words, why in (
                ("10_transformer_block", f"attention 1 1; 2 0 {maps} keep=0 0", keep),
                ("10_transformer_block", f"attention 1 1; 2 0 {maps} heads=3", heads),
                ("09_group_norm", "group_norm 1 7; 9 7; 10 16; 18 24 groups=3", groups),
                ("09_group_norm", "group_norm_backward 1 7; 9 7 groups=3 dy=1 0; 0 1", groups),
                ("08_shapes", "layer_norm_series 1 3; 9 3 length=3", length),
                ("08_shapes", "layer_norm_series 1 3; 9 3 length=0", length),
                ("14_initialization", "target_init 1 2 4; 1 2 4 mean=0 spread=1", spread),
                ("14_initialization", "target_init .1 .2 .4; 10.1 10.2 10.4 mean=0 spread=1 eps=0", spread),
                ("16_sparse", "sparse_statistics value=1 2 start=0 3 features=4", start),
                ("16_sparse", "sparse_layer_norm value=1 2 start=0 2 features=1", start),
                ("16_sparse", f"sparse_norm_linear base=1 delta=2 start=0 2 1 column=0 {rest}", start),
                ("16_sparse", f"sparse_norm_linear base=1 delta=2 start=0 1 column=2 {rest}", column),
                ("16_sparse", f"sparse_norm_linear base=1 delta=2 start=0 1 column=-1 {rest}", column)):
            with self.subTest(f"{lesson}: {words}"):
                run = self.tried(lesson, words)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn(f"{words.split()[0]} is not for these numbers: ", run.stderr)
                self.assertIn(why, run.stderr)

    def test_a_named_function_gets_numbers_that_do_not_fit_the_ones_before_it(self):
        rows = self.rows(self.tried("08_shapes", "layer_norm_pixels 1 3; 9 3; 7 11; 7 11 channels=4 "
                                    "gamma=3 3 6 6 eps=0"))
        self.assertEqual([rows[f"y[{i}]", "reference"] for i in range(4)],
                         [[-5, -3], [3, -3], [2, 6], [2, 6]])

    def test_the_steps_that_the_sizes_are_for_are_shown_all_the_same(self):
        run = self.tried("08_shapes", "1 3; 9 3 length=3")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("layer_norm_pixels\n", run.stdout)
        self.assertNotIn("layer_norm_series\n", run.stdout)
        self.assertIn("  layer_norm_series is not for these numbers: every length", run.stdout)

    def test_what_the_formulas_have_between_is_shown_by_its_name_and_not_what_only_bounds_are_made_of(self):
        run = self.tried("02_backward", "1 2 6 dy=1 2 -2")
        self.assertEqual(re.findall(r"^  (\S.*?) +between", run.stdout, flags=re.MULTILINE),
                         ["variance", "xhat", "xhat", "g", "mean(g)", "mean(g * xhat)"])

    def between(self, lesson, words):
        run = self.tried(lesson, words)
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        return re.findall(r"^  (\S.*?) +between", run.stdout, flags=re.MULTILINE), self.rows(run)

    def test_an_oracle_that_shows_nothing_between_leaves_it_to_the_formula_beside_it(self):
        names, rows = self.between("10_transformer_block", "softmax 1 2 3")
        self.assertEqual(names, ["max(x)", "e", "sum(e)"])
        self.assertEqual(rows["e", "between"], [0.135335, 0.367879, 1])
        self.assertEqual(rows["y", "yours"], rows["y", "reference"])
        self.assertEqual(self.between("13_activations", "layer_spread h=1 7; 7 9")[0], ["variance"])

    def test_rows_of_three_dimensions_are_told_apart_by_the_first(self):
        names, rows = self.between("09_group_norm", "group_norm 1 7; 9 7; 10 16; 18 24 batch=2 channels=2 groups=1")
        self.assertEqual(names, ["variance", "xhat[0]", "xhat[1]"])
        self.assertEqual(rows["xhat[1]", "between"], [0.2, 1.4])

    def test_backward_lessons_show_the_numeric_gradient(self):
        for lesson, words in (("02_backward", "1 2 6 gamma=3 2 0.5 dy=1 2 -2 eps=0.001"),
                              ("02_backward", "0.001 0.002 0.006; 100 200 700 dy=1 2 -2; 0 1 0"),
                              ("03_rms_norm", "1 7 5 5 dy=1 0 0 0"),
                              ("04_conditional_layer_norm",
                               "1 2 6 condition=1 2 dgamma=1 2 3 dbeta=3 2 1 w_gamma=1 2;3 4;5 6"),
                              ("05_batch_norm", "1 10; 2 50; 6 30 dy=1 2; 3 4; 5 7")):
            with self.subTest(f"{lesson}: {words}"):
                rows = self.rows(self.tried(lesson, words))
                numeric = {name: row for (name, whose), row in rows.items() if whose == "numeric"}
                self.assertTrue(numeric)
                for name, row in numeric.items():
                    for one, other in zip(row, rows[name, "reference"]):
                        self.assertAlmostEqual(one, other, delta=1e-4 * max(1, max(map(abs, row))))

    def test_a_wrong_answer_is_marked_and_the_exit_code_tells(self):
        self.copy.write("w.c", self.copy.read("solutions/01_layer_norm.c").replace(
            "sum += distance * distance", "sum += distance"))
        run = self.tried("01_layer_norm", "10 50 20", "w.c")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"variance +yours +❌")
        self.assertRegex(run.stdout, r"mean +yours +✅")

    def test_a_crash_and_what_was_printed_are_told_in_place(self):
        self.copy.write("w.c", self.copy.read("solutions/01_layer_norm.c").replace(
            "float sum = 0.0f;", 'float sum = x[features]; ', 1))
        run = self.tried("01_layer_norm", "10 50 20", "w.c")
        self.assertEqual(run.returncode, 1)
        self.assertIn("read 4 bytes past the end of x at w.c:", run.stdout)
        self.assertRegex(run.stdout, r"variance +yours +✅")
        self.copy.write("w.c", '#include <stdio.h>\n' + self.copy.read("solutions/01_layer_norm.c")
                        .replace("float sum = 0.0f;", 'float sum = 0.0f; printf("I am here\\n");', 1))
        self.assertIn("  it printed:\n  | I am here\n", self.tried("01_layer_norm", "1 2", "w.c").stdout)

    def test_bad_input_says_what_was_expected(self):
        for words, answer in (("", "row_mean needs x=..."),
                              ("1 2 b", 'expected a number, found "b"'),
                              ("1 2; 3", "its first row has 2 numbers, row 2 has 1"),
                              ("1 2 gamma=", "expected a number after gamma="),
                              ("1 2 gamma=1 2 3", "gamma has 3 numbers where features is 2"),
                              ("1 2 colour=3", 'nothing in this lesson is called "colour"'),
                              ("1 2 eps=1 eps=2", "eps is given twice"),
                              ("1 2 features=0", "features is a whole number from 1 to 4096"),
                              ("1 2 features=1.5", "features is a whole number"),
                              ("1 2 features=3", "x has 2 numbers where features is 3"),
                              ("layer_norm 1 2 gamma=", "expected a number after gamma="),
                              ("1 " * 5000, "more than 4096 numbers")):
            with self.subTest(words[:30]):
                run = self.tried("01_layer_norm", words)
                self.assertEqual(run.returncode, 2)
                self.assertIn(answer, run.stderr)

    def test_the_name_of_a_function_alone_calls_it_with_its_example_in_every_lesson(self):
        for name in lesson_files.names():
            for function in lesson_files.Lesson(name).functions():
                with self.subTest(lesson=name, function=function):
                    run = self.tried(name, function)
                    self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
                    self.assertTrue(run.stdout.startswith(f"The example of {function}:\n"), run.stdout)
                    self.assertRegex(run.stdout, r"yours +✅.*\n +reference ")

    def test_the_example_is_that_of_the_page(self):
        run = self.tried("01_layer_norm", "row_variance")
        self.assertRegex(run.stdout, r"\A.*:\n  x +given +10 +50 +20\n  mean +given +26.6667\n")
        self.assertEqual(self.rows(run)["variance", "yours"], [288.889])

    def test_of_an_example_only_what_is_typed_is_changed(self):
        block = self.tried("10_transformer_block", "encoder_block eps=1")
        self.assertTrue(block.stdout.startswith("The example of encoder_block, with what you typed:\n"))
        self.assertRegex(block.stdout, r"\n  x +given +0 +6 +8 +9\n")
        self.assertRegex(block.stdout, r"\n  eps +typed +1\n")
        for number, wanted in zip(self.rows(block)["x1[0]", "between"], [-4.93197, 0.986394, 0.986394, 2.95918]):
            self.assertAlmostEqual(number, wanted, places=4)
        groups = self.tried("09_group_norm", "group_norm groups=4")
        self.assertEqual(self.rows(groups)["mean", "yours"], [4, 8, 13, 21])

    def test_what_follows_from_what_was_typed_is_no_longer_the_example_s(self):
        run = self.tried("02_backward", "layer_norm_backward 1 2 7")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"\n  mean +given +3.33333\n")
        rows = self.rows(run)
        for number, slope in zip(rows["dx", "yours"], rows["dx", "numeric"]):
            self.assertAlmostEqual(number, slope, places=4)
        still = self.tried("02_backward", "layer_norm_backward dy=1 0 0").stdout
        self.assertRegex(still, r"\n  mean +given +3\n  rstd +given +0.46291\n")

    def test_what_does_not_fit_the_example_is_told_with_what_it_needs(self):
        run = self.tried("10_transformer_block", "attention 1 2 3; 4 5 6")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("attention needs w=..., 4 x features x features. The example does not fit: ",
                      " ".join(run.stderr.split()))

    def test_a_flag_may_be_0_and_no_size_may(self):
        words = "deep_forward 1 2 w=1 1; 0 1 normalized="
        for flag, h in (("0", 0.995055), ("-3", 0.761586), ("1", 0.761586)):
            run = self.tried("13_activations", words + flag)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertAlmostEqual(float(self.rows(run)["h", "yours"][0]), h, delta=1e-5)
        for bad, said in (("0.5", "normalized is a whole number from -4096 to 4096"),
                          ("0 layers=0", "layers is a whole number from 1 to 4096")):
            run = self.tried("13_activations", words + bad)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(said, run.stderr)

    def test_infinity_and_nan_can_be_tried(self):
        run = self.tried("01_layer_norm", "row_mean 1 inf nan")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertIn("nan", run.stdout)

    def test_no_right_answer_is_marked_wrong_where_there_is_no_number_or_none_as_large(self):
        none = self.tried("01_layer_norm", "5 5 5 eps=0")
        self.assertEqual((none.returncode, none.stdout.count("❌")), (0, 0), none.stdout)
        self.assertRegex(none.stdout, r"y +yours +✅ +nan +nan +nan\n +reference +nan")
        self.copy.write("w.c", self.copy.read("solutions/01_layer_norm.c").replace("eps);", "1.0f);"))
        self.assertEqual(self.tried("01_layer_norm", "5 5 5 eps=0", "w.c").returncode, 1)
        for words in ("1e38 1e38 3e38", "layer_norm 1e38 1e38 3e38"):
            large = self.tried("01_layer_norm", words)
            self.assertEqual((large.returncode, large.stdout.count("❌")), (0, 0), large.stdout)
            self.assertIn("no float is large enough for this, or for what leads to it", large.stdout)
            self.assertNotRegex(large.stdout, r"✅ +(inf|-?nan)")

    def test_nan_is_right_where_the_reference_has_it_and_nothing_else_is(self):
        words = "layer_norm_wide x=1,nan,3 rows=1"
        right = self.tried("07_stability", words)
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        for source in ("checker/lessons/07_stability/stub.c", "hides.c"):
            self.copy.write("hides.c", self.copy.read("solutions/07_stability.c").replace(
                "spread == 0.0f", "!(spread > 0.0f)"))
            with self.subTest(source):
                self.assertEqual(self.tried("07_stability", words, source).returncode, 1)

    def test_every_lesson_can_be_tried_on_three_numbers_or_says_what_it_needs(self):
        needs = {"12_lstm": "lstm_project needs w=..., 4 * hidden x inputs",
                 "16_sparse": 'nothing in this lesson is called "x"'}
        lessons = json.loads(self.copy.make("check-all", FORMAT="json").stdout)["lessons"]
        for lesson in lessons:
            with self.subTest(lesson["lesson"]):
                run = self.tried(lesson["lesson"], "10 50 20")
                if lesson["lesson"] in needs:
                    self.assertEqual((run.returncode, run.stdout), (2, ""))
                    self.assertIn(needs[lesson["lesson"]], run.stderr)
                else:
                    self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
                    self.assertRegex(run.stdout, r"yours +✅.*\n +reference ")


if __name__ == "__main__":
    unittest.main()
