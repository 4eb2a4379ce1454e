/* Named numbers for `try`: what the learner typed, the lesson's defaults, and earlier answers.
 *
 * Everything that is typed is kept or refused with a sentence that says what was expected. */
#include "try.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 4096 };

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
    double values[MOST_NUMBERS];
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
    if (t->count == MOST_NUMBERS) {
        snprintf(t->error, t->error_size, "more than %d numbers for %s", MOST_NUMBERS, t->name);
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
