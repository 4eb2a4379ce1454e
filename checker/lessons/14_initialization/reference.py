"""Lesson 14: the truth, from PyTorch in float64, and the cases of vectors.json.

identity_init and target_init are answered with the lesson's formula, and then PyTorch's layer norm is
asked whether these gamma and beta do what was promised. momentum_step is torch.optim.SGD itself.
"""

import torch
import torch.nn.functional as F


def close(a, b, scale=1.0):
    assert (a - b).abs().max() <= 1e-9 * scale, (a, b)


def identity_init(args):
    x, features, eps = args["x"], args["features"], args["eps"]
    variance, mean = torch.var_mean(x, unbiased=False)
    gamma = torch.sqrt(variance + eps).expand(features).contiguous()
    beta = mean.expand(features).contiguous()
    if gamma[0] > 0:
        close(F.layer_norm(x, (features,), gamma, beta, eps), x, x.abs().max().clamp(min=1))
    return {"gamma": gamma, "beta": beta}


def over_rows(x, eps):
    """Variance and mean of each feature of the normalized rows."""
    return torch.var_mean(F.layer_norm(x, x.shape[1:], eps=eps), dim=0, unbiased=False)


def target_init(args):
    x, features, eps = args["x"], args["features"], args["eps"]
    variance, middle = over_rows(x, eps)
    gamma = args["spread"] / variance.sqrt()
    beta = args["mean"] - gamma * middle
    y = F.layer_norm(x, (features,), gamma, beta, eps)
    close(y.mean(dim=0), args["mean"])
    close(y.std(dim=0, unbiased=False), args["spread"])
    return {"gamma": gamma, "beta": beta}


def optimizer(parameter, velocity, args):
    sgd = torch.optim.SGD([parameter], lr=args["rate"], momentum=args["momentum"],
                          weight_decay=args["decay"])
    if args["momentum"] != 0:  # without it PyTorch keeps none
        sgd.state[parameter]["momentum_buffer"] = velocity.clone()
    return sgd


def momentum_step(args):
    parameter = torch.nn.Parameter(args["parameter"].clone())
    sgd = optimizer(parameter, args["velocity"], args)
    parameter.grad = args["gradient"].clone()
    sgd.step()
    velocity = args["gradient"] + args["decay"] * args["parameter"]
    if args["momentum"] != 0:
        velocity = sgd.state[parameter]["momentum_buffer"]
    return {"parameter": parameter.detach(), "velocity": velocity}


FUNCTIONS = {"identity_init": identity_init, "target_init": target_init,
             "momentum_step": momentum_step}


# ---- the cases ----
def row(draw, features, eps, spread=1.0, offset=0.0):
    return {"features": features, "eps": draw.f32(eps), "x": draw.normal(features, spread, offset)}


def target(draw, rows, features, eps, spreads=(1.0,), offsets=(0.0,), no_spread=()):
    """Rows of those spreads and offsets; each feature lies aside of the others. Drawn until no feature
    of the normalized rows is all but constant: its spread is divided by."""
    spread = [spreads[r % len(spreads)] for r in range(rows)]
    offset = [offsets[r % len(offsets)] for r in range(rows)]
    part = torch.zeros(1)
    while part.min() < 0.1:
        x = draw.normal((rows, features), spread, offset)
        x = (x + draw.uniform(features) * torch.tensor(spread)[:, None]).float().double()
        variance, middle = over_rows(x, eps)
        part = variance / (variance + middle ** 2)
    wanted = draw.uniform(features, 0.2, 2.5)
    wanted[list(no_spread)] = 0
    return {"rows": rows, "features": features, "eps": draw.f32(eps), "x": x,
            "mean": draw.uniform(features, -2, 2), "spread": wanted}


def step(draw, count, rate, momentum, decay, spread=1.0):
    return {"count": count, "rate": draw.f32(rate), "momentum": draw.f32(momentum),
            "decay": draw.f32(decay), "parameter": draw.normal(count, spread, 0.5),
            "velocity": draw.normal(count, 2.0), "gradient": draw.normal(count)}


def way(draw, steps, rate, momentum, decay):
    """torch.optim.SGD at the bottom of a bowl, from a velocity of 0 on: each of its steps is a case, with
    the numbers that it has come to, as float32 holds them. PyTorch makes the gradients."""
    args = {"rate": draw.f32(rate), "momentum": draw.f32(momentum), "decay": draw.f32(decay)}
    steep, goal = draw.uniform(5, 0.3, 4), draw.normal(5, 2.0)
    parameter = torch.nn.Parameter(draw.normal(5, 3.0))
    sgd = torch.optim.SGD([parameter], lr=args["rate"], momentum=args["momentum"],
                          weight_decay=args["decay"])
    velocity = torch.zeros(5, dtype=torch.float64)
    for number in range(1, steps + 1):
        sgd.zero_grad()
        (steep * (parameter - goal) ** 2 / 2).sum().backward()
        before = {"parameter": parameter.detach(), "velocity": velocity, "gradient": parameter.grad}
        rounded = {name: values.float().double() for name, values in before.items()}
        yield "way", f"step {number} of {steps}", "momentum_step", {"count": 5, **args, **rounded}
        formula = args["momentum"] * velocity + parameter.grad + args["decay"] * parameter.detach()
        expected = parameter.detach() - args["rate"] * formula
        sgd.step()
        velocity = sgd.state[parameter]["momentum_buffer"].clone()
        close(velocity, formula)  # the lesson's formula goes the same way, from the first step on
        close(parameter.detach(), expected)


def cases(draw):
    # The page's numbers first: a learner can follow them on paper.
    paper = draw.values(2, 4, 4, 10)
    yield "identity", "the row of the page", "identity_init", {"features": 4, "eps": 0.0, "x": paper}
    for features, eps, spread, offset in ((5, 1e-3, 0.3, 1.0), (7, 1e-5, 4.0, -0.5), (3, 1e-2, 20.0, 0.2),
                                          (2, 1e-5, 0.6, -2.0)):
        yield ("identity", f"{features} features", "identity_init",
               row(draw, features, eps, spread, offset))

    # Here eps is as large as the variance, or all there is.
    yield "identity, small variance", "3 features, eps 0.0004", "identity_init", row(draw, 3, 4e-4, 0.02, 1.0)
    yield "identity, small variance", "6 features, eps 0.00001", "identity_init", row(draw, 6, 1e-5, 0.002, -2.0)
    yield "identity, small variance", "equal numbers", "identity_init", {
        "features": 4, "eps": draw.f32(1e-5), "x": draw.values(2.5, 2.5, 2.5, 2.5)}
    yield "identity, small variance", "1 feature", "identity_init", {
        "features": 1, "eps": draw.f32(1e-3), "x": draw.values(-3)}
    for features, spread, offset in ((5, 1.0, 1000.0), (8, 0.05, -700.0), (4, 3.0, 300.0)):
        yield ("identity, far from zero", f"{abs(offset):g} spreads from zero", "identity_init",
               row(draw, features, 1e-5, spread, offset))

    sizes = {"rows": 2, "features": 4, "eps": 0.0}
    yield "target", "the two rows of the page", "target_init", {
        **sizes, "x": draw.values([2, 4, 4, 10], [7, 7, 1, 1]), "mean": draw.values(1, 1, 0, 2),
        "spread": draw.values(2, 2, 1, 2)}
    for rows, features, eps, spreads, offsets in ((3, 5, 1e-3, [0.3, 2.0, 10.0], [0.5, -1.0, 2.0]),
                                                  (7, 3, 1e-5, [1.5, 0.2, 6.0], [0.2, 1.0, -0.6]),
                                                  (5, 2, 1e-5, [3.0, 0.7], [0.0, 1.0]),
                                                  (4, 6, 1e-2, [20.0, 0.5], [-1.0, 0.3])):
        yield "target", f"{rows} x {features}", "target_init", target(draw, rows, features, eps, spreads, offsets)
    yield "target, spread 0", "4 x 5, two of 0", "target_init", target(draw, 4, 5, 1e-5, no_spread=(1, 4))
    yield "target, spread 0", "3 x 3, all of 0", "target_init", target(draw, 3, 3, 1e-3, no_spread=(0, 1, 2))
    for rows, features, eps, spreads in ((4, 5, 1e-3, [0.03, 0.05]), (6, 3, 1e-5, [0.003, 0.001, 0.01])):
        yield ("target, small variance", f"{rows} x {features}, spreads {spreads}", "target_init",
               target(draw, rows, features, eps, spreads, [1.5, -0.5]))
    equal = target(draw, 5, 4, 1e-3, [0.05, 0.5], [0.4])
    equal["x"][2] = 1.5
    yield "target, small variance", "5 x 4, one row of equal numbers", "target_init", equal
    for rows, features, spreads, offsets in ((4, 5, [1.0, 0.1, 3.0], [250.0, -150.0]), (6, 3, [0.5, 2.0], [-200.0]),
                                             (3, 8, [4.0], [100.0, 300.0]), (3, 3, [2.0, 0.4], [1000.0])):
        yield ("target, far from zero", f"{rows} x {features}, {max(map(abs, offsets)):g} spreads from zero",
               "target_init", target(draw, rows, features, 1e-5, spreads, offsets))

    # Numbers that float32 holds exactly, up to the answer.
    yield "step", "the two numbers of the page", "momentum_step", {
        "count": 2, "rate": 0.5, "momentum": 0.5, "decay": 0.25, "parameter": draw.values(4, -8),
        "velocity": draw.values(2, 1), "gradient": draw.values(1, -2)}
    for count, rate, momentum in ((5, 0.1, 0.9), (3, 0.7, 0.3), (4, 0.02, 0.0), (1, 1.5, 0.99)):
        yield ("step", f"{count} numbers, momentum {momentum}, no decay", "momentum_step",
               step(draw, count, rate, momentum, 0.0))
    for count, rate, momentum, decay, spread in ((5, 0.1, 0.9, 0.1, 1.0), (3, 0.5, 0.6, 0.7, 4.0),
                                                 (4, 0.3, 0.0, 0.4, 2.0), (6, 0.05, 0.8, 0.01, 100.0)):
        yield ("decay", f"{count} numbers, momentum {momentum}, decay {decay}", "momentum_step",
               step(draw, count, rate, momentum, decay, spread))
    yield "decay", "no gradient", "momentum_step", {
        **step(draw, 3, 0.1, 0.9, 0.3), "gradient": draw.values(0, 0, 0)}
    yield from way(draw, 8, 0.2, 0.8, 0.05)
