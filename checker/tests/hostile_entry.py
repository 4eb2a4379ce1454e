"""One misbehaving learner file of test_runner.py: a layer_norm with that body, in a file that is right
otherwise.
"""

import inspect

HEAD = """#define _GNU_SOURCE
#include "01_layer_norm.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

"""
TAIL = """
float row_mean(const float *x, int features)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += x[j];
    return sum / (float)features;
}

float row_variance(const float *x, int features, float mean)
{
    float sum = 0;
    for (int j = 0; j < features; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / (float)features;
}

static void right(float *y, const float *x, const float *gamma, const float *beta, int rows,
                  int features, float eps)
{
    for (int r = 0; r < rows; r++, x += features, y += features) {
        float mean = row_mean(x, features);
        float rstd = 1 / sqrtf(row_variance(x, features, mean) + eps);
        for (int j = 0; j < features; j++)
            y[j] = gamma[j] * (x[j] - mean) * rstd + beta[j];
    }
}
#define RIGHT right(y, x, gamma, beta, rows, features, eps)
"""
OPEN = """
void layer_norm(float *y, const float *x, const float *gamma, const float *beta, int rows,
                int features, float eps)
{
"""


def wrap(body, before=""):
    """A lesson file whose layer_norm has that body, and everything else right."""
    return HEAD + TAIL + inspect.cleandoc(before) + OPEN + inspect.cleandoc(body) + "\n}\n"


class Entry:
    """`words`: what the checker says ("": it passes), or several that it may say; `plain`: what it
    says without sanitizers, if that differs. It names a line with HERE. What must run into the limit
    has a short one; on a busy machine nothing else comes near its own."""

    def __init__(self, name, words, body, before="", plain=None, others="passed"):
        self.name, self.words, self.body, self.before = name, words, body, before
        self.plain, self.others = plain, others
        self.limit = 1 if "still running after 1 s" in words else 20

    def code(self):
        return wrap(self.body, self.before)

    def lines(self):
        lines = self.code().split("\n")
        return [number for number, text in enumerate(lines, 1) if "HERE" in text]
