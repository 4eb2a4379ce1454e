/* Changes within an expression that add: a root, a square, a sign, a factor, a term. See edits.h.
 */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

/* A value: nothing is stored there, and no parentheses are looked at twice. */
static bool is_value(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    int parent = n->parent;
    if (is_statement(n) || n->kind == E_ASSIGN || n->kind == E_COMMA || n->kind == E_TEXT ||
        n->kind == E_BRACES || n->kind == E_PAREN || is_target(e, node) || parent < 0)
        return false;
    const Node *p = node_at(e, parent);
    return !(p->kind == E_CALL && p->child[0] == node) && p->kind != E_SIZEOF;
}

/* a * b: what a is multiplied with might as well be b's, so it is tried once. */
static bool is_factor(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return parent >= 0 && (has_op(e, parent, "*") || has_op(e, parent, "/")) &&
           node_at(e, parent)->kind == E_BINARY;
}

static void wrap(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *text = text_of(e->program, node);
    bool single = n->type.base == 'f';
    replace_node(e, ROOT, WRAPPED, node, format_text(single ? "sqrtf(%s)" : "sqrt(%s)", text));
    replace_node(e, SQUARE, WRAPPED - 2, node, format_text("((%s) * (%s))", text, text));
    replace_node(e, ABSOLUTE, WRAPPED + 2, node, format_text("fabs(%s)", text));
    if (n->kind != E_NUMBER)
        replace_node(e, RECIPROCAL, WRAPPED, node, format_text("(1.0f / (%s))", text));
    if (!is_factor(e, node))
        replace_node(e, SIGN, WRAPPED, node, format_text("(-(%s))", text));
    free(text);
}

/* A pointer that the function reads from as it is: *mean. */
static bool is_read_there(const Editor *e, const Symbol *symbol)
{
    bool reals = symbol->type.depth == 1 && strchr("fd", symbol->type.base);
    for (int i = e->d->first_node; i < e->d->last_node && reals; i++)
        if (node_at(e, i)->kind == E_PREFIX && has_op(e, i, "*") &&
            same_token(&e->program->tokens, node_at(e, i)->op + 1, symbol->name))
            return true;
    return false;
}

/* With every number that the function is given or has worked out. */
static void with_symbols(Editor *e, int node)
{
    const Node *parent = node_at(e, node_at(e, node)->parent);
    /* All that is worked out there, and once: not at every step of a sum. */
    bool whole = is_statement(parent) ||
                 (parent->kind == E_ASSIGN && token_is(&e->program->tokens, parent->op, "="));
    const int rank = whole ? ADDED : ADDED + 8;
    const Program *program = e->program;
    char *text = text_of(program, node);
    for (int s = 0; s < program->symbol_count; s++) {
        const Symbol *symbol = &program->symbols[s];
        bool there = is_read_there(e, symbol), real = is_real(symbol->type) || there;
        if ((!real && !(is_int(symbol->type) && symbol->parameter)) ||
            symbol_at(program, symbol->name, node_at(e, node)->from) != symbol)
            continue;
        char *plain = text_between(program, symbol->name, symbol->name + 1);
        char *name = format_text("%s%s", there ? "*" : "", plain);
        free(plain);
        if (!is_factor(e, node)) {
            replace_node(e, TERM, rank, node, format_text("((%s) * %s)", text, name));
            replace_node(e, TERM, rank, node, format_text("((%s) / %s)", text, name));
        }
        if (real) {
            replace_node(e, TERM, rank, node, format_text("(%s + %s)", text, name));
            replace_node(e, TERM, rank, node, format_text("(%s - %s)", text, name));
        }
        free(name);
    }
    free(text);
}

/* dy[i] for dy[i] * gamma[j]: with every element of an array, at every index that stands here. */
static void with_elements(Editor *e, int node)
{
    const Program *program = e->program;
    const int at = node_at(e, node)->from;
    char *text = text_of(program, node);
    for (int s = 0; s < program->symbol_count; s++) {
        const Symbol *array = &program->symbols[s];
        bool reals = array->type.depth == 1 && strchr("fd", array->type.base);
        if (!reals || symbol_at(program, array->name, at) != array)
            continue;
        char *name = text_between(program, array->name, array->name + 1);
        for (int k = 0; k < e->index_count; k++) {
            if (!known_at(e, e->indices[k], at))
                continue;
            char *index = text_of(program, e->indices[k]);
            if (!is_factor(e, node)) {
                replace_node(e, TERM, ADDED + 2, node,
                             format_text("((%s) * %s[%s])", text, name, index));
                replace_node(e, TERM, ADDED + 4, node,
                             format_text("((%s) / %s[%s])", text, name, index));
            }
            replace_node(e, TERM, ADDED + 2, node, format_text("(%s + %s[%s])", text, name, index));
            replace_node(e, TERM, ADDED + 2, node, format_text("(%s - %s[%s])", text, name, index));
            free(index);
        }
        free(name);
    }
    free(text);
}

/* A count as one more or less, or many times. */
static void other_counts(Editor *e, int node)
{
    const Program *program = e->program;
    char *text = text_of(program, node);
    for (int s = 0; s < program->symbol_count; s++) {
        const Symbol *count = &program->symbols[s];
        if (!is_int(count->type) ||
            symbol_at(program, count->name, node_at(e, node)->from) != count || is_factor(e, node))
            continue;
        char *name = text_between(program, count->name, count->name + 1);
        replace_node(e, INDEX, ADDED - 4, node, format_text("(%s * %s)", text, name));
        replace_node(e, COUNT, ADDED - 2, node, format_text("(%s / %s)", text, name));
        free(name);
    }
    replace_node(e, COUNT, RENAMED + 4, node, format_text("(%s - 1)", text));
    replace_node(e, COUNT, RENAMED + 4, node, format_text("(%s + 1)", text));
    free(text);
}

void edit_terms(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (!is_value(e, i))
            continue;
        if (is_real(n->type)) {
            wrap(e, i);
            with_symbols(e, i);
            with_elements(e, i);
        } else if (is_int(n->type) && n->kind == E_NAME) {
            other_counts(e, i);
        }
    }
}
