"""A seed is a run: the same one asks the same again, another asks something else, and without one the
run has a seed of its own."""

import json
import subprocess
import unittest

from lesson_files import ROOT

SOLUTION = ROOT / "solutions" / "01_layer_norm.c"
WRONG = ROOT / "build" / "tests" / "seeds.c"


def grade(*options, source=SOLUTION):
    command = ["build/01_layer_norm/check", "--impl", source, "--format", "json", *options]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(run.stdout)["lessons"][0]


class Seeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Right on every row of the vectors, wrong on the drawn ones."""
        text = SOLUTION.read_text()
        right = "return sum / (float)features;"
        assert right in text
        WRONG.parent.mkdir(parents=True, exist_ok=True)
        WRONG.write_text(text.replace(right, "return features == 64 ? 1e6f : sum / (float)features;", 1))

    def said(self, seed):
        checks = {check["name"]: check for check in grade("--seed", str(seed), source=WRONG)["checks"]}
        drawn = checks["row_mean holds on 24 rows drawn afresh"]
        self.assertEqual(drawn["status"], "failed")
        return drawn["details"]

    def test_the_same_seed_asks_the_same_and_another_something_else(self):
        first = self.said(1)
        self.assertEqual(self.said(1), first)
        self.assertEqual(len({str(self.said(seed)) for seed in (1, 2, 3, 18446744073709551615)}), 4)

    def test_a_run_without_a_seed_has_one_of_its_own(self):
        seeds = [int(grade()["seed"]) for _ in range(4)]
        self.assertEqual(len(set(seeds)), 4, seeds)
        self.assertTrue(all(0 <= seed < 1000000 for seed in seeds), seeds)
