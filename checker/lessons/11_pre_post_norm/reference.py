"""Lesson 11: the truth, from PyTorch in float64, and the cases of vectors.json.

Both backward passes are PyTorch's own layer norm backward, which is given mean and rstd, and a sum.
Each time the vectors are made they are held against autograd and against central differences of the
whole block: of norm(x + branch), and of x + F(norm(x)) for an F whose slope at its input is dinput."""

import torch

from vectors import central_differences


def post_norm(args):
    y, mean, rstd = torch.native_layer_norm(args["x"] + args["branch"], (args["features"],),
                                            args["gamma"], args["beta"], args["eps"])
    return {"y": y, "mean": mean, "rstd": rstd}


def norm_backward(slope, inside, args):
    """The slopes of what was normalized, of gamma and of beta."""
    saved = [args[name].reshape(-1, 1) for name in ("mean", "rstd")]
    return torch.ops.aten.native_layer_norm_backward(
        slope, inside, [args["features"]], *saved, args["gamma"], torch.zeros_like(args["gamma"]),
        [True] * 3)


def post_norm_backward(args):
    inside = args["x"] + args["branch"]
    ds, dgamma, dbeta = norm_backward(args["dy"], inside, args)

    def loss(v):
        return (args["dy"] * norm(v["x"] + v["branch"], v, args)).sum()

    hold(args, inside, ("x", "branch"), loss, {"x": ds, "branch": ds, "gamma": dgamma, "beta": dbeta})
    return {"dx": ds, "dbranch": ds, "dgamma": dgamma, "dbeta": dbeta}


def pre_norm_backward(args):
    through, dgamma, dbeta = norm_backward(args["dinput"], args["x"], args)
    # An F that is bent, and has the slope dinput / dy, number by number, at its input norm(x).
    start = norm(args["x"], {"gamma": args["gamma"], "beta": 0}, args)
    steepness = args["dinput"] / args["dy"]

    def branch(v):
        distance = v - start
        return steepness * (distance + distance ** 2)

    def loss(v):
        return (args["dy"] * (v["x"] + branch(norm(v["x"], v, args)))).sum()

    dx = args["dy"] + through
    hold(args, args["x"], ("x",), loss, {"x": dx, "gamma": dgamma, "beta": dbeta})
    return {"dx": dx, "dgamma": dgamma, "dbeta": dbeta}


def gradient_norms(args):
    blocks = args["gradient"].reshape(args["layers"], args["count"])
    return {"length": torch.linalg.vector_norm(blocks, dim=1)}


def norm(inside, values, args):
    """Each row with the eps that belongs to the rstd that is given."""
    variance = torch.var(inside, 1, unbiased=False, keepdim=True)
    if "own_eps" not in args:
        args["own_eps"] = args["rstd"].reshape(-1, 1) ** -2 - variance.detach()
    hat = (inside - inside.mean(1, keepdim=True)) / torch.sqrt(variance + args["own_eps"])
    return values["gamma"] * hat + values["beta"]


def hold(args, inside, names, loss, gradients):
    """Against autograd and central differences, where the mean that is given is the rows' own."""
    off = ((args["mean"] - inside.mean(1)) * args["rstd"]).abs().max().item()
    if off > 1e-3:
        return
    norm(inside, {"gamma": args["gamma"], "beta": 0}, args)  # fixes own_eps, before anything moves
    values = {name: args[name].clone() for name in (*names, "gamma")}
    values["beta"] = torch.zeros_like(args["gamma"])
    step = 1e-4 / args["rstd"].max().item()
    numeric = {name: central_differences(lambda: loss(values), values[name],
                                         step if name in names else 1e-4) for name in values}
    for tensor in values.values():
        tensor.requires_grad_()
    loss(values).backward()
    for name, gradient in gradients.items():
        assert close(values[name].grad, numeric[name], 1e-6), f"d{name} is not numeric"
        assert close(gradient, values[name].grad, 1e-7 + 4 * off), f"d{name} is not autograd's"


def close(a, b, allowed):
    return (a - b).abs().max() <= allowed * max(b.abs().max(), 1)


FUNCTIONS = {"post_norm": post_norm, "post_norm_backward": post_norm_backward,
             "pre_norm_backward": pre_norm_backward, "gradient_norms": gradient_norms}


def split(draw, inside, spread=1.0):
    """x and branch whose sum is `inside`, on a grid on which float32 adds without rounding."""
    branch = on_grid(draw.normal(tuple(inside.shape), spread))
    return {"x": on_grid(inside) - branch, "branch": branch}


def on_grid(values):
    return torch.round(values * 4096) / 4096


def sizes(x):
    return {"rows": x.shape[0], "features": x.shape[1]}


def forward_case(draw, inside, eps, spread=1.0):
    features = inside.shape[1]
    return {**sizes(inside), "eps": draw.f32(eps), **split(draw, inside, spread),
            "gamma": draw.away_from_one(features), "beta": draw.uniform(features, -2, 2)}


def statistics(inside, eps, off=0.0):
    """As a forward pass with that eps saves them, the mean moved by `off` spreads."""
    variance, mean = torch.var_mean(inside, 1, unbiased=False)
    return {"mean": (mean + off * variance.sqrt()).float().double(),
            "rstd": ((variance + eps) ** -0.5).float().double()}


def backward_case(draw, inside, pre, eps=1e-5, off=0.0):
    features = inside.shape[1]
    case = {**sizes(inside), "dy": draw.normal(tuple(inside.shape)),
            "gamma": draw.away_from_one(features)}
    case.update({"x": inside, "dinput": draw.normal(tuple(inside.shape))} if pre
                else split(draw, inside))
    case.update(statistics(case["x"] if pre else case["x"] + case["branch"], eps, off))
    return case


PAPER = [1.0, 7.0, 7.0, 9.0]


def paper_case(draw, function):
    """The page's example: one row whose mean is 6 and whose variance is 9, and no eps."""
    x, branch = draw.values([2, 4, 3, 7]), draw.values([-1, 3, 4, 2])
    gamma, slope = draw.values(3, 6, 1.5, 2), draw.values([2, 0.5, 2, -2])
    if function == "post_norm":
        return {"rows": 1, "features": 4, "eps": 0.0, "x": x, "branch": branch, "gamma": gamma,
                "beta": draw.values(1, 0, 0.5, 1)}
    case = {"rows": 1, "features": 4, "gamma": gamma, "mean": draw.values(6),
            "rstd": draw.values(1 / 3)}
    if function == "post_norm_backward":
        return {**case, "dy": slope, "x": x, "branch": branch}
    return {**case, "dy": draw.values([1, 1, 2, 3]), "dinput": slope, "x": draw.values(PAPER)}


FAR = ((30.0, 1.0, 3, 5), (-300.0, 0.1, 2, 7), (1000.0, 2.0, 3, 4), (-1000.0, 0.05, 2, 5))
SPREADS = {3: [0.3, 2.0, 5.0], 4: [0.02, 1.5, 40.0, 0.4], 2: [0.1, 3.0]}


def cases(draw):
    yield "post", "1 x 4, the worked example", "post_norm", paper_case(draw, "post_norm")
    for label, inside, eps, spread in (
            ("3 x 5", draw.normal((3, 5), SPREADS[3], 0.5), 1e-3, 1.0),
            ("4 x 3, a small branch", draw.normal((4, 3), SPREADS[4], -1.0), 1e-5, 0.01),
            ("2 x 7, a large branch", draw.normal((2, 7), SPREADS[2], 2.0), 1e-5, 30.0),
            ("2 x 6, no branch", draw.normal((2, 6), 3.0, 1.0), 0.0, 0.0),
            ("3 x 1", draw.normal((3, 1), 2.0), 1e-3, 1.0)):
        yield "post", label, "post_norm", forward_case(draw, inside, eps, spread)
    against = forward_case(draw, draw.normal((2, 4), 1.0), 0.01)
    yield ("post", "2 x 4, a branch that takes x away", "post_norm",
           {**against, "x": draw.values([1.5, 2.0, -1.0, 0.5], [0.25, -2.0, 1.0, 3.0]),
            "branch": draw.values([-1.5, -2.0, 1.0, -0.5], [-0.25, 2.0, -1.0, -3.0])})
    for offset, spread, rows, features in FAR:
        yield ("post, far from zero", f"{rows} x {features}, offset {offset:g} spreads", "post_norm",
               forward_case(draw, draw.normal((rows, features), spread, offset), 1e-5, spread))

    for kind, pre in (("post", False), ("pre", True)):
        function = f"{kind}_norm_backward"
        yield (f"{kind}, backward", "1 x 4, the worked example", function,
               paper_case(draw, function))
        for rows, features, offset in ((3, 5, 0.5), (4, 7, -1.0), (2, 3, 2.0), (3, 1, 1.0)):
            inside = draw.normal((rows, features), SPREADS[rows], offset)
            yield (f"{kind}, backward", f"{rows} x {features}", function,
                   backward_case(draw, inside, pre))
        for rows, features in ((3, 5), (4, 3), (2, 7)) if not pre else ():
            inside = draw.normal((rows, features), SPREADS[rows], 1.0)
            yield (f"{kind}, given mean", f"{rows} x {features}, mean 0.7 spreads off", function,
                   backward_case(draw, inside, pre, off=0.7))
        for rows, features, eps in ((3, 5, 0.5), (4, 3, 0.01), (2, 7, 2.0)):
            inside = draw.normal((rows, features), SPREADS[rows], -0.5)
            yield (f"{kind}, given rstd", f"{rows} x {features}, rstd made with eps {eps:g}",
                   function, backward_case(draw, inside, pre, eps))

    yield ("norms", "2 layers of 3, the worked example", "gradient_norms",
           {"layers": 2, "count": 3, "gradient": draw.values(3, -4, 0, 2, 6, -9)})
    for layers, count, spread in ((3, 5, [0.01, 1.0, 20.0]), (4, 1, 1.0), (1, 7, 0.2),
                                  (5, 4, [3.0, 0.0, 1e-6, 1e5, 0.5])):
        yield ("norms", f"{layers} layers of {count}", "gradient_norms",
               {"layers": layers, "count": count,
                "gradient": draw.normal((layers, count), spread)})
