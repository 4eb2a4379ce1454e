/* make hint LESSON=01: the next hint for the step that the learner is at.
 *
 * First those about the learner's own file, where the checker found the place (fix.h): what is
 * wrong in that line, and, when asked again, the change. Then those of lessons/NN_name.hints, which
 * holds three for each function, from a nudge to nearly the line:
 *
 *     # row_mean
 *     1. ...
 *     2. ...
 *            code that stays as it is, indented by 4 more than the words
 *
 * Which one comes next is remembered with the progress; those about the file begin anew with
 * another mistake. The invariant: the change is shown here and nowhere else, and never first. */
#include "workbook.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TIERS = 3, WORDS_INDENT = 3, CODE_INDENT = 4 };

/* The hint and its next line. Words join words; a line of code stays one. */
static char *lengthened(char *hint, const char *line)
{
    static const char code[] = "\n    ";
    const char *last = strrchr(hint, '\n'), *text = line + strspn(line, " ");
    bool behind_code = last && !strncmp(last, code, sizeof code - 1);
    bool is_code = text - line >= WORDS_INDENT + CODE_INDENT;
    const char *between = is_code ? code : behind_code ? "\n" : " ";
    char *longer =
        format_text("%s%s%s", hint, between, is_code ? line + WORDS_INDENT + CODE_INDENT : text);
    free(hint);
    return longer;
}

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
            found = lengthened(found, line);
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
            return step_to_do(&report->results[i]);
    return NULL;
}

/* ---- about the learner's own file ---- */
/* The check of that step that fails, if something can be said of it. */
static const CheckResult *explained(const Report *report, const char *step)
{
    for (int i = 0; i < report->count; i++) {
        const CheckResult *result = &report->results[i];
        if (result->status == FAILED && !strcmp(result->step, step))
            return result->fix || result->when ? result : NULL;
    }
    return NULL;
}

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

static void print_code(const char *code)
{
    write_lines(stdout, BAR, BAR, code, strlen(code));
}

static void print_sentence(char *text)
{
    print_wrapped(text, 0);
    free(text);
}

/* Is it a part of the line, and short enough to be read in a sentence? */
static bool can_be_quoted(const Fix *fix)
{
    size_t length = fix->from ? strlen(fix->from) : 0;
    for (size_t i = 0; i < length; i++)
        if (fix->from[i] < ' ' || fix->from[i] > '~' || fix->from[i] == '`')
            return false;
    return !fix->behind && !fix->also_line && length && length <= 40 &&
           length < strlen(fix->code) && strstr(fix->code, fix->from);
}

static void print_one_of_two(const Fix *fix, const char *source)
{
    char *first = place_words(fix->line, fix->behind);
    char *second = place_words(fix->other_line, fix->other_behind);
    print_sentence(format_text("One of two places of %s, in %s: %s or %s.", source, fix->function,
                               first, second));
    free(first);
    free(second);
}

static void print_when(const CheckResult *result)
{
    if (result->when)
        print_sentence(format_text("Your numbers are those you get when %s.", result->when));
}

static void print_own_place(const Fix *fix, const char *source)
{
    char *place = own_place(fix);
    place[0] = (char)toupper((unsigned char)place[0]);
    print_sentence(format_text("%s of %s, in %s: %s.", place, source, fix->function, fix->kind));
    free(place);
}

static void print_place(const CheckResult *result, const char *source)
{
    const Fix *fix = result->fix;
    if (fix->other_line)
        print_one_of_two(fix, source);
    else
        print_own_place(fix, source);
    print_code(fix->code);
    if (fix->also_line)
        print_code(fix->also_code);
    if (fix->other_line)
        print_code(fix->other_code);
    if (can_be_quoted(fix))
        print_sentence(format_text("It is about `%s`. %s", fix->from, fix->question));
    else
        print_wrapped(fix->question, 0);
}

static void print_change(const CheckResult *result, const char *source)
{
    const Fix *fix = result->fix;
    for (int i = 0; i < fix->line_count; i++) {
        const ChangedLine *line = &fix->lines[i];
        print_sentence(format_text("Line %d of %s", line->number, source));
        print_code(line->before);
        puts(*line->after ? "would be" : "goes away.");
        if (*line->after)
            print_code(line->after);
    }
    print_sentence(format_text("So changed, %s passes its checks.", result->step));
}

/* The hints about it, in order: the place and the change; without a place, of what is known by the
 * formula alone, the output, the kind, and last the words that say what is missing. */
typedef enum { THE_PLACE, THE_CHANGE, THE_QUANTITY, THE_KIND, THE_WORDS } OwnHint;

static int own_hints(const CheckResult *result, OwnHint hints[3])
{
    if (!result)
        return 0;
    if (result->fix) {
        hints[0] = THE_PLACE;
        hints[1] = THE_CHANGE;
        return result->fix->line_count ? 2 : 1;
    }
    int count = 0;
    if (result->slip && strcmp(result->quantity, result->step) != 0)
        hints[count++] = THE_QUANTITY;
    if (result->slip)
        hints[count++] = THE_KIND;
    hints[count++] = THE_WORDS;
    return count;
}

/* In the words of the place: watch, the prompt, the shell. */
static const char *why_words(const WorkbookOptions *options)
{
    return options->report ? "w" : options->words ? "`why`" : "`make why`";
}

static void print_own_hint(const CheckResult *result, OwnHint hint, const char *source,
                           const WorkbookOptions *options)
{
    switch (hint) {
    case THE_QUANTITY:
        print_sentence(format_text("Look at %s: hold its formula in the lesson against your own.",
                                   result->quantity));
        break;
    case THE_KIND:
        print_sentence(format_text("In %s %s.", result->quantity, result->slip));
        break;
    case THE_PLACE:
        if (!result->slip)
            print_when(result);
        print_place(result, source);
        break;
    case THE_WORDS:
        print_when(result);
        if (result->sections)
            print_sentence(format_text("What that is about: %s opens it.", why_words(options)));
        break;
    default:
        print_change(result, source);
    }
}

/* The next one of these. False: there is none, or none any more. */
static bool give_own_hint(const char *lesson, const char *step, const Report *report,
                          const WorkbookOptions *options)
{
    const CheckResult *result = explained(report, step);
    char about[SIGNATURE_SIZE], error[512];
    OwnHint hints[3];
    int count = own_hints(result, hints), shown = 0;
    if (count) {
        mistake_signature(result, about);
        shown = progress_own_hints(lesson, step, about);
    }
    if (shown >= count)
        return false;
    printf("Hint %d of %d on your own %s:\n\n", shown + 1, count, step);
    print_own_hint(result, hints[shown], report->source, options);
    puts(shown + 1 == count               ? "\nAgain for the hints of the lesson."
         : hints[shown + 1] == THE_CHANGE ? "\nAgain for the change."
                                          : "\nAgain for more of it.");
    if (!progress_own_hint(lesson, step, about, shown + 1, error, sizeof error))
        fprintf(stderr, "That you saw it could not be saved: %s\n", error);
    return true;
}

/* ---- of the lesson ---- */
static void print_hint(char *text)
{
    char *save;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (!strncmp(line, "    ", CODE_INDENT))
            write_lines(stdout, "    ", "      ", line + CODE_INDENT, strlen(line + CODE_INDENT));
        else
            print_wrapped(line, 0);
}

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
    free(text);
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
    const char *step = options->step ? options->step : current_step(report);
    if (step)
        code = give_own_hint(lesson, step, report, options) ? 0 : give_general_hint(lesson, step);
    else
        printf("%s is passed: nothing to hint at.\n", lesson);
    report_free(&run);
    return step ? code : 0;
}
