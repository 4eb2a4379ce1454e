/* One lesson from start to end: every check of it, in order, into a Report.
 *
 * A check's cases run one after the other until one fails. When none does, one of them is asked for
 * twice more, and where a step ends, leaks are looked for. What fails first is shown; the later
 * checks of the same step are "not reached", so that one error makes one complaint. Their cases are
 * still run, unjudged, to have more evidence for the diagnosis. */
#include "check.h"
#include "machine.h"
#include "process.h"
#include "sandbox.h"
#include "submission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int check_count(void)
{
    int count = 0;
    while (lesson.checks[count].step)
        count++;
    return count;
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
        bool late = comes_after_failure(report);
        bool reached = run->runner && !report->not_graded && (!late || run->options->every) &&
                       !waits_for_another(run, check, result);
        if (reached)
            run_check(run, i, result);
        if (late)
            result->failing = NULL; /* the line is looked for once for each function */
        if (report->not_graded)
            result->status = NOT_REACHED;
        report->passed += result->status == PASSED;
        report->failed += result->status == FAILED;
        report->not_reached += result->status == NOT_REACHED;
    }
}

RunnerOptions runner_options(const CheckOptions *options, const char *text, size_t length)
{
    return (RunnerOptions){.source = options->shown ? options->shown : options->source,
                           .path = options->source,
                           .text = text,
                           .length = length,
                           .header = lesson_header(),
                           .calls = lesson_calls(),
                           .call_limit = options->call_limit,
                           .memory_limit = (size_t)1 << 30,
                           .printed_limit = (size_t)1 << 20};
}

static bool start(Run *run, const CheckOptions *options, Report *report)
{
    static char error[8192];
    run->options = options;
    run->report = report;
    snprintf(report->lesson, sizeof report->lesson, "%s", lesson_name);
    snprintf(report->title, sizeof report->title, "%s", lesson.title);
    snprintf(report->source, sizeof report->source, "%s",
             options->shown ? options->shown : options->source);
    report->seed = options->seed;
    report->of_one_step = options->step;
    report->learned = lesson.learned ? format_text("%s", lesson.learned) : NULL;
    report->results = calloc((size_t)check_count() + 1, sizeof *report->results);
    if (!limits_suffice(error, sizeof error)) {
        report->not_graded = format_text("%s", error);
        return true;
    }
    size_t length = 0;
    run->text = submission_read(options->source, &length, error, sizeof error);
    if (!run->text) {
        report->build_error = format_text("%s", error);
        report->advice = format_text("%s", error);
    } else
        report->untouched = is_stub(run->text, length);
    /* The cases are prepared while the compiler works. */
    RunnerOptions how = runner_options(options, run->text, length);
    if (run->text && !report->untouched)
        run->runner = runner_begin(&how);
    if (!report->results || (!run->cases && !prepare(run, error, sizeof error)))
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
    changed_free(run->changed);
    free(run->text);
    if (!run->cases)
        return;
    for (int i = 0; i < check_count(); i++)
        cases_free(&run->cases[i]);
    free(run->cases);
    vectors_close(run->vectors);
}

static Run run; /* a contract is large, and the stack may be small */

void check_prepare(const CheckOptions *options)
{
    static char error[8192];
    close_memory(); /* which holds what is expected */
    run.options = options;
    if (!prepare(&run, error, sizeof error))
        author_error("%s", error);
}

void check_lesson(const CheckOptions *options, Report *report)
{
    double began = clock_now();
    start(&run, options, report);
    run_checks(&run);
    point_to_causes(&run);
    report->run = &run;
    report->look_closer = look_for_fix;
    report->seconds = clock_now() - began;
}

void check_end(Report *report)
{
    finish(report->run);
    report->run = NULL;
    report->look_closer = NULL;
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
