/* Named numbers, and calls made of them: what the learner typed, the lesson's defaults and earlier
 * answers become `try`'s cases, and those of the numeric gradients.
 *
 * Everything that is typed is kept or refused with a sentence that says what was expected. Nobody
 * types a size: the numbers typed for an array tell the sizes in its shape. */
#include "try.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TYPED = 4096 };

const Known *known_find(const KnownList *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].name, name))
            return &list->items[i];
    return NULL;
}

void known_add(KnownList *list, const char *name, const double *values, int rows, int columns)
{
    size_t count = (size_t)rows * (size_t)columns;
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->items = realloc(list->items, (size_t)list->room * sizeof *list->items);
    }
    double *copy = calloc(count + 1, sizeof *copy);
    if (!list->items || !copy)
        author_error("out of memory");
    memcpy(copy, values, count * sizeof *copy);
    Known *known = &list->items[list->count++];
    *known = (Known){.values = copy, .rows = rows, .columns = columns};
    snprintf(known->name, sizeof known->name, "%s", name);
}

void known_forget(KnownList *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].name, name)) {
            free(list->items[i].values);
            list->items[i] = list->items[--list->count];
            return;
        }
}

void known_free(KnownList *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->items[i].values);
    free(list->items);
    *list = (KnownList){0};
}

typedef struct {
    KnownList *list;
    char name[NAME_SIZE];
    double values[MOST_TYPED];
    int count, in_row, columns, rows; /* columns: of the first row; 0 while it is being read */
    char *error;
    size_t error_size;
} Typing;

static bool end_row(Typing *t)
{
    if (t->columns && t->in_row != t->columns) {
        snprintf(t->error, t->error_size, "%s: its first row has %d number%s, row %d has %d",
                 t->name, t->columns, t->columns == 1 ? "" : "s", t->rows + 1, t->in_row);
        return false;
    }
    t->columns = t->in_row;
    t->rows++;
    t->in_row = 0;
    return true;
}

static bool end_name(Typing *t)
{
    if (!t->count && !t->in_row)
        return true;
    if ((t->in_row || !t->columns) && !end_row(t))
        return false;
    known_add(t->list, t->name, t->values, t->rows, t->columns);
    t->count = t->rows = t->columns = 0;
    return true;
}

static bool begin_name(Typing *t, const char *name, size_t length)
{
    if (!end_name(t))
        return false;
    snprintf(t->name, sizeof t->name, "%.*s", (int)length, name);
    if (known_find(t->list, t->name)) {
        snprintf(t->error, t->error_size, "%s is given twice", t->name);
        return false;
    }
    return true;
}

static bool add_number(Typing *t, const char **p)
{
    char *end;
    double value = strtod(*p, &end);
    if (end == *p || (*end && !isspace((unsigned char)*end) && *end != ',' && *end != ';')) {
        int length = (int)strcspn(*p, " \t,;");
        snprintf(t->error, t->error_size, "expected a number, found \"%.*s\"", length ? length : 1,
                 *p);
        return false;
    }
    if (t->count == MOST_TYPED) {
        snprintf(t->error, t->error_size, "more than %d numbers for %s", MOST_TYPED, t->name);
        return false;
    }
    t->values[t->count++] = (float)value; /* what the learner's code gets is a float */
    t->in_row++;
    *p = end;
    return true;
}

bool known_parse(KnownList *list, const char *words, const char *first, char *error, size_t size)
{
    Typing *t = calloc(1, sizeof *t);
    if (!t)
        author_error("out of memory");
    *t = (Typing){.list = list, .error = error, .error_size = size};
    snprintf(t->name, sizeof t->name, "%s", first);
    bool good = true;
    for (const char *p = words; good && *p;) {
        size_t length =
            strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        bool named = !isdigit((unsigned char)*p) && length && p[length] == '=';
        if (isspace((unsigned char)*p) || *p == ',')
            p++;
        else if (*p == ';') {
            good = !t->in_row || end_row(t);
            p++;
        } else if (named) {
            good = begin_name(t, p, length);
            p += length + 1;
            if (good && (!*p || !strchr("0123456789.+-nNiI \t", *p))) {
                snprintf(error, size, "expected a number after %s=", t->name);
                good = false;
            }
        } else
            good = add_number(t, &p);
    }
    good = good && end_name(t);
    free(t);
    return good;
}

/* ---- from these to one call ---- */
/* "4 * hidden x inputs": dimensions `from` to `to` of a shape. */
static void shape_text(const Param *param, int from, int to, char *text, size_t size)
{
    size_t used = 0;
    for (int d = from; d < to && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", d > from ? " x " : "",
                                 param->dims[d].text);
}

static int64_t elements(const Case *c, int array, int from, int to)
{
    int64_t count = 1;
    for (int d = from; d < to && count <= INT32_MAX; d++)
        count *= dimension(c, array, d);
    return count;
}

/* The last size in these dimensions that is not known yet; the others become 1. -1: none is left.
 */
static int last_unknown(Case *c, int array, int from, int to)
{
    int unknown = -1;
    for (int d = from; d < to; d++) {
        const Dim *dim = &c->function->params[array].dims[d];
        for (int k = 0; k < dim->term_count; k++)
            for (int i = 0; i < dim->terms[k].size_count; i++) {
                int size = dim->terms[k].sizes[i];
                if (c->sizes[size] || size == unknown)
                    continue;
                if (unknown >= 0)
                    c->sizes[unknown] = 1;
                unknown = size;
            }
    }
    return unknown;
}

/* A size that a shape names gets what makes dimensions `from` to `to` of it `length` elements. */
static bool learn_size(Try *t, Case *c, int p, int from, int to, int length)
{
    char shape[4 * NAME_SIZE];
    const Param *array = &c->function->params[p];
    int unknown = last_unknown(c, p, from, to);
    if (unknown >= 0)
        for (c->sizes[unknown] = 1; c->sizes[unknown] < length; c->sizes[unknown]++)
            if (elements(c, p, from, to) >= length)
                break;
    int64_t count = elements(c, p, from, to);
    if (count == length)
        return true;
    shape_text(array, from, to, shape, sizeof shape);
    if (unknown >= 0)
        snprintf(t->error, sizeof t->error, "%s has %d numbers, and no %s makes %s of that",
                 array->name, length, c->function->params[unknown].name, shape);
    else
        snprintf(t->error, sizeof t->error, "%s has %d numbers where %s is %" PRId64, array->name,
                 length, shape, count);
    return false;
}

static bool learn_sizes_of(Try *t, Case *c, int p, const Known *known, bool by_row)
{
    int dims = c->function->params[p].dim_count, count = known->rows * known->columns;
    if (dims == 1)
        return learn_size(t, c, p, 0, 1, by_row && known->rows > 1 ? known->columns : count);
    return learn_size(t, c, p, dims - 1, dims, known->columns) &&
           learn_size(t, c, p, 0, dims - 1, known->rows);
}

/* One number stands for all, except where it is all that tells a size. Rows are looked at first:
 * they leave no doubt. */
static bool learn_sizes(Try *t, Case *c, bool by_row, bool single)
{
    static const int order[MAX_DIMS] = {2, 1, 3, 4};
    for (int i = 0; i < MAX_DIMS * c->function->count; i++) {
        int dims = order[i / c->function->count], p = i % c->function->count;
        const Param *param = &c->function->params[p];
        const Known *known = is_given(param->role) ? known_find(&t->known, param->name) : NULL;
        if (!known || param->dim_count != dims || (known->rows * known->columns == 1) != single)
            continue;
        if (single && elements(c, p, 0, dims) > 0)
            continue;
        if (!learn_sizes_of(t, c, p, known, by_row))
            return false;
    }
    return true;
}

static bool missing(Try *t, const char *function, const Param *param)
{
    char shape[4 * NAME_SIZE] = "";
    shape_text(param, 0, param->dim_count, shape, sizeof shape);
    snprintf(t->error, sizeof t->error, "%s needs %s=...%s%s", function, param->name,
             shape[0] ? ", " : "", shape);
    t->lacks = true;
    return false;
}

int rows_to_go(const Try *t, const Function *function)
{
    int rows = 1;
    for (int p = 0; p < function->count; p++) {
        const Known *known = known_find(&t->known, function->params[p].name);
        if (function->params[p].dim_count > 1)
            return 1;
        if (function->params[p].dim_count == 1 && known && known->rows > rows)
            rows = known->rows;
    }
    return rows;
}

static double known_value(const Known *known, size_t i)
{
    size_t count = (size_t)known->rows * (size_t)known->columns;
    return known->values[count == 1 ? 0 : i];
}

/* A size that no array of this function tells: the one that another function's arrays tell. 0:
 * none. One number alone tells it only when nothing longer does. */
static int size_elsewhere(const Try *t, const char *size)
{
    int single = 0;
    for (int f = 0; f < t->contract.count; f++)
        for (int p = 0; p < t->contract.functions[f].count; p++) {
            const Param *param = &t->contract.functions[f].params[p];
            const Known *known = is_given(param->role) ? known_find(&t->known, param->name) : NULL;
            for (int d = 0; known && d < param->dim_count; d++) {
                if (strcmp(param->dims[d].text, size) != 0)
                    continue;
                if (known->rows * known->columns > 1)
                    return d == param->dim_count - 1 ? known->columns : known->rows;
                single = 1;
            }
        }
    return single;
}

static bool is_flag(const char *name)
{
    return lesson.flags && word_in(lesson.flags, name);
}

static bool whole_number(Try *t, const char *name, double value)
{
    int least = is_flag(name) ? -4096 : 1;
    if (value >= least && value <= 4096 && value == (int)value)
        return true;
    snprintf(t->error, sizeof t->error, "%s is a whole number from %d to 4096", name, least);
    return false;
}

/* Fills an array from what is known, which may be `row` rows of its length further on. */
static bool prepare_array(Try *t, Case *c, int p, int row)
{
    const Param *param = &c->function->params[p];
    const Known *known = known_find(&t->known, param->name);
    size_t length = case_length(c, p), count = (size_t)known->rows * (size_t)known->columns;
    size_t from = known->rows > 1 ? (size_t)row * length : 0;
    if (count != 1 && from + length > count) {
        snprintf(t->error, sizeof t->error, "%s has %zu numbers, and %zu are needed", param->name,
                 count, length);
        return false;
    }
    float *numbers = param->is_int ? NULL : fill(c, param->name);
    int *ints = param->is_int ? fill_ints(c, param->name) : NULL;
    for (size_t i = 0; i < length; i++) {
        double value = known_value(known, from + i);
        if (numbers)
            numbers[i] = (float)value;
        else if (value == (int)value)
            ints[i] = (int)value;
        else {
            snprintf(t->error, sizeof t->error, "%s holds whole numbers, and %g is none",
                     param->name, value);
            return false;
        }
    }
    return true;
}

bool prepare_call(Try *t, Case *c, int row, int rows)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = known_find(&t->known, param->name);
        if (param->role == SIZE && known && known->from != FROM_EXAMPLE &&
            !whole_number(t, param->name, known->values[0]))
            return false;
        if (param->role == SIZE && known)
            c->sizes[p] = (int)known->values[0];
        c->null[p] = param->may_be_null && is_given(param->role) && !known;
        if ((param->role == SCALAR || is_given(param->role)) && !known && !c->null[p])
            return missing(t, learners_function(c->function->name), param);
        if (param->role == SCALAR)
            c->scalars[p] = (float)known_value(known, rows > 1 ? (size_t)row : 0);
    }
    if (!learn_sizes(t, c, rows > 1, false) || !learn_sizes(t, c, rows > 1, true))
        return false;
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        bool unknown = param->role == SIZE && !c->sizes[p] && !known_find(&t->known, param->name);
        if (unknown)
            c->sizes[p] = size_elsewhere(t, param->name);
        if (unknown && !c->sizes[p])
            return missing(t, learners_function(c->function->name), param);
    }
    for (int p = 0; p < c->function->count; p++)
        if (is_given(c->function->params[p].role) && !c->null[p] &&
            !prepare_array(t, c, p, rows > 1 ? row : 0))
            return false;
    return true;
}

/* Did the function have anything that was typed, or that followed from it? */
static bool had_typed(const Try *t, const Function *function)
{
    bool had = false;
    for (int p = 0; p < function->count; p++) {
        const Known *known = known_find(&t->known, function->params[p].name);
        had = had || (!is_answer(function->params[p].role) && known &&
                      (known->from == FROM_TYPED || known->from == FOLLOWS));
    }
    return had;
}

void learn_results(Try *t, const Step *step, const Cases *calls, int rows)
{
    const Case *first = &calls[0].items[0];
    const Function *function = first->function;
    const bool follows = had_typed(t, function);
    for (int p = 0; p < function->count; p++) {
        const Param *param = &function->params[p];
        const char *name = param->role == RETURNED ? step->result : param->name;
        const Known *old = name ? known_find(&t->known, name) : NULL;
        if (!is_answer(param->role) || param->role == IN_OUT || !name ||
            (old && !(follows && old->from == FROM_EXAMPLE)))
            continue;
        known_forget(&t->known, name);
        size_t length = case_length(first, p), width = (size_t)last_dimension(first, p);
        double *values = calloc(length * (size_t)rows + 1, sizeof *values);
        for (int r = 0; values && r < rows; r++)
            for (size_t i = 0; i < length; i++) {
                double v = calls[r].items[0].wanted[p][i].v;
                values[(size_t)r * length + i] = (float)v;
                t->too_large = t->too_large || fabs(v) > FLT_MAX;
            }
        if (values) {
            known_add(&t->known, name, values, (int)(length * (size_t)rows / width), (int)width);
            t->known.items[t->known.count - 1].from = follows ? FOLLOWS : FROM_STEP;
        }
        free(values);
    }
}
