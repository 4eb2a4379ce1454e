/* Tokens as functions, statements and expressions: the part of C that learners write. See line.h.
 *
 * The invariant: what is not understood is not guessed at. A function in which something is left
 * over (switch, goto, a directive, a macro with a body) has no tree, and is left alone. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static const char *const refused_words[] = {"goto",       "switch",  "case",     "default",
                                            "asm",        "__asm__", "_Generic", "typeof",
                                            "__typeof__", "union",   NULL};

bool word_is_one_of(const Tokens *t, int token, const char *const words[])
{
    for (int i = 0; words[i]; i++)
        if (token_is(t, token, words[i]))
            return true;
    return false;
}

/* ---- small steps ---- */
bool here_is(const Parser *p, const char *text)
{
    return token_is(&p->program->tokens, p->at, text);
}

bool take(Parser *p, const char *text)
{
    bool is = here_is(p, text);
    p->at += is;
    return is;
}

TokenKind kind_of(const Parser *p, int token)
{
    return token < p->program->tokens.count ? p->program->tokens.items[token].kind : END;
}

int parse_fails(Parser *p)
{
    p->failed = true;
    return -1;
}

void expect(Parser *p, const char *text)
{
    if (!take(p, text))
        parse_fails(p);
}

int new_node(Parser *p, NodeKind kind, int from, int op)
{
    Program *program = p->program;
    if (program->node_count == MOST_NODES || p->failed)
        return parse_fails(p);
    program->nodes[program->node_count] = (Node){
        .kind = kind, .from = from, .op = op, .child = {-1, -1, -1, -1}, .next = -1, .parent = -1};
    return program->node_count++;
}

/* Its tokens end here; its children are these. */
int closed(Parser *p, int node, int a, int b, int c, int d)
{
    if (p->failed || node < 0)
        return parse_fails(p);
    Node *n = &p->program->nodes[node];
    const int children[4] = {a, b, c, d};
    n->to = p->at;
    for (int i = 0; i < 4; i++) {
        n->child[i] = children[i];
        for (int child = children[i]; child >= 0; child = p->program->nodes[child].next)
            p->program->nodes[child].parent = node;
    }
    return node;
}

/* ---- expressions ---- */
/* {1, 2}: taken as it is. */
int parse_braces(Parser *p)
{
    int node = new_node(p, E_BRACES, p->at, p->at), depth = 0;
    do {
        depth += here_is(p, "{") - here_is(p, "}");
        p->at += kind_of(p, p->at) != END;
    } while (depth > 0 && kind_of(p, p->at) != END);
    if (depth)
        return parse_fails(p);
    return closed(p, node, -1, -1, -1, -1);
}

static int parse_parenthesis(Parser *p)
{
    int from = p->at++, node;
    if (!starts_type(p, p->at)) {
        node = new_node(p, E_PAREN, from, from);
        int inner = parse_comma(p);
        expect(p, ")");
        node = closed(p, node, inner, -1, -1, -1);
        if (node >= 0)
            p->program->nodes[node].type = p->program->nodes[inner].type;
        return node;
    }
    node = new_node(p, E_CAST, from, from);
    Type type = parse_type(p);
    skip_pointers(p, &type);
    for (; here_is(p, "[") && behind_bracket(&p->program->tokens, p->at); type.depth++)
        p->at = behind_bracket(&p->program->tokens, p->at);
    expect(p, ")");
    bool braces = !p->failed && here_is(p, "{"); /* (struct layer_norm){0} */
    int inner = braces ? parse_braces(p) : parse_expression(p, 14);
    node = closed(p, node, braces ? -1 : inner, -1, -1, -1);
    if (node >= 0) {
        p->program->nodes[node].kind = braces ? E_BRACES : E_CAST;
        p->program->nodes[node].type = type;
    }
    return node;
}

static int parse_sizeof(Parser *p)
{
    int node = new_node(p, E_SIZEOF, p->at, p->at), inner = -1;
    p->at++;
    if (here_is(p, "(") && starts_type(p, p->at + 1)) {
        p->at++;
        Type type = parse_type(p);
        skip_pointers(p, &type);
        expect(p, ")");
    } else {
        inner = parse_expression(p, 14);
    }
    node = closed(p, node, inner, -1, -1, -1);
    if (node >= 0)
        p->program->nodes[node].type = (Type){'i', 0, false};
    return node;
}

static int parse_primary(Parser *p)
{
    TokenKind kind = kind_of(p, p->at);
    if (here_is(p, "("))
        return parse_parenthesis(p);
    if (token_is(&p->program->tokens, p->at, "sizeof"))
        return parse_sizeof(p);
    if (kind == END || kind == MARK || word_is_one_of(&p->program->tokens, p->at, refused_words) ||
        starts_type(p, p->at))
        return parse_fails(p);
    int node = new_node(p,
                        kind == NUMBER ? E_NUMBER
                        : kind == TEXT ? E_TEXT
                                       : E_NAME,
                        p->at, p->at);
    p->at++;
    if (node >= 0)
        p->program->nodes[node].type = kind == NUMBER
                                           ? type_of_number(&p->program->tokens, p->at - 1)
                                       : kind == NAME ? type_of_name(p, p->at - 1)
                                                      : (Type){'o', 0, false};
    return closed(p, node, -1, -1, -1, -1);
}

int parse_arguments(Parser *p)
{
    int first = -1, last = -1;
    while (!here_is(p, ")") && !p->failed) {
        int argument = parse_expression(p, 1);
        if (p->failed)
            return -1;
        if (last >= 0)
            p->program->nodes[last].next = argument;
        first = first < 0 ? argument : first;
        last = argument;
        if (!take(p, ","))
            break;
    }
    expect(p, ")");
    return first;
}

static int parse_postfix(Parser *p)
{
    int from = p->at, node = parse_primary(p);
    while (!p->failed) {
        Node *nodes = p->program->nodes;
        int op = p->at, inner = node;
        if (take(p, "[")) {
            node = new_node(p, E_INDEX, from, op);
            int index = parse_comma(p);
            expect(p, "]");
            node = closed(p, node, inner, index, -1, -1);
            if (node >= 0)
                nodes[node].type = pointed_at(nodes[inner].type);
        } else if (take(p, "(")) {
            if (nodes[inner].kind != E_NAME)
                return parse_fails(p);
            node = new_node(p, E_CALL, from, op);
            int first = parse_arguments(p);
            node = closed(p, node, inner, first, -1, -1);
            if (node >= 0)
                nodes[node].type = type_of_call(p, nodes[inner].from, first);
        } else if (here_is(p, ".") || here_is(p, "->")) {
            node = new_node(p, E_MEMBER, from, op);
            p->at += 2;
            node = closed(p, node, inner, -1, -1, -1);
            if (node >= 0)
                nodes[node].type = type_of_member(p, op + 1);
        } else if (here_is(p, "++") || here_is(p, "--")) {
            node = new_node(p, E_POSTFIX, from, op);
            p->at++;
            node = closed(p, node, inner, -1, -1, -1);
            if (node >= 0)
                nodes[node].type = nodes[inner].type;
        } else {
            return node;
        }
    }
    return -1;
}

static int parse_prefix(Parser *p)
{
    static const char *const marks[] = {"-", "+", "!", "~", "*", "&", "++", "--", NULL};
    if (++p->depth > 200)
        return parse_fails(p);
    int node = -1;
    if (word_is_one_of(&p->program->tokens, p->at, marks)) {
        node = new_node(p, E_PREFIX, p->at, p->at);
        p->at++;
        int inner = parse_prefix(p);
        node = closed(p, node, inner, -1, -1, -1);
        if (node >= 0) {
            Node *n = &p->program->nodes[node];
            n->type = p->program->nodes[inner].type;
            n->type.depth += token_is(&p->program->tokens, n->op, "&") -
                             token_is(&p->program->tokens, n->op, "*");
            if (token_is(&p->program->tokens, n->op, "!"))
                n->type = (Type){'i', 0, false};
        }
    } else {
        node = parse_postfix(p);
    }
    p->depth--;
    return node;
}

int precedence(const Tokens *t, int token)
{
    static const struct {
        const char *mark;
        int precedence;
    } table[] = {{"*", 13},  {"/", 13},  {"%", 13},  {"+", 12},  {"-", 12},  {"<<", 11},
                 {">>", 11}, {"<", 10},  {">", 10},  {"<=", 10}, {">=", 10}, {"==", 9},
                 {"!=", 9},  {"&", 8},   {"^", 7},   {"|", 6},   {"&&", 5},  {"||", 4},
                 {"?", 3},   {"=", 2},   {"+=", 2},  {"-=", 2},  {"*=", 2},  {"/=", 2},
                 {"%=", 2},  {"<<=", 2}, {">>=", 2}, {"&=", 2},  {"|=", 2},  {"^=", 2}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (token_is(t, token, table[i].mark))
            return table[i].precedence;
    return 0;
}

/* Operators of at least that precedence. */
int parse_expression(Parser *p, int least)
{
    int from = p->at, left = parse_prefix(p);
    const Tokens *t = &p->program->tokens;
    for (int level; !p->failed && (level = precedence(t, p->at)) >= least && level > 0;) {
        int op = p->at++, middle = -1, right;
        NodeKind kind = level == 2 ? E_ASSIGN : level == 3 ? E_CONDITION : E_BINARY;
        int node = new_node(p, kind, from, op);
        if (level == 3) {
            middle = parse_comma(p);
            expect(p, ":");
        }
        right = parse_expression(p, level > 3 ? level + 1 : level);
        if (level == 3)
            node = closed(p, node, left, middle, right, -1);
        else
            node = closed(p, node, left, right, -1, -1);
        if (node < 0)
            return -1;
        Node *n = p->program->nodes;
        n[node].type = level == 2                  ? n[left].type
                       : level >= 4 && level <= 10 ? (Type){'i', 0, false}
                       : level == 3                ? wider(n[middle].type, n[right].type)
                                                   : wider(n[left].type, n[right].type);
        left = node;
    }
    return left;
}

int parse_comma(Parser *p)
{
    int from = p->at, left = parse_expression(p, 1);
    while (!p->failed && here_is(p, ",")) {
        int node = new_node(p, E_COMMA, from, p->at++);
        int right = parse_expression(p, 1);
        left = closed(p, node, left, right, -1, -1);
    }
    return left;
}
