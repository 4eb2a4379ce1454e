/* Reports as TAP 13, for prove and its like. A lesson is a test, and its checks are subtests:
 *
 *     # Subtest: 01_layer_norm
 *         1..9
 *         not ok 1 - layer_norm matches PyTorch on 3 x 5
 *           ---
 *           status: "failed"
 *           message: "y[1][3]: expected 0.5393, got 0.4824 (off by 0.057, allowed 0.0000012)"
 *           ...
 *     not ok 1 - 01_layer_norm: 0 of 9 checks passed
 *
 * The invariant: a check that was not reached is "not ok", and no text from outside can begin a
 * line, so none can be taken for a result. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_QUOTED = 4000 };

/* One line. '#' would begin a directive such as TODO. */
static void write_name(FILE *out, const char *name)
{
    char *safe = escaped(name, strlen(name));
    for (const char *c = safe; *c; c++) {
        if (*c == '#' || *c == '\\')
            fputc('\\', out);
        fputc(*c == '\n' ? ' ' : *c, out);
    }
    free(safe);
}

/* As a quoted YAML string. prove's reader gives up on very long ones. */
static void write_quoted(FILE *out, const char *before, const char *text)
{
    char *safe = escaped(text, strnlen(text, LONGEST_QUOTED));
    fprintf(out, "%s\"", before);
    for (const char *c = safe; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        if (*c == '\n' || *c == '\t')
            fputs(*c == '\n' ? "\\n" : "\\t", out);
        else
            fputc(*c, out);
    }
    fputs("\"\n", out);
    free(safe);
}

static void write_number(FILE *out, const char *key, double value)
{
    fprintf(out, "  %s: %.9g\n", key, value);
}

static void write_comment(FILE *out, const char *prefix, const char *text)
{
    char *safe = escaped(text, strlen(text));
    for (char *line = safe; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "# %s%.*s\n", prefix, (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(safe);
}

static void write_diagnostics(FILE *out, const CheckResult *result)
{
    bool failed = result->status == FAILED;
    fprintf(out, "  ---\n  status: \"%s\"\n", failed ? "failed" : "not reached");
    if (result->details[0])
        write_quoted(out, "  message: ", result->details[0]);
    if (result->details[0] && result->details[1]) {
        fputs("  details:\n", out);
        for (int i = 1; i < MAX_DETAILS && result->details[i]; i++)
            write_quoted(out, "    - ", result->details[i]);
    }
    if (*result->where)
        write_quoted(out, "  where: ", result->where);
    if (result->has_numbers) {
        write_number(out, "expected", result->expected);
        write_number(out, "got", result->got);
        write_number(out, "allowed", result->allowed);
    }
    if (result->mistake)
        write_quoted(out, "  mistake: ", result->mistake);
    if (result->ended_by)
        write_quoted(out, "  ended_by: ", result->ended_by);
    fprintf(out, "  seconds: %.6f\n  ...\n", result->seconds);
}

static void write_checks(FILE *out, const Report *report)
{
    fprintf(out, "1..%d\n# %s, seed %" PRIu64 ", %.2f s\n", report->count, report->lesson,
            report->seed, report->seconds);
    write_comment(out, "graded: ", report->source);
    if (report->untouched)
        fprintf(out, "# still the stub that was handed out: read lessons/%s.md\n", report->lesson);
    if (report->build_error)
        write_comment(out, "does not compile: ", report->build_error);
    if (report->not_graded)
        write_comment(out, "could not be graded: ", report->not_graded);
    for (int i = 0; i < report->count; i++) {
        const CheckResult *result = &report->results[i];
        fprintf(out, "%sok %d - ", result->status == PASSED ? "" : "not ", i + 1);
        write_name(out, result->name);
        fputc('\n', out);
        if (result->status != PASSED)
            write_diagnostics(out, result);
    }
    if (report->warnings)
        write_comment(out, "the compiler warns: ", report->warnings);
    if (report->printed)
        write_comment(out, "printed: ", report->printed);
    if (report->notice)
        write_comment(out, "", report->notice);
}

/* What belongs to a subtest is indented by four. */
static void write_lesson(FILE *out, const Report *report, int number)
{
    char *text = NULL;
    size_t size = 0;
    FILE *checks = open_memstream(&text, &size);
    if (!checks)
        abort();
    write_checks(checks, report);
    fclose(checks);
    fprintf(out, "# Subtest: %s\n", report->lesson);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        fprintf(out, "    %.*s\n", (int)(end - line), line);
    free(text);
    bool passed = report->count && report->passed == report->count;
    fprintf(out, "%sok %d - %s: %d of %d checks passed\n", passed ? "" : "not ", number,
            report->lesson, report->passed, report->count);
}

void report_tap(FILE *out, const Report *reports, int count)
{
    fprintf(out, "TAP version 13\n1..%d\n", count);
    for (int i = 0; i < count; i++)
        write_lesson(out, &reports[i], i + 1);
}
