/* A Report as lines for a person.
 *
 * The invariant: a line that starts with a mark is a verdict, and only the checker writes such
 * lines. Whatever came from outside (the compiler's words, what the learner's code printed) is
 * escaped, and indented or prefixed. */
#include "engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_LINES = 20, QUOTED_BYTES = 4000, COMPILER_LINES = 40 };

static void write_escaped(FILE *out, const char *text, size_t length)
{
    char *safe = escaped(text, length);
    fputs(safe, out);
    free(safe);
}

/* One line of ours, in which names and paths come from outside. */
static void write_line(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    write_escaped(out, text, strlen(text));
    fputc('\n', out);
}

/* The first `lines` lines of a text, each behind `prefix`; lines that start with `flush_left` (if
 * given) are not prefixed. Returns how many bytes that was. */
static size_t write_lines(FILE *out, const char *text, size_t length, const char *prefix,
                          const char *flush_left, int lines)
{
    size_t done = 0;
    for (int i = 0; i < lines && done < length; i++) {
        const char *line = text + done, *end = memchr(line, '\n', length - done);
        size_t size = end ? (size_t)(end - line) : length - done;
        bool flush = flush_left && size > strlen(flush_left) &&
                     strncmp(line, flush_left, strlen(flush_left)) == 0;
        fputs(flush ? "" : prefix, out);
        write_escaped(out, line, size);
        fputc('\n', out);
        done += size + (end ? 1 : 0);
    }
    return done;
}

static void write_checks(FILE *out, const Report *report)
{
    fputs("Results:\n", out);
    for (int i = 0; i < report->count; i++) {
        const CheckResult *result = &report->results[i];
        const char *mark = result->status == PASSED   ? mark_pass()
                           : result->status == FAILED ? mark_fail()
                                                      : mark_skip();
        fputs(mark, out);
        write_line(out, " ", result->name);
        for (int d = 0; d < MAX_DETAILS && result->details[d]; d++)
            write_lines(out, result->details[d], strlen(result->details[d]), "     ", NULL, 100);
    }
}

static void write_summary(FILE *out, const Report *report)
{
    fprintf(out, "%d passed, %d failed", report->passed, report->failed);
    if (report->not_reached)
        fprintf(out, ", %d not reached", report->not_reached);
    fprintf(out, "   (%.2f s, seed %" PRIu64 ")\n", report->seconds, report->seed);
}

/* The compiler's text. Lines that start with the file's name stay at the left, where editors look
 * for them. */
static void write_compiler(FILE *out, const Report *report, const char *text)
{
    size_t length = strlen(text);
    size_t shown = write_lines(out, text, length, "    ", report->source, COMPILER_LINES);
    if (shown < length)
        fprintf(out, "    ... and %zu bytes more\n", length - shown);
}

static void write_untouched(FILE *out, const Report *report)
{
    write_escaped(out, report->source, strlen(report->source));
    fprintf(out, " is still the stub that was handed out.\nRead lessons/%s.md", report->lesson);
    if (report->count > 0)
        fprintf(out, ", then write %s, the first step", report->results[0].step);
    fprintf(out, ".\nFor a hint: make hint LESSON=%.*s\n", (int)strcspn(report->lesson, "_"),
            report->lesson);
}

static void write_printed(FILE *out, const Report *report)
{
    size_t length = strlen(report->printed), kept = length;
    if (kept > QUOTED_BYTES)
        for (kept = QUOTED_BYTES; (report->printed[kept] & 0xC0) == 0x80; kept--)
            ; /* not through the middle of a character */
    fputs("\nYour code printed, in ", out);
    write_escaped(out, report->printed_by, strlen(report->printed_by));
    fputs(":\n", out);
    size_t shown = write_lines(out, report->printed, kept, "  | ", NULL, QUOTED_LINES);
    size_t total = report->printed_total > length ? report->printed_total : length;
    if (shown < total)
        fprintf(out, "  | ... and %zu bytes more\n", total - shown);
}

void report_human(FILE *out, const Report *report)
{
    fprintf(out, "Running checks for Lesson %.*s: ", (int)strcspn(report->lesson, "_"),
            report->lesson);
    write_escaped(out, report->title, strlen(report->title));
    fputs(" (", out);
    write_escaped(out, report->source, strlen(report->source));
    fputs(")...\n\n", out);
    if (report->build_error) {
        write_compiler(out, report, report->build_error);
        fputs(strstr(report->build_error, "error: ")
                  ? "\nIt does not compile, so no check was run.\n"
                  : "\nNo check was run.\n",
              out);
    } else if (report->untouched) {
        write_untouched(out, report);
    } else {
        write_checks(out, report);
        write_summary(out, report);
    }
    if (report->warnings && *report->warnings && !report->build_error) {
        fputs("\nThe compiler warns:\n", out);
        write_compiler(out, report, report->warnings);
    }
    if (report->printed && (*report->printed || report->printed_total))
        write_printed(out, report);
    if (report->notice)
        write_line(out, "\n", report->notice);
}
