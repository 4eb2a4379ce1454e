/* What can be asked of a formula's tree, whatever it is read from. */
#include "formula_tree.h"

bool expr_same(const Expr *a, const Expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->which != b->which || a->number != b->number ||
        a->axes != b->axes || a->part != b->part || a->part_of != b->part_of ||
        a->count_off != b->count_off || a->index_count != b->index_count)
        return false;
    for (int i = 0; i < 3; i++)
        if (!expr_same(a->child[i], b->child[i]))
            return false;
    for (int i = 0; i < a->index_count; i++)
        if (!expr_same(a->index[i], b->index[i]))
            return false;
    return true;
}

unsigned expr_axes(const Expr *node)
{
    unsigned axes = 0;
    if (!node)
        return 0;
    if (node->kind == N_AXIS)
        axes |= 1u << node->which;
    for (int i = 0; i < 3; i++)
        axes |= expr_axes(node->child[i]);
    for (int i = 0; i < node->index_count; i++)
        axes |= expr_axes(node->index[i]);
    return axes & ~node->axes;
}

uint64_t expr_quantities(const Expr *node)
{
    uint64_t of = 0;
    if (!node)
        return 0;
    if (node->kind == N_QUANTITY)
        of |= (uint64_t)1 << node->which;
    for (int i = 0; i < 3; i++)
        of |= expr_quantities(node->child[i]);
    return of;
}
