/* From wrong numbers to the misconception that produces exactly these.
 *
 * The oracle is run with one known mistake switched on, then with two. A set of mistakes explains
 * the numbers only if it gives, within float32 rounding, the learner's answer on every case. What
 * it leaves to chance (0 / 0) agrees with anything, so it must pin down a good part of the wrong
 * elements too. One explanation is named; several that give the same numbers on everything that was
 * asked are named together, with "or"; otherwise nothing is said. */
#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool agrees(double got, Real want)
{
    if (!certainly_nan(want) && (!isfinite(want.e) || isnan(want.v)))
        return true; /* this mistake leaves the element to chance: 0 / 0, a root of rounding noise
                      */
    return meets(got, want);
}

static bool looked_at(const Case *c, const Answer *answer, const char *only, int p)
{
    const Param *param = &c->function->params[p];
    return is_answer(param->role) && word_in(only, param->name) && answer->left[p];
}

/* A few elements of one answer. */
enum { ELEMENTS_KEPT = 16 };
typedef struct {
    int count;
    struct {
        int param;
        size_t index;
        Real wanted; /* the right number */
        bool right;
    } at[ELEMENTS_KEPT];
} Elements;

static bool is_right(const Case *c, const Answer *answer, int p, size_t i)
{
    return agrees(value_at(&c->function->params[p], answer->left[p], i), c->wanted[p][i]);
}

static void keep(Elements *kept, const Case *c, int param, size_t index)
{
    kept->at[kept->count].param = param;
    kept->at[kept->count].wanted = c->wanted[param][index];
    kept->at[kept->count++].index = index;
}

/* The first that are wrong. The case's wanted() is still that of no mistake. */
static Elements wrong_elements(const Case *c, const Answer *answer, const char *only)
{
    Elements wrong = {0};
    for (int p = 0; p < c->function->count; p++)
        for (size_t i = 0; looked_at(c, answer, only, p) && i < case_length(c, p); i++)
            if (wrong.count < ELEMENTS_KEPT && !is_right(c, answer, p, i))
                keep(&wrong, c, p, i);
    return wrong;
}

/* Some of each output that is asked for, from everywhere, right or wrong. */
static Elements some_elements(const Case *c, const Answer *answer, const char *only)
{
    enum { OF_EACH = 8 };
    Elements some = {0};
    for (int p = 0; p < c->function->count; p++) {
        const size_t length = case_length(c, p), step = length / OF_EACH + 1;
        for (size_t i = 0; looked_at(c, answer, only, p) && i < length; i += step)
            if (some.count < ELEMENTS_KEPT) {
                keep(&some, c, p, i);
                some.at[some.count - 1].right = is_right(c, answer, p, i);
            }
    }
    return some;
}

/* Of each output that the check does not ask for and that is wrong in part, some that are right. Of
 * one that is all right a mistake may be thought that was made in another. */
static Elements right_aside(const Case *c, const Answer *answer, const char *only)
{
    enum { OF_EACH = 8 };
    Elements right = {0};
    for (int p = 0; only && p < c->function->count; p++) {
        const char *name = c->function->params[p].name;
        if (!looked_at(c, answer, NULL, p) || word_in(only, name) || all_agree(c, answer, name))
            continue;
        const size_t length = case_length(c, p), step = length / OF_EACH + 1;
        for (size_t i = 0; i < length && right.count < ELEMENTS_KEPT; i += step)
            if (is_right(c, answer, p, i))
                keep(&right, c, p, i);
    }
    return right;
}

bool all_agree(const Case *c, const Answer *answer, const char *only)
{
    for (int p = 0; p < c->function->count; p++) {
        if (!looked_at(c, answer, only, p))
            continue;
        for (size_t i = 0; i < case_length(c, p); i++)
            if (!agrees(value_at(&c->function->params[p], answer->left[p], i), c->wanted[p][i]))
                return false;
    }
    return true;
}

typedef struct {
    const Step *step;
    const char *only;
    Case *cases;
    const Answer *answers;
    Elements *wrong, *some, *aside; /* of each case */
    int count;
    int touched; /* the first so many cases hold what some mistake made of them */
    double until;
    WorkOut *work_out;
    bool cut_short; /* something was not tried any more: it could explain the numbers as well */
} Evidence;

/* Is that output spoken of where these are told? */
static bool is_told_of(Mistakes set, const char *name)
{
    const size_t length = strlen(name);
    for (int m = 0; m < mistake_count(); m++) {
        const char *words = lesson_mistakes()[m].when;
        for (const char *at = strstr(words, name); has(set, m) && at; at = strstr(at + 1, name))
            if ((at == words || !isalnum((unsigned char)at[-1])) && at[length] != '_' &&
                !isalnum((unsigned char)at[length]))
                return true;
    }
    return false;
}

/* What the check does not ask for is no evidence for a mistake, but some against it: all of it
 * where it is spoken of (who has dbeta right has not exchanged dgamma and dbeta), and what is right
 * of it where something is wrong. The case holds what the set makes of it. */
static bool agrees_aside(const Case *c, const Answer *answer, const char *only, Mistakes set,
                         const Elements *right)
{
    for (int i = 0; i < right->count; i++)
        if (!is_right(c, answer, right->at[i].param, right->at[i].index))
            return false;
    for (int p = 0; only && p < c->function->count; p++) {
        const char *name = c->function->params[p].name;
        if (looked_at(c, answer, NULL, p) && !word_in(only, name) && is_told_of(set, name) &&
            !all_agree(c, answer, name))
            return false;
    }
    return true;
}

/* A mistake that rounds much agrees with what is right, too. But a row 100 spreads from zero loses
 * 10,000 times as much in squares as in distances: where its own rounding is as wide as that, and
 * its number is another, hardly one is right by chance. How many are, over how many are not. */
static int right_by_chance(const Case *c, const Elements *some)
{
    enum { AS_WIDE = 10000 };
    int right = 0;
    for (int i = 0; i < some->count; i++) {
        const Real want = c->wanted[some->at[i].param][some->at[i].index],
                   good = some->at[i].wanted;
        if (isfinite(want.e) && want.e > AS_WIDE * good.e && fabs(want.v - good.v) > good.e)
            right += some->at[i].right ? 1 : -1;
    }
    return right;
}

static bool explains(Evidence *all, Mistakes set)
{
    int explained = 0, wrong = 0, by_chance = 0;
    for (int i = 0; i < all->count; i++) {
        Case *c = &all->cases[i];
        if (all->answers[i].ending != ANSWERED)
            continue;
        if (processor_time() > all->until) {
            all->cut_short = true;
            return false;
        }
        all->touched = i < all->touched ? all->touched : i + 1;
        all->work_out(all->step, c, set);
        if (!all_agree(c, &all->answers[i], all->only) ||
            !agrees_aside(c, &all->answers[i], all->only, set, &all->aside[i]))
            return false;
        for (int w = 0; w < all->wrong[i].count; w++)
            if (isfinite(c->wanted[all->wrong[i].at[w].param][all->wrong[i].at[w].index].e))
                explained++;
        wrong += all->wrong[i].count;
        by_chance += right_by_chance(c, &all->some[i]);
    }
    return explained > 0 && 4 * explained >= wrong && by_chance <= 0;
}

static Diagnosis search(Evidence *all)
{
    int known[MOST_MISTAKES], n = 0;
    for (int m = 0; m < mistake_count(); m++)
        if (is_made_in(&lesson_mistakes()[m], all->step))
            known[n++] = m;

    Diagnosis found = {0};
    for (int a = 0; a < n; a++)
        if (explains(all, (Mistakes)1 << known[a])) {
            if (found.count == MAX_NAMED)
                return (Diagnosis){0};
            found.mistakes[found.count++] = known[a];
        }
    if (found.count)
        return found;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            if (!explains(all, (Mistakes)1 << known[a] | (Mistakes)1 << known[b]))
                continue;
            if (found.count)
                return (Diagnosis){0};
            found = (Diagnosis){.count = 2, .together = true, .mistakes = {known[a], known[b]}};
        }
    return found;
}

Diagnosis diagnose(const Step *step, const char *only, Case *cases, const Answer *answers,
                   int count, double seconds, WorkOut *work_out)
{
    Elements *kept = calloc(3 * (size_t)count + 1, sizeof *kept);
    if (!kept)
        return (Diagnosis){0};
    for (int i = 0; i < count; i++)
        if (answers[i].ending == ANSWERED) {
            kept[i] = wrong_elements(&cases[i], &answers[i], only);
            kept[count + i] = some_elements(&cases[i], &answers[i], only);
            kept[2 * count + i] = right_aside(&cases[i], &answers[i], only);
        }
    Evidence all = {.step = step,
                    .only = only,
                    .cases = cases,
                    .answers = answers,
                    .wrong = kept,
                    .some = kept + count,
                    .aside = kept + 2 * (size_t)count,
                    .count = count,
                    .until = processor_time() + seconds,
                    .work_out = work_out};
    Diagnosis found = search(&all);
    if (all.cut_short)
        found = (Diagnosis){.cut_short = true};
    for (int i = 0; i < all.touched; i++)
        work_out(step, &cases[i], 0);
    free(kept);
    return found;
}
