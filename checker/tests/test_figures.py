"""What the words under a lesson's figure claim is what its C code does. The numbers come from the program that
draws the still picture; test_book.py holds a page's numbers to them.
"""

import math
import re
import struct
import subprocess
import unittest

import lesson_files
from lesson_files import ROOT

ROW = re.compile(r'\{(?:DRAGGED|SHOWN|BESIDE|LINES|TOGETHER|ACROSS|PART), "([^"]*)"')
WORDS = re.compile(r"(?:const Figure figure = \{|\{PART, \"[^\"]*\",)\s*((?:\"[^\"]*\"\s*)+),")


def setUpModule():
    done = subprocess.run(["make", "-s", "book"], cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"make book: {done.stdout}{done.stderr}")


class Figure:
    """figure(x=[20, 60, 30]) is {row's name, and its place: its numbers}, with that row dragged so."""

    def __init__(self, lesson):
        source = (ROOT / "checker/lessons" / lesson / "figure.c").read_text()
        self.words = "\n".join("".join(re.findall('"([^"]*)"', words)) for words in WORDS.findall(source))
        self.names = ROW.findall(source)
        self.program = ROOT / "build" / lesson / "still"
        page = subprocess.run([self.program], text=True, check=True, stdout=subprocess.PIPE).stdout
        self.counts = [page.count(f'data-row="{row}"') for row in range(len(self.names))]

    def __call__(self, **dragged):
        lines = "".join(f"{self.names.index(name.replace('_', ' '))} {i} {number!r}\n"
                        for name, numbers in dragged.items()
                        for i, number in enumerate(numbers if isinstance(numbers, list) else [numbers]))
        bits = iter(subprocess.run([self.program, "numbers"], input=lines, text=True, check=True,
                                   stdout=subprocess.PIPE).stdout.split())
        numbers = [[struct.unpack("f", struct.pack("I", int(next(bits))))[0] for _ in range(count)]
                   for count in self.counts]
        return dict(zip([*range(len(numbers)), *self.names[::-1]], [*numbers, *numbers[::-1]]))


def moved(before, after):
    return [i for i, (one, other) in enumerate(zip(before, after)) if one != other]


def sizes(numbers):
    return [abs(number) for number in numbers]


class Captions(unittest.TestCase):
    def figure(self, number, *claims):
        """The figure of a lesson, whose words say this."""
        figure = Figure(next(name for name in lesson_files.names() if name.startswith(number)))
        for claim in claims:
            self.assertIn(claim, figure.words)
        return figure

    def near(self, numbers, others, allowed=1e-5):
        self.assertEqual(len(numbers), len(others))
        for one, other in zip(numbers, others):
            self.assertLessEqual(abs(one - other), allowed, (numbers, others))

    def test_every_figure_is_held_to_its_words(self):
        held = {name[5:7] for name in dir(self) if re.match(r"test_\d\d_", name)}
        self.assertEqual(held, {path.parent.name[:2] for path in ROOT.glob("checker/lessons/*/figure.c")})

    def test_01_y_stays_where_it_is(self):
        figure = self.figure("01", "Move the whole row up, or make it twice as large: y stays where it is.")
        for dragged in ({"up": 20}, {"times": 2}, {"up": -60, "times": 0.5}):
            self.near(figure(**dragged)["y"], figure()["y"])
        self.assertEqual(figure(up=20, times=2)["row"], [40, 120, 60])
        self.assertLess(figure(eps=289.0)["y"][1], 0.8 * figure()["y"][1])

    def test_02_dx_is_what_the_loss_really_does_and_0_where_all_pull_alike(self):
        figure = self.figure("02", "what the loss really does when x[j] moves by 0.01",
                             "Make all dy and all gamma equal: dx is 0.")
        for dy in ([1, 2, -2], [-4, 3, 1]):
            self.near(figure(dy=dy)["dx"], figure(dy=dy)["numeric"], 1e-3)
        for x in ([1, 2, 6], [3, -4, 5]):
            shown = figure(x=x, dy=[-3] * 3, gamma=[2] * 3)
            self.near(shown["dx"] + shown["numeric"], [0] * 6, 1e-4)

    def test_03_a_shift_moves_rms_norm_alone_and_a_size_neither(self):
        figure = self.figure("03", "layer norm stays, RMS norm does not", "twice as large, with times, and both stay")
        first, shifted, doubled = figure(), figure(up=2), figure(times=2)
        self.near(shifted["layer norm"], first["layer norm"])
        self.assertGreater(abs(shifted["RMS norm"][0] - first["RMS norm"][0]), 0.2)
        self.near(doubled["layer norm"] + doubled["RMS norm"], first["layer norm"] + first["RMS norm"])

    def test_04_at_half_of_each_style_y_is_in_the_middle(self):
        figure = self.figure("04", "At half of each y is in the middle.", "style A (1, 0) to style B (0, 1)")
        one, other, middle = (figure(condition=style)["y"] for style in ([1, 0], [0, 1], [0.5, 0.5]))
        self.near(middle, [(a + b) / 2 for a, b in zip(one, other)])
        self.assertGreater(abs(one[0] - other[0]), 1)

    def test_05_the_others_move_your_y_and_both_ways_come_near_each_other(self):
        figure = self.figure("05", "drag the others: your y moves all the same", "they never quite agree")
        self.near(figure()["y"], [-0.9258, -0.4629, 1.3887], 5e-5)  # the text's
        self.assertGreater(abs(figure(x=[-6, 2, 3])["y"][1] - figure()["y"][1]), 1)
        apart = [abs(shown["y"][1] - shown["y afterwards"][1]) for shown in map(
            lambda steps: figure(steps=steps), (1, 10, 20, 40, 60))]
        self.assertEqual(apart, sorted(apart, reverse=True))
        self.assertTrue(0.05 < apart[-1] < 0.1, apart)

    def test_06_steps_bring_y_to_what_is_wanted_and_a_rate_may_be_too_high(self):
        figure = self.figure("06", "y comes to what is wanted", "up to a point it goes faster, and beyond it the loss grows")
        losses = [figure(steps=steps)["loss"][0] for steps in range(20)]
        self.assertEqual(losses, sorted(losses, reverse=True))
        self.near(figure(steps=60)["y"], figure()["wanted"])
        slow, fast, wild = (figure(rate=rate)["loss"][0] for rate in (0.2, 0.5, 0.8))
        self.assertTrue(fast < slow < losses[0] < wild, (fast, slow, wild))

    def test_07_the_shortcut_goes_wrong_and_negative_long_before_welford(self):
        figure = self.figure("07", "goes wrong, and even negative, long before Welford's does",
                             "The size of a row does nothing to y.")
        first_wrong = {"variance": math.inf, 3: math.inf}
        for half in range(17):
            shown = figure(far=float(f"{10 ** (half / 2):.6g}"))
            for way, before in first_wrong.items():
                first_wrong[way] = min(before, half / 2 if abs(shown[way][0] - 9) > 0.9 else math.inf)
        self.assertEqual(first_wrong, {"variance": 7.5, 3: 4})  # 10 % off, at a power of ten
        self.assertLess(figure(far=316228.0)[3][0], 0)
        for size in (1e-30, 1e-10, 1e20, 1e37):
            self.near(figure(size=size)["y"], figure()["y"], 1e-6)

    def test_08_a_number_moves_those_of_its_group(self):
        figure = self.figure("08", "A step of the series that is behind its length is 0 and moves none.")
        x = figure()["x"]
        first, then = figure(), figure(x=[*x[:7], 15])
        self.assertEqual([moved(first[row], then[row]) for row in ("axis", "text", "image")],
                         [[1, 3, 5, 7], [4, 5, 6, 7], list(range(8))])
        short, then = figure(length=3), figure(length=3, x=[*x[:7], 15])
        self.assertEqual((short["series"][6:], short["series"]), ([0, 0], then["series"]))

    def test_09_its_ends_are_layer_norm_and_instance_norm(self):
        figure = self.figure("09", "With one group it is layer norm over the image, with four it is instance norm.",
                             "only the channels of its group follow")
        x = figure()["x"]
        for groups, of_group in ((1, 8), (2, 4), (4, 2)):
            shown = figure(groups=groups)
            self.near(shown["mean"], [sum(x[i // of_group * of_group:][:of_group]) / of_group for i in range(0, 8, 2)])
            self.assertEqual(moved(shown["y"], figure(groups=groups, x=[*x[:7], 20])["y"]),
                             list(range(8 - of_group, 8)))

    def test_10_a_score_weighs_and_a_token_that_is_not_kept_is_not_heard(self):
        figure = self.figure("10", "A score that is 1 larger gets 2.7 times the weight.", "their score grows, and what is "
                             "heard comes nearer to that token", "A token that is not kept is not heard at all.")
        x = figure()["tokens"]
        for shown in (figure(), figure(tokens=[0.3, -1, *x[2:]])):
            for other in (1, 2):
                apart = shown["score"][other] - shown["score"][0]
                self.assertAlmostEqual(shown["weights"][other], shown["weights"][0] * math.exp(apart), delta=1e-5)
            self.near(shown["heard"], [sum(weight * shown["tokens"][2 * s + i] for s, weight in
                                           enumerate(shown["weights"])) for i in range(2)])
        for other in (1, 2):
            at = x[2 * other:2 * other + 2]
            towards = [figure(tokens=[share * n for n in at] + x[2:]) for share in (0, 0.5, 1)]
            grows = [shown["score"][other] for shown in towards]
            self.assertEqual(grows, sorted(grows))
            apart = [math.dist(shown["heard"], at) for shown in towards]
            self.assertEqual(apart, sorted(apart, reverse=True))
        deaf = figure(keep=0)
        self.assertEqual((figure(keep=0, tokens=[*x[:4], 3, 3])["heard"], deaf["weights"][2]), (deaf["heard"], 0))

    def test_11_the_shortcut_keeps_a_gradient_and_a_norm_behind_it_does_not(self):
        figure = self.figure("11", "(back is 0) a pre-norm gradient stays as long as it is",
                             "each block takes about a factor of 0.7.", "makes up for much of it")
        shown = figure()
        self.near(shown["pre-norm"], [1] * 24, 1e-6)
        factor = lambda lengths: (lengths[0] / lengths[-1]) ** (1 / (len(lengths) - 1))
        self.assertAlmostEqual(factor(shown["post-norm"]), 0.7, delta=0.01)
        self.assertGreater(factor(figure(back=1)["post-norm"]), 0.9)

    def test_12_f_keeps_or_forgets_and_h_next_has_one_size(self):
        figure = self.figure("12", "Make f large, and the memory lasts", "it is gone in a step or two",
                             "h_next has one size whatever the size of c")
        shown = figure(f=[6, -3])
        self.assertGreater(shown["unit 0"][-1], 0.97 * shown["unit 0"][0])
        self.assertLess(abs(shown[8][1]), 0.05 * abs(shown[8][0]))
        for c in ([0.5, -1], [2, -2], [0.1, -0.2]):
            self.near(sizes(figure(c=c)["h_next"]), sizes(figure()["h_next"]))

    def test_13_without_a_norm_the_weights_must_be_just_right(self):
        figure = self.figure("13", "a little smaller, and the numbers fade from layer to layer",
                             "larger, and nearly all are near -1 or 1", "With one it hardly matters.")
        small, right, large = figure(weights=0.5), figure(weights=1), figure(weights=3)
        self.assertLess(small["without"][-1], 0.02 * small["without"][0])
        self.assertGreater(right["without"][-1], right["without"][0])
        self.assertGreater(large[4][0] + large[4][-1], 0.9)
        for shown in (small, large):
            self.near(shown["with a norm"], right["with a norm"], 1e-3)

    def test_14_momentum_runs_past_and_decay_settles_below(self):
        figure = self.figure("14", "With momentum 0 it creeps to 1; with 0.8 it runs past and comes back.",
                             "With decay it settles below 1.", "drag x, and y is x")
        for x in ([2, 4, 4, 10], [-3, 15, 0, 1], [5, 5, 5, 5]):
            self.near(figure(x=x)["y"], x)
        creeps, runs = figure(momentum=0)["parameter"], figure()["parameter"]
        self.assertEqual(creeps, sorted(creeps, reverse=True))
        self.assertTrue(1 < creeps[-1] < 1.3 and min(runs) < 0.1 and max(runs[10:]) > 1.2, (creeps, runs))
        settled = figure(momentum=0, rate=0.5, decay=0.5)["parameter"]
        self.near(settled[-2:], [1 / 1.5] * 2)

    def test_15_k_holds_back_what_is_above_the_mean(self):
        figure = self.figure("15", "With k 0 it is a layer norm.", "what is above the mean is held back, what is below "
                             "is pushed away")
        plain, raised = figure(k=0), figure(k=0.25)
        self.near(plain["y"], [2 * number for number in plain["xhat"]])
        for at, number in enumerate(plain["xhat"]):
            self.assertLess(raised["y"][at], plain["y"][at])
            self.assertEqual(abs(raised["y"][at]) < abs(plain["y"][at]), number > 0)

    def test_16_base_moves_all_zeros_and_only_the_non_zeros_are_looked_at(self):
        figure = self.figure("16", "base moves, and with it all the other zeros", "only the non-zeros were looked at")
        first, then = figure(), figure(x=[0, 3, 6, 0, 0, 2, 0, 0])
        self.assertNotEqual(first["base"], then["base"])
        self.assertEqual([then["y"][at] for at in (0, 3, 4, 6, 7)], then["base"] * 5)
        self.assertEqual((first["non-zeros"], then["non-zeros"]), ([2], [3]))

    def test_17_one_sum_waits_and_four_do_not(self):
        figure = self.figure("17", "One sum: each addition waits for the one before.",
                             "With four sums and four cycles none waits.", "With more, nothing begins earlier")
        shown = {sums: figure(sums=float(sums)) for sums in (1, 2, 4, 8)}
        self.assertEqual(shown[1]["begins"], [0, 4, 8, 12, 16, 20, 24, 28])
        self.assertEqual(shown[2]["begins"], [0, 1, 4, 5, 8, 9, 12, 13])
        self.assertEqual(shown[4]["begins"], [0, 1, 2, 3, 4, 5, 6, 7])
        self.assertEqual(shown[8]["begins"], shown[4]["begins"])
        self.assertEqual([shown[sums]["done"] for sums in (1, 4, 8)], [[32], [21], [33]])
        self.assertEqual(figure()["sum"], [24])


if __name__ == "__main__":
    unittest.main()
