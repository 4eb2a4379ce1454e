"""make lab LESSON=13: do the lesson's conclusions follow from its numbers with seeds that nobody chose
its settings by (the page's own are compared, number by number, by test_lessons.py)? And do its pictures,
and what it draws in plain ASCII, show those numbers?
"""

import re
import statistics
import unittest
import xml.etree.ElementTree

from lab_runs import SVG, LabTest

SEED, SEEDS, LAYERS, PARTS = 101, 5, 20, 45
SIZES = {"tanh": ["s=0.5", "s=1", "s=2", "s=4"], "relu": ["s=0.5", "s=1", "s=1.41", "s=2"]}
RIDGES = re.compile(r'<path class="ridge r\d+" d="M(\S+) (\S+?)(h\S*?)?H(\S+?)V(\S+?)z"/>')


def heights_of(steps, width):
    """Of each part of a histogram, from its path: to the right and up, in turns."""
    heights, at, high = [], 0, 0
    for across, down in re.findall(r"h(\S+?)v([-\d.]+)", steps):
        at += float(across)
        heights += [high] * (round(at / width * PARTS) - len(heights))
        high -= float(down)
    return heights + [high] * (PARTS - len(heights))


class ActivationsLab(LabTest):
    lesson = "13_activations"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.lab = cls.copy.make("lab", LESSON="13", SEED=str(SEED), env={"LC_ALL": "C"})

    def numbers(self, name, value):
        """{curve: {layer: the seeds' values}}"""
        found = self.curves(name, "layer", value)
        self.assertEqual({len(seeds) for layers in found.values() for seeds in layers.values()}, {SEEDS})
        return found

    def test_it_ends_well(self):
        self.assertEqual((self.lab.returncode, self.lab.stderr), (0, ""))

    def test_without_the_norm_the_weights_decide_and_with_it_they_do_not(self):
        spread = self.numbers("tanh", "spread")
        for size, low, high in (("s=0.5", 2e-7, 2e-6), ("s=1", 0.1, 0.25), ("s=2", 0.70, 0.76),
                                ("s=4", 0.87, 0.9)):
            self.within(low, spread[f"without, {size}"][LAYERS], high)
        for size in SIZES["tanh"]:
            for layer in range(1, LAYERS + 1):
                self.within(0.61, spread[f"with, {size}"][layer], 0.65)
                self.same_by_size("tanh", spread, layer)
        slow = [statistics.fmean(spread["without, s=1"][layer]) for layer in (1, 2, 5, 10, 15, 20)]
        self.assertEqual(slow, sorted(slow, reverse=True))

    def test_relu_has_nothing_that_holds_it_but_the_norm(self):
        spread = self.numbers("relu", "spread")
        for size, low, high in (("s=0.5", 1e-10, 4e-9), ("s=1", 1e-4, 4e-3), ("s=1.41", 0.2, 3),
                                ("s=2", 100, 4000)):
            self.within(low, spread[f"without, {size}"][LAYERS], high)
        for layer in range(1, LAYERS + 1):
            self.within(0.45, spread["with, s=1"][layer], 0.75)
            self.assertTrue(0.54 < statistics.fmean(spread["with, s=1"][layer]) < 0.62)
            self.same_by_size("relu", spread, layer)

    def within(self, low, values, high):
        self.assertTrue(low < min(values) and max(values) < high, values)

    def same_by_size(self, name, spread, layer):
        for of_seed in zip(*(spread[f"with, {size}"][layer] for size in SIZES[name])):
            self.assertLess(max(of_seed) - min(of_seed), 2e-4)

    def test_large_weights_saturate_tanh_and_small_ones_silence_it(self):
        first, last, middle = (self.numbers("tanh", f"part_{part:02}") for part in (0, 44, 22))
        ends = first["without, s=4"][LAYERS] + last["without, s=4"][LAYERS]
        self.within(0.25, ends, 0.34)
        self.assertRegex(self.lab.stdout, rf"s=4: {100 * sum(ends) / SEEDS:.0f} % of layer 20")
        self.assertEqual(set(middle["without, s=0.5"][LAYERS]), {1})

    def test_mean_is_beta_and_spread_is_gamma(self):
        for value, word in (("mean", "beta"), ("spread", "gamma")):
            found = self.numbers("affine", value)
            self.assertEqual(len(found), 9)
            for name, points in found.items():
                expected = float(re.search(rf"{word}=(-?[\d.]+)", name)[1])
                self.within(expected - 2e-5, points[1], expected + 2e-5)

    def test_the_norm_makes_no_gradients_equal_and_keeps_no_rows_apart(self):
        length, cosine = (self.numbers("limits", value) for value in ("gradient", "cosine"))
        ratios = {curve: [a / b for a, b in zip(layers[1], layers[LAYERS])]
                  for curve, layers in length.items()}
        self.within(4.5, ratios["tanh, with"], 6.7)
        self.within(0.9, ratios["tanh, without, s=1"], 1.6)
        mean = statistics.fmean(ratios["tanh, with"])
        self.assertRegex(self.lab.stdout, rf"tanh, with +{mean:.2f} ")
        for curve in ("ReLU, with", "ReLU, without, s=1.41"):
            self.within(0.85, cosine[curve][LAYERS], 1)
            means = [statistics.fmean(cosine[curve][layer]) for layer in (1, 2, 5, 10, 15, 20)]
            self.assertEqual(means, sorted(means))
            self.assertGreater(means[-1], 0.92)
        for curve in ("tanh, with", "tanh, without, s=1"):
            self.within(-0.01, cosine[curve][LAYERS], 0.01)

    def test_the_histograms_are_drawn_in_ascii_where_there_is_nothing_better(self):
        self.assertTrue(self.lab.stdout.isascii())
        self.assertIn("\nlayer  s=0.5            s=1              s=2              s=4\n    1  ", self.lab.stdout)
        self.assertRegex(self.lab.stdout, r"\n   20         # +\.?[:-]+=[%*]#[%*]=[:-]+\.? +#")
        _, shown = self.lab.stdout.split("\ntanh: ")
        self.assertEqual([line for line in shown.split("\n") if len(line) > 80 or line.endswith(" ")], [])

    def test_the_pictures_heights_are_the_shares(self):
        """10 pixels for 3 %, cut at 27. A panel of one is as high as its largest part."""
        for name, curves, points in (("tanh", 8, LAYERS), ("affine", 9, 1)):
            shares = [self.numbers(name, f"part_{part:02}") for part in range(PARTS)]
            svg = self.copy.read(f".workbook/lab/{self.lesson}_{name}.svg")
            root = xml.etree.ElementTree.fromstring(svg)
            self.assertEqual(root.tag, f"{SVG}svg")
            width = float(root.get("viewBox").split()[2])
            ridges = RIDGES.findall(svg)
            self.assertEqual(len(ridges), curves * points)
            for at, (left, bottom, steps, right, end) in enumerate(ridges):
                curve, layer = list(shares[0])[at // points], at % points + 1
                mean = [statistics.fmean(part[curve][layer]) for part in shares]
                scale = 10 / 0.03 if points > 1 else 80 / max(mean)
                wanted = [min(scale * share, 27 if points > 1 else 80) for share in mean]
                drawn = heights_of(steps, 112)
                self.assertLess(max(abs(a - b) for a, b in zip(drawn, wanted, strict=True)), 0.0501)
                self.assertEqual((float(right), end), (float(left) + 112, bottom))
                self.assertLessEqual(float(right), width)

    def test_the_texts_pictures_are_those_that_the_lab_draws_with_the_solutions(self):
        self.copy.make("lab", LESSON="13")
        for name in ("tanh", "relu", "affine"):
            kept, drawn = (self.copy.read(f"{folder}{name}.svg")
                           for folder in (f"lessons/{self.lesson}.", f".workbook/lab/{self.lesson}_"))
            self.assertEqual(RIDGES.sub("", kept), RIDGES.sub("", drawn))
            for old, new in zip(RIDGES.findall(kept), RIDGES.findall(drawn), strict=True):
                heights = zip(heights_of(old[2], 112), heights_of(new[2], 112), strict=True)
                self.assertLess(max(abs(a - b) for a, b in heights), 0.101)  # one step of rounding


if __name__ == "__main__":
    unittest.main()
