/* The hints on a step.
 *
 * First those about the learner's own file, where the checker found the place (a Fix): what is
 * wrong in that line, and then the change. Then those of lessons/NN_name.hints, which holds three
 * for each function, from a nudge to nearly the line:
 *
 *     # row_mean
 *     1. ...
 *     2. ...
 *            code that stays as it is, indented by 4 more than the words
 *
 * A hint is lines of words; code of the learner's stands behind a BAR, the lesson's behind 4
 * blanks. The invariant: the change is in a hint and nowhere else, and never in the first. */
#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_INDENT = 3, CODE_INDENT = 4 };

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
const char *hint_step(const Report *report)
{
    for (int i = 0; i < report->count; i++)
        if (report->results[i].status != PASSED)
            return step_to_do(&report->results[i]);
    return NULL;
}

/* ---- about the learner's own file ---- */
/* The check of that step that fails, if something can be said of it. */
const CheckResult *hint_result(const Report *report, const char *step)
{
    for (int i = 0; i < report->count; i++) {
        const CheckResult *result = &report->results[i];
        if (result->status == FAILED && !strcmp(result->step, step))
            return result->fix || result->when ? result : NULL;
    }
    return NULL;
}

static void add_line(Buffer *out, const char *before, const char *text)
{
    buffer_append(out, before, strlen(before));
    buffer_append(out, text, strlen(text));
    buffer_append(out, "\n", 1);
}

/* Every line of it behind a BAR of its own. */
static void add_code(Buffer *out, const char *code)
{
    for (const char *end; (end = strchr(code, '\n')); code = end + 1) {
        buffer_append(out, BAR, strlen(BAR));
        buffer_append(out, code, (size_t)(end + 1 - code));
    }
    add_line(out, BAR, code);
}

static void add_sentence(Buffer *out, char *text)
{
    add_line(out, "", text);
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

static void add_one_of_two(Buffer *out, const Fix *fix, const char *source)
{
    char *first = place_words(fix->line, fix->behind);
    char *second = place_words(fix->other_line, fix->other_behind);
    add_sentence(out, format_text("One of two places of %s, in %s: %s or %s.", source,
                                  fix->function, first, second));
    free(first);
    free(second);
}

static void add_when(Buffer *out, const CheckResult *result)
{
    if (result->when)
        add_sentence(out, format_text("Your numbers are those you get when %s.", result->when));
}

static void add_own_place(Buffer *out, const Fix *fix, const char *source)
{
    char *place = own_place(fix);
    place[0] = (char)toupper((unsigned char)place[0]);
    add_sentence(out, format_text("%s of %s, in %s: %s.", place, source, fix->function, fix->kind));
    free(place);
}

static void add_place(Buffer *out, const CheckResult *result, const char *source)
{
    const Fix *fix = result->fix;
    if (fix->other_line)
        add_one_of_two(out, fix, source);
    else
        add_own_place(out, fix, source);
    add_code(out, fix->code);
    if (fix->also_line)
        add_code(out, fix->also_code);
    if (fix->other_line)
        add_code(out, fix->other_code);
    if (can_be_quoted(fix))
        add_sentence(out, format_text("It is about `%s`. %s", fix->from, fix->question));
    else
        add_line(out, "", fix->question);
}

static void add_change(Buffer *out, const CheckResult *result, const char *source)
{
    const Fix *fix = result->fix;
    for (int i = 0; i < fix->line_count; i++) {
        const ChangedLine *line = &fix->lines[i];
        add_sentence(out, format_text("Line %d of %s", line->number, source));
        add_code(out, line->before);
        add_line(out, "", *line->after ? "would be" : "goes away.");
        if (*line->after)
            add_code(out, line->after);
    }
    add_sentence(out, format_text("So changed, %s passes its checks.", result->step));
}

/* The hints about it, in order: the place and the change; without a place, of what is known by the
 * formula alone, the output, the kind, and last the words that say what is missing. */
int own_hints(const CheckResult *result, HintKind hints[MOST_OWN_HINTS])
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

char *own_hint(const CheckResult *result, HintKind hint, const char *source, const char *why)
{
    Buffer text = {0}, *out = &text;
    switch (hint) {
    case THE_QUANTITY:
        add_sentence(out,
                     format_text("Look at %s: hold its formula in the lesson against your own.",
                                 result->quantity));
        break;
    case THE_KIND:
        add_sentence(out, format_text("In %s %s.", result->quantity, result->slip));
        break;
    case THE_PLACE:
        if (!result->slip)
            add_when(out, result);
        add_place(out, result, source);
        break;
    case THE_WORDS:
        add_when(out, result);
        if (result->sections)
            add_sentence(out, format_text("What that is about: %s opens it.", why));
        break;
    default:
        add_change(out, result, source);
    }
    buffer_append(out, "", 1);
    return text.data;
}
