/* The formats of a report by their names, and how each is written. */
#include "run.h"

#include <string.h>

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
