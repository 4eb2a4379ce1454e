/* Changes of names and of indices. See edits.h. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

static bool is_plain_value(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return parent >= 0 &&
           !(node_at(e, parent)->kind == E_CALL && node_at(e, parent)->child[0] == node);
}

static void other_names(Editor *e, int node)
{
    const Program *program = e->program;
    const Node *n = node_at(e, node);
    const Symbol *self = symbol_at(program, n->from, n->from);
    bool written = is_target(e, node);
    for (int s = 0; s < program->symbol_count && self; s++) {
        const Symbol *other = &program->symbols[s];
        if (other == self || !same_kind(other->type, self->type) ||
            symbol_at(program, other->name, n->from) != other || (written && other->type.fixed))
            continue;
        replace_node(e, OTHER_NAME, RENAMED, node,
                     text_between(program, other->name, other->name + 1));
    }
}

/* A number or an element as a name, or as another array's element. */
static void as_name(Editor *e, int node)
{
    const Program *program = e->program;
    const Node *n = node_at(e, node);
    bool number = n->kind == E_NUMBER;
    if (is_target(e, node))
        return;
    for (int s = 0; s < program->symbol_count; s++) {
        const Symbol *other = &program->symbols[s];
        if (symbol_at(program, other->name, n->from) != other)
            continue;
        char *name = text_between(program, other->name, other->name + 1);
        if (!other->type.depth && (is_real(other->type) || (number && is_int(other->type))))
            replace_node(e, OTHER_NAME, RENAMED + 2, node, format_text("%s", name));
        bool reals = other->type.depth == 1 && strchr("fd", other->type.base);
        for (int k = 0; k < e->index_count && reals; k++)
            if (known_at(e, e->indices[k], n->from)) {
                char *index = text_of(program, e->indices[k]);
                replace_node(e, OTHER_NAME, RENAMED + 4, node, format_text("%s[%s]", name, index));
                free(index);
            }
        free(name);
    }
}

/* s.mean as s.variance. */
static void other_members(Editor *e, int node)
{
    const Tokens *t = &e->program->tokens;
    const int member = node_at(e, node)->op + 1;
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const int other = node_at(e, i)->op + 1;
        if (node_at(e, i)->kind == E_MEMBER && !same_token(t, member, other))
            replace_tokens(e, OTHER_NAME, RENAMED, member, member + 1,
                           text_between(e->program, other, other + 1));
    }
}

/* A pointer that moves on at every step of a loop. */
static void step_pointers(Editor *e, int loop)
{
    const Program *program = e->program;
    int step = node_at(e, loop)->child[2];
    if (node_at(e, loop)->kind != S_FOR || step < 0)
        return;
    int at = node_at(e, step)->to;
    for (int s = 0; s < program->symbol_count; s++)
        for (int c = 0; c < program->symbol_count; c++) {
            const Symbol *p = &program->symbols[s], *n = &program->symbols[c];
            if (p->type.depth != 1 || !is_int(n->type) || !n->parameter ||
                symbol_at(program, p->name, node_at(e, step)->from) != p ||
                symbol_at(program, n->name, node_at(e, step)->from) != n)
                continue;
            char *pointer = text_between(program, p->name, p->name + 1);
            char *count = text_between(program, n->name, n->name + 1);
            replace_tokens(e, ROW_BASE, ADDED, at, at, format_text(", %s += %s", pointer, count));
            free(pointer);
            free(count);
        }
}

/* One name exchanged with another, or put in its place, in the whole body. */
static void everywhere(Editor *e, const Symbol *a, const Symbol *b, bool exchange)
{
    const Program *program = e->program;
    const Tokens *t = &program->tokens;
    int from = e->d->header_to, to = e->d->to, first = -1, line = 0;
    char *text = calloc(1, 1);
    size_t used = 0;
    for (int i = from; i < to; i++) {
        bool member = i > from && (token_is(t, i - 1, ".") || token_is(t, i - 1, "->"));
        bool is_a = !member && same_token(t, i, a->name) && symbol_at(program, i, i) == a;
        bool is_b =
            !member && exchange && same_token(t, i, b->name) && symbol_at(program, i, i) == b;
        int shown = is_a ? b->name : is_b ? a->name : i;
        if ((is_a || is_b) && first < 0) {
            first = i;
            line = t->items[i].line;
        }
        size_t length = (size_t)t->items[shown].length;
        text = realloc(text, used + length + 2);
        if (!text)
            abort();
        memcpy(text + used, t->text + t->items[shown].at, length);
        used += length;
        text[used++] = ' ';
        text[used] = '\0';
    }
    if (first < 0) {
        free(text);
        return;
    }
    add_edit(e->edits, (Edit){OTHER_NAME, e->definition, line, RENAMED + 6, {{from, to, text}}, 1});
}

static void exchanged_names(Editor *e)
{
    const Program *program = e->program;
    for (int i = 0; i < program->symbol_count; i++)
        for (int k = 0; k < program->symbol_count; k++) {
            const Symbol *a = &program->symbols[i], *b = &program->symbols[k];
            bool here = a->from > e->d->from && a->to <= e->d->to && b->from > e->d->from &&
                        b->to <= e->d->to;
            if (i == k || !here || !same_kind(a->type, b->type) || !b->parameter)
                continue;
            everywhere(e, a, b, false);
            if (a->parameter && i < k)
                everywhere(e, a, b, true);
        }
}

/* ---- indices ---- */
/* a * n + b as b * n + a, and with every other count. */
static void transposed(Editor *e, int index)
{
    const Node *n = node_at(e, index);
    const Node *product = n->kind == E_BINARY ? node_at(e, n->child[0]) : NULL;
    if (!product || !has_op(e, index, "+") || product->kind != E_BINARY ||
        !has_op(e, n->child[0], "*"))
        return;
    char *a = text_of(e->program, product->child[0]), *m = text_of(e->program, product->child[1]);
    char *b = text_of(e->program, n->child[1]);
    replace_node(e, INDEX, SWAPPED + 2, index, format_text("(%s) * (%s) + (%s)", b, m, a));
    for (int s = 0; s < e->program->symbol_count; s++) {
        const Symbol *other = &e->program->symbols[s];
        if (!other->parameter || !is_int(other->type) ||
            symbol_at(e->program, other->name, n->from) != other)
            continue;
        char *name = text_between(e->program, other->name, other->name + 1);
        replace_node(e, INDEX, SWAPPED + 2, index, format_text("(%s) * %s + (%s)", b, name, a));
        free(name);
    }
    free(a);
    free(b);
    free(m);
}

/* j as r * n + j, and the array x as x + r * n. */
static void with_row_base(Editor *e, int index)
{
    const Program *program = e->program;
    char *text = text_of(program, index);
    int at = node_at(e, index)->from;
    const char *form = node_at(e, index)->type.depth ? "(%s * %s + %s)" : "%s * %s + %s";
    for (int s = 0; s < program->symbol_count; s++) {
        const Symbol *row = &program->symbols[s];
        if (row->parameter || !is_int(row->type) || symbol_at(program, row->name, at) != row ||
            same_token(&program->tokens, row->name, at))
            continue;
        for (int c = 0; c < program->symbol_count; c++) {
            const Symbol *count = &program->symbols[c];
            bool counts = count->parameter || node_at(e, index)->type.depth;
            if (!counts || !is_int(count->type) || symbol_at(program, count->name, at) != count)
                continue;
            char *r = text_between(program, row->name, row->name + 1);
            char *n = text_between(program, count->name, count->name + 1);
            replace_node(e, ROW_BASE, RENAMED + 2, index, format_text(form, r, n, text));
            free(r);
            free(n);
        }
    }
    free(text);
}

/* Every other index that stands in the function. */
static void other_indices(Editor *e, int index)
{
    for (int k = 0; k < e->index_count; k++)
        if (e->indices[k] != index && known_at(e, e->indices[k], node_at(e, index)->from))
            replace_node(e, INDEX, RENAMED, index, text_of(e->program, e->indices[k]));
}

void edit_names(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if (n->kind == E_NAME && is_plain_value(e, i))
            other_names(e, i);
        int parent = n->parent;
        if (n->kind == E_NAME && n->type.depth == 1 && is_plain_value(e, i) && !is_target(e, i) &&
            node_at(e, parent)->kind != E_INDEX && node_at(e, parent)->kind != E_BINARY)
            with_row_base(e, i);
        if (n->kind == E_NUMBER || (is_real(n->type) && (n->kind == E_INDEX || n->kind == E_NAME)))
            as_name(e, i);
        if (n->kind == E_MEMBER)
            other_members(e, i);
        step_pointers(e, i);
        if (n->kind == E_INDEX) {
            int index = n->child[1];
            if (!node_at(e, i)->type.depth)
                transposed(e, index);
            other_indices(e, index);
            if (node_at(e, index)->kind == E_NAME)
                with_row_base(e, index);
        }
    }
    exchanged_names(e);
}
