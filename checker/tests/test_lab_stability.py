"""make lab LESSON=07: do the lesson's conclusions follow from its numbers, whatever the seeds?"""

import csv
import io
import math
import unittest

from workbook_copy import WorkbookCopy

EPSILONS = {"eps 1e-3": 1e-3, "eps 1e-5": 1e-5, "eps 1e-8": 1e-8, "eps 1e-12": 1e-12}
SHORT, PASSES, WELFORD, PARTS = "E[x^2] - mean^2", "two passes", "Welford", "64 parts, merged"


def curves(text, x, y):
    """{curve: {x rounded to three digits: the values of the seeds}}"""
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        point = found.setdefault(row["curve"], {}).setdefault(f"{float(row[x]):.3g}", [])
        point.append(float(row[y]))
    return found


class StabilityLab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())

    def numbers(self, seed):
        lab = self.copy.make("lab", LESSON="07", SEED=str(seed))
        self.assertEqual((lab.returncode, lab.stderr), (0, ""))
        errors, spreads = (self.copy.read(f".workbook/lab/07_stability_{name}.csv")
                           for name in ("error", "epsilon"))
        return curves(errors, "offset", "relative_error"), curves(spreads, "spread", "spread_of_y")

    def test_the_lessons_conclusions_follow_whatever_the_seeds(self):
        for seed in (1, 100):
            with self.subTest(seed=seed):
                errors, spreads = self.numbers(seed)
                self.conclude_errors(errors)
                self.conclude_spreads(spreads)

    def conclude_errors(self, errors):
        mean = {curve: {x: sum(seeds) / len(seeds) for x, seeds in points.items()}
                for curve, points in errors.items()}
        self.assertEqual({len(seeds) for points in errors.values() for seeds in points.values()}, {5})
        for curve in (SHORT, PASSES, WELFORD, PARTS):
            self.assertLess(max(errors[curve]["1"]), 1e-5)
        # The short way's error grows with the square of the distance, and is soon all there is.
        for near, far in (("1", "100"), ("10", "1e+03"), ("100", "1e+04"), ("1e+03", "1e+05")):
            self.assertGreater(mean[SHORT][far], 1e3 * mean[SHORT][near])
            self.assertLess(mean[SHORT][far], 1e6 * mean[SHORT][near])
        self.assertTrue(0.005 < mean[SHORT]["100"] < 0.05)
        self.assertGreater(mean[SHORT]["1e+03"], 0.5)
        for curve in (PASSES, WELFORD, PARTS):
            self.assertLess(max(errors[curve]["1e+03"]), 1e-4)
        # Two passes fail where the mean itself is rounded; the others do not.
        self.assertLess(max(errors[PASSES]["1e+05"]), 0.01)
        self.assertGreater(min(errors[PASSES]["1e+06"]), 100)
        for curve in (WELFORD, PARTS):
            self.assertLess(max(errors[curve]["1e+06"]), 0.1)
        closer = [x for x in mean[PARTS] if mean[PARTS][x] < mean[WELFORD][x]]
        self.assertGreaterEqual(len(closer), len(mean[PARTS]) - 2)

    def conclude_spreads(self, spreads):
        self.assertEqual(set(spreads), set(EPSILONS))
        for curve, points in spreads.items():
            for x, seeds in points.items():
                s = 10 ** (round(2 * math.log10(float(x))) / 2)
                expected = s / math.sqrt(s * s + EPSILONS[curve])
                for got in seeds:
                    self.assertAlmostEqual(got / expected, 1, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
