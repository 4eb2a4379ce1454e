/* Changes of names and of indices. See edits.h. */
#include "edits.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

static bool is_plain_value(const Editor *e, int node)
{
    int parent = node_at(e, node)->parent;
    return parent >= 0 &&
           !(node_at(e, parent)->kind == E_CALL && node_at(e, parent)->child[0] == node);
}

/* Another variable, another member. */
static void other_names(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    bool written = is_target(e, node), name = n->kind == E_NAME;
    const Symbol *self = name ? symbol_at(e->program, n->from, n->from) : NULL;
    char *text = text_of(e->program, node);
    for (int i = 0; i < e->value_count && (self || !name); i++) {
        const Value *v = &e->values[i];
        if (same_kind(v->type, n->type) && strcmp(v->text, text) && value_there(e, v, n->from) &&
            !(written && v->type.fixed))
            replace_node(e, OTHER_NAME, RENAMED, node, format_text("%s", v->text));
    }
    free(text);
}

/* A number or an element as a name, or as another array's element. */
static void as_name(Editor *e, int node)
{
    const Program *program = e->program;
    const Node *n = node_at(e, node);
    bool number = n->kind == E_NUMBER;
    if (is_target(e, node))
        return;
    for (int i = 0; i < e->value_count; i++) {
        const Value *v = &e->values[i];
        if (!value_there(e, v, n->from))
            continue;
        if (is_real(v->type) || (number && is_int(v->type)))
            replace_node(e, OTHER_NAME, RENAMED + 2, node, format_text("%s", v->text));
        for (int k = 0; k < e->index_count && points_to_reals(v->type); k++)
            if (fits_at(e, e->indices[k], n->from)) {
                char *index = text_of(program, e->indices[k]);
                replace_node(e, OTHER_NAME, RENAMED + 4, node,
                             format_text("%s[%s]", v->text, index));
                free(index);
            }
    }
}

/* One name exchanged with another, or put in its place, all over some tokens. */
static void all_over(Editor *e, int rank, int from, int to, const Symbol *a, const Symbol *b,
                     bool exchange)
{
    const Program *program = e->program;
    const Tokens *t = &program->tokens;
    Buffer text = {0};
    int first = -1, count_a = 0, count_b = 0;
    for (int i = from; i < to; i++) {
        bool member = i > from && (token_is(t, i - 1, ".") || token_is(t, i - 1, "->"));
        bool is_a = !member && same_token(t, i, a->name) && symbol_at(program, i, i) == a;
        bool is_b = !member && same_token(t, i, b->name) && symbol_at(program, i, i) == b;
        int shown = is_a ? b->name : is_b && exchange ? a->name : i;
        count_a += is_a;
        count_b += is_b;
        if (first < 0 && shown != i)
            first = i;
        buffer_append(&text, t->text + t->items[shown].at, (size_t)t->items[shown].length);
        buffer_append(&text, " ", 1);
    }
    buffer_append(&text, "", 1);
    if (!count_a || (exchange && !count_b)) {
        buffer_free(&text);
        return;
    }
    add_edit(
        e->edits,
        (Edit){OTHER_NAME, e->definition, t->items[first].line, rank, {{from, to, text.data}}, 1});
}

/* In the whole body, and a pair in one statement. */
static void exchanged_names(Editor *e)
{
    const Program *program = e->program;
    for (int i = 0; i < program->symbol_count; i++)
        for (int k = 0; k < program->symbol_count; k++) {
            const Symbol *a = &program->symbols[i], *b = &program->symbols[k];
            bool here = a->from > e->d->from && a->to <= e->d->to && b->from > e->d->from &&
                        b->to <= e->d->to;
            if (i == k || !here || !same_kind(a->type, b->type))
                continue;
            if (b->parameter)
                all_over(e, RENAMED + 6, e->d->header_to, e->d->to, a, b, false);
            if (a->parameter && b->parameter && i < k)
                all_over(e, RENAMED + 6, e->d->header_to, e->d->to, a, b, true);
            for (int s = e->d->first_node; s < e->d->last_node && i < k; s++)
                if (node_at(e, s)->kind == S_EXPRESSION || node_at(e, s)->kind == S_DECLARATION)
                    all_over(e, RENAMED + 2, node_at(e, s)->from, node_at(e, s)->to, a, b, true);
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
    for (int i = 0; i < e->value_count; i++)
        if (is_count(&e->values[i]) && value_there(e, &e->values[i], n->from))
            replace_node(e, INDEX, SWAPPED + 2, index,
                         format_text("(%s) * %s + (%s)", b, e->values[i].text, a));
    free(a);
    free(b);
    free(m);
}

/* j as r * n + j, and the array x as x + r * n. */
static void with_row_base(Editor *e, int index)
{
    char *text = text_of(e->program, index);
    int at = node_at(e, index)->from;
    const char *form = node_at(e, index)->type.depth ? "(%s * %s + %s)" : "%s * %s + %s";
    for (int r = 0; r < e->value_count; r++) {
        const Value *row = &e->values[r];
        if (!is_int(row->type) || !row->symbol || row->symbol->parameter ||
            !value_there(e, row, at) || !strcmp(row->text, text))
            continue;
        for (int c = 0; c < e->value_count; c++)
            if (is_count(&e->values[c]) && value_there(e, &e->values[c], at))
                replace_node(e, ROW_BASE, RENAMED + 2, index,
                             format_text(form, row->text, e->values[c].text, text));
    }
    free(text);
}

/* Every other index that stands in the function. */
static void other_indices(Editor *e, int index)
{
    for (int k = 0; k < e->index_count; k++)
        if (e->indices[k] != index && fits_at(e, e->indices[k], node_at(e, index)->from))
            replace_node(e, INDEX, RENAMED, index, text_of(e->program, e->indices[k]));
}

/* x[j] * x[j], where both lack their row or have another index. */
static void square_of_element(Editor *e, int node)
{
    const Node *n = node_at(e, node), *element = node_at(e, n->child[0]);
    char *left = text_of(e->program, n->child[0]), *right = text_of(e->program, n->child[1]);
    bool square = element->kind == E_INDEX && has_op(e, node, "*") && !strcmp(left, right);
    char *array = text_of(e->program, square ? element->child[0] : node);
    char *index = text_of(e->program, square ? element->child[1] : node);
    for (int k = 0; k < e->index_count && square; k++)
        if (fits_at(e, e->indices[k], n->from)) {
            char *other = text_of(e->program, e->indices[k]);
            replace_node(e, INDEX, RENAMED, node,
                         format_text("%s[%s] * %s[%s]", array, other, array, other));
            free(other);
        }
    for (int r = 0; r < e->value_count && square; r++)
        for (int c = 0; c < e->value_count; c++) {
            const Value *row = &e->values[r], *count = &e->values[c];
            if (is_int(row->type) && row->symbol && !row->symbol->parameter && is_count(count) &&
                value_there(e, row, n->from) && value_there(e, count, n->from))
                replace_node(e, ROW_BASE, RENAMED + 2, node,
                             format_text("%s[%s * %s + %s] * %s[%s * %s + %s]", array, row->text,
                                         count->text, index, array, row->text, count->text, index));
        }
    free(left);
    free(right);
    free(array);
    free(index);
}

void edit_names(Editor *e)
{
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const Node *n = node_at(e, i);
        if ((n->kind == E_NAME || n->kind == E_MEMBER) && is_plain_value(e, i))
            other_names(e, i);
        int parent = n->parent;
        if ((n->kind == E_NAME || n->kind == E_MEMBER) && n->type.depth == 1 &&
            is_plain_value(e, i) && !is_target(e, i) && node_at(e, parent)->kind != E_INDEX &&
            node_at(e, parent)->kind != E_BINARY)
            with_row_base(e, i);
        if (n->kind == E_BINARY && is_real(n->type) && n->parent >= 0 && is_whole(e, i))
            as_name(e, i);
        if (n->kind == E_NUMBER ||
            (is_real(n->type) && (n->kind == E_INDEX || n->kind == E_NAME || n->kind == E_MEMBER)))
            as_name(e, i);
        if (n->kind == E_BINARY)
            square_of_element(e, i);
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
