"""make lab LESSON=07: do the lesson's conclusions follow from its numbers, whatever the seeds?"""

import math
import unittest

from lab_runs import LabTest

EPSILONS = {"eps 1e-3": 1e-3, "eps 1e-5": 1e-5, "eps 1e-8": 1e-8, "eps 1e-12": 1e-12}
SHORT, PASSES, WELFORD, PARTS = "E[x^2] - mean^2", "two passes", "Welford", "64 parts, merged"


class StabilityLab(LabTest):
    lesson = "07_stability"

    def test_the_lessons_conclusions_follow_whatever_the_seeds(self):
        for seed in (100,):
            with self.subTest(seed=seed):
                self.run_lab(seed)
                self.conclude_errors(self.curves("error", "offset", "relative_error"))
                self.conclude_spreads(self.curves("epsilon", "spread", "spread_of_y"))

    def conclude_errors(self, errors):
        mean = {curve: {x: sum(seeds) / len(seeds) for x, seeds in points.items()}
                for curve, points in errors.items()}
        self.assertEqual({len(seeds) for points in errors.values() for seeds in points.values()}, {5})
        for curve in (SHORT, PASSES, WELFORD, PARTS):
            self.assertLess(max(errors[curve][1]), 1e-5)
        # The short way's error grows with the square of the distance, and is soon all there is.
        for near, far in ((1, 100), (10, 1e3), (100, 1e4), (1e3, 1e5)):
            self.assertGreater(mean[SHORT][far], 1e3 * mean[SHORT][near])
            self.assertLess(mean[SHORT][far], 1e6 * mean[SHORT][near])
        self.assertTrue(0.005 < mean[SHORT][100] < 0.05)
        self.assertGreater(mean[SHORT][1e3], 0.5)
        for curve in (PASSES, WELFORD, PARTS):
            self.assertLess(max(errors[curve][1e3]), 1e-4)
        # Two passes fail where the mean itself is rounded; the others do not.
        self.assertLess(max(errors[PASSES][1e5]), 0.01)
        self.assertGreater(min(errors[PASSES][1e6]), 100)
        for curve in (WELFORD, PARTS):
            self.assertLess(max(errors[curve][1e6]), 0.1)
        closer = [x for x in mean[PARTS] if mean[PARTS][x] < mean[WELFORD][x]]
        self.assertGreaterEqual(len(closer), len(mean[PARTS]) - 2)

    def conclude_spreads(self, spreads):
        self.assertEqual(set(spreads), set(EPSILONS))
        for curve, points in spreads.items():
            for x, seeds in points.items():
                s = 10 ** (round(2 * math.log10(x)) / 2)
                expected = s / math.sqrt(s * s + EPSILONS[curve])
                for got in seeds:
                    self.assertAlmostEqual(got / expected, 1, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
