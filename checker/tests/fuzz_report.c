/* report_json.c: a checker's report, read back. What is read can be printed in every format, and
 * what is printed as JSON reads back as the same. */
#include "run.h"
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

/* Other bytes take more room when they are written again, and a name may not fit then. */
static bool is_utf8(const char *text, size_t length)
{
    uint32_t code;
    int size = 1;
    for (size_t i = 0; i < length && size; i += (size_t)size)
        size = utf8_decode(text + i, length - i, &code);
    return size;
}

static void print_and_read_again(const Report *report, bool valid)
{
    Report again;
    char error[512] = "", *first = as_json(report);
    report_human(stdout, report);
    for (Format format = TAP; format <= VPL; format++)
        report_write(stdout, format, report, 1);
    if (report_parse(&again, first, error, sizeof error)) {
        char *second = as_json(&again);
        require(!strcmp(first, second));
        free(second);
        report_free(&again);
    } else {
        require(!valid);
    }
    free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Report report;
    char error[512] = "", *text = as_text(data, size);
    if (report_parse(&report, text, error, sizeof error)) {
        print_and_read_again(&report, is_utf8(text, strlen(text)));
        report_free(&report);
    } else {
        require(error[0]);
    }
    free(text);
    return 0;
}
