"""The emulator's instructions: each kind that our compiler makes, with random registers and numbers, gives what it
gives on an arm64 (qemu-aarch64). What the emulator ends a call for, where an arm64 goes on, is known: a signed sum
that does not fit, a division by zero, a shift by too much.
"""

import pathlib
import random
import shutil
import struct
import subprocess
import tempfile
import unittest

import test_emulator
from lesson_files import ROOT

PROGRAM = ROOT / "build" / "tests" / "emulated_words"
ASSEMBLER = ["clang", "--target=aarch64-linux-gnu", "-nostdlib", "-static", "-fuse-ld=lld"]
ROUNDS = 60  # of each kind
STATE = struct.Struct("<16Q16QQ512s")
RECORD = struct.Struct("<16Q16QQ512sII")
WHOLE, S, D, WORD_IN_S, WORD_IN_D = "whole", "S", "D", "word in S", "word in D"
# A state is read from x27 on, and written from x28 on; the memory lies at x13.
ASSEMBLY = """
.global _start
_start: adr x27, before
    adrp x28, after
    add x28, x28, :lo12:after
    adrp x25, count
    ldr x25, [x25, :lo12:count]
    adr x24, words
one: ldr x13, [x27, #104]
    add x29, x27, #264
    mov x20, #64
copy: ldr x21, [x29], #8
    str x21, [x28, #264]
    add x28, x28, #8
    subs x20, x20, #1
    b.ne copy
    sub x28, x28, #512
    ldr x20, [x27, #256]
    msr nzcv, x20
    ldp q0, q1, [x27, #128]
    ldp q2, q3, [x27, #160]
    ldp q4, q5, [x27, #192]
    ldp q6, q7, [x27, #224]
    ldp x0, x1, [x27]
    ldp x2, x3, [x27, #16]
    ldp x4, x5, [x27, #32]
    ldp x6, x7, [x27, #48]
    ldp x8, x9, [x27, #64]
    ldp x10, x11, [x27, #80]
    ldr x12, [x27, #96]
    add x13, x13, x28
    add x13, x13, #264
    ldp x14, x15, [x27, #112]
    blr x24
    stp x0, x1, [x28]
    stp x2, x3, [x28, #16]
    stp x4, x5, [x28, #32]
    stp x6, x7, [x28, #48]
    stp x8, x9, [x28, #64]
    stp x10, x11, [x28, #80]
    sub x13, x13, #264
    sub x13, x13, x28
    stp x12, x13, [x28, #96]
    stp x14, x15, [x28, #112]
    stp q0, q1, [x28, #128]
    stp q2, q3, [x28, #160]
    stp q4, q5, [x28, #192]
    stp q6, q7, [x28, #224]
    mrs x20, nzcv
    str x20, [x28, #256]
    mov x20, #776
    add x27, x27, x20
    add x28, x28, x20
    add x24, x24, #8
    subs x25, x25, #1
    b.ne one
    mov x0, #1
    adrp x1, after
    add x1, x1, :lo12:after
    sub x2, x28, x1
write: mov x8, #64
    svc #0
    cmp x0, x2
    b.ge end
    add x1, x1, x0
    sub x2, x2, x0
    mov x0, #1
    b write
end: mov x0, #0
    mov x8, #93
    svc #0
"""


def instructions():
    """{name: (what the floats are, a function of a Random that makes one)}."""
    def three(base):
        return lambda r: base | wide(r) | r.randrange(13) | r.randrange(13) << 5 | r.randrange(13) << 16

    def wide(r):
        return r.randrange(2) << 31

    def shifted(base):
        return lambda r: three(base)(r) & ~(1 << 31) | r.choice([0, r.randrange(32) << 10]) | 1 << 31

    def value(base):
        return lambda r: base | wide(r) | r.randrange(13) | r.randrange(13) << 5 | r.randrange(1 << 13) << 10

    def mask(base):
        def make(r):
            size, ones = (64 if (w := wide(r)) else 32), r.randrange(31)
            word = base | w | r.randrange(13) | r.randrange(13) << 5 | r.randrange(size) << 16 | ones << 10
            return word | (1 << 22 if w else 0)
        return make

    def moved(base):
        return lambda r: (base | (w := wide(r)) | r.randrange(13) | r.randrange(1 << 16) << 5 |
                          r.randrange(4 if w else 2) << 21)

    def field(base):
        def make(r):
            w = wide(r)
            size = 64 if w else 32
            return base | w | (w >> 9) | r.randrange(13) | r.randrange(13) << 5 | r.randrange(size) << 16 | \
                r.randrange(size) << 10
        return make

    def vector(base):
        return lambda r: base | r.randrange(8) | r.randrange(8) << 5 | r.randrange(8) << 16

    def one(base, to_whole=False):
        return lambda r: base | wide(r) * to_whole | r.randrange(8) | r.randrange(8) << 5

    def at(base, scale):
        """In the memory's 512 bytes, of which x13 is the 256th."""
        return lambda r: base | r.randrange(8) | 13 << 5 | r.randrange(0, 240 // scale) << 10

    def near(base):
        return lambda r: base | r.randrange(8) | 13 << 5 | (r.randrange(-240, 224) & 511) << 12

    def beside(base):
        return lambda r: base | r.randrange(8) | 13 << 5 | 14 << 16

    found = {"add, sub": (WHOLE, lambda r: shifted(0x0b000000 | r.randrange(2) << 30)(r)),
             "adds, subs": (WHOLE, lambda r: three(0x2b000000 | r.randrange(2) << 30)(r)),
             "cmp": (WHOLE, lambda r: three(0x6b000000)(r) | 31),
             "add, sub of a number": (WHOLE, lambda r: value(0x11000000 | r.randrange(2) << 30)(r)),
             "adds, subs of a number": (WHOLE, lambda r: value(0x31000000 | r.randrange(2) << 30)(r)),
             "add of a word": (WHOLE, lambda r: three(0x8b20c000)(r) | r.randrange(5) << 10),
             "and": (WHOLE, shifted(0x0a000000)), "orr": (WHOLE, shifted(0x2a000000)),
             "eor": (WHOLE, shifted(0x4a000000)), "orn": (WHOLE, shifted(0x2a200000)),
             "and of a number": (WHOLE, mask(0x12000000)), "orr of a number": (WHOLE, mask(0x32000000)),
             "eor of a number": (WHOLE, mask(0x52000000)),
             "movn": (WHOLE, moved(0x12800000)), "movz": (WHOLE, moved(0x52800000)), "movk": (WHOLE, moved(0x72800000)),
             "sbfm": (WHOLE, field(0x13000000)), "ubfm": (WHOLE, field(0x53000000)),
             "udiv, sdiv": (WHOLE, lambda r: three(0x1ac00800 | r.randrange(2) << 10)(r)),
             "shifts": (WHOLE, lambda r: three(0x1ac02000 | r.randrange(3) << 10)(r)),
             "madd, msub": (WHOLE, lambda r: three(0x1b000000 | r.randrange(2) << 15)(r) | r.randrange(13) << 10),
             "csinc": (WHOLE, lambda r: three(0x1a800400 | r.randrange(14) << 12)(r)),
             "cset": (WHOLE, lambda r: 0x1a9f07e0 | r.randrange(14) << 12 | r.randrange(13))}
    for double, kind in enumerate((S, D)):
        size = double << 22
        found |= {f"{name} {kind}": (kind, vector(base | size)) for name, base in (
            ("fmul", 0x1e200800), ("fdiv", 0x1e201800), ("fadd", 0x1e202800), ("fsub", 0x1e203800))}
        found[f"fcmp {kind}"] = kind, lambda r, size=size: vector(0x1e202000 | size)(r) & ~31
        found[f"fcmp {kind} zero"] = kind, lambda r, size=size: one(0x1e202008 | size)(r) & ~7
        word = (WORD_IN_S, WORD_IN_D)[double]
        found[f"fcvtzs {kind}"] = word, one(0x1e380000 | size, True)
        found[f"fcvtzu {kind}"] = word, one(0x1e390000 | size, True)
        found[f"scvtf, ucvtf {kind}"] = WHOLE, lambda r, size=size: one(0x1e220000 | size | r.randrange(2) << 16, True)(r)
    found |= {"fmov": (D, one(0x1e604000)), "fcvt to D": (S, one(0x1e22c000)), "fcvt to S": (D, one(0x1e624000)),
              "mov v": (D, lambda r: 0x4ea01c00 | r.randrange(8) | (n := r.randrange(8)) << 5 | n << 16),
              "mov x, v": (D, lambda r: one(r.choice([0x4e083c00, 0x4e183c00]))(r)),
              "ldp": (WHOLE, lambda r: 0xa9400000 | 13 << 5 | r.randrange(6) | 7 << 10 | r.randrange(28) << 15),
              "stp": (WHOLE, lambda r: 0xa9000000 | 13 << 5 | r.randrange(6) | 7 << 10 | r.randrange(28) << 15),
              "stp q": (D, lambda r: 0xad000000 | 13 << 5 | r.randrange(6) | 7 << 10 | r.randrange(14) << 15)}
    for size in range(4):
        for kind, load in (("str", 0), ("ldr", 1), ("ldrs", 2), ("ldrsw", 3)):
            if load < 2 or (size < 2) or (size == 2 and load == 2):
                base = size << 30 | load << 22
                found |= {f"{kind} {8 << size}, a place": (WHOLE, at(0x39000000 | base, 1 << size)),
                          f"{kind} {8 << size}, near": (WHOLE, near(0x38000000 | base)),
                          f"{kind} {8 << size}, a register": (WHOLE, beside(0x38206800 | base))}
    for name, base, scale in (("s", 2 << 30, 4), ("d", 3 << 30, 8), ("q", 1 << 23, 16)):
        for kind, load in (("str", 0), ("ldr", 1 << 22)):
            found |= {f"{kind} {name}, a place": (D, at(0x3d000000 | base | load, scale)),
                      f"{kind} {name}, near": (D, near(0x3c000000 | base | load))}
    return found


# Where the emulator ends the call, and an arm64 does not.
ENDS = ("adds, subs", "adds, subs of a number", "udiv, sdiv", "shifts")


def state_of(r, floats):
    edges = [0, 1, 2, 31, 32, 63, 64, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
    x = [r.choice([r.choice(edges), r.randrange(2**64), r.randrange(2**32), r.randrange(64)]) for _ in range(16)]
    x[13], x[14] = 256, r.randrange(-240, 200) % 2**64

    def number():
        if floats in (WORD_IN_S, WORD_IN_D):
            return r.choice([r.uniform(0, 2**31 - 200), r.uniform(0, 4), 0.0])
        return r.choice([r.uniform(-2, 2), r.uniform(-1e30, 1e30), 0.0, -0.0, float("inf"), -float("inf"),
                         float("nan"), 1e-40, 3.0])

    def lane():
        if floats == WHOLE:
            return r.randrange(2**64)
        code = "f" if floats in (S, WORD_IN_S) else "d"
        return int.from_bytes(struct.pack("<" + code, number()), "little")
    v = [word for _ in range(8) for word in (lane(), r.randrange(2**64))]
    return [*x, *v, r.randrange(16) << 28, r.randbytes(512)]


def is_nan(word, floats):
    exponent, bits = (0x7ff, 52) if floats != S else (0xff, 23)
    return word >> bits & exponent == exponent and word & ((1 << bits) - 1)


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())
        built = test_emulator.make("build/tests/emulated_words")
        if built.returncode:
            raise AssertionError(built.stdout)
        r = random.Random(21)
        cls.cases = [(name, make(r), state_of(r, floats), floats)
                     for name, (floats, make) in instructions().items() for _ in range(ROUNDS)]
        sent = b"".join(RECORD.pack(*state, word, 0) for _, word, state, _ in cls.cases)
        said = subprocess.run([PROGRAM], input=sent, capture_output=True, check=True, timeout=600).stdout
        cls.ours = list(RECORD.iter_unpack(said))

    def test_every_kind_is_known(self):
        ended = {name for (name, *_), record in zip(self.cases, self.ours) if record[-1]}
        self.assertEqual(ended, set(ENDS))

    def test_what_ends_a_call_is_what_c_leaves_undefined(self):
        ended = {name: sum(bool(record[-1]) for (of, *_), record in zip(self.cases, self.ours) if of == name)
                 for name in ENDS}
        for name, count in ended.items():
            with self.subTest(name):
                self.assertGreater(count, 0)
                self.assertLess(count, ROUNDS)

    @unittest.skipUnless(shutil.which("qemu-aarch64") and shutil.which("clang") and shutil.which("ld.lld"),
                         "there is no qemu-aarch64 here, or no clang and lld")
    def test_each_gives_what_it_gives_on_an_arm64(self):
        theirs = list(STATE.iter_unpack(self.on_arm64()))
        self.assertEqual(len(theirs), len(self.cases))
        wrong = {name: [] for name in instructions()}
        for (name, word, _, floats), ours, other in zip(self.cases, self.ours, theirs):
            for place, (a, b) in enumerate(zip(ours[:-2], other)):
                same = a == b or (16 <= place < 32 and self.both_nan(name, a, b, floats))
                if not same and not ours[-1]:
                    wrong[name].append(f"{word:#x}, " + (f"place {place}: {a:#x}, not {b:#x}" if place < 33
                                                         else "the memory"))
        for name, faults in wrong.items():
            with self.subTest(name):
                self.assertEqual(faults, [])

    @staticmethod
    def both_nan(name, a, b, floats):
        floats = D if name == "fcvt to D" else S if name == "fcvt to S" else floats
        return floats in (S, D) and is_nan(a, floats) and is_nan(b, floats)

    def on_arm64(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "words.s"), pathlib.Path(folder, "words")
            states = b"".join(STATE.pack(*state) for _, _, state, _ in self.cases)
            pathlib.Path(folder, "before").write_bytes(states)
            words = "\n".join(f".inst {word:#x}\nret" for _, word, _, _ in self.cases)
            source.write_text(f"{ASSEMBLY}\n.balign 16\nwords: {words}\n.balign 16\n"
                              f'before: .incbin "{folder}/before"\n.data\n.balign 16\n'
                              f"count: .quad {len(self.cases)}\n.bss\n.balign 16\nafter: .skip {len(states)}\n")
            subprocess.run([*ASSEMBLER, source, "-o", program], check=True, timeout=600)
            return subprocess.run(["qemu-aarch64", program], capture_output=True, check=True, timeout=600).stdout


if __name__ == "__main__":
    unittest.main()
