/* One lesson from start to end, in three stages: the verdict of every check, then the line that a
 * wrong answer comes from, then what to do next. A listener is told as each of them is there.
 *
 * A check's cases run one after the other until one fails. When none does, one of them is asked for
 * twice more, and where a step ends, leaks are looked for. What fails first is shown; the later
 * checks of the same step are "not reached", so that one error makes one complaint. Their cases are
 * still run, unjudged, to have more evidence for the diagnosis.
 *
 * The invariant: nothing of the later stages changes a verdict. */
#include "formulas.h"
#include "line.h"

#include <stdlib.h>
#include <string.h>

/* A whole check has the time of five calls at their limit: its own calls, those that look for a
 * leak or a cause, and the search for the cause. Half of it must be left for the search. To look
 * for the line has as long again. */
enum { CALL_LIMITS = 5, KEEPERS = 3 };

/* So long the change of a formula may be looked for, in seconds of processor time. */
#define CHANGE_SECONDS 0.8

/* What is asked: the contract, and for one seed the cases of every check, answered. */
struct Questions {
    Contract contract;
    Vectors *vectors;
    Cases *cases; /* one for every check of the lesson */
};

typedef struct Changed Changed; /* the file with a change, see below */

/* A file that is graded. */
typedef struct {
    const CheckOptions *options;
    const Runners *by;
    Report *report;
    Questions *questions, *own; /* own: to be freed with the run */
    Runner *runner;
    Mistakes named;               /* so far, in this run */
    const Case **failing;         /* of each result: the case that failed; or NULL */
    const Case *keepers[KEEPERS]; /* the last calls of this step that kept memory, or NULL */
    int kept;                     /* how many there were */
    bool printed_failed;          /* what the report shows as printed is of a call that failed */
    bool quietly;                 /* whether it passes is all that is asked */
    Changed *changed;             /* the last change that was asked about, or NULL */
    Formulas *formulas;           /* read when something is wrong; NULL before, or there are none */
} Run;

static int check_count(void)
{
    int count = 0;
    while (lesson.checks[count].step)
        count++;
    return count;
}

static void *some(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        author_error("out of memory");
    return memory;
}

/* ---- what is asked ---- */
static bool is_wanted(const CheckOptions *options, const Check *check)
{
    return !options->step || !strcmp(options->step, learners_function(check->step));
}

/* With the oracle's answers. */
static bool make_cases(const Questions *q, const Check *check, uint64_t seed, Cases *cases,
                       char *error, size_t error_size)
{
    cases->contract = &q->contract;
    if (!check_cases(check, q->vectors, seed, cases, error, error_size))
        return false;
    for (int k = 0; k < cases->count; k++)
        lesson_answer(lesson_step(check->step), &cases->items[k], 0);
    return true;
}

Questions *check_prepare(const CheckOptions *options)
{
    static char error[8192];
    char path[512];
    Questions *q = some(1, sizeof *q);
    snprintf(path, sizeof path, "checker/lessons/%s/vectors.json", lesson_name);
    q->cases = some((size_t)check_count(), sizeof *q->cases);
    bool good = lesson_contract(&q->contract, error, sizeof error) &&
                (q->vectors = vectors_open(path, error, sizeof error));
    for (int i = 0; good && lesson.checks[i].step; i++)
        if (is_wanted(options, &lesson.checks[i]))
            good =
                make_cases(q, &lesson.checks[i], options->seed, &q->cases[i], error, sizeof error);
    if (!good)
        author_error("%s", error);
    return q;
}

static void questions_free(Questions *q)
{
    for (int i = 0; i < check_count(); i++)
        cases_free(&q->cases[i]);
    free(q->cases);
    vectors_close(q->vectors);
    free(q);
}

/* ---- one check ---- */
static double budget(const Run *run)
{
    return CALL_LIMITS * run->options->call_limit;
}

/* For what is called to explain an answer, beside the checks: once for a function, and for each
 * check of a change. */
static double budget_beside(const Run *run)
{
    return run->by->beside > 0 ? run->by->beside : budget(run);
}

/* Of what was printed, the first failing call's is shown; before any failed, the first call's. */
static void keep_printed(Run *run, const CheckResult *result, Answer *answer, bool failed)
{
    Report *report = run->report;
    if (!answer->printed_total || run->printed_failed || (report->printed && !failed))
        return;
    free(report->printed);
    report->printed = answer->printed;
    report->printed_total = answer->printed_total;
    answer->printed = NULL;
    run->printed_failed = failed;
    snprintf(report->printed_by, sizeof report->printed_by, failed ? "%s" : "first call of %s",
             failed ? result->name : result->step);
}

/* The cases of a step that were not called yet, the smallest first: of this check those behind the
 * first so many, which `all` holds, and those of its later checks. */
static int add_others(const Run *run, int index, int ran, Case *all)
{
    int count = ran;
    for (int i = index; lesson.checks[i].step; i++) {
        const Cases *cases = &run->questions->cases[i];
        const bool same = !strcmp(lesson.checks[i].step, lesson.checks[index].step);
        for (int k = i == index ? ran : 0; same && k < cases->count; k++) {
            int at = count++;
            for (; at > ran && case_numbers(&all[at - 1]) > case_numbers(&cases->items[k]); at--)
                all[at] = all[at - 1];
            all[at] = cases->items[k];
        }
    }
    return count;
}

/* The evidence of one step: the cases of this check that ran, and the others while there is time,
 * whatever some crash by. Half of it is the search's: a slow program's largest are left out. */
static void diagnose_check(Run *run, int index, Answer *answers, int ran, CheckResult *result)
{
    size_t count = 0;
    for (int i = 0; lesson.checks[i].step; i++)
        count += (size_t)run->questions->cases[i].count;
    Case *all = some(count, sizeof *all);
    Answer *got = some(count, sizeof *got);
    memcpy(all, run->questions->cases[index].items, (size_t)ran * sizeof *all);
    memcpy(got, answers, (size_t)ran * sizeof *got);
    int n = ran, last = add_others(run, index, ran, all);
    const double whole = run->by->time_left(run->runner), beside = run->by->beside,
                 for_others = beside > 0 ? beside / 2 : whole - budget(run) / 2;
    bool alive = for_others > 0;
    run->by->budget(run->runner, alive ? for_others : whole);
    for (; alive && n < last; n++) {
        run->by->call(run->runner, &all[n], &got[n]);
        alive = got[n].ending <= CRASHED && run->by->time_left(run->runner) > 0;
    }
    Diagnosis found = diagnose(
        lesson_step(lesson.checks[index].step), lesson.checks[index].only, all, got, n,
        whole - (n > ran ? for_others - run->by->time_left(run->runner) : 0), lesson_answer);
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
    run->by->call(run->runner, c, answer);
    if (answer->kept_memory)
        run->keepers[run->kept++ % KEEPERS] = c;
    if (answer->ending == NOT_STARTED && !run->report->not_graded)
        run->report->not_graded = format_text("%s", answer->reason);
    if (answer->ending != ANSWERED) {
        explain_ending(result, c, answer);
        if (answer->ending == CRASHED || answer->ending == TIMED_OUT || answer->ending == QUIT)
            result->to_try = line_to_try(c);
        keep_printed(run, result, answer, true);
        return false;
    }
    Judgement verdict = judge(c, answer, check->only);
    keep_printed(run, result, answer, !verdict.right);
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

static void waits_for_unwritten(CheckResult *result, const char *other)
{
    result_free(result);
    *result = (CheckResult){
        .step = result->step, .name = result->name, .status = NOT_REACHED, .needs = other};
    add_detail(result, format_text("%s calls %s, which is not written yet", result->step, other));
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
    enum { QUICKLY_HANDED_OVER = 100000 };
    const Cases *cases = &run->questions->cases[index];
    const Case *c = &cases->items[drawn(run, index, cases->count > 1 ? cases->count - 1 : 1)];
    if (cases->count == 1 && case_numbers(c) > QUICKLY_HANDED_OVER)
        return;
    for (int call = 2; call <= 3 && result->status == PASSED; call++) {
        Answer answer = {0};
        bool right = run_case(run, &lesson.checks[index], c, &answer, result);
        result->status = right ? PASSED : FAILED;
        if (!right && answer.ending != OUT_OF_TIME)
            explain_repeat(result, call);
        free(result->to_try); /* which calls it once, and is right */
        result->to_try = NULL;
        answer_free(&answer);
    }
}

/* In a call that kept memory, the last ones first, when what they cache is there; else in any. */
static void look_for_leaks(Run *run, int index, CheckResult *result)
{
    const Cases *cases = &run->questions->cases[index];
    const Case *any = &cases->items[drawn(run, index, cases->count)];
    int candidates = run->kept > KEEPERS ? KEEPERS : run->kept;
    for (int i = 0; i < (candidates ? candidates : 1) && result->status == PASSED; i++) {
        const Case *c = candidates ? run->keepers[(run->kept - 1 - i) % KEEPERS] : any;
        Answer leak = {0};
        if (run->by->leaks(run->runner, c, &leak)) {
            result->status = FAILED;
            explain_ending(result, c, &leak);
        }
        answer_free(&leak);
    }
}

/* The case that failed; NULL: none did, or it is none's fault alone. */
static const Case *run_check(Run *run, int index, CheckResult *result)
{
    const Check *check = &lesson.checks[index];
    const Cases *cases = &run->questions->cases[index];
    const Case *failing = NULL;
    Answer *answers = some((size_t)cases->count, sizeof *answers);
    run->by->budget(run->runner, run->quietly ? budget_beside(run) : budget(run));
    run->kept = first_of_step(index) ? 0 : run->kept;
    double began = clock_now();
    result->status = PASSED;
    int ran = 0;
    for (; ran < cases->count && !failing; ran++)
        if (!run_case(run, check, &cases->items[ran], &answers[ran], result))
            failing = &cases->items[ran];
    if (failing)
        result->status = FAILED;
    if (failing && is_stub_of(run->options->text, result->step))
        not_written(result);
    const char *unwritten =
        result->status == FAILED ? unwritten_callee(run->options->text, result->step) : NULL;
    if (unwritten)
        waits_for_unwritten(result, unwritten);
    if (result->status == FAILED && !run->quietly)
        explain_warning(result, run->report, run->options->text);
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
    return failing;
}

/* ---- the first stage: the verdict ---- */
/* Has a check of the same function before this one not passed? */
static bool comes_after_failure(const Report *report, const CheckResult *result)
{
    for (const CheckResult *r = report->results; r < result; r++)
        if (r->status != PASSED && !strcmp(r->step, result->step))
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
        if (is_stub_of(run->options->text, result->step)) {
            add_detail(result, format_text("not written yet"));
        } else {
            add_detail(result, format_text("%s comes first", r->step));
            result->needs = r->step;
        }
        return true;
    }
    return false;
}

static void run_checks(Run *run)
{
    Report *report = run->report;
    for (int i = 0; lesson.checks[i].step; i++) {
        const Check *check = &lesson.checks[i];
        if (!is_wanted(run->options, check))
            continue;
        CheckResult *result = &report->results[report->count++];
        *result = (CheckResult){
            .step = learners_function(check->step), .name = check->title, .status = NOT_REACHED};
        bool late = comes_after_failure(report, result) && !run->options->every;
        bool reached =
            run->runner && !report->not_graded && !late && !waits_for_another(run, check, result);
        if (reached)
            run->failing[report->count - 1] = run_check(run, i, result);
        if (report->not_graded)
            result->status = NOT_REACHED;
        report->passed += result->status == PASSED;
        report->failed += result->status == FAILED;
        report->not_reached += result->status == NOT_REACHED;
    }
}

/* Is `other` the cause of a result's wrong numbers? The one calls the other, and not the reverse.
 */
static bool is_cause(const Program *program, const CheckResult *result, const CheckResult *other)
{
    const Definition *d = definition_of(program, result->step);
    const Definition *called = definition_of(program, other->step);
    return other->status == FAILED && strcmp(other->step, result->step) && d && called &&
           definition_calls(program, d, called) && !definition_calls(program, called, d);
}

/* Those that failed and call another that failed say so, in place of numbers. */
static void point_to_causes(Run *run)
{
    Report *report = run->report;
    const CheckOptions *o = run->options;
    Program program = {0};
    bool read = o->text && report->failed > 1 && program_read(&program, o->text, strlen(o->text));
    for (int i = 0; i < report->count && read; i++) {
        CheckResult *result = &report->results[i];
        const CheckResult *cause = report->results, *end = cause + report->count;
        const bool leaks = result->ended_by && !strcmp(result->ended_by, "leak");
        if (result->status != FAILED || !(result->has_numbers || leaks) || result->mistake)
            continue;
        while (cause < end && !is_cause(&program, result, cause))
            cause++;
        if (cause == end)
            continue;
        details_free(result);
        add_detail(result, format_text("%s calls %s, which is wrong: mend that first.",
                                       result->step, cause->step));
        result->has_numbers = false;
        free(result->ended_by);
        result->ended_by = NULL;
        free(result->to_try);
        result->to_try = NULL;
    }
    program_free(&program);
}

RunnerOptions check_runner(const CheckOptions *options)
{
    return (RunnerOptions){.source = options->shown ? options->shown : options->source,
                           .path = options->source,
                           .text = options->text,
                           .length = options->length,
                           .header = lesson_header(),
                           .calls = lesson_calls(),
                           .call_limit = options->call_limit,
                           .memory_limit = (size_t)1 << 30,
                           .printed_limit = (size_t)1 << 20};
}

Runner *runner_start(const Runners *by, const RunnerOptions *how, char *error, size_t error_size,
                     const char **advice)
{
    Runner *runner = by->begin(how);
    return by->ready(runner, error, error_size, advice) ? runner : NULL;
}

static void introduce(const CheckOptions *options, Report *report)
{
    snprintf(report->lesson, sizeof report->lesson, "%s", lesson_name);
    snprintf(report->title, sizeof report->title, "%s", lesson.title);
    snprintf(report->source, sizeof report->source, "%s",
             options->shown ? options->shown : options->source);
    report->seed = options->seed;
    report->of_one_step = options->step;
    report->learned = lesson.learned ? format_text("%s", lesson.learned) : NULL;
    report->results = some((size_t)check_count(), sizeof *report->results);
}

/* Compiles. Without a runner then, the report says why there is none. */
static Run *start(const CheckOptions *options, Questions *prepared, Report *report)
{
    static char error[8192];
    const char *advice;
    Run *run = some(1, sizeof *run);
    *run = (Run){.options = options, .by = options->runners, .report = report};
    run->failing = some((size_t)check_count(), sizeof(const Case *));
    introduce(options, report);
    if (options->not_graded) {
        report->not_graded = format_text("%s", options->not_graded);
    } else if (!options->text) {
        report->build_error = format_text("%s", options->refused);
        report->advice = format_text("%s", options->refused);
    } else {
        report->untouched = is_stub(options->text, options->length);
    }
    /* The cases are prepared while the compiler works. */
    RunnerOptions how = check_runner(options);
    how.busy = !prepared;
    if (!report->not_graded && options->text && !report->untouched)
        run->runner = run->by->begin(&how);
    if (!prepared && !report->not_graded)
        prepared = run->own = check_prepare(options);
    run->questions = prepared;
    if (!run->runner)
        return run;
    report->notice = run->by->missing_protections();
    if (!run->by->ready(run->runner, error, sizeof error, &advice)) {
        run->runner = NULL;
        *(advice ? &report->build_error : &report->not_graded) = format_text("%s", error);
        report->advice = advice && *advice ? format_text("%s", advice) : NULL;
        return run;
    }
    report->warnings = format_text("%s", run->by->warnings(run->runner));
    return run;
}

/* ---- the last word on a change: the whole file with it, on fresh cases ----
 * Whether it passes depends on its text alone. That the text was expected, or asked about for
 * another function before, only saves the time to compile it. */
struct Changed {
    CheckOptions options; /* of the run, with another seed and this text */
    char *text;
    Runner *runner; /* NULL: there is no text yet, or it can't be run */
    bool compiled;
    Questions questions; /* the cases of the checks that were asked for; the same for every text */
};

/* A question about a change, as the search asks it. */
typedef struct {
    Run *run;
    const char *step;
} Asked;

static Changed *changed_of(Run *run)
{
    if (run->changed)
        return run->changed;
    Changed *c = run->changed = some(1, sizeof *c);
    c->options = *run->options;
    c->options.seed ^= 0x9e3779b97f4a7c15u;
    c->questions = *run->questions;
    c->questions.cases = some((size_t)check_count(), sizeof *c->questions.cases);
    return c;
}

static void changed_free(Run *run)
{
    Changed *c = run->changed;
    if (!c)
        return;
    for (int i = 0; i < check_count(); i++)
        cases_free(&c->questions.cases[i]);
    if (c->runner)
        run->by->stop(c->runner);
    free(c->questions.cases);
    free(c->text);
    free(c);
}

static void changed_expect(void *context, const char *text, size_t length)
{
    Run *run = ((const Asked *)context)->run;
    Changed *c = changed_of(run);
    if (c->text && !strcmp(c->text, text))
        return;
    if (c->runner)
        run->by->stop(c->runner);
    free(c->text);
    c->options.text = c->text = format_text("%s", text);
    c->options.length = length;
    RunnerOptions how = check_runner(&c->options);
    how.without_lines = true;
    c->runner = run->by->begin(&how);
    c->compiled = false;
}

/* NULL: that check was not in this run. */
static const Check *check_of(const CheckResult *result)
{
    const Check *check = lesson.checks;
    while (check->title && check->title != result->name)
        check++;
    return check;
}

static const CheckResult *result_of(const Run *run, const Check *check)
{
    for (int i = 0; i < run->report->count; i++)
        if (run->report->results[i].name == check->title)
            return &run->report->results[i];
    return NULL;
}

/* Every check of the function, and those that passed before. */
static bool is_asked(const Asked *asked, const Check *check)
{
    const CheckResult *before = result_of(asked->run, check);
    return !strcmp(learners_function(check->step), asked->step) ||
           (before && before->status == PASSED);
}

static bool check_passes(Run *run, int index)
{
    const Check *check = &lesson.checks[index];
    CheckResult result = {.step = learners_function(check->step), .name = check->title};
    run_check(run, index, &result);
    result_free(&result);
    return result.status == PASSED;
}

static bool changed_passes(void *context, const char *text, size_t length)
{
    static char error[8192];
    const char *advice;
    const Asked *asked = context;
    changed_expect(context, text, length);
    Changed *c = asked->run->changed;
    bool all = true;
    for (int i = 0; all && lesson.checks[i].step; i++) /* while the compiler works */
        if (is_asked(asked, &lesson.checks[i]) && !c->questions.cases[i].count)
            all = make_cases(&c->questions, &lesson.checks[i], c->options.seed,
                             &c->questions.cases[i], error, sizeof error);
    if (!c->compiled && !asked->run->by->ready(c->runner, error, sizeof error, &advice))
        c->runner = NULL;
    c->compiled = true;
    Report report = {0};
    Run other = {.options = &c->options,
                 .by = asked->run->by,
                 .report = &report,
                 .questions = &c->questions,
                 .runner = c->runner,
                 .quietly = true};
    all = all && c->runner;
    for (int i = 0; all && lesson.checks[i].step; i++)
        if (is_asked(asked, &lesson.checks[i]))
            all = check_passes(&other, i);
    free(report.printed);
    free(report.not_graded);
    return all;
}

/* ---- the second stage: the line ---- */
enum { MOST_GATHERED = 32, SMALL = 3000 };

/* Puts it behind those that are as small or smaller, but never before the failing case. */
static void add_by_size(Witness *witnesses, int count, Witness one)
{
    while (count > 1 && case_numbers(witnesses[count - 1].c) > case_numbers(one.c)) {
        witnesses[count] = witnesses[count - 1];
        count--;
    }
    witnesses[count] = one;
}

/* The failing case, and then the function's small ones. */
static int gather(const Run *run, const CheckResult *result, Witness *witnesses)
{
    const Case *failing = run->failing[result - run->report->results];
    int count = 0;
    witnesses[count++] = (Witness){failing, check_of(result)->only, WRONG, 0};
    for (int i = 0; lesson.checks[i].step; i++) {
        const Check *check = &lesson.checks[i];
        const CheckResult *other = result_of(run, check);
        const Cases *cases = &run->questions->cases[i];
        for (int k = 0;
             other && !strcmp(learners_function(check->step), result->step) && k < cases->count;
             k++) {
            const Case *c = &cases->items[k];
            bool right = other->status == PASSED || (other == result && c < failing);
            if (c == failing || case_numbers(c) > SMALL || count == MOST_GATHERED)
                continue;
            add_by_size(witnesses, count++,
                        (Witness){c, check->only, right ? RIGHT : UNKNOWN_YET, 0});
        }
    }
    return count;
}

/* "row_mean row_variance": those whose checks have all passed. Caller frees. */
static char *right_functions(const Run *run)
{
    char *words = format_text("%s", "");
    for (const Step *step = lesson.steps; step->function; step++) {
        const char *function = learners_function(step->function);
        bool right = true;
        for (int i = 0; i < run->report->count; i++)
            if (!strcmp(run->report->results[i].step, function))
                right = right && run->report->results[i].status == PASSED;
        char *longer = right ? format_text("%s%s%s", words, *words ? " " : "", function) : NULL;
        if (longer) {
            free(words);
            words = longer;
        }
    }
    return words;
}

/* The first failed check of a function, on a case with numbers, tells where to look. */
static bool is_looked_for(const Run *run, const CheckResult *result)
{
    return run->options->trials && run->failing[result - run->report->results] &&
           result->has_numbers && !comes_after_failure(run->report, result);
}

/* ---- the change of the formula ---- */
static void ask_afresh(void *context, const Case *c, Answer *answer)
{
    Run *run = context;
    run->by->call(run->runner, c, answer);
}

/* Cases of that function, by a seed that no check is drawn by. */
static void draw_others(const Run *run, const Check *check, uint64_t other, Cases *cases)
{
    for (const Check *any = lesson.checks; any->step; any++)
        if (!strcmp(any->step, check->step))
            draw_fresh(any, run->options->seed ^ other, cases);
    for (int i = 0; i < cases->count; i++)
        lesson_answer(lesson_step(check->step), &cases->items[i], 0);
}

/* The numbers that a change is looked for by: the check's own, which may be of one kind, and some
 * others. */
typedef struct {
    Case *cases;
    Answer *answers;
    int count;
} Numbers;

static void add_numbers(Run *run, Numbers *numbers, const Case *c, bool *late)
{
    Answer *answer = &numbers->answers[numbers->count];
    if (*late)
        return;
    ask_afresh(run, c, answer);
    *late = answer->ending == TIMED_OUT || answer->ending == OUT_OF_TIME;
    numbers->cases[numbers->count++] = *c;
}

/* A large case takes long to work out, again and again. */
static Numbers numbers_of(Run *run, const Cases *own, const Cases *others)
{
    enum { OTHERS = 4, LARGER = 3 };
    size_t most = 0;
    const size_t room = (size_t)own->count + OTHERS;
    Numbers numbers = {some(room, sizeof *numbers.cases), some(room, sizeof *numbers.answers), 0};
    bool late = false;
    for (int i = 0; i < own->count; i++) {
        const size_t size = case_numbers(&own->items[i]);
        most = size > most ? size : most;
        add_numbers(run, &numbers, &own->items[i], &late);
    }
    for (int i = 0; i < others->count && numbers.count < own->count + OTHERS; i++)
        if (case_numbers(&others->items[i]) <= LARGER * most)
            add_numbers(run, &numbers, &others->items[i], &late);
    return numbers;
}

static void say_change(Run *run, CheckResult *result, const Explanation *found)
{
    bool said = false;
    for (const CheckResult *r = run->report->results; r < result; r++)
        said = said || (r->when && !strcmp(r->when, found->when));
    result->when = found->when;
    result->quantity = found->quantity;
    result->slip = found->kind;
    add_detail(result, format_text(said ? "The same as above: %s."
                                        : "These are the numbers you get when %s.",
                                   found->when));
}

/* What no mistake with a name explains: the numbers of a change of the function's formula. */
static void look_for_change(Run *run, CheckResult *result)
{
    char error[512];
    const Check *check = check_of(result);
    if (!run->formulas)
        run->formulas =
            formulas_read(lesson_formulas_path(), &run->questions->contract, error, sizeof error);
    const Formula *formula = formula_find(run->formulas, check->step);
    const Cases *cases = &run->questions->cases[check - lesson.checks];
    if (!formula || result->when)
        return;
    Cases others = {.contract = cases->contract}, last = {.contract = cases->contract};
    run->by->budget(run->runner, budget_beside(run));
    draw_others(run, check, UINT64_C(0xbf58476d1ce4e5b9), &others);
    draw_others(run, check, UINT64_C(0x9e3779b97f4a7c15), &last);
    Numbers numbers = numbers_of(run, cases, &others);
    const Cases **lists = some((size_t)run->report->count + 1, sizeof *lists);
    Fresh fresh = {lists, 0, ask_afresh, run};
    lists[fresh.count++] = &last;
    for (int i = 0; i < run->report->count; i++) /* what its other checks ask */
        if (&lesson.checks[i] != check && !strcmp(lesson.checks[i].step, check->step))
            lists[fresh.count++] = &run->questions->cases[i];
    Explanation found;
    if (match_change(run->formulas, formula, check->only, numbers.cases, numbers.answers,
                     numbers.count, &fresh, CHANGE_SECONDS, &found))
        say_change(run, result, &found);
    for (int i = 0; i < numbers.count; i++)
        answer_free(&numbers.answers[i]);
    free(numbers.cases);
    free(numbers.answers);
    free(lists);
    cases_free(&others);
    cases_free(&last);
}

/* The line, and what is said of it. */
static void look_for_line(Run *run, CheckResult *result)
{
    static Witness witnesses[MOST_GATHERED];
    char *others = right_functions(run), *before = text_before(), *behind = text_behind();
    Asked asked = {run, result->step};
    Question question = {.trials = run->options->trials,
                         .text = run->options->text,
                         .length = strlen(run->options->text),
                         .before = before,
                         .behind = behind,
                         .function = result->step,
                         .others = others,
                         .witnesses = witnesses,
                         .witness_count = gather(run, result, witnesses),
                         .explained = result->mistake || result->when,
                         .seconds = CALL_LIMITS * run->options->call_limit,
                         .expect = changed_expect,
                         .passes = changed_passes,
                         .context = &asked};
    FirstNan nan = {0};
    Fix *fix = find_fix(&question, isnan(result->got) ? &nan : NULL);
    free(others);
    free(before);
    free(behind);
    result->fix = fix;
    if (nan.line) {
        char *code = line_of_text(run->options->text, nan.line);
        explain_nan(result, nan.line, nan.how, code);
        free(code);
    }
    for (const CheckResult *before = run->report->results; before < result && fix; before++)
        if (before->fix && before->fix->line == fix->line && before->fix->behind == fix->behind) {
            if (!result->mistake) /* or it has been said by that */
                explain_line_again(result, fix);
            return;
        }
    if (fix)
        explain_line(result, fix);
}

/* ---- from start to end ---- */
static void finish(Run *run)
{
    if (run->runner)
        run->by->stop(run->runner);
    changed_free(run);
    formulas_free(run->formulas);
    if (run->own)
        questions_free(run->own);
    free(run->failing);
    free(run);
}

void check_lesson(const CheckOptions *options, Questions *prepared, Report *report,
                  const Listener *listener)
{
    double began = clock_now();
    Run *run = start(options, prepared, report);
    run_checks(run);
    point_to_causes(run);
    for (int i = 0; i < report->count; i++)
        report->results[i].of_verdict = detail_count(&report->results[i]);
    report->next = next_step(report);
    report->seconds = clock_now() - began;
    listener->hear(listener, report, JUDGED, 0);
    for (int i = 0; i < report->count; i++) {
        CheckResult *result = &report->results[i];
        if (result->status != FAILED)
            continue;
        if (is_looked_for(run, result)) {
            look_for_change(run, result);
            look_for_line(run, result);
        }
        listener->hear(listener, report, LOOKED, i);
    }
    listener->hear(listener, report, DONE, 0);
    finish(run);
}

/* ---- for a debugger ---- */
/* The first case that fails; when none does, the first of all. */
static const Case *first_failing(Run *run, CheckResult *result)
{
    const Case *first = NULL;
    for (int i = 0; lesson.checks[i].step; i++)
        for (int k = 0; k < run->questions->cases[i].count; k++) {
            const Case *c = &run->questions->cases[i].items[k];
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
    Run *run = start(options, NULL, &report);
    if (!run->runner) {
        if (report.not_graded)
            fprintf(stderr, "%s\n", report.not_graded);
        else if (report.build_error)
            write_build_error(stderr, report.build_error, report.advice);
        else
            fputs("Write something first: this is the stub as it was handed out.\n", stderr);
        return 1;
    }
    CheckResult result = {0};
    const Case *c = first_failing(run, &result);
    if (!result.details[0])
        printf("Nothing fails. gdb stops at the first call.\n\n");
    else
        printf("%s\n", result.name);
    for (int i = 0; i < MAX_DETAILS && result.details[i]; i++)
        write_lines(stdout, "     ", "     ", result.details[i], strlen(result.details[i]));
    printf("\n");
    fflush(stdout);
    run->by->debug(run->runner, c);
    return 1;
}
