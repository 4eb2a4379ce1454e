/* What the line search puts around a learner's text, where a lesson has a calls.c. */
#include "line.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* What a lesson with calls.c puts before the learner's text: its struct, and what calls.c knows of
 * memory. Caller frees. */
char *text_before(void)
{
    char *header = lesson_calls() ? read_file(lesson_header(), NULL) : NULL;
    char *memory = lesson_calls() ? read_file("checker/box/trial_memory.h", NULL) : NULL;
    char *text = format_text("%s%s", memory ? memory : "", header ? header : "");
    free(memory);
    free(header);
    return text;
}

static bool is_own_name(const Program *calls, int token)
{
    static const char *const of_memory[] = {"fail_allocation", "allocations", "blocks_held",
                                            "leave_since", "leave_hidden"};
    const Tokens *t = &calls->tokens;
    bool own = false,
         member = token && (token_is(t, token - 1, ".") || token_is(t, token - 1, "->"));
    for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory; i++)
        own = own || token_is(t, token, of_memory[i]);
    for (int i = 0; i < calls->definition_count; i++)
        own = own || same_token(t, token, calls->definitions[i].name);
    return own && !member;
}

/* And behind it: calls.c, whose own names get their prefix. Caller frees. */
char *text_behind(void)
{
    char *path = format_text("checker/lessons/%s/calls.c", lesson_name);
    char *text = lesson_calls() ? read_file(path, NULL) : NULL;
    Program *calls = calloc(1, sizeof *calls);
    Buffer out = {0};
    size_t done = 0;
    if (!calls)
        author_error("out of memory");
    if (text && program_read(calls, text, strlen(text)))
        for (int i = 0; i < calls->tokens.count; i++)
            if (calls->tokens.items[i].kind == NAME && is_own_name(calls, i)) {
                size_t at = (size_t)calls->tokens.items[i].at;
                buffer_append(&out, text + done, at - done);
                buffer_append(&out, CALLS_PREFIX, strlen(CALLS_PREFIX));
                done = at;
            }
    buffer_append(&out, text ? text + done : "", text ? strlen(text + done) + 1 : 1);
    program_free(calls);
    free(calls);
    free(path);
    free(text);
    return out.data;
}
