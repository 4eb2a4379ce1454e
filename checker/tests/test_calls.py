"""A lesson whose interface is a struct with a life: its calls.c calls the learner's functions in turn.
What is said is about the learner's functions, and memory is watched.
"""

import json
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import lesson_files
import trees
from running_lesson import FILES, FOLDER, NAME
from workbook_copy import WorkbookCopy


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())
        cls.copy.add_lesson(NAME, FILES)
        cls.solution = FILES[f"solutions/{NAME}.c"]

    def line(self, code):
        return self.copy.read("mine.c").split(code)[0].count("\n") + 1

    def checked(self, *changes, **options):
        """What a check says of the solution with each (old, new) replaced once."""
        text = self.solution
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.copy.write("mine.c", text)
        run = self.copy.make("check", LESSON="97", IMPL="mine.c", **options)
        return run.stdout + run.stderr

    def needs_sanitizers(self):
        if not trees.is_sanitized(trees.ROOT):
            self.skipTest("only the sanitizers see it")

    def test_the_solution_passes(self):
        self.assertIn("5 passed, 0 failed", self.checked())

    def test_of_the_stub_each_function_is_not_written_yet(self):
        stub = self.copy.read(f"exercises/{NAME}.c")
        self.copy.write("begun.c", stub + "/* begun */\n")
        run = self.copy.make("check", LESSON="97", IMPL="begun.c", FORMAT="json")
        checks = json.loads(run.stdout)["lessons"][0]["checks"]
        said = {check["step"]: check["details"] for check in reversed(checks)}
        self.assertEqual(said, {name: ["not written yet"]
                                for name in ("running_init", "running_add", "running_free")})

    def test_what_comes_later_waits_for_what_it_calls(self):
        said = self.checked(("return -1;", "return 0;"))
        self.assertIn("❌ running_init starts at zero\n     running_init(...): expected -1, got 0", said)
        self.assertIn("➖ running_add adds\n     running_init comes first\n", said)

    def test_a_wrong_sum_is_named_and_its_calls_are_listed(self):
        said = self.checked(("r->sum[i] += x[i]", "r->sum[i] = x[i]"))
        self.assertIn("running_init, running_add, called with n = 1", said)
        self.assertIn("These are the numbers you get when the sum is overwritten.", said)

    def test_a_leak_where_memory_runs_out_has_its_line(self):
        self.needs_sanitizers()
        said = self.checked(("        free(sum);\n", ""), SEED="1")
        self.assertIn("❌ running_init fails without a trace\n     allocates memory at "
                      f"mine.c:{self.line('calloc')} and does not free it", said)

    def test_an_allocation_that_is_not_looked_at_is_followed_as_null(self):
        said = self.checked(("    if (!sum)\n        return -1;\n", "    sum[0] = 0;\n"))
        self.assertIn(f"followed a null pointer at mine.c:{self.line('sum[0] = 0')}\n"
                      "     running_init, called with nth = 1, n = 4", said)

    def test_a_struct_that_keeps_something_is_told(self):
        said = self.checked(("        free(sum);\n", "        free(sum);\n        r->n = n;\n"))
        self.assertIn("running_init(...): expected -1, got -2", said)

    def test_what_the_checker_can_not_use_is_told(self):
        said = self.checked(("{n, sum, last}", "{n, NULL, last}"))
        self.assertRegex(said, "when the checker used what your functions left.*null pointer.*\n"
                         "     running_init, called with n = 3")

    def test_what_is_never_freed_is_counted(self):
        said = self.checked(("    free(r->last);\n", ""))
        self.assertIn("running_free(...): expected 0, got 100", said)

    def test_a_second_free_and_a_use_after_it_have_their_lines(self):
        self.needs_sanitizers()
        said = self.checked(("    free(r->last);\n    *r = (struct running){0};\n",
                             "    free(r->last);\n"))
        self.assertIn(f"freed the same memory twice at mine.c:{self.line('free(r->sum)')}", said)
        said = self.checked(("    memcpy(r->last, x, (size_t)r->n * sizeof(float));\n",
                             "    static const float *kept;\n    if (kept) r->last[0] = kept[0];\n"
                             "    kept = x;\n"))
        self.assertIn(f"read 4 bytes of memory after freeing it at mine.c:{self.line('if (kept)')}", said)

    def test_a_check_may_be_about_one_that_is_not_called_last(self):
        said = self.checked(("#include <string.h>\n", "#include <string.h>\nstatic int freed;\n"),
                            ("        r->sum[i] += x[i];", "        r->sum[i] += freed > 200 ? 0 : x[i];"),
                            ("    free(r->sum);\n    free(r->last)", "    freed++;\n    free(r->sum);\n    free(r->last)"))
        self.assertIn("❌ running_add begins anew after a free\n     sum[", said)
        self.assertIn("running_init, running_add, running_free, called with n = ", said)

    def test_what_malloc_gives_is_garbage(self):
        said = self.checked(("calloc((size_t)n, sizeof(float))", "malloc((size_t)n * sizeof(float))"))
        self.assertIn("❌ running_init starts at zero\n     sum[0] was never written: it is -2.874e-16, which stood "
                      "there before (expected 0)", said)

    def test_any_allocator_is_counted(self):
        """Two blocks of posix_memalign's, one of which fails in turn, and all of it given back."""
        aligned = "NULL;\n    if (!posix_memalign((void **)&sum, 64, 4 * (size_t)n))\n        memset(sum, 0, 4 * (size_t)n);"
        said = self.checked(("#include <stdlib", "#define _POSIX_C_SOURCE 200809L\n#include <stdlib"),
                            ("calloc((size_t)n, sizeof(float));", aligned))
        self.assertIn("5 passed, 0 failed", said)

    def test_every_way_to_get_memory_is_counted_or_no_error(self):
        """In place of malloc; beside it, what is made and freed at once; and what the C library makes itself."""
        size = "(size_t)rows * (size_t)m->features * sizeof(float)"
        made = f"malloc({size})"
        posix = "static void *posix(size_t n) { void *p = 0; return posix_memalign(&p, 64, n) ? 0 : p; }\n"
        printed = 'static void p(void) { char *t = 0; if (asprintf(&t, "%d", 3) >= 0) free(t); }\n'
        text = (trees.ROOT / "solutions/06_module.c").read_text()
        self.assertEqual(text.count(made), 1)
        for way, before in ((f"reallocarray(NULL, {size} / 4, 4)", ""), (f"memalign(64, {size})", ""),
                            (f"valloc({size})", ""), (f"pvalloc({size})", ""), (f"posix({size})", posix),
                            (f"aligned_alloc(64, ({size} + 63) / 64 * 64)", ""), (f"realloc(NULL, {size})", ""),
                            (f'(free(strdup("layer")), {made})', ""), (f'(free(strndup("layer", 2)), {made})', ""),
                            (f"(p(), {made})", printed)):
            with self.subTest(way):
                self.copy.write("mine.c", "#define _GNU_SOURCE\n#include <malloc.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                                "#include <string.h>\n" + before + text.replace(made, way))
                done = subprocess.run(["build/06_module/check", "--impl", self.copy.path / "mine.c"], cwd=trees.ROOT,
                                      text=True, stdout=subprocess.PIPE, check=False)
                self.assertIn("21 passed, 0 failed", done.stdout)
        with self.subTest("and what is not freed is told"):
            self.copy.write("mine.c", "#define _GNU_SOURCE\n#include <string.h>\n" + text.replace(
                made, f'(strdup("layer"), {made})'))
            done = subprocess.run(["build/06_module/check", "--impl", self.copy.path / "mine.c"], cwd=trees.ROOT,
                                  text=True, stdout=subprocess.PIPE, check=False)
            self.assertRegex(done.stdout, r"\d+ passed, [1-9]\d* failed")

    PAGES = """#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define TAKE __attribute__((unused)) static void *
#define PAGES(n) mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
TAKE mapped(size_t n)
{
    char *at = PAGES(n + 64);
    if (at == MAP_FAILED)
        return NULL;
    *(size_t *)at = n + 64;
    return at + 64;
}
/* With pages to spare on both sides, which are given back at once. */
TAKE trimmed(size_t n)
{
    size_t all = (n + 64 + 4095) / 4096 * 4096;
    char *at = PAGES(all + 8192);
    if (at == MAP_FAILED)
        return NULL;
    munmap(at, 4096);
    munmap(at + 4096 + all, 4096);
    *(size_t *)(at + 4096) = all;
    return at + 4096 + 64;
}
TAKE moved(size_t n)
{
    char *at = PAGES(4096);
    char *larger = at == MAP_FAILED ? at : mremap(at, 4096, n + 4096, MREMAP_MAYMOVE);
    if (at != MAP_FAILED && larger == MAP_FAILED)
        munmap(at, 4096);
    if (larger == MAP_FAILED)
        return NULL;
    *(size_t *)larger = n + 4096;
    return larger + 64;
}
TAKE once_from_the_break(size_t n)
{
    intptr_t size = (intptr_t)(n + 15) / 16 * 16;
    if (sbrk(size) == (void *)-1)
        return NULL;
    sbrk(-size);
    return mapped(n);
}
/* These ask malloc whether there is memory, and take it elsewhere. */
TAKE elsewhere(size_t n)
{
    void *asked = malloc(n);
    free(asked);
    return asked ? trimmed(n) : NULL;
}
TAKE from_the_break(size_t n)
{
    void *asked = malloc(n), *at = sbrk((intptr_t)(n + 15) / 16 * 16);
    free(asked);
    return asked && at != (void *)-1 ? memset(at, 0, n) : NULL;
}
__attribute__((unused)) static void unmapped(void *at)
{
    if (at)
        munmap((char *)at - 64, *(size_t *)((char *)at - 64));
}
__attribute__((unused)) static void kept(void *at)
{
    (void)at;
}
"""

    def graded_with(self, take, give):
        """The solution of lesson 06, which takes and gives back all its memory so."""
        text = (trees.ROOT / "solutions/06_module.c").read_text()
        for old, new, times in ((r"\bcalloc\(\(size_t\)count, ", f"{take}((size_t)count * ", 1),
                                (r"\bmalloc\(", f"{take}(", 2), (r"\bfree\(", f"{give}(", 10)):
            text, made = re.subn(old, new, text)
            self.assertEqual(made, times, old)
        self.copy.write("mine.c", self.PAGES + text)
        done = subprocess.run(["build/06_module/check", "--impl", self.copy.path / "mine.c"], cwd=trees.ROOT,
                              text=True, stdout=subprocess.PIPE, check=False)
        return done.stdout

    def test_who_takes_pages_and_gives_them_back_is_right(self):
        for take in ("mapped", "trimmed", "moved", "once_from_the_break"):
            with self.subTest(take):
                self.assertIn("21 passed, 0 failed", self.graded_with(take, "unmapped"))

    def test_pages_that_are_not_given_back_are_told(self):
        """Those of the last three are missed first where an allocation of several fails."""
        count = ("❌ layer_norm_free gives all back, and does nothing the second time\n"
                 "     blocks_held[0]: expected 0, got ")
        for take, words in (("elsewhere", count), ("from_the_break", count),
                            *((take, "maps memory and does not unmap it") for take in ("mapped", "trimmed", "moved"))):
            with self.subTest(take):
                self.assertIn(words, self.graded_with(take, "kept"))

    def test_a_wrong_return_is_told_before_what_was_not_written(self):
        said = self.checked(("if (n <= 0)", "if (n <= 0 || n == 3)"))
        self.assertIn("❌ running_init starts at zero\n     running_init(...): expected 0, got -1", said)

    def test_a_pass_is_remembered_as_one_of_these_checks(self):
        stub = self.copy.read(f"exercises/{NAME}.c")
        self.copy.write(f"exercises/{NAME}.c", self.solution)
        self.copy.make("check", LESSON="97")
        self.assertRegex(self.copy.make("lessons").stdout, "97 +running +passed ")
        self.copy.write(f"exercises/{NAME}.c", stub)

    def test_its_draws_are_asked_of_many_seeds(self):
        run = self.copy.run([f"build/{NAME}/check", "--draws", "2", "--seed", "1"])
        self.assertIn("cases of 2 seeds from 1", run.stdout, run.stderr)

    def test_one_function_is_asked_by_the_learners_name(self):
        said = self.checked(STEP="running_add")
        self.assertIn("✅ running_add adds\n✅ running_add begins anew after a free\n2 passed", said)
        self.assertIn("has running_init, running_add, running_free", self.checked(STEP="add_two"))

    def test_a_function_that_is_missing_is_named(self):
        said = self.checked(("void running_free(struct", "void running_freed(struct"))
        self.assertIn("running_free is used or asked for but defined nowhere in mine.c", said)

    def test_it_is_tried_by_either_name(self):
        for name in ("running_add", "add_two"):
            run = self.copy.run([f"build/{NAME}/check", "--impl", f"solutions/{NAME}.c", "--try",
                                 f"{name} x=1 2 y=3 5"])
            self.assertRegex(run.stdout, r"sum +yours +✅ +4 +7\n", run.stderr)

    def test_a_wrong_program_has_the_functions_that_it_leaves_alone(self):
        """A check calls them with those that are wrong."""
        path = f"{FOLDER}/wrong.txt"
        self.copy.write(path, "# overwritten\n- r->sum[i] += x[i]\n+ r->sum[i] = x[i]\n")
        run = self.copy.make("verify", LESSON="97")
        (self.copy.path / path).unlink()
        self.assertIn("\n  0 run blocks, 0 right answers and 1 wrong ones were looked at\n", run.stdout, run.stderr)
        self.assertNotIn("wrong.txt:", run.stdout)

    def test_a_lesson_without_the_parts_that_calls_need_is_told(self):
        path = f"{FOLDER}/lesson.c"
        for old, new, words in (
                ('.calls = "running_init"}', "0}", "does not say which functions it calls"),
                ('"running_init running_add"', '"running_init running_ad"', '"add_two" names running_ad'),
                ('"running_init running_add running_free"}', '"running_init running_add"}',
                 "the header declares running_free, lesson.c has no step for it"),
                ('.about = "running_add"', '.about = "running_at"',
                 "the step add_again is about running_at, which it does not call")):
            with self.subTest(words):
                text = FILES[path]
                self.assertIn(old, text)
                self.copy.write(path, text.replace(old, new, 1))
                run = self.copy.make("verify", LESSON="97")
                self.copy.write(path, text)
                self.assertIn(words, run.stdout + run.stderr)


class Names(unittest.TestCase):
    """The learner's own functions may be called anything: what is linked with their file, or compiled beside it to
    look for the line, has names that C leaves nobody."""

    LESSONS = [name for name in lesson_files.names() if lesson_files.Lesson(name).has_calls()]
    # Which memory.h stands in for.
    MEMORY = {"malloc", "calloc", "realloc", "reallocarray", "free", "memalign", "aligned_alloc", "posix_memalign",
              "valloc", "pvalloc", "strdup", "strndup", "mmap", "mmap64", "munmap", "mremap", "sbrk"}
    # What C leaves to a learner, and we have or use there.
    OF_POSIX = ["mmap", "mmap64", "munmap", "mremap", "sbrk", "posix_memalign", "memalign", "valloc", "pvalloc",
                "reallocarray", "strdup", "strndup", "dlopen", "dlsym", "sysconf"]
    OF_MEMORY = ["fail_allocation", "allocations", "blocks_held", "leave_since", "leave_hidden", "library", "counted", "memory"]

    def names(self, lesson):
        calls = (trees.ROOT / "checker" / "lessons" / lesson / "calls.c").read_text()
        return re.findall(r"^[A-Za-z][\w ]*[ *](\w+)\(", calls, re.MULTILINE)

    def graded(self, lesson, text):
        source = trees.ROOT / "build" / "tests" / "names.c"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        done = subprocess.run([f"build/{lesson}/check", "--impl", source, "--format", "json"], cwd=trees.ROOT,
                              text=True, stdout=subprocess.PIPE, check=False)
        return json.loads(done.stdout)["lessons"][0]

    def with_names(self, lesson, names=None):
        """The solution, and a function of each of our names."""
        names = names or [*self.names(lesson), *self.OF_MEMORY, *self.OF_POSIX]
        self.assertGreater(len(names), 10)
        own = "".join(f"int {name}(void)\n{{\n    return {i};\n}}\n\n" for i, name in enumerate(names))
        return own + (trees.ROOT / "solutions" / f"{lesson}.c").read_text()

    def test_a_learners_functions_may_have_the_names_of_ours(self):
        for lesson in self.LESSONS:
            with self.subTest(lesson):
                report = self.graded(lesson, self.with_names(lesson))
                self.assertEqual((report["build_error"], report["failed"], report["not_reached"]), (None, 0, 0))

    def test_and_the_line_is_found_all_the_same(self):
        text = self.with_names("06_module", [*self.names("06_module")[-8:], *self.OF_MEMORY])  # it reads so many
        right = "rate * m->dgamma[j]"
        self.assertEqual(text.count(right), 1)
        wrong = text.replace(right, right.replace("*", "+"))
        line = wrong[:wrong.index("rate + m->dgamma[j]")].count("\n") + 1
        fixes = [check["fix"]["line"] for check in self.graded("06_module", wrong)["checks"] if check["fix"]]
        self.assertEqual(set(fixes), {line})

    def test_what_is_linked_has_reserved_names_or_those_of_memory(self):
        for lesson in self.LESSONS:
            with self.subTest(lesson):
                listed = subprocess.run(["nm", "--defined-only", "--extern-only", f"build/{lesson}/calls.o"],
                                        cwd=trees.ROOT, text=True, stdout=subprocess.PIPE, check=True).stdout
                ours = {line.split()[-1] for line in listed.splitlines()} - self.MEMORY
                self.assertEqual([name for name in ours if not name.startswith("__calls_")], [])
                self.assertGreater(len(ours), 1)

    def test_what_a_copy_is_compiled_behind_has_reserved_names_or_those_of_the_c_library(self):
        prelude = (trees.ROOT / "checker" / "box" / "trial_prelude.h").read_text()
        memory = (trees.ROOT / "checker" / "box" / "trial_memory.h").read_text()
        self.assertEqual([name for name in re.findall(r"(\w+)\(", re.sub(r"/\*.*?\*/", "", memory, flags=re.DOTALL))
                          if not name.startswith("__calls_")], [])
        self.assertEqual(re.findall(r"\b(?:fuel|chosen|spent)_\b|\bFUEL_\b", prelude), [])


if __name__ == "__main__":
    unittest.main()
