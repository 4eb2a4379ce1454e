"""Lesson 05: the truth, from PyTorch in float64, and the cases of vectors.json.

No column is like another, and the running statistics are near the data's but not equal to them, so
that it shows which of the two a function used. momentum is never 0.5, where both ways round agree.
"""

import torch
import torch.nn.functional as F


def batch_norm_train(args):
    x, momentum = args["x"], args["momentum"]
    mean, var = args["running_mean"].clone(), args["running_var"].clone()
    if args["batch"] > 1:
        y = F.batch_norm(x, mean, var, args["gamma"], args["beta"], training=True,
                         momentum=momentum, eps=args["eps"])
    else:
        # PyTorch refuses a batch of one. The lesson's rule: x - mean is 0, so y is beta;
        # running_mean moves, running_var has nothing to move towards.
        hat = (x - x.mean(0)) / torch.sqrt(x.var(0, unbiased=False) + args["eps"])
        y = args["gamma"] * hat + args["beta"]
        mean = (1 - momentum) * mean + momentum * x.mean(0)
    return {"y": y, "running_mean": mean, "running_var": var}


def batch_norm_eval(args):
    y = F.batch_norm(args["x"], args["running_mean"], args["running_var"], args["gamma"],
                     args["beta"], training=False, eps=args["eps"])
    return {"y": y}


def forward(x, gamma, beta, eps):
    """batch_norm_train's y, also for a batch of one, with what autograd needs."""
    if x.shape[0] > 1:
        return F.batch_norm(x, None, None, gamma, beta, training=True, eps=eps)
    centered = x - x.mean(0)
    return gamma * centered / torch.sqrt((centered ** 2).mean(0) + eps) + beta


def batch_norm_backward(args):
    x = args["x"].clone().requires_grad_()
    gamma = args["gamma"].clone().requires_grad_()
    beta = torch.zeros_like(gamma).requires_grad_()
    (forward(x, gamma, beta, args["eps"]) * args["dy"]).sum().backward()
    check_numerically(args, x.grad)
    return {"dx": x.grad, "dgamma": gamma.grad, "dbeta": beta.grad}


def check_numerically(args, dx):
    """Each dx again as a slope between two neighbouring points."""
    x, gamma = args["x"], args["gamma"]
    step = 1e-4 * torch.sqrt(x.var(0, unbiased=False) + args["eps"])
    slopes = torch.zeros_like(dx)
    for r in range(x.shape[0]):
        for j in range(x.shape[1]):
            ends = []
            for sign in (1, -1):
                moved = x.clone()
                moved[r, j] += sign * step[j]
                y = forward(moved, gamma, torch.zeros_like(gamma), args["eps"])
                ends.append((y * args["dy"]).sum())
            slopes[r, j] = (ends[0] - ends[1]) / (2 * step[j])
    scale = (gamma.abs() * args["dy"].abs().max(0).values * 1e-4 / step).expand_as(dx)
    assert ((slopes - dx).abs() <= 1e-6 * scale).all(), "autograd and the slopes disagree"


FUNCTIONS = {"batch_norm_train": batch_norm_train, "batch_norm_eval": batch_norm_eval,
             "batch_norm_backward": batch_norm_backward}


def columns(draw, batch, spreads, offsets):
    return draw.normal((len(spreads), batch), spreads, offsets).T.contiguous()


def parameters(draw, x, eps):
    batch, features = x.shape
    return {"batch": batch, "features": features, "eps": draw.f32(eps), "x": x,
            "gamma": draw.away_from_one(features), "beta": draw.uniform(features, -2, 2)}


def train_case(draw, x, eps, momentum, spreads, offsets):
    args = parameters(draw, x, eps)
    args["momentum"] = draw.f32(momentum)
    return {**args, **running(draw, spreads, offsets)}


def running(draw, spreads, offsets):
    """What earlier batches of such columns may have left."""
    near = draw.uniform(len(spreads))
    spread, offset = torch.tensor(spreads), torch.tensor(offsets)
    wide = draw.uniform(len(spreads), 0.4, 2.5)
    return {"running_mean": ((offset + near) * spread).float().double(),
            "running_var": (spread ** 2 * wide).float().double()}


def backward_case(draw, x, eps):
    args = parameters(draw, x, eps)
    del args["beta"]
    return {**args, "dy": draw.normal(tuple(x.shape))}


def cases(draw):
    # The lesson's batch first: a learner can follow it on paper.
    paper = draw.values([1, 10], [2, 50], [6, 30])
    yield "train", "3 x 2, the worked example", "batch_norm_train", {
        "batch": 3, "features": 2, "momentum": draw.f32(0.1), "eps": draw.f32(1e-5), "x": paper,
        "gamma": draw.values(1, 1), "beta": draw.values(0, 0),
        "running_mean": draw.values(0, 0), "running_var": draw.values(1, 1)}
    yield "train", "3 x 2, on paper", "batch_norm_train", {
        "batch": 3, "features": 2, "momentum": draw.f32(0.1), "eps": draw.f32(1e-5), "x": paper,
        "gamma": draw.values(2, 0.5), "beta": draw.values(0.5, -1),
        "running_mean": draw.values(0, 0.25), "running_var": draw.values(1, 2)}
    # Spreads on either side of 1, so that a root too many or too few shows.
    several = [(4, [0.3, 2.0, 0.05], [0.5, -1.0, 2.0], 1e-3, 0.3),
               (5, [1.5, 0.02, 6.0, 0.4], [0.2, 1.0, -0.6, 0.0], 1e-5, 0.1),
               (7, [20.0, 0.7], [-1.0, 0.3], 1e-4, 0.9)]
    for batch, spreads, offsets, eps, momentum in several:
        x = columns(draw, batch, spreads, offsets)
        yield ("train", f"{batch} x {len(spreads)}, momentum {momentum}", "batch_norm_train",
               train_case(draw, x, eps, momentum, spreads, offsets))

    # Here eps is as large as the variance: where it stands shows.
    for batch, spreads, eps in ((7, [0.01, 0.02], 1e-4), (3, [0.003, 0.001, 0.006], 1e-5),
                                (5, [0.05, 0.0, 0.03, 0.08], 1e-3)):
        offsets = [1.5, -0.5, 0.4, 1.0][:len(spreads)]
        x = columns(draw, batch, spreads, offsets)
        x += torch.tensor([2.5 if spread == 0 else 0.0 for spread in spreads])  # a constant column
        yield ("small variance", f"{batch} x {len(spreads)}, spreads {spreads}", "batch_norm_train",
               train_case(draw, x, eps, 0.1, spreads, offsets))

    for batch, spreads, offset in ((5, [1.0, 0.2, 3.0], 30.0), (7, [0.1, 0.4], -300.0),
                                   (4, [2.0, 5.0, 0.8], 1000.0), (5, [0.05, 0.03], -1000.0)):
        offsets = [offset, -0.7 * offset, 0.4 * offset][:len(spreads)]
        x = columns(draw, batch, spreads, offsets)
        yield ("far from zero", f"{batch} x {len(spreads)}, offset {offset:g} spreads",
               "batch_norm_train", train_case(draw, x, 1e-5, 0.1, spreads, offsets))

    for spreads, offsets, momentum in (([1.0], [2.0], 0.1), ([0.3, 2.0, 10.0], [0.5, -1.0, 0.2], 0.3),
                                       ([0.02, 0.7, 4.0, 50.0], [0.0, 1.0, -0.5, 0.1], 0.01)):
        x = columns(draw, 1, spreads, offsets)
        yield ("batch of one", f"1 x {len(spreads)}, momentum {momentum}", "batch_norm_train",
               train_case(draw, x, 1e-3, momentum, spreads, offsets))

    yield "eval", "3 x 2, on paper", "batch_norm_eval", {
        "batch": 3, "features": 2, "eps": draw.f32(1e-5), "x": paper,
        "gamma": draw.values(2, 0.5), "beta": draw.values(0.5, -1),
        "running_mean": draw.values(2, 25), "running_var": draw.values(4, 400)}
    for batch, spreads, offsets, eps, _ in several + [(1, [0.3, 3.0], [1.0, -0.4], 1e-3, 0),
                                                      (3, [0.01, 0.004], [0.5, 30.0], 1e-4, 0)]:
        x = columns(draw, batch, spreads, offsets)
        yield ("eval", f"{batch} x {len(spreads)}", "batch_norm_eval",
               {**parameters(draw, x, eps), **running(draw, spreads, offsets)})

    yield "backward", "3 x 2, on paper", "batch_norm_backward", {
        "batch": 3, "features": 2, "eps": draw.f32(1e-5), "x": paper,
        "gamma": draw.values(2, 0.5), "dy": draw.values([1, 0], [0, 1], [0, 0])}
    for batch, spreads, offsets, eps, _ in several + [(5, [0.01, 0.03, 0.004], [1.0, -3.0, 0.0],
                                                       1e-4, 0)]:
        x = columns(draw, batch, spreads, offsets)
        yield ("backward", f"{batch} x {len(spreads)}", "batch_norm_backward",
               backward_case(draw, x, eps))
    for batch, spreads, offset in ((5, [0.5, 2.0], 100.0), (4, [2.0, 0.3, 5.0], 1000.0),
                                   (6, [0.05, 1.0], -1000.0)):
        x = columns(draw, batch, spreads, [offset, -0.7 * offset, 0.4 * offset][:len(spreads)])
        yield ("backward", f"{batch} x {len(spreads)}, offset {offset:g} spreads",
               "batch_norm_backward", backward_case(draw, x, 1e-5))
    for features in (1, 3):
        x = columns(draw, 1, [0.5, 1.0, 3.0][:features], [1.0, 0.0, -2.0][:features])
        yield ("backward, batch of one", f"1 x {features}", "batch_norm_backward",
               backward_case(draw, x, 1e-3))
