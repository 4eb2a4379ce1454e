"""Lesson 07: the truth, from PyTorch in float64, and the cases of vectors.json.

Float64 reaches from 1e-308 to 1e308, so the squares of every float fit. A row of equal numbers gives
beta: that is this lesson's contract, PyTorch itself divides 0 by 0 where eps is 0."""

import torch
import torch.nn.functional as F


def welford_statistics(args):
    variance, mean = torch.var_mean(args["x"], dim=-1, unbiased=False)
    return {"mean": mean, "variance": variance}


def merge_statistics(args):
    a, b = args["features_a"], args["features_b"]
    mean = (a * args["mean_a"] + b * args["mean_b"]) / (a + b)
    variance = (a * (args["variance_a"] + (args["mean_a"] - mean) ** 2)
                + b * (args["variance_b"] + (args["mean_b"] - mean) ** 2)) / (a + b)
    assert_whole_rows_agree()
    return {"mean": mean, "variance": variance}


def assert_whole_rows_agree():
    """The formula above, against PyTorch's statistics of a whole row and of its two parts."""
    x = torch.linspace(-3, 7, 11, dtype=torch.float64) ** 3
    for a in range(1, 11):
        b = 11 - a
        (var_a, mean_a), (var_b, mean_b), (var, mean) = (
            torch.var_mean(part, dim=0, unbiased=False) for part in (x[:a], x[a:], x))
        assert abs((a * mean_a + b * mean_b) / 11 - mean) < 1e-12 * abs(mean)
        both = (a * (var_a + (mean_a - mean) ** 2) + b * (var_b + (mean_b - mean) ** 2)) / 11
        assert abs(both - var) < 1e-12 * var


def layer_norm_wide(args):
    x, beta = args["x"], args["beta"]
    y = F.layer_norm(x, (args["features"],), args["gamma"], beta, args["eps"])
    equal = (x == x[:, :1]).all(dim=1, keepdim=True)
    return {"y": torch.where(equal, beta.expand_as(x), y)}


FUNCTIONS = {"welford_statistics": welford_statistics, "merge_statistics": merge_statistics,
             "layer_norm_wide": layer_norm_wide}


def statistics(x):
    return {"rows": x.shape[0], "features": x.shape[1], "x": x}


def parts(draw, a, b, rows, apart, offset=0.0):
    """Two parts of each row, whose means are about `apart` spreads from one another."""
    spread = draw.uniform((2, rows), 0.5, 2)
    mean = draw.uniform((2, rows), -0.3, 0.3) + torch.tensor([[offset], [offset + apart]])
    mean, variance = mean.float().double(), (spread ** 2).float().double()
    return {"rows": rows, "features_a": a, "features_b": b, "mean_a": mean[0],
            "variance_a": variance[0], "mean_b": mean[1], "variance_b": variance[1]}


def wide(draw, x, eps=0.0, gamma=None, beta=None):
    rows, features = x.shape
    gamma = draw.away_from_one(features) if gamma is None else gamma
    beta = draw.uniform(features, -2, 2) if beta is None else beta
    return {"rows": rows, "features": features, "eps": draw.f32(eps), "x": x, "gamma": gamma,
            "beta": beta}


def cases(draw):
    # The lesson's row first: a learner can follow it on paper.
    paper = [1.0, 7.0, 7.0, 9.0]
    yield ("small rows", "1 x 4, the row 1 7 7 9", "welford_statistics",
           statistics(draw.values(paper)))
    for shape, spread, offset in (((3, 5), [0.3, 2.0, 10.0], 0.5), ((4, 3), [1.0, 0.1, 5.0, 3.0], -2.0),
                                  ((2, 11), [20.0, 0.5], 0.0), ((3, 2), 1.0, 1.0)):
        yield ("small rows", f"{shape[0]} x {shape[1]}", "welford_statistics",
               statistics(draw.normal(shape, spread, offset)))
    for shape, spread, offset in (((3, 5), [1.0, 0.1, 3.0], 1000.0), ((2, 13), [0.5, 2.0], -1000.0),
                                  ((1, 64), 1.0, 300.0)):
        yield ("far from zero", f"{shape[0]} x {shape[1]}, offset {offset:g} spreads",
               "welford_statistics", statistics(draw.normal(shape, spread, offset)))
    # A mean that is not set back to 0 shows where a row is small beside the one before.
    yield ("far from zero", "2 x 4, 1e8 times the row 1 7 7 9, then that row", "welford_statistics",
           statistics(draw.values([value * 1e8 for value in paper], paper)))

    yield ("two parts", "3 and 1 of the row 1 7 7 9", "merge_statistics",
           {"rows": 1, "features_a": 3, "features_b": 1, "mean_a": draw.values(5),
            "variance_a": draw.values(8), "mean_b": draw.values(9), "variance_b": draw.values(0)})
    for a, b, rows, apart, offset in ((2, 5, 3, 1.0, 0.0), (7, 3, 2, -3.0, 1.0), (4, 4, 3, 2.0, 0.0),
                                      (1, 30, 2, 10.0, -5.0), (6, 11, 3, 0.5, 1000.0)):
        yield ("two parts", f"{rows} rows of {a} and {b} numbers", "merge_statistics",
               parts(draw, a, b, rows, apart, offset))
    for a, b, rows, apart in ((50000, 50000, 2, 1.0), (70000, 65536, 3, -2.0), (1, 100000, 2, 20.0)):
        yield ("large parts", f"{rows} rows of {a} and {b} numbers", "merge_statistics",
               parts(draw, a, b, rows, apart))

    threes, zeros = draw.values(3, 3, 3, 3), draw.values(0, 0, 0, 0)
    yield ("ordinary rows", "1 x 4, the row 1 7 7 9", "layer_norm_wide",
           wide(draw, draw.values(paper), 0, threes, zeros))
    for spread, eps in (([0.3, 2.0, 0.05], 1e-3), ([1.5, 0.02, 6.0], 1e-5), ([3.0, 0.7, 0.1], 0.0)):
        yield ("ordinary rows", f"3 x 5, eps {eps:g}", "layer_norm_wide",
               wide(draw, draw.normal((3, 5), spread, [0.5, -1.0, 2.0]), eps))

    yield ("huge rows", "1 x 4, the row 1e20 7e20 7e20 9e20", "layer_norm_wide",
           wide(draw, draw.values([value * 1e20 for value in paper]), 0, threes, zeros))
    for spread, offset, eps in (([1e20, 3e25, 1e30], 0.5, 1e-5), ([2e37, 1e21, 1e33], -2.0, 0.0),
                                ([3e22, 1.0, 1e36], 0.0, 1e-3)):
        yield ("huge rows", f"3 x 5, eps {eps:g}", "layer_norm_wide",
               wide(draw, draw.normal((3, 5), spread, offset), eps))
    yield ("huge rows", "2 x 3, up to 1e38", "layer_norm_wide",
           wide(draw, draw.values([1e38, -1e38, 0.5e38], [-1e38, 1e38, 1e38])))

    for spread, offset, eps in (([1e-30, 3e-25, 1e-27], 0.5, 0.0), ([2e-29, 1.0, 1e-26], 3.0, 0.0)):
        yield ("tiny rows", f"3 x 5, eps {eps:g}", "layer_norm_wide",
               wide(draw, draw.normal((3, 5), spread, offset), eps))
    # Without beta what is left of a small row beside a large eps can be seen, and is no 0.
    yield ("tiny rows", "2 x 4, beside eps 1e-5", "layer_norm_wide",
           wide(draw, draw.normal((2, 4), [1e-25, 1e-9]), 1e-5, None, zeros))
    yield ("tiny rows", "2 x 4, eps as large as the variance", "layer_norm_wide",
           wide(draw, draw.normal((2, 4), [1e-15, 3e-15]), 1e-30))
    yield ("tiny rows", "3 x 4, from 1e-30 to 1e37", "layer_norm_wide",
           wide(draw, draw.normal((3, 4), [1e-30, 1e37, 1e-3], 0.3)))

    for eps in (0.0, 1e-5):
        x = draw.normal((4, 7), [0.0, 0.5, 0.0, 0.0]) + draw.values([0.1], [0.0], [-7e37], [0.0])
        x = x.float().double()
        yield "equal numbers", f"4 x 7, eps {eps:g}", "layer_norm_wide", wide(draw, x, eps)
    yield "equal numbers", "3 x 1", "layer_norm_wide", wide(draw, draw.normal((3, 1), 2.0))
