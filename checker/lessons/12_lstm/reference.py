"""Lesson 12: the truth, from PyTorch in float64, and the cases of vectors.json.

Forward, everything is torch's own layer_norm, sigmoid and tanh; backward, it is autograd, held against
central differences. One step and eight steps are a module that is unrolled, and autograd goes back
through all of it.
"""

import torch
import torch.nn.functional as F

from vectors import central_differences


def projection(x, w, gamma, eps):
    return F.layer_norm(x @ w.T, gamma.shape, gamma, None, eps)


def cell(a, c, gamma, beta, eps):
    i, f, g, o = a.chunk(4, dim=1)
    c_next = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(F.layer_norm(c_next, gamma.shape, gamma, beta, eps)), c_next


def slopes(values, loss):
    """The slopes of loss(values), by autograd, which central differences must agree with."""
    values = [value.clone() for value in values]
    numeric = [central_differences(lambda: loss(*values).item(), value, 1e-5 * value.abs().mean().item() + 1e-7)
               for value in values]
    for value in values:
        value.requires_grad_()
    loss(*values).backward()
    for value, slope in zip(values, numeric):
        largest = max(value.grad.abs().max().item(), 1)
        assert (value.grad - slope).abs().max() <= 2e-5 * largest, (value.grad, slope)
    return [value.grad for value in values]


def lstm_project(args):
    return {"a": projection(args["x"], args["w"], args["gamma"], args["eps"])}


def lstm_project_backward(args):
    def loss(x, w, gamma):
        return (projection(x, w, gamma, args["eps"]) * args["da"]).sum()

    return dict(zip(("dx", "dw", "dgamma"), slopes([args[name] for name in ("x", "w", "gamma")], loss)))


def lstm_cell(args):
    h_next, c_next = cell(*(args[name] for name in ("a", "c", "gamma", "beta", "eps")))
    return {"h_next": h_next, "c_next": c_next}


def lstm_cell_backward(args):
    def loss(*values):
        h_next, c_next = cell(*values, args["eps"])
        return (h_next * args["dh_next"] + c_next * args["dc_next"]).sum()

    return dict(zip(("da", "dc", "dgamma", "dbeta"),
                    slopes([args[name] for name in ("a", "c", "gamma", "beta")], loss)))


def walk(args, xs, start, weights, gates, norm):
    """h behind every step, and the last c."""
    h, c = start
    w_x, w_h = weights.split([args["inputs"], args["hidden"]], dim=1)
    gamma_x, gamma_h, bias = gates
    hs = []
    for x in xs:
        a = projection(x, w_x, gamma_x, args["eps"]) + projection(h, w_h, gamma_h, args["eps"]) + bias
        h, c = cell(a, c, *norm, args["eps"])
        hs.append(h)
    return torch.stack(hs), c


ARRAYS = ("xs", "start", "weights", "gates", "norm")


def forward_steps(args):
    hs, c = walk(args, *(args[name] for name in ARRAYS))
    return {"hs": hs, "c_end": c}


def backward_steps(args):
    found = slopes([args[name] for name in ARRAYS],
                   lambda *values: (walk(args, *values)[0] * args["dhs"]).sum())
    return {"d" + name: slope for name, slope in zip(ARRAYS, found)}


FUNCTIONS = {f.__name__: f for f in (lstm_project, lstm_project_backward, lstm_cell, lstm_cell_backward,
                                     forward_steps, backward_steps)}


def projection_case(draw, batch, inputs, hidden, eps, spread=1.0, offset=0.0):
    return {"batch": batch, "inputs": inputs, "hidden": hidden, "eps": draw.f32(eps),
            "x": draw.normal((batch, inputs), spread), "w": draw.normal((4 * hidden, inputs), 1.0, offset),
            "gamma": draw.away_from_one(4 * hidden)}


def with_zeros(case):
    case["x"][::2] = 0
    return case


def cell_case(draw, batch, hidden, eps, spread=1.0, of_a=1.5):
    return {"batch": batch, "hidden": hidden, "eps": draw.f32(eps), "a": draw.normal((batch, 4 * hidden), of_a),
            "c": draw.normal((batch, hidden), spread, 0.3), "gamma": draw.away_from_one(hidden),
            "beta": draw.uniform(hidden, -1, 1)}


def shut(case, gate):
    """Of the gates i, f, g, o one so far shut that nothing passes it."""
    hidden = case["hidden"]
    case["a"][:, gate * hidden:(gate + 1) * hidden] = -40
    return case


def walk_case(draw, steps, batch, inputs, hidden, eps, from_zero=False):
    start = torch.stack([draw.uniform((batch, hidden), -0.8, 0.8), draw.normal((batch, hidden))])
    gates = torch.stack([draw.uniform(4 * hidden, 0.3, 1), draw.uniform(4 * hidden, 0.1, 0.4),
                         draw.normal(4 * hidden)])
    return {"steps": steps, "batch": batch, "inputs": inputs, "hidden": hidden, "eps": draw.f32(eps),
            "xs": draw.normal((steps, batch, inputs)), "start": 0 * start if from_zero else start,
            "weights": draw.normal((4 * hidden, inputs + hidden), 0.6), "gates": gates,
            "norm": torch.stack([draw.uniform(hidden, 0.3, 1), draw.uniform(hidden, -1, 1)])}


PROJECTIONS = [(3, 5, 2, 1e-3, [0.3, 2.0, 10.0], 0.0), (4, 2, 3, 1e-5, [1.0, 0.02, 5.0, 0.4], 0.0),
               (2, 3, 4, 0.5, [1.0, 0.3], 2.0), (5, 1, 1, 1e-3, 1.0, 0.0), (1, 4, 5, 0.0, 2.0, 0.5)]
CELLS = [(3, 5, 1e-3, [1.0, 0.1, 20.0], 1.5), (2, 3, 0.1, [0.3, 3.0], 1.0), (4, 2, 1e-2, 1.0, 3.0),
         (1, 7, 0.0, 1.0, 1.5), (3, 1, 0.1, 1.0, 1.0)]


def cases(draw):
    # The page's numbers first: a learner can follow them on paper.
    paper = {"batch": 1, "inputs": 2, "hidden": 1, "eps": 0.0, "x": draw.values([2, 1]),
             "w": draw.values([1, -2], [2, 2], [3, 2], [1, 4]), "gamma": draw.values(3, 6, 1, 3)}
    yield "project", "the row of the page", "lstm_project", paper
    for batch, inputs, hidden, eps, spread, offset in PROJECTIONS:
        label = f"{batch} x {inputs}, hidden {hidden}, eps {eps:g}"
        case = projection_case(draw, batch, inputs, hidden, eps, spread, offset)
        yield "project", label, "lstm_project", case
    yield "zeros", "3 x 4, hidden 2", "lstm_project", with_zeros(projection_case(draw, 3, 4, 2, 1e-5))

    yield ("project, backward", "the row of the page", "lstm_project_backward",
           {**paper, "da": draw.values([1, 0, 2, 1])})
    for batch, inputs, hidden, eps, spread, offset in PROJECTIONS:
        label = f"{batch} x {inputs}, hidden {hidden}, eps {eps:g}"
        case = projection_case(draw, batch, inputs, hidden, eps, spread, offset)
        yield ("project, backward", label, "lstm_project_backward",
               {**case, "da": draw.normal((batch, 4 * hidden))})
    yield ("zeros, backward", "3 x 4, hidden 2", "lstm_project_backward",
           {**with_zeros(projection_case(draw, 3, 4, 2, 1e-5)), "da": draw.normal((3, 8))})

    page = {"batch": 1, "hidden": 2, "eps": draw.f32(0.09), "c": draw.values([1, -0.6]),
            "a": draw.values([-1.0986, 0, 1.0986, 0, 0.6931, 1.0986, 0, 1.0986]),
            "gamma": draw.values(1, 2), "beta": draw.values(0.2986, 0.9069)}
    yield "cell", "the two units of the page", "lstm_cell", page
    for name in "ifo":
        yield ("cell", f"2 x 3, {name} shut", "lstm_cell",
               shut(cell_case(draw, 2, 3, 0.1), "ifgo".index(name)))
    for batch, hidden, eps, spread, of_a in CELLS:
        yield ("cell", f"{batch} x {hidden}, eps {eps:g}", "lstm_cell",
               cell_case(draw, batch, hidden, eps, spread, of_a))

    yield ("cell, backward", "the two units of the page", "lstm_cell_backward",
           {**page, "dh_next": draw.values([3, -1]), "dc_next": draw.values([0.26, 0.04])})
    for batch, hidden, eps, spread, of_a in CELLS[:-1]:
        case = cell_case(draw, batch, hidden, eps, spread, of_a)
        yield ("cell, backward", f"{batch} x {hidden}, eps {eps:g}", "lstm_cell_backward",
               {**case, "dh_next": draw.normal((batch, hidden)), "dc_next": draw.normal((batch, hidden))})

    for steps, group in ((1, "one step"), (8, "eight steps")):
        for batch, inputs, hidden, eps in ((1, 2, 3, 1e-2), (2, 3, 4, 1e-2)):
            args = walk_case(draw, steps, batch, inputs, hidden, eps, from_zero=batch == 2)
            label = f"{batch} x {inputs}, hidden {hidden}" + ", from 0" * (batch == 2)
            yield group, label, "forward_steps", {**args, "at_once": batch}
            yield (f"{group}, backward", label, "backward_steps",
                   {**args, "dhs": draw.normal((steps, batch, hidden))})
