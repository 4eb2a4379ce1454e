/* The numbers on the way to a wrong one: which of them are right already, what the others are,
 * where a NaN comes from, and what to type to see them all.
 *
 * The invariant: only what the numbers prove is said. A norm's mean and divisor are read back from
 * y where y, without gamma and beta, is a straight line of x. */
#include "neighbours.h"
#include "try.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- several outputs ---- */
char *joined_names(const char *const *names, int count)
{
    char *text = format_text("%s", "");
    for (int i = 0; i < count; i++) {
        char *longer = format_text("%s%s%s", text,
                                   !i              ? ""
                                   : i + 1 < count ? ", "
                                                   : " and ",
                                   names[i]);
        free(text);
        text = longer;
    }
    return text;
}

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

static void tell_read_back(CheckResult *result, const Table *t)
{
    double wanted[MOST_SHOWN], got[MOST_SHOWN];
    ReadBack right, yours;
    const Param *out = &t->c->function->params[t->verdict->param];
    if (strcmp(out->name, "y") != 0 || param_index(t->c->function, "x") < 0 || t->count < 3)
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
    char *of_middle = middle || nothing ? NULL : statistic_words(yours.middle, x, t->count);
    char *of_divisor = divisor ? NULL : statistic_words(yours.divisor, x, t->count);
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
        add_detail(result, format_text("Read back from y: %.6g is subtracted from x, where %.6g is "
                                       "right.",
                                       yours.middle, middle_wanted));
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
    if (given != 1 || count > MOST_COUNTED || t->c->function->params[p].is_int)
        return;
    for (size_t i = 0; i < count; i++)
        x[i] = value_at(&t->c->function->params[p], t->c->given[p], i);
    char *words = statistic_words(t->verdict->got, x, (int)count);
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
    else if (of_one_number(t))
        add_detail(result, format_text("NaN is what 0 / 0 gives: %s, and the variance is 0.",
                                       t->count > 1 ? "all x here are equal" : "there is one x"));
    else {
        add_detail(result,
                   format_text("NaN is what 0 / 0 gives, and the root of a negative number."));
        add_detail(result, format_text("Print what you divide by and what you take the root of."));
    }
}

void tell_the_way(CheckResult *result, const Table *t)
{
    const Param *out = &t->c->function->params[t->verdict->param];
    tell_right_outputs(result, t->c, t->answer, t->verdict);
    if (t->verdict->unwritten || t->verdict->added_to)
        return;
    if (!out->is_int && !isfinite(t->verdict->got) && isfinite(t->verdict->expected))
        tell_nan(result, t);
    else if (out->role == RETURNED)
        tell_statistic(result, t);
    else
        tell_read_back(result, t);
}

/* ---- what to type ---- */
enum { MOST_TYPED = 64 };

static char *joined_with(char *text, char *more)
{
    char *longer = format_text("%s %s", text, more);
    free(text);
    free(more);
    return longer;
}

/* "gamma=1 2 3"; one number where they are all the same, and the sizes are told elsewhere. */
static char *typed(const Case *c, int p, bool shortened)
{
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p), width = (size_t)last_dimension(c, p);
    bool same = shortened;
    for (size_t i = 1; i < length; i++)
        same = same && value_at(param, c->given[p], i) == value_at(param, c->given[p], 0);
    bool is_x = !strcmp(param->name, "x");
    char *text = format_text("%s%s", is_x ? "" : param->name, is_x ? "" : "=");
    for (size_t i = 0; i < (same ? 1 : length); i++) {
        char *longer = format_text("%s%s%.6g", text,
                                   !i          ? ""
                                   : i % width ? " "
                                               : "; ",
                                   value_at(param, c->given[p], i));
        free(text);
        text = longer;
    }
    return text;
}

static bool is_default(const char *name, double value)
{
    KnownList list = {0};
    char error[256];
    bool same = false;
    if (lesson.defaults && known_parse(&list, lesson.defaults, "x", error, sizeof error)) {
        const Known *known = known_find(&list, name);
        same =
            known && known->rows * known->columns == 1 && (float)known->values[0] == (float)value;
    }
    known_free(&list);
    return same;
}

static bool is_default_array(const Case *c, int p)
{
    const Param *param = &c->function->params[p];
    bool all = true;
    for (size_t i = 0; i < case_length(c, p); i++)
        all = all && is_default(param->name, value_at(param, c->given[p], i));
    return all;
}

/* Is that size the length of a dimension of x? */
static bool told_by_x(const Case *c, int size)
{
    int x = param_index(c->function, "x");
    for (int d = 0; x >= 0 && d < c->function->params[x].dim_count; d++)
        if (!strcmp(c->function->params[x].dims[d].text, c->function->params[size].name))
            return c->function->params[x].dim_count <= 2;
    return false;
}

char *line_to_try(const Case *c)
{
    const Function *function = c->function;
    int x = param_index(function, "x");
    size_t numbers = 0;
    for (int p = 0; p < function->count; p++)
        numbers += is_given(function->params[p].role) && !c->null[p] ? case_length(c, p) : 0;
    if (lesson_step(function->name)->calls || x < 0 || !is_array(function->params[x].role) ||
        !numbers || numbers > MOST_TYPED || c->null[x])
        return NULL;
    char *text = format_text("try %s", function->name);
    text = joined_with(text, typed(c, x, false));
    for (int p = 0; p < function->count; p++) {
        const Param *param = &function->params[p];
        if (is_given(param->role) && p != x && !c->null[p] && case_length(c, p) &&
            !is_default_array(c, p))
            text = joined_with(text, typed(c, p, true));
        if (param->role == SCALAR && !is_default(param->name, (double)c->scalars[p]))
            text = joined_with(text, format_text("%s=%.6g", param->name, (double)c->scalars[p]));
        if (param->role == SIZE && !told_by_x(c, p))
            text = joined_with(text, format_text("%s=%d", param->name, c->sizes[p]));
    }
    if (strlen(text) <= 72)
        return text;
    free(text);
    return NULL;
}
