"""Every README.md word by word: its console blocks are executed in order in one copy of the workbook, and
compared; "..." alone on a line stands for any lines, and within a line for anything. A diff block is
applied. An HTML comment `run: ...` before a block is executed without being shown: what a learner did
in an editor."""

import pathlib
import re
import unittest

from lesson_files import ROOT
from workbook_copy import WorkbookCopy

# The first page, and those that it leads to.
DOORS = ["README.md", "checker/README.md", "checker/book/README.md", "checker/class/README.md",
         "checker/deps/README.md", "checker/lessons/README.md", "checker/workbook/README.md"]
PIECE = re.compile(r"^<!-- run: ([^\n]*) -->$|^```diff\n(.*?)^```$|^```console\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]*)")
MOST_LINES = 210  # of the first page


def text_of(door):
    return (ROOT / door).read_text()


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
    def run_pieces(self, door, copy):
        """How many commands it shows."""
        shown = 0
        for hidden, diff, block in PIECE.findall(text_of(door)):
            if hidden:
                self.assertEqual(copy.run(hidden).returncode, 0, hidden)
                continue
            if diff:
                done = copy.run(["git", "apply", "--unsafe-paths", "-"], stdin=None, input=diff)
                self.assertEqual(done.returncode, 0, done.stderr)
                continue
            parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
            for command, expected in zip(parts[1::2], parts[2::2]):
                with self.subTest(command, door=door):
                    run = copy.run(f"{{ {command}; }} 2>/dev/null")
                    if not re.fullmatch(pattern_of(expected), run.stdout):
                        self.fail(f"it printed:\n{run.stdout}\nand {door} shows:\n{expected}")
                    shown += 1
        return shown

    def test_every_command_prints_what_the_readme_shows(self):
        shown = {}
        for door in DOORS:
            with WorkbookCopy() as copy:
                shown[door] = self.run_pieces(door, copy)
        self.assertEqual([door for door in DOORS if not shown[door]], [])
        self.assertGreater(sum(shown.values()), 20)

    def test_no_readme_is_left_out(self):
        found = {str(path.relative_to(ROOT)) for top in ("checker", "lessons", "include", "exercises", "solutions")
                 for path in (ROOT / top).rglob("README*")}
        self.assertEqual({"README.md", *found}, set(DOORS))

    def test_every_link_leads_somewhere_and_the_first_page_to_all_others(self):
        for door in DOORS:
            folder = (ROOT / door).parent
            for link in LINK.findall(text_of(door)):
                with self.subTest(link, door=door):
                    self.assertTrue((folder / link).exists())
        self.assertEqual(set(LINK.findall(text_of("README.md"))), set(DOORS[1:]))
        for door in DOORS[1:]:
            self.assertIn("README.md", [pathlib.Path(link).name for link in LINK.findall(text_of(door))], door)

    def test_the_first_page_is_short(self):
        self.assertLessEqual(text_of("README.md").count("\n"), MOST_LINES)

    def test_the_map_names_every_room_and_files_that_are_there(self):
        text = text_of("checker/README.md")
        rooms = {path.name for path in (ROOT / "checker").iterdir() if path.is_dir() and path.name != "__pycache__"}
        self.assertEqual(set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)), rooms)
        named = set(re.findall(rf"`((?:{'|'.join(rooms - {'lessons'})})/[\w./]+)`", text))
        self.assertGreater(len(named), 20)
        self.assertEqual({path for path in named if not (ROOT / "checker" / path).exists()}, set())

    def test_every_make_target_that_is_named_exists(self):
        text = "".join(map(text_of, DOORS)) + "".join(
            path.read_text() for path in (ROOT / "lessons").iterdir())
        makefile = (ROOT / "Makefile").read_text()
        for target in sorted(set(re.findall(r"`make ([a-z][a-z_.-]*)", text))):
            with self.subTest(target):
                self.assertRegex(makefile, rf"(?m)^(\.PHONY: .*|OF_\w+ := .*|[a-z -]*)\b{re.escape(target)}\b")

    def test_every_file_that_is_named_exists(self):
        text = "".join(map(text_of, DOORS))
        for path in sorted(set(re.findall(r"`((?:checker|lessons|exercises|solutions|include)/[^`*N ]*)`", text))):
            with self.subTest(path):
                self.assertTrue((ROOT / path).exists())


if __name__ == "__main__":
    unittest.main()
