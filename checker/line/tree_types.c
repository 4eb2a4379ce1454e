/* Types: what words name one, what an expression has. Only as far as a change must know to be C.
 * See tree.h. */
#include "tree.h"

#include <string.h>

static const char *const int_words[] = {
    "int",     "long",     "short",     "char",     "signed",   "unsigned",  "_Bool",
    "bool",    "size_t",   "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",   "int64_t",
    "uint8_t", "uint16_t", "uint32_t",  "uint64_t", "intptr_t", "uintptr_t", NULL};
static const char *const plain_words[] = {"const",    "volatile",     "static", "register",
                                          "inline",   "restrict",     "extern", "__restrict",
                                          "__inline", "__restrict__", NULL};
bool is_typedef(const Parser *p, int token, char *base)
{
    for (int i = 0; i < p->typedef_count; i++)
        if (kind_of(p, token) == NAME && same_token(&p->program->tokens, p->typedefs[i], token)) {
            *base = p->typedef_bases[i];
            return true;
        }
    return false;
}

bool starts_type(const Parser *p, int token)
{
    const Tokens *t = &p->program->tokens;
    char base;
    return word_is_one_of(t, token, int_words) || word_is_one_of(t, token, plain_words) ||
           token_is(t, token, "float") || token_is(t, token, "double") ||
           token_is(t, token, "void") || token_is(t, token, "struct") ||
           is_typedef(p, token, &base);
}

/* What can't be understood is passed over: its members have no types. */
static void parse_members(Parser *p)
{
    const Tokens *t = &p->program->tokens;
    const int end = behind_bracket(t, p->at) - 1;
    const bool failed = p->failed;
    p->at++;
    for (p->depth++; p->at < end && p->depth < 50 && !p->failed; expect(p, ";")) {
        Type base = parse_type(p);
        do {
            Type type = base;
            skip_pointers(p, &type);
            const int name = p->at++;
            for (; here_is(p, "["); type.depth++)
                p->at = behind_bracket(t, p->at) ? behind_bracket(t, p->at) : end;
            if (kind_of(p, name) == NAME && p->program->member_count < MOST_MEMBERS)
                p->program->members[p->program->member_count++] = (Member){name, type};
        } while (p->at < end && take(p, ","));
    }
    p->depth--;
    p->failed = failed || end < 0;
    p->at = end < 0 ? t->count : end;
}

Type type_of_member(const Parser *p, int name)
{
    for (int i = 0; i < p->program->member_count; i++)
        if (kind_of(p, name) == NAME &&
            same_token(&p->program->tokens, p->program->members[i].name, name))
            return p->program->members[i].type;
    return (Type){'o', 0, false};
}

/* const unsigned int, static float, struct layer *. */
Type parse_type(Parser *p)
{
    const Tokens *t = &p->program->tokens;
    Type type = {'i', 0, false};
    for (; starts_type(p, p->at); p->at++) {
        type.fixed = type.fixed || here_is(p, "const");
        if (here_is(p, "float"))
            type.base = 'f';
        else if (here_is(p, "double"))
            type.base = 'd';
        else if (here_is(p, "void"))
            type.base = 'v';
        else if (is_typedef(p, p->at, &type.base))
            continue;
        else if (take(p, "struct")) {
            type.base = 'o';
            if (kind_of(p, p->at) == NAME && token_is(t, p->at + 1, "{"))
                p->at++;
            if (here_is(p, "{"))
                parse_members(p);
            else if (kind_of(p, p->at) != NAME)
                parse_fails(p);
        } else if (!word_is_one_of(t, p->at, plain_words) && type.base != 'd')
            type.base = 'i';
    }
    return type;
}

void skip_pointers(Parser *p, Type *type)
{
    while (here_is(p, "*") || here_is(p, "const") || here_is(p, "restrict") ||
           here_is(p, "__restrict") || here_is(p, "__restrict__")) {
        type->depth += here_is(p, "*");
        p->at++;
    }
}

void add_symbol(Parser *p, int name, Type type, int to, bool parameter)
{
    Program *program = p->program;
    if (program->symbol_count == MOST_SYMBOLS)
        parse_fails(p);
    else
        program->symbols[program->symbol_count++] = (Symbol){name, type, p->at, to, parameter};
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

Type type_of_number(const Tokens *t, int token)
{
    const char *text = t->text + t->items[token].at;
    int length = t->items[token].length;
    bool hex = length > 1 && text[0] == '0' && (text[1] | 32) == 'x';
    bool real = memchr(text, '.', (size_t)length) ||
                (!hex && (memchr(text, 'e', (size_t)length) || memchr(text, 'E', (size_t)length)));
    bool single = !hex && (text[length - 1] | 32) == 'f';
    return (Type){single ? 'f' : real ? 'd' : 'i', 0, false};
}

Type type_of_name(const Parser *p, int name)
{
    const Symbol *symbol = symbol_at(p->program, name, name);
    return symbol ? symbol->type : (Type){'o', 0, false};
}

Type wider(Type a, Type b)
{
    if (a.depth || b.depth)
        return a.depth ? a : b;
    if (a.base == 'd' || b.base == 'd')
        return (Type){'d', 0, false};
    if (a.base == 'f' || b.base == 'f')
        return (Type){'f', 0, false};
    return (Type){a.base == 'i' && b.base == 'i' ? 'i' : 'o', 0, false};
}

/* What stands behind the parameters of the file's own macro of that name; NULL: there is none. */
const char *macro_body(const Parser *p, int name)
{
    const Tokens *t = &p->program->tokens;
    size_t length = (size_t)t->items[name].length;
    for (int i = 0; i < t->directive_count; i++) {
        const char *line = t->text + t->directives[i].at, *end = line + t->directives[i].length;
        const char *word = line + 1 + strspn(line + 1, " \t");
        if (end - word < 8 || strncmp(word, "define", 6))
            continue;
        word += 6 + strspn(word + 6, " \t");
        const char *body = memchr(word, ')', (size_t)(end - word));
        if (body && !strncmp(word, t->text + t->items[name].at, length) && word[length] == '(')
            return body + 1 + strspn(body + 1, " \t\\\n");
    }
    return NULL;
}

Type type_of_call(const Parser *p, int name, int first)
{
    static const char *const reals[] = {"sqrt",  "fabs",  "exp",   "log",    "pow",   "tanh",
                                        "fmax",  "fmin",  "cbrt",  "fmaf",   "fma",   "floor",
                                        "sqrtf", "fabsf", "expf",  "logf",   "powf",  "tanhf",
                                        "fmaxf", "fminf", "cbrtf", "hypotf", "hypot", NULL};
    const Tokens *t = &p->program->tokens;
    const Definition *d = p->program->definitions;
    for (int i = 0; i < p->program->definition_count; i++)
        if (same_token(t, d[i].name, name))
            return d[i].type;
    if (!word_is_one_of(t, name, reals)) {
        bool real = false;
        if (!macro_body(p, name))
            return (Type){'o', 0, false};
        for (int a = first; a >= 0; a = p->program->nodes[a].next)
            real = real || strchr("fd", p->program->nodes[a].type.base);
        return (Type){real ? 'f' : 'o', 0, false};
    }
    return (Type){t->text[t->items[name].at + t->items[name].length - 1] == 'f' ? 'f' : 'd', 0,
                  false};
}

Type pointed_at(Type type)
{
    type.depth--;
    return type;
}
