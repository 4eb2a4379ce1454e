/* make hint LESSON=01: the next hint for the step that the learner is at.
 *
 * lessons/NN_name.hints holds three for each function, from a nudge to nearly the line:
 *
 *     # row_mean
 *     1. ...
 *     2. ...
 *
 * Which one comes next is remembered with the progress. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "prompt.h"

enum { TIERS = 3 };

/* The text of hint `tier` (1 to 3) of `step`; NULL when the file has none. Caller frees. */
char *hint_text(const char *lesson, const char *step, int tier)
{
    char *path = format_text("lessons/%s.hints", lesson), *text = read_file(path, NULL),
         *save = NULL;
    char *found = NULL;
    bool in_step = false, in_tier = false;
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        if (!strncmp(line, "# ", 2)) {
            in_step = !strcmp(line + 2, step);
            in_tier = false;
        } else if (in_step && line[0] >= '1' && line[0] <= '9' && line[1] == '.') {
            in_tier = line[0] - '0' == tier;
            if (in_tier)
                found = format_text("%s", line + 2 + strspn(line + 2, " "));
        } else if (in_tier && found) {
            char *longer = format_text("%s %s", found, line + strspn(line, " "));
            free(found);
            found = longer;
        }
    }
    free(text);
    free(path);
    return found;
}

/* The first step with a check that has not passed; NULL when all have. */
static const char *current_step(const Report *report)
{
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status != PASSED)
            return report->results[i].step;
    return NULL;
}

int hint_command(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *lesson = lesson_wanted(lessons, options);
    if (!lesson && (options->lesson || options->step))
        return 2;
    if (!lesson) {
        puts("Every lesson is passed. For a hint all the same: make hint LESSON=01 "
             "STEP=row_mean");
        return 0;
    }
    Report report = {0};
    int code;
    WorkbookOptions quiet = {.impl = NULL};
    const char *step = options->step;
    if (!step && !checker_report(lesson, &quiet, &report, &code))
        return 2;
    if (!step)
        step = current_step(&report);
    if (!step) {
        printf("%s is passed: nothing to hint at.\n", lesson);
        return 0;
    }
    int tier = progress_hint_tier(lesson, step) + 1;
    if (tier > TIERS)
        tier = TIERS;
    char *text = hint_text(lesson, step, tier);
    if (!text) {
        fprintf(stderr, "lessons/%s.hints has no hint %d for %s\n", lesson, tier, step);
        return 2;
    }
    printf("Hint %d of %d for %s:\n\n", tier, TIERS, step);
    print_wrapped(text, 0);
    putchar('\n');
    if (tier < TIERS)
        puts("Again for the next one.");
    else
        printf("That was the last one. The text: lessons/%s.md\n", lesson);
    char error[512];
    if (!progress_hint(lesson, step, tier, error, sizeof error))
        fprintf(stderr, "That you saw it could not be saved: %s\n", error);
    free(text);
    return 0;
}
