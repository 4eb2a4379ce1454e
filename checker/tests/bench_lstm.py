"""For make bench: the same updates of a normalized LSTM by lesson 12's solution (bench_lstm.c, the
argument) and by PyTorch, in turn, on one thread. Their losses must agree, or it is not the same."""

import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

try:
    import torch
    from torch.nn.functional import cross_entropy, layer_norm, linear
except ImportError:
    sys.exit("torch")

SIDE, HIDDEN, BATCH, DIGITS = 28, 128, 64, 10
GATES, UPDATES, RATE, EPS, ROUNDS = 4 * HIDDEN, 20, 0.01, 1e-5, 5


def ours(program, folder):
    """The loss, the seconds, and what it began with."""
    file = pathlib.Path(folder) / "start"
    said = subprocess.run([program, file], stdout=subprocess.PIPE, text=True, check=True).stdout
    loss, seconds = map(float, said.split())
    data = file.read_bytes()
    digits = struct.unpack(f"{BATCH}i", data[-4 * BATCH:])
    return loss, seconds, list(struct.unpack(f"{(len(data) - 4 * BATCH) // 4}f", data[:-4 * BATCH])), digits


def tensors(values):
    """In the order of Weights (lab_reader.h), then the images."""
    shapes = [(GATES, SIDE), (GATES, HIDDEN), (GATES,), (GATES,), (GATES,), (HIDDEN,), (HIDDEN,),
              (HIDDEN, DIGITS), (DIGITS,), (SIDE, BATCH, SIDE)]
    values = torch.tensor(values)
    return [part.reshape(shape) for part, shape in
            zip(values.split([torch.Size(shape).numel() for shape in shapes]), shapes)]


def scores(x, wx, wh, bias, gamma_x, gamma_h, gamma, beta, answer, answer_bias):
    h = c = torch.zeros(BATCH, HIDDEN)
    from_x = layer_norm(linear(x, wx), (GATES,), gamma_x, None, EPS)
    for row in from_x:
        a = row + layer_norm(linear(h, wh), (GATES,), gamma_h, None, EPS) + bias
        i, f, g, o = a.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(layer_norm(c, (HIDDEN,), gamma, beta, EPS))
    return h @ answer + answer_bias


def theirs(values, digits):
    *weights, x = tensors(values)
    weights = [w.clone().requires_grad_() for w in weights]
    digits = torch.tensor(digits)
    begin = time.process_time()
    for _ in range(UPDATES):
        loss = cross_entropy(scores(x, *weights), digits)
        slopes = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for weight, slope in zip(weights, slopes):
                weight -= RATE * slope
    return loss.item(), time.process_time() - begin


def blas():
    """Which library multiplies PyTorch's matrices: it decides much."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {pathlib.Path(line.split()[-1]).resolve() for line in maps if "/" in line}
    return ", ".join(sorted(file.name for file in files if "blas" in file.name.lower())) or "its own"


def main(program):
    torch.set_num_threads(1)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS + 1):
            loss, seconds, values, digits = ours(program, folder)
            other, other_seconds = theirs(values, digits)
            if abs(loss - other) > 1e-3:
                sys.exit(f"The losses differ, {loss} and {other}: this is not the same network")
            times.append((seconds, other_seconds))
    mine, torchs = (statistics.median(column) for column in zip(*times[1:]))  # the first one warms up
    library = blas() if pathlib.Path("/proc/self/maps").exists() else "unknown"
    for what, value in (
            (f"normalized LSTM, {UPDATES} updates, hidden {HIDDEN}, batch {BATCH}, 1 thread", f"{mine:.3f} s"),
            (f"  the same in PyTorch {torch.__version__.split('+')[0]} (BLAS: {library})", f"{torchs:.3f} s"),
            ("  over PyTorch's time (at most 0.8)", f"{mine / torchs:.2f}")):
        print(f"{what:<62} {value}")


if __name__ == "__main__":
    main(sys.argv[1])
