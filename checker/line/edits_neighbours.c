/* Changes that something beside it suggests: what two names are made of, exchanged; a sum divided
 * as another one is; the end of a longer index; bytes counted as elsewhere; the last of several
 * sums. See edits.h. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

/* Where a value is stored: the statement, and what is stored; -1: nothing is. */
typedef struct {
    int block, value;
} Stored;

static Stored stored_at(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    const int statement = n->parent;
    const bool plain = n->kind == E_ASSIGN && has_op(e, node, "=") && statement >= 0 &&
                       node_at(e, statement)->kind == S_EXPRESSION;
    if (n->kind == D_VARIABLE)
        return (Stored){node_at(e, statement)->parent, n->child[0]};
    return plain ? (Stored){node_at(e, statement)->parent, n->child[1]} : (Stored){-1, -1};
}

/* i = a; f = b; as i = b; f = a; */
static void exchange_values(Editor *e, int node)
{
    enum { APART = 3 };
    const Stored first = stored_at(e, node);
    int seen = 0;
    if (first.value < 0 || !is_real(node_at(e, first.value)->type))
        return;
    for (int i = node + 1; i < e->d->last_node && seen < APART; i++) {
        const Stored second = stored_at(e, i);
        if (second.value < 0 || second.block != first.block ||
            !is_real(node_at(e, second.value)->type))
            continue;
        seen++;
        char *a = text_of(e->program, first.value), *b = text_of(e->program, second.value);
        const Node *x = node_at(e, first.value), *y = node_at(e, second.value);
        if (strcmp(a, b) && x->to <= y->from)
            replace_two(e, OTHER_NAME, RENAMED + 2, x->from,
                        (Piece){x->from, x->to, format_text("%s", b)},
                        (Piece){y->from, y->to, format_text("%s", a)});
        free(a);
        free(b);
    }
}

/* a += x / n; b += y; as b += y / n; */
static void divide_alike(Editor *e, int node)
{
    const Node *n = node_at(e, node);
    const bool adds = n->kind == E_ASSIGN && has_op(e, node, "+=");
    for (int i = e->d->first_node; i < e->d->last_node && adds; i++) {
        const Node *other = node_at(e, i);
        const bool divided = i != node && other->kind == E_ASSIGN && has_op(e, i, "+=") &&
                             has_op(e, other->child[1], "/");
        const int by = divided ? node_at(e, other->child[1])->child[1] : -1;
        if (by < 0 || node_at(e, by)->kind != E_NAME || has_op(e, n->child[1], "/") ||
            !known_at(e, by, n->from))
            continue;
        char *text = text_of(e->program, n->child[1]), *count = text_of(e->program, by);
        replace_node(e, TERM, WRAPPED, n->child[1], format_text("((%s) / %s)", text, count));
        free(text);
        free(count);
    }
}

/* What stands before the name in a sum that ends in it: s * time of s * time + u. -1: it is none.
 */
static int before_in_sum(const Editor *e, int sum, int name)
{
    const Node *s = node_at(e, sum), *n = node_at(e, name);
    if (s->kind != E_BINARY || !has_op(e, sum, "+") || s->child[1] == name)
        return -1;
    const Node *last = node_at(e, s->child[1]);
    const int before =
        has_op(e, s->child[0], "+") ? node_at(e, s->child[0])->child[1] : s->child[0];
    const bool same = last->kind == E_NAME &&
                      same_token(&e->program->tokens, last->from, n->from) &&
                      is_int(node_at(e, before)->type);
    return same && fits_at(e, s->child[1], n->from) && known_at(e, before, n->from) ? before : -1;
}

/* u as s * time + u, which stands elsewhere; at an index of that array alone. */
static void end_of_sum(Editor *e, int node)
{
    enum { MOST = 4 };
    const Node *n = node_at(e, node);
    char *known[MOST];
    int count = 0;
    if (n->kind != E_NAME || !is_int(n->type) || is_target(e, node) || n->parent < 0)
        return;
    const Node *element = node_at(e, n->parent);
    const bool index = element->kind == E_INDEX && element->child[1] == node;
    char *own = text_of(e->program, node);
    char *array = index ? text_of(e->program, element->child[0]) : NULL;
    for (int i = e->d->first_node; i < e->d->last_node && count < MOST; i++) {
        const int before = before_in_sum(e, i, node);
        char *more = before >= 0 ? text_of(e->program, before) : NULL;
        bool new = more != NULL;
        for (int k = 0; k < count && new; k++)
            new = strcmp(known[k], more) != 0;
        if (new &&index)
            replace_node(e, INDEX, RENAMED, n->parent,
                         format_text("%s[%s + %s]", array, more, own));
        else if (new)
            replace_node(e, INDEX, RENAMED, node, format_text("(%s + %s)", more, own));
        if (new)
            known[count++] = more;
        else
            free(more);
    }
    for (int k = 0; k < count; k++)
        free(known[k]);
    free(own);
    free(array);
}

/* memset(p, 0, n), where n floats are meant. */
static void count_bytes(Editor *e, int node)
{
    static const char *const counted[] = {"memset", "memcpy", "memmove", "malloc"};
    const Node *n = node_at(e, node);
    int last = n->kind == E_CALL ? n->child[1] : -1;
    bool counts = false;
    for (size_t i = 0; i < sizeof counted / sizeof *counted && last >= 0; i++)
        counts = counts || token_is(&e->program->tokens, n->from, counted[i]);
    while (counts && node_at(e, last)->next >= 0)
        last = node_at(e, last)->next;
    char *text = counts ? text_of(e->program, last) : NULL;
    if (counts && !strstr(text, "sizeof"))
        replace_node(e, COUNT, RENAMED, last, format_text("(%s) * sizeof(float)", text));
    free(text);
}

/* ---- a sum of several that are summed side by side, of which one is left out ---- */
static const Symbol *symbol_of(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    return n->kind == E_NAME ? symbol_at(e->program, n->from, n->from) : NULL;
}

/* b += ...; and no line that uses b. */
static bool is_never_read(const Editor *e, const Symbol *symbol)
{
    bool summed = false;
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        const int parent = node_at(e, i)->parent;
        if (symbol_of(e, i) != symbol)
            continue;
        if (!is_target(e, i))
            return false;
        summed = summed || has_op(e, parent, "+=");
    }
    return summed;
}

/* a as a + b, where b is never read. */
static void with_unread(Editor *e)
{
    for (int v = 0; v < e->value_count; v++) {
        const Value *unread = &e->values[v];
        if (!unread->symbol || unread->symbol->parameter || !is_real(unread->type) ||
            !is_never_read(e, unread->symbol))
            continue;
        for (int i = e->d->first_node; i < e->d->last_node; i++) {
            const Symbol *symbol = symbol_of(e, i);
            if (symbol && is_real(symbol->type) && !symbol->parameter && !is_target(e, i) &&
                value_there(e, unread, node_at(e, i)->from)) {
                char *name = text_of(e->program, i);
                replace_node(e, TERM, DROPPED, i, format_text("(%s + %s)", name, unread->text));
                free(name);
            }
        }
    }
}

/* The 2 of a[2]; -1: it is no such element, or written to. */
static int number_of_element(const Editor *e, int node)
{
    const Node *n = node_at(e, node);
    if (n->kind != E_INDEX || !is_real(n->type) || is_target(e, node) || !symbol_of(e, n->child[0]))
        return -1;
    const Node *index = node_at(e, n->child[1]);
    char *text = index->kind == E_NUMBER ? text_of(e->program, n->child[1]) : NULL;
    const int number = text ? atoi(text) : -1;
    free(text);
    return number;
}

/* a[0] + a[1] + a[2] with a[3] behind it. */
static void with_next_element(Editor *e, int node)
{
    const int last = number_of_element(e, node), parent = node_at(e, node)->parent;
    if (last < 1 || !has_op(e, parent, "+"))
        return;
    const Symbol *array = symbol_of(e, node_at(e, node)->child[0]);
    for (int i = e->d->first_node; i < e->d->last_node; i++)
        if (number_of_element(e, i) > last && symbol_of(e, node_at(e, i)->child[0]) == array &&
            node_at(e, i)->parent >= 0 && has_op(e, node_at(e, i)->parent, "+"))
            return;
    char *element = text_of(e->program, node),
         *name = text_of(e->program, node_at(e, node)->child[0]);
    replace_node(e, TERM, DROPPED + 4, node, format_text("(%s + %s[%d])", element, name, last + 1));
    free(element);
    free(name);
}

void edit_by_neighbours(Editor *e)
{
    with_unread(e);
    for (int i = e->d->first_node; i < e->d->last_node; i++) {
        exchange_values(e, i);
        divide_alike(e, i);
        end_of_sum(e, i);
        count_bytes(e, i);
        with_next_element(e, i);
    }
}
