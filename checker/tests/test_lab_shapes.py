"""make lab LESSON=08: do the lesson's conclusions follow from its numbers, whatever the seeds?"""

import unittest

from lab_runs import LabTest

WHOLE, BY_PIXEL, BY_CHANNEL = "each image as a whole", "channels of each pixel", "each channel alone"
OVER_TIME, BY_STEP, RAW = "each channel over time", "channels at each step", "as they are"
TOKEN, TOGETHER = "each token alone", "time and features together"


class ShapesLab(LabTest):
    lesson = "08_shapes"

    def table(self, name, x, y):
        found = self.curves(name, x, y)
        self.assertEqual({len(seeds) for points in found.values() for seeds in points.values()}, {5})
        return found

    def test_the_lessons_conclusions_follow_whatever_the_seeds(self):
        for seed in (100,):
            with self.subTest(seed=seed):
                self.run_lab(seed)
                self.conclude_padding(self.table("padding", "padding", "moved"))
                self.conclude_series(self.table("series", "pass", "accuracy"))
                self.conclude_digits(self.table("digits", "pass", "accuracy"))
                self.conclude_colour(self.table("colour", "pass", "accuracy"))

    def conclude_padding(self, moved):
        self.assertEqual({value for seeds in moved[TOKEN].values() for value in seeds}, {0})
        mean = {x: sum(seeds) / 5 for x, seeds in moved[TOGETHER].items()}
        self.assertEqual(mean[0], 0)
        self.assertGreater(mean[8], 1)
        self.assertEqual(sorted(mean.values()), [mean[x] for x in sorted(mean)])

    def conclude_series(self, right):
        self.assertEqual(set(right), {OVER_TIME, BY_STEP, RAW})
        self.assertGreater(sum(right[OVER_TIME][10]) / 5, 0.985)
        self.assertLess(max(right[BY_STEP][10]), 0.42)
        self.assertLess(max(right[RAW][10]), 0.42)

    def conclude_digits(self, right):
        self.assertEqual(set(right), {WHOLE, BY_PIXEL, RAW})
        self.assertGreater(min(right[WHOLE][10]), 0.9)
        self.assertLess(max(right[BY_PIXEL][10]), 0.12)
        # Without a norm it is learned, too, only slower.
        self.assertGreater(min(right[RAW][10]), 0.8)
        for after in (1, 2, 5, 10):
            self.assertGreater(min(right[WHOLE][after]), max(right[RAW][after]))

    def conclude_colour(self, right):
        self.assertEqual(set(right), {WHOLE, BY_CHANNEL, BY_PIXEL, RAW})
        for curve in (WHOLE, BY_PIXEL, RAW):
            self.assertGreater(min(right[curve][10]), 0.98)
        self.assertLess(max(right[BY_CHANNEL][10]), 0.42)


if __name__ == "__main__":
    unittest.main()
