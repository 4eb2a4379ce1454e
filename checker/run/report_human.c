/* A Report as lines for a person.
 *
 * The invariant: a line that starts with a mark, or says how many passed, is the checker's.
 * Whatever came from outside (the compiler's words, what the learner's code printed) is escaped and
 * stands behind a bar, wherever a terminal breaks it; a name or a path in a line of ours can't
 * begin one. */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED_LINES = 20, QUOTED_BYTES = 4000, COMPILER_LINES = 40 };

/* One line of ours, in which names and paths come from outside. */
static void write_line(FILE *out, const char *text)
{
    write_lines(out, "", "     ", text, strlen(text));
}

/* At most so many lines and bytes behind bars. `total`: bytes there were, if the text was cut. */
static void write_barred(FILE *out, const char *text, size_t length, size_t total, int lines)
{
    size_t shown = 0, most = length;
    if (most > QUOTED_BYTES)
        for (most = QUOTED_BYTES; most > 0 && (text[most] & 0xC0) == 0x80; most--)
            ; /* not through the middle of a character */
    for (; lines > 0 && shown < most; lines--) {
        const char *end = memchr(text + shown, '\n', most - shown);
        shown = end ? (size_t)(end - text) + 1 : most;
    }
    if (shown)
        write_lines(out, BAR, BAR, text, shown);
    if (shown < total)
        fprintf(out, BAR "... and %zu bytes more\n", total - shown);
}

static void write_details(FILE *out, const CheckResult *result, int from, int to)
{
    for (int d = from; d < to; d++)
        write_lines(out, "     ", "     ", result->details[d], strlen(result->details[d]));
}

static void write_name(FILE *out, const CheckResult *result)
{
    char *mark = format_text("%s ", result->status == FAILED   ? mark_fail()
                                    : result->status == PASSED ? mark_pass()
                                                               : mark_skip());
    write_lines(out, mark, "     ", result->name, strlen(result->name));
    free(mark);
}

/* The checks from that one on, up to and with the next failed one, whose line comes later. */
static void write_checks(FILE *out, const Report *report, int from)
{
    bool waits = false;
    for (int i = from; i < report->count && !waits; i++) {
        const CheckResult *result = &report->results[i];
        waits = result->status == FAILED;
        write_name(out, result);
        write_details(out, result, 0, waits ? result->of_verdict : detail_count(result));
    }
    fflush(out); /* what comes next takes a moment */
}

void human_line_to_try(FILE *out, const Report *report, const CheckResult *result)
{
    if (result->to_try && report->words.prompt)
        fprintf(out, "     To see it at work:%s\n        %s\n", report->words.prompt,
                result->to_try);
}

static void write_line_of(FILE *out, const Report *report, const CheckResult *result)
{
    write_details(out, result, result->of_verdict, detail_count(result));
    human_line_to_try(out, report, result);
}

static void write_summary(FILE *out, const Report *report)
{
    fprintf(out, "%d passed, %d failed", report->passed, report->failed);
    if (report->not_reached)
        fprintf(out, ", %d not reached", report->not_reached);
    fprintf(out, "   (%.2f s, seed %" PRIu64 ")\n", report->seconds, report->seed);
}

/* Where editors look for a place: at the left, and the words are ours. Only of the learner's own
 * file, whose name nobody else has chosen. */
static void write_place(FILE *out, const Report *report)
{
    char own[NAME_SIZE + 16];
    int line, column;
    snprintf(own, sizeof own, "exercises/%s.c", report->lesson);
    size_t length = strlen(own);
    if (!strcmp(report->source, own) && !strncmp(report->build_error, own, length) &&
        sscanf(report->build_error + length, ":%9d:%9d: ", &line, &column) == 2)
        fprintf(out, "%s:%d:%d: error: the compiler says:\n", own, line, column);
}

void write_build_error(FILE *out, const char *build_error, const char *advice)
{
    size_t said = strlen(build_error), added = advice ? strlen(advice) : 0;
    if (added && added <= said && !strcmp(build_error + said - added, advice))
        said -= added;
    if (said)
        write_barred(out, build_error, said, said, COMPILER_LINES);
    if (said && advice)
        fputc('\n', out);
    if (advice)
        write_line(out, advice);
}

static void write_no_check(FILE *out, const Report *report)
{
    write_place(out, report);
    write_build_error(out, report->build_error, report->advice);
    if (!report->advice)
        fputc('\n', out);
    fputs(strstr(report->build_error, "error: ") ? "It does not compile, so no check was run.\n"
                                                 : "No check was run.\n",
          out);
}

static void write_untouched(FILE *out, const Report *report)
{
    char *text = format_text("%s is still the stub that was handed out.", report->source);
    write_line(out, text);
    free(text);
    text = format_text("lessons/%s.md", report->lesson);
    bool has_text = is_readable(text);
    fprintf(out, "Read %s%s%s", has_text ? text : "include/", has_text ? "" : report->lesson,
            has_text ? "" : ".h");
    free(text);
    if (report->count > 0)
        fprintf(out, ", then write %s, the first step", report->results[0].step);
    fputs(".\n", out);
}

static void write_printed(FILE *out, const Report *report)
{
    size_t length = strlen(report->printed);
    char *text = format_text("Your code printed, in %s:", report->printed_by);
    fputc('\n', out);
    write_line(out, text);
    free(text);
    write_barred(out, report->printed, length,
                 report->printed_total > length ? report->printed_total : length, QUOTED_LINES);
}

static void write_passed(FILE *out, const Report *report)
{
    bool whole = report->learned && !report->of_one_step;
    if (whole || report->words.onward)
        fputc('\n', out);
    if (whole)
        write_lines(out, "You know now: ", "  ", report->learned, strlen(report->learned));
    if (report->words.onward)
        fprintf(out, "%s\n", report->words.onward);
}

static bool has_errors_below(const char *build_error)
{
    static const char marker[] = "error: ";
    const char *first = build_error ? strstr(build_error, marker) : NULL;
    return first && strstr(first + 1, marker);
}

/* What to do next, in the words of the place. A shell, the prompt and watch each say what is typed
 * there (Words); where nobody said, and for a file that is not the learner's own, there are no such
 * lines. */
void human_next_step(FILE *out, const Report *report)
{
    const Next next = report->next;
    if (!report->words.hint || next.to == NOTHING)
        return;
    if (next.to == GO_ON)
        write_passed(out, report);
    else if (next.to == COMPILE)
        fputs(has_errors_below(report->build_error)
                  ? "\nNext: mend the first error, and save. Those below it often come of it.\n"
                  : "\nNext: mend this error, and save.\n",
              out);
    else if (next.to == BEGIN)
        fprintf(out, "For a hint: %s\n", report->words.hint);
    else
        fprintf(out, "\nNext: %s %s. For a hint: %s\n", next.to == MEND ? "mend" : "write",
                next.step, report->words.hint);
}

bool human_has_checks(const Report *report)
{
    return !report->not_graded && !report->build_error && !report->untouched;
}

void human_head(FILE *out, const Report *report)
{
    char *head =
        format_text("Running checks for Lesson %.*s: %s (%s)...", (int)strcspn(report->lesson, "_"),
                    report->lesson, report->title, report->source);
    write_line(out, head);
    free(head);
}

static void write_beginning(FILE *out, const Report *report)
{
    human_head(out, report);
    fputc('\n', out);
    if (report->not_graded) {
        char *why = format_text("It could not be graded, and that is not your code's doing: %s",
                                report->not_graded);
        write_line(out, why);
        free(why);
    } else if (report->build_error) {
        write_no_check(out, report);
    } else if (report->untouched) {
        write_untouched(out, report);
    } else {
        fputs("Results:\n", out);
        write_checks(out, report, 0);
    }
}

void human_remarks(FILE *out, const Report *report)
{
    if (report->warnings && *report->warnings && !report->build_error) {
        size_t length = strlen(report->warnings);
        fputs("\nThe compiler warns:\n", out);
        write_barred(out, report->warnings, length, length, COMPILER_LINES);
    }
    if (report->printed && (*report->printed || report->printed_total))
        write_printed(out, report);
    if (report->notice) {
        fputc('\n', out);
        write_line(out, report->notice);
    }
}

static void write_end(FILE *out, const Report *report)
{
    if (human_has_checks(report))
        write_summary(out, report);
    human_remarks(out, report);
    human_next_step(out, report);
}

void human_hear(FILE *out, const Report *of_run, Stage stage, int check)
{
    Report shown = *of_run; /* with a name that can't begin a line */
    put_on_one_line(shown.source);
    if (stage == JUDGED)
        write_beginning(out, &shown);
    else if (stage == DONE)
        write_end(out, &shown);
    else if (human_has_checks(&shown)) {
        write_line_of(out, &shown, &shown.results[check]);
        write_checks(out, &shown, check + 1);
    }
}

void report_human(FILE *out, const Report *report)
{
    human_hear(out, report, JUDGED, 0);
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status == FAILED)
            human_hear(out, report, LOOKED, i);
    human_hear(out, report, DONE, 0);
}
