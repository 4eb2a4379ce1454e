/* Reads a lesson's vectors.json: inputs and PyTorch's answers, written by checker/vectors.py.
 *
 * A lesson may be without the file: every group is empty then. Everything in it is held against the
 * header before it is believed: names, lengths, numbers.
 */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

struct Vectors {
    cJSON *root;
    char path[512];
};

Vectors *vectors_open(const char *path, char *error, size_t error_size)
{
    char *text = read_file(path, NULL);
    bool missing = !text && errno == ENOENT;
    cJSON *root = text ? cJSON_Parse(text) : NULL;
    free(text);
    Vectors *vectors = root || missing ? calloc(1, sizeof *vectors) : NULL;
    if (!vectors) {
        snprintf(error, error_size, "%s %s", path,
                 text ? "is not JSON (checker/vectors.py writes it)" : "can't be read");
        cJSON_Delete(root);
        return NULL;
    }
    vectors->root = root;
    snprintf(vectors->path, sizeof vectors->path, "%s", path);
    return vectors;
}

void vectors_close(Vectors *vectors)
{
    if (vectors)
        cJSON_Delete(vectors->root);
    free(vectors);
}

/* The numbers of a JSON array as doubles; NULL when it is not an array of exactly `length` numbers.
 */
static double *numbers(const cJSON *array, size_t length)
{
    if (!cJSON_IsArray(array) || (size_t)cJSON_GetArraySize(array) != length)
        return NULL;
    double *values = calloc(length ? length : 1, sizeof *values);
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        if (!values || !cJSON_IsNumber(item)) {
            free(values);
            return NULL;
        }
        values[i++] = item->valuedouble;
    }
    return values;
}

static bool read_given(Case *c, int p, const cJSON *array)
{
    const Param *param = &c->function->params[p];
    size_t length = case_length(c, p);
    double *values = numbers(array, length);
    bool good = values;
    for (size_t i = 0; good && i < length; i++) {
        if (!param->is_int)
            fill(c, param->name)[i] = (float)values[i];
        else if (fabs(values[i]) <= INT32_MAX && values[i] == (int)values[i])
            fill_ints(c, param->name)[i] = (int)values[i];
        else
            good = false;
    }
    if (good && !length) /* filled, with nothing */
        param->is_int ? (void)fill_ints(c, param->name) : (void)fill(c, param->name);
    free(values);
    return good;
}

static bool read_param(Case *c, int p, const cJSON *item)
{
    const Param *param = &c->function->params[p];
    const cJSON *size = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(item, "sizes"), param->name);
    const cJSON *scalar = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(item, "scalars"), param->name);
    if (param->role == SIZE) {
        c->sizes[p] = size ? size->valueint : -1;
        return cJSON_IsNumber(size) && c->sizes[p] >= 0 && c->sizes[p] <= 100000;
    }
    if (param->role == SCALAR) {
        c->scalars[p] = scalar ? (float)scalar->valuedouble : 0;
        return cJSON_IsNumber(scalar);
    }
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(item, "given"), param->name);
    if (cJSON_IsNull(array)) {
        if (param->may_be_null)
            set_null(c, param->name);
        return param->may_be_null;
    }
    if (is_given(param->role) && !read_given(c, p, array))
        return false;
    if (is_answer(param->role)) {
        c->truth[p] = numbers(cJSON_GetObjectItemCaseSensitive(
                                  cJSON_GetObjectItemCaseSensitive(item, "wanted"), param->name),
                              case_length(c, p));
        return c->truth[p];
    }
    return true;
}

/* Sizes first: the arrays' lengths come from them. */
static bool read_case(Case *c, const cJSON *item, const char **bad)
{
    for (int sizes = 1; sizes >= 0; sizes--)
        for (int p = 0; p < c->function->count; p++)
            if ((c->function->params[p].role == SIZE) == sizes && !read_param(c, p, item)) {
                *bad = c->function->params[p].name;
                return false;
            }
    return true;
}

bool vectors_add(const Vectors *vectors, const char *group, Cases *cases, char *error,
                 size_t error_size)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(vectors->root, "groups"), group);
    if (!vectors->root)
        return true;
    if (!cJSON_IsArray(items) || !cJSON_GetArraySize(items)) {
        snprintf(error, error_size, "%s has no cases in a group \"%s\"", vectors->path, group);
        return false;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, items)
    {
        const char *function =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "function"));
        const char *label = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "label"));
        const char *bad = "function";
        bool known = function && contract_find(cases->contract, function);
        Case *c = known ? case_new(cases, function) : NULL;
        if (!known || !read_case(c, item, &bad)) {
            snprintf(error, error_size,
                     "%s, group \"%s\": \"%s\" is missing or doesn't fit the header", vectors->path,
                     group, bad);
            return false;
        }
        case_label(c, "%s", label ? label : group);
    }
    return true;
}
