"""Writes the reference vectors of the lessons, checker/lessons/NN_name/vectors.json, with PyTorch.

    /usr/bin/python3 checker/vectors.py [NN_name ...]           writes them
    /usr/bin/python3 checker/vectors.py --check [NN_name ...]   computes them again and compares

A lesson's checker/lessons/NN_name/reference.py says which cases there are and what the truth is. Two things
always hold here: every input is a number that float32 holds exactly, so that the learner's code and
PyTorch are asked the same question, and the truth is computed in float64. The drawing is seeded by
the lesson's name, so that a second run writes the same file, byte for byte.

Learners need neither this nor PyTorch: the files are committed.
"""

import importlib.util
import json
import math
import pathlib
import random
import sys

try:
    import torch
except ImportError:
    sys.exit("checker/vectors.py needs PyTorch for /usr/bin/python3: apt install python3-torch")

sys.dont_write_bytecode = True  # no __pycache__ in the lessons
LESSONS = pathlib.Path(__file__).resolve().parent / "lessons"
TOLERANCE = 1e-12  # of the largest number in an answer: what another build of PyTorch may change


class Draw:
    """Inputs for cases(): float64 tensors whose values float32 holds exactly. A shape is an int, or
    a tuple such as (rows, features)."""

    def __init__(self, lesson):
        self.lesson = lesson
        self.index = 0

    def normal(self, shape, spread=1.0, offset=0.0):
        """Rows of that spread around offset * spread. Either may be a list: one value per row."""
        rng = self._next()
        row, count = _length(shape, 1), _length(shape)

        def of_row(value, i):
            return value[i // row] if isinstance(value, (list, tuple)) else value

        return self._tensor(shape, [of_row(spread, i) * (of_row(offset, i) + rng.gauss(0, 1))
                                    for i in range(count)])

    def uniform(self, shape, low=-1.0, high=1.0):
        rng = self._next()
        return self._tensor(shape, [rng.uniform(low, high) for _ in range(_length(shape))])

    def away_from_one(self, shape):
        """For gamma: of both signs, all different, and clear of 0 and 1, where mistakes hide."""
        rng = self._next()
        count = _length(shape)
        sizes = [0.3 + 2.4 * (i + rng.random()) / (count + 1) for i in range(count)]
        sizes = [size + 0.3 if size > 0.8 else size for size in sizes]  # none in 0.8 .. 1.1
        rng.shuffle(sizes)
        return self._tensor(shape, [size if i % 2 == 0 else -size for i, size in enumerate(sizes)])

    def ints(self, shape, low, high):
        """Whole numbers from low to high, both included, for an array of ints."""
        rng = self._next()
        values = [rng.randint(low, high) for _ in range(_length(shape))]
        return torch.tensor(values, dtype=torch.int64).reshape(shape)

    def values(self, *values):
        """Numbers chosen by hand: draw.values(10, 50, 20), or rows of them as lists."""
        return torch.tensor(values, dtype=torch.float32).double()

    def f32(self, value):
        """The float32 nearest to `value`, for scalars: draw.f32(1e-5)."""
        return torch.tensor(value, dtype=torch.float32).item()

    def _next(self):
        self.index += 1
        return random.Random(f"{self.lesson} {self.index}")

    def _tensor(self, shape, values):
        shape = shape if isinstance(shape, (list, tuple)) else (shape,)
        return torch.tensor(values, dtype=torch.float32).double().reshape(shape)


def central_differences(loss, tensor, step):
    """The gradient of loss() with respect to `tensor`, which it is to read: for references to hold
    their backward passes against."""
    numeric = torch.zeros_like(tensor)
    with torch.no_grad():
        values, slopes = tensor.reshape(-1), numeric.reshape(-1)
        for i in range(len(values)):
            kept = values[i].item()
            values[i] = kept + step
            above = loss()
            values[i] = kept - step
            slopes[i] = (above - loss()) / (2 * step)
            values[i] = kept
    return numeric


def _length(shape, last=None):
    """Elements of a shape, or of its last dimensions only."""
    dims = list(shape) if isinstance(shape, (list, tuple)) else [shape]
    return math.prod(dims[-last:] if last else dims)


def lessons():
    return sorted(path.parent.name for path in LESSONS.glob("[0-9]*_*/reference.py"))


def compute(lesson):
    """The contents of the lesson's vectors.json."""
    spec = importlib.util.spec_from_file_location("reference", LESSONS / lesson / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    groups = {}
    for group, label, function, args in reference.cases(Draw(lesson)):
        case = make_case(f"{lesson}, {group}, {label}", label, function, args)
        copies = {name: value.clone() if torch.is_tensor(value) else value
                  for name, value in args.items()}
        answers = reference.FUNCTIONS[function](copies)
        case["wanted"] = {name: flat(answer) for name, answer in answers.items()}
        groups.setdefault(group, []).append(case)
    return {"groups": groups}


def make_case(where, label, function, args):
    """One case without its answers: ints are sizes, floats scalars, tensors arrays (of ints, if the
    tensor is), None is NULL. That the names are the header's is for the checker to say, when it
    reads the file."""
    case = {"label": label, "function": function, "sizes": {}, "scalars": {}, "given": {}}
    for name, value in args.items():
        if value is None:
            case["given"][name] = None
            continue
        exact = torch.as_tensor(value, dtype=torch.float64)
        if not torch.equal(exact.float().double(), exact):
            raise SystemExit(f"{where}: float32 does not hold {name} exactly; make it with draw")
        if isinstance(value, int):
            case["sizes"][name] = value
        elif isinstance(value, float):
            case["scalars"][name] = value
        else:
            case["given"][name] = value.reshape(-1).tolist() if is_ints(value) else flat(value)
    return case


def is_ints(value):
    return torch.is_tensor(value) and not value.is_floating_point()


def flat(answer):
    return torch.as_tensor(answer, dtype=torch.float64).detach().reshape(-1).tolist()


def text(vectors):
    """JSON with one case per line, so that a diff shows which cases changed."""
    groups = []
    for group, cases in vectors["groups"].items():
        lines = ",\n".join("    " + json.dumps(case, allow_nan=False) for case in cases)
        groups.append(f"  {json.dumps(group)}: [\n{lines}\n  ]")
    return '{"groups": {\n' + ",\n".join(groups) + "\n}}\n"


def difference(committed, computed):
    """What differs, as a sentence; None when it is the same but for TOLERANCE in the answers."""
    if list(committed["groups"]) != list(computed["groups"]):
        return f"has groups {list(committed['groups'])}, not {list(computed['groups'])}"
    for group, cases in computed["groups"].items():
        if len(committed["groups"][group]) != len(cases):
            return f"{group}: has {len(committed['groups'][group])} cases, not {len(cases)}"
        for old, new in zip(committed["groups"][group], cases):
            where = f"{group}, {new['label']}"
            for key in new:
                if key != "wanted" and old.get(key) != new[key]:
                    return f"{where}: {key} differs"
            if list(old["wanted"]) != list(new["wanted"]):
                return f"{where}: has answers {list(old['wanted'])}, not {list(new['wanted'])}"
            for name, answer in new["wanted"].items():
                allowed = TOLERANCE * max(map(abs, answer), default=0)
                if len(old["wanted"][name]) != len(answer):
                    return f"{where}: {name} has {len(old['wanted'][name])} numbers"
                for i, (a, b) in enumerate(zip(old["wanted"][name], answer)):
                    if not abs(a - b) <= allowed:
                        return f"{where}: {name}[{i}] is {a!r}, PyTorch says {b!r}"
    return None


def main(arguments):
    check = "--check" in arguments
    chosen = [name for name in arguments if name != "--check"]
    unknown = [name for name in chosen if name not in lessons()]
    if unknown:
        sys.exit(f"no checker/lessons/{unknown[0]}/reference.py; there are: {', '.join(lessons())}")
    torch.set_num_threads(1)
    failed = False
    for lesson in chosen or lessons():
        path = LESSONS / lesson / "vectors.json"
        vectors = compute(lesson)
        count = sum(map(len, vectors["groups"].values()))
        if not check:
            path.write_text(text(vectors))
            print(f"checker/lessons/{lesson}/vectors.json: {count} cases, {path.stat().st_size} bytes")
            continue
        if path.exists():
            wrong = difference(json.loads(path.read_text()), vectors)
        else:
            wrong = "is missing"
        print(f"checker/lessons/{lesson}/vectors.json: {wrong or f'{count} cases agree with PyTorch'}")
        failed = failed or wrong is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
