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

/* At every step of a sum. */
static bool is_summed(const Editor *e, int node)
{
    int up = node;
    while (up >= 0 && !is_statement(node_at(e, up)) && node_at(e, up)->kind != E_ASSIGN)
        up = node_at(e, up)->parent;
    return up >= 0 && node_at(e, up)->kind == E_ASSIGN && !has_op(e, up, "=");
}

/* With every number that the function is given or has worked out. */
static void with_values(Editor *e, int node)
{
    const int rank = is_whole(e, node) ? ADDED : is_summed(e, node) ? ADDED + 12 : ADDED + 8;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        bool real = is_real(v->type);
        if ((!real && !is_count(v)) || !value_there(e, v, node_at(e, node)->from))
            continue;
        if (!is_factor(e, node)) {
            replace_node(e, TERM, rank, node, format_text("((%s) * %s)", text, v->text));
            replace_node(e, TERM, rank, node, format_text("((%s) / %s)", text, v->text));
        }
        if (real) {
            replace_node(e, TERM, rank, node, format_text("(%s + %s)", text, v->text));
            replace_node(e, TERM, rank, node, format_text("(%s - %s)", text, v->text));
        }
    }
    free(text);
}

/* dy[i] for dy[i] * gamma[j]: with every element of an array, at every index that stands here. */
static void with_elements(Editor *e, int node)
{
    const int at = node_at(e, node)->from, rank = is_whole(e, node) ? ADDED + 2 : ADDED + 6;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!points_to_reals(v->type) || !value_there(e, v, at))
            continue;
        for (int k = 0; k < e->index_count; k++) {
            if (!fits_at(e, e->indices[k], at))
                continue;
            char *index = text_of(e->program, e->indices[k]);
            if (!is_factor(e, node)) {
                replace_node(e, TERM, rank, node,
                             format_text("((%s) * %s[%s])", text, v->text, index));
                replace_node(e, TERM, rank + 2, node,
                             format_text("((%s) / %s[%s])", text, v->text, index));
            }
            replace_node(e, TERM, rank, node, format_text("(%s + %s[%s])", text, v->text, index));
            replace_node(e, TERM, rank, node, format_text("(%s - %s[%s])", text, v->text, index));
            free(index);
        }
    }
    free(text);
}

/* x * x as (x - m) * (x - m). */
static void square_about(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    char *left = text_of(e->program, n->child[0]), *right = text_of(e->program, n->child[1]);
    bool square = has_op(e, node, "*") && !strcmp(left, right);
    for (int i = 0; i < e->value_count && square; i++) {
        const Value *v = &e->values[i];
        if (!value_there(e, v, n->from))
            continue;
        if (is_real(v->type))
            replace_node(e, TERM, ADDED + 2, node,
                         format_text("((%s - %s) * (%s - %s))", left, v->text, left, v->text));
        for (int k = 0; k < e->index_count && points_to_reals(v->type); k++)
            if (fits_at(e, e->indices[k], n->from)) {
                char *index = text_of(e->program, e->indices[k]);
                replace_node(e, TERM, ADDED + 4, node,
                             format_text("((%s - %s[%s]) * (%s - %s[%s]))", left, v->text, index,
                                         left, v->text, index));
                free(index);
            }
    }
    free(left);
    free(right);
}

/* A count as one more or less, or many times. */
static void other_counts(Editor *e, int node)
{
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!is_int(v->type) || !value_there(e, v, node_at(e, node)->from) || is_factor(e, node))
            continue;
        replace_node(e, INDEX, ADDED - 4, node, format_text("(%s * %s)", text, v->text));
        replace_node(e, COUNT, ADDED - 2, node, format_text("(%s / %s)", text, v->text));
    }
    if (!is_factor(e, node))
        for (int times = 2; times <= 3; times++)
            replace_node(e, COUNT, ADDED, node, format_text("(%d * %s)", times, text));
    replace_node(e, COUNT, RENAMED + 4, node, format_text("(%s - 1)", text));
    replace_node(e, COUNT, RENAMED + 4, node, format_text("(%s + 1)", text));
    free(text);
}

/* b as b + 2 * features: a pointer or an index with what is added to another one. */
static void with_offsets(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    const bool pointer = n->type.depth > 0;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!is_int(v->type) || !value_there(e, v, n->from))
            continue;
        replace_node(e, INDEX, ADDED, node, format_text("(%s + %s)", text, v->text));
        for (int times = 2; times <= 3 && pointer && is_count(v); times++)
            replace_node(e, INDEX, ADDED + 2, node,
                         format_text("(%s + %d * %s)", text, times, v->text));
    }
    for (int i = e->d->first_node; i < e->d->last_node && pointer; i++) {
        const int offset = node_at(e, i)->kind == E_BINARY ? node_at(e, i)->child[1] : -1;
        if (offset < 0 || !node_at(e, i)->type.depth || !fits_at(e, offset, n->from) ||
            node_at(e, offset)->kind == E_NAME)
            continue;
        char *more = text_of(e->program, offset);
        replace_node(e, INDEX, ADDED, node, format_text("(%s + %s)", text, more));
        free(more);
    }
    free(text);
}

static bool is_index(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return node_at(e, parent)->kind == E_INDEX && node_at(e, parent)->child[1] == node;
}

void edit_terms(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (!is_value(e, i))
            continue;
        bool offset = n->type.depth == 1 ? is_argument(e, i) || is_whole(e, i)
                                         : is_int(n->type) && (is_index(e, i) || is_whole(e, i));
        if (offset)
            with_offsets(e, i);
        if (is_real(n->type)) {
            wrap(e, i);
            with_values(e, i);
            with_elements(e, i);
            if (n->kind == E_BINARY)
                square_about(e, i);
        } else if (is_int(n->type) && (n->kind == E_NAME || n->kind == E_MEMBER)) {
            other_counts(e, i);
        }
    }
}
