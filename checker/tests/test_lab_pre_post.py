"""make lab LESSON=11: do the lesson's conclusions follow from its numbers, with seeds that nobody chose
its settings by? Two of them, since each trains seven networks."""

import math
import re
import statistics
import unittest

from lab_runs import LabTest, words_in

LAB = "checker/lessons/11_pre_post_norm/lab.c"
SEED, SEEDS = 100, 2
POST, PRE = "post-norm", "pre-norm"


def power(points, seed):
    """Of the line through the points, on logarithmic axes."""
    x = [math.log(depth) for depth in points]
    return statistics.linear_regression(x, [math.log(seeds[seed]) for seeds in points.values()]).slope


class PrePostNormLab(LabTest):
    lesson = "11_pre_post_norm"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        text = cls.copy.read(LAB)
        cls.copy.write(LAB, text.replace("enum { SEEDS = 5 };", f"enum {{ SEEDS = {SEEDS} }};"))
        cls.copy.solve(cls.lesson)
        cls.lab = cls.copy.make("lab", LESSON="11", SEED=str(SEED))

    def ends(self, name):
        """{curve: the accuracies of the seeds after the last step}"""
        return {curve: points[max(points)] for curve, points in
                self.curves(name, "step", "accuracy").items()}

    def test_a_short_logarithmic_axis_names_more_than_the_powers_of_ten(self):
        picture = self.copy.read(f".workbook/lab/{self.lesson}_depth.svg")
        numbers = [words for words, _, _ in words_in(picture) if re.fullmatch(r"[\d.]+", words)]
        self.assertEqual(numbers, ["0.5", "1", "2", "5", "2", "3", "4", "6", "8", "12", "16", "24"])

    def test_it_runs_on_the_learners_functions(self):
        self.assertEqual((self.lab.returncode, self.lab.stderr), (0, ""))
        self.assertRegex(self.lab.stdout, r"  exercises/11_pre_post_norm\.c +yours\n")

    def test_the_last_gradient_goes_with_the_depth_as_the_theory_has_it_for_one_position(self):
        powers = {curve: statistics.mean(power(points, seed) for seed in range(SEEDS)) for curve, points
                  in self.curves("depth", "layers", "length").items()}
        self.assertAlmostEqual(powers["post-norm, one position"], 0, delta=0.12)
        self.assertAlmostEqual(powers["pre-norm, one position"], -0.5, delta=0.12)
        self.assertGreater(powers["post-norm, loss of a batch"], 0.08)
        self.assertGreater(powers["pre-norm, loss of a batch"], powers["pre-norm, one position"] + 0.02)
        self.assertLess(powers["pre-norm, loss of a batch"], -0.2)

    def test_the_fitted_powers_are_printed_beside_the_theorys(self):
        points = self.curves("depth", "layers", "length")
        for curve, theory in (("post-norm, one position", "0"), ("pre-norm, one position", "-0.5")):
            fitted = statistics.mean(power(points[curve], seed) for seed in range(SEEDS))
            self.assertRegex(self.lab.stdout, rf"  {curve} +{fitted:.2f} +-?[\d.]+ +-?[\d.]+ +{theory}\n")

    def test_post_norms_gradients_do_not_grow_towards_the_end_and_pre_norms_are_not_alike(self):
        of = self.curves("layers", "layer", "length")
        post, pre = ({layer: statistics.mean(seeds) for layer, seeds in of[curve].items()}
                     for curve in (POST, PRE))
        self.assertEqual((min(post), max(post)), (1, 24))
        self.assertLess(post[24], 1.2 * post[1])
        self.assertGreater(post[24], 0.3 * post[1])
        self.assertTrue(0.1 < pre[24] / pre[1] < 0.3)

    def test_at_a_high_rate_post_norm_is_stuck_unless_it_warms_up(self):
        ends = self.ends("training")
        self.assertEqual({len(seeds) for seeds in ends.values()}, {SEEDS})
        self.assertLess(max(ends[POST] + ends["no norm"]), 0.2)
        self.assertGreater(min(ends[PRE]), 0.98)
        self.assertGreater(min(ends["post-norm, warm-up"]), 0.25)
        self.assertGreater(statistics.mean(ends["post-norm, warm-up"]), 0.6)

    def test_at_a_lower_rate_post_norm_is_stuck_only_where_it_is_deep(self):
        ends = self.ends("deeper")
        self.assertGreater(min(ends["post-norm, 6 layers"]), 0.2)
        self.assertLess(max(ends["post-norm, 12 layers"]), 0.2)
        self.assertGreater(min(ends["pre-norm, 12 layers"]), 0.98)


if __name__ == "__main__":
    unittest.main()
