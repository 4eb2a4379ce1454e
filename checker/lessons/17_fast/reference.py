"""Lesson 17: the truth, from PyTorch in float64, and the cases of vectors.json.

The forward pass is F.layer_norm, and the backward pass is what autograd makes of it, run with the row's own
mean and with the eps that belongs to the rstd that is given. Where the mean is not the row's own, it is PyTorch's
kernel, which like the learner's is given mean and rstd. Rows are long enough to be cut into blocks of 32 with
something left over."""

import torch
import torch.nn.functional as F


def row_sum_fast(args):
    return {"return": args["x"].sum()}


def row_statistics_fast(args):
    variance, mean = torch.var_mean(args["x"], 1, unbiased=False)
    return {"mean": mean, "variance": variance}


def layer_norm_fast(args):
    return {"y": F.layer_norm(args["x"], (args["features"],), args["gamma"], args["beta"], args["eps"])}


def layer_norm_backward_fast(args):
    beta = torch.zeros_like(args["gamma"])
    saved = [args[name].reshape(-1, 1) for name in ("mean", "rstd")]
    kernel = torch.ops.aten.native_layer_norm_backward(
        args["dy"], args["x"], [args["features"]], *saved, args["gamma"], beta, [True] * 3)
    variance, mean = torch.var_mean(args["x"], 1, unbiased=False)
    off = ((args["mean"] - mean) * args["rstd"]).abs().max().item()
    if off < 1e-2:  # what a mean that is a float is off by, 10,000 spreads from zero
        hold_against_autograd(args, variance, off, kernel)
    return dict(zip(("dx", "dgamma", "dbeta"), kernel))


def hold_against_autograd(args, variance, off, kernel):
    x, gamma = (args[name].clone().requires_grad_() for name in ("x", "gamma"))
    beta = torch.zeros_like(gamma).requires_grad_()
    for row, dy, eps in zip(x, args["dy"], (args["rstd"] ** -2 - variance).tolist()):
        F.layer_norm(row, (args["features"],), gamma, beta, eps).backward(dy)
    for name, ours, theirs in zip(("x", "gamma", "beta"), kernel, (x.grad, gamma.grad, beta.grad)):
        apart = (ours - theirs).abs().max().item()
        if apart > (1e-5 + 20 * off) * theirs.abs().max().item():
            raise AssertionError(f"{apart:g} apart from autograd's gradient of {name}")


FUNCTIONS = {"row_sum_fast": row_sum_fast, "row_statistics_fast": row_statistics_fast,
             "layer_norm_fast": layer_norm_fast, "layer_norm_backward_fast": layer_norm_backward_fast}

PAPER = [[1, 3, 3, 9], [1001, 1003, 1003, 1009]]


def rows_of(x):
    return {"rows": x.shape[0], "features": x.shape[1], "x": x}


def forward_case(draw, x, eps=1e-5):
    return {**rows_of(x), "eps": draw.f32(eps), "gamma": draw.away_from_one(x.shape[1]),
            "beta": draw.uniform(x.shape[1], -2, 2)}


def backward_case(draw, x, eps=1e-5, off=0.0):
    """mean and rstd as a forward pass with that eps leaves them, the mean moved by off spreads."""
    variance, mean = torch.var_mean(x, 1, unbiased=False)
    mean = mean + off * variance.sqrt()
    return {**rows_of(x), "dy": draw.normal(tuple(x.shape)), "gamma": draw.away_from_one(x.shape[1]),
            "mean": mean.float().double(), "rstd": ((variance + eps) ** -0.5).float().double()}


SIZES = ((3, 5), (2, 37), (13, 6), (2, 62))
FAR = ((30.0, 0.3, 2, 7), (-1000.0, 2.0, 3, 4), (10000.0, 1.0, 3, 5), (-10000.0, 4.0, 2, 19), (-3000.0, 0.05, 2, 37))


def cases(draw):
    yield "row_sum", "4 features, the worked example", "row_sum_fast", {"features": 4, "x": draw.values(*PAPER[0])}
    for features in (1, 5, 20, 37, 64, 95):
        yield "row_sum", f"{features} features", "row_sum_fast", {"features": features, "x": draw.normal(features, 1.0, 0.5)}

    yield "statistics", "2 x 4, the worked example", "row_statistics_fast", rows_of(draw.values(*PAPER))
    for rows, features in SIZES:
        spreads = [(0.3, 2.0, 7.0)[r % 3] for r in range(rows)]
        yield "statistics", f"{rows} x {features}", "row_statistics_fast", rows_of(draw.normal((rows, features), spreads, 1.5))
    for offset, spread, rows, features in FAR:
        yield ("statistics, far", f"{rows} x {features}, offset {offset:g} spreads", "row_statistics_fast",
               rows_of(draw.normal((rows, features), spread, offset)))
    for features, others in ((6, 1), (40, 16)):
        x = draw.normal((2, features))
        x[:, :others] += 4096  # float32 holds every sum of these
        yield ("statistics, beginnings", f"2 x {features}, the first {others} unlike the others", "row_statistics_fast",
               rows_of(x.float().double()))

    yield "forward", "2 x 4, the worked example", "layer_norm_fast", {
        **rows_of(draw.values(*PAPER)), "eps": 0.0, "gamma": draw.values(3, 6, 9, 3), "beta": draw.values(1, 0, 0, 2)}
    for rows, features in SIZES:
        spreads = [(0.3, 2.0, 7.0)[r % 3] for r in range(rows)]
        yield "forward", f"{rows} x {features}", "layer_norm_fast", forward_case(
            draw, draw.normal((rows, features), spreads, -1.0), 1e-3)
    for rows, features, spread, eps in ((3, 5, 0.01, 1e-4), (2, 37, 0.003, 1e-5)):
        yield ("small variance", f"{rows} x {features}, spread {spread:g}", "layer_norm_fast",
               forward_case(draw, draw.normal((rows, features), spread, 1.5), eps))
    yield ("small variance", "2 x 4, constant rows", "layer_norm_fast",
           forward_case(draw, draw.values([0.25] * 4, [-7] * 4), 1e-3))
    for offset, spread, rows, features in FAR:
        yield ("forward, far", f"{rows} x {features}, offset {offset:g} spreads", "layer_norm_fast",
               forward_case(draw, draw.normal((rows, features), spread, offset)))

    case = backward_case(draw, draw.values(*PAPER), 0.0)
    case.update(dy=draw.values([1, 0, 0, 1], [0, 1, -1, 0]), gamma=draw.values(3, 6, 9, 3))
    yield "backward", "2 x 4, the worked example", "layer_norm_backward_fast", case
    for rows, features in SIZES + ((4, 1),):
        spreads = [(0.3, 2.0, 7.0)[r % 3] for r in range(rows)]
        yield "backward", f"{rows} x {features}", "layer_norm_backward_fast", backward_case(
            draw, draw.normal((rows, features), spreads, 0.5))
    for rows, features in ((3, 5), (2, 37)):
        yield ("given mean", f"{rows} x {features}, mean 0.7 spreads off", "layer_norm_backward_fast",
               backward_case(draw, draw.normal((rows, features), 2.0, 1.0), off=0.7))
    for rows, features, eps in ((3, 5, 0.5), (2, 37, 2.0)):
        yield ("given rstd", f"{rows} x {features}, rstd made with eps {eps:g}", "layer_norm_backward_fast",
               backward_case(draw, draw.normal((rows, features), 1.5, -0.5), eps))
    for offset, spread, rows, features in FAR:
        yield ("backward, far", f"{rows} x {features}, offset {offset:g} spreads", "layer_norm_backward_fast",
               backward_case(draw, draw.normal((rows, features), spread, offset)))
