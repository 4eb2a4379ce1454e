/* make why LESSON=01: the section about the mistake that the check names; where it only found the
 * line, what is said of that kind of slip.
 *
 * lessons/NN_name.mistakes.md has a section for each mistake of its lesson, lessons/slips.md one
 * for each kind of slip: a loop that ends one early is the same in every lesson. */
#include "workbook.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "A count is one off" */
static char *heading_of(const char *kind)
{
    char *heading = format_text("%s", kind);
    *heading = (char)toupper((unsigned char)*heading);
    return heading;
}

/* The text with the sections about the mistakes that the check names. NULL: it names none, or the
 * lesson has no such text. Caller frees. */
static char *text_of_mistakes(const char *lesson, const CheckResult *result)
{
    char *path = format_text("lessons/%s.mistakes.md", lesson);
    if (result->sections && !access(path, R_OK))
        return path;
    free(path);
    return NULL;
}

static bool is_explained(const char *lesson, const CheckResult *result)
{
    char *mistakes = text_of_mistakes(lesson, result);
    bool named = mistakes;
    free(mistakes);
    return named || result->fix;
}

/* The first failing check that is; else the first failing one; NULL: none fails. */
static const CheckResult *check_to_explain(const Report *report)
{
    const CheckResult *first = NULL;
    for (int i = 0; i < report->count; i++) {
        const CheckResult *result = &report->results[i];
        if (result->status != FAILED)
            continue;
        if (is_explained(report->lesson, result))
            return result;
        first = first ? first : result;
    }
    return first;
}

char *explanation(const char *lesson, const CheckResult *result)
{
    char *mistakes = text_of_mistakes(lesson, result), *text = NULL;
    if (mistakes) {
        text = sections_of(mistakes, result->sections);
    } else if (result->fix) {
        char *heading = heading_of(result->fix->kind);
        text = sections_of("lessons/slips.md", heading);
        free(heading);
    }
    free(mistakes);
    return text;
}

static void print_place(const Fix *fix)
{
    char *place = own_place(fix);
    char *other = fix->other_line ? place_words(fix->other_line, fix->other_behind) : NULL;
    printf("     %s: %s%s%s\n", place, fix->kind, other ? "; or " : "", other ? other : "");
    free(place);
    free(other);
}

static int show_explanation(const Report *report, const CheckResult *result)
{
    char *text = explanation(report->lesson, result);
    char *mistakes = text_of_mistakes(report->lesson, result);
    printf("%s %s\n", mark_fail(), result->name);
    if (!mistakes)
        print_place(result->fix);
    printf("\n");
    int code = text ? show_markdown(text) : 2;
    free(mistakes);
    free(text);
    return code;
}

/* In the words of the place: the shell, the prompt, or watch, which has the report. */
static const char *hint_words(const WorkbookOptions *options)
{
    return options->report ? "h gives a hint, and at the prompt of `make start` `try 10 50 20` "
                             "shows your functions at work."
           : options->words
               ? "`hint` gives a hint, and `try 10 50 20` shows your functions at work."
               : "`make hint` gives a hint, and at the prompt of `make start` "
                 "`try 10 50 20` shows your functions at work.";
}

/* Why there is nothing to show. Caller frees. */
static char *nothing_to_show(const Report *report, const CheckResult *failed)
{
    if (report->not_graded)
        return format_text("%s", report->not_graded);
    if (report->untouched)
        return format_text("%s is still the stub that was handed out: nothing in it is wrong yet.",
                           report->source);
    if (report->build_error)
        return format_text("%s does not compile, so no check was run.", report->source);
    if (!failed)
        return format_text("%s passes: there is nothing to explain.",
                           report->not_reached ? "What is written" : "Every check");
    if (failed->ended_by || !failed->has_numbers)
        return format_text("\"%s\" fails for a reason that no text says better:", failed->name);
    return format_text("No mistake is known that \"%s\" fails by, and no small change was found "
                       "that mends it.",
                       failed->name);
}

/* The words are ours, but paths and names come from outside. */
static void say(const char *words)
{
    char *plain = escaped(words, strlen(words));
    print_wrapped(plain, 0);
    free(plain);
}

static int explain(const Report *report, const WorkbookOptions *options)
{
    const CheckResult *failed = check_to_explain(report);
    int code = failed || report->not_graded || report->build_error;
    if (failed && is_explained(report->lesson, failed)) {
        code = show_explanation(report, failed);
    } else {
        char *nothing = nothing_to_show(report, failed);
        const char *detail = failed && failed->details[0] ? failed->details[0] : "";
        say(nothing);
        if (*detail)
            write_lines(stdout, "     ", "     ", detail, strlen(detail));
        if (failed || report->untouched)
            say(hint_words(options));
        free(nothing);
    }
    return code;
}

int why_command(const Lessons *lessons, const WorkbookOptions *options)
{
    if (options->report)
        return explain(options->report, options);
    const char *lesson = lesson_wanted(lessons, options);
    if (!lesson && (options->lesson || options->step))
        return 2;
    if (!lesson) {
        puts("Every lesson is passed: there is nothing to explain.");
        return 0;
    }
    WorkbookOptions asked = {.step = options->step,
                             .impl = options->impl,
                             .seed = options->seed,
                             .limit = options->limit};
    Report report = {0};
    int code;
    if (!checker_report(lesson, &asked, &report, &code))
        return 2;
    code = explain(&report, options);
    report_free(&report);
    return code;
}
