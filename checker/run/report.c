/* What a Report holds, given back. */
#include "run.h"

#include "cJSON.h"

#include <stdlib.h>
#include <string.h>

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
    for (int i = 0; i < fix->line_count; i++) {
        free(fix->lines[i].before);
        free(fix->lines[i].after);
    }
    free(fix);
}

void report_free(Report *report)
{
    for (int i = 0; i < report->count; i++) {
        CheckResult *result = &report->results[i];
        for (int d = 0; d < MAX_DETAILS; d++)
            free(result->details[d]);
        fix_free(result->fix);
        free(result->to_try);
        free(result->mistake);
        free(result->sections);
        free(result->when);
        free(result->ended_by);
    }
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
