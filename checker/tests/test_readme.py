"""The README word by word: its console blocks are executed in order in one copy of the workbook, and
compared; "..." alone on a line stands for any lines, and within a line for anything. A diff block is
applied. An HTML comment `run: ...` before a block is executed without being shown: what a learner did
in an editor."""

import re
import unittest

from lesson_files import ROOT
from workbook_copy import WorkbookCopy

PIECE = re.compile(r"^<!-- run: ([^\n]*) -->$|^```diff\n(.*?)^```$|^```console\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)


def pattern_of(text):
    """Lines of "..." match any number of lines, "..." within a line anything in it."""
    lines = []
    for line in text.splitlines():
        if line == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*".join(re.escape(part) for part in line.split("...")) + r"\n")
    return "".join(lines)


class Readme(unittest.TestCase):
    def test_every_command_prints_what_the_readme_shows(self):
        text = (ROOT / "README.md").read_text()
        shown = 0
        with WorkbookCopy() as copy:
            for hidden, diff, block in PIECE.findall(text):
                if hidden:
                    self.assertEqual(copy.run(hidden).returncode, 0, hidden)
                    continue
                if diff:
                    done = copy.run(["git", "apply", "--unsafe-paths", "-"], stdin=None, input=diff)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    continue
                parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
                for command, expected in zip(parts[1::2], parts[2::2]):
                    with self.subTest(command):
                        run = copy.run(f"{{ {command}; }} 2>/dev/null")
                        if not re.fullmatch(pattern_of(expected), run.stdout):
                            self.fail(f"it printed:\n{run.stdout}\nand the README shows:\n{expected}")
                        shown += 1
        self.assertGreater(shown, 5)

    def test_every_make_target_that_is_named_exists(self):
        text = (ROOT / "README.md").read_text() + "".join(
            path.read_text() for path in (ROOT / "lessons").iterdir())
        makefile = (ROOT / "Makefile").read_text()
        for target in sorted(set(re.findall(r"`make ([a-z][a-z-]*)", text))):
            with self.subTest(target):
                self.assertRegex(makefile, rf"(?m)^(\.PHONY: .*|[a-z -]*)\b{target}\b")

    def test_every_file_that_is_named_exists(self):
        text = (ROOT / "README.md").read_text()
        for path in sorted(set(re.findall(r"`((?:checker|lessons|exercises|solutions|include)/[^`*N ]*)`", text))):
            with self.subTest(path):
                self.assertTrue((ROOT / path).exists())


if __name__ == "__main__":
    unittest.main()
