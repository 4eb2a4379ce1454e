/* A file as a list of definitions. See line.h. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* The parenthesis of the parameters, where a function's definition begins at `token`; else -1. */
static int parameters_of(const Tokens *t, int token)
{
    while (token < t->count && !token_is(t, token, ";") && !token_is(t, token, "=") &&
           !token_is(t, token, "{")) {
        if (token_is(t, token, "(")) {
            int behind = behind_bracket(t, token);
            bool named = token > 0 && t->items[token - 1].kind == NAME;
            return named && behind && token_is(t, behind, "{") ? token : -1;
        }
        token++;
    }
    return -1;
}

/* The token behind a declaration: its semicolon is the first outside brackets. 0: there is none. */
static int behind_declaration(const Tokens *t, int token)
{
    while (token < t->count && !token_is(t, token, ";")) {
        bool opens = token_is(t, token, "(") || token_is(t, token, "{") || token_is(t, token, "[");
        int behind = opens ? behind_bracket(t, token) : token + 1;
        if (!behind)
            return 0;
        token = behind;
    }
    return token < t->count ? token + 1 : 0;
}

static bool holds_directive(const Tokens *t, int from, int to)
{
    for (int i = 0; i < t->directive_count; i++)
        if (t->directives[i].before > from && t->directives[i].before < to)
            return true;
    return false;
}

/* What can't be understood leaves no symbols and no nodes. */
static void read_definition(Parser *p, Definition *d)
{
    Program *program = p->program;
    int symbols = program->symbol_count, nodes = program->node_count;
    p->failed = holds_directive(&program->tokens, d->from, d->to);
    p->at = d->from;
    p->depth = 0;
    d->type = parse_file_type(p);
    if (p->at != d->name)
        parse_fails(p);
    p->at = d->name + 1;
    parse_parameters(p, d->to);
    d->body = parse_body(p);
    d->first_node = nodes;
    d->last_node = program->node_count;
    if (!p->failed && p->at == d->to)
        return;
    d->body = -1;
    d->last_node = program->node_count = nodes;
    program->symbol_count = symbols;
}

bool program_read(Program *program, const char *text, size_t length)
{
    *program = (Program){.nodes = calloc(MOST_NODES, sizeof *program->nodes)};
    if (!program->nodes || !tokens_read(&program->tokens, text, length))
        return false;
    const Tokens *t = &program->tokens;
    static Parser p;
    p = (Parser){.program = program};
    for (int at = 0; at < t->count;) {
        int open = parameters_of(t, at);
        p.at = at;
        p.failed = false;
        if (open < 0) {
            parse_file_declaration(&p);
            at = behind_declaration(t, at);
            if (!at)
                return false;
            continue;
        }
        if (program->definition_count == MOST_DEFINITIONS)
            return false;
        int body = behind_bracket(t, open);
        Definition *d = &program->definitions[program->definition_count++];
        *d = (Definition){
            .name = open - 1, .from = at, .header_to = body, .to = behind_bracket(t, body)};
        if (!d->to)
            return false;
        read_definition(&p, d);
        at = d->to;
    }
    return true;
}

void program_free(Program *program)
{
    tokens_free(&program->tokens);
    free(program->nodes);
    *program = (Program){0};
}

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
