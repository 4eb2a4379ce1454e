"""Lesson 04: the truth, from PyTorch in float64, and the cases of vectors.json.

condition_size is never what features is, but for one case: where they are equal, a transposed
weight matrix still has the right shape. The backward pass is autograd's, and is held against
central differences each time the vectors are made."""

import torch

from vectors import central_differences
import torch.nn.functional as F


def conditional_init(args):
    gamma = torch.nn.Linear(args["condition_size"], args["features"], dtype=torch.float64)
    beta = torch.nn.Linear(args["condition_size"], args["features"], dtype=torch.float64)
    for zeros in (gamma.weight, beta.weight, beta.bias):
        torch.nn.init.zeros_(zeros)
    torch.nn.init.ones_(gamma.bias)
    return {"w_gamma": gamma.weight, "b_gamma": gamma.bias,
            "w_beta": beta.weight, "b_beta": beta.bias}


def conditional_affine(args):
    return {"gamma": F.linear(args["condition"], args["w_gamma"], args["b_gamma"]),
            "beta": F.linear(args["condition"], args["w_beta"], args["b_beta"])}


def conditional_layer_norm(args):
    affine = conditional_affine(args)
    normalized = F.layer_norm(args["x"], (args["features"],), eps=args["eps"])
    return {"y": affine["gamma"] * normalized + affine["beta"]}


def conditional_affine_backward(args):
    # gamma and beta are linear in the biases, so that any biases give the same gradients.
    inputs = {name: args[name].clone() for name in ("w_gamma", "w_beta", "condition")}
    inputs.update(b_gamma=torch.zeros(args["features"], dtype=torch.float64),
                  b_beta=torch.zeros(args["features"], dtype=torch.float64))

    def loss():
        affine = conditional_affine(inputs)
        return (args["dgamma"] * affine["gamma"] + args["dbeta"] * affine["beta"]).sum()

    for tensor in inputs.values():
        tensor.requires_grad_()
    loss().backward()
    for name, tensor in inputs.items():
        numeric = central_differences(loss, tensor, 1e-4)
        assert torch.allclose(tensor.grad, numeric, rtol=1e-6, atol=1e-8), f"d{name} is not numeric"
    return {f"d{name}": inputs[name].grad
            for name in ("w_gamma", "b_gamma", "w_beta", "b_beta", "condition")}


FUNCTIONS = {"conditional_init": conditional_init, "conditional_affine": conditional_affine,
             "conditional_layer_norm": conditional_layer_norm,
             "conditional_affine_backward": conditional_affine_backward}


def sizes(rows, features, size):
    return {"rows": rows, "features": features, "condition_size": size}


def parameters(draw, features, size):
    return {"w_gamma": draw.away_from_one((features, size)),
            "b_gamma": draw.away_from_one(features),
            "w_beta": draw.uniform((features, size), -2, 2),
            "b_beta": draw.uniform(features, -2, 2)}


def affine_case(draw, rows, features, size):
    return {**sizes(rows, features, size), "condition": draw.normal((rows, size)),
            **parameters(draw, features, size)}


def norm_case(draw, x, size, eps):
    rows, features = x.shape
    return {**affine_case(draw, rows, features, size), "x": x, "eps": draw.f32(eps)}


def shape_label(rows, features, size):
    return f"{rows} x {features}, condition of {size}"


def cases(draw):
    for features, size in ((2, 2), (5, 2), (2, 7), (1, 1), (3, 3), (1, 4), (6, 1)):
        yield ("init", f"{features} features, condition of {size}", "conditional_init",
               {"features": features, "condition_size": size})

    # The lesson's example first: a learner can follow it on paper.
    paper = {**sizes(2, 2, 2), "condition": draw.values([1, 0], [0, 1]),
             "w_gamma": draw.values([1, -0.5], [0.5, 2]), "b_gamma": draw.values(1, 1),
             "w_beta": draw.values([0, 3], [10, -1]), "b_beta": draw.values(0, 0)}
    yield ("condition of 0", "the lesson's example", "conditional_affine",
           {**paper, **sizes(1, 2, 2), "condition": draw.values([0, 0])})
    for rows, features, size in ((2, 3, 2), (4, 2, 5)):
        args = affine_case(draw, rows, features, size)
        args["condition"] = torch.zeros(rows, size, dtype=torch.float64)
        yield ("condition of 0", shape_label(rows, features, size), "conditional_affine", args)

    yield "affine", "the lesson's example", "conditional_affine", paper
    for shape in ((3, 5, 2), (1, 3, 7), (4, 2, 3), (2, 6, 1), (5, 1, 3), (3, 4, 4), (2, 31, 13)):
        yield "affine", shape_label(*shape), "conditional_affine", affine_case(draw, *shape)

    row = {**paper, **sizes(1, 2, 2), "x": draw.values([1, 3]), "eps": draw.f32(1e-5),
           "condition": draw.values([1, 0])}
    yield ("at the start", "the lesson's example", "conditional_layer_norm",
           {**row, **conditional_init(row)})
    for rows, features, size in ((2, 3, 2), (3, 4, 5)):
        x = draw.normal((rows, features), 2.0, 0.5)
        args = norm_case(draw, x, size, 1e-3)
        args.update(conditional_init(args))
        yield ("at the start", shape_label(rows, features, size), "conditional_layer_norm", args)

    yield ("3 x 5", "the lesson's example", "conditional_layer_norm",
           {**row, **paper, "x": draw.values([1, 3], [1, 3])})
    for spreads, size, eps in (((0.3, 2.0, 0.05), 2, 1e-3), ((1.5, 0.02, 6.0), 7, 1e-5)):
        x = draw.normal((3, 5), list(spreads), [0.5, -1.0, 2.0])
        yield ("3 x 5", shape_label(3, 5, size), "conditional_layer_norm",
               norm_case(draw, x, size, eps))

    # eps as large as the variance shows where eps stands; an offset shows how the variance is made.
    for spread, offset, eps, rows, features, size in (
            (0.01, 1.5, 1e-4, 2, 7, 3), (0.05, -0.5, 1e-3, 4, 3, 5),
            (1.0, 30.0, 1e-5, 3, 5, 2), (0.1, -1000.0, 1e-5, 2, 6, 1)):
        x = draw.normal((rows, features), spread, offset)
        label = f"{shape_label(rows, features, size)}, spread {spread}, offset {offset:g} spreads"
        yield "hard rows", label, "conditional_layer_norm", norm_case(draw, x, size, eps)

    paper = {**{name: paper[name] for name in ("rows", "features", "condition_size", "condition",
                                               "w_gamma", "w_beta")},
             "dgamma": draw.values([1, 2], [3, 5]), "dbeta": draw.values([1, -1], [2, 4])}
    yield "backward", "the lesson's example", "conditional_affine_backward", paper
    for rows, features, size in ((3, 5, 2), (1, 3, 7), (4, 2, 3), (3, 6, 1), (5, 1, 3), (2, 4, 4)):
        args = affine_case(draw, rows, features, size)
        del args["b_gamma"], args["b_beta"]
        args.update(dgamma=draw.normal((rows, features)), dbeta=draw.normal((rows, features)))
        yield ("backward", shape_label(rows, features, size), "conditional_affine_backward", args)
