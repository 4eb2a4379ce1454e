"""Lesson 16: the truth, from PyTorch in float64, and the cases of vectors.json.

PyTorch is asked about the dense rows, made of the sparse ones by its own sparse tensors: its layer norm,
and its linear layer behind that. What the lesson's functions give in parts is held against it.
"""

import torch
import torch.nn.functional as F


def row_of(start):
    """Of each non-zero, the row that it is in."""
    return torch.repeat_interleave(torch.arange(len(start) - 1), start[1:] - start[:-1])


def dense(args, values):
    """rows x features; for functions that do not ask for columns, from column 0 on."""
    row = row_of(args["start"])
    column = args.get("column", torch.arange(len(row)) - args["start"][row])
    size = (args["rows"], args["features"])
    return torch.sparse_coo_tensor(torch.stack([row, column]), values, size).to_dense()


def sparse_statistics(args):
    variance, mean = torch.var_mean(dense(args, args["value"]), dim=-1, unbiased=False)
    return {"mean": mean, "rstd": 1 / torch.sqrt(variance + args["eps"])}


def sparse_layer_norm(args):
    statistics, row = sparse_statistics(args), row_of(args["start"])
    base = -statistics["mean"] * statistics["rstd"]
    delta = args["value"] * statistics["rstd"][row]
    normalized = F.layer_norm(dense(args, args["value"]), (args["features"],), eps=args["eps"])
    assert torch.allclose(base[:, None] + dense(args, delta), normalized, rtol=1e-9, atol=1e-9)
    return {"base": base, "delta": delta}


def sparse_norm_linear(args):
    """Of the given numbers, which are rounded; that these are PyTorch's layers is asserted where they are
    made, in linear_case()."""
    everywhere = args["base"][:, None] * args["wg"] + args["wb"]
    return {"y": everywhere + F.linear(dense(args, args["delta"]) * args["gamma"], args["w"])}


FUNCTIONS = {"sparse_statistics": sparse_statistics, "sparse_layer_norm": sparse_layer_norm,
             "sparse_norm_linear": sparse_norm_linear}


def rows_case(draw, features, counts, spread=1.0, offset=0.0, eps=1e-5, zero_at=None):
    """One row for each count of non-zeros; number `zero_at` of them is a 0 that is stored."""
    counts = torch.tensor(counts)
    start = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
    value = draw.normal((int(start[-1]),), spread, offset)
    if zero_at is not None:
        value[zero_at] = 0
    return {"start": start, "value": value, "rows": len(counts), "features": features,
            "nonzeros": int(start[-1]), "eps": draw.f32(eps)}


def columns(draw, args):
    counts = (args["start"][1:] - args["start"][:-1]).tolist()
    chosen = [torch.argsort(draw.uniform(args["features"]))[:count] for count in counts]
    return torch.cat(chosen).long()


def linear_case(args, column, w, gamma, beta):
    """As a sparse_layer_norm hands them on: rounded to float32."""
    exactly = sparse_layer_norm({**args, "column": column})
    sizes = {name: args[name] for name in ("rows", "features", "nonzeros", "start")}
    layer = {"column": column, "w": w, "gamma": gamma, "wg": w @ gamma, "wb": w @ beta,
             "outputs": len(w), **sizes}
    normalized = F.layer_norm(dense(layer, args["value"]), (args["features"],), gamma, beta, args["eps"])
    y = sparse_norm_linear({**layer, **exactly})["y"]
    assert torch.allclose(y, F.linear(normalized, w), rtol=1e-9, atol=1e-9 * y.abs().max().item())
    rounded = {name: (exactly | layer)[name].float().double() for name in ("base", "delta", "wg", "wb")}
    return {**layer, **rounded}


def drawn_linear_case(draw, outputs, args):
    features = args["features"]
    return linear_case(args, columns(draw, args), draw.normal((outputs, features)),
                       draw.away_from_one(features), draw.uniform(features, -2, 2))


# features, non-zeros of each row, spread, offset, eps, which of them is 0
SEVERAL = [(5, [2, 1, 3], 2.0, 0.5, 1e-3, None), (11, [4, 2], 0.3, 3.0, 1e-5, None),
           (7, [3, 6, 1, 5], 10.0, -1.0, 1e-5, 2), (64, [5, 3, 20], 0.02, 2.0, 1e-4, None),
           (13, [4], 100.0, 1.0, 0.0, None)]
ENDS = [(6, [0, 3, 0, 6], 2.0, 1.0, 1e-3, None), (4, [0, 0], 1.0, 0.0, 1e-5, None),
        (1, [0, 1, 1, 0], 1.0, 2.0, 1e-3, None), (5, [5, 5], 3.0, -2.0, 1e-5, None),
        (9, [3, 1, 2], 1.0, 1.0, 1e-2, 3), (1, [1], 0.5, -1.0, 1e-4, None)]
FAR = [(8, [8], 1.0, 1000.0, 1e-5, None), (5, [5, 4, 5], 0.1, -1000.0, 1e-5, None),
       (12, [12, 11, 12], 3.0, 500.0, 1e-5, None), (6, [6, 6], 0.02, 700.0, 1e-6, None)]


def label(args):
    return f"{args['rows']} x {args['features']}, {args['nonzeros']} non-zeros"


def cases(draw):
    # The lesson's rows first: a learner can follow them on paper.
    paper = {"start": torch.tensor([0, 2, 5]), "value": draw.values(6, 2, 8, 6, 2), "rows": 2,
             "features": 8, "nonzeros": 5, "eps": 0.0}
    column = torch.tensor([2, 5, 3, 7, 0])
    w = draw.values([3, 0, 1, 1, 2, 2, 0, 1], [0, 1, 2, 1, 0, -1, 4, 0])
    gamma, beta = draw.values(1, 2, 1, 3, 1, 2, 1, 2), draw.values(0, 1, 0, 0, 2, 0, 0, 1)
    for group, function in (("statistics", "sparse_statistics"), ("norm", "sparse_layer_norm")):
        yield group, "the rows of the page", function, paper
        for kind, several in ("", SEVERAL), (", ends", ENDS), (", far from zero", FAR):
            for case in several:
                args = rows_case(draw, *case)
                yield group + kind, label(args), function, args
    yield ("linear, on paper", "the rows of the page", "sparse_norm_linear",
           linear_case(paper, column, w, gamma, beta))
    for kind, several in ("", SEVERAL), (", ends", ENDS):
        for i, case in enumerate(several):
            args = rows_case(draw, *case)
            yield (f"linear{kind}", label(args), "sparse_norm_linear",
                   drawn_linear_case(draw, 2 + i % 3, args))
