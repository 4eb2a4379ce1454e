/* From what is known by name to one call: `try`'s cases, and those of the numeric gradients.
 *
 * Nobody types a size: the numbers typed for an array tell the sizes in its shape. */
#include "try.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
static bool learn_size(Trial *t, Case *c, int p, int from, int to, int length)
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

static bool learn_sizes_of(Trial *t, Case *c, int p, const Known *known, bool by_row)
{
    int dims = c->function->params[p].dim_count, count = known->rows * known->columns;
    if (dims == 1)
        return learn_size(t, c, p, 0, 1, by_row && known->rows > 1 ? known->columns : count);
    return learn_size(t, c, p, dims - 1, dims, known->columns) &&
           learn_size(t, c, p, 0, dims - 1, known->rows);
}

/* One number stands for all, except where it is all that tells a size. Rows are looked at first:
 * they leave no doubt. */
static bool learn_sizes(Trial *t, Case *c, bool by_row, bool single)
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

static bool missing(Trial *t, const char *function, const Param *param)
{
    char shape[4 * NAME_SIZE] = "";
    shape_text(param, 0, param->dim_count, shape, sizeof shape);
    snprintf(t->error, sizeof t->error, "%s needs %s=...%s%s", function, param->name,
             shape[0] ? ", " : "", shape);
    t->lacks = true;
    return false;
}

int rows_to_go(const Trial *t, const Function *function)
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
static int size_elsewhere(const Trial *t, const char *size)
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

static bool whole_number(Trial *t, const char *name, double value)
{
    int least = is_flag(name) ? -4096 : 1;
    if (value >= least && value <= 4096 && value == (int)value)
        return true;
    snprintf(t->error, sizeof t->error, "%s is a whole number from %d to 4096", name, least);
    return false;
}

/* Fills an array from what is known, which may be `row` rows of its length further on. */
static bool prepare_array(Trial *t, Case *c, int p, int row)
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

bool prepare_call(Trial *t, Case *c, int row, int rows)
{
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        const Known *known = known_find(&t->known, param->name);
        if (param->role == SIZE && known && !whole_number(t, param->name, known->values[0]))
            return false;
        if (param->role == SIZE && known)
            c->sizes[p] = (int)known->values[0];
        c->null[p] = param->may_be_null && is_given(param->role) && !known;
        if ((param->role == SCALAR || is_given(param->role)) && !known && !c->null[p])
            return missing(t, c->function->name, param);
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
            return missing(t, c->function->name, param);
    }
    for (int p = 0; p < c->function->count; p++)
        if (is_given(c->function->params[p].role) && !c->null[p] &&
            !prepare_array(t, c, p, rows > 1 ? row : 0))
            return false;
    return true;
}
