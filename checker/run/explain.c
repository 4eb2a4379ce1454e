/* The lines below a failed check: what was wrong, in which call, among which neighbours, and which
 * misconception gives exactly these numbers. Every line is to be useful on its own.
 *
 * The invariant: only what the numbers prove is said. A norm's mean and divisor are read back from
 * y where y, without gamma and beta, is a straight line of x. */
#include "run.h"
#include "statistic.h"

#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- the wrong element among its neighbours ----
 * Those that are made of the same inputs: a row of layer norm, a column of batch norm, a group of
 * channels. Inputs, expected and got stand one below the other, so that one sees where they part. A
 * line is never wider than LINE_WIDTH; what does not fit is not shown at all. */
enum { MOST_SHOWN = 8, MOST_LINES = 9, NUMBER_TEXT = 24, MOST_ASKED = 64, LINE_WIDTH = 75 };

typedef struct {
    const Case *c;
    const Answer *answer;
    const Judgement *verdict;
    size_t at[MOST_SHOWN]; /* the elements of the output, in order */
    int count;
    struct {
        char label[NAME_SIZE + 16];
        char numbers[MOST_SHOWN][NUMBER_TEXT];
    } lines[MOST_LINES];
    int line_count;
} Table;

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
    lesson_answer(lesson_step(moved.function->name), &moved, 0);
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

static size_t coordinate(const Table *t, size_t element, int dim)
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

/* Where in an input the elements' counterparts stand; false: it has none for each of them. */
static bool counterparts(const Table *t, int input, size_t *places)
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

static double expected_at(const Table *t, size_t i)
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

/* Is there something of the row between the columns before it and the i-th that is not shown?
 * Behind the last one, for i = count. */
static bool is_cut_before(const Table *t, int i)
{
    const int last = t->c->function->params[t->verdict->param].dim_count - 1;
    if (last < 0 || !varies(t, last))
        return false;
    if (i > 0 && i < t->count)
        return t->at[i] != t->at[i - 1] + 1;
    const size_t length = (size_t)dimension(t->c, t->verdict->param, last);
    return coordinate(t, t->at[i ? i - 1 : 0], last) != (i ? length - 1 : 0);
}

static const char cut[] = "  ...";

static bool fits(const Table *t)
{
    int width = 2 + longest_label(t);
    for (int i = 0; i < t->count; i++)
        width += column_width(t, i);
    for (int i = 0; i <= t->count; i++)
        width += is_cut_before(t, i) ? (int)strlen(cut) : 0;
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
            if (is_cut_before(t, i))
                used += snprintf(text + used, sizeof text - (size_t)used, "%*s", (int)strlen(cut),
                                 mark ? "" : cut);
            used += snprintf(text + used, sizeof text - (size_t)used, "%*s", column_width(t, i),
                             !mark   ? t->lines[l].numbers[i]
                             : wrong ? "^"
                                     : "");
            if (mark && wrong)
                break;
        }
        if (!mark && is_cut_before(t, t->count))
            snprintf(text + used, sizeof text - (size_t)used, "%s", cut);
        add_detail(result, format_text("%s", text));
    }
}

static void find_neighbours(Table *t, const Case *c, const Answer *answer, const Judgement *verdict)
{
    *t = (Table){.c = c, .answer = answer, .verdict = verdict};
    find_elements(t);
}

/* Adds them as lines, one below the other. Returns which inputs stand there: bit p is params[p]. */
static unsigned show_neighbours(CheckResult *result, Table *t)
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

/* ---- several outputs ---- */
/* Some checks ask for some outputs, and their oracles promise nothing of the others. */
static bool is_promised(const Case *c, int p)
{
    bool promised = c->wanted[p];
    for (size_t i = 0; promised && i < case_length(c, p); i++)
        promised = isfinite(c->wanted[p][i].e) && isfinite(c->wanted[p][i].v);
    return promised;
}

static void tell_right_outputs(CheckResult *result, const Case *c, const Answer *answer,
                               const Judgement *verdict)
{
    const char *right[MAX_PARAMS];
    int count = 0;
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        if (is_answer(param->role) && param->role != RETURNED && p != verdict->param &&
            case_length(c, p) && answer->left[p] && is_promised(c, p) &&
            judge(c, answer, param->name).right)
            right[count++] = param->name;
    }
    if (!count || verdict->input_changed)
        return;
    char *names = joined_names(right, count);
    add_detail(result, format_text("%s %s right; %s is not.", names, count > 1 ? "are" : "is",
                                   c->function->params[verdict->param].name));
    free(names);
}

/* ---- read back from y ---- */
typedef struct {
    double middle, divisor; /* y = (x - middle) / divisor, gamma and beta taken away */
} ReadBack;

static double input_at(const Table *t, const char *name, int element, double without)
{
    int p = param_index(t->c->function, name);
    size_t places[MOST_SHOWN];
    if (p < 0 || t->c->null[p])
        return without;
    const Param *in = &t->c->function->params[p];
    if (counterparts(t, p, places))
        return value_at(in, t->c->given[p], places[element]);
    for (int d = 0; d < t->c->function->params[t->verdict->param].dim_count; d++)
        if (in->dim_count == 1 &&
            !strcmp(in->dims[0].text, t->c->function->params[t->verdict->param].dims[d].text))
            return value_at(in, t->c->given[p], coordinate(t, t->at[element], d));
    return NAN;
}

/* The straight line through the numbers y over those of x; false: they are on none. */
static bool read_back(const Table *t, const double *y, ReadBack *found)
{
    double x[MOST_SHOWN], h[MOST_SHOWN], mx = 0, mh = 0, xx = 0, xh = 0, most = 0;
    for (int i = 0; i < t->count; i++) {
        x[i] = input_at(t, "x", i, NAN);
        h[i] = (y[i] - input_at(t, "beta", i, 0)) / input_at(t, "gamma", i, 1);
        mx += x[i] / t->count;
        mh += h[i] / t->count;
    }
    for (int i = 0; i < t->count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xh += (x[i] - mx) * (h[i] - mh);
        most = fmax(most, fabs(h[i]));
    }
    double slope = xh / xx;
    *found = (ReadBack){mx - mh / slope, 1 / slope};
    bool straight = isfinite(slope) && fabs(slope) > 0 && isfinite(found->middle);
    for (int i = 0; i < t->count && straight; i++)
        straight = fabs(mh + slope * (x[i] - mx) - h[i]) <= 1e-4 * most;
    return straight;
}

static bool alike(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-3 * scale;
}

/* Where gamma is 2 for all of them, it could as well have been left out, and the divisor be half of
 * what it is. */
static bool could_be_another(const Table *t, const char *name, double without)
{
    double first = input_at(t, name, 0, without);
    for (int i = 1; i < t->count; i++)
        if (input_at(t, name, i, without) != first)
            return false;
    return first != without;
}

/* Those of the statistics that the number is in other rows, too: in one alone it may be so by
 * chance. */
static unsigned in_other_rows(const Table *t, unsigned which, Meant meant)
{
    enum { MOST_ROWS = 4 };
    const size_t length = case_length(t->c, t->verdict->param);
    size_t seen = t->verdict->index;
    for (int rows = 0; rows < MOST_ROWS && which && length; rows++) {
        double got[MOST_SHOWN], x[MOST_SHOWN];
        Judgement judgement = *t->verdict;
        Table row;
        ReadBack yours = {0, 0};
        seen += (size_t)t->count;
        judgement.index = seen % length;
        find_neighbours(&row, t->c, t->answer, &judgement);
        for (int i = 0; i < row.count; i++) {
            got[i] = value_at(&t->c->function->params[judgement.param],
                              t->answer->left[judgement.param], row.at[i]);
            x[i] = input_at(&row, "x", i, NAN);
        }
        const double *number = meant == PLACE_OF_ROW ? &yours.middle : &yours.divisor;
        const unsigned all = row.count >= 3 && read_back(&row, got, &yours)
                                 ? statistics_of(*number, x, row.count, meant)
                                 : which;
        which &= all;
    }
    return which;
}

static void tell_read_back(CheckResult *result, const Table *t)
{
    double wanted[MOST_SHOWN], got[MOST_SHOWN];
    ReadBack right, yours;
    const Param *out = &t->c->function->params[t->verdict->param];
    if (strcmp(out->name, "y") != 0 || param_index(t->c->function, "x") < 0 ||
        param_index(t->c->function, "eps") < 0 || t->count < 3 || could_be_another(t, "gamma", 1) ||
        could_be_another(t, "beta", 0))
        return;
    for (int i = 0; i < t->count; i++) {
        wanted[i] = expected_at(t, t->at[i]);
        got[i] = value_at(out, t->answer->left[t->verdict->param], t->at[i]);
    }
    if (!read_back(t, wanted, &right) || !read_back(t, got, &yours))
        return;
    bool middle = alike(yours.middle, right.middle, fabs(right.divisor)),
         divisor = alike(yours.divisor, right.divisor, fabs(right.divisor));
    double x[MOST_SHOWN], middle_wanted = without_rounding(fabs(right.divisor) / 100, right.middle);
    for (int i = 0; i < t->count; i++)
        x[i] = input_at(t, "x", i, NAN);
    const bool nothing = alike(yours.middle, 0, fabs(right.divisor));
    const unsigned place =
        middle || nothing ? 0 : statistics_of(yours.middle, x, t->count, PLACE_OF_ROW);
    const unsigned size = divisor ? 0 : statistics_of(yours.divisor, x, t->count, SIZE_OF_ROW);
    char *of_middle =
        statistic_words(yours.middle, in_other_rows(t, place, PLACE_OF_ROW), t->count);
    char *of_divisor =
        statistic_words(yours.divisor, in_other_rows(t, size, SIZE_OF_ROW), t->count);
    if (middle == divisor && (middle || (!nothing && !of_middle && !of_divisor)))
        return;
    if (middle)
        add_detail(result,
                   format_text("Read back from y: %.6g is subtracted from x, which is right.",
                               middle_wanted));
    else if (nothing)
        add_detail(result, format_text("Read back from y: nothing is subtracted from x, where %.6g "
                                       "is right.",
                                       middle_wanted));
    else
        /* What is added behind it shifts the line as well: it is a statistic of x, or who knows. */
        add_detail(result,
                   format_text("Read back from y: %s%.6g %s subtracted from x, where %.6g is "
                               "right.",
                               of_middle ? "" : "as if ", yours.middle, of_middle ? "is" : "were",
                               middle_wanted));
    if (of_middle)
        add_detail(result, of_middle);
    if (divisor)
        add_detail(result, format_text("That is divided by %.6g, which is right.", right.divisor));
    else
        add_detail(result, format_text("That is divided by %.6g, where %.6g is right.",
                                       yours.divisor, right.divisor));
    if (of_divisor)
        add_detail(result, of_divisor);
}

/* ---- what a function of one array returns ---- */
static void tell_statistic(CheckResult *result, const Table *t)
{
    double x[MOST_COUNTED];
    int p = param_index(t->c->function, "x"), given = 0;
    for (int i = 0; i < t->c->function->count; i++)
        given += is_given(t->c->function->params[i].role);
    size_t count = p < 0 ? 0 : case_length(t->c, p);
    if (p < 0 || given != 1 || count > MOST_COUNTED || t->c->function->params[p].is_int)
        return;
    for (size_t i = 0; i < count; i++)
        x[i] = value_at(&t->c->function->params[p], t->c->given[p], i);
    const double got = t->verdict->got;
    char *words =
        statistic_words(got, statistics_of(got, x, (int)count, ANY_STATISTIC), (int)count);
    if (words)
        add_detail(result, words);
}

/* ---- NaN ---- */
static bool of_one_number(const Table *t)
{
    bool same = t->count > 0;
    for (int i = 0; i < t->count; i++)
        same = same && input_at(t, "x", i, NAN) == input_at(t, "x", 0, NAN);
    return same;
}

static void tell_nan(CheckResult *result, const Table *t)
{
    float got = t->answer->left[t->verdict->param][t->verdict->index];
    uint32_t bits;
    memcpy(&bits, &got, sizeof bits);
    const uint32_t without_sign = 0x7fffffff;
    if (isinf(t->verdict->got))
        add_detail(result, format_text("Infinity is what a division by 0 gives, or a number beyond "
                                       "3.4e38."));
    else if ((bits & without_sign) == (ADDED_TO_BITS & without_sign))
        add_detail(result, format_text("This NaN was made from an element that was never written: "
                                       "what an output holds before the call is garbage."));
    else if (param_index(t->c->function, "eps") >= 0 && of_one_number(t))
        add_detail(result, format_text("NaN is what 0 / 0 gives: %s, and the variance is 0.",
                                       t->count > 1 ? "all x here are equal" : "there is one x"));
    else {
        add_detail(result,
                   format_text("NaN is what 0 / 0 gives, and the root of a negative number."));
        add_detail(result,
                   format_text("Infinity gives it too: over infinity, less infinity, times 0."));
    }
}

/* Adds what of the way to it is right: other outputs, and what can be read back from y; and of a
 * NaN, where it comes from. */
static void tell_the_way(CheckResult *result, const Table *t)
{
    const Param *out = &t->c->function->params[t->verdict->param];
    tell_right_outputs(result, t->c, t->answer, t->verdict);
    if (t->verdict->unwritten || t->verdict->added_to || t->verdict->stale)
        return;
    if (!out->is_int && !isfinite(t->verdict->got) && isfinite(t->verdict->expected))
        tell_nan(result, t);
    else if (out->role == RETURNED)
        tell_statistic(result, t);
    else
        tell_read_back(result, t);
}

/* ---- the call ---- */
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

/* Where only a NaN is right: which x make it so, in a row that is too long to be shown. */
static void tell_cause(CheckResult *result, const Case *c, const Judgement *verdict)
{
    int p = param_index(c->function, "x");
    size_t from, count, odd = 0, first = 0;
    if (p < 0 || !isnan(verdict->expected) || concerned(c, p, verdict, &from, &count))
        return;
    for (size_t i = count; i-- > 0;)
        if (!isfinite(value_at(&c->function->params[p], c->given[p], from + i))) {
            first = from + i;
            odd++;
        }
    if (!odd)
        return;
    char name[NAME_SIZE];
    element_name(c, p, first, name, sizeof name);
    double x = value_at(&c->function->params[p], c->given[p], first);
    add_detail(result, format_text("In this row %zu of the %zu x %s not finite: %s is %s.", odd,
                                   count, odd > 1 ? "are" : "is", name,
                                   isnan(x) ? "NaN"
                                   : x > 0  ? "infinity"
                                            : "-infinity"));
}

/* ---- the mistake ---- */
/* " and " when the mistakes were made together, " or " when each alone gives these numbers. */
static char *joined(const Diagnosis *found, const char *between, bool ids)
{
    char text[700] = "";
    for (int i = 0; i < found->count; i++) {
        const Mistake *m = &lesson_mistakes()[found->mistakes[i]];
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
        const char *section = lesson_mistakes()[found->mistakes[i]].section;
        size_t used = strlen(text);
        if (!i || strcmp(section, lesson_mistakes()[found->mistakes[i - 1]].section) != 0)
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
        const Mistake *m = &lesson_mistakes()[found->mistakes[i]];
        bool said = i && !strcmp(m->section, lesson_mistakes()[found->mistakes[i - 1]].section);
        char *text = format_text("lessons/%s.mistakes.md", lesson_name);
        if (!said)
            add_detail(result, is_readable(text)
                                   ? format_text("%s: %s, \"%s\".", m->instead, text, m->section)
                                   : format_text("%s.", m->instead));
        free(text);
        *named |= (Mistakes)1 << found->mistakes[i];
    }
}

/* ---- the line ---- */
static void add_code(CheckResult *result, const char *code)
{
    enum { MOST = LINE_WIDTH - 7 };
    add_detail(result, format_text("   %.*s%s", MOST, code, strlen(code) > MOST ? " ..." : ""));
}

/* Neither can be called wrong: a change in either place mends it. */
static void explain_two_places(CheckResult *result, const Fix *fix)
{
    char *first = place_words(fix->line, fix->behind);
    char *second = place_words(fix->other_line, fix->other_behind);
    add_detail(result,
               format_text("%s of two places in your file, %s or %s:",
                           result->mistake ? "It is made in one" : "Look at one", first, second));
    add_code(result, fix->code);
    add_code(result, fix->other_code);
    free(first);
    free(second);
}

void explain_line(CheckResult *result, const Fix *fix)
{
    const char *kind = fix->kind;
    char *where;
    if (fix->other_line) {
        explain_two_places(result, fix);
        return;
    }
    char *place = own_place(fix);
    if (result->mistake)
        where = fix->behind ? format_text("It is made %s of your file, where %s:", place, kind)
                            : format_text("It is made in %s of your file:", place);
    else
        where = fix->behind ? format_text("%c%s %s of your file:", toupper((unsigned char)*kind),
                                          kind + 1, place)
                            : format_text("Look at %s of your file: %s in", place, kind);
    free(place);
    add_detail(result, where);
    add_code(result, fix->code);
    if (fix->also_line)
        add_code(result, fix->also_code);
}

void explain_line_again(CheckResult *result, const Fix *fix)
{
    char *place = own_place(fix);
    char *other = fix->other_line ? place_words(fix->other_line, fix->other_behind) : NULL;
    add_detail(result, format_text("The same as above: %s%s%s of your file.", place,
                                   other ? " or " : "", other ? other : ""));
    free(place);
    free(other);
}

void explain_nan(CheckResult *result, int line, const char *how, const char *code)
{
    add_detail(result,
               format_text("The first NaN is made in line %d of your file, by %s:", line, how));
    add_code(result, code);
}

/* ---- what is said ---- */
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
    else if (verdict->stale && lesson_step(c->function->name)->calls)
        add_detail(result, format_text("%s was never written: it is %.4g, which stood there before "
                                       "(expected %.4g)",
                                       result->where, verdict->got, verdict->expected));
    else if (verdict->stale)
        add_detail(result, format_text("%s was made from memory that was never written: it is %.4g "
                                       "(expected %.4g)",
                                       result->where, verdict->got, verdict->expected));
    else if (verdict->added_to)
        add_detail(result,
                   format_text("%s was made from an element that was never written: what an "
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
    tell_cause(result, c, verdict);
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
