/* report_json.c: a checker's report, read back. What is read can be printed in every format, and
 * what is printed as JSON reads back as the same. */
#include "engine.h"
#include "fuzz.h"

static char *as_json(const Report *report)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    report_json(out, report, 1);
    fclose(out);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Report report, again;
    char error[512] = "", *text = as_text(data, size);
    if (report_parse(&report, text, error, sizeof error)) {
        char *first = as_json(&report);
        require(report_parse(&again, first, error, sizeof error));
        char *second = as_json(&again);
        require(!strcmp(first, second));
        report_human(stdout, &report);
        report_tap(stdout, &report, 1);
        report_junit(stdout, &report, 1);
        report_free(&again);
        report_free(&report);
        free(first);
        free(second);
    } else {
        require(error[0]);
    }
    free(text);
    return 0;
}
