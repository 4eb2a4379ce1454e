/* A lesson whose functions say what they were called with: f0 to f15, of signatures that
 * test_signatures.py draws. Each writes every parameter to `echo`, the first element of an array
 * for the array, and returns all of them, weighted by their places. All the numbers are exact in a
 * float.
 */
#include "run.h"

#include <string.h>

enum { PER_FUNCTION = 3, AT_MOST = 1000, NO_ARRAY = -12345 };

static double first_of(const Case *c, int i)
{
    const Param *p = &c->function->params[i];
    if (p->role == SIZE)
        return c->sizes[i];
    if (p->role == SCALAR)
        return (double)c->scalars[i];
    return c->null[i] ? NO_ARRAY : value_at(p, c->given[i], 0);
}

static void oracle(Case *c, Mistakes mistakes)
{
    Real *echo = wanted(c, "echo");
    double total = 0;
    (void)mistakes;
    for (int i = 0; i < c->function->count; i++) {
        const Param *p = &c->function->params[i];
        if (p->role == RETURNED)
            *wanted(c, "return") = exact(p->is_int ? 4 * total : total);
        if (p->role == RETURNED || p->role == OUTPUT)
            continue;
        *echo++ = exact(first_of(c, i));
        total += (i + 1) * first_of(c, i);
    }
}

static void draw(Cases *cases, Rng *rng, const char *function)
{
    for (int n = 0; n < PER_FUNCTION; n++) {
        Case *c = case_new(cases, function);
        for (int i = 0; i < c->function->count; i++) {
            const Param *p = &c->function->params[i];
            if (p->role == SIZE)
                set_size(c, p->name, uniform_int(rng, -AT_MOST, AT_MOST));
            if (p->role == SCALAR)
                set_scalar(c, p->name, (float)uniform_int(rng, -4 * AT_MOST, 4 * AT_MOST) / 4);
        }
        for (int i = 0; i < c->function->count; i++) {
            const Param *p = &c->function->params[i];
            if (p->role != INPUT)
                continue;
            if (p->may_be_null && uniform(rng, 0, 1) < 0.5)
                set_null(c, p->name);
            else if (p->is_int)
                for (size_t k = 0; k < case_length(c, i); k++)
                    fill_ints(c, p->name)[k] = uniform_int(rng, -AT_MOST, AT_MOST);
            else
                for (size_t k = 0; k < case_length(c, i); k++)
                    fill(c, p->name)[k] = (float)uniform_int(rng, -4 * AT_MOST, 4 * AT_MOST) / 4;
        }
    }
}

#define ALL(each)                                                                                  \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10)       \
        each(11) each(12) each(13) each(14) each(15)
#define DRAW(k)                                                                                    \
    static void draw_##k(Cases *cases, Rng *rng)                                                   \
    {                                                                                              \
        draw(cases, rng, "f" #k);                                                                  \
    }
#define STEP(k) {.function = "f" #k, .oracle = oracle},
#define CHECK(k) {.step = "f" #k, .title = "f" #k " gets what it is called with", .draw = draw_##k},

ALL(DRAW)
static const Step steps[] = {ALL(STEP){0}};
static const Check checks[] = {ALL(CHECK){0}};
const Lesson lesson = {.title = "Signatures", .steps = steps, .checks = checks};
