/* A function that waits for another: one that it calls, and that is still as it was handed out. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

static bool calls_function(const char *text, const char *function, const char *other)
{
    Program *program = calloc(1, sizeof *program);
    const bool read = program && program_read(program, text, strlen(text));
    const Definition *d = read ? definition_of(program, function) : NULL;
    const Definition *called = d ? definition_of(program, other) : NULL;
    const bool calls = called && called != d && definition_calls(program, d, called);
    if (program)
        program_free(program);
    free(program);
    return calls;
}

const char *unwritten_callee(const char *text, const char *function)
{
    for (const Step *step = lesson.steps; step->function; step++) {
        const char *other = learners_function(step->function);
        if (is_stub_of(text, other) && calls_function(text, function, other))
            return other;
    }
    return NULL;
}
