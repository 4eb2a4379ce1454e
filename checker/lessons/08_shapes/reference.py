"""Lesson 08: the truth, from PyTorch in float64, and the cases of vectors.json.

layer_norm_axis is PyTorch's layer norm of a tensor whose middle axis was moved to the end. The other
four are taken from what PyTorch has for them, and each is held against that one as well: they are it
with other sizes."""

import torch
import torch.nn.functional as F


def axis(x, outer, features, inner, eps):
    moved = x.reshape(outer, features, inner).transpose(1, 2)
    return F.layer_norm(moved, (features,), None, None, eps).transpose(1, 2)


def the_same(y, other):
    assert (y - other.reshape(y.shape)).abs().max() <= 1e-12 * max(1, y.abs().max())
    return y


def layer_norm_axis(args):
    return {"y": axis(args["x"], args["outer"], args["features"], args["inner"], args["eps"])}


def module(shape, args):
    """torch.nn.LayerNorm with this gamma and beta."""
    norm = torch.nn.LayerNorm(shape, eps=args["eps"], dtype=torch.float64)
    norm.weight.data, norm.bias.data = args["gamma"], args["beta"]
    return norm


def layer_norm_text(args):
    x, gamma, beta = args["x"], args["gamma"], args["beta"]
    batch, time, features = x.shape
    y = module([features], args)(x)
    by_axis = axis(x, batch * time, features, 1, args["eps"]).reshape(x.shape)
    return {"y": the_same(y, gamma * by_axis + beta)}


def layer_norm_image(args):
    x, gamma, beta = args["x"], args["gamma"], args["beta"]
    y = module(list(x.shape[1:]), args)(x)
    by_axis = axis(x, x.shape[0], x[0].numel(), 1, args["eps"]).reshape(x.shape)
    return {"y": the_same(y, gamma * by_axis + beta)}


def layer_norm_pixels(args):
    x, gamma, beta = args["x"], args["gamma"], args["beta"]
    batch, channels, height, width = x.shape
    y = module([channels], args)(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
    by_axis = axis(x, batch, channels, height * width, args["eps"]).reshape(x.shape)
    return {"y": the_same(y, gamma[:, None, None] * by_axis + beta[:, None, None])}


def layer_norm_series(args):
    x, gamma, beta = args["x"], args["gamma"], args["beta"]
    batch, time, channels = x.shape
    y = torch.zeros_like(x)
    for b, length in enumerate(args["length"].tolist()):
        real = x[b, :length].T  # channels first: each is one row
        scaled = gamma[:, None] * F.layer_norm(real, (length,), None, None, args["eps"])
        y[b, :length] = (scaled + beta[:, None]).T
        by_axis = axis(x[b, :length], 1, length, channels, args["eps"])[0]
        the_same(y[b, :length], gamma * by_axis + beta)
        if length > 1:  # PyTorch's instance norm refuses a single step
            by_instance = F.instance_norm(real[None], weight=gamma, bias=beta, eps=args["eps"])[0]
            the_same(y[b, :length], by_instance.T)
    return {"y": y}


FUNCTIONS = {"layer_norm_axis": layer_norm_axis, "layer_norm_text": layer_norm_text,
             "layer_norm_image": layer_norm_image, "layer_norm_pixels": layer_norm_pixels,
             "layer_norm_series": layer_norm_series}

# The eight numbers of the lesson, in the order of memory: every function sees them its own way.
EIGHT = [1.0, 3.0, 9.0, 3.0, 7.0, 11.0, 7.0, 11.0]


def scales(draw, shape):
    return {"gamma": draw.away_from_one(shape), "beta": draw.uniform(shape, -2, 2)}


def sizes(names, shape):
    return dict(zip(names.split(), shape))


def series(draw, x, length, eps=1e-5, **more):
    shape = sizes("batch time channels", x.shape)
    return {**shape, "eps": draw.f32(eps), "x": x, "length": torch.tensor(length),
            **(more or scales(draw, x.shape[2]))}


def cases(draw):
    def eight(*shape):
        return draw.values(EIGHT).reshape(shape)

    # The page's eight numbers first. After them: groups of other spreads, far from zero, of one number.
    yield ("axis", "1 x 4 x 2, the eight numbers", "layer_norm_axis",
           {**sizes("outer features inner", (1, 4, 2)), "eps": 0.0, "x": eight(1, 4, 2)})
    for shape, spread, offset, eps in (((2, 3, 5), 2.0, 0.5, 1e-5), ((3, 5, 1), 0.05, -1.0, 1e-3),
                                       ((1, 6, 4), 1.0, 300.0, 1e-5), ((2, 4, 3), 3.0, 0.0, 0.0),
                                       ((3, 2, 7), 20.0, -30.0, 1e-5)):
        yield ("axis", " x ".join(map(str, shape)), "layer_norm_axis",
               {**sizes("outer features inner", shape), "eps": draw.f32(eps),
                "x": draw.normal(shape, spread, offset)})

    names = "batch time features"
    yield ("text", "1 x 2 x 4, the eight numbers", "layer_norm_text",
           {**sizes(names, (1, 2, 4)), "eps": 0.0, "x": eight(1, 2, 4),
            "gamma": draw.values(6, 3, 6, 3), "beta": draw.values(0, 0, 0, 1)})
    for shape, spread, offset, eps in (((2, 3, 5), [0.3, 2.0, 1.0, 5.0, 0.1, 1.0], 0.5, 1e-5),
                                       ((3, 4, 3), 0.05, -1.0, 1e-3), ((1, 3, 8), 1.0, 300.0, 1e-5),
                                       ((2, 2, 6), 3.0, 0.0, 0.0), ((4, 1, 2), 1.0, 0.0, 1e-5)):
        yield ("text", " x ".join(map(str, shape)), "layer_norm_text",
               {**sizes(names, shape), "eps": draw.f32(eps), "x": draw.normal(shape, spread, offset),
                **scales(draw, shape[2])})

    names = "batch channels height width"
    yield ("image", "1 x 2 x 2 x 2, the eight numbers", "layer_norm_image",
           {**sizes(names, (1, 2, 2, 2)), "eps": 0.0, "x": eight(1, 2, 2, 2),
            "gamma": torch.ones((2, 2, 2), dtype=torch.float64),
            "beta": torch.zeros((2, 2, 2), dtype=torch.float64)})
    for shape, spread, offset, eps in (((2, 3, 2, 4), 2.0, 0.5, 1e-5), ((3, 2, 3, 1), 0.05, -1.0, 1e-3),
                                       ((2, 2, 1, 5), 1.0, 300.0, 1e-5), ((2, 4, 2, 2), 3.0, 0.0, 0.0)):
        yield ("image", " x ".join(map(str, shape)), "layer_norm_image",
               {**sizes(names, shape), "eps": draw.f32(eps), "x": draw.normal(shape, spread, offset),
                **scales(draw, shape[1:])})

    yield ("pixels", "1 x 4 x 1 x 2, the eight numbers", "layer_norm_pixels",
           {**sizes(names, (1, 4, 1, 2)), "eps": 0.0, "x": eight(1, 4, 1, 2),
            "gamma": draw.values(3, 3, 6, 6), "beta": draw.values(0, 0, 0, 0)})
    for shape, spread, offset, eps in (((2, 3, 2, 4), 2.0, 0.5, 1e-5), ((3, 5, 1, 3), 0.05, -1.0, 1e-3),
                                       ((2, 6, 2, 2), 1.0, 300.0, 1e-5), ((2, 4, 3, 2), 3.0, 0.0, 0.0)):
        yield ("pixels", " x ".join(map(str, shape)), "layer_norm_pixels",
               {**sizes(names, shape), "eps": draw.f32(eps), "x": draw.normal(shape, spread, offset),
                **scales(draw, shape[1])})

    two = {"gamma": draw.values(3, 4), "beta": draw.values(10, 20)}
    yield ("whole series", "1 x 4 x 2, the eight numbers", "layer_norm_series",
           series(draw, eight(1, 4, 2), [4], 0.0, **two))
    units = draw.values(20.0, 101325.0, 0.5)
    for batch, time, eps in ((2, 5, 1e-5), (3, 4, 1e-3), (1, 7, 0.0)):
        x = units * (1 + 0.01 * draw.normal((batch, time, 3)))
        yield ("whole series", f"{batch} x {time} x 3, of different units", "layer_norm_series",
               series(draw, x.float().double(), [time] * batch, eps))
    yield ("whole series", "2 x 6 x 2", "layer_norm_series",
           series(draw, draw.normal((2, 6, 2), 1.0, 300.0), [6, 6]))

    padded = draw.values(EIGHT + [99.0, 99.0]).reshape(1, 5, 2)
    yield ("padded series", "1 x 5 x 2, the eight numbers and a step behind them", "layer_norm_series",
           series(draw, padded, [4], 0.0, **two))
    for shape, length, spread, offset in (((3, 6, 2), [6, 2, 4], 2.0, 0.5), ((2, 5, 4), [3, 5], 0.3, -1.0),
                                          ((3, 4, 3), [1, 4, 2], 1.0, 1.0), ((2, 9, 1), [4, 7], 5.0, 100.0)):
        yield ("padded series", " x ".join(map(str, shape)) + f", lengths {length}", "layer_norm_series",
               series(draw, draw.normal(shape, spread, offset), length))
