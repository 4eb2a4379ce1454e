/* Changes of a quantity in one of the lines that use it: who works xhat out anew for dgamma can go
 * wrong there alone. In that place stands then what the quantity is made of, and each change of
 * that is one. */
#include "changes.h"

#include <string.h>

enum { MOST_NODES = 40, MOST_DEEP = 3 };

/* The only line of a quantity; NULL: it has several, or is made of itself. */
static const Line *own_line(const Formula *f, int quantity)
{
    const Line *own = NULL;
    for (int i = 0; i < f->line_count; i++) {
        if (f->lines[i].quantity != quantity)
            continue;
        if (own)
            return NULL;
        own = &f->lines[i];
    }
    return f->quantities[quantity].itself ? NULL : own;
}

static int nodes_in(const Expr *node)
{
    int count = node != NULL;
    for (int i = 0; node && i < 3; i++)
        count += nodes_in(node->child[i]);
    return count;
}

/* The axes of all sums in it. */
static unsigned sums_in(const Expr *node)
{
    unsigned axes = node ? node->axes : 0;
    for (int i = 0; node && i < 3; i++)
        axes |= sums_in(node->child[i]);
    return axes;
}

static int uses_of(const Expr *node, int quantity)
{
    int uses = node && node->kind == N_QUANTITY && node->which == quantity;
    for (int i = 0; node && i < 3; i++)
        uses += uses_of(node->child[i], quantity);
    return uses;
}

/* What it is made of, where it stands with its own places, and more than a name; else NULL. */
static const Expr *made_of(const Formula *f, const Expr *at, unsigned bound)
{
    const Line *line = at->kind == N_QUANTITY ? own_line(f, at->which) : NULL;
    if (!line || expr_is_name(line->value) || (sums_in(line->value) & bound) ||
        nodes_in(line->value) > MOST_NODES)
        return NULL;
    for (int i = 0; i < at->index_count; i++)
        if (!expr_same(at->index[i], line->place[i]))
            return NULL;
    return line->value;
}

/* A deep copy, with what the quantities in it that have these axes are made of. */
static Expr *written_out(Maker *m, const Expr *node, unsigned axes, unsigned bound, int deep)
{
    if (!node)
        return NULL;
    const Expr *inner =
        deep < MOST_DEEP && expr_axes(node) == axes ? made_of(m->f, node, bound) : NULL;
    if (inner && !sums_in(inner))
        return written_out(m, inner, axes, bound, deep + 1);
    Expr other = *node;
    for (int i = 0; i < 3; i++)
        other.child[i] = written_out(m, node->child[i], axes, bound | node->axes, deep);
    for (int i = 0; i < node->index_count; i++)
        other.index[i] = written_out(m, node->index[i], axes, bound, MOST_DEEP);
    return expr_keep(m, other);
}

/* The statistics in it, all with their first place along that axis: mean[0] and rstd[0]. */
static void first_place(Maker *m, Change *all, Expr *at, unsigned axes, int axis)
{
    if (!at)
        return;
    int place = -1;
    for (int i = 0; i < at->index_count && expr_is_name(at); i++)
        if (at->index[i]->kind == N_AXIS && at->index[i]->which == axis)
            place = i;
    if (place >= 0 && (axes & ~expr_axes(at))) {
        const Expr *now = expr_with_place(m, at, place, expr_number(m, 0));
        if (!all->edit_count) {
            all->old = expr_copy(m, at);
            all->now = now;
        }
        change_add_edit(m, all, m->line, at, now);
    }
    for (int i = 0; i < 3; i++)
        first_place(m, all, at->child[i], axes, axis);
}

static void change_use(Maker *m, Expr *at, unsigned bound)
{
    const Expr *value = made_of(m->f, at, bound);
    const int first = m->changes->count;
    int uses = 0;
    for (int i = 0; i < m->f->line_count && value; i++)
        uses += uses_of(m->f->lines[i].value, at->which);
    if (uses < 2)
        return;
    Expr *own = written_out(m, value, expr_axes(at), bound, 0);
    change_each(m, own, bound);
    for (int axis = 0; axis < m->f->axis_count; axis++) {
        Change *all = change_add(m, OTHER_PLACE, NULL, NULL);
        first_place(m, all, own, expr_axes(at), axis);
        if (all->edit_count < 2)
            m->changes->count--;
    }
    for (int i = first; i < m->changes->count; i++) {
        m->changes->items[i].inside = true;
        change_add_edit(m, &m->changes->items[i], m->line, at, own);
    }
}

static void change_uses(Maker *m, Expr *at, unsigned bound)
{
    if (!at)
        return;
    if (at->kind == N_QUANTITY)
        change_use(m, at, bound);
    for (int i = 0; i < 3; i++)
        change_uses(m, at->child[i], bound | at->axes);
}

void change_inside(Maker *m)
{
    for (int i = 0; i < m->f->line_count; i++) {
        m->line = i;
        change_uses(m, m->f->lines[i].value, m->f->lines[i].axes);
    }
}
