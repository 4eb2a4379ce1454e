/* One lesson from start to end: every check of it, in order, into a Report.
 *
 * A check's cases run one after the other until one fails. When none does, one of them is asked for
 * twice more, and where a step ends, leaks are looked for. What fails first is shown; the later
 * checks of the same step are "not reached", so that one error makes one complaint. Their cases are
 * still run, unjudged, to have more evidence for the diagnosis. */
#include "engine.h"
#include "machine.h"
#include "process.h"
#include "submission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole check has the time of five calls at their limit: its own calls, those that look for a
 * leak or a cause, and the search for the cause. Half of it must be left for the search. */
enum { CALL_LIMITS = 5, KEEPERS = 3 };

typedef struct {
    const CheckOptions *options;
    Report *report;
    char *text; /* what is graded; NULL: it could not be read */
    Contract contract;
    Vectors *vectors;
    Runner *runner;
    Cases *cases;                 /* one for every check of the lesson */
    Mistakes named;               /* so far, in this run */
    const Case *keepers[KEEPERS]; /* the last calls of this step that kept memory, or NULL */
    int kept;                     /* how many there were */
} Run;

static double budget(const Run *run)
{
    return CALL_LIMITS * run->options->call_limit;
}

static int check_count(void)
{
    int count = 0;
    while (lesson.checks[count].step)
        count++;
    return count;
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

static bool run_case(Run *run, const Check *check, const Case *c, Answer *answer,
                     CheckResult *result)
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
        explain_numbers(result, c, &verdict);
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

/* A function that is still the stub's is no failure: the learner has not come to it yet. */
static void not_written(CheckResult *result)
{
    for (int i = 0; i < MAX_DETAILS; i++)
        free(result->details[i]);
    free(result->ended_by);
    *result = (CheckResult){.step = result->step, .name = result->name, .status = NOT_REACHED};
    add_detail(result, format_text("not written yet"));
}

static int drawn(const Run *run, int index, int count)
{
    Rng rng;
    rng_seed(&rng, run->options->seed ^ (uint64_t)(index + 1) << 32);
    return (int)uniform(&rng, 0, count);
}

/* The same numbers with other calls in between, where there are others, and then at once. */
static void ask_again(Run *run, int index, CheckResult *result)
{
    Cases *cases = &run->cases[index];
    const Case *c = &cases->items[drawn(run, index, cases->count > 1 ? cases->count - 1 : 1)];
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

static void run_check(Run *run, int index, CheckResult *result)
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
        if (!run_case(run, check, &cases->items[ran], &answers[ran], result))
            result->status = FAILED;
    if (result->status == FAILED && is_stub_of(run->text, result->step))
        not_written(result);
    if (result->has_numbers)
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

static bool is_wanted(const Run *run, const Check *check)
{
    return !run->options->step || !strcmp(run->options->step, learners_function(check->step));
}

static bool prepare(Run *run, char *error, size_t error_size)
{
    char path[512];
    if (!lesson_contract(&run->contract, error, error_size))
        return false;
    snprintf(path, sizeof path, "checker/lessons/%s/vectors.json", lesson_name);
    run->vectors = vectors_open(path, error, error_size);
    run->cases = calloc((size_t)check_count() + 1, sizeof *run->cases);
    if (!run->vectors || !run->cases)
        return false;
    for (int i = 0; lesson.checks[i].step; i++) {
        const Check *check = &lesson.checks[i];
        Cases *cases = &run->cases[i];
        cases->contract = &run->contract;
        if (!is_wanted(run, check))
            continue;
        if (!check_cases(check, run->vectors, run->options->seed, cases, error, error_size))
            return false;
        for (int k = 0; k < cases->count; k++)
            lesson_step(check->step)->oracle(&cases->items[k], 0);
    }
    return true;
}

/* Has a check of the same function before this one, the last so far, not passed? */
static bool comes_after_failure(const Report *report)
{
    const CheckResult *last = &report->results[report->count - 1];
    for (const CheckResult *r = report->results; r < last; r++)
        if (r->status != PASSED && !strcmp(r->step, last->step))
            return true;
    return false;
}

/* Does it call another function of the learner's, one that has not passed its own checks? */
static bool waits_for_another(const Run *run, const Check *check, CheckResult *result)
{
    const char *calls = lesson_step(check->step)->calls;
    for (const CheckResult *r = run->report->results; calls && r < result; r++) {
        if (r->status == PASSED || !word_in(calls, r->step))
            continue;
        if (is_stub_of(run->text, result->step))
            add_detail(result, format_text("not written yet"));
        else
            add_detail(result, format_text("%s comes first", r->step));
        return true;
    }
    return false;
}

static void run_checks(Run *run)
{
    Report *report = run->report;
    for (int i = 0; lesson.checks[i].step; i++) {
        const Check *check = &lesson.checks[i];
        if (!is_wanted(run, check))
            continue;
        CheckResult *result = &report->results[report->count++];
        *result = (CheckResult){
            .step = learners_function(check->step), .name = check->title, .status = NOT_REACHED};
        bool reached = run->runner && !report->not_graded && !comes_after_failure(report) &&
                       !waits_for_another(run, check, result);
        if (reached)
            run_check(run, i, result);
        if (report->not_graded)
            result->status = NOT_REACHED;
        report->passed += result->status == PASSED;
        report->failed += result->status == FAILED;
        report->not_reached += result->status == NOT_REACHED;
    }
}

static bool start(Run *run, const CheckOptions *options, Report *report)
{
    static char error[8192];
    *run = (Run){.options = options, .report = report};
    snprintf(report->lesson, sizeof report->lesson, "%s", lesson_name);
    snprintf(report->title, sizeof report->title, "%s", lesson.title);
    snprintf(report->source, sizeof report->source, "%s", options->source);
    report->seed = options->seed;
    report->results = calloc((size_t)check_count() + 1, sizeof *report->results);
    if (!limits_suffice(error, sizeof error)) {
        report->not_graded = format_text("%s", error);
        return true;
    }
    size_t length;
    run->text = submission_read(options->source, &length, error, sizeof error);
    if (!run->text) {
        report->build_error = format_text("%s", error);
        report->advice = format_text("%s", error);
    } else
        report->untouched = is_stub(run->text, length);
    /* The cases are prepared while the compiler works. */
    if (run->text && !report->untouched)
        run->runner = runner_begin(&(RunnerOptions){.source = options->source,
                                                    .text = run->text,
                                                    .length = length,
                                                    .header = lesson_header(),
                                                    .calls = lesson_calls(),
                                                    .call_limit = options->call_limit,
                                                    .memory_limit = (size_t)1 << 30,
                                                    .printed_limit = (size_t)1 << 20});
    if (!report->results || !prepare(run, error, sizeof error))
        author_error("%s", report->results ? error : "out of memory");
    if (!run->runner)
        return true;
    const char *advice;
    report->notice = missing_protections();
    if (!runner_ready(run->runner, error, sizeof error, &advice)) {
        run->runner = NULL;
        *(advice ? &report->build_error : &report->not_graded) = format_text("%s", error);
        report->advice = advice && *advice ? format_text("%s", advice) : NULL;
        return true;
    }
    report->warnings = format_text("%s", runner_warnings(run->runner));
    return true;
}

static void finish(Run *run)
{
    if (run->runner)
        runner_stop(run->runner);
    free(run->text);
    if (!run->cases)
        return;
    for (int i = 0; i < check_count(); i++)
        cases_free(&run->cases[i]);
    free(run->cases);
    vectors_close(run->vectors);
}

void check_lesson(const CheckOptions *options, Report *report)
{
    static Run run; /* a contract is large, and the stack may be small */
    double began = clock_now();
    start(&run, options, report);
    run_checks(&run);
    finish(&run);
    report->seconds = clock_now() - began;
}

/* The first case that fails; when none does, the first of all. */
static const Case *first_failing(Run *run, CheckResult *result)
{
    const Case *first = NULL;
    for (int i = 0; lesson.checks[i].step; i++)
        for (int k = 0; k < run->cases[i].count; k++) {
            const Case *c = &run->cases[i].items[k];
            first = first ? first : c;
            Answer answer = {0};
            result->step = learners_function(lesson.checks[i].step);
            result->name = lesson.checks[i].title;
            bool right = run_case(run, &lesson.checks[i], c, &answer, result);
            answer_free(&answer);
            if (!right)
                return c;
        }
    return first;
}

int debug_lesson(const CheckOptions *options)
{
    static Run run; /* a contract is large, and the stack may be small */
    Report report = {0};
    start(&run, options, &report);
    if (!run.runner) {
        if (report.not_graded)
            fprintf(stderr, "%s\n", report.not_graded);
        else if (report.build_error)
            write_build_error(stderr, report.build_error, report.advice);
        else
            fputs("Write something first: this is the stub as it was handed out.\n", stderr);
        return 1;
    }
    CheckResult result = {0};
    const Case *c = first_failing(&run, &result);
    if (!result.details[0])
        printf("Nothing fails. gdb stops at the first call.\n\n");
    else
        printf("%s\n", result.name);
    for (int i = 0; i < MAX_DETAILS && result.details[i]; i++)
        write_lines(stdout, "     ", "     ", result.details[i], strlen(result.details[i]));
    printf("\n");
    fflush(stdout);
    runner_debug(run.runner, c);
    return 1;
}
