"""Lesson 01: the truth, from PyTorch in float64, and the cases of vectors.json.

The shapes are small and odd, gamma and beta all different, eps mostly not 1e-5, and no row or
column is like another: on round inputs (sigma 1, gamma 1, beta 0) half of the mistakes are
invisible."""

import torch.nn.functional as F


def row_mean(args):
    return {"return": args["x"].mean()}


def row_variance(args):
    return {"return": ((args["x"] - args["mean"]) ** 2).mean()}


def layer_norm(args):
    y = F.layer_norm(args["x"], (args["features"],), args["gamma"], args["beta"], args["eps"])
    return {"y": y}


FUNCTIONS = {"row_mean": row_mean, "row_variance": row_variance, "layer_norm": layer_norm}


def rows_case(draw, x, eps):
    rows, features = x.shape
    return {"rows": rows, "features": features, "eps": draw.f32(eps), "x": x,
            "gamma": draw.away_from_one(features), "beta": draw.uniform(features, -2, 2)}


def row(draw, x, mean=None):
    args = {"features": len(x), "x": x}
    if mean is not None:
        args["mean"] = draw.f32(mean)
    return args


def cases(draw):
    # The lesson's rows first: a learner can follow these on paper.
    paper = [("10 50 20", draw.values(10, 50, 20)),
             ("10 20 30 40 50", draw.values(10, 20, 30, 40, 50)),
             ("1.0 1.1 1.2 1.3 1.4", draw.values(1.0, 1.1, 1.2, 1.3, 1.4))]
    drawn = [("1 feature", draw.normal(1, 3.0, 1.0)),
             ("2 features", draw.normal(2, 0.01)),
             ("7 features, spread 0.05", draw.normal(7, 0.05, 3.0)),
             ("13 features, spread 100", draw.normal(13, 100.0)),
             ("101 features", draw.normal(101, 2.0, -0.5))]
    for label, x in paper + drawn:
        yield "row_mean", label, "row_mean", row(draw, x)
        yield "row_variance", label, "row_variance", row(draw, x, x.mean().item())

    for label, x in (paper + drawn)[:-1]:
        # A mean that is not the row's own, as far off as the row is wide.
        off = 0.7 * (x.std(unbiased=False).item() or 1.0)
        yield "given mean", label, "row_variance", row(draw, x, x.mean().item() + off)

    yield "3 x 5", "10 50 20", "layer_norm", {
        "rows": 1, "features": 3, "eps": draw.f32(1e-5), "x": draw.values([10, 50, 20]),
        "gamma": draw.values(1, 1, 1), "beta": draw.values(0, 0, 0)}
    # Spreads on either side of 1, so that a root too many or too few shows.
    for spreads, eps in (((0.3, 2.0, 0.05), 1e-3), ((1.5, 0.02, 6.0), 1e-5)):
        x = draw.normal((3, 5), list(spreads), [0.5, -1.0, 2.0])
        yield "3 x 5", "3 x 5", "layer_norm", rows_case(draw, x, eps)

    # Here eps is as large as the variance: where it stands, and which it is, shows.
    for spread, eps, rows, features in ((0.01, 1e-4, 2, 7), (0.003, 1e-5, 3, 3), (0.05, 1e-3, 4, 5)):
        x = draw.normal((rows, features), spread, 1.5)
        yield ("small variance", f"{rows} x {features}, spread {spread}", "layer_norm",
               rows_case(draw, x, eps))
    constant = draw.normal((3, 4), [0.0, 0.02, 0.0]) + draw.values([2.5], [0.0], [-7.0])
    yield "small variance", "3 x 4, constant rows", "layer_norm", rows_case(draw, constant, 1e-4)

    for offset, spread, rows, features in ((30.0, 1.0, 3, 5), (-300.0, 0.1, 2, 7),
                                           (1000.0, 2.0, 3, 4), (-1000.0, 0.05, 2, 5)):
        x = draw.normal((rows, features), spread, offset)
        yield ("far from zero", f"{rows} x {features}, offset {offset:g} spreads", "layer_norm",
               rows_case(draw, x, 1e-5))
