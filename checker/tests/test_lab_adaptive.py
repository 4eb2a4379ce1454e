"""make lab LESSON=15: do the lesson's conclusions follow from its numbers, with seeds that nobody chose
its settings by? All five of them: the training is short."""

import statistics
import unittest

from lab_runs import LabTest, heights_in

LAYER, ADA, ADAPTIVE, NONE, WITHOUT_K = (
    "layer norm", "ada_norm", "adaptive_norm", "no norm", "ada_norm, k 0")
SEED, SEEDS, SIZES = 101, 5, (32, 128, 512)


class AdaptiveNormLab(LabTest):
    lesson = "15_adaptive_norm"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.copy.solve(cls.lesson)
        cls.lab = cls.copy.make("lab", LESSON="15", SEED=str(SEED))

    def at_the_end(self, value):
        """{curve: what each seed has after 300 steps}"""
        ends = {curve: points[300] for curve, points in self.curves("rows", "step", value).items()}
        self.assertEqual({curve: len(seeds) for curve, seeds in ends.items()},
                         dict.fromkeys((LAYER, ADA, ADAPTIVE, NONE), SEEDS))
        return ends

    def test_it_runs_on_the_learners_functions_and_draws_its_pictures(self):
        self.assertEqual((self.lab.returncode, self.lab.stderr), (0, ""))
        self.assertRegex(self.lab.stdout, r"  exercises/15_adaptive_norm\.c +yours\n")
        for name in ("rows", "digits"):
            picture = self.copy.read(f".workbook/lab/{self.lesson}_{name}.svg")
            self.assertIn(">adaptive_norm</t", picture)

    def test_the_digits_picture_is_of_differences_from_layer_norm_of_the_same_seed(self):
        picture = self.copy.read(f".workbook/lab/{self.lesson}_digits.svg")
        self.assertNotIn(">layer norm<", picture)
        new = self.curves("digits", "examples", "new")
        for look, norm in ((1, ADA), (2, ADAPTIVE)):
            by = [statistics.mean(a - b for a, b in zip(new[norm][size], new[LAYER][size]))
                  for size in sorted(SIZES)]
            for drawn, wanted in zip(heights_in(picture, f"line{look}"), by, strict=True):
                self.assertAlmostEqual(drawn, wanted, delta=0.0003)

    def test_behind_layer_norm_and_ada_norm_the_spread_is_guessed_however_long_one_trains(self):
        spread, half = self.at_the_end("spread"), self.at_the_end("half")
        for norm in (LAYER, ADA):
            self.assertTrue(all(0.4 < right < 0.6 for right in spread[norm]), spread[norm])
            self.assertGreater(min(half[norm]), 0.99)
            after_30 = statistics.mean(self.curves("rows", "step", "right")[norm][30])
            self.assertTrue(0.4 < after_30 < 0.6)

    def test_adaptive_norm_gives_the_spread_back_a_little_ahead_of_no_norm(self):
        right = self.at_the_end("right")
        self.assertGreater(min(right[NONE]), 0.92)
        self.assertGreater(min(right[ADAPTIVE]), 0.95)
        ahead = [one - other for one, other in zip(right[ADAPTIVE], right[NONE])]
        self.assertGreaterEqual(sum(by > 0 for by in ahead), 4, ahead)
        self.assertTrue(0 < statistics.mean(ahead) < 0.04, ahead)

    def test_ada_norm_does_not_read_more_new_digits(self):
        new, seen = (self.curves("digits", "examples", value) for value in ("new", "seen"))
        self.assertEqual({curve: sorted(points) for curve, points in new.items()},
                         dict.fromkeys((LAYER, ADA, ADAPTIVE, NONE, WITHOUT_K), sorted(SIZES)))
        self.assertGreater(min(part for points in seen.values() for seeds in points.values()
                               for part in seeds), 0.98)
        for one, other, most in ((ADA, LAYER, 5), (WITHOUT_K, LAYER, 7), (ADA, WITHOUT_K, 7)):
            with self.subTest(one=one, other=other):
                more, fewer = (sum(a > b for size in SIZES for a, b in zip(x[size], y[size]))
                               for x, y in ((new[one], new[other]), (new[other], new[one])))
                self.assertLessEqual(more, most)
                words = f"{one.split(', ')[-1]} reads more than {other.split(', ')[-1]}"
                self.assertRegex(self.lab.stdout, f"{words} +in +{more} of 15 pairs, fewer in +{fewer}\n")
        for size in SIZES:
            mean = {curve: statistics.mean(points[size]) for curve, points in new.items()}
            self.assertTrue(0 < mean[LAYER] - mean[ADA] < 0.05, mean)
            self.assertAlmostEqual(mean[ADAPTIVE], mean[LAYER], delta=0.03)
            self.assertTrue(size != 128 or mean[NONE] == max(mean.values()), mean)


if __name__ == "__main__":
    unittest.main()
