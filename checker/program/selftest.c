/* build/NN_name/check --self-test: is this lesson able to do what it promises?
 *
 * Its parts fit each other (parts.c); its oracles, and the formulas that stand in their place,
 * agree with PyTorch's vectors, and its gradients with numeric ones, both of the answers and of
 * formulas beside an oracle; the vectors keep every two mistakes apart, or the fresh cases if it
 * takes a NaN, which no vectors can hold; every mistake, and no other, is named from numbers that
 * it produced; and damaged numbers that no mistake explains are given no cause. Its formulas give
 * the oracle's numbers. Prints what it measured. Exit code 1 when a promise is broken. */
#include "formula_tree.h"
#include "program.h"
#include "try.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DAMAGES = 400, SEEDS = 20, LARGE = 1000, PRINTED = 12 };

typedef struct {
    Contract contract;
    Vectors *vectors;
    Formulas *formulas; /* NULL: it has none */
    Rng rng;
    int mistakes, broken;
    double worst_answer; /* |right answer - PyTorch|, over the largest number of that array */
    double nearest;      /* the smallest distance between two mistakes, in allowed errors */
    char nearest_pair[200];
    long drawn;
    int held;   /* steps with vectors */
    int unheld; /* those that could have some: PyTorch has no answer for what only calls do */
    int pairs, pairs_named, pairs_like_one, pairs_silent;
    int written; /* steps whose formula gives their oracle's numbers */
} SelfTest;

static void broken(SelfTest *t, const char *what, const char *a, const char *b)
{
    if (t->broken++ < PRINTED)
        printf("BROKEN %s: %s %s %s\n", lesson_name, what, a, b);
}

/* The cases of all of a step's checks, in order, and whose each of them is. */
typedef struct {
    Cases cases;
    const Check **checks;
} Asked;

static void asked_free(Asked *asked)
{
    free(asked->checks);
    cases_free(&asked->cases);
}

static Asked step_cases(SelfTest *t, const char *function, bool drawn_too)
{
    char error[512];
    Asked asked = {.cases = {.contract = &t->contract}};
    for (const Check *check = lesson.checks; check->step; check++) {
        int known = asked.cases.count;
        if (strcmp(check->step, function))
            continue;
        if (check->vectors &&
            !vectors_add(t->vectors, check->vectors, &asked.cases, error, sizeof error))
            author_error("%s", error);
        if (check->draw && drawn_too)
            check->draw(&asked.cases, &t->rng);
        asked.checks =
            realloc(asked.checks, ((size_t)asked.cases.count + 1) * sizeof *asked.checks);
        if (!asked.checks)
            author_error("out of memory");
        while (known < asked.cases.count)
            asked.checks[known++] = check;
    }
    return asked;
}

/* Leaves out the cases of many numbers. What is asked here, of every pair of mistakes, they would
 * answer as the others do, in ten times the time. */
static void leave_out_large(Asked *asked)
{
    Cases *cases = &asked->cases, large = {.contract = cases->contract};
    int kept = 0;
    large.items = calloc((size_t)cases->count + 1, sizeof *large.items);
    if (!large.items)
        author_error("out of memory");
    for (int k = 0; k < cases->count; k++) {
        const Case *c = &cases->items[k];
        size_t numbers = 0;
        for (int p = 0; p < c->function->count; p++)
            numbers += is_given(c->function->params[p].role) ? case_length(c, p) : 0;
        if (numbers > LARGE)
            large.items[large.count++] = *c;
        else {
            asked->checks[kept] = asked->checks[k];
            cases->items[kept++] = *c;
        }
    }
    cases->count = kept;
    cases_free(&large);
}

/* ---- the right answers against PyTorch ---- */
static void compare_truth(SelfTest *t, const Step *step, Case *c)
{
    const char *differs = step->oracle ? "the oracle and PyTorch differ in"
                                       : "the formula and PyTorch differ in",
               *is_silent = step->oracle ? "the oracle promises nothing in"
                                         : "the formula promises nothing in";
    for (int p = 0; p < c->function->count; p++) {
        double largest = 0, furthest = 0;
        if (!is_answer(c->function->params[p].role))
            continue;
        for (size_t i = 0; i < case_length(c, p); i++) {
            largest = fmax(largest, fabs(c->truth[p][i]));
            furthest = fmax(furthest, fabs(c->truth[p][i] - c->wanted[p][i].v));
            if (!isfinite(c->wanted[p][i].e))
                broken(t, is_silent, c->function->name, c->label);
        }
        double relative = furthest / (largest > 0 ? largest : 1);
        t->worst_answer = fmax(t->worst_answer, relative);
        if (!(relative <= 1e-9))
            broken(t, differs, c->function->name, c->label);
    }
}

/* ---- mistakes against each other ---- */

/* The wanted values of all the cases of a step, one after the other. */
typedef struct {
    Real *values;
    size_t count;
} Numbers;

static Numbers wanted_of(const Step *step, Cases *cases, Mistakes set)
{
    Numbers all = {0};
    for (int pass = 0; pass < 2; pass++) {
        all.count = 0;
        for (int k = 0; k < cases->count; k++) {
            Case *c = &cases->items[k];
            lesson_answer(step, c, set);
            for (int p = 0; p < c->function->count; p++)
                for (size_t i = 0; is_answer(c->function->params[p].role) && i < case_length(c, p);
                     i++) {
                    if (pass)
                        all.values[all.count] = c->wanted[p][i];
                    all.count++;
                }
        }
        if (!pass && !(all.values = calloc(all.count + 1, sizeof(Real))))
            author_error("out of memory");
    }
    return all;
}

/* How far apart, at the element where they are furthest, in units of what rounding may do to the
 * better conditioned of the two. */
static double distance(Numbers a, Numbers b)
{
    double furthest = 0;
    for (size_t i = 0; i < a.count; i++) {
        Real p = a.values[i], q = b.values[i];
        bool p_is_nan = certainly_nan(p), q_is_nan = certainly_nan(q);
        if (p_is_nan != q_is_nan && isfinite(p_is_nan ? q.e : p.e))
            return INFINITY;
        double apart = fabs(p.v - q.v);
        double allowed = fmin(p.e, q.e) + 1e-12 * fmax(fabs(p.v), fabs(q.v));
        if (isfinite(allowed) && isfinite(apart) && apart > 0)
            furthest = fmax(furthest, apart / allowed);
    }
    return furthest;
}

typedef struct {
    int count;
    Numbers numbers[MOST_MISTAKES + 1]; /* of no mistake first */
    const char *names[MOST_MISTAKES + 1];
} Made;

/* What each of a step's mistakes makes of the cases. */
static Made make_each(const Step *step, Cases *cases, int mistakes)
{
    Made made = {.count = 1, .names = {"no mistake"}};
    made.numbers[0] = wanted_of(step, cases, 0);
    for (int m = 0; m < mistakes; m++)
        if (is_made_in(&lesson_mistakes()[m], step)) {
            made.numbers[made.count] = wanted_of(step, cases, (Mistakes)1 << m);
            made.names[made.count++] = lesson_mistakes()[m].id;
        }
    return made;
}

static void made_free(Made *made)
{
    for (int i = 0; i < made->count; i++)
        free(made->numbers[i].values);
}

static bool holds_nan(const Cases *cases)
{
    for (int k = 0; k < cases->count; k++) {
        const Function *function = cases->items[k].function;
        for (int p = 0; p < function->count; p++)
            for (size_t i = 0;
                 is_given(function->params[p].role) && i < case_length(&cases->items[k], p); i++)
                if (isnan(value_at(&function->params[p], cases->items[k].given[p], i)))
                    return true;
    }
    return false;
}

static void measure_distances(SelfTest *t, const Step *step, Cases *vectors, Cases *all)
{
    bool fresh_too = !vectors->count || holds_nan(all);
    Made made = make_each(step, vectors, t->mistakes), more = {0};
    if (fresh_too)
        more = make_each(step, all, t->mistakes);
    for (int a = 0; a < made.count; a++)
        for (int b = a + 1; b < made.count; b++) {
            double apart = distance(made.numbers[a], made.numbers[b]);
            if (fresh_too && apart <= 2)
                apart = distance(more.numbers[a], more.numbers[b]);
            if (apart < t->nearest) {
                t->nearest = apart;
                snprintf(t->nearest_pair, sizeof t->nearest_pair, "%s and %s, in %s", made.names[a],
                         made.names[b], step->function);
            }
            if (apart <= 2) /* each may move by one: they would meet */
                broken(t, "the vectors do not tell these apart:", made.names[a], made.names[b]);
        }
    made_free(&made);
    made_free(&more);
}

/* ---- naming
 * ------------------------------------------------------------------------------------------------
 */

/* An element as value_at() reads it. */
static void put(const Param *param, float *left, size_t i, double value)
{
    if (param->is_int)
        ((int *)(void *)left)[i] = fabs(value) < INT_MAX ? (int)value : INT_MAX;
    else
        left[i] = (float)value;
}

/* What a program with these mistakes would answer: the oracle's numbers, rounded to float. */
static void pretend(const Step *step, const Cases *cases, Mistakes set, Answer *answers)
{
    for (int k = 0; k < cases->count; k++) {
        Case *c = &cases->items[k];
        remembered_answer(step, c, set);
        answers[k] = (Answer){.ending = ANSWERED};
        for (int p = 0; p < c->function->count; p++) {
            if (!is_answer(c->function->params[p].role))
                continue;
            answers[k].left[p] = calloc(case_length(c, p) + 1, sizeof(float));
            for (size_t i = 0; i < case_length(c, p); i++)
                put(&c->function->params[p], answers[k].left[p], i, c->wanted[p][i].v);
        }
        remembered_answer(step, c, 0);
    }
}

static void forget(const Cases *cases, Answer *answers)
{
    for (int k = 0; k < cases->count; k++)
        for (int p = 0; p < MAX_PARAMS; p++)
            free(answers[k].left[p]);
}

static Mistakes named_set(const Diagnosis *found)
{
    Mistakes set = 0;
    for (int i = 0; i < found->count; i++)
        set |= (Mistakes)1 << found->mistakes[i];
    return set;
}

static bool is_only(const Diagnosis *found, Mistakes made)
{
    return named_set(found) == made && (found->count == 1 || found->together);
}

/* Whether `make check` names it: of the first check that such numbers fail it looks at the outputs
 * that this one looks at, in its cases and in those of the step's later checks. What an oracle
 * leaves to chance may fail sooner in a learner's program, and leave more to see: where that names
 * nothing, all cases are looked at. NULL: it does. */
static const char *not_named(const Step *step, const Asked *asked, Mistakes made, Answer *answers)
{
    const Cases *all = &asked->cases;
    Diagnosis found = {0};
    int failed = 0;
    pretend(step, all, made, answers);
    while (failed < all->count &&
           all_agree(&all->items[failed], &answers[failed], asked->checks[failed]->only))
        failed++;
    if (failed < all->count) {
        const Check *check = asked->checks[failed];
        int first = failed;
        while (first > 0 && asked->checks[first - 1] == check)
            first--;
        found = diagnose(step, check->only, all->items + first, answers + first, all->count - first,
                         INFINITY, remembered_answer);
    }
    if (failed < all->count && !found.count)
        found = diagnose(step, NULL, all->items, answers, all->count, INFINITY, remembered_answer);
    forget(all, answers);
    return is_only(&found, made)  ? NULL
           : failed == all->count ? "(no case of up to 1000 numbers fails by it)"
           : found.count          ? "(another is named, too, or in its place)"
                                  : "(nothing is named)";
}

static void check_naming(SelfTest *t, const Step *step, const Asked *asked, Answer *answers)
{
    for (int m = 0; m < t->mistakes; m++) {
        const Mistake *mistake = &lesson_mistakes()[m];
        const char *why =
            is_made_in(mistake, step) ? not_named(step, asked, (Mistakes)1 << m, answers) : NULL;
        char *where = why ? format_text("%s %s", step->function, why) : NULL;
        if (why)
            broken(t, "is made alone, and not named:", mistake->id, where);
        free(where);
    }
}

static void check_pairs(SelfTest *t, const Step *step, const Cases *cases, Answer *answers)
{
    for (int a = 0; a < t->mistakes; a++)
        for (int b = a + 1; b < t->mistakes; b++) {
            Mistakes made = (Mistakes)1 << a | (Mistakes)1 << b;
            if (!is_made_in(&lesson_mistakes()[a], step) ||
                !is_made_in(&lesson_mistakes()[b], step))
                continue;
            pretend(step, cases, made, answers);
            Diagnosis found = diagnose(step, NULL, cases->items, answers, cases->count, INFINITY,
                                       remembered_answer);
            forget(cases, answers);
            t->pairs++;
            t->pairs_named += is_only(&found, made);
            t->pairs_like_one += found.count == 1;
            t->pairs_silent += !found.count;
            if (found.together && named_set(&found) != made)
                broken(t, "another pair is named for", lesson_mistakes()[a].id,
                       lesson_mistakes()[b].id);
        }
}

/* Damage of a kind that no program makes by one of the mistakes. */
static void damage(SelfTest *t, Cases *cases, Answer *answers)
{
    int kind = (int)uniform(&t->rng, 0, 4);
    double amount = uniform(&t->rng, 0.05, 0.9) * (uniform(&t->rng, 0, 1) < 0.5 ? -1 : 1);
    for (int k = 0; k < cases->count; k++)
        for (int p = 0; p < MAX_PARAMS; p++) {
            size_t length = answers[k].left[p] ? case_length(&cases->items[k], p) : 0;
            size_t one = length ? (size_t)uniform(&t->rng, 0, (double)length) : 0;
            for (size_t i = 0; i < length; i++) {
                const Param *param = &cases->items[k].function->params[p];
                double value = value_at(param, answers[k].left[p], i);
                if (kind == 0 || (kind == 1 && i == one))
                    value = value * (1 + amount) + 0.01 * amount;
                else if (kind == 2)
                    value += amount * normal(&t->rng);
                else if (kind == 3)
                    value += amount;
                put(param, answers[k].left[p], i, value);
            }
        }
}

static void copy_answers(const Cases *cases, const Answer *from, Answer *to)
{
    for (int k = 0; k < cases->count; k++) {
        to[k] = (Answer){.ending = ANSWERED};
        for (int p = 0; p < MAX_PARAMS; p++) {
            size_t length = from[k].left[p] ? case_length(&cases->items[k], p) : 0;
            if (from[k].left[p])
                to[k].left[p] = calloc(length + 1, sizeof(float));
            if (length)
                memcpy(to[k].left[p], from[k].left[p], length * sizeof(float));
        }
    }
}

static void check_damage(SelfTest *t, const Step *step, Cases *cases, Answer *answers)
{
    Answer *right = calloc((size_t)cases->count + 1, sizeof *right);
    if (!right)
        author_error("out of memory");
    pretend(step, cases, 0, right);
    for (int i = 0; i < DAMAGES; i++) {
        copy_answers(cases, right, answers);
        damage(t, cases, answers);
        Diagnosis found =
            diagnose(step, NULL, cases->items, answers, cases->count, INFINITY, remembered_answer);
        forget(cases, answers);
        if (found.count)
            broken(t, "is named for random damage:", lesson_mistakes()[found.mistakes[0]].id,
                   step->function);
    }
    forget(cases, right);
    free(right);
}

/* ---- formulas: a thousandth of the allowed error from the oracle, and what doubles round ---- */
static bool is_the_same(Real got, Real want)
{
    return isinf(want.e) || (isnan(want.v) && isnan(got.v)) ||
           fabs(got.v - want.v) <= 1e-3 * want.e + 1e-11 * fabs(want.v);
}

/* Of the first element that is another one; false: there is none. */
static bool formula_differs(const Formula *formula, const Case *c, char *where, size_t size)
{
    Evaluation *e = evaluation_new(formula, c);
    bool differs = !e;
    snprintf(where, size, "%s", "a length");
    for (int p = 0; p < c->function->count && !differs; p++)
        for (size_t i = 0; c->wanted[p] && i < case_length(c, p) && !differs; i++) {
            Real got;
            evaluation_changed(e, 0);
            differs = !evaluation_element(e, answer_quantity(formula, p), i, &got) ||
                      !is_the_same(got, c->wanted[p][i]);
            if (differs)
                element_name(c, p, i, where, size);
        }
    evaluation_free(e);
    return differs;
}

static void check_formula(SelfTest *t, const Step *step, Cases *cases)
{
    char where[96];
    const Formula *formula = formula_find(t->formulas, step->function);
    if (!formula || !step->oracle) /* without one the formula is what gives the answers */
        return;
    for (int k = 0; k < cases->count; k++) {
        lesson_answer(step, &cases->items[k], 0);
        if (!formula_differs(formula, &cases->items[k], where, sizeof where))
            continue;
        char *what = format_text("%s: the formula of %s", lesson_formulas_path(), step->function);
        broken(t, what, "does not give the oracle's", where);
        free(what);
        return;
    }
    t->written++;
}

/* ---- other ways: honest code that goes one gives what is right, as far as that is asked ---- */
/* Of the first element that is wrong; false: there is none. The case holds what is right. */
static bool leads_elsewhere(const Formula *way, const Case *c, const char *only, char *where,
                            size_t size)
{
    Evaluation *e = evaluation_new(way, c);
    bool wrong = false;
    for (int p = 0; e && p < c->function->count && !wrong; p++)
        for (size_t i = 0; c->wanted[p] && word_in(only, c->function->params[p].name) &&
                           i < case_length(c, p) && !wrong;
             i++) {
            Real got = {0}, want = c->wanted[p][i];
            evaluation_changed(e, 0);
            evaluation_element(e, answer_quantity(way, p), i, &got);
            wrong = isfinite(want.e) && !meets(got.v, want);
            if (wrong)
                element_name(c, p, i, where, size);
        }
    evaluation_free(e);
    return wrong;
}

static void check_other_way(SelfTest *t, const Asked *asked, const Formula *way, int line)
{
    char where[96];
    for (int k = 0; k < asked->cases.count; k++) {
        const Case *c = &asked->cases.items[k];
        if (!leads_elsewhere(way, c, asked->checks[k]->only, where, sizeof where))
            continue;
        if (t->broken++ < PRINTED)
            printf("BROKEN %s:%d: what stands behind \", or\" is another function: by it %s of %s "
                   "is wrong in \"%s\"\n",
                   lesson_formulas_path(), line, where, c->function->name, c->label);
        return;
    }
}

static void check_other_ways(SelfTest *t, const Step *step, const Asked *asked)
{
    const Formula *formula = formula_find(t->formulas, step->function);
    Formula *way = malloc(sizeof *way);
    if (!way)
        author_error("out of memory");
    for (int k = 0; formula && k < asked->cases.count; k++)
        lesson_answer(step, &asked->cases.items[k], 0);
    for (int i = 0; formula && i < formula->line_count; i++)
        if (formula->lines[i].other) {
            *way = *formula;
            way->lines[i].value = formula->lines[i].other;
            way->lines[i].other = NULL;
            check_other_way(t, asked, way, formula->lines[i].line);
        }
    free(way);
}

/* ---- gradients ----
 * An output dX that was held against nothing could be anything, and so could one that was compared
 * where all is 0. */
#define TELLS_APART 1e-6 /* what central differences can, of the largest element */
#define AS_GOOD_AS_0 1e-9

typedef struct {
    Slope items[MOST_SLOPES];
    int count, compared;
    double worst; /* difference, over the largest element */
} Slopes;

static bool is_left_out(const Slope *slope)
{
    const char *slopes_of = lesson_step(slope->function)->slopes_of;
    return !slope->forward && slopes_of && !*slopes_of;
}

static void slope_broken(SelfTest *t, const Slope *slope, const char *what, const char *why,
                         const char *then)
{
    char *whole = format_text("%s of %s %s %s.", slope->output, slope->function, what, why);
    broken(t, whole, "In lesson.c,", then);
    free(whole);
}

/* The line of the formula, and the numbers that show it. */
static void not_numeric(SelfTest *t, const Slope *slope)
{
    if (!slope->formula)
        broken(t, "its gradients are not the numeric ones:", slope->function, slope->output);
    else if (t->broken++ < PRINTED)
        printf("BROKEN %s: %s of %s is not the derivative of %s:\n  %s\n", slope->formula,
               slope->output, slope->function, slope->forward, slope->numbers);
}

static void check_gradients(SelfTest *t, Slopes *all)
{
    all->count = compare_gradients(&t->contract, &t->rng, all->items);
    for (int i = 0; i < all->count; i++) {
        const Slope *slope = &all->items[i];
        double apart = slope->furthest / fmax(slope->largest, AS_GOOD_AS_0);
        if (is_left_out(slope))
            continue;
        all->compared += slope->forward != NULL;
        all->worst = fmax(all->worst, apart);
        if (!slope->forward)
            slope_broken(t, slope, "is held against no numeric gradient:", slope->why,
                         ".slopes_of names the step whose slope it is, or is \"\" where none is");
        else if (!(apart <= TELLS_APART))
            not_numeric(t, slope);
        else if (slope->largest <= AS_GOOD_AS_0)
            slope_broken(t, slope, "is compared where all of it is 0,", "which any sign fits",
                         ".sample gives numbers at which it is not");
    }
}

static void print_gradients(Slopes *all)
{
    for (int i = 0; i < all->count; i++) {
        Slope *slope = &all->items[i];
        if (is_left_out(slope))
            printf("  %s of %s: compared with nothing, as its slopes_of is \"\"\n", slope->output,
                   slope->function);
        else if (slope->forward)
            printf("  %s of %s: at most %.2g from the slopes of %s, which go up to %.3g\n",
                   slope->output, slope->function, slope->furthest, slope->forward, slope->largest);
        slope_free(slope);
    }
}

static void print_measures(const SelfTest *t, Slopes *slopes, int steps, uint64_t seed)
{
    printf("%s: ", lesson_name);
    if (t->held)
        printf("right answers within %.1e of PyTorch", t->worst_answer);
    else
        printf("right answers held against no vectors");
    if (slopes->compared)
        printf(", %d gradients within %.1e of the numeric ones", slopes->compared, slopes->worst);
    if (t->written)
        printf("\n  %d formula%s with the oracle's numbers", t->written, t->written > 1 ? "s" : "");
    printf("\n  %d mistakes", t->mistakes);
    if (t->mistakes)
        printf(", the nearest two %.3g allowed errors apart (%s)", t->nearest, t->nearest_pair);
    printf("\n  %d pairs: %d named, %d look like one, %d silent\n", t->pairs, t->pairs_named,
           t->pairs_like_one, t->pairs_silent);
    printf("  %ld cases of %d seeds\n", t->drawn, SEEDS);
    printf("  %d random damages; %d broken promises (seed %" PRIu64 ")\n", DAMAGES * steps,
           t->broken, seed);
    print_gradients(slopes);
    print_missing(t->unheld);
}

int self_test(uint64_t seed)
{
    SelfTest t = {.nearest = INFINITY};
    char path[512], error[512];
    int steps = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must not take along what was said */
    if (!lesson_contract(&t.contract, error, sizeof error))
        author_error("%s", error);
    t.formulas = formulas_read(lesson_formulas_path(), &t.contract, error, sizeof error);
    if (error[0])
        printf("BROKEN %s\n", error);
    if (error[0] || parts_broken(&t.contract))
        return 1; /* what follows relies on them */
    t.mistakes = mistake_count();
    snprintf(path, sizeof path, "checker/lessons/%s/vectors.json", lesson_name);
    if (!(t.vectors = vectors_open(path, error, sizeof error)))
        author_error("%s", error);
    rng_seed(&t.rng, seed);
    for (const Step *step = lesson.steps; step->function; step++, steps++) {
        Asked vectors = step_cases(&t, step->function, false);
        Asked all = step_cases(&t, step->function, true);
        Answer *answers = calloc((size_t)all.cases.count + 1, sizeof *answers);
        t.held += vectors.cases.count > 0;
        t.unheld += !vectors.cases.count && !step->calls;
        if (all.cases.count - vectors.cases.count < 20 && !step->calls)
            broken(&t, "has fewer than 20 fresh cases:", step->function, "");
        leave_out_large(&all);
        remember(&all.cases);
        for (int k = 0; k < vectors.cases.count; k++) {
            lesson_answer(step, &vectors.cases.items[k], 0);
            compare_truth(&t, step, &vectors.cases.items[k]);
        }
        check_formula(&t, step, &all.cases);
        check_other_ways(&t, step, &all);
        measure_distances(&t, step, &vectors.cases, &all.cases);
        check_naming(&t, step, &all, answers);
        check_pairs(&t, step, &all.cases, answers);
        check_damage(&t, step, &all.cases, answers);
        free(answers);
        remember_none();
        asked_free(&vectors);
        asked_free(&all);
    }
    vectors_close(t.vectors);
    formulas_free(t.formulas);
    static Slopes slopes; /* large */
    check_gradients(&t, &slopes);
    t.broken += draws_broken(&t.contract, seed, SEEDS, &t.drawn);
    print_measures(&t, &slopes, steps, seed);
    return t.broken ? 1 : 0;
}
