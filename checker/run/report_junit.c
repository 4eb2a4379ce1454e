/* Reports as JUnit XML, as Jenkins' and Ant's schemas both have it: a testsuite per lesson, a
 * testcase per check. A check that was not reached is skipped.
 *
 * The invariant: the document is well-formed whatever was printed, and a suite without a failure or
 * an error is a lesson that passed. Text and attributes go through write_xml, which knows what XML
 * 1.0 forbids. */
#include "run.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* XML 1.0 has no way to write most control characters, not even escaped. */
static bool has_form_in_xml(uint32_t code)
{
    return code == '\t' || code == '\n' || (code >= 0x20 && code != 0xFFFE && code != 0xFFFF);
}

/* For text and for attributes. What has no form becomes visible: \x1b. */
static void write_xml(FILE *out, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        uint32_t code;
        int size = utf8_decode(text + i, length - i, &code);
        const char *name = text[i] == '&'    ? "&amp;"
                           : text[i] == '<'  ? "&lt;"
                           : text[i] == '>'  ? "&gt;"
                           : text[i] == '"'  ? "&quot;"
                           : text[i] == '\n' ? "&#10;"
                           : text[i] == '\t' ? "&#9;"
                                             : NULL;
        if (name)
            fputs(name, out);
        else if (size && has_form_in_xml(code))
            fwrite(text + i, 1, (size_t)size, out);
        else
            fprintf(out, "\\x%02x", (unsigned char)text[i]);
        /* The bytes of a character without a form are written one by one, each invalid alone. */
        i += size && has_form_in_xml(code) ? (size_t)size : 1;
    }
}

static void write_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    write_xml(out, value);
    fputc('"', out);
}

static void open_case(FILE *out, const Report *report, const char *step, const char *name,
                      double seconds)
{
    char class_name[2 * NAME_SIZE];
    snprintf(class_name, sizeof class_name, "%s.%s", report->lesson, step);
    fputs("    <testcase", out);
    write_attribute(out, "classname", class_name);
    write_attribute(out, "name", name);
    fprintf(out, " time=\"%.3f\">", seconds);
}

static void open_outcome(FILE *out, const char *element, const char *type, const char *message)
{
    fprintf(out, "\n      <%s", element);
    write_attribute(out, "type", type);
    write_attribute(out, "message", message);
    fputc('>', out);
}

static void write_check(FILE *out, const Report *report, const CheckResult *result)
{
    open_case(out, report, result->step, result->name, result->seconds);
    if (result->status == FAILED) {
        open_outcome(out, "failure", result->mistake ? "mistake" : "failed",
                     result->details[0] ? result->details[0] : "failed");
        for (int i = 0; i < MAX_DETAILS && result->details[i]; i++) {
            write_xml(out, result->details[i]);
            fputc('\n', out);
        }
        fputs("</failure>\n    ", out);
    } else if (result->status == NOT_REACHED)
        fputs("\n      <skipped/>\n    ", out);
    fputs("</testcase>\n", out);
}

/* Why no check was run, as a case of its own: the rest are skipped, and a suite of nothing else
 * would count as a good one. NULL: they were run. */
static const char *why_none(const Report *report)
{
    return report->not_graded    ? "could not be graded"
           : report->build_error ? "does not compile"
           : report->untouched   ? "not begun"
                                 : NULL;
}

static void write_why_none(FILE *out, const Report *report)
{
    const char *said = report->not_graded ? report->not_graded : report->build_error;
    open_case(out, report, "file", report->source, 0);
    open_outcome(out, said ? "error" : "failure", why_none(report), why_none(report));
    write_xml(out, said ? said : "It is still the stub that was handed out.");
    fprintf(out, "</%s>\n    </testcase>\n", said ? "error" : "failure");
}

/* The schemas ask for both, empty or not. */
static void write_text(FILE *out, const char *element, const char *text)
{
    fprintf(out, "    <%s>", element);
    write_xml(out, text ? text : "");
    fprintf(out, "</%s>\n", element);
}

static void write_suite(FILE *out, const Report *report, int number)
{
    char now[32];
    time_t seconds = time(NULL);
    bool none = why_none(report), error = report->not_graded || report->build_error;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", gmtime(&seconds));
    fputs("  <testsuite", out);
    write_attribute(out, "name", report->lesson);
    fprintf(out, " package=\"workbook\" id=\"%d\" hostname=\"localhost\" timestamp=\"%s\"", number,
            now);
    fprintf(out, " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
            report->count + none, report->failed + (none && !error), none && error,
            report->not_reached, report->seconds);
    fprintf(out, "    <properties>\n      <property name=\"seed\" value=\"%" PRIu64 "\"/>\n",
            report->seed);
    fputs("      <property name=\"source\"", out);
    write_attribute(out, "value", report->source);
    fputs("/>\n    </properties>\n", out);
    if (none)
        write_why_none(out, report);
    for (int i = 0; i < report->count; i++)
        write_check(out, report, &report->results[i]);
    write_text(out, "system-out", report->printed);
    write_text(out, "system-err", report->warnings);
    fputs("  </testsuite>\n", out);
}

void report_junit(FILE *out, const Report *reports, int count)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    for (int i = 0; i < count; i++)
        write_suite(out, &reports[i], i);
    fputs("</testsuites>\n", out);
}
