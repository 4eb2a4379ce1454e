/* A file as definitions, statements and expressions: the part of C that learners write. See line.h.
 * One pass over the tokens; what a name means and what type an expression has is noted as it is
 * read, as far as a change must know it to be C.
 *
 * The invariant: what is not understood is not guessed at. A function in which something is left
 * over (asm, a directive that chooses, a macro that is no expression) has no tree, no symbols and
 * no nodes, and is left alone. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TYPEDEFS = 32, DEEPEST = 200 };

typedef struct {
    Program *program;
    int at; /* token */
    int depth;
    bool failed;
    int typedefs[MOST_TYPEDEFS]; /* tokens of names */
    Type typedef_types[MOST_TYPEDEFS];
    int typedef_count;
} Parser;

/* ---- small steps ---- */
static bool word_is_one_of(const Tokens *t, int token, const char *const words[])
{
    for (int i = 0; words[i]; i++)
        if (token_is(t, token, words[i]))
            return true;
    return false;
}

static bool here_is(const Parser *p, const char *text)
{
    return token_is(&p->program->tokens, p->at, text);
}

static bool take(Parser *p, const char *text)
{
    bool is = here_is(p, text);
    p->at += is;
    return is;
}

static TokenKind kind_of(const Parser *p, int token)
{
    return token < p->program->tokens.count ? p->program->tokens.items[token].kind : END;
}

static int parse_fails(Parser *p)
{
    p->failed = true;
    return -1;
}

static void expect(Parser *p, const char *text)
{
    if (!take(p, text))
        parse_fails(p);
}

/* The token behind the bracket that closes the one at `token`; 0: there is none. */
static int behind_bracket(const Tokens *t, int token)
{
    int depth = 0;
    do {
        depth += token_is(t, token, "(") + token_is(t, token, "{") + token_is(t, token, "[");
        depth -= token_is(t, token, ")") + token_is(t, token, "}") + token_is(t, token, "]");
        token++;
    } while (depth > 0 && token < t->count);
    return depth ? 0 : token;
}

static int new_node(Parser *p, NodeKind kind, int from, int op)
{
    Program *program = p->program;
    if (program->node_count == MOST_NODES || p->failed)
        return parse_fails(p);
    program->nodes[program->node_count] = (Node){
        .kind = kind, .from = from, .op = op, .child = {-1, -1, -1, -1}, .next = -1, .parent = -1};
    return program->node_count++;
}

/* Its tokens end here; its children are these. */
static int closed(Parser *p, int node, int a, int b, int c, int d)
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

static Type plain(char base)
{
    return (Type){base, 0, false};
}

static Type type_at(const Parser *p, int node)
{
    return node < 0 ? plain('o') : p->program->nodes[node].type;
}

static int typed(Parser *p, int node, Type type)
{
    if (node >= 0)
        p->program->nodes[node].type = type;
    return node;
}

/* Arguments, statements or variables, by their `next`. */
typedef struct {
    int first, last; /* -1: it is empty */
} List;

static void put_behind(Parser *p, List *list, int node)
{
    if (list->last >= 0)
        p->program->nodes[list->last].next = node;
    else
        list->first = node;
    list->last = node;
}

/* ---- names ---- */
static void add_symbol(Parser *p, int name, Type type, int to, bool parameter)
{
    Program *program = p->program;
    if (program->symbol_count == MOST_SYMBOLS)
        parse_fails(p);
    else
        program->symbols[program->symbol_count++] = (Symbol){name, type, p->at, to, parameter};
}

/* Those that were added from one to the other can't be used behind this. */
static void end_scope(Parser *p, int first, int end)
{
    for (int i = first; i < end; i++)
        if (p->program->symbols[i].to > p->at)
            p->program->symbols[i].to = p->at;
}

/* ---- types ---- */
static const char *const int_words[] = {
    "int",     "long",     "short",     "char",     "signed",   "unsigned",  "_Bool",
    "bool",    "size_t",   "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",   "int64_t",
    "uint8_t", "uint16_t", "uint32_t",  "uint64_t", "intptr_t", "uintptr_t", NULL};
static const char *const plain_words[] = {"const",    "volatile",     "static", "register",
                                          "inline",   "restrict",     "extern", "__restrict",
                                          "__inline", "__restrict__", NULL};

static bool is_typedef(const Parser *p, int token, Type *type)
{
    for (int i = 0; i < p->typedef_count; i++)
        if (kind_of(p, token) == NAME && same_token(&p->program->tokens, p->typedefs[i], token)) {
            *type = p->typedef_types[i];
            return true;
        }
    return false;
}

static bool starts_type(const Parser *p, int token)
{
    const Tokens *t = &p->program->tokens;
    Type type;
    return word_is_one_of(t, token, int_words) || word_is_one_of(t, token, plain_words) ||
           token_is(t, token, "float") || token_is(t, token, "double") ||
           token_is(t, token, "void") || token_is(t, token, "struct") ||
           is_typedef(p, token, &type);
}

static Type parse_type(Parser *p);

static void skip_pointers(Parser *p, Type *type)
{
    while (here_is(p, "*") || here_is(p, "const") || here_is(p, "restrict") ||
           here_is(p, "__restrict") || here_is(p, "__restrict__")) {
        type->depth += here_is(p, "*");
        p->at++;
    }
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

/* const unsigned int, static float, struct layer *. */
static Type parse_type(Parser *p)
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
        else if (is_typedef(p, p->at, &type))
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

/* With its pointers, where only one name follows. */
static Type parse_whole_type(Parser *p)
{
    Type type = parse_type(p);
    skip_pointers(p, &type);
    return type;
}

/* ---- the types of expressions ---- */
static Type type_of_number(const Tokens *t, int token)
{
    const char *text = t->text + t->items[token].at;
    int length = t->items[token].length;
    bool hex = length > 1 && text[0] == '0' && (text[1] | 32) == 'x';
    bool real = memchr(text, '.', (size_t)length) ||
                (!hex && (memchr(text, 'e', (size_t)length) || memchr(text, 'E', (size_t)length)));
    bool single = !hex && (text[length - 1] | 32) == 'f';
    return plain(single ? 'f' : real ? 'd' : 'i');
}

static Type type_of_name(const Parser *p, int name)
{
    const Symbol *symbol = symbol_at(p->program, name, name);
    return symbol ? symbol->type : plain('o');
}

static Type type_of_member(const Parser *p, int name)
{
    for (int i = 0; i < p->program->member_count; i++)
        if (kind_of(p, name) == NAME &&
            same_token(&p->program->tokens, p->program->members[i].name, name))
            return p->program->members[i].type;
    return plain('o');
}

/* Of two operands. */
static Type wider(Type a, Type b)
{
    if (a.depth || b.depth)
        return a.depth ? a : b;
    if (a.base == 'd' || b.base == 'd')
        return plain('d');
    if (a.base == 'f' || b.base == 'f')
        return plain('f');
    return plain(a.base == 'i' && b.base == 'i' ? 'i' : 'o');
}

/* What stands behind the parameters of the file's own macro of that name; NULL: there is none. */
static const char *macro_body(const Parser *p, int name)
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

/* `first`: its first argument. */
static Type type_of_call(const Parser *p, int name, int first)
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
    if (word_is_one_of(t, name, reals))
        return plain(t->text[t->items[name].at + t->items[name].length - 1] == 'f' ? 'f' : 'd');
    bool real = false;
    for (int a = macro_body(p, name) ? first : -1; a >= 0; a = p->program->nodes[a].next)
        real = real || strchr("fd", p->program->nodes[a].type.base);
    return plain(real ? 'f' : 'o');
}

/* ---- expressions ---- */
static const char *const refused_words[] = {"case",   "default",    "asm",   "__asm__", "_Generic",
                                            "typeof", "__typeof__", "union", NULL};

static int parse_expression(Parser *p, int least);
static int parse_comma(Parser *p);

/* {1, 2}: taken as it is. */
static int parse_braces(Parser *p)
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
        return typed(p, closed(p, node, inner, -1, -1, -1), type_at(p, inner));
    }
    node = new_node(p, E_CAST, from, from);
    Type type = parse_whole_type(p);
    for (; here_is(p, "[") && behind_bracket(&p->program->tokens, p->at); type.depth++)
        p->at = behind_bracket(&p->program->tokens, p->at);
    expect(p, ")");
    bool braces = !p->failed && here_is(p, "{"); /* (struct layer_norm){0} */
    int inner = braces ? parse_braces(p) : parse_expression(p, 14);
    node = closed(p, node, braces ? -1 : inner, -1, -1, -1);
    if (node >= 0 && braces)
        p->program->nodes[node].kind = E_BRACES;
    return typed(p, node, type);
}

static int parse_sizeof(Parser *p)
{
    int node = new_node(p, E_SIZEOF, p->at, p->at), inner = -1;
    p->at++;
    if (here_is(p, "(") && starts_type(p, p->at + 1)) {
        p->at++;
        parse_whole_type(p);
        expect(p, ")");
    } else {
        inner = parse_expression(p, 14);
    }
    return typed(p, closed(p, node, inner, -1, -1, -1), plain('i'));
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
    NodeKind as = kind == NUMBER ? E_NUMBER : kind == TEXT ? E_TEXT : E_NAME;
    Type type = kind == NUMBER ? type_of_number(&p->program->tokens, p->at)
                : kind == NAME ? type_of_name(p, p->at)
                               : plain('o');
    int node = new_node(p, as, p->at, p->at);
    p->at++;
    return typed(p, closed(p, node, -1, -1, -1, -1), type);
}

static int parse_arguments(Parser *p)
{
    List list = {-1, -1};
    while (!here_is(p, ")") && !p->failed) {
        int argument = parse_expression(p, 1);
        if (p->failed)
            return -1;
        put_behind(p, &list, argument);
        if (!take(p, ","))
            break;
    }
    expect(p, ")");
    return list.first;
}

static int parse_postfix(Parser *p)
{
    int from = p->at, node = parse_primary(p);
    while (!p->failed) {
        int op = p->at, inner = node;
        if (take(p, "[")) {
            node = new_node(p, E_INDEX, from, op);
            int index = parse_comma(p);
            expect(p, "]");
            Type element = type_at(p, inner);
            element.depth--;
            node = typed(p, closed(p, node, inner, index, -1, -1), element);
        } else if (take(p, "(")) {
            const Node *name = &p->program->nodes[inner];
            if (name->kind != E_NAME)
                return parse_fails(p);
            node = new_node(p, E_CALL, from, op);
            int first = parse_arguments(p);
            node = closed(p, node, inner, first, -1, -1);
            typed(p, node, type_of_call(p, name->from, first));
        } else if (here_is(p, ".") || here_is(p, "->")) {
            node = new_node(p, E_MEMBER, from, op);
            p->at += 2;
            node = typed(p, closed(p, node, inner, -1, -1, -1), type_of_member(p, op + 1));
        } else if (here_is(p, "++") || here_is(p, "--")) {
            node = new_node(p, E_POSTFIX, from, op);
            p->at++;
            node = typed(p, closed(p, node, inner, -1, -1, -1), type_at(p, inner));
        } else {
            return node;
        }
    }
    return -1;
}

static int parse_prefix(Parser *p)
{
    static const char *const marks[] = {"-", "+", "!", "~", "*", "&", "++", "--", NULL};
    const Tokens *t = &p->program->tokens;
    if (++p->depth > DEEPEST)
        return parse_fails(p);
    int node = -1, op = p->at;
    if (word_is_one_of(t, op, marks)) {
        node = new_node(p, E_PREFIX, op, op);
        p->at++;
        int inner = parse_prefix(p);
        Type type = type_at(p, inner);
        type.depth += token_is(t, op, "&") - token_is(t, op, "*");
        node = closed(p, node, inner, -1, -1, -1);
        typed(p, node, token_is(t, op, "!") ? plain('i') : type);
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
static int parse_expression(Parser *p, int least)
{
    int from = p->at, left = parse_prefix(p);
    const Tokens *t = &p->program->tokens;
    for (int level; !p->failed && (level = precedence(t, p->at)) >= least && level > 0;) {
        int op = p->at++, middle = -1;
        NodeKind kind = level == 2 ? E_ASSIGN : level == 3 ? E_CONDITION : E_BINARY;
        int node = new_node(p, kind, from, op);
        if (level == 3) {
            middle = parse_comma(p);
            expect(p, ":");
        }
        int right = parse_expression(p, level > 3 ? level + 1 : level);
        Type type = level == 2                  ? type_at(p, left)
                    : level >= 4 && level <= 10 ? plain('i')
                    : level == 3                ? wider(type_at(p, middle), type_at(p, right))
                                                : wider(type_at(p, left), type_at(p, right));
        node = level == 3 ? closed(p, node, left, middle, right, -1)
                          : closed(p, node, left, right, -1, -1);
        left = typed(p, node, type);
    }
    return left;
}

static int parse_comma(Parser *p)
{
    int from = p->at, left = parse_expression(p, 1);
    while (!p->failed && here_is(p, ",")) {
        int node = new_node(p, E_COMMA, from, p->at++);
        int right = parse_expression(p, 1);
        left = closed(p, node, left, right, -1, -1);
    }
    return left;
}

/* ---- statements ---- */
static int parse_statement(Parser *p);

/* (*rows) of float (*rows)[3] */
static bool is_pointer_to_array(const Parser *p)
{
    const Tokens *t = &p->program->tokens;
    return here_is(p, "(") && token_is(t, p->at + 1, "*") && kind_of(p, p->at + 2) == NAME &&
           token_is(t, p->at + 3, ")") && token_is(t, p->at + 4, "[");
}

/* The name's token. */
static int take_name(Parser *p, Type *type)
{
    const bool pointer = is_pointer_to_array(p);
    const int name = p->at + 2 * pointer;
    type->depth += pointer;
    p->at += pointer ? 4 : 1;
    return name;
}

/* float a = 0, *b; to the semicolon, which is taken too. */
static int parse_declaration(Parser *p, int scope_to)
{
    int node = new_node(p, S_DECLARATION, p->at, p->at);
    List list = {-1, -1};
    Type base = parse_type(p);
    if (node >= 0)
        p->program->nodes[node].op = p->at;
    do {
        Type type = base;
        int from = p->at, init = -1;
        skip_pointers(p, &type);
        const bool pointer = is_pointer_to_array(p);
        int name = take_name(p, &type);
        if (p->failed || kind_of(p, name) != NAME || here_is(p, "(")) /* a function is declared */
            return parse_fails(p);
        while (take(p, "[")) {
            type.depth++;
            type.fixed = type.fixed || !pointer;
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
        put_behind(p, &list, variable);
    } while (take(p, ","));
    expect(p, ";");
    return closed(p, node, list.first, -1, -1, -1);
}

static int parse_block(Parser *p)
{
    int node = new_node(p, S_BLOCK, p->at, p->at), first_symbol = p->program->symbol_count;
    List list = {-1, -1};
    expect(p, "{");
    while (!p->failed && !here_is(p, "}")) {
        int statement = parse_statement(p);
        if (p->failed)
            return -1;
        put_behind(p, &list, statement);
    }
    expect(p, "}");
    end_scope(p, first_symbol, p->program->symbol_count);
    return closed(p, node, list.first, -1, -1, -1);
}

static int parse_if_or_loop(Parser *p)
{
    bool is_while = here_is(p, "while"), is_do = here_is(p, "do"), is_if = here_is(p, "if");
    int node = new_node(p,
                        is_do      ? S_DO
                        : is_while ? S_WHILE
                        : is_if    ? S_IF
                                   : S_SWITCH,
                        p->at, p->at);
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
    if (is_if && take(p, "else"))
        other = parse_statement(p);
    return is_do ? closed(p, node, body, condition, -1, -1)
                 : closed(p, node, condition, body, other, -1);
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
    end_scope(p, first_symbol, last_symbol);
    return closed(p, node, init, condition, step, body);
}

/* FOR(i, n) statement. Its fuel is in the macro. */
static int parse_macro_loop(Parser *p)
{
    int node = new_node(p, S_WHILE, p->at, -1), first_symbol = p->program->symbol_count;
    p->at += 2;
    if (kind_of(p, p->at) == NAME && token_is(&p->program->tokens, p->at + 1, ","))
        add_symbol(p, p->at, plain('i'), p->program->tokens.count, false);
    int call = new_node(p, E_CALL, p->at - 2, p->at - 1);
    int name = new_node(p, E_NAME, p->at - 2, p->at - 2);
    if (name >= 0)
        p->program->nodes[name].to = p->at - 1;
    int first = parse_arguments(p);
    call = closed(p, call, name, first, -1, -1);
    int last_symbol = p->program->symbol_count, body = parse_statement(p);
    end_scope(p, first_symbol, last_symbol);
    return closed(p, node, call, body, -1, -1);
}

/* case 0: and done: are no part of the statement behind them. */
static void skip_labels(Parser *p)
{
    const Tokens *t = &p->program->tokens;
    for (;;) {
        int at = p->at;
        if (here_is(p, "case"))
            while (kind_of(p, at) != END && !token_is(t, at, ":") && !token_is(t, at, ";"))
                at++;
        else if (kind_of(p, at) == NAME)
            at++;
        if (at == p->at || !token_is(t, at, ":"))
            return;
        p->at = at + 1;
    }
}

/* Does it end in a semicolon or a brace of its own? */
static bool is_macro_statement(const Parser *p)
{
    const Tokens *t = &p->program->tokens;
    const char *body =
        kind_of(p, p->at) == NAME && token_is(t, p->at + 1, "(") ? macro_body(p, p->at) : NULL;
    if (!body)
        return false;
    size_t length = strcspn(body, "\n");
    while (length > 0 && body[length] == '\n' && body[length - 1] == '\\')
        length += 1 + strcspn(body + length + 1, "\n");
    while (length > 0 && strchr(" \t\r", body[length - 1]))
        length--;
    return length > 0 && strchr(";}", body[length - 1]);
}

static int parse_statement(Parser *p)
{
    const Tokens *t = &p->program->tokens;
    int node, inner = -1;
    if (++p->depth > DEEPEST || p->failed)
        return parse_fails(p);
    skip_labels(p);
    if (here_is(p, "{")) {
        node = parse_block(p);
    } else if (here_is(p, "for")) {
        node = parse_for(p);
    } else if (here_is(p, "if") || here_is(p, "while") || here_is(p, "do") ||
               here_is(p, "switch")) {
        node = parse_if_or_loop(p);
    } else if (starts_type(p, p->at)) {
        node = parse_declaration(p, t->count);
    } else if (kind_of(p, p->at) == NAME && token_is(t, p->at + 1, "(") && macro_body(p, p->at) &&
               !strncmp(macro_body(p, p->at), "for", 3)) {
        node = parse_macro_loop(p);
    } else {
        bool leaps = here_is(p, "goto"), ends = here_is(p, "return"), macro = is_macro_statement(p);
        bool jump = here_is(p, "break") || here_is(p, "continue") || leaps;
        bool empty = here_is(p, ";");
        node = new_node(p,
                        jump    ? S_JUMP
                        : ends  ? S_RETURN
                        : empty ? S_EMPTY
                                : S_EXPRESSION,
                        p->at, p->at);
        p->at += (jump || ends) + leaps;
        if (!here_is(p, ";"))
            inner = parse_comma(p);
        if (!take(p, ";") && !macro)
            parse_fails(p);
        node = closed(p, node, inner, -1, -1, -1);
    }
    p->depth--;
    return node;
}

/* ---- definitions ---- */
static void parse_parameters(Parser *p, int to)
{
    expect(p, "(");
    while (!p->failed && !here_is(p, ")")) {
        if (!starts_type(p, p->at)) {
            parse_fails(p);
            return;
        }
        Type type = parse_whole_type(p);
        int name = is_pointer_to_array(p) || kind_of(p, p->at) == NAME ? take_name(p, &type) : -1;
        if (name >= 0) {
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

/* One that chooses between texts. #pragma says nothing of them, and what is defined there is
 * defined before it as well. */
static bool holds_directive(const Tokens *t, int from, int to)
{
    for (int i = 0; i < t->directive_count; i++) {
        const Directive *d = &t->directives[i];
        if (d->before > from && d->before < to && !directive_is(t, d, "pragma") &&
            !directive_is(t, d, "define") && !directive_is(t, d, "undef"))
            return true;
    }
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
    d->type = parse_whole_type(p);
    if (p->at != d->name)
        parse_fails(p);
    p->at = d->name + 1;
    parse_parameters(p, d->to);
    d->body = parse_block(p);
    d->first_node = nodes;
    d->last_node = program->node_count;
    if (!p->failed && p->at == d->to)
        return;
    d->body = -1;
    d->last_node = program->node_count = nodes;
    program->symbol_count = symbols;
}

/* ---- the file ---- */
static bool token_is_behind(const Parser *p, const char *text)
{
    return token_is(&p->program->tokens, p->at + 1, text);
}

static void parse_file_declaration(Parser *p)
{
    if (take(p, "typedef")) {
        Type type = parse_whole_type(p);
        const bool pointer = is_pointer_to_array(p), array = token_is_behind(p, "[");
        type.depth += pointer ? 2 : array;
        type.fixed = type.fixed || array;
        const int name = p->at + 2 * pointer;
        if (kind_of(p, name) == NAME && p->typedef_count < MOST_TYPEDEFS) {
            p->typedefs[p->typedef_count] = name;
            p->typedef_types[p->typedef_count++] = type;
        }
    } else if (starts_type(p, p->at)) {
        parse_declaration(p, p->program->tokens.count + 1);
    }
}

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
