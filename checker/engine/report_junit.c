/* Reports as JUnit XML: a testsuite per lesson, a testcase per check.
 *
 * The invariant: the document is well-formed whatever was printed. Text and attributes go through
 * write_xml, which knows what XML 1.0 forbids. A check that was not reached is a failure. */
#include "engine.h"

#include <inttypes.h>
#include <string.h>

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

static void write_failure(FILE *out, const CheckResult *result)
{
    bool failed = result->status == FAILED;
    fputs("      <failure", out);
    write_attribute(out, "type", !failed ? "not reached" : result->mistake ? "mistake" : "failed");
    write_attribute(out, "message",
                    result->details[0] ? result->details[0]
                    : failed           ? "failed"
                                       : "not reached");
    fputc('>', out);
    for (int i = 0; i < MAX_DETAILS && result->details[i]; i++) {
        write_xml(out, result->details[i]);
        fputc('\n', out);
    }
    fputs("</failure>\n", out);
}

static void write_check(FILE *out, const Report *report, const CheckResult *result)
{
    char class_name[2 * NAME_SIZE];
    snprintf(class_name, sizeof class_name, "%s.%s", report->lesson, result->step);
    fputs("    <testcase", out);
    write_attribute(out, "classname", class_name);
    write_attribute(out, "name", result->name);
    fprintf(out, " time=\"%.6f\"", result->seconds);
    if (result->status == PASSED) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    write_failure(out, result);
    fputs("    </testcase>\n", out);
}

static void write_text(FILE *out, const char *element, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "    <%s>", element);
    write_xml(out, text);
    fprintf(out, "</%s>\n", element);
}

static void write_suite(FILE *out, const Report *report)
{
    fputs("  <testsuite", out);
    write_attribute(out, "name", report->lesson);
    fprintf(out, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%.6f\">\n",
            report->count, report->failed + report->not_reached, report->seconds);
    fprintf(out, "    <properties>\n      <property name=\"seed\" value=\"%" PRIu64 "\"/>\n",
            report->seed);
    fputs("      <property name=\"source\"", out);
    write_attribute(out, "value", report->source);
    fputs("/>\n    </properties>\n", out);
    for (int i = 0; i < report->count; i++)
        write_check(out, report, &report->results[i]);
    write_text(out, "system-out", report->printed);
    write_text(out, "system-err",
               report->not_graded    ? report->not_graded
               : report->build_error ? report->build_error
                                     : report->warnings);
    fputs("  </testsuite>\n", out);
}

void report_junit(FILE *out, const Report *reports, int count)
{
    int tests = 0, failures = 0;
    double seconds = 0;
    for (int i = 0; i < count; i++) {
        tests += reports[i].count;
        failures += reports[i].failed + reports[i].not_reached;
        seconds += reports[i].seconds;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out, "<testsuites tests=\"%d\" failures=\"%d\" errors=\"0\" time=\"%.6f\">\n", tests,
            failures, seconds);
    for (int i = 0; i < count; i++)
        write_suite(out, &reports[i]);
    fputs("</testsuites>\n", out);
}
