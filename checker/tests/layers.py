"""The sandbox's two layers, and how a test takes one away: the checker is started behind a seccomp filter
of the test's own, under which the kernel seems to have no Landlock, or no seccomp. The checker is the
one that learners run, and nothing in it knows of this.
"""

import ctypes
import os
import struct

X86 = os.uname().machine == "x86_64"
LANDLOCK = [(444, None)]  # landlock_create_ruleset
SECCOMP = [(157 if X86 else 167, 22), (317 if X86 else 277, None)]  # prctl(PR_SET_SECCOMP), seccomp
MISSING = {"both": [], "Landlock alone": SECCOMP, "seccomp alone": LANDLOCK,
           "neither": LANDLOCK + SECCOMP}


def start(missing, user=None):
    """For a process before its program starts, as preexec_fn: from now on the calls in `missing` fail,
    as on an older kernel, and it belongs to the user. A call is a number and its first argument, or
    None for any."""
    def prepare():
        if missing:
            take_away(missing)
        if user is not None and os.getuid() == 0:
            os.setgroups([0] if user == 0 else [])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
    return prepare


def take_away(calls):
    code = [(0x20, 0, 0, 0)]
    for number, argument in calls:
        code += [(0x15, 0, 3, number), (0x20, 0, 0, 16),
                 (0x35, 0, 1, 0) if argument is None else (0x15, 0, 1, argument),
                 (0x06, 0, 0, 0x50000 | 38), (0x20, 0, 0, 0)]
    code.append((0x06, 0, 0, 0x7FFF0000))
    lines = (ctypes.c_uint64 * len(code))(*(
        word | yes << 16 | no << 24 | k << 32 for word, yes, no, k in code))
    program = struct.pack("HxxxxxxP", len(code), ctypes.addressof(lines))
    libc = ctypes.CDLL(None, use_errno=True)
    # Root needs no promise to stay without new rights: the checker makes it by itself.
    if (os.getuid() != 0 and libc.prctl(38, 1, 0, 0, 0)) or libc.prctl(22, 2, program, 0, 0):
        raise OSError(ctypes.get_errno(), "the test's own filter was refused")


def landlock_version():
    return max(0, ctypes.CDLL(None).syscall(444, None, 0, 1))
