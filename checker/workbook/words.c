/* What a verdict tells the learner to type: a shell, the prompt and watch have other words for the
 * same. A file that is not the learner's own is graded without them. */
#include <stdlib.h>
#include <string.h>

#include "workbook.h"

static char *hint_words(const char *lesson, const WorkbookOptions *options, bool here)
{
    int digits = (int)strcspn(lesson, "_");
    const char *step = options->step ? options->step : "", *blank = *step ? " " : "";
    if (options->place == AT_PROMPT && here)
        return format_text("hint%s%s", blank, step);
    if (options->place == AT_PROMPT)
        return format_text("hint %.*s%s%s", digits, lesson, blank, step);
    return format_text("make hint LESSON=%.*s%s%s", digits, lesson, *step ? " STEP=" : "", step);
}

static char *way_to_prompt(const char *lesson, const WorkbookOptions *options, bool here)
{
    int digits = (int)strcspn(lesson, "_");
    if (options->place == AT_PROMPT)
        return here ? format_text("%s", "") : format_text(" go %.*s, then", digits, lesson);
    return here ? format_text(" make start, then")
                : format_text(" make start LESSON=%.*s, then", digits, lesson);
}

static char *what_follows(const Lessons *lessons, const char *lesson,
                          const WorkbookOptions *options)
{
    int digits = (int)strcspn(lesson, "_");
    if (options->step)
        return options->place == AT_PROMPT
                   ? format_text("`check %.*s` asks for the other functions too.", digits, lesson)
                   : format_text("For the other functions too: make check LESSON=%.*s", digits,
                                 lesson);
    if (options->place == AT_PROMPT)
        return NULL; /* the prompt goes on by itself */
    const char *next = lesson_after(lessons, lesson);
    if (!next)
        return format_text("%s Lesson %.*s is passed. It was the last one: make check-all checks "
                           "them all once more.",
                           mark_pass(), digits, lesson);
    char *others = lesson_choice(lessons, next);
    char *text = format_text("%s Lesson %.*s is passed. Next: read lessons/%s.md%s%s", mark_pass(),
                             digits, lesson, next, *others ? "\nReady as well: " : "", others);
    free(others);
    return text;
}

Words words_for(const Lessons *lessons, const char *lesson, const WorkbookOptions *options)
{
    if (options->impl)
        return (Words){0};
    const char *at = options->place == AT_PROMPT ? options->here : lesson_current(lessons);
    bool here = at && !strcmp(at, lesson);
    return (Words){hint_words(lesson, options, here), way_to_prompt(lesson, options, here),
                   what_follows(lessons, lesson, options)};
}
