"""Lesson 17's solution in each width that this machine has: right under the sanitizers, the same in several threads,
and as exact far from zero as it promises. test_arm64.py has the width of NEON, and the lesson's own commands have
three threads judged. Nothing here is timed.
"""

import pathlib
import shlex
import unittest

from lesson_files import CC, ROOT
from workbook_copy import WorkbookCopy

THREADS = 3
WIDTHS = {1: (), 8: ("avx2", "fma"), 16: ("avx512f", "avx2", "fma")}
# A row of 768 numbers, 10,000 of its spreads from zero: how far y is from that in double, at the most.
FAR_AWAY = """
#include <math.h>
#include <stdio.h>
#include "17_fast.h"

int main(void)
{
    enum { ROWS = 300, N = 768 };
    static float x[N], y[N], gamma[N], beta[N];
    unsigned state = 1;
    double most = 0;
    for (int j = 0; j < N; j++)
        gamma[j] = 1;
    for (int r = 0; r < ROWS; r++) {
        double mean = 0, variance = 0;
        for (int j = 0; j < N; j++) {
            double v = 0;
            for (int i = 0; i < 12; i++)
                v += (double)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
            x[j] = (float)(10000 + v);
            mean += (double)x[j] / N;
        }
        for (int j = 0; j < N; j++)
            variance += ((double)x[j] - mean) * ((double)x[j] - mean) / N;
        layer_norm_fast(y, x, gamma, beta, 1, N, 0);
        for (int j = 0; j < N; j++)
            most = fmax(most, fabs((double)y[j] - ((double)x[j] - mean) / sqrt(variance)));
    }
    printf("%g", most);
    return 0;
}
"""
# How many threads are started for 1, 64, 2730 and 2731 rows of 768 numbers.
SMALL_AND_LARGE = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int started;
static int count_and_create(pthread_t *thread, void *settings, void *(*part)(void *), void *given)
{
    started++;
    return pthread_create(thread, settings, part, given);
}
#define pthread_create count_and_create
#include "../solutions/17_fast.c"

int main(void)
{
    const int rows[] = {1, 64, 2730, 2731}, n = 768;
    float *x = calloc(2 * 2731 * n, sizeof *x), *gamma = calloc(2 * n, sizeof *gamma);
    for (int i = 0; i < 4; i++) {
        started = 0;
        layer_norm_fast(x + 2731 * n, x, gamma, gamma + n, rows[i], n, 1);
        printf("%s%d", i ? " " : "", started);
    }
    free(x);
    free(gamma);
    return 0;
}
"""


def widths():
    """Those of WIDTHS that run here."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    flags = set(cpuinfo.read_text().split()) if cpuinfo.exists() else set()
    return {wide: target for wide, target in WIDTHS.items() if flags.issuperset(target)}


class TheFastSolution(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.copy = cls.enterClassContext(WorkbookCopy())

    def test_it_is_right_in_every_width(self):
        solution = self.copy.read("solutions/17_fast.c")
        for wide, target in widths().items():
            with self.subTest(wide=wide):
                lines = [f'#pragma GCC target("{",".join(target)}")'] if target else []
                lines += ["#include <wide.h>", f"_Static_assert(WIDE == {wide}, \"another width\");"]
                self.copy.write("build/fast.c", "\n".join([*lines, solution]))
                checked = self.copy.make("check", LESSON="17", IMPL="build/fast.c")
                if target and "another width" in checked.stdout + checked.stderr:
                    self.skipTest("this compiler does not know that pragma")
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_threads_change_nothing_and_end(self):
        """parts.c: the same bits where sums are exact, in whatever order the parts are done; as many threads as are
        worth it, and none left; all of it where a thread or memory is refused."""
        others = {"row_sum_fast": "row_sum_parts", "row_statistics_fast": "row_statistics_parts",
                  "layer_norm_fast": "layer_norm_parts", "layer_norm_backward_fast": "layer_norm_backward_parts",
                  "pthread_create": "create_here", "pthread_join": "join_here", "malloc": "malloc_here",
                  "free": "free_here", "THREADS": THREADS, "ENOUGH": 1}
        for wide, target in widths().items():
            with self.subTest(wide=wide):
                common = [*shlex.split(CC), "-std=c11", "-O1", *(f"-m{name}" for name in target), "-Iinclude"]
                for words in (["-c", "solutions/17_fast.c", "-o", "build/parts.o",
                               *(f"-D{name}={other}" for name, other in others.items())],
                              [str(ROOT / "checker/tests/parts.c"), f"-DPARTS={THREADS}", "solutions/17_fast.c",
                               "build/parts.o", "-o", "build/parts", "-lm", "-lpthread"]):
                    built = self.copy.run([*common, *words])
                    self.assertEqual(built.returncode, 0, built.stderr)
                done = self.copy.run(["build/parts"])
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_small_call_starts_no_thread(self):
        """As a big one does; and without THREADS there is nothing that could."""
        self.copy.write("build/small.c", SMALL_AND_LARGE)
        for threads, started in (("2", "0 0 0 1"), ("1", "0 0 0 0")):
            with self.subTest(threads=threads):
                built = self.copy.run([*shlex.split(CC), "-O1", f"-DTHREADS={threads}", "-Iinclude",
                                       "build/small.c", "-o", "build/small", "-lm", "-lpthread"])
                self.assertEqual(built.returncode, 0, built.stderr)
                self.assertEqual(self.copy.run(["build/small"]).stdout, started)

    def test_ten_thousand_spreads_from_zero_it_is_off_by_two_millionths_at_most(self):
        self.copy.write("build/far.c", FAR_AWAY)
        for wide, target in widths().items():
            with self.subTest(wide=wide):
                built = self.copy.run([*shlex.split(CC), "-O2", *(f"-m{name}" for name in target), "-Iinclude",
                                       "build/far.c", "solutions/17_fast.c", "-o", "build/far", "-lm"])
                self.assertEqual(built.returncode, 0, built.stderr)
                self.assertLessEqual(float(self.copy.run(["build/far"]).stdout), 2e-6)


if __name__ == "__main__":
    unittest.main()
