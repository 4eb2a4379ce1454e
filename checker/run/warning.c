/* A compiler's warning that names the mistake is a reason: it is said with the check that fails by
 * it, where it is about the function or a helper that it calls.
 *
 * The invariant: the words are the checker's. */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The compiler's own words stand below the results. */
const char *words_of_warning(const char *warning, size_t length)
{
    static const struct {
        const char *says, *words;
    } known[] = {
        {"[-Wreturn-local-addr]",
         "the address of a local variable is returned, which is gone then"},
        {"[-Wreturn-stack-address]",
         "the address of a local variable is returned, which is gone then"},
        {"[-Wdangling-pointer", "a pointer is used to a variable that is gone"},
        {"[-Wuninitialized]", "a variable is read before anything is put into it"},
        {"[-Wmaybe-uninitialized]", "a variable may be read before anything is put into it"},
        {"[-Wsometimes-uninitialized]", "a variable may be read before anything is put into it"},
        {"[-Wreturn-type]", "the function can end without returning anything"},
        {"[-Wmisleading-indentation]",
         "a statement is indented as if it belonged to the one above, and it does not"},
        {"[-Wempty-body]", "a loop or an if has nothing to do but an empty statement"},
        {"[-Wuse-after-free]", "memory is used after it was freed"},
        {"[-Wunused-value]", "a value is computed and put nowhere"},
        {"[-Wunused-comparison]", "two values are compared, and what comes out is put nowhere"},
        {"assignment used as truth value", "= gives a variable its value, == compares"},
        {"result of an assignment as a condition", "= gives a variable its value, == compares"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *found = strstr(warning, known[i].says);
        found = found ? found : strstr(warning, known[i].words); /* the emulator's */
        if (found && (size_t)(found - warning) < length)
            return known[i].words;
    }
    return NULL;
}

/* Is that line in the function, or in a helper that it calls? */
static bool is_line_of(const Program *program, const Definition *function, int line)
{
    const Definition *d = program->definitions;
    const Token *t = program->tokens.items;
    for (int i = 0; i < program->definition_count; i++)
        if (t[d[i].from].line <= line && line <= t[d[i].to - 1].line)
            return &d[i] == function || definition_calls(program, function, &d[i]);
    return false;
}

void explain_warning(CheckResult *result, const Report *report, const char *text)
{
    const char *warning = report->warnings, *source = report->source;
    Program *program = warning && *warning ? calloc(1, sizeof *program) : NULL;
    const bool read = program && program_read(program, text, strlen(text));
    const Definition *function = read ? definition_of(program, result->step) : NULL;
    for (; function && *warning; warning += strspn(warning, "\n")) {
        const size_t length = strcspn(warning, "\n");
        const char *words = words_of_warning(warning, length);
        int line = 0;
        if (words && !strncmp(warning, source, strlen(source)) &&
            sscanf(warning + strlen(source), ":%9d:", &line) == 1 &&
            is_line_of(program, function, line)) {
            add_detail(result, format_text("The compiler warns of line %d: %s.", line, words));
            break;
        }
        warning += length;
    }
    if (program)
        program_free(program);
    free(program);
}
