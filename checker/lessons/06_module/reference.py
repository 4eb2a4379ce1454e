"""Lesson 06: the truth, from torch.nn.LayerNorm, autograd and torch.optim.SGD in float64, and the
cases of vectors.json. Central differences of the loss must agree with autograd.

What holds memory, or fails, has no answer in PyTorch: its cases are drawn (lesson.c)."""

import sys

import torch

sys.path.insert(0, "checker")
from vectors import central_differences


def module(shape, gamma, beta, eps):
    """torch's own layer with these parameters. Debian's has no bias=False: a frozen 0 stands for it."""
    layer = torch.nn.LayerNorm(shape, eps=eps, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(gamma.reshape(shape))
        layer.bias.zero_() if beta is None else layer.bias.copy_(beta.reshape(shape))
    layer.bias.requires_grad_(beta is not None)
    return layer


def init_fields(args):
    layer = torch.nn.LayerNorm(args["shape"].tolist(), eps=args["eps"])
    return {"m_features": float(layer.weight.numel()), "m_eps": layer.eps, "m_rows": 0.0,
            "saved": 0.0, "return": 0.0}


def init_parameters(args):
    layer = torch.nn.LayerNorm(args["shape"].tolist())
    zeros = torch.zeros_like(layer.weight)
    answers = {"gamma": layer.weight, "dgamma": zeros, "bias_arrays": 2.0 * args["bias"], "return": 0.0}
    return {**answers, "beta": layer.bias if args["bias"] else [], "dbeta": zeros if args["bias"] else []}


def forward(args):
    x = args["x"]
    mean, variance = x.mean(dim=1, keepdim=True), x.var(dim=1, unbiased=False, keepdim=True)
    rstd = torch.rsqrt(variance + args["eps"])
    y = module([args["features"]], args["gamma"], args["beta"], args["eps"])(x)
    return {"y": y, "xhat": (x - mean) * rstd, "rstd": rstd, "m_rows": float(len(x)), "return": 0.0}


def forward_shape(args):
    shape = [args["height"], args["width"]]
    layer = module(shape, args["gamma_image"], args["beta_image"], args["eps"])
    return {"y": layer(args["images"]), "return": 0.0}


def passes(layer, pairs):
    """The gradients after forward and backward of each x and dy in turn, and the last dx."""
    for x, dy in pairs:
        x = x.clone().requires_grad_()
        (layer(x) * dy).sum().backward()
        with torch.no_grad():
            numeric = central_differences(lambda: (layer(x) * dy).sum().item(), x, 1e-5)
        assert torch.allclose(numeric, x.grad, rtol=1e-6, atol=1e-7), (numeric, x.grad)
    bias = layer.bias.grad if layer.bias.requires_grad else []
    return {"dx": x.grad, "dgamma": layer.weight.grad, "dbeta": bias}


def backward(args):
    layer = module([args["features"]], args["gamma"], args["beta"], args["eps"])
    return passes(layer, [(args["x"], args["dy"])])


def backward_again(args):
    layer = module([args["features"]], args["gamma"], args["beta"], args["eps"])
    second = (args["x_2"], args["dy_2"])
    return passes(layer, [(args["x_1"], args["dy_1"]), second, second])


def step(args):
    layer = module([args["features"]], args["gamma"], args["beta"], 1e-5)
    layer.weight.grad = args["dgamma"].clone()
    has_bias = args["beta"] is not None
    if has_bias:
        layer.bias.grad = args["dbeta"].clone()
    torch.optim.SGD([p for p in layer.parameters() if p.requires_grad], lr=args["rate"]).step()
    return {"gamma_after": layer.weight, "beta_after": layer.bias if has_bias else [],
            "dgamma_after": layer.weight.grad, "dbeta_after": layer.bias.grad if has_bias else []}


def train(args):
    layer = module([args["height"], args["width"]], args["gamma_image"], args["beta_image"], args["eps"])
    trained = [p for p in layer.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trained, lr=args["rate"])
    for x, target in zip(args["batches"], args["targets"]):
        optimizer.zero_grad()
        y = layer(x)
        ((y - target).square().sum() / 2).backward()
        optimizer.step()
    return {"y": y, "gamma_after": layer.weight,
            "beta_after": layer.bias if args["beta_image"] is not None else []}


FUNCTIONS = {f.__name__: f for f in (init_fields, init_parameters, forward, forward_shape, backward,
                                     backward_again, step, train)}


def layer(draw, shape, eps, bias=True):
    suffix = "_image" if isinstance(shape, tuple) else ""
    return {"eps": draw.f32(eps), "gamma" + suffix: draw.away_from_one(shape),
            "beta" + suffix: draw.normal(shape) if bias else None}


def cases(draw):
    for label, shape, eps, bias in (("2 x 2, as on the page", [2, 2], 0, 1), ("3 x 4 x 5", [3, 4, 5], 0.25, 0),
                                    ("1 x 1", [1, 1], 1e-5, 1), ("768", [768], 1e-5, 0)):
        sizes = {"shape": torch.tensor(shape), "dims": len(shape), "bias": bias}
        yield "shape", label, "init_fields", {**sizes, "eps": draw.f32(eps)}
        features = torch.tensor(shape).prod().item()
        unset = {} if bias else {"beta": None, "dbeta": None}
        yield "parameters", label, "init_parameters", {**sizes, "features": features, **unset}

    # The page's two rows first: a learner can follow them on paper.
    paper = {"x": draw.values([3, 9, 11, 17], [5, 5, 9, 9]), "gamma": draw.values(1, 1, 1, 1),
             "beta": draw.values(0, 0, 0, 0), "rows": 2, "features": 4, "eps": 0.0}
    dy = draw.values([1, -1, 0, 2], [0, 2, 0, 2])
    yield "forward", "2 x 4, as on the page", "forward", paper
    yield "backward", "2 x 4, as on the page", "backward", {**paper, "dy": dy}
    # eps counts beside small rows, n - 1 beside short ones, beta wherever it is.
    for spreads, offset, eps, bias in (([0.4, 2.0, 0.05], 0.6, 1e-2, True), ([3.0, 0.02, 0.6], -1.0, 1e-3, False),
                                       ([1.0, 30.0, 0.3], 100.0, 1e-5, True)):
        x = draw.normal((3, 5), spreads, offset)
        args = {"x": x, "rows": 3, "features": 5, **layer(draw, 5, eps, bias)}
        label = f"3 x 5, eps {eps:g}" + ("" if bias else ", no bias")
        yield "forward", label, "forward", args
        unset = {} if bias else {"dbeta": None}
        yield "backward", label, "backward", {**args, "dy": draw.normal((3, 5)), **unset}

    shape = {"rows": 2, "height": 2, "width": 2, "eps": 0.0,
             "gamma_image": draw.values([1, 1], [1, 1]), "beta_image": draw.values([0, 0], [0, 0])}
    yield ("forward, shape", "2 x 2 x 2, as on the page", "forward_shape",
           {**shape, "images": paper["x"].reshape(2, 2, 2)})
    for rows, height, width, bias in ((3, 2, 4, True), (2, 3, 3, False)):
        yield ("forward, shape", f"{rows} x {height} x {width}", "forward_shape",
               {"rows": rows, "height": height, "width": width, "images": draw.normal((rows, height, width)),
                **layer(draw, (height, width), 1e-3, bias)})

    for first, second, bias in ((2, 3, True), (4, 1, False)):
        args = {"rows_1": first, "rows_2": second, "features": 4, **layer(draw, 4, 1e-3, bias)}
        for turn, rows in (("1", first), ("2", second)):
            args["x_" + turn], args["dy_" + turn] = draw.normal((rows, 4)), draw.normal((rows, 4))
        unset = {} if bias else {"dbeta": None}
        yield "backward, again", f"{first} rows, then {second}", "backward_again", {**args, **unset}

    yield ("step", "as on the page", "step",
           {"features": 4, "rate": draw.f32(0.1), "gamma": paper["gamma"], "beta": paper["beta"],
            "dgamma": draw.values(-1.4, -1.8, 0, 4.8), "dbeta": draw.values(1, 1, 0, 4)})
    yield ("step", "no bias", "step",
           {"features": 3, "rate": 0.5, "gamma": draw.away_from_one(3), "beta": None,
            "dgamma": draw.normal(3), "dbeta": None, "beta_after": None, "dbeta_after": None})

    for steps, rows, height, width, bias in ((1, 2, 2, 2, True), (3, 4, 2, 3, True), (4, 3, 1, 4, False)):
        size = (steps, rows, height, width)
        unset = {} if bias else {"beta_after": None}
        yield ("train", f"{steps} steps of {rows} x {height} x {width}", "train",
               {"steps": steps, "rows": rows, "height": height, "width": width, "rate": draw.f32(0.05),
                "batches": draw.normal(size), "targets": draw.normal(size),
                **layer(draw, (height, width), 1e-3, bias), **unset})
