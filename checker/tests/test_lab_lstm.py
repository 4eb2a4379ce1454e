"""make lab LESSON=12: do the lesson's conclusions follow from its numbers, with seeds that nobody chose
its settings by, and whatever right answer runs? Two seeds, since each trains twenty networks."""

import re
import statistics
import unittest

from lab_runs import LabTest
from lesson_files import Lesson

LAB = "checker/lessons/12_lstm/lab.c"
SEED, SEEDS = 100, 2
PLAIN, NORMALIZED = "plain", "normalized"
SIZES = [0.01, 0.1, 1, 10, 100]


def ahead(one, other):
    return sum(a > b for a, b in zip(one, other))


class LstmLab(LabTest):
    lesson = "12_lstm"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        text = cls.copy.read(LAB)
        cls.copy.write(LAB, text.replace("SEEDS = 3 }", f"SEEDS = {SEEDS} }}"))
        cls.copy.solve("12_lstm")
        cls.output = cls().run_lab(SEED)
        cls.sizes = cls().curves("size", "size", "accuracy")
        cls.rates = cls().curves("rate", "times", "accuracy")

    def test_it_runs_on_the_learners_functions(self):
        self.assertRegex(self.output, r"  exercises/12_lstm\.c +yours\n")
        self.assertIn("The digits: 4096 images to learn from, 512 to test with.", self.output)

    def test_the_normalized_cell_does_not_care_how_large_its_inputs_are(self):
        mean = {curve: {size: statistics.mean(seeds) for size, seeds in points.items()}
                for curve, points in self.sizes.items()}
        self.assertEqual({len(seeds) for points in self.sizes.values() for seeds in points.values()},
                         {SEEDS})
        normalized = mean[NORMALIZED].values()
        self.assertGreater(min(normalized), 0.8)
        self.assertLess(max(normalized) - min(normalized), 0.12)
        # The plain one does, on either side.
        self.assertEqual(list(mean[PLAIN]), SIZES)
        for smaller, larger in ((0.01, 0.1), (0.1, 1), (10, 1), (100, 10)):
            self.assertGreater(mean[PLAIN][larger], mean[PLAIN][smaller] + 0.1)
        self.assertLess(max(mean[PLAIN][0.01], mean[PLAIN][100]), 0.55)
        for size in (0.01, 10, 100):
            self.assertEqual(ahead(self.sizes[NORMALIZED][size], self.sizes[PLAIN][size]), SEEDS)
        # At the size where it is at home the plain cell is not behind after as many updates.
        self.assertGreater(mean[PLAIN][1], 0.9)
        self.assertGreater(mean[PLAIN][1], mean[NORMALIZED][1] - 0.03)

    def test_at_a_rate_too_low_or_too_high_it_helps_in_two_of_four_cases_and_harms_in_one(self):
        rates = self.rates
        self.assertGreater(statistics.mean(rates["normalized, Adam"][20]),
                           statistics.mean(rates["plain, Adam"][20]) + 0.05)
        self.assertEqual(ahead(rates["normalized, descent"][0.05], rates["plain, descent"][0.05]), SEEDS)
        self.assertEqual(ahead(rates["plain, descent"][20], rates["normalized, descent"][20]), SEEDS)
        low = [statistics.mean(rates[f"{cell}, Adam"][0.05]) for cell in (PLAIN, NORMALIZED)]
        self.assertLess(abs(low[0] - low[1]), 0.12)

    def means(self, experiment, x):
        """{(curve, x): the mean of the seeds}"""
        return {(curve, place): statistics.mean(seeds)
                for curve, points in self.curves(experiment, x, "accuracy").items() for place, seeds in points.items()}

    def test_what_the_lesson_says_follows_from_every_right_answer(self):
        """Training makes much of the order in which a function adds: other numbers, the same conclusions. The plain
        cell is the lab's own, whatever the learner wrote, and is not trained again. (One style, which works out whole
        Jacobians, would take minutes.)"""
        lesson, plain = Lesson(self.lesson), {**self.means("size", "size"), **self.means("rate", "times")}
        styles = [style for style in lesson.sections("right", "style") if "Jacobian" not in style.title]
        text = self.copy.read(LAB)
        begin = "    static Reader r;\n    int digits[BATCH], right = 0;\n    Rng rng;\n    rng_seed(&rng, seed);\n"
        self.assertIn(begin + "    reader_start(&r, &steps, cell, &rng);", text)
        self.copy.write(LAB, text.replace(begin, f"    if (cell == PLAIN)\n        return 0;\n{begin}", 1))
        self.addCleanup(self.copy.write, LAB, text)
        self.assertGreaterEqual(len(styles), 6)
        for style in styles:
            with self.subTest(style=style.title):
                self.copy.write(f"exercises/{self.lesson}.c", lesson.with_section(style))
                self.assertRegex(self.run_lab(SEED), r"  exercises/12_lstm\.c +yours\n")
                size, rate = self.means("size", "size"), self.means("rate", "times")
                for x in (0.01, 10, 100):
                    self.assertGreater(size[NORMALIZED, x], plain[PLAIN, x])
                self.assertGreater(min(size[NORMALIZED, x] for x in SIZES), max(plain[PLAIN, 0.01], plain[PLAIN, 100]))
                self.assertLess(rate["normalized, Adam", 1], plain["plain, Adam", 1] + 0.03)
                self.assertGreater(rate["normalized, Adam", 20], plain["plain, Adam", 20])
                self.assertGreater(rate["normalized, descent", 0.05], plain["plain, descent", 0.05])
                self.assertGreater(rate["normalized, descent", 1], plain["plain, descent", 1])
                self.assertLess(rate["normalized, descent", 20], plain["plain, descent", 20])

    def test_the_same_training_has_the_same_result_in_both_tables(self):
        for cell in (PLAIN, NORMALIZED):
            self.assertEqual(self.rates[f"{cell}, Adam"][1], self.sizes[cell][1])

    def test_who_is_ahead_is_counted_from_the_numbers(self):
        counts = [ahead(self.sizes[NORMALIZED][size], self.sizes[PLAIN][size]) for size in SIZES]
        line = " +".join(f"{count} of {SEEDS}" for count in counts)
        self.assertRegex(self.output, rf"reads more\n  normalized +{line}\n")
        for method in ("Adam", "descent"):
            line = " +".join(f"{ahead(self.rates[f'normalized, {method}'][x], seeds)} of {SEEDS}"
                             for x, seeds in self.rates[f"plain, {method}"].items())
            self.assertRegex(self.output, rf"  normalized, {method} +{line}\n")

    def test_rows_of_zeros_make_the_first_gradient_enormous_and_standardized_pixels_do_not(self):
        lengths, slopes = (self.curves("blank", "row", y) for y in ("dh", "all"))
        raw = lengths["normalized, raw pixels"]
        self.assertGreater(min(raw[1]), 1e18)
        self.assertGreater(min(slopes["normalized, raw pixels"][1]), 1e18)
        for row in (1, 2, 3):  # over a thousand times as much for every row
            self.assertTrue(1e3 < statistics.mean(raw[row]) / statistics.mean(raw[row + 1]) < 1e6)
        self.assertLess(max(raw[14]), 1)
        for curve in ("normalized, standardized", "plain, raw pixels"):
            self.assertLess(max(max(seeds) for seeds in lengths[curve].values()), 1)
            self.assertLess(max(slopes[curve][1]), 10)

    def test_the_spread_that_is_shown_is_that_of_the_seeds(self):
        shown = re.search(r"highest\n  plain +([\d.]+)-([\d.]+)", self.output)
        seeds = self.sizes[PLAIN][0.01]
        self.assertEqual(shown.groups(), (f"{min(seeds):.3f}", f"{max(seeds):.3f}"))


if __name__ == "__main__":
    unittest.main()
