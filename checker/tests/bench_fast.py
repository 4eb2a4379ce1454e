"""For make bench: lesson 17's solution against the fastest others, one thread each, in one run.

The arguments: the library of bench_fast.c, the solution's, and the solution's with -DTHREADS=2. A round measures
each once, in an order that is drawn, on numbers that are drawn for each. What is shown is the median of the rounds'
ratios, the solution's time over the other's; where the machine has other things to do, times are the processor's.
Then the solution with its own two threads over itself with one, and the same of a copy: by the clock, the least
times of all rounds.
"""

import ctypes
import math
import os
import random
import statistics
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"  # for oneDNN, before it is loaded
try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

SHAPES = [(8192, 768, 1), (2048, 4096, 1), (32, 65536, 1), (64, 768, 8), (1, 768, 512), (100000, 8, 1)]
LIMITS = {"forward": [.90, .70, .72, .88, 1.0, .35], "backward": [.72, .62, .60, .62, .40, .35]}
ROUNDS = 41
LINE = 64  # bytes: where frameworks let an array begin
OURS, COPY = "the solution", "a copy"
Floats = ctypes.POINTER(ctypes.c_float)


class Arrays(ctypes.Structure):
    """As bench_fast.c has them."""

    LARGE, ROWS = ("y", "dx", "x", "dy"), ("mean", "rstd", "variance")
    NAMES = ["y", "dx", "dgamma", "dbeta", "x", "dy", "gamma", "beta", "mean", "rstd", "variance"]
    _fields_ = [(name, Floats) for name in NAMES] + [(name, ctypes.c_int) for name in ("rows", "features", "calls")]

    def __init__(self, rows, features, calls):
        super().__init__(rows=rows, features=features, calls=calls)
        self.rooms = {}
        for name in self.NAMES:
            count = calls * (rows * features if name in self.LARGE else rows if name in self.ROWS else features)
            room = bytearray(4 * count + LINE)
            begin = ctypes.addressof(ctypes.c_char.from_buffer(room))
            skipped = -begin % LINE
            self.rooms[name] = room, skipped, count
            setattr(self, name, ctypes.cast(begin + skipped, Floats))

    def tensor(self, name, *shape):
        room, skipped, count = self.rooms[name]
        return torch.frombuffer(room, dtype=torch.float32, count=count, offset=skipped).reshape(self.calls, *shape)

    def some(self, backward):
        """Of each output numbers from its beginning and its end."""
        found = []
        for name in ("dx", "dgamma", "dbeta") if backward else ("y",):
            count = self.rooms[name][2]
            found += [getattr(self, name)[i] for i in {*range(min(99, count)), *range(max(0, count - 99), count)}]
        return found


def pytorch(arrays, backward, seconds):
    rows, n = arrays.rows, arrays.features
    x, gamma, beta = arrays.tensor("x", rows, n), arrays.tensor("gamma", n), arrays.tensor("beta", n)
    dy, mean, rstd = arrays.tensor("dy", rows, n), arrays.tensor("mean", rows, 1), arrays.tensor("rstd", rows, 1)
    function, work = torch.native_layer_norm, [(x[c], [n], gamma[c], beta[c], 1e-5) for c in range(arrays.calls)]
    if backward:
        function = torch.ops.aten.native_layer_norm_backward
        work = [(dy[c], x[c], [n], mean[c], rstd[c], gamma[c], beta[c], [True] * 3) for c in range(arrays.calls)]

    def run():
        begin = seconds()
        with torch.no_grad():
            for given in work:
                function(*given)
        return seconds() - begin
    return run


def entrants(library, solution, arrays, backward):
    """Who takes part, by name: each a function that gives its seconds."""
    direction, suffix = ("backward", "_backward_fast") if backward else ("forward", "_fast")
    run, given = getattr(library, "time_" + direction), ctypes.byref(arrays)
    run.restype = library.time_copy.restype = library.seconds.restype = ctypes.c_double
    ours = getattr(solution, "layer_norm" + suffix)
    loops = getattr(library, "two_loops_back" if backward else "three_loops")
    found = {OURS: lambda: run(ours, given), COPY: lambda: library.time_copy(given, backward),
             "llm.c's loops": lambda: run(loops, given)}
    if hasattr(library, "dnnl_ready") and library.dnnl_ready(given, backward):
        library.time_dnnl.restype = ctypes.c_double
        found["oneDNN"] = lambda: library.time_dnnl(given)
    if torch:
        found["PyTorch"] = pytorch(arrays, backward, library.seconds)
    return found


def check(library, arrays, backward, found):
    """They all do the same, or nothing is measured."""
    given, kept = ctypes.byref(arrays), None
    for name in found:
        library.fill(given, backward, 7)
        if math.isnan(found[name]()):
            sys.exit(f"{name} failed")
        kept = kept or arrays.some(backward)
        close = 1e-3 * max(map(abs, kept))
        if name not in (COPY, "PyTorch") and any(abs(a - b) > close for a, b in zip(kept, arrays.some(backward))):
            sys.exit(f"{name} gives other numbers than {OURS}")


def measure(library, solution, shape, backward):
    arrays = Arrays(*shape)
    found = entrants(library, solution, arrays, backward)
    check(library, arrays, backward, found)
    times = {name: [] for name in found}
    for _ in range(ROUNDS):
        for name in random.sample(list(found), len(found)):
            library.fill(ctypes.byref(arrays), backward, random.getrandbits(32))
            times[name].append(found[name]())
    mine = times.pop(OURS)
    return {name: statistics.median(a / b for a, b in zip(mine, column)) for name, column in times.items()}


def clocked(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def threads(library, solution, in_two, shape, backward):
    """Two over one: the solution's time, and that of a copy of the same bytes."""
    arrays = Arrays(*shape)
    given, least = ctypes.byref(arrays), [math.inf] * 4
    run = library.time_backward if backward else library.time_forward
    name = "layer_norm_backward_fast" if backward else "layer_norm_fast"
    work = [lambda: run(getattr(in_two, name), given), lambda: run(getattr(solution, name), given),
            lambda: library.copy_in_two(given, backward), lambda: library.time_copy(given, backward)]
    for _ in range(ROUNDS):
        library.fill(given, backward, random.getrandbits(32))
        for i in random.sample(range(4), 4):
            least[i] = min(least[i], clocked(work[i]))
    return least[0] / least[1], least[2] / least[3]


def main(*libraries):
    library, solution, in_two = (ctypes.CDLL(os.path.abspath(path)) for path in libraries)
    print(f"lesson 17's solution over the best other's time, 1 thread, medians of {ROUNDS} rounds:")
    for direction, limits in LIMITS.items():
        for shape, limit in zip(SHAPES, limits):
            shares = measure(library, solution, shape, direction == "backward")
            copy = shares.pop(COPY)
            most = max(shares, key=shares.get)
            others = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
            what = f"  {direction}, {shape[0]} x {shape[1]} (at most {limit:.2f})"
            print(f"{what:<62} {shares[most]:.2f}   (over {others}; a copy {copy:.2f})")
    for direction in LIMITS:
        for shape in SHAPES:
            ours, copy = threads(library, solution, in_two, shape, direction == "backward")
            what = f"  {direction}, 2 threads over 1, {shape[0]} x {shape[1]}; of a copy"
            print(f"{what:<62} {ours:.2f}; {copy:.2f}" if shape[2] == 1 else f"{what[:-11]:<62} {ours:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
