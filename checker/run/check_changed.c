/* The last word on a change: the whole file with it, through the ordinary compiler and checker, on
 * fresh cases.
 *
 * The invariant: whether it passes depends on its text alone. That the text was expected, or asked
 * about for another function before, only saves the time to compile it. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

struct Changed {
    CheckOptions options; /* of the run, with another seed */
    char *text;
    Runner *runner; /* NULL: there is no text yet, or it can't be run */
    bool compiled;
    Cases *cases; /* of the checks that were asked for; the same for every text */
};

static Changed *changed_of(Run *run)
{
    if (run->changed)
        return run->changed;
    Changed *c = run->changed = calloc(1, sizeof *c);
    if (!c || !(c->cases = calloc((size_t)check_count() + 1, sizeof *c->cases)))
        author_error("out of memory");
    c->options = *run->options;
    c->options.seed ^= 0x9e3779b97f4a7c15u;
    return c;
}

void changed_free(Changed *c)
{
    for (int i = 0; c && i < check_count(); i++)
        cases_free(&c->cases[i]);
    if (c && c->runner)
        runner_stop(c->runner);
    if (c) {
        free(c->cases);
        free(c->text);
    }
    free(c);
}

void changed_expect(void *context, const char *text, size_t length)
{
    Changed *c = changed_of(((const Asked *)context)->run);
    if (c->text && !strcmp(c->text, text))
        return;
    if (c->runner)
        runner_stop(c->runner);
    free(c->text);
    c->text = format_text("%s", text);
    RunnerOptions how = runner_options(&c->options, c->text, length);
    how.without_lines = true;
    c->runner = runner_begin(&how);
    c->compiled = false;
}

/* Every check of the function, and those that passed before. */
static bool is_asked(const Asked *asked, const Check *check)
{
    const CheckResult *before = result_of(asked->run, check);
    return !strcmp(learners_function(check->step), asked->step) ||
           (before && before->status == PASSED);
}

static bool make_cases(const Asked *asked, const Check *check, Cases *cases)
{
    static char error[8192];
    Run *run = asked->run;
    if (cases->count)
        return true;
    cases->contract = &run->contract;
    if (!check_cases(check, run->vectors, run->changed->options.seed, cases, error, sizeof error))
        return false;
    for (int k = 0; k < cases->count; k++)
        lesson_step(check->step)->oracle(&cases->items[k], 0);
    return true;
}

static bool check_passes(Run *run, int index)
{
    const Check *check = &lesson.checks[index];
    CheckResult result = {.step = learners_function(check->step), .name = check->title};
    run_check(run, index, &result);
    result_free(&result);
    return result.status == PASSED;
}

bool changed_passes(void *context, const char *text, size_t length)
{
    static char error[8192];
    const char *advice;
    const Asked *asked = context;
    changed_expect(context, text, length);
    Changed *c = asked->run->changed;
    bool all = true;
    for (int i = 0; all && lesson.checks[i].step; i++) /* while the compiler works */
        if (is_asked(asked, &lesson.checks[i]))
            all = make_cases(asked, &lesson.checks[i], &c->cases[i]);
    if (!c->compiled && !runner_ready(c->runner, error, sizeof error, &advice))
        c->runner = NULL;
    c->compiled = true;
    Report report = {0};
    Run other = {.options = &c->options,
                 .report = &report,
                 .text = c->text,
                 .runner = c->runner,
                 .cases = c->cases,
                 .quietly = true};
    all = all && c->runner;
    for (int i = 0; all && lesson.checks[i].step; i++)
        if (is_asked(asked, &lesson.checks[i]))
            all = check_passes(&other, i);
    free(report.printed);
    free(report.not_graded);
    return all;
}
