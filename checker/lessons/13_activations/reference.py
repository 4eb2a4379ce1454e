"""Lesson 13: the truth, from PyTorch in float64, and the cases of vectors.json.

The networks are built of PyTorch's own modules: Linear, LayerNorm, Tanh.
"""

import torch
from torch import nn


def deep_forward(args):
    features, layers = args["features"], []
    for w in args["w"]:
        linear = nn.Linear(features, features, bias=False, dtype=torch.float64)
        linear.weight.data = w
        norm = nn.LayerNorm(features, eps=args["eps"], elementwise_affine=False)
        layers.append(nn.Sequential(linear, *([norm] if args["normalized"] else []), nn.Tanh()))
    h, every = args["x"], []
    with torch.no_grad():
        for layer in layers:
            h = layer(h)
            every.append(h)
    return {"h": torch.stack(every)}


def layer_spread(args):
    spread, mean = torch.std_mean(args["h"], dim=(1, 2), unbiased=False)
    return {"mean": mean, "spread": spread}


def histogram(args):
    low, high = args["low"], args["high"]
    counts, _ = torch.histogram(args["x"].clamp(low, high), args["bins"], range=(low, high))
    assert counts.sum() == args["count"]
    return {"share": counts / args["count"]}


FUNCTIONS = {"deep_forward": deep_forward, "layer_spread": layer_spread, "histogram": histogram}


def network(draw, layers, rows, features, normalized, size=1.0, eps=1e-5, spread=1.0, offset=0.0):
    w = draw.normal((layers, features, features), size / features**0.5).float().double()
    return {"layers": layers, "rows": rows, "features": features, "normalized": normalized,
            "eps": draw.f32(eps), "x": draw.normal((rows, features), spread, offset), "w": w}


def far_network(draw, layers, rows, features, spreads):
    """The rows of the first weights are nearly the same, so what they make is far from zero."""
    args = network(draw, layers, rows, features, 1)
    common, x = draw.normal(features), args["x"]
    aside = args["w"][0] * draw.away_from_one(features)[:, None] / spreads
    args["w"][0] = (common + aside).float().double()
    args["x"] = (x + 0.5 * common).float().double()
    return args


def of_layers(draw, layers, rows, features, spreads, offsets):
    """Each row with a mean of its own."""
    length = rows * features
    h = draw.normal((layers, length), spreads, offsets).reshape(layers, rows, features)
    aside = draw.uniform((layers, rows, 1), -1.5, 1.5) * torch.tensor(spreads)[:, None, None]
    return {"layers": layers, "rows": rows, "features": features, "h": (h + aside).float().double()}


def numbers(x, bins, low, high):
    return {"count": len(x), "bins": bins, "low": float(low), "high": float(high), "x": x}


def cases(draw):
    # The page's networks first: a learner can follow them on paper.
    paper = {"layers": 1, "rows": 1, "features": 4, "eps": 0.0, "x": draw.values([1, 2, 3, 5]),
             "w": draw.values([[1, 0, 0, 0], [0, 2, 1, 0], [0, 1, 0, 1], [1, 0, 1, 1]])}
    yield "plain", "the row of the page", "deep_forward", {**paper, "normalized": 0}
    for layers, rows, features, size in ((1, 3, 2, 1.0), (1, 2, 5, 0.5), (1, 1, 3, 2.0)):
        yield ("plain", f"{rows} x {features}", "deep_forward",
               network(draw, layers, rows, features, 0, size))
    yield "normalized", "the row of the page", "deep_forward", {**paper, "normalized": 1}
    for rows, features, size, eps in ((3, 5, 1.0, 1e-5), (2, 3, 0.05, 1e-3), (1, 7, 20.0, 0.0), (4, 4, 1.0, 0.1)):
        yield ("normalized", f"{rows} x {features}", "deep_forward",
               network(draw, 1, rows, features, 1, size, eps))
    for normalized in (0, 1):
        yield ("deep", "the row of the page", "deep_forward",
               {**paper, "layers": 2, "w": paper["w"].repeat(2, 1, 1), "normalized": normalized})
    for layers, rows, features, normalized in ((2, 3, 4, 0), (3, 2, 5, 1), (5, 3, 3, 0), (12, 2, 6, 1)):
        yield ("deep", f"{layers} layers of {rows} x {features}", "deep_forward",
               network(draw, layers, rows, features, normalized, eps=1e-4))
    for normalized in (2, 7, 100000):
        yield ("any number", f"normalized {normalized}", "deep_forward",
               network(draw, 2, 2, 3, normalized, eps=1e-3))
    for layers, rows, features, spreads in ((1, 3, 4, 100), (2, 2, 3, 150), (1, 4, 5, 200)):
        yield ("far from zero", f"{rows} x {features}, about {spreads} spreads off", "deep_forward",
               far_network(draw, layers, rows, features, spreads))

    yield "layers", "the layers of the page", "layer_spread", {
        "layers": 2, "rows": 2, "features": 2,
        "h": draw.values([[1, 7], [7, 9]], [[-1, 5], [7, 13]])}
    for layers, rows, features, spreads, offsets in (
            (3, 2, 4, [1.0, 0.01, 30.0], [0.5, 0.0, -1.0]), (2, 1, 5, [0.3, 2.0], [1.0, 0.0]),
            (1, 6, 1, [1.0], [0.4]), (4, 3, 7, [1e-6, 1.0, 1e6, 0.1], [0.0, 2.0, 1.0, -0.5])):
        yield ("layers", f"{layers} of {rows} x {features}", "layer_spread",
               of_layers(draw, layers, rows, features, spreads, offsets))
    yield "equal", "one number, twice", "layer_spread", {
        "layers": 2, "rows": 1, "features": 1, "h": draw.values(0.7, -30).reshape(2, 1, 1)}
    yield "equal", "a layer of zeros, another, and one of 0.1", "layer_spread", {
        "layers": 3, "rows": 3, "features": 5,
        "h": torch.stack([torch.zeros(3, 5).double(), draw.normal((3, 5)),
                          torch.full((3, 5), draw.f32(0.1)).double()])}
    for rows, features, offset in ((2, 2, 200.0), (3, 2, -100.0), (4, 2, 300.0), (1, 5, 1000.0)):
        yield ("layers far from zero", f"{rows} x {features}, {abs(offset):g} spreads off", "layer_spread",
               of_layers(draw, 2, rows, features, [0.5, 3.0], [offset, -0.6 * offset]))

    yield "shares", "three of the page's numbers", "histogram", numbers(
        draw.values(-0.6, 0.2, 0.9), 4, -1, 1)
    for count, bins, low, high in ((11, 3, -3, 3), (30, 5, -4, 4), (7, 1, -3, 4), (50, 10, -3.5, 3.5), (20, 9, -9, 3)):
        yield ("shares", f"{count} numbers, {bins} parts", "histogram",
               numbers(draw.uniform(count, low, high), bins, low, high))
    yield "outside", "the numbers of the page", "histogram", numbers(
        draw.values(-2, -1, -0.6, -0.5, 0, 0.2, 0.5, 0.9, 1, 3), 4, -1, 1)
    for count, bins, low, high in ((13, 4, -0.5, 0.75), (40, 3, 0.25, 0.5), (9, 6, 1, 1.5), (25, 2, -8, -0.5)):
        yield ("outside", f"{count} numbers, {bins} parts", "histogram",
               numbers(draw.normal(count), bins, low, high))
    yield "edges", "all edges, and between them", "histogram", numbers(
        draw.values(-1, -0.75, -0.5, -0.5, 0, 0, 0, 0.25, 0.5, 0.5, 1, 1, 1), 4, -1, 1)
    yield "edges", "high alone", "histogram", numbers(draw.values(2, 2, 2), 8, 0, 2)
    yield "edges", "0, in two parts", "histogram", numbers(draw.values(0, 0, -0.5, 0.5, 0), 2, -1, 1)
    yield "far outside", "up to 3e38", "histogram", numbers(
        draw.values(3e38, -3e38, 1e10, 1e10, -1e10, 2.5, 0.25, 3e38), 4, -1, 1)
