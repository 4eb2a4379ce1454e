"""make lab LESSON=14: do the lesson's conclusions follow from its numbers with other seeds than the
page's, whose output test_lessons.py compares word for word?"""

import statistics
import unittest

from lab_runs import LabTest

ONES, TENTH, TEN, NONE, UP, DOWN, IDENTITY, TARGET = STARTS = [
    "gamma 1, beta 0", "gamma 0.1", "gamma 10", "gamma 0", "beta 1", "beta -1", "identity", "target"]
END_1, END_10 = "gamma 10, end 1", "gamma 10, end 10"
DECAYS = ["no decay", "0.03, weights only", "0.03, everything", "0.1, weights only", "0.1, everything"]


class InitializationLab(LabTest):
    lesson = "14_initialization"

    def test_the_lessons_conclusions_follow_with_other_seeds(self):
        output = self.run_lab(101)
        self.conclude_plain(output)
        self.conclude_residual()
        self.conclude_decay()

    def found(self, experiment, names, value="accuracy"):
        """{name: {step: the five seeds' values}}"""
        found = self.curves(experiment, "step", value)
        self.assertEqual({name: [len(seeds) for seeds in steps.values()] for name, steps in found.items()},
                         {name: 10 * [5] for name in names})
        return found

    def ends(self, experiment, names, value="accuracy"):
        return {name: statistics.fmean(steps[200]) for name, steps in
                self.found(experiment, names, value).items()}

    def conclude_plain(self, output):
        names = [*STARTS, END_1]
        read = self.found("plain", names)
        mean, loss, size = (self.ends("plain", names, value) for value in ("accuracy", "loss", "gamma"))
        self.assertGreater(mean[ONES], 0.88)
        self.assertTrue(0.25 < mean[TENTH] < 0.6, mean)
        self.assertTrue(0.07 < mean[TEN] < 0.14 and loss[TEN] > 2.4, mean)
        self.assertTrue(0.07 < mean[NONE] < 0.14 and abs(loss[NONE] - 2.303) < 0.01, mean)
        self.assertEqual(size[NONE], 0)
        self.assertGreater(mean[END_1], 0.84)
        self.assertLess(max(mean[UP], mean[DOWN]), 0.7)
        self.assertLess(abs(mean[TARGET] - mean[ONES]), 0.04)
        self.assertTrue(all(a < b for a, b in zip(read[IDENTITY][200], read[ONES][200])))
        self.assertRegex(output.split("With residual paths")[0], r"\n  identity +[\d.]+ +[\d.]+ +5 of 5 ")

    def conclude_residual(self):
        names = [*STARTS, END_10]
        read = self.found("residual", names)
        mean, size = (self.ends("residual", names, value) for value in ("accuracy", "gamma"))
        for start in (TENTH, TEN):
            self.assertLess(abs(mean[start] - mean[ONES]), 0.04)
        self.assertLess(mean.pop(END_10), 0.6)  # and paths alone do not forgive
        self.assertEqual(min(mean, key=mean.get), UP)
        self.assertGreater(mean[UP], 0.83)
        self.assertTrue(0.88 < mean[NONE] < mean[ONES] - 0.02, mean)
        self.assertEqual(size[NONE], 0)
        self.assertGreater(mean[TARGET], mean[ONES])
        self.assertGreater(statistics.fmean(read[TARGET][60]), statistics.fmean(read[ONES][60]) + 0.01)

    def conclude_decay(self):
        mean, size = (self.ends("decay", DECAYS, value) for value in ("accuracy", "gamma"))
        none, few, few_all, much, much_all = DECAYS
        for name, wanted in ((none, 1.01), (few, 1.01), (few_all, 0.573), (much, 1.01), (much_all, 0.162)):
            self.assertLess(abs(size[name] - wanted), 0.01, name)
        self.assertLess(abs(mean[few_all] - mean[few]), 0.05)
        self.assertLess(mean[much], mean[none] - 0.1)
        self.assertLess(mean[much_all], mean[much] - 0.03)


if __name__ == "__main__":
    unittest.main()
