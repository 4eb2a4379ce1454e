"""The programs in a lesson's parts: the code in its text, the right answers of right.c, the wrong ones of wrong.txt
and wrong.c. `make verify` asks here whether they do what is said of them, and test_lessons.py asks the same, and
more, of every lesson of the workbook.

    python3 checker/tests/lesson_programs.py NN_name
"""

import concurrent.futures
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the sources
from lesson_files import CC, ROOT, Lesson

SCRATCH = ROOT / "build" / "tests" / "lessons"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-Iinclude"]
ENGLISH = dict(os.environ, LC_ALL="C.UTF-8")
AT_ONCE = 2


def run(command, cwd=ROOT, **more):
    settings = {"stdin": subprocess.DEVNULL} if "input" not in more else {}
    return subprocess.run(command, cwd=cwd, env=ENGLISH, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=1800, **settings, **more)


def all_of(work, items):
    """The results of work(item), computed two at once, in order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(work, items))


def scratch_file(lesson, name, text):
    """A file of its own; grading it keeps no progress."""
    path = SCRATCH / lesson.name / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path.relative_to(ROOT)


def scratch_files(lesson, stem, sections, alone=False):
    return [scratch_file(lesson, f"{stem}_{i}.c", lesson.with_section(section, alone))
            for i, section in enumerate(sections)]


# ---- the code in the text ----
def printed_by(lesson, number, code):
    """What a block of the text prints, linked with the solution; or the compiler's errors."""
    source = scratch_file(lesson, f"text_{number}.c", f'#include "{lesson.name}.h"\n'
                          "#include <math.h>\n#include <stdio.h>\n"
                          f"int main(void)\n{{\n{code}\n}}\n")
    program = source.with_suffix("")
    # A compiler that fuses a * b + c would print other last digits on some processors.
    compiled = run([*CC.split(), *STRICT, "-ffp-contract=off", str(source),
                    f"solutions/{lesson.name}.c", "-o", str(program), "-lm"])
    return compiled.stderr or run([str(program)]).stdout


def all_printed(lesson):
    """[(code, what stands behind it, what it prints)] of every block of the text that is run."""
    blocks = lesson.runs()
    printed = all_of(lambda job: printed_by(lesson, *job), [(i, code) for i, (code, _) in enumerate(blocks)])
    return [(code, wanted, found) for (code, wanted), found in zip(blocks, printed)]


# ---- right and wrong programs ----
def refusals(report):
    """What a report holds against an implementation, as lines; empty when it passed."""
    if report["build_error"]:
        return [report["build_error"]]
    return ["\n".join([f"{check['name']}: {check['status']}", *check["details"]])
            for check in report["checks"] if check["status"] != "passed"]


def misnamed(lesson, section, report):
    """The functions that the section defines, and no others, are to fail with that mistake's name: how not."""
    if report["build_error"]:
        return [report["build_error"]]
    replaced = set(section.functions()) & set(lesson.functions())
    if not replaced:
        return ["it defines no function of the lesson"]
    failed = [check for check in report["checks"] if check["status"] == "failed"]
    steps = {check["step"] for check in failed}
    found = [] if steps == replaced else [f"{words(steps)} fails, where it changes {words(replaced)}"]
    for check in failed:
        named = set((check["mistake"] or "nothing").split(" and "))
        if named != set(section.title.split(" + ")):
            found.append("\n".join([f"{check['name']}: {' + '.join(sorted(named))} is named", *check["details"]]))
    return found


def words(names):
    return " and ".join(sorted(names)) or "nothing"


def reports(lesson, files):
    """What the checker says of each file, the line left aside: it compiles one after the other, and so do two."""
    def of(some):
        command = [f"build/{lesson.name}/check", "--each", "--no-line", "--format", "json", "--seed", "1"]
        said = run(command, input="".join(f"{file}\0" for file in some))
        found = [json.loads(report)["lessons"][0] for report in said.stdout.split("\0")[:-1] if report.strip()]
        if len(found) != len(some):
            raise ValueError(f"the checker gave {len(found)} of {len(some)} reports. {said.stderr}")
        return found

    if not files:
        return []
    parts = all_of(of, [files[i::AT_ONCE] for i in range(AT_ONCE)])
    return [parts[i % AT_ONCE][i // AT_ONCE] for i in range(len(files))]


def made(sections):
    """The mistakes that these make, alone or in a pair."""
    return {name for section in sections for name in section.title.split(" + ")}


# ---- for make verify ----
def faults(lesson):
    """(What is wrong with its programs, line by line; what was looked at, as a line.)

    Most of the time goes into compiling, and most of a program is the solution's functions, which it leaves alone
    and which call one another: these are the solution's, whatever the program does. They are not compiled again, and
    what is said of them is said of the solution; test_lessons.py has them in every program all the same."""
    found = []
    texts = all_printed(lesson)
    for i, (code, wanted, printed) in enumerate(texts):
        if printed != wanted:
            found.append(f"run block {i + 1} of its text does not print what stands behind it:\n"
                         f"{indented(code.strip().splitlines()[0])}\n  it prints\n{indented(printed)}\n"
                         f"  and behind it stands\n{indented(wanted)}")
    right, wrong = lesson.sections("right", "style"), lesson.sections("wrong", "mistake")
    alone = not lesson.has_calls()  # or a check calls several functions
    files = scratch_files(lesson, "verify_right", right, alone) + scratch_files(lesson, "verify_wrong", wrong, alone)
    for section, report in zip(right + wrong, reports(lesson, files)):
        is_right = section in right
        if alone:
            report["checks"] = [check for check in report["checks"] if check["step"] in section.functions()]
        what = "a right answer, is refused" if is_right else "a wrong one, is not graded so"
        for fault in (refusals(report) if is_right else misnamed(lesson, section, report))[:1]:
            found.append(f"{section.path.name}:{section.line}: {section.title}, {what}:\n{indented(fault)}")
    left = [mistake.id for mistake in lesson.mistakes() if mistake.id not in made(wrong)] if wrong else []
    looked = f"{len(texts)} run blocks, {len(right)} right answers and {len(wrong)} wrong ones were looked at" + \
        (f"; no wrong one makes {', '.join(left)}" if left else "")
    return found, looked if texts or right or wrong else ""


def indented(text):
    return "\n".join(f"    {line}" for line in text.rstrip("\n").splitlines())


def main(name):
    try:
        found, looked = faults(Lesson(name))
    except (ValueError, OSError, subprocess.SubprocessError) as error:
        found, looked = [str(error)], ""
    if looked:
        print(f"  {looked}")
    for fault in found:
        print(f"BROKEN {name}: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
