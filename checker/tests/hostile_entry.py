"""One misbehaving learner file of test_runner.py: a layer_norm with that body, in a file that is right
otherwise.
"""

import inspect
import pathlib
import re

WIRE = (pathlib.Path(__file__).parents[1] / "box" / "wire.h").read_text()
FIRST_KIND = int(re.search(r"LOAD = (0x\w+)", WIRE).group(1), 16)
FRAMES = {kind: f"{FIRST_KIND + i:#x}u" for i, kind in enumerate(re.findall(
    r"^    ([A-Z]\w*)", WIRE[WIRE.index("/* to the worker */"):WIRE.index("} FrameKind")], re.MULTILINE))}
CHANNEL = re.search(r"CHANNEL = ([0-9]+)", WIRE)[1]
# What code that answers for the worker would define for itself.
PROTOCOL = "".join(f"#define FRAME_{kind} {number}\n" for kind, number in FRAMES.items()) \
    + f"#define CHANNEL {CHANNEL}\n" + """
struct frame {
    unsigned kind, length;
    unsigned long long token;
    float returned;
    unsigned kept;
    float arrays[40000];
};
static struct frame frame;
static void send_frame(unsigned kind, unsigned long long token, unsigned length)
{
    frame.kind = kind;
    frame.length = length;
    frame.token = token;
    if (write(CHANNEL, &frame, 16 + length) < 0)
        errno = 0;
}

/* The request's head lies on the worker's stack. */
__attribute__((no_sanitize("address"), unused)) static unsigned find_request(
    unsigned long long *token)
{
    volatile unsigned *at = __builtin_frame_address(0);
    while (at[0] != FRAME_CALL && at[0] != FRAME_LEAKS)
        at++;
    *token = at[2] | (unsigned long long)at[3] << 32;
    return at[0];
}
/* An array of the answer, for the frame. */
__attribute__((unused)) static int put(int used, const float *array, int count)
{
    memcpy(frame.arrays + used, array, (size_t)count * sizeof *array);
    return used + count;
}
#define PUT_ALL \\
    put(put(put(put(0, y, rows * features), x, rows * features), gamma, features), beta, features)
#define ANSWER(token, more) send_frame(FRAME_ANSWER, token, (unsigned)(8 + 4 * (PUT_ALL + (more))))
__attribute__((unused)) static int seen_before(const float *x, int features)
{
    static float seen[4096];
    static int count;
    for (int i = 0; i < count; i++)
        if (seen[i] == x[0] + x[features - 1])
            return 1;
    seen[count++] = x[0] + x[features - 1];
    return 0;
}
"""

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


# What an entry may have before its layer_norm: a thread that sleeps for ever, and one that is handed jobs, says
# when it has done one, and only then gives it back.
SLEEPER = """
static void *sleep_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}
static void start_sleeper(void)
{
    static pthread_t thread;
    if (!thread)
        pthread_create(&thread, NULL, sleep_for_ever, NULL);
}
"""
POOL = """
#include <semaphore.h>
static sem_t given, done;
static void *volatile handed_over;
static void *work(void *nothing)
{
    for (;;) {
        sem_wait(&given);
        void *job = handed_over;
        sem_post(&done);
        usleep(1000);
        free(job);
    }
    return nothing;
}
static void hand_over(void *job)
{
    static pthread_t thread;
    if (!thread) {
        sem_init(&given, 0, 0);
        sem_init(&done, 0, 0);
        pthread_create(&thread, NULL, work, NULL);
    }
    handed_over = job;
    sem_post(&given);
    sem_wait(&done);
}
"""


def wrap(body, before=""):
    """A lesson file whose layer_norm has that body, and everything else right."""
    return HEAD + PROTOCOL + TAIL + inspect.cleandoc(before) + OPEN + inspect.cleandoc(body) + "\n}\n"


class Entry:
    """`words`: what the checker says ("": it passes), or several that it may say; `plain`: what it
    says without sanitizers, if that differs. It names a line with HERE. What must run into the limit
    has a short one; on a busy machine nothing else comes near its own."""

    def __init__(self, name, words, body, before="", plain=None, others="passed",
                 limit=None):
        self.name, self.words, self.body, self.before = name, words, body, before
        self.plain, self.others = plain, others
        self.limit = limit or (1 if "still running after 1 s" in words else 20)

    def code(self):
        return wrap(self.body, self.before)

    def lines(self):
        lines = self.code().split("\n")
        return [number for number, text in enumerate(lines, 1) if "HERE" in text]
