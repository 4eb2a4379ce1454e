"""MNIST's four files, as small as one likes: for the tests of what reads them."""

import struct

PARTS = ("train", "t10k")
PIXELS = 28 * 28


def images(count, side=28, pixels=None):
    pixels = bytes(i % 251 for i in range(count * side * side)) if pixels is None else pixels
    return struct.pack(">IIII", 0x803, count, side, side) + pixels


def labels(count, digits=None):
    return struct.pack(">II", 0x801, count) + (bytes(i % 10 for i in range(count)) if digits is None else digits)


def files(count=64):
    """{name: what is in it}"""
    return {f"{part}-{kind}-ubyte": content for part in PARTS
            for kind, content in (("images-idx3", images(count)), ("labels-idx1", labels(count)))}


# What is wrong, in which file, what it then is, and what is said of it.
TRAIN, LABELS = "train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"
BAD = [("empty", TRAIN, b"", "is no IDX file of images"),
       ("a text", TRAIN, b"<html>not found</html>", "is no IDX file of images"),
       ("labels for images", TRAIN, labels(64), "is no IDX file of images"),
       ("images for labels", LABELS, images(64), "is no IDX file of labels"),
       ("nothing but its kind", TRAIN, images(64)[:4], "does not hold images of 28 x 28"),
       ("larger images", TRAIN, images(64, side=29), "does not hold images of 28 x 28"),
       ("no images at all", TRAIN, images(0), "is not as long as it says"),
       ("cut off", TRAIN, images(64)[:-1], "is not as long as it says"),
       ("one byte more", TRAIN, images(64) + b"x", "is not as long as it says"),
       ("more than it holds", TRAIN, struct.pack(">IIII", 0x803, 2**32 - 1, 28, 28) + images(64)[16:],
        "is not as long as it says"),
       ("labels cut off", LABELS, labels(64)[:7], "is not as long as it says"),
       ("fewer labels", LABELS, labels(63), "has not one label for each image"),
       ("a label that is no digit", LABELS, labels(64, b"\x0a" * 64), "has a label that is no digit")]
