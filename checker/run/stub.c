/* What of a learner's text is still as it was handed out, which
 * checker/lessons/NN_name/stub.c keeps. */
#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char *handed_out(size_t *length)
{
    char path[NAME_SIZE + 32];
    snprintf(path, sizeof path, "checker/lessons/%s/stub.c", lesson_name);
    return read_file(path, length);
}

bool is_stub(const char *text, size_t length)
{
    size_t stub_length;
    char *stub = handed_out(&stub_length);
    bool same = stub && stub_length == length && !memcmp(stub, text, length);
    free(stub);
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

bool is_stub_of(const char *text, const char *function)
{
    char *stub = handed_out(NULL), *theirs = definition(text, function);
    char *ours = stub ? definition(stub, function) : NULL;
    bool same = ours && theirs && !strcmp(ours, theirs);
    free(ours);
    free(theirs);
    free(stub);
    return same;
}
