"""make lab LESSON=16: do the lesson's conclusions follow from its numbers? Of the errors all that the text
says; of the times only what a busy machine can't turn round: they are this machine's."""

import math
import re
import statistics
import unittest

from lab_runs import LabTest
from workbook_copy import WorkbookCopy

LAB = "checker/lessons/16_sparse/lab.c"
SEED, SEEDS = 300, 2
SHORT, SPARSE, DENSE = "E[x^2] - mean^2", "sparse_statistics", "lesson 01, dense"


def crossover(dense, sparse):
    """As the lab finds it for all repetitions together."""
    before = None
    for density in sorted(dense):
        now = statistics.fmean(math.log(a / b) for a, b in zip(dense[density], sparse[density]))
        if now <= 0:
            if not before:
                return density
            return density * (before[0] / density) ** (now / (now - before[1]))
        before = density, now
    return None


class SparseLab(LabTest):
    lesson = "16_sparse"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.copy.write(LAB, cls.copy.read(LAB).replace("SEEDS = 5 };", f"SEEDS = {SEEDS} }};"))
        cls.copy.solve(cls.lesson)
        cls.lab = cls.copy.make("lab", LESSON="16", SEED=str(SEED))

    def means_of(self, experiment, value):
        """{curve: {density: the mean}}"""
        return {curve: {density: statistics.fmean(seeds) for density, seeds in points.items()}
                for curve, points in self.curves(experiment, "density", value).items()}

    def test_it_runs_on_the_learners_functions(self):
        self.assertEqual((self.lab.returncode, self.lab.stderr), (0, ""))
        self.assertRegex(self.lab.stdout, r"  exercises/16_sparse\.c +yours\n")

    def test_the_sparser_the_rows_the_more_the_sparse_way_is_ahead(self):
        for name in ("norm", "layer"):
            of_dense, of_sparse = (self.means_of(name, "milliseconds")[way] for way in ("dense", "sparse"))
            ahead = {density: of_dense[density] / took for density, took in of_sparse.items()}
            with self.subTest(name):  # on a quiet machine about 700, 90, 9; on a busy one 412, 118
                self.assertGreater(ahead[0.001], 50)
                self.assertGreater(ahead[0.01], 10)
                self.assertGreater(ahead[0.1], 1.5)
                self.assertGreater(ahead[0.001], ahead[0.01])
                self.assertGreater(ahead[0.01], ahead[0.1])

    def test_writing_the_rows_out_costs_most_of_what_is_gained(self):
        times = self.means_of("norm", "milliseconds")
        self.assertGreater(times["sparse, written out"][0.001], 8 * times["sparse"][0.001])
        self.assertGreater(times["sparse, written out"][0.001], times["sparse, written out"][0.01] / 3)

    def test_the_crossover_that_is_named_is_where_the_curves_meet(self):
        for name, ways in (("norm", ["sparse", "sparse, written out"]), ("layer", ["sparse"])):
            times = self.curves(name, "density", "milliseconds")
            self.assertEqual({len(seeds) for seeds in times["dense"].values()}, {SEEDS})
            part = self.lab.stdout.split("The norm and a linear layer")[name == "layer"]
            for way in ways:
                density = crossover(times["dense"], times[way])
                shown = "none" if density is None else f"{density:.2g}"
                with self.subTest(name=name, way=way):
                    self.assertRegex(part, rf"\nCrossover of dense and {way}, density: {shown} \(\S+ to \S+\)\n")

    def test_the_sparse_ways_result_is_the_more_exact_one_but_in_full_rows(self):
        errors = self.means_of("layer", "error")
        self.assertTrue(100 < errors["dense"][0.001] / errors["sparse"][0.001] < 400)
        for density in (0.001, 0.01, 0.1, 0.5):
            self.assertLess(errors["sparse"][density], 0.5 * errors["dense"][density])
        self.assertGreater(errors["sparse"][1], errors["dense"][1])

    def test_the_short_way_is_fine_until_the_zeros_run_out(self):
        errors = {curve: {round(1 - zeros, 6): statistics.fmean(seeds) for zeros, seeds in points.items()}
                  for curve, points in self.curves("error", "zeros", "relative_error").items()}
        for density in (0.001, 0.01, 0.1, 0.5):
            self.assertLess(errors[SHORT][density], 4 * errors[SPARSE][density])
        for density, ten_times_fewer in ((0.9, 0.99), (0.99, 0.999)):
            self.assertTrue(4 < errors[SHORT][ten_times_fewer] / errors[SHORT][density] < 25)
        self.assertLess(errors[SHORT][0.999], 0.01)
        self.assertGreater(errors[SHORT][1], 0.5)
        self.assertLess(max(errors[SPARSE].values()), 1e-5)
        self.assertGreater(errors[DENSE][0.001], 50 * errors[SPARSE][0.001])

    def test_a_way_that_is_faster_to_the_end_has_no_crossover(self):
        """With a dense norm that dawdles; and one that is never behind has it at the first density. Few rows:
        they take so little time that no other load can turn it round."""
        solution = self.copy.read("solutions/01_layer_norm.c")
        for body, shown in ((r"\1 for (volatile int i = 0; i < 4000000; i++) ;", "none"),
                            (r"\1 return;", "0.001")):
            with self.subTest(shown=shown), WorkbookCopy() as copy:
                copy.write(LAB, copy.read(LAB).replace("SEEDS = 5 };", "SEEDS = 1 };")
                           .replace("ROWS = 256,", "ROWS = 16,"))
                copy.write("solutions/01_layer_norm.c",
                           re.sub(r"(void layer_norm\([^{]*\{)", body, solution))
                lab = copy.make("lab", LESSON="16")
                self.assertEqual((lab.returncode, lab.stderr), (0, ""))
                self.assertIn(f"Crossover of dense and sparse, written out, density: {shown} "
                              f"({shown} to {shown})", lab.stdout)


if __name__ == "__main__":
    unittest.main()
