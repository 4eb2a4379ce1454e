"""The numbers that are stated of a lesson's mistakes: each is what the function gives with
that mistake, or without any, for one of the text's examples; or a step of the arithmetic shown there.
"""

import collections
import re
import struct
import subprocess
import unittest

import lesson_files

TRAIN = "batch_norm_train gamma=1 beta=0 running_mean=0 running_var=1 momentum=0.1 eps=1e-5 batch=3"
BACKWARD = "batch_norm_backward batch=3 features=1 x=1,2,6 gamma=2 eps=1e-5"


def single(value):
    """As a float holds it."""
    return struct.unpack("f", struct.pack("f", value))[0]


def cancelled(column):
    """E[x^2] - mean^2 in float."""
    squares = 0.0
    for value in column:
        squares = single(squares + single(value * value))
    mean = single(sum(column) / len(column))
    return single(single(squares / len(column)) - single(mean * mean))


# For each lesson: the calls of its examples, and the steps of arithmetic that are no function's output.
EXAMPLES = {
    "05_batch_norm": (
        [f"{TRAIN} features=1 x=1,2,6", f"{TRAIN} features=2 x=1,10,2,50,6,30",
         f"{TRAIN} features=1 x=-0.001,0,0.001", f"{BACKWARD} dy=1,0,0", f"{BACKWARD} dy=0,0,1"],
        [14 / 3, 14 / 3 - 1, (14 / 3) ** 0.5, 7 ** 0.5, cancelled([1001, 1002, 1006]), 0.001, 0.00001]),
}


def outputs(lesson, calls):
    """{section: the numbers that its mistakes give}, those of no mistake under "right"."""
    run = subprocess.run([f"build/{lesson}/outputs", *calls], cwd=lesson_files.ROOT, text=True,
                         stdout=subprocess.PIPE, check=True)
    found = collections.defaultdict(set)
    for line in run.stdout.splitlines():
        section, _, values = line.rpartition(":")
        found[section] |= {float(value) for value in values.split()}
    return found


def sections(text):
    """{heading: text} of the mistakes."""
    return dict(part.split("\n", 1) for part in text.split("\n## ")[1:])


def unexplained(text, given, others):
    """The numbers of three digits or more behind the point that are nobody's, by section."""
    wrong = []
    for section, body in sections(text).items():
        for number in re.findall(r"-?\d+\.\d{3,}", body):
            digits = len(number.split(".")[1])
            known = given[section] | given["right"]
            steps = [sign * value for value in others for sign in (1, -1)]
            steps += [-value for value in given["right"]]  # what a sum lacks
            if not any(f"{value:.{digits}f}" == number for value in [*known, *steps]):
                wrong.append((section, number))
    return wrong


class Examples(unittest.TestCase):
    def test_every_number_of_a_common_mistake_is_what_that_mistake_gives(self):
        for name, (calls, others) in EXAMPLES.items():
            with self.subTest(lesson=name):
                text = lesson_files.Lesson(name).read("lessons/{}.mistakes.md")
                self.assertEqual(unexplained(text, outputs(name, calls), others), [])

    def test_a_number_that_is_off_by_one_in_its_last_digit_is_found(self):
        for name, (calls, others) in EXAMPLES.items():
            text, given, off = lesson_files.Lesson(name).read("lessons/{}.mistakes.md"), outputs(name, calls), 0
            for section, body in sections(text).items():
                for number in re.findall(r"\d+\.\d{4}(?!\d)", body):
                    changed = body.replace(number, f"{float(number) + 0.0001:.4f}")
                    off += bool(unexplained(text.replace(body, changed), given, others))
            numbers = sum(len(re.findall(r"\d+\.\d{4}(?!\d)", body)) for body in sections(text).values())
            self.assertGreater(numbers, 50)
            self.assertGreater(off, 0.95 * numbers)


if __name__ == "__main__":
    unittest.main()
