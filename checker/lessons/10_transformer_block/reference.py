"""Lesson 10: the truth, from PyTorch in float64, and the cases of vectors.json.

The attention is PyTorch's multi_head_attention, the block its TransformerEncoderLayer as it comes, but
for dropout: post-norm, ReLU. Gradients stay on, since without them eval() takes a shorter way, which may
leave rows of padding out."""

import torch
import torch.nn.functional as F


def linear(args):
    return {"y": F.linear(args["x"], args["w"], args["b"])}


def softmax(args):
    return {"y": F.softmax(args["x"], dim=-1)}


def attention(args):
    tokens = args["x"].transpose(0, 1)  # PyTorch's time comes first
    w, b, size = args["w"], args["b"], args["features"]
    y, _ = F.multi_head_attention_forward(
        tokens, tokens, tokens, size, args["heads"],
        in_proj_weight=w[:3].reshape(3 * size, size), in_proj_bias=b[:3].reshape(-1), bias_k=None, bias_v=None,
        add_zero_attn=False, dropout_p=0.0, out_proj_weight=w[3], out_proj_bias=b[3], training=False,
        key_padding_mask=args["keep"] == 0, need_weights=True)
    return {"y": y.transpose(0, 1)}


def feed_forward(args):
    return {"y": F.linear(F.relu(F.linear(args["x"], args["w1"], args["b1"])), args["w2"], args["b2"])}


def encoder_block(args):
    size, norms = args["features"], args["norms"]
    layer = torch.nn.TransformerEncoderLayer(
        size, args["heads"], args["hidden"], dropout=0.0, activation="relu", layer_norm_eps=args["eps"],
        batch_first=True, norm_first=False, dtype=torch.float64).eval()
    w, b = args["attention_w"], args["attention_b"]
    layer.load_state_dict({
        "self_attn.in_proj_weight": w[:3].reshape(3 * size, size), "self_attn.in_proj_bias": b[:3].reshape(-1),
        "self_attn.out_proj.weight": w[3], "self_attn.out_proj.bias": b[3],
        "linear1.weight": args["w1"], "linear1.bias": args["b1"],
        "linear2.weight": args["w2"], "linear2.bias": args["b2"],
        "norm1.weight": norms[0], "norm1.bias": norms[1], "norm2.weight": norms[2], "norm2.bias": norms[3]})
    return {"y": layer(args["x"], src_key_padding_mask=args["keep"] == 0)}


FUNCTIONS = {"linear": linear, "softmax": softmax, "attention": attention, "feed_forward": feed_forward,
             "encoder_block": encoder_block}


def weights(draw, outputs, inputs):
    """Weights that keep the size of what goes through them."""
    return (draw.normal((outputs, inputs)) / inputs ** 0.5).float().double()


def linear_case(draw, rows, inputs, outputs):
    return {"rows": rows, "inputs": inputs, "outputs": outputs, "x": draw.normal((rows, inputs), 1.5, 0.5),
            "w": draw.away_from_one((outputs, inputs)), "b": draw.uniform(outputs, -2, 2)}


def rows_of(x):
    return {"rows": x.shape[0], "features": x.shape[1], "x": x}


def kept(*rows):
    return torch.tensor(rows, dtype=torch.int64)


def attention_case(draw, batch, time, features, heads, keep=None, spread=1.0):
    maps = torch.stack([weights(draw, features, features) for _ in range(4)])
    return {"batch": batch, "time": time, "features": features, "heads": heads,
            "x": draw.normal((batch, time, features), spread, 0.3),
            "keep": torch.ones((batch, time), dtype=torch.int64) if keep is None else keep,
            "w": maps, "b": draw.uniform((4, features), -1, 1)}


def feed_forward_case(draw, rows, features, hidden):
    return {"rows": rows, "features": features, "hidden": hidden, "x": draw.normal((rows, features), 1.5, 0.2),
            "w1": draw.away_from_one((hidden, features)), "b1": draw.uniform(hidden, -1, 1),
            "w2": draw.away_from_one((features, hidden)), "b2": draw.uniform(features, -1, 1)}


def block_case(draw, batch, time, features, heads, hidden, eps, keep=None):
    args = attention_case(draw, batch, time, features, heads, keep)
    args["attention_w"], args["attention_b"] = args.pop("w"), args.pop("b")
    gamma, beta = draw.away_from_one((2, features)), draw.uniform((2, features), -1, 1)
    return {**args, "hidden": hidden, "eps": draw.f32(eps), "w1": weights(draw, hidden, features),
            "b1": draw.uniform(hidden, -1, 1), "w2": weights(draw, features, hidden),
            "b2": draw.uniform(features, -1, 1),
            "norms": torch.stack([gamma[0], beta[0], gamma[1], beta[1]])}


def on_paper(draw, tokens, heads, keep):
    """The lesson's tokens, and four maps that change nothing."""
    x = draw.values(*tokens)
    time, features = x.shape
    return {"batch": 1, "time": time, "features": features, "heads": heads, "x": x.unsqueeze(0), "keep": keep,
            "w": torch.eye(features, dtype=torch.float64).repeat(4, 1, 1),
            "b": torch.zeros((4, features), dtype=torch.float64)}


def block_on_paper(draw):
    """A single token, so that attention has nothing to choose from. With the bias behind it x + attention(x) is
    no multiple of either, which a norm with eps 0 could not tell from it.
    """
    args = on_paper(draw, [[0, 6, 8, 9]], 1, kept([1]))
    args["attention_w"], args["attention_b"] = args.pop("w"), args.pop("b")
    args["attention_b"][3] = draw.values(2, 2, -2, 0)
    eye = torch.eye(4, dtype=torch.float64)
    return {**args, "hidden": 4, "eps": 0.0, "w1": eye, "b1": draw.values(0, 0, 0, 0), "w2": eye,
            "b2": draw.values(2, -3, -3, -1),
            "norms": draw.values([3, 3, 3, 3], [0, 0, 0, 0], [3, 3, 3, 3], [1, 1, 1, 1])}


def tokens_label(batch, time, features, heads):
    return f"{batch} x {time} x {features}, {heads} head{'s' * (heads > 1)}"


def cases(draw):
    # The lesson's examples first: a learner can follow them on paper.
    yield ("linear", "the row 1 2, to 2 outputs", "linear",
           {"rows": 1, "inputs": 2, "outputs": 2, "x": draw.values([1, 2]), "w": draw.values([3, 1], [-1, 2]),
            "b": draw.values(10, 0)})
    for rows, inputs, outputs in ((3, 5, 2), (1, 1, 4), (4, 2, 3), (2, 7, 1), (2, 4, 4), (3, 31, 5)):
        yield ("linear", f"{rows} x {inputs} to {rows} x {outputs}", "linear",
               linear_case(draw, rows, inputs, outputs))

    yield "small rows", "1 x 3, the row 1 1 3", "softmax", rows_of(draw.values([1, 1, 3]))
    for shape, spread in (((3, 5), 1.0), ((4, 2), [0.1, 1.0, 3.0, 10.0]), ((2, 1), 1.0), ((2, 11), 2.0),
                          ((5, 3), 1.5)):
        yield "small rows", f"{shape[0]} x {shape[1]}", "softmax", rows_of(draw.normal(shape, spread, -0.5))
    for label, rows in (("1 x 3, the row 1001 1001 1003", [[1001, 1001, 1003]]),
                        ("2 x 3, far below 0", [[-2000, -2001, -2003], [-5e4, -5e4, -5e4]]),
                        ("2 x 2, one row far above the other", [[5000, 5001], [-5000, -4999]]),
                        ("3 x 3, up to 3e38", [[3e38, 1, -3e38], [3e38, -3e38, 3e38], [-3e38, -3e38, -3e38]])):
        yield "any size", label, "softmax", rows_of(draw.values(*rows))

    paper = [[1, 1], [2, 0]]
    yield "one head", "the tokens 1 1 and 2 0", "attention", on_paper(draw, paper, 1, kept([1, 1]))
    for shape in ((1, 3, 4, 1), (2, 2, 3, 1), (1, 1, 2, 1), (1, 5, 1, 1)):
        yield "one head", tokens_label(*shape), "attention", attention_case(draw, *shape)
    yield "heads", "the tokens 1 1 and 2 0, 2 heads", "attention", on_paper(draw, paper, 2, kept([1, 1]))
    for shape in ((1, 3, 4, 2), (2, 3, 6, 2), (1, 4, 6, 3), (1, 2, 3, 3), (1, 5, 8, 2)):
        yield "heads", tokens_label(*shape), "attention", attention_case(draw, *shape)
    yield ("padding", "the tokens 1 1, 2 0 and 5 5, the last not kept", "attention",
           on_paper(draw, [*paper, [5, 5]], 1, kept([1, 1, 0])))
    for shape, keep in (((1, 3, 4, 2), kept([0, 1, 1])), ((2, 4, 6, 3), kept([1, 1, 1, 0], [1, 0, 0, 0])),
                        ((3, 3, 4, 1), kept([1, 1, 1], [0, 1, 0], [1, 0, 7])), ((1, 5, 6, 2), kept([0, 1, 0, 1, 1]))):
        yield "padding", tokens_label(*shape), "attention", attention_case(draw, *shape, keep)
    for spread, shape, keep in ((1e3, (1, 3, 4, 2), None), (1e17, (1, 3, 4, 1), kept([1, 0, 1])),
                                (1e17, (2, 4, 6, 3), kept([1, 1, 0, 0], [0, 0, 1, 0])), (1e6, (2, 2, 3, 1), None)):
        yield ("large scores", f"{tokens_label(*shape)}, x about {spread:g}", "attention",
               attention_case(draw, *shape, keep, spread))

    yield ("feed_forward", "the row 1 2, 3 hidden", "feed_forward",
           {"rows": 1, "features": 2, "hidden": 3, "x": draw.values([1, 2]),
            "w1": draw.values([1, 1], [1, -1], [0, 2]), "b1": draw.values(0, 0, -1),
            "w2": draw.values([1, 5, 0], [0, 5, 1]), "b2": draw.values(0, -10)})
    for rows, features, hidden in ((3, 4, 6), (1, 5, 1), (4, 1, 3), (2, 3, 3), (2, 6, 24)):
        yield ("feed_forward", f"{rows} x {features}, {hidden} hidden", "feed_forward",
               feed_forward_case(draw, rows, features, hidden))

    yield "block", "the token 0 6 8 9", "encoder_block", block_on_paper(draw)
    for shape, hidden, eps in (((1, 3, 4, 1), 6, 1e-5), ((2, 2, 6, 3), 4, 1e-3), ((1, 5, 4, 2), 16, 1e-5),
                               ((1, 2, 3, 1), 3, 0.1)):
        yield ("block", f"{tokens_label(*shape)}, {hidden} hidden", "encoder_block",
               block_case(draw, *shape, hidden, eps))
    for shape, hidden, keep in (((1, 3, 4, 2), 5, kept([1, 1, 0])), ((2, 3, 6, 2), 4, kept([0, 1, 1], [0, 1, 0])),
                                ((1, 4, 4, 1), 3, kept([1, 0, 0, 1]))):
        yield ("padded block", f"{tokens_label(*shape)}, {hidden} hidden", "encoder_block",
               block_case(draw, *shape, hidden, 1e-5, keep))
