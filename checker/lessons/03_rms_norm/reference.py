"""Lesson 03: the truth, from PyTorch in float64, and the cases of vectors.json.

Debian's PyTorch is older than its rms_norm, so the definition is written out here in PyTorch's own
operations, and the backward pass is autograd's. Central differences of the loss must agree with it.

Every group holds cases on which eps counts: rows as small as its root, or an eps that is not small.
The gammas and the rows are all different, except where a check says "gamma 1"."""

import torch


def normalize(x, gamma, eps):
    return gamma * x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps)


def rms_norm(args):
    return {"y": normalize(args["x"], args["gamma"], args["eps"])}


def rms_norm_backward(args):
    x, gamma = args["x"].requires_grad_(), args["gamma"].requires_grad_()
    loss = (args["dy"] * normalize(x, gamma, args["eps"])).sum()
    dx, dgamma = torch.autograd.grad(loss, (x, gamma))
    assert_central_difference(args, dx, dgamma)
    return {"dx": dx, "dgamma": dgamma}


def assert_central_difference(args, dx, dgamma):
    """Each number moved up and down by 1e-5 of its row's size must change the loss as dx says."""
    x, gamma, dy, eps = args["x"].detach(), args["gamma"].detach(), args["dy"], args["eps"]

    def loss(x, gamma):
        return (dy * normalize(x, gamma, eps)).sum()

    moved_x = [(x, dx, r, j) for r in range(x.shape[0]) for j in range(x.shape[1])]
    moved_gamma = [(gamma[None], dgamma[None], 0, j) for j in range(len(gamma))]
    room = 1e-12 * (dy * normalize(x, gamma, eps)).abs().sum().item()
    for array, gradient, r, j in moved_x + moved_gamma:
        step = 1e-5 * (array[r].square().mean() + eps).sqrt()
        up, down = array.clone(), array.clone()
        up[r, j] += step
        down[r, j] -= step
        change = loss(up, gamma) - loss(down, gamma) if array is x else loss(x, up) - loss(x, down)
        assert abs(change - 2 * step * gradient[r, j]) <= room, (r, j, change, gradient)


FUNCTIONS = {"rms_norm": rms_norm, "rms_norm_backward": rms_norm_backward}

# The spreads of three rows, and eps: beside large rows one for which eps counts.
MIXED = (((0.4, 2.0, 0.05), 1e-2), ((3.0, 0.02, 0.6), 1e-3), ((0.5, 30.0, 0.004), 1e-5))
# A spread, an eps as large as its square, rows, features: which eps it is, and where, shows.
TINY = ((0.01, 1e-4, 2, 7), (0.003, 1e-5, 3, 3), (0.001, 1e-6, 4, 5))


def forward(draw, x, eps, gamma=None):
    rows, features = x.shape
    gamma = draw.away_from_one(features) if gamma is None else gamma
    return {"rows": rows, "features": features, "eps": draw.f32(eps), "x": x, "gamma": gamma}


def backward(draw, x, eps, gamma=None, dy=None):
    dy = draw.normal(tuple(x.shape)) if dy is None else dy
    return {**forward(draw, x, eps, gamma), "dy": dy}


def cases(draw):
    # The lesson's row first: a learner can follow it on paper, 1 7 5 5 and its root mean square 5.
    paper = draw.values([1, 7, 5, 5])
    ones = draw.values(1, 1, 1, 1)
    gamma = draw.values(1, 0.5, 2, 1)
    yield "3 x 5", "1 x 4, the row 1 7 5 5", "rms_norm", forward(draw, paper, 0, gamma)
    for spreads, eps in MIXED:
        x = draw.normal((3, 5), list(spreads), [0.6, -1.0, 0.3])
        yield "3 x 5", f"3 x 5, eps {eps:g}", "rms_norm", forward(draw, x, eps)

    for offset, spread, rows, features, eps in (
            (3.0, 0.02, 4, 3, 1e-3), (-100.0, 0.01, 2, 7, 0.5), (1000.0, 1.0, 3, 5, 1e-5)):
        x = draw.normal((rows, features), spread, offset)
        yield ("far from zero", f"{rows} x {features}, offset {offset:g} spreads", "rms_norm",
               forward(draw, x, eps))

    for spread, eps, rows, features in TINY:
        x = draw.normal((rows, features), spread, 0.5)
        yield ("tiny rows", f"{rows} x {features}, eps {eps:g}", "rms_norm", forward(draw, x, eps))
    zeros = draw.normal((3, 4), [0.02, 0.0, 0.1], 0.3)
    yield "tiny rows", "3 x 4, a row of zeros", "rms_norm", forward(draw, zeros, 1e-3)

    dy = draw.values([10, 0, 3, -1], [3, 6, 0, -3])
    yield ("backward", "2 x 4, the rows 1 7 5 5 and 3 1 1 5", "rms_norm_backward",
           backward(draw, draw.values([1, 7, 5, 5], [3, 1, 1, 5]), 0, gamma, dy))
    for spreads, eps in MIXED:
        x = draw.normal((3, 5), list(spreads), [0.6, -1.0, 0.3])
        yield "backward", f"3 x 5, eps {eps:g}", "rms_norm_backward", backward(draw, x, eps)

    yield ("backward, one row", "1 x 4, the row 1 7 5 5", "rms_norm_backward",
           backward(draw, paper, 0, ones, dy[:1]))
    for spread, eps in ((0.5, 0.1), (0.01, 1e-4)):
        x = draw.normal((1, 4), spread, 0.7)
        yield ("backward, one row", f"1 x 4, eps {eps:g}", "rms_norm_backward",
               backward(draw, x, eps, ones))
        # What the two terms of dx leave of such a dy is eps's share alone.
        yield ("backward, one row", f"1 x 4, dy along x, eps {eps:g}", "rms_norm_backward",
               backward(draw, x, eps, ones, 2 * x))

    for spread, eps, rows, features in TINY:
        x = draw.normal((rows, features), spread, 0.5)
        yield ("backward, tiny rows", f"{rows} x {features}, eps {eps:g}", "rms_norm_backward",
               backward(draw, x, eps))
    zeros = draw.normal((3, 4), [0.02, 0.0, 0.1], 0.3)
    yield ("backward, tiny rows", "3 x 4, a row of zeros", "rms_norm_backward",
           backward(draw, zeros, 1e-3))
