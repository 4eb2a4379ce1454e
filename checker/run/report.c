/* A Report: what it holds, what comes next by it, and who writes it: the formats by their names. */
#include "run.h"

#include "cJSON.h"

#include <stdlib.h>
#include <string.h>

/* ---- what it holds ---- */
int detail_count(const CheckResult *result)
{
    int count = 0;
    while (count < MAX_DETAILS && result->details[count])
        count++;
    return count;
}

void add_detail(CheckResult *result, char *line)
{
    int count = detail_count(result);
    if (count < MAX_DETAILS)
        result->details[count] = line;
    else
        free(line);
}

void details_free(CheckResult *result)
{
    for (int i = 0; i < MAX_DETAILS; i++)
        free(result->details[i]);
    memset(result->details, 0, sizeof result->details);
}

void fix_free(Fix *fix)
{
    if (!fix)
        return;
    free(fix->function);
    free(fix->kind);
    free(fix->question);
    free(fix->code);
    free(fix->from);
    free(fix->to);
    free(fix->other_code);
    free(fix->also_code);
    for (int i = 0; i < fix->line_count; i++) {
        free(fix->lines[i].before);
        free(fix->lines[i].after);
    }
    free(fix);
}

char *own_place(const Fix *fix)
{
    return fix->also_line ? format_text("lines %d and %d", fix->line, fix->also_line)
                          : place_words(fix->line, fix->behind);
}

char *place_words(int line, bool behind)
{
    return format_text("%sline %d", behind ? "after " : "", line);
}

void result_free(CheckResult *result)
{
    details_free(result);
    fix_free(result->fix);
    free(result->to_try);
    free(result->mistake);
    free(result->sections);
    free(result->when);
    free(result->quantity);
    free(result->slip);
    free(result->ended_by);
}

void report_free(Report *report)
{
    for (int i = 0; i < report->count; i++)
        result_free(&report->results[i]);
    free(report->results);
    free(report->not_graded);
    free(report->build_error);
    free(report->advice);
    free(report->warnings);
    free(report->learned);
    free(report->notice);
    free(report->printed);
    cJSON_Delete(report->document);
    memset(report, 0, sizeof *report);
}

/* ---- what comes next ---- */
const char *step_to_do(const CheckResult *result)
{
    return result->needs ? result->needs : result->step;
}

/* The function to work on: the first that fails, or else the first that is not written. */
static const CheckResult *to_do(const Report *report)
{
    for (int wanted = FAILED; wanted <= NOT_REACHED; wanted++)
        for (int i = 0; i < report->count; i++)
            if ((int)report->results[i].status == wanted)
                return &report->results[i];
    return NULL;
}

Next next_step(const Report *report)
{
    const CheckResult *next = to_do(report);
    if (report->not_graded || !report->count)
        return (Next){NOTHING, NULL};
    return (Next){!next                    ? GO_ON
                  : report->build_error    ? COMPILE
                  : report->untouched      ? BEGIN
                  : next->status == FAILED ? MEND
                                           : WRITE,
                  next ? step_to_do(next) : NULL};
}

/* ---- the formats ---- */
static const struct {
    const char *name;
    void (*write)(FILE *out, const Report *reports, int count);
    bool is_grade;
} formats[] = {
    [HUMAN] = {"human", NULL, false},
    [JSON] = {"json", report_json, false},
    [TAP] = {"tap", report_tap, false},
    [JUNIT] = {"junit", report_junit, false},
    [GRADESCOPE] = {"gradescope", report_gradescope, true},
    [CLASSROOM50] = {"classroom50", report_classroom50, true},
    [VPL] = {"vpl", report_vpl, true},
};

bool format_find(const char *name, Format *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(name, formats[i].name)) {
            *format = (Format)i;
            return true;
        }
    fprintf(stderr, "FORMAT is human, json, tap, junit, gradescope, classroom50 or vpl, not: %s\n",
            name);
    return false;
}

bool format_is_grade(Format format)
{
    return formats[format].is_grade;
}

void report_write(FILE *out, Format format, const Report *reports, int count)
{
    const char *why = NULL;
    for (int i = 0; i < count && !why; i++)
        why = reports[i].not_graded;
    if (why && formats[format].is_grade)
        fprintf(stderr, "It could not be graded, so there is no grade: %s\n", why);
    else
        formats[format].write(out, reports, count);
}

void report_hear(const Listener *listener, const Report *report, Stage stage, int check)
{
    if (listener->format == HUMAN)
        human_hear(listener->out, report, stage, check);
    else if (stage == DONE)
        report_write(listener->out, listener->format, report, 1);
}
