"""The learner's editor opens at the line that the last verdict names: stand-ins of the editors' names
write down what they were called with."""

import os

import prompt_copy
import watching
from prompt_copy import TREE, Test, pipe

FIRST = "01_layer_norm"
FILE = f"exercises/{FIRST}.c"
STAND_IN = '#!/bin/sh\necho "${0##*/} $*"\n'
NAMES = ("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "kak", "hx", "helix", "code", "codium", "other")
SOLVED = watching.SOLVED
WRONG = SOLVED.replace("distance * distance", "distance + distance")  # line 22, as a test below holds
CRASHES = SOLVED.replace("j < features", "j <= features", 1)
BROKEN = SOLVED.replace("sum +=", "sun +=", 1)


def setUpModule():
    prompt_copy.set_up()


def line_of(text, part):
    return text[:text.index(part)].count("\n") + 1


def stand_ins(folder):
    """The PATH on which they are found first."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        (folder / name).write_text(STAND_IN)
        (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


class AtThePrompt(Test):
    def setUp(self):
        super().setUp()
        self.path = stand_ins(TREE / "build" / "editors")

    def opened(self, *lines, editor="vim", variable="EDITOR"):
        """What the editor was called with when the last of these lines was typed."""
        run = pipe(*(lines or ("check 01", "edit")), PATH=self.path, **{variable: editor})
        return run.stdout.splitlines()[-1]

    def test_each_editor_is_told_the_line_in_its_own_way(self):
        self.write(WRONG)
        pipe("check 01")
        for name in ("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "kak"):
            with self.subTest(name):
                self.assertEqual(self.opened("edit", editor=name), f"{name} +22 {FILE}")
        for name in ("hx", "helix"):
            with self.subTest(name):
                self.assertEqual(self.opened("edit", editor=name), f"{name} {FILE}:22")
        for name in ("code", "codium"):
            with self.subTest(name):
                self.assertEqual(self.opened("edit", editor=name), f"{name} -g {FILE}:22")

    def test_its_own_arguments_come_before_and_its_folder_is_no_part_of_its_name(self):
        self.write(WRONG)
        pipe("check 01")
        for variable in ("VISUAL", "EDITOR"):
            for editor, called in (("code -w", f"code -w -g {FILE}:22"), ("vim -R", f"vim -R +22 {FILE}"),
                                   ("build/editors/nano -l", f"nano -l +22 {FILE}")):
                with self.subTest(editor, variable=variable):
                    self.assertEqual(self.opened("edit", editor=editor, variable=variable), called)

    def test_an_editor_that_is_not_known_gets_the_file_alone(self):
        self.write(WRONG)
        for editor in ("other", "sh build/editors/vim"):
            with self.subTest(editor):
                self.assertTrue(self.opened(editor=editor).endswith(f" {FILE}"))
                self.assertNotIn("22", self.opened(editor=editor))

    def test_a_compile_error_a_crash_and_a_change_that_mends_it_name_a_line(self):
        for text, part in ((BROKEN, "sun +="), (CRASHES, "sum += x[j]"), (WRONG, "distance + distance")):
            with self.subTest(part):
                self.write(text)
                self.assertEqual(self.opened(), f"vim +{line_of(text, part)} {FILE}")

    def test_the_check_of_one_function_names_one_too(self):
        self.write(WRONG)
        self.assertEqual(self.opened("check row_variance", "edit"), f"vim +22 {FILE}")
        self.assertEqual(self.opened("check row_mean", "edit"), f"vim {FILE}")

    def test_what_passes_or_is_the_stub_names_none(self):
        self.write(WRONG)
        self.assertIn("+22", self.opened())
        stub = (TREE / "build" / "stubs" / f"{FIRST}.c").read_text()
        for text in (SOLVED, stub):
            self.write(text)
            self.assertEqual(self.opened("check 01", "edit 01"), f"vim {FILE}")

    def test_a_line_is_of_its_lesson_and_of_the_learners_own_file_alone(self):
        self.write(WRONG)
        (TREE / "mine.c").write_text(WRONG)
        self.addCleanup(os.unlink, TREE / "mine.c")
        self.assertEqual(self.opened("check 01", "edit 02"), "vim exercises/02_backward.c")
        self.assertEqual(self.opened("check 01", "edit mine.c"), "vim mine.c")
        self.assertEqual(self.opened("check mine.c", "edit"), f"vim +22 {FILE}")

    def test_a_file_that_has_become_shorter_is_opened_at_its_beginning(self):
        for lines, called in ((22, f"vim +22 {FILE}"), (21, f"vim {FILE}")):
            self.write(WRONG)
            pipe("check 01")
            self.write("".join(WRONG.splitlines(keepends=True)[:lines]))
            self.assertEqual(self.opened("edit"), called)


class InWatch(watching.Watching):
    def test_e_opens_it_there_too(self):
        path = stand_ins(watching.COPY.path / "build" / "editors")
        (watching.COPY.path / "build" / "editors" / "vim").write_text('#!/bin/sh\necho "$*" >build/arguments\nexit 7\n')
        watching.save(WRONG)
        watch = self.watch(EDITOR="vim -R", PATH=path)
        watch.see("2 passed, 2 failed")
        watch.type("e")
        watch.see("The editor ended with code 7.")
        self.assertEqual(watching.COPY.read("build/arguments"), f"-R +22 {FILE}\n")
        self.quit(watch)

    @classmethod
    def setUpClass(cls):
        watching.begin()

    @classmethod
    def tearDownClass(cls):
        watching.end()
