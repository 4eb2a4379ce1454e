"""Lesson 02: the truth, from PyTorch in float64, and the cases of vectors.json.

The backward pass is PyTorch's own layer norm backward, which like the learner's is given mean and
rstd. Each time the vectors are made it is held against autograd and against central differences of
F.layer_norm. dy is random (a dy of ones gives a dx of zero), gamma and beta are all different."""

import torch

from vectors import central_differences
import torch.nn.functional as F


def layer_norm_forward(args):
    y, mean, rstd = torch.native_layer_norm(args["x"], (args["features"],), args["gamma"],
                                            args["beta"], args["eps"])
    return {"y": y, "mean": mean, "rstd": rstd}


def layer_norm_backward(args):
    beta = torch.zeros_like(args["gamma"])
    saved = [args[name].reshape(-1, 1) for name in ("mean", "rstd")]
    dx, dgamma, dbeta = torch.ops.aten.native_layer_norm_backward(
        args["dy"], args["x"], [args["features"]], *saved, args["gamma"], beta, [True] * 3)
    own, off = own_statistics(args)
    if off < 1e-3:  # else the mean is not the row's, and no forward pass has this gradient
        hold_against_forward(args, own, off, {"x": dx, "gamma": dgamma, "beta": dbeta})
    return {"dx": dx, "dgamma": dgamma, "dbeta": dbeta}


def own_statistics(args):
    """Each row's variance, and how far the given means are off, in spreads."""
    variance, mean = torch.var_mean(args["x"], 1, unbiased=False)
    return variance, ((args["mean"] - mean) * args["rstd"]).abs().max().item()


def hold_against_forward(args, variance, off, gradients):
    """The rstd that is given belongs to some eps: each row's forward pass is run with that one."""
    inputs = {"x": args["x"].clone(), "gamma": args["gamma"].clone(),
              "beta": torch.zeros_like(args["gamma"])}
    eps = (args["rstd"] ** -2 - variance).tolist()

    def loss():
        y = [F.layer_norm(row, (args["features"],), inputs["gamma"], inputs["beta"], row_eps)
             for row, row_eps in zip(inputs["x"], eps)]
        return (args["dy"] * torch.stack(y)).sum()

    steps = {"x": 1e-4 / args["rstd"].max().item(), "gamma": 1e-4, "beta": 1e-4}
    numeric = {name: central_differences(loss, inputs[name], steps[name]) for name in inputs}
    for tensor in inputs.values():
        tensor.requires_grad_()
    loss().backward()
    for name, gradient in gradients.items():
        assert close(inputs[name].grad, numeric[name], 1e-6), f"d{name} is not numeric"
        assert close(gradient, inputs[name].grad, 1e-9 + 4 * off), f"d{name} is not autograd's"


def close(a, b, allowed):
    return (a - b).abs().max() <= allowed * max(b.abs().max(), 1)


FUNCTIONS = {"layer_norm_forward": layer_norm_forward, "layer_norm_backward": layer_norm_backward}


def forward_case(draw, x, eps):
    rows, features = x.shape
    return {"rows": rows, "features": features, "eps": draw.f32(eps), "x": x,
            "gamma": draw.away_from_one(features), "beta": draw.uniform(features, -2, 2)}


def backward_case(draw, x, eps=1e-5, off=0.0):
    """mean and rstd as a forward pass with that eps leaves them, the mean moved by off spreads."""
    rows, features = x.shape
    variance, mean = torch.var_mean(x, 1, unbiased=False)
    mean = mean + off * variance.sqrt()
    return {"rows": rows, "features": features, "x": x, "dy": draw.normal((rows, features)),
            "gamma": draw.away_from_one(features), "mean": mean.float().double(),
            "rstd": ((variance + eps) ** -0.5).float().double()}


def paper_case(draw):
    """The worked example: one row, and an eps too small to show."""
    case = backward_case(draw, draw.values([1, 2, 6]), 0.0)
    case.update(dy=draw.values([1, 2, -2]), gamma=draw.values(3, 2, 0.5))
    return case


FAR = ((30.0, 1.0, 3, 5), (-300.0, 0.1, 2, 7), (1000.0, 2.0, 3, 4), (-1000.0, 0.05, 2, 5))


def cases(draw):
    yield "forward", "1 x 3, the worked example", "layer_norm_forward", {
        "rows": 1, "features": 3, "eps": 0.0, "x": draw.values([1, 2, 6]),
        "gamma": draw.values(3, 2, 0.5), "beta": draw.values(0, 0, 0)}
    # Spreads on either side of 1, so that a root or an rstd too many or too few shows; eps as large
    # as a variance, so that its place and its value show; and rows with no variance at all.
    mixed = draw.normal((3, 5), [0.3, 2.0, 0.05], [0.5, -1.0, 2.0])
    constant = draw.normal((3, 4), [0.0, 0.02, 0.0]) + draw.values([2.5], [0.0], [-7.0])
    for label, x, eps in (("3 x 5", mixed, 1e-3),
                          ("4 x 3, small variance", draw.normal((4, 3), 0.01, 1.5), 1e-4),
                          ("2 x 7, small variance", draw.normal((2, 7), 0.003, 2.0), 1e-5),
                          ("3 x 4, constant rows", constant, 1e-4),
                          ("2 x 3, spread 100", draw.normal((2, 3), 100.0, 0.5), 1e-5)):
        yield "forward", label, "layer_norm_forward", forward_case(draw, x, eps)
    for offset, spread, rows, features in FAR:
        x = draw.normal((rows, features), spread, offset)
        yield ("forward, far from zero", f"{rows} x {features}, offset {offset:g} spreads",
               "layer_norm_forward", forward_case(draw, x, 1e-5))

    yield "backward", "1 x 3, the worked example", "layer_norm_backward", paper_case(draw)
    spreads = {3: [0.3, 2.0, 5.0], 4: [0.02, 1.5, 40.0, 0.4], 2: [0.1, 3.0]}
    for rows, features, offset in ((3, 5, 0.5), (4, 7, -1.0), (2, 3, 2.0), (3, 1, 1.0)):
        x = draw.normal((rows, features), spreads[rows], offset)
        yield "backward", f"{rows} x {features}", "layer_norm_backward", backward_case(draw, x)
    for rows, features in ((3, 5), (4, 3), (2, 7)):
        x = draw.normal((rows, features), spreads[rows], 1.0)
        yield ("given mean", f"{rows} x {features}, mean 0.7 spreads off", "layer_norm_backward",
               backward_case(draw, x, off=0.7))
    for rows, features, eps in ((3, 5, 0.5), (4, 3, 0.01), (2, 7, 2.0)):
        x = draw.normal((rows, features), spreads[rows], -0.5)
        yield ("given rstd", f"{rows} x {features}, rstd made with eps {eps:g}",
               "layer_norm_backward", backward_case(draw, x, eps))
    for offset, spread, rows, features in FAR:
        x = draw.normal((rows, features), spread, offset)
        yield ("backward, far from zero", f"{rows} x {features}, offset {offset:g} spreads",
               "layer_norm_backward", backward_case(draw, x))
