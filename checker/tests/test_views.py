"""A verdict's views agree: what a learner reads, what JSON says of it, and what make verify takes from that.

Of every lesson the first wrong program, the last, and the first that has no name.
"""

import json
import re
import subprocess
import unittest

import lesson_programs
from lesson_files import Lesson, ROOT, names

PLACE = r"(?:line|after line|lines) (\d+)"


def views(name, path):
    """(the report in JSON, the lines that a learner reads)"""
    command = [f"build/{name}/check", "--impl", str(path), "--seed", "1"]
    said = [subprocess.run([*command, *more], cwd=ROOT, env=lesson_programs.ENGLISH, text=True, timeout=1800,
                           stdout=subprocess.PIPE).stdout for more in (["--format", "json"], [])]
    return json.loads(said[0])["lessons"][0], said[1].splitlines()


def wrong_ones(lesson):
    sections = lesson.sections("wrong", "mistake")
    unnamed = [section for section in sections if section.title == "nothing"]
    return list({id(section): section for section in [sections[0], sections[-1], *unnamed[:1]]}.values())


class Views(unittest.TestCase):
    def agree(self, lesson, check, lines):
        """Of one check that failed: its lines stand below its name, and what JSON names stands in them."""
        begin = next(i for i, line in enumerate(lines) if line.endswith(f" {check['name']}"))
        below = lines[begin + 1:]
        own = below[:next((i for i, line in enumerate(below) if not line.startswith("     ")), len(below))]
        self.assertEqual([line[5:] for line in own[:len(check["details"])]], check["details"])
        text = " ".join(line.strip() for line in own)
        words = {mistake.id: mistake for mistake in lesson.mistakes()}
        for named in re.split(r" and | or ", check["mistake"] or "nothing"):
            self.assertEqual(named in words, bool(check["mistake"]))
            if check["mistake"]:
                self.assertIn(words[named].when, text)
                self.assertTrue(words[named].section in text or "The same as above: " in text, text)
        if check["fix"]:
            lines_said = [int(line) for line in re.findall(PLACE, text)]
            self.assertIn(check["fix"]["line"], lines_said)
        if check["quantity"]:
            self.assertIn(check["quantity"], text)
            self.assertIn(check["when"], text)


def agrees(name):
    def test(self):
        lesson = Lesson(name)
        sections = wrong_ones(lesson)
        for section, path in zip(sections, lesson_programs.scratch_files(lesson, "view", sections)):
            with self.subTest(f"{section.path.name}:{section.line}"):
                report, lines = views(name, path)
                self.assertEqual(lesson_programs.misnamed(lesson, section, report), [])
                for check in report["checks"]:
                    if check["status"] == "failed":
                        self.agree(lesson, check, lines)
    return test


for each in names():
    setattr(Views, f"test_{each}_the_views_of_a_wrong_program_agree", agrees(each))

if __name__ == "__main__":
    unittest.main()
