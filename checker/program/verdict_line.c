/* The line of the learner's file that a verdict names first, kept for who opens an editor there.
 *
 * It lies in .workbook/NN_name.line, as one number. A verdict that names none takes it away, so
 * that what is there is always the last verdict's. */
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *path_of(const char *lesson)
{
    return format_text(".workbook/%s.line", lesson);
}

/* The number behind the first "FILE:" in the text; 0: there is none. */
static int line_behind(const char *text, const char *file)
{
    int line = 0;
    const char *found = text ? strstr(text, file) : NULL;
    if (found && sscanf(found + strlen(file), ":%9d", &line) == 1 && line > 0)
        return line;
    return 0;
}

/* By a compiler's error, by what ended a call, or by the change that mends a function. */
static int line_named(const Report *report)
{
    int line = line_behind(report->build_error, report->source);
    for (int i = 0; i < report->count && !line; i++) {
        const CheckResult *result = &report->results[i];
        if (result->status == FAILED && result->fix)
            line = result->fix->line;
        for (int d = 0; result->status == FAILED && d < MAX_DETAILS && !line; d++)
            line = line_behind(result->details[d], report->source);
    }
    return line;
}

void verdict_line_keep(const Report *report)
{
    char *path = path_of(report->lesson);
    int line = line_named(report);
    unlink(path);
    mkdir(".workbook", 0777);
    FILE *file = line ? fopen(path, "wx") : NULL;
    if (file) { /* if not, an editor opens at the file's beginning */
        fprintf(file, "%d\n", line);
        fclose(file);
    }
    free(path);
}

int verdict_line(const char *lesson)
{
    char *path = path_of(lesson), *text = read_file(path, NULL);
    int line = text ? atoi(text) : 0;
    free(path);
    free(text);
    return line > 0 ? line : 0;
}
