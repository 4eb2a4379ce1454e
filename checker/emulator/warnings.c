/* What a text that is C does and nobody means, which explains wrong numbers: what a compiler's
 * -Wall says of it, and TCC does not. The words are those of run/warning.c, the names those that
 * gcc has for them.
 *
 * The invariant: what is said is true of every run that comes there. A function that line/parse.c
 * has not understood, and a variable that is reached in a way not seen here, have no warnings. */
#include "library.h"
#include "line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAID = 8, DEEPEST = 500 };

typedef struct {
    int token;
    const char *says; /* what of a compiler's warning run/warning.c knows it by */
} Warning;

typedef struct {
    Program program;
    Warning items[MOST_SAID];
    int count;
} Warnings;

static void warn(Warnings *w, int token, const char *says)
{
    if (w->count < MOST_SAID)
        w->items[w->count++] = (Warning){token, says};
}

static const Node *node_at(const Warnings *w, int node)
{
    return node < 0 ? NULL : &w->program.nodes[node];
}

static bool op_is(const Warnings *w, const Node *n, const char *text)
{
    return token_is(&w->program.tokens, n->op, text);
}

static const Node *inside_parentheses(const Warnings *w, const Node *n)
{
    while (n && n->kind == E_PAREN)
        n = node_at(w, n->child[0]);
    return n;
}

static bool has_token(const Warnings *w, int from, int to, const char *text)
{
    for (int i = from; i < to; i++)
        if (token_is(&w->program.tokens, i, text))
            return true;
    return false;
}

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        length++;
    return length;
}

/* Does the file #define it, or something with it? Then it may stand for anything. */
static bool is_in_macro(const Warnings *w, int name)
{
    const Tokens *t = &w->program.tokens;
    const size_t length = (size_t)t->items[name].length;
    for (int i = 0; i < t->directive_count; i++) {
        const char *at = t->text + t->directives[i].at, *end = at + t->directives[i].length;
        while (directive_is(t, &t->directives[i], "define") && at < end) {
            const size_t letters = word_length(at, end);
            if (letters == length && !memcmp(at, t->text + t->items[name].at, length))
                return true;
            at += letters ? letters : 1;
        }
    }
    return false;
}

static bool has_macro(const Warnings *w, const Node *n)
{
    for (int i = n->from; i < n->to; i++)
        if (w->program.tokens.items[i].kind == NAME && is_in_macro(w, i))
            return true;
    return false;
}

/* ---- what is computed and not used ---- */
/* Where it is computed; -1: it is used, or does something. */
static int unused(const Warnings *w, const Node *n)
{
    const Node *of = n ? node_at(w, n->child[0]) : NULL;
    switch (n ? n->kind : E_CALL) {
    case E_NUMBER:
    case E_INDEX:
    case E_MEMBER:
        return n->from;
    case E_NAME:
        return symbol_at(&w->program, n->from, n->from) ? n->from : -1;
    case E_PAREN:
        return unused(w, of);
    case E_CAST:
        return n->type.base == 'v' && !n->type.depth ? -1 : unused(w, of);
    case E_COMMA:
        return unused(w, node_at(w, n->child[1]));
    case E_BINARY:
        return op_is(w, n, "&&") || op_is(w, n, "||") ? unused(w, node_at(w, n->child[1])) : n->op;
    case E_PREFIX:
        return op_is(w, n, "++") || op_is(w, n, "--") ? -1 : n->op;
    default:
        return -1;
    }
}

static void look_for_unused(Warnings *w, const Node *n)
{
    const bool is_for = n->kind == S_FOR;
    for (int i = 0;
         i < 3 && (is_for || (i == 0 && (n->kind == S_EXPRESSION || n->kind == E_COMMA))); i += 2) {
        const Node *part = node_at(w, n->child[i]);
        const int token = part && !has_macro(w, part) ? unused(w, part) : -1;
        if (token >= 0)
            warn(w, token, "[-Wunused-value]");
    }
}

/* ---- = in a condition ---- */
static void look_for_assignment(Warnings *w, const Node *n)
{
    const bool is_first = n->kind == S_IF || n->kind == S_WHILE;
    if (!is_first && n->kind != S_DO && n->kind != S_FOR)
        return;
    const Node *condition = node_at(w, n->child[is_first ? 0 : 1]);
    if (condition && condition->kind == E_ASSIGN && op_is(w, condition, "="))
        warn(w, condition->op, "assignment used as truth value");
}

/* ---- a function's end without a return ---- */
/* Is its value known before, or may it be? */
static bool is_constant(const Warnings *w, const Node *condition)
{
    condition = inside_parentheses(w, condition);
    return !condition || has_macro(w, condition) || condition->kind == E_NUMBER ||
           (condition->kind == E_NAME && !symbol_at(&w->program, condition->from, condition->from));
}

static bool call_returns(const Warnings *w, const Node *call)
{
    char *name = text_of(&w->program, call->child[0]);
    const bool ends = !strcmp(name, "exit") || !strcmp(name, "abort");
    const bool returns = !ends && (definition_of(&w->program, name) || library_number(name) >= 0);
    free(name);
    return returns;
}

/* Is what stands behind the statement reached? What is not known is said not to go on. */
static bool goes_on(const Warnings *w, const Node *n)
{
    const Node *first = node_at(w, n->child[0]);
    switch (n->kind) {
    case S_BLOCK:
        while (first && goes_on(w, first))
            first = node_at(w, first->next);
        return !first;
    case S_IF:
        return !is_constant(w, first) && (n->child[2] < 0 || goes_on(w, node_at(w, n->child[1])) ||
                                          goes_on(w, node_at(w, n->child[2])));
    case S_FOR:
        return !is_constant(w, node_at(w, n->child[1]));
    case S_WHILE:
        return n->op >= 0 && !is_constant(w, first);
    case S_EXPRESSION:
        first = inside_parentheses(w, first);
        return first && !has_macro(w, first) && (first->kind != E_CALL || call_returns(w, first));
    case S_EMPTY:
    case S_DECLARATION:
        return true;
    default:
        return false;
    }
}

static void look_for_end(Warnings *w, const Definition *d)
{
    const bool gives_nothing = d->type.base == 'v' && !d->type.depth;
    if (!gives_nothing && d->name > d->from && !has_token(w, d->from, d->to, "goto") &&
        goes_on(w, node_at(w, d->body)))
        warn(w, d->to - 1, "[-Wreturn-type]");
}

/* ---- a variable that is read before anything is put into it ----
 * Gone through in the order in which it runs, each loop once. Where no run can come to what puts
 * something into the variable before it has read it, whoever reads it first reads nothing. */
typedef struct {
    const Warnings *w;
    const Symbol *of;
    bool read;  /* by every run that has come here */
    int first;  /* token; -1: nowhere yet */
    bool known; /* false: something is put into it, or may be, by a run that has not read it */
    int depth;
} Reading;

static void go(Reading *r, int node);

static bool is_it(const Reading *r, const Node *n)
{
    n = inside_parentheses(r->w, n);
    return n && n->kind == E_NAME && symbol_at(&r->w->program, n->from, n->from) == r->of;
}

static bool names_it(const Reading *r, const Node *n)
{
    for (int i = n->from; i < n->to; i++)
        if (same_token(&r->w->program.tokens, i, r->of->name))
            return true;
    return false;
}

static void read_it(Reading *r, int token)
{
    r->first = r->read || r->first >= 0 ? r->first : token;
    r->read = true;
}

static void go_list(Reading *r, int node)
{
    for (; node >= 0; node = r->w->program.nodes[node].next)
        go(r, node);
}

/* Only some runs come there. */
static void go_perhaps(Reading *r, int node)
{
    const bool read = r->read;
    go(r, node);
    r->read = read;
}

static void go_either(Reading *r, int one, int other)
{
    const bool before = r->read;
    go(r, one);
    const bool read = r->read;
    r->read = before;
    go(r, other);
    r->read = r->read && read;
}

static void go_assignment(Reading *r, const Node *n)
{
    const Node *left = node_at(r->w, n->child[0]);
    const bool to_it = is_it(r, left), plainly = op_is(r->w, n, "=");
    if (!to_it)
        go(r, n->child[0]);
    go(r, n->child[1]);
    if (to_it && !plainly)
        read_it(r, left->from);
    r->known = r->known && (!to_it || r->read);
}

static void go_prefix(Reading *r, const Node *n)
{
    if (op_is(r->w, n, "&") && is_it(r, node_at(r->w, n->child[0])))
        r->known = false;
    go(r, n->child[0]);
}

/* Its body may run never, and be left anywhere. */
static void go_loop(Reading *r, const Node *n)
{
    const bool is_for = n->kind == S_FOR;
    if (n->kind == S_DO) {
        const bool leaps =
            has_token(r->w, n->from, n->to, "continue") || has_token(r->w, n->from, n->to, "break");
        (leaps ? go_perhaps : go)(r, n->child[0]);
        (leaps ? go_perhaps : go)(r, n->child[1]);
        return;
    }
    if (is_for)
        go(r, n->child[0]);
    go(r, n->child[is_for]);
    const bool read = r->read;
    go(r, n->child[is_for ? 3 : 1]);
    if (has_token(r->w, n->from, n->to, "continue"))
        r->read = read;
    if (is_for)
        go(r, n->child[2]);
    r->read = read;
}

static void go(Reading *r, int node)
{
    const Node *n = node_at(r->w, node);
    if (!n || !r->known)
        return;
    r->known = ++r->depth < DEEPEST;
    switch (n->kind) {
    case E_NAME:
        if (is_it(r, n))
            read_it(r, n->from);
        break;
    case E_SIZEOF:
        break;
    case E_BRACES:
        r->known = r->known && !names_it(r, n);
        break;
    case E_CALL:
        r->known = r->known && !(is_macro(&r->w->program.tokens, n->from) && names_it(r, n));
        go_list(r, n->child[1]);
        break;
    case E_CAST:
        if (n->type.base != 'v' || n->type.depth)
            go(r, n->child[0]);
        break;
    case E_PREFIX:
        go_prefix(r, n);
        break;
    case E_ASSIGN:
        go_assignment(r, n);
        break;
    case E_BINARY:
        go(r, n->child[0]);
        (op_is(r->w, n, "&&") || op_is(r->w, n, "||") ? go_perhaps : go)(r, n->child[1]);
        break;
    case E_CONDITION:
    case S_IF:
        go(r, n->child[0]);
        go_either(r, n->child[1], n->child[2]);
        break;
    case S_FOR:
    case S_WHILE:
    case S_DO:
        go_loop(r, n);
        break;
    case D_VARIABLE:
        go(r, n->child[0]);
        r->read = r->read && n->op != r->of->name;
        break;
    case S_JUMP:
        r->read = true; /* nobody comes behind it */
        break;
    default:
        for (int i = 0; i < 4; i++)
            go_list(r, n->child[i]);
        r->read = r->read || n->kind == S_RETURN;
    }
    r->depth--;
}

/* Is it one number or address, declared there without one? */
static const Symbol *left_open(const Warnings *w, const Node *n)
{
    if (n->kind != D_VARIABLE || n->child[0] >= 0 || !strchr("ifd", n->type.base) ||
        is_in_macro(w, n->op))
        return NULL;
    const Node *declaration = node_at(w, n->parent);
    static const char *const others[] = {"static", "extern", "volatile"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_token(w, declaration->from, declaration->op, others[i]))
            return NULL;
    return has_token(w, n->from, n->to, "[") ? NULL : symbol_at(&w->program, n->op, n->to);
}

static void look_for_reading(Warnings *w, const Definition *d, const Node *variable)
{
    const Symbol *symbol = left_open(w, variable);
    if (!symbol || has_token(w, d->from, d->to, "goto") || has_token(w, d->from, d->to, "switch"))
        return;
    Reading r = {.w = w, .of = symbol, .first = -1, .known = true};
    go(&r, d->body);
    if (r.known && r.first >= 0)
        warn(w, r.first, "[-Wuninitialized]");
}

/* ---- all of it ---- */
static int by_place(const void *a, const void *b)
{
    return ((const Warning *)a)->token - ((const Warning *)b)->token;
}

static void look(Warnings *w)
{
    for (int i = 0; i < w->program.definition_count; i++) {
        const Definition *d = &w->program.definitions[i];
        if (d->body < 0)
            continue;
        for (int k = d->first_node; k < d->last_node; k++) {
            const Node *n = &w->program.nodes[k];
            look_for_unused(w, n);
            look_for_assignment(w, n);
            look_for_reading(w, d, n);
        }
        look_for_end(w, d);
    }
    qsort(w->items, (size_t)w->count, sizeof *w->items, by_place);
}

char *warnings_of(const RunnerOptions *o)
{
    Buffer out = {0};
    Warnings *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    if (program_read(&w->program, o->text, o->length))
        look(w);
    for (int i = 0; i < w->count; i++) {
        const char *says = w->items[i].says;
        char *words = format_text("warning: %s %s", words_of_warning(says, strlen(says)),
                                  *says == '[' ? says : "[-Wparentheses]");
        buffer_append(&out, "\n", i > 0);
        append_said(&out, o, (size_t)w->program.tokens.items[w->items[i].token].at, words);
        free(words);
    }
    buffer_append(&out, "", 1);
    program_free(&w->program);
    free(w);
    return out.data;
}
