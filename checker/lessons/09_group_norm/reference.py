"""Lesson 09: the truth, from PyTorch in float64, and the cases of vectors.json.

Where there is one group, PyTorch's layer norm gives the same, and where every channel is a group, its
instance norm: the vectors of these two come from them, not from its group norm.
"""

import torch
import torch.nn.functional as F

from vectors import central_differences


def statistics(x, groups, eps):
    """mean and rstd, batch x groups."""
    variance, mean = torch.var_mean(x.reshape(x.shape[0], groups, -1), dim=-1, unbiased=False)
    return mean, 1 / torch.sqrt(variance + eps)


def normalized(x, gamma, beta, groups, eps):
    channels = x.shape[1]
    if groups == 1:
        hat = F.layer_norm(x, x.shape[1:], eps=eps)
        y = gamma[:, None] * hat + beta[:, None]
    elif groups == channels and x.shape[2] > 1:  # it refuses a single pixel
        y = F.instance_norm(x, weight=gamma, bias=beta, eps=eps)
    else:
        y = F.group_norm(x, groups, gamma, beta, eps)
    assert torch.allclose(y, F.group_norm(x, groups, gamma, beta, eps), rtol=1e-10, atol=1e-12)
    return y


def group_norm(args):
    mean, rstd = statistics(args["x"], args["groups"], args["eps"])
    y = normalized(args["x"], args["gamma"], args["beta"], args["groups"], args["eps"])
    return {"y": y, "mean": mean, "rstd": rstd}


def by_the_formula(args):
    """For any mean and rstd: xhat with these, and the dx of the page."""
    def of_channels(saved):
        return saved.repeat_interleave(args["channels"] // args["groups"], dim=1)[:, :, None]

    def mean_over_group(values):
        return of_channels(values.reshape(args["batch"], args["groups"], -1).mean(dim=-1))

    rstd = of_channels(args["rstd"])
    xhat = (args["x"] - of_channels(args["mean"])) * rstd
    g = args["gamma"][:, None] * args["dy"]
    return {"dx": rstd * (g - mean_over_group(g) - xhat * mean_over_group(g * xhat)),
            "dgamma": (args["dy"] * xhat).sum(dim=(0, 2)), "dbeta": args["dy"].sum(dim=(0, 2))}


def group_norm_backward(args):
    assert_the_formula_is_autograds(args)
    return by_the_formula(args)


def assert_the_formula_is_autograds(args):
    """And the slopes that need no derivation, where mean and rstd are the image's own."""
    groups, eps = args["groups"], 1e-4
    mean, rstd = statistics(args["x"], groups, eps)
    answers = by_the_formula({**args, "mean": mean, "rstd": rstd})
    x, gamma = args["x"].clone().requires_grad_(), args["gamma"].clone().requires_grad_()
    beta = torch.zeros_like(gamma).requires_grad_()

    def loss():
        return (normalized(x, gamma, beta, groups, eps) * args["dy"]).sum()

    loss().backward()
    for name, tensor in (("dx", x), ("dgamma", gamma), ("dbeta", beta)):
        numeric = central_differences(lambda: loss().item(), tensor.data, 1e-4 / rstd.max().item())
        largest = max(tensor.grad.abs().max(), 1)
        assert (answers[name] - tensor.grad).abs().max() <= 1e-9 * largest, name
        assert (numeric - tensor.grad).abs().max() <= 1e-6 * largest, name


FUNCTIONS = {"group_norm": group_norm, "group_norm_backward": group_norm_backward}


def images(draw, batch, channels, pixels, groups, spreads, offsets):
    """Every group of a spread and an offset of its own; every channel a little off its group."""
    of_group = channels // groups
    spread = [spreads[k % len(spreads)] for k in range(batch * groups)]
    offset = [offsets[k % len(offsets)] for k in range(batch * groups)]
    x = draw.normal((batch * groups, of_group * pixels), spread, offset)
    aside = draw.uniform((batch * groups, of_group, 1), -0.8, 0.8)
    x = x.reshape(batch * groups, of_group, pixels) + aside * torch.tensor(spread)[:, None, None]
    return x.reshape(batch, channels, pixels).float().double()


def forward_case(draw, sizes, spreads, offsets, eps):
    batch, channels, pixels, groups = sizes
    return {"batch": batch, "channels": channels, "pixels": pixels, "groups": groups,
            "eps": draw.f32(eps), "x": images(draw, *sizes, spreads, offsets),
            "gamma": draw.away_from_one(channels), "beta": draw.uniform(channels, -2, 2)}


def backward_case(draw, sizes, spreads, offsets, eps=1e-5, mean_off=0.0, rstd_times=1.0):
    args = forward_case(draw, sizes, spreads, offsets, eps)
    mean, rstd = statistics(args["x"], args["groups"], args["eps"])
    del args["beta"], args["eps"]
    return {**args, "dy": draw.normal((sizes[0], sizes[1], sizes[2])),
            "mean": (mean + mean_off / rstd).float().double(),
            "rstd": (rstd * rstd_times).float().double()}


# batch, channels, pixels, groups. Spreads on either side of 1; eps as large as some variances.
SEVERAL = [((2, 6, 3, 2), [0.3, 2.0, 10.0], [0.5, -1.0, 2.0], 1e-3),
           ((3, 6, 2, 3), [1.5, 0.02, 6.0, 0.4], [0.2, 1.0, -0.6], 1e-3),
           ((1, 4, 5, 2), [20.0, 0.7], [-1.0, 0.3], 1e-5),
           ((2, 9, 1, 3), [3.0, 0.1, 0.5], [0.0, 1.0], 1e-5),
           ((2, 4, 3, 2), [0.01, 0.003, 0.02], [1.5, -0.5], 1e-4)]
ONE_GROUP = [((2, 3, 4, 1), [2.0, 0.3], [1.0, -0.5], 1e-5), ((1, 5, 2, 1), [0.05], [2.0], 1e-3),
             ((3, 2, 7, 1), [5.0, 0.5, 1.0], [0.0, 1.0], 1e-5)]
ALL_GROUPS = [((2, 3, 5, 3), [2.0, 0.3, 7.0], [1.0, -0.5], 1e-5), ((1, 4, 3, 4), [0.05, 3.0], [2.0], 1e-3),
              ((3, 2, 1, 2), [5.0, 0.5, 1.0], [0.0, 1.0], 1e-3)]
FAR = [((2, 4, 3, 2), [1.0, 0.1, 3.0], [1000.0, -700.0]), ((1, 6, 5, 2), [0.5, 2.0], [-1000.0]),
       ((2, 2, 8, 1), [1.0, 4.0], [300.0, 1000.0])]


def label(sizes):
    batch, channels, pixels, groups = sizes
    return f"{batch} x {channels} x {pixels}, {groups} group{'s' * (groups > 1)}"


def cases(draw):
    # The lesson's image first: a learner can follow it on paper.
    paper = draw.values([1, 7], [9, 7], [10, 16], [18, 24]).reshape(1, 4, 2)
    gamma = draw.values(3, 6, 5, 10)
    sizes = {"batch": 1, "channels": 4, "pixels": 2, "groups": 2}
    yield "forward", "the image of the page", "group_norm", {
        **sizes, "eps": 0.0, "x": paper, "gamma": gamma, "beta": draw.values(0, 1, 0, 2)}
    for sizes_, spreads, offsets, eps in SEVERAL:
        yield "forward", label(sizes_), "group_norm", forward_case(draw, sizes_, spreads, offsets, eps)
    for group, shapes in (("layer norm", ONE_GROUP), ("instance norm", ALL_GROUPS)):
        for sizes_, spreads, offsets, eps in shapes:
            yield group, label(sizes_), "group_norm", forward_case(draw, sizes_, spreads, offsets, eps)
    for sizes_, spreads, offsets in FAR:
        yield ("far from zero", f"{label(sizes_)}, {max(map(abs, offsets)):g} spreads from zero",
               "group_norm", forward_case(draw, sizes_, spreads, offsets, 1e-5))

    yield "backward", "the image of the page", "group_norm_backward", {
        **sizes, "dy": draw.values([1, 0], [0, 1], [1, 1], [0, -1]).reshape(1, 4, 2), "x": paper,
        "gamma": gamma, "mean": draw.values([6, 17]), "rstd": draw.values([1 / 3, 1 / 5])}
    for sizes_, spreads, offsets, eps in SEVERAL:
        yield ("backward", label(sizes_), "group_norm_backward",
               backward_case(draw, sizes_, spreads, offsets, eps))
    for group, shapes in (("layer norm", ONE_GROUP), ("instance norm", ALL_GROUPS)):
        for sizes_, spreads, offsets, eps in shapes:
            yield (f"backward, {group}", label(sizes_), "group_norm_backward",
                   backward_case(draw, sizes_, spreads, offsets, eps))
    yield ("given mean", "0.7 spreads off", "group_norm_backward",
           backward_case(draw, (2, 4, 3, 2), [1.0, 3.0, 0.4], [0.5, -1.0], mean_off=0.7))
    yield ("given rstd", "made with another eps", "group_norm_backward",
           backward_case(draw, (2, 6, 2, 3), [1.0, 3.0, 0.4], [0.5, -1.0], rstd_times=0.6))
    for sizes_, spreads, offsets in FAR:
        yield ("backward, far from zero", f"{label(sizes_)}, {max(map(abs, offsets)):g} spreads from zero",
               "group_norm_backward", backward_case(draw, sizes_, spreads, offsets))
