/* What of a learner's file is still as it was handed out. The stub is derived from the solution
 * when the workbook is built: build/NN_name/stub.c. */
#include "engine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *handed_out(void)
{
    char path[NAME_SIZE + 16];
    snprintf(path, sizeof path, "build/%s/stub.c", lesson_name);
    return read_file(path, NULL);
}

bool is_stub(const char *source)
{
    char *stub = handed_out(), *text = read_file(source, NULL);
    bool same = stub && text && !strcmp(stub, text);
    free(stub);
    free(text);
    return same;
}

/* From the name in its definition, which begins in the first column, to the brace that ends it
 * there; with white space left out. NULL: no such definition. Caller frees. */
static char *definition(const char *text, const char *function)
{
    size_t length = strlen(function);
    for (const char *at = text; (at = strstr(at, function)); at += length) {
        const char *line = at, *end = strstr(at, "\n}");
        while (line > text && line[-1] != '\n')
            line--;
        if (at[length] != '(' || line == at || !isalpha((unsigned char)*line) || !end)
            continue;
        char *found = calloc((size_t)(end - at) + 1, 1), *to = found;
        for (; found && at < end; at++)
            if (!isspace((unsigned char)*at))
                *to++ = *at;
        return found;
    }
    return NULL;
}

bool is_stub_of(const char *source, const char *function)
{
    char *stub = handed_out(), *text = read_file(source, NULL);
    char *theirs = text ? definition(text, function) : NULL;
    char *ours = stub ? definition(stub, function) : NULL;
    bool same = ours && theirs && !strcmp(ours, theirs);
    free(ours);
    free(theirs);
    free(stub);
    free(text);
    return same;
}
