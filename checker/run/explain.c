/* The lines below a failed check: what was wrong, in which call, and which misconception gives
 * exactly these numbers. Every line is to be useful on its own. */
#include "neighbours.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void add_detail(CheckResult *result, char *line)
{
    size_t i = 0, room = sizeof result->details / sizeof *result->details;
    while (i < room && result->details[i])
        i++;
    if (i < room)
        result->details[i] = line;
    else
        free(line);
}

/* "rows = 3, features = 5, eps = 1e-05, beta = NULL" */
static char *arguments(const Case *c)
{
    char text[256] = "";
    size_t used = 0;
    for (int p = 0; p < c->function->count && used < sizeof text; p++) {
        const Param *param = &c->function->params[p];
        const char *comma = used ? ", " : "";
        if (param->role == SIZE)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %d", comma,
                                     param->name, c->sizes[p]);
        if (param->role == SCALAR)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %g", comma,
                                     param->name, (double)c->scalars[p]);
        if (c->null[p])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = NULL", comma,
                                     param->name);
    }
    return format_text("%s", text);
}

/* For a sequence of calls, which functions are called in it: "a, b, c, called with n = 3". */
static void add_call(CheckResult *result, const Case *c)
{
    const char *calls = lesson_step(c->function->name)->calls;
    char *called_with = arguments(c), sequence[400] = "";
    for (size_t used = 0; calls && *calls && used + 3 < sizeof sequence; calls++) {
        used += (size_t)snprintf(sequence + used, sizeof sequence - used,
                                 *calls == ' ' ? ", " : "%c", *calls);
        if (!calls[1])
            snprintf(sequence + used, sizeof sequence - used, ", ");
    }
    add_detail(result, format_text("%scalled with %s", sequence, called_with));
    free(called_with);
}

/* The part of an input that concerns the wrong element, if it is short enough to be followed on
 * paper: the same row, where input and output share their first dimension, else all of it. */
static bool concerned(const Case *c, int param, const Judgement *verdict, size_t *from,
                      size_t *count)
{
    const Param *in = &c->function->params[param], *out = &c->function->params[verdict->param];
    size_t rows = in->dim_count > 1 ? (size_t)dimension(c, param, 0) : 0;
    bool by_row = rows && out->dim_count > 0 && !strcmp(in->dims[0].text, out->dims[0].text);
    if (!by_row)
        rows = 1;
    *count = case_length(c, param) / rows;
    *from = verdict->index / (case_length(c, verdict->param) / rows) * *count;
    if (!by_row)
        *from = 0;
    return *count > 0 && *count <= 12 && last_dimension(c, param) <= 8;
}

static void add_input(CheckResult *result, const Case *c, int param, const Judgement *verdict)
{
    size_t from, count, used = 0, width = (size_t)last_dimension(c, param);
    const char *name = c->function->params[param].name;
    char text[400];
    if (!concerned(c, param, verdict, &from, &count))
        return;
    for (size_t i = 0; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.6g",
                                 !i          ? ""
                                 : i % width ? ", "
                                             : "; ",
                                 value_at(&c->function->params[param], c->given[param], from + i));
    if (count < case_length(c, param))
        add_detail(result, format_text("%s[%zu] is %s", name, from / count, text));
    else
        add_detail(result, format_text("%s is %s", name, text));
}

/* " and " when the mistakes were made together, " or " when each alone gives these numbers. */
static char *joined(const Diagnosis *found, const char *between, bool ids)
{
    char text[700] = "";
    for (int i = 0; i < found->count; i++) {
        const Mistake *m = &lesson.mistakes[found->mistakes[i]];
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? between : "", ids ? m->id : m->when);
    }
    return format_text("%s", text);
}

/* The sections about them, each once. */
static char *sections_of(const Diagnosis *found)
{
    char text[400] = "";
    for (int i = 0; i < found->count; i++) {
        const char *section = lesson.mistakes[found->mistakes[i]].section;
        size_t used = strlen(text);
        if (!i || strcmp(section, lesson.mistakes[found->mistakes[i - 1]].section) != 0)
            snprintf(text + used, sizeof text - used, "%s%s", i ? "\n" : "", section);
    }
    return format_text("%s", text);
}

void explain_mistake(CheckResult *result, const Diagnosis *found, Mistakes *named)
{
    if (!found->count)
        return;
    bool all_named = true;
    for (int i = 0; i < found->count; i++)
        all_named = all_named && has(*named, found->mistakes[i]);
    char *when = joined(found, found->together ? ", and " : ", or ", false);
    result->mistake = joined(found, found->together ? " and " : " or ", true);
    result->sections = sections_of(found);
    add_detail(result, all_named ? format_text("The same as above: %s.", when)
                                 : format_text("These are the numbers you get when %s.", when));
    result->when = when;
    for (int i = 0; i < found->count && !all_named; i++) {
        const Mistake *m = &lesson.mistakes[found->mistakes[i]];
        bool said = i && !strcmp(m->section, lesson.mistakes[found->mistakes[i - 1]].section);
        char *text = format_text("lessons/%s.mistakes.md", lesson_name);
        if (!said)
            add_detail(result, access(text, R_OK)
                                   ? format_text("%s.", m->instead)
                                   : format_text("%s: %s, \"%s\".", m->instead, text, m->section));
        free(text);
        *named |= (Mistakes)1 << found->mistakes[i];
    }
}

void explain_numbers(CheckResult *result, const Case *c, const Answer *answer,
                     const Judgement *verdict)
{
    element_name(c, verdict->param, verdict->index, result->where, sizeof result->where);
    if (verdict->input_changed) {
        add_detail(result,
                   format_text("%s changed its input: %s was %g and is %g now", result->step,
                               result->where, verdict->expected, verdict->got));
        return;
    }
    result->has_numbers = true;
    result->expected = verdict->expected;
    result->got = verdict->got;
    result->allowed = verdict->allowed;
    if (verdict->unwritten)
        add_detail(result, format_text("%s was never written (expected %.4g)", result->where,
                                       verdict->expected));
    else if (verdict->added_to)
        add_detail(result, format_text("%s was added to before anything was written there: what an "
                                       "output holds before the call is garbage",
                                       result->where));
    else
        add_detail(result, numbers_line(result->where,
                                        without_rounding(verdict->allowed, verdict->expected),
                                        verdict->got, verdict->allowed));
    add_call(result, c);
    Table table;
    find_neighbours(&table, c, answer, verdict);
    unsigned shown = show_neighbours(result, &table);
    for (int p = 0; p < c->function->count; p++)
        if (is_given(c->function->params[p].role) && !(shown >> p & 1))
            add_input(result, c, p, verdict);
    tell_the_way(result, &table);
    result->to_try = line_to_try(c);
}

void explain_repeat(CheckResult *result, int call)
{
    add_detail(result,
               format_text("This was the %s call with these numbers; the first was answered right. "
                           "Is something kept from call to call, in a static variable?",
                           call == 2 ? "second" : "third"));
}

void explain_ending(CheckResult *result, const Case *c, const Answer *answer)
{
    add_detail(result, format_text("%s", answer->reason));
    result->ended_by = answer->ended_by[0] ? format_text("%s", answer->ended_by) : NULL;
    if (answer->ending == NOT_DEFINED || answer->ending == OUT_OF_TIME ||
        answer->ending == NOT_STARTED)
        return;
    add_call(result, c);
}
