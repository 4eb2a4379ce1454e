/* The wrong element among those that are made of the same inputs: a row of layer norm, a column of
 * batch norm, a group of channels. Inputs, expected and got stand one below the other, so that one
 * sees where they part.
 *
 * The invariant: a line is never wider than LINE_WIDTH; what does not fit is not shown at all. */
#include "neighbours.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ASKED = 64, LINE_WIDTH = 75 };

/* ---- which elements ---- */
static bool same_shape(const Param *a, const Param *b)
{
    bool same = a->dim_count == b->dim_count;
    for (int d = 0; same && d < a->dim_count; d++)
        same = !strcmp(a->dims[d].text, b->dims[d].text);
    return same;
}

static void forget_wanted(Case *c)
{
    for (int p = 0; p < MAX_PARAMS; p++)
        free(c->wanted[p]);
}

/* Does the wrong element change when that element of an input does? Asked of the oracle. */
static bool feeds(const Table *t, int input, size_t element)
{
    Case moved = *t->c;
    size_t size = case_length(t->c, input) * sizeof(float);
    float *values = malloc(size ? size : 1);
    if (!values)
        author_error("out of memory");
    memcpy(values, t->c->given[input], size);
    values[element] += 0.01f + fabsf(values[element]) / 16;
    moved.given[input] = values;
    memset(moved.wanted, 0, sizeof moved.wanted);
    moved.revealed = NULL;
    lesson_step(moved.function->name)->oracle(&moved, 0);
    int p = t->verdict->param;
    bool changed = moved.wanted[p] &&
                   moved.wanted[p][t->verdict->index].v != t->c->wanted[p][t->verdict->index].v;
    forget_wanted(&moved);
    free(values);
    return changed;
}

/* Those whose place in an input of the same shape feeds the wrong element. */
static void find_fed(Table *t, int input)
{
    size_t length = case_length(t->c, input);
    t->count = 0;
    for (size_t i = 0; i < length; i++) {
        if (!feeds(t, input, i) && i != t->verdict->index)
            continue;
        if (t->count == MOST_SHOWN) {
            t->count = 0;
            return;
        }
        t->at[t->count++] = i;
    }
}

static void find_elements(Table *t)
{
    int output = t->verdict->param;
    const Param *out = &t->c->function->params[output];
    size_t length = case_length(t->c, output), width = (size_t)last_dimension(t->c, output);
    for (int p = 0; p < t->c->function->count && t->count < 2; p++) {
        const Param *in = &t->c->function->params[p];
        if (in->role == INPUT && !in->is_int && !t->c->null[p] && same_shape(in, out) &&
            length <= MOST_ASKED)
            find_fed(t, p);
    }
    if (t->count >= 2 || width > MOST_SHOWN || out->role == RETURNED)
        return;
    t->count = (int)width;
    for (int i = 0; i < t->count; i++)
        t->at[i] = t->verdict->index / width * width + (size_t)i;
}

/* ---- their coordinates ---- */
size_t coordinate(const Table *t, size_t element, int dim)
{
    int output = t->verdict->param;
    for (int d = t->c->function->params[output].dim_count - 1; d > dim; d--)
        element /= (size_t)dimension(t->c, output, d);
    return element % (size_t)dimension(t->c, output, dim);
}

static bool varies(const Table *t, int dim)
{
    bool varies = false;
    for (int i = 1; i < t->count; i++)
        varies = varies || coordinate(t, t->at[i], dim) != coordinate(t, t->at[0], dim);
    return varies;
}

/* "x[0]" for a row, "x[r][1]" for a column, "x" for all of it. */
static void label_of(const Table *t, const char *name, char *label, size_t size)
{
    const Param *out = &t->c->function->params[t->verdict->param];
    size_t used = (size_t)snprintf(label, size, "%s", name);
    bool all = (size_t)t->count == case_length(t->c, t->verdict->param);
    int last = out->dim_count - 1;
    while (last >= 0 && varies(t, last))
        last--;
    for (int d = 0; d < out->dim_count && used < size && !all; d++)
        if (!varies(t, d))
            used +=
                (size_t)snprintf(label + used, size - used, "[%zu]", coordinate(t, t->at[0], d));
        else if (d < last)
            used += (size_t)snprintf(label + used, size - used, "[%c]", d ? '*' : 'r');
}

/* ---- the lines ---- */
static void number_text(double value, int digits, char *text)
{
    if (isnan(value))
        snprintf(text, NUMBER_TEXT, "NaN");
    else
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value == 0 ? 0 : value);
}

static int add_line(Table *t)
{
    return t->line_count < MOST_LINES ? t->line_count++ : MOST_LINES - 1;
}

bool counterparts(const Table *t, int input, size_t *places)
{
    const Param *in = &t->c->function->params[input],
                *out = &t->c->function->params[t->verdict->param];
    for (int i = 0; i < t->count; i++)
        places[i] = t->at[i];
    if (same_shape(in, out))
        return true;
    for (int d = 0; d < out->dim_count && in->dim_count == 1; d++)
        if (!strcmp(in->dims[0].text, out->dims[d].text) && varies(t, d)) {
            for (int i = 0; i < t->count; i++)
                places[i] = coordinate(t, t->at[i], d);
            return true;
        }
    return false;
}

static unsigned add_inputs(Table *t)
{
    unsigned shown = 0;
    size_t places[MOST_SHOWN];
    for (int p = 0; p < t->c->function->count; p++) {
        const Param *in = &t->c->function->params[p];
        if (!is_given(in->role) || t->c->null[p] || t->line_count > MOST_LINES - 3 ||
            !counterparts(t, p, places))
            continue;
        int line = add_line(t);
        if (in->dim_count == 1)
            snprintf(t->lines[line].label, sizeof t->lines[0].label, "%s", in->name);
        else
            label_of(t, in->name, t->lines[line].label, sizeof t->lines[0].label);
        for (int i = 0; i < t->count; i++)
            number_text(value_at(in, t->c->given[p], places[i]), 6, t->lines[line].numbers[i]);
        shown |= 1u << p;
    }
    return shown;
}

double expected_at(const Table *t, size_t i)
{
    int p = t->verdict->param;
    Real want = t->c->wanted[p][i];
    return without_rounding(want.e, t->c->truth[p] ? t->c->truth[p][i] : want.v);
}

/* With as many digits as the wrong element needs to be seen as wrong. */
static void add_answers(Table *t)
{
    const Param *out = &t->c->function->params[t->verdict->param];
    const float *left = t->answer->left[t->verdict->param];
    int expected = add_line(t), got = add_line(t), digits = 3;
    char a[NUMBER_TEXT], b[NUMBER_TEXT];
    do {
        digits++;
        number_text(t->verdict->expected, digits, a);
        number_text(t->verdict->got, digits, b);
    } while (digits < 9 && !strcmp(a, b));
    strcpy(t->lines[expected].label, "expected");
    strcpy(t->lines[got].label, "got");
    for (int i = 0; i < t->count; i++) {
        number_text(expected_at(t, t->at[i]), digits, t->lines[expected].numbers[i]);
        if (!out->is_int && is_unwritten(left[t->at[i]]))
            strcpy(t->lines[got].numbers[i], "-");
        else
            number_text(value_at(out, left, t->at[i]), digits, t->lines[got].numbers[i]);
    }
}

static int longest_label(const Table *t)
{
    int longest = 0;
    for (int l = 0; l < t->line_count; l++)
        longest =
            (int)strlen(t->lines[l].label) > longest ? (int)strlen(t->lines[l].label) : longest;
    return longest;
}

static int column_width(const Table *t, int i)
{
    int widest = 0;
    for (int l = 0; l < t->line_count; l++) {
        int length = (int)strlen(t->lines[l].numbers[i]);
        widest = length > widest ? length : widest;
    }
    return widest + 2;
}

static bool fits(const Table *t)
{
    int width = 2 + longest_label(t);
    for (int i = 0; i < t->count; i++)
        width += column_width(t, i);
    return width <= LINE_WIDTH;
}

static void write_table(const Table *t, CheckResult *result)
{
    int label = longest_label(t);
    char text[2 * LINE_WIDTH];
    for (int l = 0; l <= t->line_count; l++) {
        bool mark = l == t->line_count;
        int used = snprintf(text, sizeof text, "  %-*s", label, mark ? "" : t->lines[l].label);
        for (int i = 0; i < t->count; i++) {
            bool wrong = t->at[i] == t->verdict->index;
            used += snprintf(text + used, sizeof text - (size_t)used, "%*s", column_width(t, i),
                             !mark   ? t->lines[l].numbers[i]
                             : wrong ? "^"
                                     : "");
            if (mark && wrong)
                break;
        }
        add_detail(result, format_text("%s", text));
    }
}

void find_neighbours(Table *t, const Case *c, const Answer *answer, const Judgement *verdict)
{
    *t = (Table){.c = c, .answer = answer, .verdict = verdict};
    find_elements(t);
}

unsigned show_neighbours(CheckResult *result, Table *t)
{
    if (t->count < 2)
        return 0;
    unsigned shown = add_inputs(t);
    add_answers(t);
    if (!fits(t))
        return 0;
    write_table(t, result);
    return shown;
}
