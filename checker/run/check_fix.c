/* Behind a verdict: where in the learner's file it comes from. checker/line/ searches; here are the
 * cases that it searches with, and what is said of what it finds.
 *
 * The invariant: nothing of this changes a verdict. */
#include "check.h"
#include "line.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 3000 };

static const Check *check_of(const CheckResult *result)
{
    const Check *check = lesson.checks;
    while (check->title && check->title != result->name)
        check++;
    return check;
}

/* ---- what it is searched with ---- */
size_t numbers_of(const Case *c)
{
    size_t count = 0;
    for (int p = 0; p < c->function->count; p++)
        count += is_array(c->function->params[p].role) ? case_length(c, p) : 1;
    return count;
}

const CheckResult *result_of(const Run *run, const Check *check)
{
    for (int i = 0; i < run->report->count; i++)
        if (run->report->results[i].name == check->title)
            return &run->report->results[i];
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const Evidence *x = a, *y = b;
    size_t n = numbers_of(x->c), m = numbers_of(y->c);
    return n != m ? (n > m) - (n < m) : x->c->label < y->c->label ? -1 : x->c->label > y->c->label;
}

/* The failing case, and then the function's small ones. */
static int gather(const Run *run, const CheckResult *result, Evidence *evidence)
{
    int count = 0;
    const Case *failing = result->failing;
    evidence[count++] = (Evidence){failing, check_of(result)->only, WRONG, 0};
    for (int i = 0; lesson.checks[i].step; i++) {
        const Check *check = &lesson.checks[i];
        const CheckResult *other = result_of(run, check);
        const Cases *cases = &run->cases[i];
        for (int k = 0;
             other && !strcmp(learners_function(check->step), result->step) && k < cases->count;
             k++) {
            const Case *c = &cases->items[k];
            bool right = other->status == PASSED || (other == result && c < failing);
            if (c != failing && numbers_of(c) <= MOST_NUMBERS && count < MOST_GATHERED)
                evidence[count++] = (Evidence){c, check->only, right ? RIGHT : UNKNOWN_YET, 0};
        }
    }
    qsort(evidence + 1, (size_t)count - 1, sizeof *evidence, by_size);
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

/* ---- what the lesson puts around the learner's text ---- */
/* A lesson with calls.c: its struct, and what calls.c knows of memory. Caller frees. */
static char *text_before(void)
{
    char *header = lesson_calls() ? read_file(lesson_header(), NULL) : NULL;
    char *memory = lesson_calls() ? read_file("checker/box/trial_memory.h", NULL) : NULL;
    char *text = format_text("%s%s", memory ? memory : "", header ? header : "");
    free(memory);
    free(header);
    return text;
}

static char *text_behind(void)
{
    char *path = format_text("checker/lessons/%s/calls.c", lesson_name);
    char *text = lesson_calls() ? read_file(path, NULL) : NULL;
    free(path);
    return text ? text : format_text("%s", "");
}

/* ---- what is said ---- */
void look_for_fix(Run *run, CheckResult *result)
{
    static Evidence evidence[MOST_GATHERED];
    if (!result->failing || !result->has_numbers)
        return;
    char *others = right_functions(run), *before = text_before(), *behind = text_behind();
    Asked asked = {run, result->step};
    Question question = {.text = run->text,
                         .length = strlen(run->text),
                         .before = before,
                         .behind = behind,
                         .function = result->step,
                         .others = others,
                         .evidence = evidence,
                         .evidence_count = gather(run, result, evidence),
                         .seconds = CALL_LIMITS * run->options->call_limit,
                         .expect = changed_expect,
                         .passes = changed_passes,
                         .context = &asked};
    Fix *fix = find_fix(&question);
    free(others);
    free(before);
    free(behind);
    result->fix = fix;
    for (const CheckResult *before = run->report->results; before < result && fix; before++)
        if (before->fix && before->fix->line == fix->line)
            return; /* it has been said */
    if (!fix)
        return;
    add_detail(result,
               result->mistake
                   ? format_text("It is made in line %d of your file:", fix->line)
                   : format_text("Look at line %d of your file: %s in", fix->line, fix->kind));
    add_detail(result, format_text("   %s", fix->code));
}

void point_to_causes(Run *run)
{
    Report *report = run->report;
    Program program = {0};
    bool read =
        run->text && report->failed > 1 && program_read(&program, run->text, strlen(run->text));
    for (int i = 0; i < report->count && read; i++) {
        CheckResult *result = &report->results[i];
        const Definition *d = definition_of(&program, result->step);
        if (result->status != FAILED || !result->has_numbers || result->mistake || !d)
            continue;
        for (int k = 0; k < report->count; k++) {
            const CheckResult *other = &report->results[k];
            const Definition *called = definition_of(&program, other->step);
            if (other->status != FAILED || !strcmp(other->step, result->step) || !called ||
                !definition_calls(&program, d, called) || definition_calls(&program, called, d))
                continue;
            details_free(result);
            add_detail(result, format_text("%s calls %s, which is wrong: mend that first.",
                                           result->step, other->step));
            result->has_numbers = false;
            result->failing = NULL;
            free(result->to_try);
            result->to_try = NULL;
            break;
        }
    }
    program_free(&program);
}
