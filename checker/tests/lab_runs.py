"""Runs a lesson's lab in a copy of the workbook and reads the numbers that it wrote."""

import csv
import re
import unittest
import xml.etree.ElementTree

from workbook_copy import WorkbookCopy


SVG = "{http://www.w3.org/2000/svg}"


def words_in(picture):
    """What stands in a picture, in its order: [(words, x, y)]. Of words in lines the first line's place."""
    found = []
    for text in xml.etree.ElementTree.fromstring(picture).iter(f"{SVG}text"):
        lines = text.findall(f"{SVG}tspan") or [text]
        found.append(("".join(text.itertext()), float(lines[0].get("x")), float(lines[0].get("y"))))
    return found


def heights_in(picture, curve):
    """The numbers that a curve is drawn at, by the even axis y: of the first row where curves are apart."""
    numbers = {}
    for words, x, y in words_in(picture):
        if x == 40:  # beside the axis
            numbers.setdefault(float(words), y - 4)
    (low, at_low), (high, at_high) = min(numbers.items()), max(numbers.items())
    path = re.search(rf'<path class="{curve}"[^>]* d="([^"]*)"', picture)[1]
    return [low + (at_low - float(y)) / (at_low - at_high) * (high - low)
            for y in re.findall(r"[ML][-\d.]+ ([-\d.]+)", path)]


class LabTest(unittest.TestCase):
    """What a test of one lesson's conclusions is made of."""

    lesson = None  # its name, as "09_group_norm"

    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())

    def run_lab(self, seed):
        """What it prints."""
        lab = self.copy.make("lab", LESSON=self.lesson[:2], SEED=str(seed))
        self.assertEqual((lab.returncode, lab.stderr), (0, ""))
        return lab.stdout

    def curves(self, experiment, x, y):
        """From the file of an experiment of the last run: {curve: {x: the values of the seeds}}"""
        found = {}
        text = self.copy.read(f".workbook/lab/{self.lesson}_{experiment}.csv")
        for row in csv.DictReader(text.splitlines()):
            found.setdefault(row["curve"], {}).setdefault(float(row[x]), []).append(float(row[y]))
        return found
