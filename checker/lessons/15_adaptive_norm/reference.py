"""Lesson 15: the truth, from PyTorch in float64, and the cases of vectors.json.

The gradients are autograd's; ada_norm's factor is held constant with detach(). Each time the vectors
are made they are held against central differences, those of ada_norm with the factors frozen, and
against the formulas of the page."""

import torch
import torch.nn.functional as F

from vectors import central_differences


def statistics(x, eps):
    variance, m = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
    return m, torch.sqrt(variance + eps)


def hat(x, eps):
    return F.layer_norm(x, x.shape[-1:], eps=eps)


def factor(x, args):
    return args["scale"] * (1 - args["k"] * hat(x, args["eps"]))


def ada_norm(args):
    return {"y": factor(args["x"], args) * hat(args["x"], args["eps"])}


def ada_norm_backward(args):
    x = args["x"].clone().requires_grad_()
    (args["dy"] * factor(x, args).detach() * hat(x, args["eps"])).sum().backward()
    frozen, moved = factor(args["x"], args), args["x"].clone()
    numeric = central_differences(lambda: (args["dy"] * frozen * hat(moved, args["eps"])).sum().item(),
                                  moved, step(args))
    hold(x.grad, numeric, 1e-6)
    hold(x.grad, through_norm(frozen * args["dy"], args), 1e-9)
    return {"dx": x.grad}


def adaptive(x, parameters, eps):
    g, b, u, v, p, q = parameters
    m, s = statistics(x, eps)
    return (g + u * m + v * s) * ((x - m) / s) + b + p * m + q * s


def adaptive_norm(args):
    return {"y": adaptive(args["x"], args["parameters"], args["eps"])}


def adaptive_norm_backward(args):
    moved = {name: args[name].clone() for name in ("x", "parameters")}

    def loss():
        return (args["dy"] * adaptive(moved["x"], moved["parameters"], args["eps"])).sum()

    numeric = {name: central_differences(lambda: loss().item(), moved[name],
                                         step(args) if name == "x" else 1e-4) for name in moved}
    for tensor in moved.values():
        tensor.requires_grad_()
    loss().backward()
    for name, tensor in moved.items():
        hold(tensor.grad, numeric[name], 1e-6)
    hold(moved["x"].grad, by_the_page(args), 1e-9)
    return {"dx": moved["x"].grad, "dparameters": moved["parameters"].grad}


def through_norm(d, args):
    xhat = hat(args["x"], args["eps"])
    mean, projection = d.mean(-1, keepdim=True), (d * xhat).mean(-1, keepdim=True)
    return (d - mean - xhat * projection) / statistics(args["x"], args["eps"])[1]


def by_the_page(args):
    """dx of adaptive_norm: through xhat, through m, through s."""
    g, _, u, v, p, q = args["parameters"]
    m, s = statistics(args["x"], args["eps"])
    xhat, dy, n = (args["x"] - m) / s, args["dy"], args["features"]
    dm = (dy * (u * xhat + p)).sum(-1, keepdim=True)
    ds = (dy * (v * xhat + q)).sum(-1, keepdim=True)
    return through_norm(dy * (g + u * m + v * s), args) + dm / n + ds * xhat / n


def step(args):
    return 1e-4 * statistics(args["x"], args["eps"])[1].min().item()


def hold(gradient, other, allowed):
    assert (gradient - other).abs().max() <= allowed * max(gradient.abs().max(), 1)


FUNCTIONS = {"ada_norm": ada_norm, "ada_norm_backward": ada_norm_backward,
             "adaptive_norm": adaptive_norm, "adaptive_norm_backward": adaptive_norm_backward}

# Spreads on either side of 1, and eps as large as some variances, so that its place shows.
SEVERAL = [((3, 5), [0.3, 2.0, 10.0], [0.5, -1.0, 2.0], 1e-3),
           ((4, 3), [0.02, 1.5, 6.0, 0.4], [1.0, -0.6, 0.2, 2.0], 1e-3),
           ((2, 7), [20.0, 0.7], [-1.0, 0.3], 1e-5),
           ((1, 4), [3.0], [0.7], 0.0),
           ((2, 6), [0.01, 0.003], [1.5, -0.5], 1e-4)]
FAR = [((3, 5), [1.0, 0.1, 3.0], [1000.0, -700.0, 300.0]), ((2, 4), [0.5, 2.0], [-1000.0, 500.0])]


def case(draw, function, x, eps):
    args = {"rows": x.shape[0], "features": x.shape[1], "eps": draw.f32(eps), "x": x}
    if function.endswith("backward"):
        args["dy"] = draw.normal(tuple(x.shape))
    if function.startswith("ada_"):
        return {**args, "scale": draw.f32(1.7), "k": draw.f32(0.3)}
    return {**args, "parameters": draw.normal((6, x.shape[1]))}


def paper_case(draw, function):
    """The page's row: its mean is 4, its s is 5."""
    args = {"rows": 1, "features": 4, "eps": 0.0, "x": draw.values([-3, 3, 5, 11])}
    if function.startswith("ada_"):
        args.update(scale=2.0, k=0.5)
    else:
        args["parameters"] = draw.values([1, 2, 0.5, 4], [1, 2, -0.5, -2], [-1, 1.5, -0.5, -1.25],
                                         [1, -1, 0.5, 1], [1, -1, 0.5, -0.25], [-1, 1, -0.5, 1])
    if function.endswith("backward"):
        args["dy"] = draw.values([2, 1, -1, -2] if "scale" in args else [1, 2, -2, -1])
    return args


def identity(features):
    """v and p are 1, the others 0."""
    one = torch.tensor([0.0, 0, 0, 1, 1, 0], dtype=torch.float64)
    return one[:, None].expand(6, features).clone()


def cases(draw):
    for function, group in (("ada_norm", "ada"), ("ada_norm_backward", "ada, backward"),
                            ("adaptive_norm", "adaptive"),
                            ("adaptive_norm_backward", "adaptive, backward")):
        back = function.endswith("backward")
        yield group, "1 x 4, the worked example", function, paper_case(draw, function)
        for (rows, features), spreads, offsets, eps in SEVERAL:
            x = draw.normal((rows, features), spreads, offsets)
            yield group, f"{rows} x {features}", function, case(draw, function, x, eps)
        constant = draw.values([2.5, 2.5, 2.5], [0.5, -1, 2])
        yield group, "2 x 3, a row of equal numbers", function, case(draw, function, constant, 0.25)
        yield group, "3 x 1", function, case(draw, function, draw.normal((3, 1), 2.0), 0.25)

        for (rows, features), spreads, offsets, eps in SEVERAL[:3]:
            x = draw.normal((rows, features), spreads, offsets)
            args, label = case(draw, function, x, eps), f"{rows} x {features}"
            if group.startswith("ada,") or group == "ada":
                yield f"{group}, k 0", label, function, {**args, "k": 0.0}
                continue
            if not back:
                plain = args["parameters"].clone()
                plain[2:] = 0
                yield f"{group}, layer norm", label, function, {**args, "parameters": plain}
            yield (f"{group}, identity", label, function,
                   {**args, "parameters": identity(features), "eps": draw.f32(0.5)})
        for (rows, features), spreads, offsets in FAR:
            x = draw.normal((rows, features), spreads, offsets)
            yield (f"{group}, far from zero",
                   f"{rows} x {features}, up to {max(map(abs, offsets)):g} spreads from zero", function,
                   case(draw, function, x, 1e-5))
