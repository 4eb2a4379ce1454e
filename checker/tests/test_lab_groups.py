"""make lab LESSON=09: do the lesson's conclusions follow from its numbers, whatever the seeds?"""

import statistics
import unittest

from lab_runs import LabTest

BATCH, LAYER, GROUP, INSTANCE = NORMS = [
    "batch norm", "layer norm, 1 group", "group norm, 4 groups", "instance norm"]
SIZES = (2, 4, 8)


def ahead(found, one, other):
    """In how many pairs of one seed and one batch size."""
    return sum(a > b for size in SIZES for a, b in zip(found[one][size], found[other][size]))


class GroupNormLab(LabTest):
    lesson = "09_group_norm"

    def test_the_lessons_conclusions_follow_whatever_the_seeds(self):
        for seed in (101,):
            with self.subTest(seed=seed):
                output = self.run_lab(seed)
                clean, uneven = (self.curves(light, "batch", "accuracy") for light in ("clean", "uneven"))
                for found in (clean, uneven):
                    self.assertEqual({(norm, size): len(seeds) for norm in found
                                      for size, seeds in found[norm].items()},
                                     {(norm, size): 10 for norm in NORMS for size in SIZES})
                self.conclude(*({(norm, size): statistics.fmean(found[norm][size])
                                 for norm in NORMS for size in SIZES} for found in (clean, uneven)))
                self.conclude_pairs(clean, uneven, output)

    def conclude(self, clean, uneven):
        for mean in (clean, uneven):
            for norm in NORMS:
                self.assertLess(mean[norm, 2], mean[norm, 4])
                self.assertLess(mean[norm, 4], mean[norm, 8])
        # Nothing fails on clean digits, and batch norm does not at 2 images.
        self.assertGreater(min(clean[norm, 8] for norm in NORMS), 0.965)
        self.assertTrue(0 < clean[INSTANCE, 8] - clean[GROUP, 8] < 0.02)
        self.assertGreater(clean[BATCH, 2], max(clean[LAYER, 2], clean[GROUP, 2]))
        for size in SIZES:
            self.assertGreater(uneven[GROUP, size], uneven[LAYER, size])
            self.assertGreater(uneven[INSTANCE, size], uneven[GROUP, size])
        self.assertGreater(uneven[INSTANCE, 2], uneven[GROUP, 2] + 0.2)
        self.assertLess(uneven[LAYER, 2], uneven[BATCH, 2])
        self.assertGreater(uneven[LAYER, 8], uneven[BATCH, 8])

    def conclude_pairs(self, clean, uneven, output):
        pairs = [(LAYER, BATCH, (0, 10), (11, 19)), (GROUP, LAYER, (10, 20), (24, 30)),
                 (INSTANCE, GROUP, (20, 30), (27, 30))]
        for one, other, *limits in pairs:
            for found, (low, high), text in zip((clean, uneven), limits, output.split("Digits of uneven")):
                with self.subTest(one=one, other=other):
                    count = ahead(found, one, other)
                    self.assertTrue(low <= count <= high, count)
                    names = (name.split(",")[0] for name in (one, other))
                    self.assertRegex(text, " reads more than ".join(names) + f" +in +{count} of 30 pairs")


if __name__ == "__main__":
    unittest.main()
