/* Statements, declarations and parameters. See tree.h; expressions are in tree.c. */
#include "tree.h"

#include <string.h>

static int parse_statement(Parser *p);

/* float a = 0, *b; to the semicolon, which is taken too. */
static int parse_declaration(Parser *p, int scope_to)
{
    int node = new_node(p, S_DECLARATION, p->at, p->at), first = -1, last = -1;
    Type base = parse_type(p);
    if (node >= 0)
        p->program->nodes[node].op = p->at;
    do {
        Type type = base;
        int from = p->at, init = -1;
        skip_pointers(p, &type);
        int name = p->at++;
        if (p->failed || kind_of(p, name) != NAME)
            return parse_fails(p);
        if (here_is(p, "("))
            return parse_fails(p); /* a function is declared */
        while (take(p, "[")) {
            type.depth++;
            type.fixed = true;
            if (!here_is(p, "]"))
                parse_expression(p, 1);
            expect(p, "]");
        }
        int variable = new_node(p, D_VARIABLE, from, name);
        if (take(p, "="))
            init = here_is(p, "{") ? parse_braces(p) : parse_expression(p, 1);
        add_symbol(p, name, type, scope_to, false);
        variable = closed(p, variable, init, -1, -1, -1);
        if (variable < 0)
            return -1;
        p->program->nodes[variable].type = type;
        if (last >= 0)
            p->program->nodes[last].next = variable;
        first = first < 0 ? variable : first;
        last = variable;
    } while (take(p, ","));
    expect(p, ";");
    return closed(p, node, first, -1, -1, -1);
}

/* The token behind the bracket that closes the one at `token`; 0: there is none. */
int behind_bracket(const Tokens *t, int token)
{
    int depth = 0;
    do {
        depth += token_is(t, token, "(") + token_is(t, token, "{") + token_is(t, token, "[");
        depth -= token_is(t, token, ")") + token_is(t, token, "}") + token_is(t, token, "]");
        token++;
    } while (depth > 0 && token < t->count);
    return depth ? 0 : token;
}

static int parse_for(Parser *p)
{
    const Tokens *t = &p->program->tokens;
    int node = new_node(p, S_FOR, p->at, p->at), init = -1, condition = -1, step = -1;
    int open = ++p->at, behind = behind_bracket(t, open);
    expect(p, "(");
    if (!behind)
        return parse_fails(p);
    /* The scope of what it declares is the loop: closed below, when its end is known. */
    int first_symbol = p->program->symbol_count;
    if (starts_type(p, p->at)) {
        init = parse_declaration(p, t->count);
    } else {
        if (!here_is(p, ";"))
            init = parse_comma(p);
        expect(p, ";");
    }
    if (!here_is(p, ";"))
        condition = parse_comma(p);
    if (node >= 0)
        p->program->nodes[node].op = p->at;
    expect(p, ";");
    if (!here_is(p, ")"))
        step = parse_comma(p);
    expect(p, ")");
    int last_symbol = p->program->symbol_count, body = parse_statement(p);
    for (int i = first_symbol; i < last_symbol; i++)
        p->program->symbols[i].to = p->at;
    return closed(p, node, init, condition, step, body);
}

static int parse_block(Parser *p)
{
    int node = new_node(p, S_BLOCK, p->at, p->at), first = -1, last = -1;
    int first_symbol = p->program->symbol_count;
    expect(p, "{");
    while (!p->failed && !here_is(p, "}")) {
        int statement = parse_statement(p);
        if (p->failed)
            return -1;
        if (last >= 0)
            p->program->nodes[last].next = statement;
        first = first < 0 ? statement : first;
        last = statement;
    }
    expect(p, "}");
    for (int i = first_symbol; i < p->program->symbol_count; i++)
        if (p->program->symbols[i].to > p->at)
            p->program->symbols[i].to = p->at;
    return closed(p, node, first, -1, -1, -1);
}

static int parse_if_or_loop(Parser *p)
{
    bool is_while = here_is(p, "while"), is_do = here_is(p, "do");
    int node = new_node(p, is_do ? S_DO : is_while ? S_WHILE : S_IF, p->at, p->at);
    int condition = -1, body = -1, other = -1;
    p->at++;
    if (is_do) {
        body = parse_statement(p);
        expect(p, "while");
    }
    expect(p, "(");
    condition = parse_comma(p);
    expect(p, ")");
    if (is_do)
        expect(p, ";");
    else
        body = parse_statement(p);
    if (!is_do && !is_while && take(p, "else"))
        other = parse_statement(p);
    return is_do ? closed(p, node, body, condition, -1, -1)
                 : closed(p, node, condition, body, other, -1);
}

/* FOR(i, n) statement. Its fuel is in the macro. */
static int parse_macro_loop(Parser *p)
{
    int node = new_node(p, S_WHILE, p->at, -1), first_symbol = p->program->symbol_count;
    p->at += 2;
    if (kind_of(p, p->at) == NAME && token_is(&p->program->tokens, p->at + 1, ","))
        add_symbol(p, p->at, (Type){'i', 0, false}, p->program->tokens.count, false);
    int call = new_node(p, E_CALL, p->at - 2, p->at - 1);
    int name = new_node(p, E_NAME, p->at - 2, p->at - 2);
    if (name >= 0)
        p->program->nodes[name].to = p->at - 1;
    int first = parse_arguments(p);
    call = closed(p, call, name, first, -1, -1);
    int last_symbol = p->program->symbol_count, body = parse_statement(p);
    for (int i = first_symbol; i < last_symbol; i++)
        p->program->symbols[i].to = p->at;
    return closed(p, node, call, body, -1, -1);
}

static int parse_statement(Parser *p)
{
    const Tokens *t = &p->program->tokens;
    int node, inner = -1;
    if (++p->depth > 200 || p->failed)
        return parse_fails(p);
    if (here_is(p, "{")) {
        node = parse_block(p);
    } else if (here_is(p, "for")) {
        node = parse_for(p);
    } else if (here_is(p, "if") || here_is(p, "while") || here_is(p, "do")) {
        node = parse_if_or_loop(p);
    } else if (starts_type(p, p->at)) {
        node = parse_declaration(p, t->count);
    } else if (kind_of(p, p->at) == NAME && token_is(t, p->at + 1, "(") && macro_body(p, p->at) &&
               !strncmp(macro_body(p, p->at), "for", 3)) {
        node = parse_macro_loop(p);
    } else {
        bool jump = here_is(p, "break") || here_is(p, "continue"), ends = here_is(p, "return");
        bool empty = here_is(p, ";");
        node = new_node(p,
                        jump    ? S_JUMP
                        : ends  ? S_RETURN
                        : empty ? S_EMPTY
                                : S_EXPRESSION,
                        p->at, p->at);
        p->at += jump || ends;
        if (!here_is(p, ";"))
            inner = parse_comma(p);
        expect(p, ";");
        node = closed(p, node, inner, -1, -1, -1);
    }
    p->depth--;
    return node;
}

int parse_body(Parser *p)
{
    return parse_block(p);
}

/* ---- the file's own level ---- */
void parse_parameters(Parser *p, int to)
{
    expect(p, "(");
    while (!p->failed && !here_is(p, ")")) {
        if (!starts_type(p, p->at)) {
            parse_fails(p);
            return;
        }
        Type type = parse_type(p);
        skip_pointers(p, &type);
        int name = p->at;
        if (kind_of(p, name) == NAME) {
            p->at++;
            while (here_is(p, "[")) {
                p->at = behind_bracket(&p->program->tokens, p->at);
                type.depth++;
            }
            add_symbol(p, name, type, to, true);
        }
        take(p, ",");
    }
    expect(p, ")");
}

void parse_file_declaration(Parser *p)
{
    bool names_type = take(p, "typedef");
    if (names_type) {
        Type type = parse_type(p);
        skip_pointers(p, &type);
        if (kind_of(p, p->at) == NAME && p->typedef_count < MOST_TYPEDEFS && !type.depth) {
            p->typedefs[p->typedef_count] = p->at;
            p->typedef_bases[p->typedef_count++] = type.base;
        }
    } else if (starts_type(p, p->at)) {
        parse_declaration(p, p->program->tokens.count + 1);
    }
}

Type parse_file_type(Parser *p)
{
    Type type = parse_type(p);
    skip_pointers(p, &type);
    return type;
}
