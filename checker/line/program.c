/* What is asked of a file that was read: its definitions by their names, who calls whom, and the
 * text of a part. See line.h. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

const Definition *definition_of(const Program *program, const char *function)
{
    const Definition *found = NULL;
    for (int i = 0; i < program->definition_count; i++)
        if (token_is(&program->tokens, program->definitions[i].name, function)) {
            if (found)
                return NULL; /* one of two, and who knows which */
            found = &program->definitions[i];
        }
    return found;
}

static bool reaches(const Program *program, const Definition *d, const Definition *other,
                    uint64_t *seen)
{
    int self = (int)(d - program->definitions);
    if (*seen >> self & 1)
        return false;
    *seen |= (uint64_t)1 << self;
    for (int i = d->header_to; i < d->to; i++) {
        if (program->tokens.items[i].kind != NAME)
            continue;
        for (int k = 0; k < program->definition_count; k++) {
            const Definition *called = &program->definitions[k];
            if (same_token(&program->tokens, called->name, i) &&
                (called == other || reaches(program, called, other, seen)))
                return true;
        }
    }
    return false;
}

bool definition_calls(const Program *program, const Definition *d, const Definition *other)
{
    uint64_t seen = 0;
    return reaches(program, d, other, &seen);
}

char *text_between(const Program *program, int from, int to)
{
    const Tokens *t = &program->tokens;
    size_t room = 1, used = 0;
    for (int i = from; i < to; i++)
        room += (size_t)t->items[i].length + 1;
    char *text = malloc(room);
    if (!text)
        abort();
    for (int i = from; i < to; i++) {
        if (i > from && t->items[i].spaced)
            text[used++] = ' ';
        memcpy(text + used, t->text + t->items[i].at, (size_t)t->items[i].length);
        used += (size_t)t->items[i].length;
    }
    text[used] = '\0';
    return text;
}

char *text_of(const Program *program, int node)
{
    return text_between(program, program->nodes[node].from, program->nodes[node].to);
}

const Symbol *symbol_at(const Program *program, int name, int token)
{
    for (int i = program->symbol_count - 1; i >= 0; i--) {
        const Symbol *s = &program->symbols[i];
        if (s->from <= token && token < s->to && same_token(&program->tokens, s->name, name))
            return s;
    }
    return NULL;
}
