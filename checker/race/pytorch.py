"""The race's lane for PyTorch: on one thread, on the same numbers, as frames on descriptor 20 ask for it
(checker/box/wire.h). What a call is given is made ready before, when it is not timed.
"""

import mmap
import socket
import struct
import sys

try:
    import torch
except ImportError:
    sys.exit("there is no PyTorch")

HEAD = struct.Struct("=IIQ")
LOAD, CALL, TRIAL_TEXT, LOADING, LOADED, ANSWER = (*(0x4c4f4144 + i for i in (0, 1, 3)),
                                                   *(0x4c4f4144 + i for i in (5, 6, 7)))
ERROR_ROOM = 512  # of a WireLoaded
EPS = 1e-5


def exactly(channel, count):
    data = b""
    while len(data) < count:
        more = channel.recv(count - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


def prepared(shared, words):
    """The functions to call, one after the other."""
    backward, rows, features, calls, *places = struct.unpack(f"={len(words) // 8}Q", words)

    def array(which, call, *shape):
        offset = places[2 * which] + call * places[2 * which + 1]
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        return torch.frombuffer(shared, dtype=torch.float32, count=count, offset=offset).reshape(shape)

    made = []
    for call in range(calls):
        x, gamma = array(0, call, rows, features), array(2, call, features)
        if backward:
            dy, mean, rstd = array(1, call, rows, features), array(4, call, rows, 1), array(5, call, rows, 1)
            made.append((torch.ops.aten.native_layer_norm_backward,
                         (dy, x, [features], mean, rstd, gamma, gamma, [True, True, True])))
        else:
            beta = array(3, call, features)
            made.append((torch.native_layer_norm, (x, [features], gamma, beta, EPS)))
    return made


def main():
    channel = socket.socket(fileno=20)
    shared = mmap.mmap(21, 0, prot=mmap.PROT_READ)
    torch.set_num_threads(1)
    work = []
    with torch.no_grad():
        while True:
            kind, length, token = HEAD.unpack(exactly(channel, HEAD.size))
            payload = exactly(channel, length)
            if kind == CALL:
                for function, arguments in work:
                    function(*arguments)
            elif kind == TRIAL_TEXT:
                work = prepared(shared, payload)
            if kind == LOAD:
                channel.sendall(HEAD.pack(LOADING, 0, token) + HEAD.pack(LOADED, ERROR_ROOM, token) + bytes(ERROR_ROOM))
            else:
                channel.sendall(HEAD.pack(ANSWER, 0, token))


if __name__ == "__main__":
    main()
