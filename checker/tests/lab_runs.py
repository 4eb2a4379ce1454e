"""Runs a lesson's lab in a copy of the workbook and reads the numbers that it wrote."""

import csv
import re
import unittest
import xml.etree.ElementTree

from workbook_copy import WorkbookCopy


def words_in(picture):
    """What stands in a picture of gnuplot's, any version's, in its order: [(words, x, y)]"""
    found = []
    for group in xml.etree.ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}g"):
        for text in group.findall("{http://www.w3.org/2000/svg}text"):
            place = re.match(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", group.get("transform"))
            found.append(("".join(text.itertext()).strip(), *map(float, place.groups())))
    return found


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
