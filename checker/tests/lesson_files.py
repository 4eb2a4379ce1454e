"""Reads a lesson's files for the tests: sections of learner code, the table of mistakes, the text.

The formats are described in checker/lessons/README.md. Everything here only reads, except
copy_of_tree(), which makes the copy in which a text's commands are run.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess

import patches

ROOT = pathlib.Path(__file__).resolve().parents[2]
CC = os.environ.get("CC", "cc")
TEXTS = ["lessons/{}.md", "lessons/{}.mistakes.md"]
PARTS = ["exercises/{}.c", "solutions/{}.c", "include/{}.h", "lessons/{}.md", "lessons/{}.hints",
         "lessons/{}.mistakes.md", "checker/lessons/{}/lesson.c", "checker/lessons/{}/reference.py",
         "checker/lessons/{}/vectors.json",
         "checker/lessons/{}/stub.c", "checker/lessons/{}/wrong.txt", "checker/lessons/{}/right.c"]
BEFORE_STEPS = ["What it is and why it exists", "A worked example"]
BEHIND_STEPS = ["The lab", "The race", "Common mistakes", "Where it is used", "Read next"]
IF_ANY = ["The lab", "The race"]
STEP = re.compile(r"Step (\d+): (.*)")
MORE = "More on step {}, not needed to write it"
DEFINITION = re.compile(r"^(?!typedef|return|else)(?:[A-Za-z_]\w*[ *]+)+(\w+)\([^;{]*\)\s*\n?\{",
                        re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def names():
    return sorted(path.name for path in (ROOT / "checker" / "lessons").glob("[0-9]*_*") if path.is_dir())


def numbers(*wanted):
    """"06, 07 and 08": the numbers of these lessons, or of all from the first number on."""
    chosen = [name[:2] for name in names() if name[:2] in wanted or len(wanted) == 1 and name[:2] >= wanted[0]]
    return " and ".join(filter(None, [", ".join(chosen[:-1]), chosen[-1]]))


def passed(number):
    """What is said where so many of all the lessons are passed."""
    return f"{number} of {len(names())} lessons passed"


def all_passed():
    return passed(len(names()))


class Section:
    """One way of writing some of a lesson's functions: a part of right.c, a change in wrong.txt, or a part of
    wrong.c, which says what is no change of a right answer."""

    def __init__(self, path, line, title, code):
        self.path, self.line, self.title, self.code = path, line, title, code

    def functions(self):
        return DEFINITION.findall(COMMENT.sub("", self.code))


class Mistake:
    def __init__(self, fields):
        self.id, self.steps, self.when, self.instead, self.section = fields


class Lesson:
    def __init__(self, name):
        self.name = name

    def read(self, pattern):
        return (ROOT / pattern.format(self.name)).read_text()

    def has_calls(self):
        """Do its checks call sequences of its functions?"""
        return (ROOT / "checker" / "lessons" / self.name / "calls.h").is_file()

    def functions(self):
        """The lesson's functions in the header's order."""
        header = re.sub(r"^\s*#.*$", "", COMMENT.sub("", self.read("include/{}.h")),
                        flags=re.MULTILINE)
        return re.findall(r"\b(\w+)\s*\(", header)

    def mistakes(self):
        """Those of the lesson's formulas, or the entries of lesson.c's table, in their order. The preprocessor
        goes first: an entry may use macros."""
        named = self.named_in_formulas()
        if named:
            return named
        command = [*CC.split(), "-E", "-P", "-Ichecker/run", f"checker/lessons/{self.name}/lesson.c"]
        source = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE,
                                check=True).stdout
        table = source.partition("Mistake mistakes[]")[2].split("{0}", 1)[0]
        entries = re.findall(r"\{\s*" + r"\s*,\s*".join([STRING] * 5) + r"\s*,?\s*\}", table)
        joined = [["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', field)) for field in entry]
                  for entry in entries]
        return [Mistake([field.replace('\\"', '"') for field in entry]) for entry in joined]

    def named_in_formulas(self):
        path = ROOT / "lessons" / f"{self.name}.formulas"
        text = path.read_text() if path.is_file() else ""
        words = {}
        for block in re.findall(r"^mistake (\w+.*?)(?=^\S|\Z)", text, flags=re.MULTILINE | re.DOTALL):
            name, *lines = re.sub(r"\n {5,}", " ", block.strip()).split("\n")  # they go on, indented further
            words[name] = dict(line.split(None, 1) for line in lines)
        of, function = {}, ""
        for line in text.splitlines():
            function = line.split()[0] if re.match(r"\w", line) else function
            made = re.match(r"\s+(\w+(?:, \w+)*):", line)
            for name in made[1].split(", ") if made else ():  # or an axis and its length
                if name in words and function not in of.setdefault(name, []):
                    of[name].append(function)
        return [Mistake([name, " ".join(of[name]), said["when"], said["instead"], said["section"]])
                for name, said in words.items()]

    def sections(self, stem, kind):
        """The sections of checker/lessons/NN_name/<stem>.c, and those that <stem>.txt makes. Nothing wrong comes
        from the oracles: the two agree only because both do the same thing wrong."""
        path = ROOT / "checker" / "lessons" / self.name / f"{stem}.c"
        parts = re.split(rf"^/\* ---- {kind}: (.*?) ---- \*/$", path.read_text() if path.is_file() else "",
                         flags=re.MULTILINE)
        found, line = [], parts[0].count("\n") + 1
        for title, code in zip(parts[1::2], parts[2::2]):
            found.append(Section(path, line, title, code))
            line += code.count("\n")
        return found + self.changes(path.with_suffix(".txt"))

    def changes(self, path):
        """The sections that a list of changes makes, of the solution or of styles in right.c. A title is the
        mistakes, "a + b", or "nothing": it fails, unnamed; behind a colon may stand what happens."""
        return [Section(path, patch.line, patch.title.split(":")[0], self.changed(patch))
                for patch in patches.read(path, base=None)]

    def changed(self, patch):
        """The functions that a change touches or an @ names, and those that call them; of a style also its
        helpers, and what stands between its functions."""
        text, spans = patch.applied(self.style(patch) if patch.base else self.read("solutions/{}.c"))
        functions, lesson = patches.functions_of(text), set(self.functions())
        named = {name for where, *_ in patch.pairs for name in where}
        taken = [name for name, (begin, end) in functions.items()
                 if name in named or any(begin <= last and first <= end for first, last, _ in spans)]
        for helper in taken:  # which grows
            taken += [name for name, (begin, end) in functions.items() if helper not in lesson
                      and name not in taken and re.search(rf"\b{helper}\b", text[begin:end])]
        if not patch.base:
            return "\n".join(text[begin:end] for name, (begin, end) in functions.items() if name in taken)
        for right in [text[begin:end] for name, (begin, end) in functions.items() if name in lesson - set(taken)]:
            text = text.replace(right, "")
        return text

    def style(self, patch):
        """The one style of a right answer whose title begins so."""
        styles = [style for style in self.sections("right", "style") if style.title.startswith(patch.base)]
        if len(styles) != 1:
            raise patch.misfit(f"{len(styles)} styles begin with {patch.base}")
        return styles[0].code

    def with_section(self, section, alone=False):
        """The solution with the functions that the section defines taking the place of its own.

        The solution's are still there, under other names, and call one another: a mistake in one
        function is not carried into those that the section leaves alone. The compiler drops those that
        nobody calls. `alone`: all of the solution's have another name, so that the file defines the section's
        alone, and of the others has those that they call."""
        taken = section.functions()
        hidden = [name for name in self.functions() if alone or name in taken]
        declared = "".join(f"static __attribute__((unused)) __typeof__({name}) solution_{name};\n" for name in hidden)
        renamed = "".join(f"#define {name} solution_{name}\n" for name in dict.fromkeys(taken + hidden))
        restored = "".join(f"#undef {name}\n" for name in taken)
        return (f'#include "{self.name}.h"\n{declared}{renamed}'
                f'{self.read("solutions/{}.c")}\n{restored}'
                f'#line {section.line + 1} "{section.path.name}"\n{section.code.lstrip(chr(10))}')

    def wrapped(self, parameter, condition):
        """A section in which every function with that parameter does nothing under a condition."""
        header = COMMENT.sub("", self.read("include/{}.h"))
        code = ""
        for kind, name, parameters in re.findall(r"^(void|float|int) (\w+)\(([^)]*)\);", header, re.MULTILINE):
            names = [re.search(r"(\w+)\s*$", words)[1] for words in parameters.split(",")]
            if parameter in names:
                code += (f"{kind} {name}({' '.join(parameters.split())})\n{{\n    {condition}\n"
                         f"        return{'' if kind == 'void' else ' 0'};\n"
                         f"    {'' if kind == 'void' else 'return '}solution_{name}({', '.join(names)});\n}}\n")
        return Section(ROOT / "wrapped.c", 0, parameter, code)

    def hints(self):
        """{function: [tier, tier, tier]}"""
        hints, function = {}, None
        for line in self.read("lessons/{}.hints").splitlines():
            if line.startswith("# "):
                function = line[2:].strip()
                hints[function] = []
            elif re.match(r"\d\. ", line):
                hints[function].append(line[3:])
            elif line.strip() and function and hints[function]:
                hints[function][-1] += " " + line.strip()
        return hints

    def headings(self, pattern):
        """The sections of one of its texts."""
        text = re.sub(r"^```.*?^```$", "", self.read(pattern), flags=re.MULTILINE | re.DOTALL)
        return re.findall(r"^## (.*)$", text, re.MULTILINE)

    def words(self, pattern):
        """How many words one of its texts has, code and all, from each section's heading to the next."""
        parts = re.split(r"^## (.*)$", self.read(pattern), flags=re.MULTILINE)
        return [len(parts[0].split())] + [len(part.split()) for part in parts[2::2]]

    def blocks(self):
        """The fenced blocks of its texts: (what stands behind the fence, the lines)."""
        texts = [self.read(text) for text in TEXTS if (ROOT / text.format(self.name)).is_file()]
        return re.findall(r"^```([^\n]*)\n(.*?)^```$", "".join(texts), re.MULTILINE | re.DOTALL)

    def runs(self):
        """(code, output) of every "c run" block; the block that follows is its output, or a picture of it.
        A picture has such a block in front of it, or a command."""
        found, maker = [], ""
        printed = {"output": lambda text: text, "plot": plotted_rows}
        blocks = self.blocks() + [("", "")]
        for (kind, code), (what, after) in zip(blocks, blocks[1:]):
            maker = maker if kind == "plot" else kind
            if kind == "c run" or what == "plot" and maker != "console":
                found.append((code, printed.get(what, lambda _, code=code: f"(no output follows {code!r})")(after)))
        return found

    def pictures(self):
        """(command, picture) for every block "plot" behind a console block: it shows what that one's last command
        prints."""
        found, command = [], None
        for kind, text in self.blocks():
            if kind == "console":
                command = re.findall(r"^\$ (.*)", text, re.MULTILINE)[-1]
            elif kind == "plot" and command:
                found.append((command, text))
            else:
                command = None
        return found

    def commands(self):
        """(command, what it prints) for every "$ " line of the console blocks."""
        found = []
        for kind, text in self.blocks():
            if kind == "console":
                parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
                found += zip(parts[1::2], parts[2::2])
        return found


def plotted_rows(block):
    """What a block "plot" draws, without its head: see checker/workbook/plot.h."""
    return re.sub(r"^(title|x|y|curves|bars):.*\n", "", block, flags=re.MULTILINE)


def absent(picture, printed):
    """The lines of a table that a picture shows and that was not printed: x's, and of each curve its name (a comma
    in it aside) and its numbers."""
    names = re.search(r"^curves: (.*)$", picture, re.MULTILINE)[1].split(", ")
    columns = list(zip(*map(str.split, plotted_rows(picture).splitlines())))
    text = re.sub(r" +", " ", printed.replace(",", ""))
    heading = rf"^.* {re.escape(' '.join(columns[0]))}(?: .*)?\n"
    lines = [f"{name} {' '.join(column)}" for name, column in zip(names, columns[1:])]
    return [line for line in lines if not re.search(rf"{heading}(?: .*\n)*? {re.escape(line)}(?: |$)", text, re.MULTILINE)]


def matches(printed, wanted):
    """Whether a command printed that; a line "..." stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
                      for line in wanted.splitlines())
    return re.fullmatch(pattern, printed) is not None


def copied_files():
    """{where it stands in a copy: the file}: the working tree and what is built, with the stubs as handed out
    but no progress, and none of a user's own folders."""
    kept = (".ci", ".devcontainer", ".vscode", "build", "checker", "exercises", "include", "lessons", "solutions")
    left_out = shutil.ignore_patterns("tests", "run", "bench", "fuzz", "mnist", "ours", "__pycache__")
    found = {}
    for folder, folders, files in os.walk(ROOT):
        here = pathlib.Path(folder)
        if here == ROOT:
            folders[:] = kept
        elif here.name in ("build", "deps"):
            out = left_out(folder, folders + files)
            folders[:] = [name for name in folders if name not in out]
            files = [name for name in files if name not in out]
        found.update({here.relative_to(ROOT) / name: here / name for name in files})
    stubs = {pathlib.Path("exercises", f"{name}.c"): ROOT / "checker/lessons" / name / "stub.c" for name in names()}
    return {**found, **stubs}


def fill_copy(copy, builds=False):
    """Makes a folder such a copy. Of one that a test had before, only what is not as it was is written anew:
    to take 1,000 files away and make them again costs most file systems a second. A copy that builds
    has of what is built only the libraries that were fetched, and what it builds stays."""
    own = pathlib.Path("build")
    files = {path: source for path, source in copied_files().items()
             if not builds or own not in path.parents or own / "deps" in path.parents}
    folders = {folder for path in files for folder in path.parents}
    for folder, inside, there in os.walk(copy):
        here = pathlib.Path(folder).relative_to(copy)
        if builds and here == own:
            inside[:] = ["deps"]
            continue
        for name in inside + there:
            path = copy / here / name
            if path.is_symlink() or here / name not in (files if name in there else folders):
                remove(path)
        inside[:] = [name for name in inside if here / name in folders]
    for folder in sorted(folders):
        (copy / folder).mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):  # another test's, which has ended since
            shutil.copymode(ROOT / folder, copy / folder)
    for path, source in files.items():
        with contextlib.suppress(FileNotFoundError):
            if looks(copy / path) != looks(source):
                remove(copy / path)
                shutil.copy2(source, copy / path)


def looks(path):
    """What differs when anybody touched it."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found.st_mode, found.st_size, found.st_mtime_ns


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def copy_of_tree(path):
    """A folder that is such a copy, for as long as it is needed."""
    fill_copy(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
