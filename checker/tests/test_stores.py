"""Lesson 06 with an allocator of the learner's own: a store that is kept, from which init and forward hand out pieces
and to which free gives them back. It is right, natively and in the emulator: the checker frees nothing of it, and has
every piece back. What never comes back to a store is told.
"""

import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import test_emulator
import trees
from drivers import SCRATCH

SOLUTION = (trees.ROOT / "solutions/06_module.c").read_text()
STUB = (trees.ROOT / "exercises/06_module.c").read_text()

# Pieces of one large block, the first that fits; neighbours that are free become one.
PIECES = """enum { STORE = 3 << 18 };
struct piece {
    size_t size;
    struct piece *next;
};
static struct piece *pieces;
%(store)s

static void *take(size_t bytes)
{
    bytes = (bytes + sizeof(struct piece) + 15) & ~(size_t)15;
    %(open)s
    for (struct piece **p = &pieces; *p; p = &(*p)->next) {
        struct piece *found = *p;
        if (found->size < bytes)
            continue;
        *p = found->next;
        if (found->size - bytes >= 64) {
            *p = (struct piece *)((char *)found + bytes);
            **p = (struct piece){found->size - bytes, found->next};
            found->size = bytes;
        }
        %(out)s
        return found + 1;
    }
    return NULL;
}

static void join(struct piece *p)
{
    if (p && (char *)p + p->size == (char *)p->next)
        *p = (struct piece){p->size + p->next->size, p->next->next};
}

static void drop(void *block)
{
    struct piece *before = NULL, *one = block;
    if (!block)
        return;
    one--;
    %(back)s
    for (struct piece *p = pieces; p && p < one; p = p->next)
        before = p;
    one->next = before ? before->next : pieces;
    *(before ? &before->next : &pieces) = one;
    join(one);
    join(before);
}
"""
BEGIN = "pieces = (struct piece *)store, *pieces = (struct piece){STORE, NULL};"
ALLOCATED = "if (!store && !(store = malloc(STORE)))\n        return NULL;\n    if (!begun)\n        begun = 1, "
# Every piece is a block of its own, and is taken again for just as many bytes.
LIST = """struct piece {
    size_t size;
    struct piece *next;
};
static struct piece *pieces;

static void *take(size_t bytes)
{
    struct piece **p = &pieces;
    while (*p && (*p)->size != bytes)
        p = &(*p)->next;
    struct piece *found = *p;
    if (found)
        *p = found->next;
    else if (!(found = malloc(sizeof *found + bytes)))
        return NULL;
    else
        found->size = bytes;
    return found + 1;
}

static void drop(void *block)
{
    struct piece *one = block;
    if (!block)
        return;
    one--;
    one->next = pieces;
    pieces = one;
}
"""
STORES = {
    "a static array": PIECES % {"store": "static _Alignas(16) char store[STORE];\nstatic int begun;",
                                "open": f"if (!begun)\n        begun = 1, {BEGIN}", "out": "", "back": ""},
    "a block that is kept": PIECES % {"store": "static char *store;\nstatic int begun;", "open": ALLOCATED + BEGIN,
                                      "out": "", "back": ""},
    "a block that goes with its last piece": PIECES % {
        "store": "static char *store;\nstatic int begun, out;", "open": ALLOCATED + BEGIN, "out": "out++;",
        "back": "if (--out == 0) {\n        free(store);\n        pieces = NULL, store = NULL, begun = 0;\n        "
                "return;\n    }"},
    "a list of blocks": LIST,
}
COPES = {
    "another try": "static void *take(size_t bytes)\n{\n    void *block = NULL;\n"
                   "    for (int i = 0; i < 3 && !block; i++)\n        block = malloc(bytes);\n    return block;\n}\n",
    "another way": "static void *take(size_t bytes)\n{\n    void *block = malloc(bytes);\n"
                   "    return block ? block : calloc(1, bytes);\n}\n",
}
# Blocks wait in a row until so many, or so many bytes, are behind them.
LATER = {
    **{f"{most} blocks later": "static void *waiting[%d];\nstatic int oldest;\n\nstatic void *take(size_t bytes)\n{\n"
       "    return malloc(bytes);\n}\n\nstatic void drop(void *block)\n{\n    if (!block)\n        return;\n"
       "    free(waiting[oldest]);\n    waiting[oldest] = block;\n    oldest = (oldest + 1) %% %d;\n}\n" % (most, most)
       for most in (4, 64, 256)},
    "64 KB later": """struct piece {
    struct piece *next;
    size_t size;
};
static struct piece *oldest, *newest;
static size_t waiting;

static void *take(size_t bytes)
{
    struct piece *one = malloc(sizeof *one + bytes);
    if (!one)
        return NULL;
    one->size = bytes;
    return one + 1;
}

static void drop(void *block)
{
    struct piece *one = block;
    if (!block)
        return;
    one--;
    one->next = NULL;
    *(newest ? &newest->next : &oldest) = one;
    newest = one;
    for (waiting += one->size; waiting > 1 << 16; free(one)) {
        one = oldest;
        oldest = one->next;
        newest = oldest ? newest : NULL;
        waiting -= one->size;
    }
}
""",
}
# What is out stands in a tree of tsearch()'s, whose own blocks come from within the C library.
TREE = {"a tree": """#include <search.h>

static void *out;

static int order(const void *one, const void *other)
{
    return one < other ? -1 : one > other;
}

static void *take(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block || tsearch(block, &out, order))
        return block;
    free(block);
    return NULL;
}

static void drop(void *block)
{
    if (!block)
        return;
    tdelete(block, &out, order);
    free(block);
}
"""}
STORES_AND_COPES = {**STORES, **LATER, **TREE, **{name: f"{take}\nstatic void drop(void *block)\n{{\n    free(block);\n}}\n"
                                 for name, take in COPES.items()}}
GIVES_BACK = """static void give_back(void *block)
{
    if (block && realloc(block, 0))
        abort();
}

"""
FROM_A_STORE = """
static float *zeros(int count)
{
    float *array = take((size_t)count * sizeof *array);
    for (int i = 0; array && i < count; i++)
        array[i] = 0;
    return array;
}
"""
ZEROS = """static float *zeros(int count)
{
    return calloc((size_t)count, sizeof(float));
}
"""
SCRATCH_OF_FORWARD = """    static float *scratch;
    static int most;
    if (rows * m->features > most) {
        float *more = realloc(scratch, (size_t)rows * (size_t)m->features * sizeof *more);
        if (!more)
            return -1;
        scratch = more;
        most = rows * m->features;
    }
    for (int i = 0; i < rows * m->features; i++)
        scratch[i] = x[i];
    x = scratch;
    float *xhat = malloc("""


def changed(text, *changes):
    for old, new in changes:
        assert text.count(old) == 1, (text.count(old), old)
        text = text.replace(old, new)
    return text


def with_store(store, *changes):
    """The solution, which has its memory from there."""
    text = SOLUTION.replace("malloc(", "take(").replace("free(", "drop(").replace("norm_drop(", "norm_free(")
    return changed(changed(text, (ZEROS, STORES_AND_COPES[store] + FROM_A_STORE)), *changes)


class Stores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if test_emulator.missing():
            raise unittest.SkipTest(test_emulator.missing())
        SCRATCH.mkdir(parents=True, exist_ok=True)

    def reports(self, text, *options):
        """Both programs': (which one, its report)."""
        source = SCRATCH / "store.c"
        source.write_text(text)
        for program in ("check", "emulated"):
            done = subprocess.run([f"build/06_module/{program}", "--impl", source, "--format", "json", *options],
                                  cwd=trees.ROOT, text=True, stdout=subprocess.PIPE, check=False)
            yield program, json.loads(done.stdout)["lessons"][0]

    def assert_right(self, text, passed=21, options=()):
        """No check fails, and so many pass."""
        for program, report in self.reports(text, *options):
            with self.subTest(program):
                failed = [check for check in report["checks"] if check["status"] == "failed"]
                self.assertEqual((report["build_error"], failed, report["passed"]), (None, [], passed))

    def test_a_store_that_is_kept_is_right(self):
        for store in STORES:
            with self.subTest(store):
                self.assert_right(with_store(store))

    def test_init_alone_is_right_while_free_is_not_written(self):
        """Of a store that is large enough for all of it; what a failing init is to give back waits for free."""
        for store in STORES:
            text = with_store(store).replace("STORE = 3 << 18", "STORE = 1 << 24")
            body = text[text.index("void layer_norm_free("):]
            with self.subTest(store):
                self.assert_right(text.replace(body, STUB[STUB.index("void layer_norm_free("):]),
                                  3 if store == "a list of blocks" else 4, ["--step", "layer_norm_init"])

    def test_free_alone_is_right(self):
        """Where no check before it had the store begun."""
        for store in STORES:
            with self.subTest(store):
                self.assert_right(with_store(store), 2, ["--step", "layer_norm_free"])

    def test_what_forward_keeps_for_the_next_is_right(self):
        self.assert_right(changed(SOLUTION, ("    float *xhat = malloc(", SCRATCH_OF_FORWARD)))

    def test_one_block_for_all_parameters_is_right(self):
        self.assert_right(changed(
            SOLUTION, ("(size_t)count, sizeof(float)", "(size_t)count, 4 * sizeof(float)"),
            ("    m->dgamma = zeros(features);", "    m->dgamma = m->gamma ? m->gamma + features : NULL;"),
            ("bias ? zeros(features) : NULL;\n    m->dbeta = bias ? zeros(features) : NULL",
             "bias && m->gamma ? m->gamma + 2 * (size_t)features : NULL;\n"
             "    m->dbeta = m->beta ? m->beta + features : NULL"),
            ("    free(m->beta);\n    free(m->dgamma);\n    free(m->dbeta);\n", "")))

    def test_what_realloc_gives_back_is_back(self):
        self.assert_right(SOLUTION.replace(ZEROS, GIVES_BACK + ZEROS).replace("    free(", "    give_back("))

    def test_who_copes_with_an_allocation_that_fails_is_right(self):
        for store in COPES:
            with self.subTest(store):
                self.assert_right(with_store(store))

    def test_who_copes_with_none_and_says_nothing_is_told(self):
        text = with_store("another way", ("        drop(rstd);\n        return -1;", "        drop(rstd);\n        return 0;"))
        for program, report in self.reports(text):
            with self.subTest(program):
                first = next(check for check in report["checks"] if check["status"] == "failed")
                self.assertEqual(first["step"], "layer_norm_forward")
                self.assertIn("expected -1, got 0", first["details"][0])

    def test_who_frees_a_block_some_time_later_is_right(self):
        for store in LATER:
            with self.subTest(store):
                self.assert_right(with_store(store))

    def test_what_the_library_takes_and_gives_back_is_right(self):
        for text, passed in ((with_store("a tree"), 21), (with_store("a tree").replace("void layer_norm_free(",
                             STUB[STUB.index("void layer_norm_free("):] + "void gives_back("), 3)):
            _, report = next(self.reports(text, *([] if passed == 21 else ["--step", "layer_norm_init"])))
            failed = [check for check in report["checks"] if check["status"] == "failed"]
            self.assertEqual((report["build_error"], failed, report["passed"]), (None, [], passed))

    def test_what_the_library_takes_and_nobody_gives_back_is_told(self):
        for why, old, new in (("free", "    tdelete(block, &out, order);\n", ""),
                              ("init", "    m->dgamma = ", "    take((size_t)features);\n    m->dgamma = ")):
            with self.subTest(why):
                text = changed(with_store("a tree"), (old, new))
                _, report = next(self.reports(text))
                self.assertGreater(report["failed"], 0)

    def test_who_frees_some_later_and_some_never_is_told(self):
        text = with_store("64 blocks later", ("    drop(m->dgamma);\n", ""))
        for program, report in self.reports(text):
            with self.subTest(program):
                first = next(check for check in report["checks"] if check["status"] == "failed")
                self.assertEqual(first["step"], "layer_norm_free")
                self.assertRegex(first["details"][0], r"^blocks_held\[0\]: expected 0, got [12] ")

    def test_what_never_comes_back_is_told(self):
        text = with_store("a list of blocks", ("    drop(m->dgamma);\n", ""))
        for program, report in self.reports(text):
            with self.subTest(program):
                first = next(check for check in report["checks"] if check["status"] == "failed")
                self.assertEqual(first["step"], "layer_norm_free")
                self.assertRegex(first["details"][0], r"^blocks_held\[0\]: expected 0, got 1 ")

    def test_a_leak_in_every_life_but_the_first_is_told(self):
        text = changed(SOLUTION, ("    free(m->dgamma);\n", "    static int lives;\n    if (!lives++)\n        "
                                  "free(m->dgamma);\n"))
        for program, report in self.reports(text):
            with self.subTest(program):
                self.assertEqual([check["step"] for check in report["checks"] if check["status"] == "failed"][0],
                                 "layer_norm_free")


if __name__ == "__main__":
    unittest.main()
