/* make hint LESSON=01: the next hint (run/hints.c) for the step that the learner is at.
 *
 * Which one comes next is remembered with the progress; those about the file begin anew with
 * another mistake. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

/* Frees it. */
static void print_hint(char *text)
{
    static const char blanks[] = "    ";
    char *save;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (!strncmp(line, BAR, strlen(BAR)))
            write_lines(stdout, BAR, BAR, line + strlen(BAR), strlen(line + strlen(BAR)));
        else if (!strncmp(line, blanks, strlen(blanks)))
            write_lines(stdout, blanks, "      ", line + strlen(blanks),
                        strlen(line + strlen(blanks)));
        else
            print_wrapped(line, 0);
    free(text);
}

/* ---- about the learner's own file ---- */
/* That the mistake is the same: not its line, which moves when others come before it. */
static void mistake_signature(const CheckResult *result, char signature[SIGNATURE_SIZE])
{
    const Fix *fix = result->fix;
    const char *const texts[] = {fix ? fix->kind : "",
                                 fix ? fix->code : "",
                                 fix && fix->from ? fix->from : "",
                                 fix && fix->to ? fix->to : "",
                                 result->mistake ? result->mistake : "",
                                 NULL};
    texts_signature(signature, texts);
}

/* In the words of the place: watch, the prompt, the shell. */
static const char *why_words(const WorkbookOptions *options)
{
    return options->report ? "w" : options->words ? "`why`" : "`make why`";
}

/* The next one of these. False: there is none, or none any more. */
static bool give_own_hint(const char *lesson, const char *step, const Report *report,
                          const WorkbookOptions *options)
{
    const CheckResult *result = hint_result(report, step);
    char about[SIGNATURE_SIZE], error[512];
    HintKind hints[MOST_OWN_HINTS];
    int count = own_hints(result, hints), shown = 0;
    if (count) {
        mistake_signature(result, about);
        shown = progress_own_hints(lesson, step, about);
    }
    if (shown >= count)
        return false;
    printf("Hint %d of %d on your own %s:\n\n", shown + 1, count, step);
    print_hint(own_hint(result, hints[shown], report->source, why_words(options)));
    puts(shown + 1 == count               ? "\nAgain for the hints of the lesson."
         : hints[shown + 1] == THE_CHANGE ? "\nAgain for the change."
                                          : "\nAgain for more of it.");
    if (!progress_own_hint(lesson, step, about, shown + 1, error, sizeof error))
        fprintf(stderr, "That you saw it could not be saved: %s\n", error);
    return true;
}

/* ---- of the lesson ---- */
static int give_general_hint(const char *lesson, const char *step)
{
    int tier = progress_hint_tier(lesson, step) + 1;
    if (tier > TIERS)
        tier = TIERS;
    char *text = hint_text(lesson, step, tier);
    if (!text) {
        fprintf(stderr, "lessons/%s.hints has no hint %d for %s\n", lesson, tier, step);
        return 2;
    }
    printf("Hint %d of %d for %s:\n\n", tier, TIERS, step);
    print_hint(text);
    putchar('\n');
    if (tier < TIERS)
        puts("Again for the next one.");
    else
        printf("That was the last one. The text: lessons/%s.md\n", lesson);
    char error[512];
    if (!progress_hint(lesson, step, tier, error, sizeof error))
        fprintf(stderr, "That you saw it could not be saved: %s\n", error);
    return 0;
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
    Report run = {0};
    int code;
    WorkbookOptions quiet = {.impl = "exercises"}; /* as IMPL= it is no run of the learner's */
    const Report *report = options->report ? options->report : &run;
    if (!options->report && !checker_report(lesson, &quiet, &run, &code) && !options->step)
        return 2;
    const char *step = options->step ? options->step : hint_step(report);
    if (step)
        code = give_own_hint(lesson, step, report, options) ? 0 : give_general_hint(lesson, step);
    else
        printf("%s is passed: nothing to hint at.\n", lesson);
    report_free(&run);
    return step ? code : 0;
}
