/* Are a lesson's drawn cases fit to be asked? Every seed a learner may get is asked here of the
 * draw functions and the oracles alone, without a learner's code: of many seeds, each case has an
 * answer that the oracle stands by, so that no seed refuses the lesson. And the cases are those of
 * their seed, and of many sizes, so that no answer can be copied. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static bool same_sizes(const Case *a, const Case *b)
{
    return !memcmp(a->sizes, b->sizes, sizeof a->sizes);
}

static bool same_case(const Case *a, const Case *b)
{
    bool same = same_sizes(a, b) && !memcmp(a->scalars, b->scalars, sizeof a->scalars);
    for (int p = 0; p < a->function->count && same; p++)
        if (is_given(a->function->params[p].role))
            same = !memcmp(a->given[p], b->given[p], case_length(a, p) * sizeof(float));
    return same;
}

static bool any_param(const Case *c, bool (*is_kind)(Role))
{
    for (int p = 0; p < c->function->count; p++)
        if (is_kind(c->function->params[p].role))
            return true;
    return false;
}

static bool is_size(Role role)
{
    return role == SIZE;
}

static int broken(const Check *check, const char *what)
{
    printf("BROKEN %s: \"%s\": %s\n", lesson_name, check->title, what);
    return 1;
}

/* Two seeds: other numbers in every case that has any. */
static int numbers_broken(const Check *check, const Cases *one, const Cases *other)
{
    int same = 0;
    for (int k = 0; k < one->count && one->count == other->count; k++)
        if (any_param(&one->items[k], is_given) && same_case(&one->items[k], &other->items[k]))
            same = k + 1;
    if (!same)
        return 0;
    char *what =
        format_text("another seed draws the same numbers in case %d. All that is given comes "
                    "from rng (uniform(), fill_rest()); of what has few values, draw more",
                    same);
    int wrong = broken(check, what);
    free(what);
    return wrong;
}

/* Of two seeds that may be chance, where a check has few cases; of all of them it is none. */
static bool sizes_stay(const Cases *one, const Cases *other)
{
    int sized = 0, same = 0;
    for (int k = 0; k < one->count && one->count == other->count; k++)
        if (any_param(&one->items[k], is_size)) {
            sized++;
            same += same_sizes(&one->items[k], &other->items[k]);
        }
    return sized && same == sized;
}

static int sizes_broken(const Check *check, const Cases *cases)
{
    int sized = 0, different = 0;
    for (int k = 0; k < cases->count; k++) {
        int before = 0;
        while (before < k && !same_sizes(&cases->items[before], &cases->items[k]))
            before++;
        sized += any_param(&cases->items[k], is_size);
        different += before == k;
    }
    return 3 * different < sized ? broken(check, "most of its cases are of the same size") : 0;
}

/* True: the oracle promises a number, or NaN for certain, for every element of the answer. */
static bool is_answered(Case *c)
{
    lesson_answer(lesson_step(c->function->name), c, 0);
    for (int p = 0; p < c->function->count; p++)
        for (size_t i = 0; is_answer(c->function->params[p].role) && i < case_length(c, p); i++)
            if (!certainly_nan(c->wanted[p][i]) &&
                (!isfinite(c->wanted[p][i].v) || !isfinite(c->wanted[p][i].e)))
                return false;
    return true;
}

static bool all_answered(Cases *cases, uint64_t seed)
{
    for (int k = 0; k < cases->count; k++) {
        Case *c = &cases->items[k];
        if (is_answered(c))
            continue;
        printf("BROKEN %s: with SEED=%" PRIu64 " the oracle of %s promises nothing for its case "
               "\"%s\"\n",
               lesson_name, seed, c->function->name, c->label);
        return false;
    }
    return true;
}

int draws_broken(const Contract *contract, uint64_t seed, int seeds, long *drawn)
{
    int wrong = 0;
    for (const Check *check = lesson.checks; check->step; check++) {
        Cases before = {.contract = contract};
        bool answered = check->draw != NULL, stay = answered && seeds > 1;
        for (int s = 0; s < seeds && answered; s++) {
            Cases cases = {.contract = contract};
            draw_fresh(check, seed + (uint64_t)s, &cases);
            *drawn += cases.count;
            wrong += s ? 0 : sizes_broken(check, &cases);
            wrong += s == 1 ? numbers_broken(check, &before, &cases) : 0;
            stay = stay && (!s || sizes_stay(&before, &cases));
            answered = all_answered(&cases, seed + (uint64_t)s);
            wrong += !answered;
            cases_free(&before);
            before = cases;
        }
        wrong += stay ? broken(check, "no size depends on the seed") : 0;
        cases_free(&before);
    }
    return wrong;
}

/* How long the drawing and the oracles take for so many seeds. */
static double seconds_of(const Contract *contract, uint64_t seed, int seeds)
{
    double began = clock_now();
    for (const Check *check = lesson.checks; check->step; check++)
        for (int s = 0; s < seeds; s++) {
            Cases cases = {.contract = contract};
            draw_fresh(check, seed + (uint64_t)s, &cases);
            for (int k = 0; k < cases.count; k++)
                is_answered(&cases.items[k]);
            cases_free(&cases);
        }
    return clock_now() - began;
}

int test_draws(uint64_t seed, int seeds)
{
    Contract contract;
    char error[512];
    long drawn = 0;
    if (!lesson_contract(&contract, error, sizeof error))
        author_error("%s", error);
    int few = seeds < 10 ? seeds : 10;
    printf("%s: %d seeds take about %.0f s\n", lesson_name, seeds,
           ceil(seconds_of(&contract, seed, few) / few * seeds));
    fflush(stdout);
    int wrong = draws_broken(&contract, seed, seeds, &drawn);
    printf("%s: %ld cases of %d seeds from %" PRIu64 "; %d broken promises\n", lesson_name, drawn,
           seeds, seed, wrong);
    return wrong ? 1 : 0;
}
