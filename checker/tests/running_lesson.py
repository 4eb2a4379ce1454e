"""A small lesson whose interface is a struct with a life, for test_calls.py."""

NAME = "97_running"
FOLDER = f"checker/lessons/{NAME}"
FILES = {
    f"include/{NAME}.h": """#ifndef LESSON_97_RUNNING_H
#define LESSON_97_RUNNING_H
/* Sums that grow. */
struct running {
    int n;
    float *sum, *last; /* n each */
};
/* 0, or -1 when n is not positive or memory is out: all is zero then. */
int running_init(struct running *r, int n);
void running_add(struct running *r, const float *x);
void running_free(struct running *r);
#endif
""",
    f"{FOLDER}/stub.c": """#include "97_running.h"

int running_init(struct running *r, int n)
{
    return 0;
}

void running_add(struct running *r, const float *x)
{
}

void running_free(struct running *r)
{
}
""",
    f"solutions/{NAME}.c": """#include "97_running.h"

#include <stdlib.h>
#include <string.h>

int running_init(struct running *r, int n)
{
    *r = (struct running){0};
    if (n <= 0)
        return -1;
    float *sum = calloc((size_t)n, sizeof(float));
    if (!sum)
        return -1;
    float *last = malloc((size_t)n * sizeof(float));
    if (!last) {
        free(sum);
        return -1;
    }
    *r = (struct running){n, sum, last};
    return 0;
}

void running_add(struct running *r, const float *x)
{
    memcpy(r->last, x, (size_t)r->n * sizeof(float));
    for (int i = 0; i < r->n; i++)
        r->sum[i] += x[i];
}

void running_free(struct running *r)
{
    free(r->sum);
    free(r->last);
    *r = (struct running){0};
}
""",
    f"{FOLDER}/calls.h": """/* What the checks call; the learner's functions in turn. */
/* init, of memory that holds garbage. */
int begin(float *sum, /* n */
          int n);
/* init, while the nth allocation fails: -2 when it leaves something behind. */
int begin_without_memory(int nth, int n);
/* add, of two arrays that go away behind it. */
void add_two(float *sum,     /* n */
             float *last,    /* n */
             const float *x, /* n */
             const float *y, /* n */
             int n);
/* rounds of init, add and free, and a second free: how many blocks are still held. */
int go_round(const float *x, /* n */
             int n, int rounds);
/* add to one that was used and freed before. */
void add_again(float *sum,     /* n */
               const float *x, /* n */
               int n);
""",
    f"{FOLDER}/calls.c": """#include "97_running.h"
#include "calls.h"
#include "memory.h"

static void copy(float *to, const float *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static void drop(struct running *r)
{
    free(r->sum);
    free(r->last);
}

int begin(float *sum, int n)
{
    struct running r;
    int held = blocks_held();
    memset(&r, 0xa5, sizeof r);
    int result = running_init(&r, n);
    if (result == 0 && n > 0)
        copy(sum, r.sum, n);
    leave_since(held);
    return result;
}

int begin_without_memory(int nth, int n)
{
    struct running r, zeros = {0};
    fail_allocation(nth);
    int result = running_init(&r, n);
    fail_allocation(0);
    return memcmp(&r, &zeros, sizeof r) ? -2 : result;
}

static void add_and_forget(struct running *r, const float *x, int n)
{
    float *lent = malloc((size_t)n * sizeof *lent);
    copy(lent, x, n);
    running_add(r, lent);
    free(lent);
}

void add_two(float *sum, float *last, const float *x, const float *y, int n)
{
    struct running r;
    running_init(&r, n);
    add_and_forget(&r, x, n);
    add_and_forget(&r, y, n);
    copy(sum, r.sum, n);
    copy(last, r.last, n);
    drop(&r);
}

int go_round(const float *x, int n, int rounds)
{
    int before = blocks_held();
    for (int i = 0; i < rounds; i++) {
        struct running r;
        running_init(&r, n);
        running_add(&r, x);
        running_free(&r);
        running_free(&r);
    }
    return blocks_held() - before;
}

void add_again(float *sum, const float *x, int n)
{
    go_round(x, n, 1);
    struct running r;
    running_init(&r, n);
    running_add(&r, x);
    copy(sum, r.sum, n);
    running_free(&r);
}
""",
    f"{FOLDER}/lesson.c": """#include "author.h"

enum { OVERWRITTEN };
static const Mistake mistakes[] = {
    {"overwritten", "running_add", "the sum is overwritten", "It grows", "The sum"}, {0}};

static void begin_oracle(Case *c, Mistakes m)
{
    (void)m;
    int n = size_of(c, "n");
    for (int i = 0; i < n; i++)
        wanted(c, "sum")[i] = exact(0);
    *wanted(c, "return") = exact(n > 0 ? 0 : -1);
}

static void without_memory_oracle(Case *c, Mistakes m)
{
    (void)m;
    *wanted(c, "return") = exact(-1);
}

static void add_oracle(Case *c, Mistakes m)
{
    for (int i = 0; i < size_of(c, "n"); i++) {
        Real x = exact(has(m, OVERWRITTEN) ? 0 : given(c, "x")[i]), y = exact(given(c, "y")[i]);
        wanted(c, "sum")[i] = add(x, y);
        wanted(c, "last")[i] = y;
    }
}

static void round_oracle(Case *c, Mistakes m)
{
    (void)m;
    *wanted(c, "return") = exact(0);
}

static void add_again_oracle(Case *c, Mistakes m)
{
    (void)m;
    for (int i = 0; i < size_of(c, "n"); i++)
        wanted(c, "sum")[i] = exact(given(c, "x")[i]);
}

static void draw_begin(Cases *cases, Rng *rng)
{
    static const int sizes[] = {3, 1, 1000, 0, -5};
    (void)rng;
    for (int i = 0; i < 5; i++)
        set_size(case_new(cases, "begin"), "n", sizes[i]);
}

static void draw_without_memory(Cases *cases, Rng *rng)
{
    (void)rng;
    for (int i = 0; i < 20; i++) { /* one in which a leak can be: no drawn one would do */
        Case *c = case_new(cases, "begin_without_memory");
        set_size(c, "nth", i == 7 ? 2 : 1);
        set_size(c, "n", 4);
    }
}

static void draw_add(Cases *cases, Rng *rng)
{
    for (int n = 1; n < 21; n++) {
        Case *c = case_new(cases, "add_two");
        set_size(c, "n", n);
        fill_rest(c, rng);
    }
}

static void draw_round(Cases *cases, Rng *rng)
{
    Case *c = case_new(cases, "go_round");
    set_size(c, "n", 7);
    set_size(c, "rounds", 100);
    fill_rest(c, rng);
}

static void draw_add_again(Cases *cases, Rng *rng)
{
    Case *c = case_new(cases, "add_again");
    set_size(c, "n", uniform_int(rng, 2, 9));
    fill_rest(c, rng);
}

static const Step steps[] = {
    {"begin", begin_oracle, .calls = "running_init"},
    {"begin_without_memory", without_memory_oracle, .calls = "running_init"},
    {"add_two", add_oracle, .calls = "running_init running_add"},
    {"go_round", round_oracle, .calls = "running_init running_add running_free"},
    {"add_again", add_again_oracle, .calls = "running_init running_add running_free",
     .about = "running_add"},
    {0},
};
static const Check checks[] = {
    {"begin", "running_init starts at zero", .draw = draw_begin},
    {"begin_without_memory", "running_init fails without a trace", .draw = draw_without_memory},
    {"add_two", "running_add adds", .draw = draw_add},
    {"go_round", "running_free gives all back", .draw = draw_round},
    {"add_again", "running_add begins anew after a free", .draw = draw_add_again},
    {0},
};
const Lesson lesson = {"Running sums", steps, checks, mistakes};
""",
    f"{FOLDER}/vectors.json": '{"groups": {}}',
}
