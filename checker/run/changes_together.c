/* Changes in several places at once: two names that change places, one in place of another wherever
 * it stands, all sums alike, an array in another layout, statistics of other numbers; and what is
 * answered. */
#include "changes.h"

#include <string.h>

/* ---- in several lines at once ---- */
static Expr *each_leaf(Maker *m, int line, Expr *at, bool (*visit)(void *, Maker *, int, Expr *),
                       void *with)
{
    if (!at)
        return NULL;
    if (expr_is_name(at) || at->kind == N_REDUCE)
        visit(with, m, line, at);
    for (int i = 0; i < 3; i++)
        each_leaf(m, line, at->child[i], visit, with);
    return at;
}

/* Two names of the same shape, each read where the other is meant. */
typedef struct {
    const Expr *names[2];
    Change *change;
} Exchange;

static bool exchange_leaf(void *with, Maker *m, int line, Expr *at)
{
    Exchange *both = with;
    bool same_array = both->names[0]->kind == both->names[1]->kind &&
                      both->names[0]->which == both->names[1]->which;
    for (int i = 0; i < 2; i++) {
        const Expr *own = both->names[i], *other = both->names[1 - i];
        if (same_array ? !expr_same(at, own) : at->kind != own->kind || at->which != own->which)
            continue;
        Expr now = *at;
        now.kind = other->kind;
        now.which = other->which;
        if (same_array)
            memcpy(now.index, other->index, sizeof now.index);
        change_add_edit(m, both->change, line, at, expr_keep(m, now));
        return true;
    }
    return false;
}

static bool stands_in(const Expr *node, const Expr *name)
{
    if (!node)
        return false;
    if (node->kind == name->kind && node->which == name->which)
        return true;
    for (int i = 0; i < 3; i++)
        if (stands_in(node->child[i], name))
            return true;
    return false;
}

/* In all lines where one of them stands (`line` -1), or in one that has both. */
static void exchange_in(Maker *m, const Expr *first, const Expr *second, int line)
{
    m->line = line < 0 ? 0 : line;
    Exchange both = {{first, second}, change_add(m, EXCHANGED, first, second)};
    for (int i = 0; i < m->f->line_count; i++)
        if (line < 0 || i == line)
            each_leaf(m, i, m->f->lines[i].value, exchange_leaf, &both);
    both.change->everywhere = line < 0;
    if (both.change->edit_count)
        both.change->line = both.change->edits[0].line;
    if (!both.change->edit_count)
        m->changes->count--;
}

static void exchange_names(Maker *m)
{
    for (int a = 0; a < m->occurrence_count; a++)
        for (int b = a + 1; b < m->occurrence_count; b++) {
            const Expr *first = m->occurrences[a].node, *second = m->occurrences[b].node;
            if (first->index_count != second->index_count)
                continue;
            if (first->kind == second->kind && first->kind != N_QUANTITY)
                exchange_in(m, first, second, -1);
            if (first->kind == second->kind && first->which == second->which)
                continue;
            for (int line = 0; line < m->f->line_count; line++)
                if (stands_in(m->f->lines[line].value, first) &&
                    stands_in(m->f->lines[line].value, second))
                    exchange_in(m, first, second, line);
        }
}

/* One name in place of another, wherever that stands, or in all sums. */
typedef struct {
    const Expr *old, *now;
    bool in_sums;
    Change *change;
} Renaming;

static bool rename_leaf(void *with, Maker *m, int line, Expr *at)
{
    Renaming *renaming = with;
    if (!expr_same(at, renaming->old) ||
        (renaming->in_sums && m->f->lines[line].value->kind != N_REDUCE))
        return false;
    change_add_edit(m, renaming->change, line, at, renaming->now);
    return true;
}

static void rename_all(Maker *m, const Expr *old, const Expr *now, bool in_sums)
{
    Renaming renaming = {old, now, in_sums, change_add(m, OTHER_NAME, old, now)};
    bool good = true;
    renaming.change->line = -1;
    for (int line = 0; line < m->f->line_count; line++) {
        int before = renaming.change->edit_count;
        each_leaf(m, line, m->f->lines[line].value, rename_leaf, &renaming);
        m->line = line;
        good = good && (before == renaming.change->edit_count || change_may_use(m, now, ~0u));
        if (before < renaming.change->edit_count && renaming.change->line < 0)
            renaming.change->line = line;
    }
    if (renaming.change->edit_count < 2 || !good)
        m->changes->count--;
}

static void rename_everywhere(Maker *m)
{
    for (int a = 0; a < m->occurrence_count; a++)
        for (int b = 0; b < m->occurrence_count; b++) {
            const Expr *old = m->occurrences[a].node, *now = m->occurrences[b].node;
            if (a == b || !old->index_count || !now->index_count ||
                (m->occurrences[b].axes & ~m->occurrences[a].axes))
                continue;
            rename_all(m, old, now, false);
            rename_all(m, old, now, true);
        }
}

/* An array that is read in another layout, wherever it is read. */
typedef struct {
    const Expr *like, *now;
    Change *change;
} Relaid;

static bool relay(void *with, Maker *m, int line, Expr *at)
{
    Relaid *all = with;
    if (at->kind != N_GIVEN || at->which != all->like->which)
        return false;
    Expr now = *at;
    now.reordered = all->now->reordered;
    memcpy(now.order, all->now->order, sizeof now.order);
    now.child[0] = all->now->child[0];
    change_add_edit(m, all->change, line, at, expr_keep(m, now));
    return true;
}

static void relay_everywhere(Maker *m)
{
    int count = m->changes->count;
    for (int i = 0; i < count; i++) {
        Change one = m->changes->items[i];
        if (one.kind != OTHER_LAYOUT || one.edit_count != 1 || !one.old ||
            one.old->kind != N_GIVEN || one.now->kind != N_GIVEN)
            continue;
        m->line = one.line;
        Relaid all = {one.old, one.now, change_add(m, OTHER_LAYOUT, one.old, one.now)};
        for (int line = 0; line < m->f->line_count; line++)
            each_leaf(m, line, m->f->lines[line].value, relay, &all);
        all.change->everywhere = true;
        if (all.change->edit_count < 2)
            m->changes->count--;
    }
}

/* The same place, h * size + k, changed wherever it stands; and i / size, its reverse, with it. */
static void replace_place(Maker *m, Change *change, int line, Expr *at, const Expr *old,
                          const Expr *now)
{
    if (!at)
        return;
    const Expr *block = old->kind == N_ADD ? old->child[0] : NULL;
    bool reverse = at->kind == N_DIV && block && block->kind == N_MUL &&
                   block->child[0]->kind == N_AXIS && expr_same(at->child[1], block->child[1]);
    if (expr_same(at, old))
        change_add_edit(m, change, line, at, now);
    else if (reverse)
        change_add_edit(
            m, change, line, at,
            expr_binary(m, N_REST, at->child[0], m->f->axes[block->child[0]->which].length));
    for (int i = 0; i < 3; i++)
        replace_place(m, change, line, at->child[i], old, now);
    for (int i = 0; i < at->index_count; i++)
        replace_place(m, change, line, at->index[i], old, now);
}

static void replace_places(Maker *m)
{
    int count = m->changes->count;
    for (int i = 0; i < count; i++) {
        Change one = m->changes->items[i];
        if ((one.kind != OTHER_LAYOUT && one.kind != OTHER_PLACE) || one.edit_count != 1 ||
            !one.old || (one.old->kind != N_ADD && one.old->kind != N_DIV))
            continue;
        m->line = one.line;
        Change *all = change_add(m, one.kind, one.old, one.now);
        for (int line = 0; line < m->f->line_count; line++)
            replace_place(m, all, line, m->f->lines[line].value, one.old, one.now);
        if (all->edit_count < 2)
            m->changes->count--;
    }
}

/* Which block that place is in, and of how many numbers each is: j, size + j, 2 * size + j. -1: it
 * is in none. */
static int block_of(const Expr *place, const Expr **inside)
{
    const Expr *offset = place->kind == N_ADD ? place->child[0] : NULL;
    *inside = offset ? place->child[1] : place;
    if ((*inside)->kind != N_AXIS)
        return -1;
    return !offset                  ? 0
           : offset->kind == N_SIZE ? 1
           : offset->kind == N_MUL && offset->child[0]->kind == N_NUMBER
               ? (int)offset->child[0]->number
               : -1;
}

/* The blocks of an array interleaved: 4 * j + 2 for 2 * size + j. */
typedef struct {
    int param, blocks;
    Change *change;
} Interleaving;

static bool interleave(void *with, Maker *m, int line, Expr *at)
{
    Interleaving *all = with;
    int last = at->index_count - 1, block;
    const Expr *inside;
    if (at->kind != N_GIVEN || at->which != all->param || last < 0 ||
        (block = block_of(at->index[last], &inside)) < 0)
        return false;
    const Expr *first = expr_binary(m, N_MUL, inside, expr_number(m, all->blocks));
    const Expr *now =
        expr_with_place(m, at, last, expr_binary(m, N_ADD, first, expr_number(m, block)));
    if (block == 1) { /* of which it is told */
        all->change->old = expr_copy(m, at);
        all->change->now = now;
        all->change->line = line;
    }
    change_add_edit(m, all->change, line, at, now);
    return true;
}

static void interleave_blocks(Maker *m)
{
    for (int p = 0; p < m->f->function->count; p++)
        for (int blocks = 2; blocks <= 6; blocks++) {
            m->line = 0;
            Interleaving all = {p, blocks, change_add(m, OTHER_PLACE, NULL, NULL)};
            for (int line = 0; line < m->f->line_count; line++)
                each_leaf(m, line, m->f->lines[line].value, interleave, &all);
            if (!all.change->old || all.change->edit_count < 2)
                m->changes->count--;
        }
}

/* What belongs to one place of an axis serves them all: mean[0] and rstd[0]. */
typedef struct {
    int axis;
    bool last;
    Change *change;
} Serving;

static bool serve_all(void *with, Maker *m, int line, Expr *at)
{
    Serving *serving = with;
    const Axis *axis = &m->f->axes[serving->axis];
    unsigned own = 0;
    int at_index = -1;
    for (int i = 0; i < at->index_count; i++) {
        own |= expr_axes(at->index[i]);
        if (at->index[i]->kind == N_AXIS && at->index[i]->which == serving->axis)
            at_index = i;
    }
    if (at_index < 0 || !(m->f->lines[line].axes & ~own))
        return false;
    const Expr *place =
        serving->last ? expr_binary(m, N_SUB, axis->length, expr_number(m, 1)) : expr_number(m, 0);
    const Expr *now = expr_with_place(m, at, at_index, place);
    if (!serving->change->old) {
        serving->change->old = expr_copy(m, at);
        serving->change->now = now;
        serving->change->line = line;
    }
    change_add_edit(m, serving->change, line, at, now);
    return true;
}

static void serve_all_by_one(Maker *m)
{
    for (int axis = 0; axis < m->f->axis_count; axis++)
        for (int last = 0; last < 2; last++) {
            m->line = 0;
            Serving serving = {axis, last, change_add(m, OTHER_PLACE, NULL, NULL)};
            for (int line = 0; line < m->f->line_count; line++)
                each_leaf(m, line, m->f->lines[line].value, serve_all, &serving);
            if (serving.change->edit_count < 2)
                m->changes->count--;
        }
}

/* The same done to each sum over the same axes: all averages are sums, say. */
typedef struct {
    const Expr *like, *now;
    Change *change;
} Likewise;

static bool likewise(void *with, Maker *m, int line, Expr *at)
{
    Likewise *all = with;
    if (at->kind != N_REDUCE || at->axes != all->like->axes || at->which != all->like->which)
        return false;
    Expr now = *at;
    now.part = all->now->part;
    now.count_off = all->now->count_off;
    now.axes = all->now->axes;
    now.which = all->now->which;
    now.child[2] = all->now->child[2];
    now.number = 0;
    change_add_edit(m, all->change, line, at, expr_keep(m, now));
    return true;
}

/* Every change of one reduction's own, made in all that are like it. */
static void change_all_alike(Maker *m)
{
    int count = m->changes->count;
    for (int i = 0; i < count; i++) {
        Change one = m->changes->items[i];
        const Expr *at = one.edit_count == 1 ? one.old : NULL;
        if (!at || at->kind != N_REDUCE || one.edits[0].by->kind != N_REDUCE ||
            one.edits[0].by->child[0] != at->child[0])
            continue;
        m->line = one.line;
        Likewise all = {at, one.edits[0].by, change_add(m, one.kind, one.old, one.now)};
        for (int line = 0; line < m->f->line_count; line++)
            each_leaf(m, line, m->f->lines[line].value, likewise, &all);
        if (all.change->edit_count < 2)
            m->changes->count--;
    }
}

/* A function as another one or left out, wherever it stands in that line: tanh in both of two
 * cases. `now`: NULL where it is left out. */
static void change_functions(Maker *m, Change *all, Expr *at, const Expr *old, const Expr *now)
{
    if (!at)
        return;
    if (at->kind == N_FUNCTION && at->which == old->which && !now)
        change_add_edit(m, all, m->line, at, at->child[0]);
    else if (at->kind == N_FUNCTION && at->which == old->which) {
        Expr other = *now;
        for (int i = 0; i < 2; i++)
            if (now->child[i] && expr_same(now->child[i], old->child[0]))
                other.child[i] = at->child[0];
        change_add_edit(m, all, m->line, at, expr_keep(m, other));
    }
    for (int i = 0; i < 3; i++)
        change_functions(m, all, at->child[i], old, now);
}

static void change_functions_alike(Maker *m)
{
    int count = m->changes->count;
    for (int i = 0; i < count; i++) {
        Change one = m->changes->items[i];
        const bool left_out = one.kind == FUNCTION_LEFT_OUT;
        if (!(left_out || one.kind == OTHER_FUNCTION) || one.edit_count != 1 ||
            one.old->kind != N_FUNCTION || one.old->which == MAX || one.old->which == MIN ||
            (!left_out && one.edits[0].by->kind != N_FUNCTION))
            continue;
        m->line = one.line;
        Change *all = change_add(m, one.kind, one.old, one.now);
        change_functions(m, all, m->f->lines[one.line].value, one.old,
                         left_out ? NULL : one.edits[0].by);
        if (all->edit_count < 2)
            m->changes->count--;
    }
}

/* A function of the learner's own that is wrong, sigmoid say: it is so wherever it is called. */
typedef struct {
    int which, now; /* now: FUNCTION_COUNT where its argument has the other sign */
    Change *change;
} Calls;

static void change_function_calls(Maker *m, Calls *all, int line, Expr *at)
{
    if (!at)
        return;
    if (at->kind == N_FUNCTION && at->which == all->which) {
        Expr other = *at;
        if (all->now < FUNCTION_COUNT)
            other.which = all->now;
        else
            other.child[0] = expr_keep(m, (Expr){.kind = N_NEGATIVE, .child = {at->child[0]}});
        change_add_edit(m, all->change, line, at, expr_keep(m, other));
        if (!all->change->old) {
            all->change->old = expr_copy(m, at);
            all->change->now = expr_keep(m, other);
            all->change->line = line;
        }
    }
    for (int i = 0; i < 3; i++)
        change_function_calls(m, all, line, at->child[i]);
}

static void change_functions_everywhere(Maker *m)
{
    static const int pairs[][2] = {{SIGMOID, FUNCTION_COUNT},
                                   {SIGMOID, TANH},
                                   {SIGMOID, EXP},
                                   {TANH, SIGMOID},
                                   {EXP, FUNCTION_COUNT}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const bool sign = pairs[i][1] == FUNCTION_COUNT;
        m->line = 0;
        Calls all = {pairs[i][0], pairs[i][1],
                     change_add(m, sign ? OTHER_SIGN : OTHER_FUNCTION, NULL, NULL)};
        all.change->everywhere = true;
        for (int line = 0; line < m->f->line_count; line++)
            change_function_calls(m, &all, line, m->f->lines[line].value);
        if (all.change->edit_count < 2)
            m->changes->count--;
    }
}

/* ---- quantities put in where they are used ---- */
static const Expr *value_of(const Formula *f, int quantity);

/* Does a sum over these axes stand in it, whatever the way? */
static bool has_sum_over(const Formula *f, const Expr *node, unsigned axes)
{
    if (!node)
        return false;
    if (node->kind == N_REDUCE && node->axes == axes)
        return true;
    if (node->kind == N_QUANTITY && !f->quantities[node->which].itself &&
        has_sum_over(f, value_of(f, node->which), axes))
        return true;
    for (int i = 0; i < 3; i++)
        if (has_sum_over(f, node->child[i], axes))
            return true;
    return false;
}

/* Is it made of sums over these axes, and has no place along them? */
static bool is_statistic(const Formula *f, int quantity, unsigned axes)
{
    const Quantity *q = &f->quantities[quantity];
    const Line *line = NULL;
    for (int i = 0; i < f->line_count; i++)
        if (f->lines[i].quantity == quantity)
            line = &f->lines[i];
    return line && !q->itself && !(line->axes & axes) && has_sum_over(f, line->value, axes);
}

static const Expr *value_of(const Formula *f, int quantity)
{
    for (int i = 0; i < f->line_count; i++)
        if (f->lines[i].quantity == quantity)
            return f->lines[i].value;
    return NULL;
}

/* A deep copy with sums over other axes, and the statistics that it is made of put in. The elements
 * stay: x[r, j] is x[r, j]. */
static Expr *regrouped(Maker *m, const Expr *node, unsigned from, unsigned to)
{
    if (!node)
        return NULL;
    if (node->kind == N_QUANTITY && is_statistic(m->f, node->which, from))
        return regrouped(m, value_of(m->f, node->which), from, to);
    Expr other = *node;
    if (other.axes == from)
        other.axes = to;
    for (int i = 0; i < 3; i++)
        other.child[i] = regrouped(m, node->child[i], from, to);
    return expr_keep(m, other);
}

/* Statistics of other numbers, of columns in place of rows, one of them or all; and sums that are
 * used before they are complete (`to` is 0). */
typedef struct {
    int quantity; /* -1: all */
    unsigned from, to;
    Change *change;
} PutIn;

/* The sum up to here, in place of all of it; NULL: it is none. */
static Expr *partial_sum(Maker *m, const Expr *value)
{
    Expr partial = *value;
    int axis = 0;
    if (value->kind != N_REDUCE)
        return NULL;
    while (!(value->axes >> axis & 1))
        axis++;
    partial.part = SO_FAR;
    partial.number = 0;
    if (partial.which == AVERAGE && value->axes == 1u << axis) {
        partial.which = SUM; /* divided by all of them */
        return expr_binary(m, N_DIV, expr_keep(m, partial), m->f->axes[axis].length);
    }
    return expr_keep(m, partial);
}

static bool put_in(void *with, Maker *m, int line, Expr *at)
{
    PutIn *what = with;
    unsigned left = m->f->lines[line].axes;
    if (at->kind != N_QUANTITY || (what->quantity >= 0 && at->which != what->quantity) ||
        !is_statistic(m->f, at->which, what->from) || !(left & what->from))
        return false;
    const Expr *value = value_of(m->f, at->which);
    Expr *by = what->to ? regrouped(m, value, what->from, what->to) : partial_sum(m, value);
    if (!by)
        return false;
    if (!what->change->edit_count) {
        Expr told = {.kind = N_REDUCE, .axes = what->from};
        what->change->old = what->to ? expr_keep(m, told) : what->quantity < 0 ? NULL : value;
        told.axes = what->to;
        what->change->now = expr_keep(m, told);
        what->change->line = line;
    }
    change_add_edit(m, what->change, line, at, by);
    return true;
}

static void put_in_statistics(Maker *m, unsigned from, unsigned to)
{
    for (int q = -1; q < m->f->quantity_count; q++) {
        m->line = 0;
        PutIn what = {q, from, to, change_add(m, to ? OTHER_NUMBERS : NOT_COMPLETE, NULL, NULL)};
        for (int line = 0; line < m->f->line_count; line++)
            each_leaf(m, line, m->f->lines[line].value, put_in, &what);
        if (!what.change->edit_count)
            m->changes->count--;
    }
}

/* The axes of all sums, a set once each. */
static int sums_of(const Expr *node, unsigned *sets, int count, int most)
{
    if (!node)
        return count;
    if (node->kind == N_REDUCE && count < most) {
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || sets[i] == node->axes;
        if (!known)
            sets[count++] = node->axes;
    }
    for (int i = 0; i < 3; i++)
        count = sums_of(node->child[i], sets, count, most);
    return count;
}

static void put_in_quantities(Maker *m)
{
    enum { MOST_SETS = 8, MOST_TOGETHER = 5 };
    unsigned sets[MOST_SETS];
    int count = 0;
    for (int line = 0; line < m->f->line_count; line++)
        count = sums_of(m->f->lines[line].value, sets, count, MOST_SETS);
    for (int i = 0; i < count; i++) {
        unsigned all = sets[i], together = 0;
        for (int line = 0; line < m->f->line_count; line++)
            if (m->f->lines[line].axes & sets[i])
                all |= m->f->lines[line].axes;
        for (unsigned rest = all; rest; rest &= rest - 1)
            together++;
        put_in_statistics(m, sets[i], 0);
        for (unsigned to = all; to && together <= MOST_TOGETHER; to = (to - 1) & all)
            if (to != sets[i])
                put_in_statistics(m, sets[i], to);
    }
}

/* ---- what is answered ---- */
static int line_of(const Formula *f, int quantity)
{
    int line = 0;
    while (line + 1 < f->line_count && f->lines[line].quantity != quantity)
        line++;
    return line;
}

static bool same_shape(const Formula *f, int a, int b)
{
    const Quantity *first = &f->quantities[a], *second = &f->quantities[b];
    const Line *lines[2] = {NULL, NULL};
    if (a == b || first->rank != second->rank)
        return false;
    for (int i = 0; i < f->line_count; i++)
        for (int k = 0; k < 2; k++)
            if (f->lines[i].quantity == (k ? b : a))
                lines[k] = &f->lines[i];
    for (int i = 0; i < first->rank; i++)
        if (!lines[0] || !lines[1] || !expr_same(lines[0]->place[i], lines[1]->place[i]))
            return false;
    return true;
}

/* Two lines of one array, each where the other belongs. */
static void exchange_lines(Maker *m)
{
    for (int a = 0; a < m->f->line_count; a++)
        for (int b = a + 1; b < m->f->line_count; b++) {
            const Line *first = &m->f->lines[a], *second = &m->f->lines[b];
            if (first->quantity != second->quantity || first->axes != second->axes)
                continue;
            m->line = a;
            Change *change = change_add(m, LINES_EXCHANGED, NULL, NULL);
            change_add_edit(m, change, a, first->value, expr_copy(m, second->value));
            change_add_edit(m, change, b, second->value, expr_copy(m, first->value));
        }
}

static void change_answers(Maker *m)
{
    const Formula *f = m->f;
    for (int a = 0; a < f->quantity_count; a++) { /* what is answered is 0 */
        if (f->quantities[a].param < 0)
            continue;
        m->line = line_of(f, a);
        Change *change = change_add(m, OUTPUT_IS_ANOTHER, NULL, NULL);
        change->answered[0][0] = a;
        change->answered[0][1] = NOTHING_ANSWERED;
        change->answered_count = 1;
    }
    for (int a = 0; a < f->quantity_count; a++)
        for (int b = 0; b < f->quantity_count; b++) {
            if (f->quantities[a].param < 0 || !same_shape(f, a, b))
                continue;
            m->line = line_of(f, a);
            int both = f->quantities[b].param >= 0 ? 1 : 0;
            Change *change =
                change_add(m, both ? OUTPUTS_EXCHANGED : OUTPUT_IS_ANOTHER, NULL, NULL);
            for (int i = 0; i <= both; i++) {
                change->answered[i][0] = i ? b : a;
                change->answered[i][1] = i ? a : b;
            }
            change->answered_count = 1 + both;
            if (!both)
                continue;
            change = change_add(m, OUTPUT_IS_ANOTHER, NULL, NULL);
            change->answered[0][0] = a;
            change->answered[0][1] = b;
            change->answered_count = 1;
        }
}

/* ---- all of them ---- */
void change_together(Maker *m)
{
    change_all_alike(m);
    change_functions_alike(m);
    change_functions_everywhere(m);
    exchange_names(m);
    rename_everywhere(m);
    relay_everywhere(m);
    replace_places(m);
    interleave_blocks(m);
    serve_all_by_one(m);
    put_in_quantities(m);
    exchange_lines(m);
    change_answers(m);
}
