/* The last lines of a verdict: what to do next, in the words of the place. A shell, the prompt and
 * watch each say what is typed there (Words); where nobody said, and for a file that is not the
 * learner's own, there are no such lines. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* The function to work on: the first that fails, or else the first that is not written. */
static const CheckResult *to_do(const Report *report)
{
    for (int wanted = FAILED; wanted <= NOT_REACHED; wanted++)
        for (int i = 0; i < report->count; i++)
            if ((int)report->results[i].status == wanted)
                return &report->results[i];
    return NULL;
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

void write_next_step(FILE *out, const Report *report)
{
    const CheckResult *next = to_do(report);
    if (!report->words.hint || report->not_graded || !report->count)
        return;
    if (!next) {
        write_passed(out, report);
        return;
    }
    if (report->build_error)
        fputs("\nNext: mend the first error, and save. Those below it often come of it.\n", out);
    else if (report->untouched)
        fprintf(out, "For a hint: %s\n", report->words.hint);
    else
        fprintf(out, "\nNext: %s %s. For a hint: %s\n", next->status == FAILED ? "mend" : "write",
                next->step, report->words.hint);
}
