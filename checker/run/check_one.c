/* One check: its cases one after the other, one of them twice more, leaks, and the search for the
 * mistake. See check.h. */
#include "check.h"
#include "process.h"
#include "submission.h"

#include <stdlib.h>
#include <string.h>

static double budget(const Run *run)
{
    return CALL_LIMITS * run->options->call_limit;
}

static void keep_printed(Report *report, const CheckResult *result, Answer *answer, bool failed)
{
    bool shown_failed = report->printed && strncmp(report->printed_by, "first", 5);
    if (!answer->printed_total || shown_failed || (report->printed && !failed))
        return;
    free(report->printed);
    report->printed = answer->printed;
    report->printed_total = answer->printed_total;
    answer->printed = NULL;
    snprintf(report->printed_by, sizeof report->printed_by, failed ? "%s" : "first call of %s",
             failed ? result->name : result->step);
}

/* ---- running ---- */

/* The evidence of one step: the cases of this check that ran, and those of its later checks. */
static void diagnose_check(Run *run, int index, Answer *answers, int ran, CheckResult *result)
{
    const Check *check = &lesson.checks[index];
    const Step *step = lesson_step(check->step);
    int count = 0;
    for (int i = 0; lesson.checks[i].step; i++)
        count += !strcmp(lesson.checks[i].step, check->step) ? run->cases[i].count : 0;
    Case *all = calloc((size_t)count + 1, sizeof *all);
    Answer *got = calloc((size_t)count + 1, sizeof *got);
    bool alive = all && got;
    int n = 0;
    for (int i = index; lesson.checks[i].step; i++)
        for (int k = 0;
             alive && !strcmp(lesson.checks[i].step, check->step) && k < run->cases[i].count; k++) {
            all[n] = run->cases[i].items[k];
            if (i == index && k < ran)
                got[n] = answers[k];
            else {
                runner_call(run->runner, &all[n], &got[n]);
                alive =
                    got[n].ending == ANSWERED && runner_time_left(run->runner) > budget(run) / 2;
            }
            n++;
        }
    Diagnosis found = diagnose(step, check->only, all, got, n, runner_time_left(run->runner));
    explain_mistake(result, &found, &run->named);
    if (found.cut_short)
        add_detail(result, format_text("The search for a cause was stopped: this check has taken "
                                       "more than %g s.",
                                       budget(run)));
    for (int i = ran; i < n; i++)
        answer_free(&got[i]);
    free(all);
    free(got);
}

bool run_case(Run *run, const Check *check, const Case *c, Answer *answer, CheckResult *result)
{
    runner_call(run->runner, c, answer);
    if (answer->kept_memory)
        run->keepers[run->kept++ % KEEPERS] = c;
    if (answer->ending == NOT_STARTED && !run->report->not_graded)
        run->report->not_graded = format_text("%s", answer->reason);
    if (answer->ending != ANSWERED) {
        explain_ending(result, c, answer);
        keep_printed(run->report, result, answer, true);
        return false;
    }
    Judgement verdict = judge(c, answer, check->only);
    keep_printed(run->report, result, answer, !verdict.right);
    if (!verdict.right)
        explain_numbers(result, c, answer, &verdict);
    return verdict.right;
}

static bool first_of_step(int index)
{
    return index == 0 || strcmp(lesson.checks[index - 1].step, lesson.checks[index].step);
}

/* Leaks are looked for where the checks of a function end, and after every sequence of calls. */
static bool is_asked_for_leaks(int index)
{
    const Check *check = &lesson.checks[index], *next = check + 1;
    return lesson_step(check->step)->calls || !next->step || strcmp(next->step, check->step);
}

void details_free(CheckResult *result)
{
    for (int i = 0; i < MAX_DETAILS; i++)
        free(result->details[i]);
    memset(result->details, 0, sizeof result->details);
}

void result_free(CheckResult *result)
{
    details_free(result);
    fix_free(result->fix);
    free(result->to_try);
    free(result->mistake);
    free(result->sections);
    free(result->when);
    free(result->ended_by);
}

/* A function that is still the stub's is no failure: the learner has not come to it yet. */
static void not_written(CheckResult *result)
{
    result_free(result);
    *result = (CheckResult){.step = result->step, .name = result->name, .status = NOT_REACHED};
    add_detail(result, format_text("not written yet"));
}

static int drawn(const Run *run, int index, int count)
{
    Rng rng;
    rng_seed(&rng, run->options->seed ^ (uint64_t)(index + 1) << 32);
    return (int)uniform(&rng, 0, count);
}

/* The same numbers with other calls in between, where there are others, and then at once. One that
 * takes long to hand over and is alone is asked once: the function's other checks ask again. */
static void ask_again(Run *run, int index, CheckResult *result)
{
    enum { MOST_NUMBERS = 100000 };
    Cases *cases = &run->cases[index];
    const Case *c = &cases->items[drawn(run, index, cases->count > 1 ? cases->count - 1 : 1)];
    if (cases->count == 1 && numbers_of(c) > MOST_NUMBERS)
        return;
    for (int call = 2; call <= 3 && result->status == PASSED; call++) {
        Answer answer = {0};
        bool right = run_case(run, &lesson.checks[index], c, &answer, result);
        result->status = right ? PASSED : FAILED;
        if (!right && answer.ending != OUT_OF_TIME)
            explain_repeat(result, call);
        answer_free(&answer);
    }
}

/* In a call that kept memory, the last ones first, when what they cache is there; else in any. */
static void look_for_leaks(Run *run, int index, CheckResult *result)
{
    const Case *any = &run->cases[index].items[drawn(run, index, run->cases[index].count)];
    int candidates = run->kept > KEEPERS ? KEEPERS : run->kept;
    for (int i = 0; i < (candidates ? candidates : 1) && result->status == PASSED; i++) {
        const Case *c = candidates ? run->keepers[(run->kept - 1 - i) % KEEPERS] : any;
        Answer leak = {0};
        if (runner_leaks(run->runner, c, &leak)) {
            result->status = FAILED;
            explain_ending(result, c, &leak);
        }
        answer_free(&leak);
    }
}

void run_check(Run *run, int index, CheckResult *result)
{
    const Check *check = &lesson.checks[index];
    Cases *cases = &run->cases[index];
    Answer *answers = calloc((size_t)cases->count + 1, sizeof *answers);
    if (!answers)
        author_error("out of memory");
    runner_budget(run->runner, budget(run));
    run->kept = first_of_step(index) ? 0 : run->kept;
    double began = clock_now();
    result->status = PASSED;
    int ran = 0;
    for (; ran < cases->count && result->status == PASSED; ran++)
        if (!run_case(run, check, &cases->items[ran], &answers[ran], result)) {
            result->status = FAILED;
            result->failing = &cases->items[ran];
        }
    if (result->status == FAILED && is_stub_of(run->text, result->step))
        not_written(result);
    if (result->has_numbers && !run->quietly)
        diagnose_check(run, index, answers, ran, result);
    if (result->status == PASSED)
        ask_again(run, index, result);
    if (result->status == PASSED && is_asked_for_leaks(index))
        look_for_leaks(run, index, result);
    result->seconds = clock_now() - began;
    for (int k = 0; k < cases->count; k++)
        answer_free(&answers[k]);
    free(answers);
}
