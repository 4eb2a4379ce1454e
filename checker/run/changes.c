/* Every small change of a formula that people's slips are.
 *
 * A change replaces nodes of the formula by others, and is taken back by putting the old ones back;
 * what it takes in their place is made once and kept with the formulas. Nothing here knows which
 * changes make sense: one that reads what is not there is found out when it is evaluated, and one
 * that changes no number explains nothing. */
#include "changes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 60000 };

/* ---- nodes ---- */
Expr *expr_keep(Maker *m, Expr node)
{
    return expr_new(m->formulas, node);
}

Expr *expr_binary(Maker *m, ExprKind kind, const Expr *a, const Expr *b)
{
    return expr_keep(m, (Expr){.kind = kind, .child = {(Expr *)a, (Expr *)b}});
}

Expr *expr_number(Maker *m, double value)
{
    return expr_keep(m, (Expr){.kind = N_NUMBER, .number = value});
}

static Expr *function(Maker *m, int which, const Expr *of)
{
    return expr_keep(m, (Expr){.kind = N_FUNCTION, .which = which, .child = {(Expr *)of}});
}

/* The same node where it stands now: an edit overwrites it. */
Expr *expr_copy(Maker *m, const Expr *node)
{
    return expr_keep(m, *node);
}

bool expr_is_name(const Expr *node)
{
    return node->kind == N_GIVEN || node->kind == N_QUANTITY || node->kind == N_SCALAR ||
           node->kind == N_SIZE;
}

/* ---- changes ---- */
Change *change_add(Maker *m, ChangeKind kind, const Expr *old, const Expr *now)
{
    static Change none;
    Changes *all = m->changes;
    if (all->count == MOST_CHANGES)
        return &none;
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 1024;
        all->items = realloc(all->items, (size_t)all->room * sizeof *all->items);
        if (!all->items)
            author_error("out of memory");
    }
    Change *change = &all->items[all->count++];
    *change = (Change){.kind = kind, .line = m->line, .old = old, .now = now};
    return change;
}

void change_add_edit(Maker *m, Change *change, int line, Expr *at, const Expr *by)
{
    if (change->edit_count == MOST_EDITS)
        return;
    change->edits[change->edit_count++] = (Edit){at, by, line};
    change->touched |= (uint64_t)1 << m->f->lines[line].quantity;
}

/* `at` becomes `by`. */
static void put(Maker *m, ChangeKind kind, Expr *at, const Expr *by)
{
    change_add_edit(m, change_add(m, kind, expr_copy(m, at), by), m->line, at, by);
}

/* The same, and told is another part of it. */
static void put_told(Maker *m, ChangeKind kind, Expr *at, const Expr *by, const Expr *told)
{
    Change *change = change_add(m, kind, told, by);
    change_add_edit(m, change, m->line, at, by);
}

/* The same; told is that one part of it became another. */
static void put_part(Maker *m, ChangeKind kind, Expr *at, const Expr *by, const Expr *old,
                     const Expr *now)
{
    Change *change = change_add(m, kind, expr_copy(m, old), now);
    change_add_edit(m, change, m->line, at, by);
}

/* May this line be made of that quantity? Not if it is made of this line. */
bool change_may_use(const Maker *m, const Expr *node, unsigned bound)
{
    int own = m->f->lines[m->line].quantity;
    if (expr_axes(node) & ~bound)
        return false;
    return node->kind != N_QUANTITY ||
           (node->which != own && !(m->f->quantities[node->which].of >> own & 1));
}

/* ---- what stands there: sums, products, functions ---- */
static void change_sum(Maker *m, Expr *at)
{
    Expr *a = at->child[0], *b = at->child[1];
    bool is_add = at->kind == N_ADD;
    if (a->kind != N_NUMBER) /* without f, 1 - f is no factor any more */
        put_told(m, TERM_LEFT_OUT, at, a, expr_copy(m, b));
    put_told(m, TERM_LEFT_OUT, at,
             is_add ? b : expr_keep(m, (Expr){.kind = N_NEGATIVE, .child = {b}}), expr_copy(m, a));
    put_told(m, OTHER_SIGN, at, expr_binary(m, is_add ? N_SUB : N_ADD, a, b), expr_copy(m, b));
    Expr turned = {.kind = N_NEGATIVE, .child = {expr_binary(m, N_ADD, a, b)}};
    put_told(m, OTHER_SIGN, at, is_add ? expr_binary(m, N_SUB, b, a) : expr_keep(m, turned),
             expr_copy(m, a));
    put(m, OTHER_OPERATION, at, expr_binary(m, N_MUL, a, b));
    if (!is_add)
        put(m, OTHER_WAY_ROUND, at, expr_binary(m, N_SUB, b, a));
    for (int half = 0; half < 2; half++) {
        Expr *other = half ? expr_binary(m, N_DIV, a, expr_number(m, 2))
                           : expr_binary(m, N_MUL, expr_number(m, 2), a);
        put_part(m, DOUBLED, at, expr_binary(m, at->kind, other, b), a, other);
        other = half ? expr_binary(m, N_DIV, b, expr_number(m, 2))
                     : expr_binary(m, N_MUL, expr_number(m, 2), b);
        put_part(m, DOUBLED, at, expr_binary(m, at->kind, a, other), b, other);
    }
    if (b->kind == N_MUL || b->kind == N_DIV) /* a + b * c: (a + b) * c */
        put(m, MOVED, at,
            expr_binary(m, b->kind, expr_binary(m, at->kind, a, b->child[0]), b->child[1]));
    if (a->kind == N_MUL || a->kind == N_DIV) /* a * b + c: a * (b + c) */
        put(m, MOVED, at,
            expr_binary(m, a->kind, a->child[0], expr_binary(m, at->kind, a->child[1], b)));
    if (b->kind == N_ADD || b->kind == N_SUB) /* a - (b + c): a - b + c */
        put(m, MOVED, at,
            expr_binary(m, b->kind, expr_binary(m, at->kind, a, b->child[0]), b->child[1]));
    for (int i = 0; i < 2; i++) { /* a + sum(b): sum(a + b) */
        const Expr *sum = i ? b : a;
        Expr wider = *sum;
        wider.child[0] = sum->kind == N_REDUCE ? expr_binary(m, at->kind, i ? a : sum->child[0],
                                                             i ? sum->child[0] : b)
                                               : NULL;
        if (sum->kind == N_REDUCE)
            put(m, MOVED, at, expr_keep(m, wider));
    }
    if (a->kind == N_FUNCTION) /* f(a) + b: f(a + b) */
        put(m, MOVED, at, function(m, a->which, expr_binary(m, at->kind, a->child[0], b)));
}

/* A sum's terms, each with its sign; how many. */
enum { MOST_TERMS_OF_SUM = 8 };
static int terms_of(Expr *node, bool negative, Expr **terms, bool *signs, int count)
{
    if (count == MOST_TERMS_OF_SUM)
        return count;
    if (node->kind != N_ADD && node->kind != N_SUB) {
        terms[count] = node;
        signs[count] = negative;
        return count + 1;
    }
    count = terms_of(node->child[0], negative, terms, signs, count);
    return terms_of(node->child[1], negative != (node->kind == N_SUB), terms, signs, count);
}

/* (a + b - c) * d, the d on the terms of `which` alone. */
static Expr *partly_multiplied(Maker *m, const Expr *at, bool first, Expr *const *terms,
                               const bool *signs, int count, unsigned which)
{
    Expr *other = at->child[first ? 1 : 0], *sum = NULL;
    for (int i = 0; i < count; i++) {
        Expr *term = terms[i];
        if (which >> i & 1)
            term = expr_binary(m, at->kind, first ? term : other, first ? other : term);
        sum = sum        ? expr_binary(m, signs[i] ? N_SUB : N_ADD, sum, term)
              : signs[i] ? expr_keep(m, (Expr){.kind = N_NEGATIVE, .child = {term}})
                         : term;
    }
    return sum;
}

/* (a + b) * c: a + b * c, and a * c + b. */
static void multiply_out_half(Maker *m, Expr *at, bool first)
{
    Expr *terms[MOST_TERMS_OF_SUM];
    bool signs[MOST_TERMS_OF_SUM];
    int count = terms_of(at->child[first ? 0 : 1], false, terms, signs, 0);
    for (int i = 0; i < count && count > 1; i++) {
        unsigned one = 1u << i, others = ((1u << count) - 1) ^ one;
        put(m, MOVED, at, partly_multiplied(m, at, first, terms, signs, count, one));
        if (count > 2)
            put(m, MOVED, at, partly_multiplied(m, at, first, terms, signs, count, others));
    }
}

static void change_product(Maker *m, Expr *at)
{
    Expr *a = at->child[0], *b = at->child[1];
    bool is_product = at->kind == N_MUL;
    put_told(m, is_product ? FACTOR_LEFT_OUT : DIVISION_LEFT_OUT, at, a, expr_copy(m, b));
    if (is_product)
        put_told(m, FACTOR_LEFT_OUT, at, b, expr_copy(m, a));
    else if (a->kind != N_NUMBER)
        put_told(m, FACTOR_LEFT_OUT, at, expr_binary(m, N_DIV, expr_number(m, 1), b),
                 expr_copy(m, a));
    if (!is_product && a->kind == N_NUMBER && a->number == 1)
        put(m, OTHER_OPERATION, at, expr_copy(m, b));
    else
        put(m, OTHER_OPERATION, at, expr_binary(m, is_product ? N_DIV : N_MUL, a, b));
    if (is_product)
        put(m, OTHER_OPERATION, at, expr_binary(m, N_ADD, a, b));
    if (is_product)
        put(m, OTHER_OPERATION, at, expr_binary(m, N_DIV, b, a));
    else
        put(m, OTHER_WAY_ROUND, at, expr_binary(m, N_DIV, b, a));
    put_told(m, TWICE, at, expr_binary(m, at->kind, expr_copy(m, at), b), expr_copy(m, b));
}

static void change_twice_and_moves(Maker *m, Expr *at)
{
    if (at->kind == N_MUL)
        put_told(m, TWICE, at, expr_binary(m, N_MUL, expr_copy(m, at), at->child[0]),
                 expr_copy(m, at->child[0]));
    multiply_out_half(m, at, true);
    multiply_out_half(m, at, false);
}

/* max(0, a): |a|, and a squared. */
static void change_function(Maker *m, Expr *at)
{
    Expr *a = at->child[0];
    if (at->which == MAX || at->which == MIN) {
        put(m, OTHER_FUNCTION, at, function(m, ABS, at->child[1]));
        put(m, FUNCTION_LEFT_OUT, at, a);
        put(m, FUNCTION_LEFT_OUT, at, expr_copy(m, at->child[1]));
        put(m, OTHER_FUNCTION, at,
            expr_keep(m, (Expr){.kind = N_FUNCTION,
                                .which = at->which == MAX ? MIN : MAX,
                                .child = {a, at->child[1]}}));
        return;
    }
    put(m, FUNCTION_LEFT_OUT, at, a);
    for (int which = SQRT; which <= ABS; which++)
        if (which != at->which && (which == TANH || which == SIGMOID || which == ABS ||
                                   which == EXP || (which == SQRT && at->which != EXP)))
            put(m, OTHER_FUNCTION, at, function(m, which, a));
    if (at->which == EXP || at->which == SIGMOID)
        put_told(m, OTHER_SIGN, at,
                 function(m, at->which, expr_keep(m, (Expr){.kind = N_NEGATIVE, .child = {a}})),
                 expr_copy(m, a));
    if (at->which == TANH || at->which == SIGMOID)
        put(m, OTHER_FUNCTION, at,
            expr_keep(m,
                      (Expr){.kind = N_FUNCTION, .which = MAX, .child = {expr_number(m, 0), a}}));
    if (at->which == SQRT)
        put(m, OTHER_FUNCTION, at,
            expr_keep(m, (Expr){.kind = N_POWER, .number = 2, .child = {a}}));
    if (a->kind == N_ADD || a->kind == N_SUB || a->kind == N_MUL || a->kind == N_DIV) {
        put(m, MOVED, at,
            expr_binary(m, a->kind, function(m, at->which, a->child[0]), a->child[1]));
        put(m, MOVED, at,
            expr_binary(m, a->kind, a->child[0], function(m, at->which, a->child[1])));
        put(m, MOVED, at,
            expr_binary(m, a->kind, function(m, at->which, a->child[0]),
                        function(m, at->which, a->child[1])));
    }
}

static void change_power(Maker *m, Expr *at)
{
    Expr *a = at->child[0];
    put(m, FUNCTION_LEFT_OUT, at, a);
    put(m, OTHER_FUNCTION, at, function(m, ABS, a));
    for (int power = 2; power <= 4; power++)
        if (power != (int)at->number)
            put(m, OTHER_FUNCTION, at,
                expr_keep(m, (Expr){.kind = N_POWER, .number = power, .child = {a}}));
    if (a->kind == N_SUB || a->kind == N_ADD) { /* (a - b)^2: a^2 - b^2 */
        Expr square = {.kind = N_POWER, .number = at->number};
        Expr first = square, second = square;
        first.child[0] = a->child[0];
        second.child[0] = a->child[1];
        put(m, MOVED, at, expr_binary(m, a->kind, expr_keep(m, first), expr_keep(m, second)));
        put(m, MOVED, at, expr_binary(m, a->kind, a->child[0], expr_keep(m, second)));
        put(m, MOVED, at, expr_binary(m, a->kind, expr_keep(m, first), a->child[1]));
    }
}

/* ---- reductions ---- */
static void with_axes(Maker *m, Expr *at, unsigned axes)
{
    Expr other = *at;
    other.axes = axes;
    if (axes && axes != at->axes)
        put(m, OTHER_AXES, at, expr_keep(m, other));
}

static void with_part(Maker *m, Expr *at, Part part, int count_off, ChangeKind kind)
{
    Expr other = *at;
    other.part = part;
    other.count_off = count_off;
    put(m, kind, at, expr_keep(m, other));
}

static void divided_by(Maker *m, Expr *at, const Expr *by)
{
    Expr other = *at;
    other.child[2] = (Expr *)by;
    other.number = 0;
    put(m, OTHER_COUNT, at, expr_keep(m, other));
}

/* How many terms it has, where no condition leaves one out. */
static Expr *terms_in(Maker *m, const Expr *at)
{
    Expr *count = NULL;
    for (int a = 0; a < m->f->axis_count; a++)
        if (at->axes >> a & 1)
            count =
                count ? expr_binary(m, N_MUL, count, m->f->axes[a].length) : m->f->axes[a].length;
    return count;
}

/* A sum that is begun anew at each place of one of its axes, or has one place of it less; an
 * average is divided by the number of all the same. */
static void change_one_axis(Maker *m, Expr *at)
{
    static const Part parts[] = {LAST_ONLY, FIRST_ONLY, WITHOUT_FIRST, WITHOUT_LAST};
    const bool several = at->axes & (at->axes - 1), average = at->which == AVERAGE;
    for (int a = 0; a < m->f->axis_count; a++)
        for (int i = 0; i < (several ? 4 : 2) && at->which <= AVERAGE; i++) {
            Expr other = *at;
            if (!(at->axes >> a & 1) || !(several || average))
                continue;
            other.part = parts[i];
            other.part_of = 1u << a;
            other.number = 0;
            if (average)
                other.child[2] = terms_in(m, at);
            put(m, OTHER_PART, at, expr_keep(m, other));
        }
}

static void change_reduction(Maker *m, Expr *at, unsigned bound)
{
    static const Part parts[] = {WITHOUT_LAST, WITHOUT_FIRST, FIRST_ONLY, LAST_ONLY};
    bool average = at->which == AVERAGE;
    for (int which = 0; which < REDUCTION_COUNT; which++) {
        Expr other = *at;
        other.which = which;
        other.number = 0;
        if (which != at->which)
            put(m, average && which == SUM ? NOT_AVERAGED : OTHER_REDUCTION, at,
                expr_keep(m, other));
    }
    if (average) {
        with_part(m, at, WHOLE, -1, OTHER_COUNT);
        with_part(m, at, WHOLE, 1, OTHER_COUNT);
        with_part(m, at, IN_INT, 0, OTHER_COUNT);
        for (int p = 0; p < m->f->function->count; p++)
            if (m->f->function->params[p].role == SIZE)
                divided_by(m, at, expr_keep(m, (Expr){.kind = N_SIZE, .which = p}));
    }
    for (int i = 0; i < 4; i++) {
        with_part(m, at, parts[i], 0, OTHER_PART);
        if (average && i < 2)
            with_part(m, at, parts[i], 1, OTHER_PART);
    }
    change_one_axis(m, at);
    with_part(m, at, SO_FAR, 0, NOT_COMPLETE);
    with_part(m, at, CARRIED, 0, NOT_SET_BACK);
    if (at->child[1]) {
        Expr other = *at;
        other.child[1] = NULL;
        put_told(m, CONDITION_LEFT_OUT, at, expr_keep(m, other), expr_copy(m, at->child[1]));
    }
    for (int a = 0; a < m->f->axis_count; a++) {
        with_axes(m, at, at->axes ^ 1u << a);
        with_axes(m, at, 1u << a);
    }
    with_axes(m, at, at->axes | bound);
    Expr *body = at->child[0];
    if (body->kind == N_ADD || body->kind == N_SUB) /* only the first of the terms is summed */
        for (int i = 0; i < 2; i++) {
            Expr half = *at;
            half.child[0] = body->child[i];
            put(m, MOVED, at,
                expr_binary(m, body->kind, i ? body->child[0] : expr_keep(m, half),
                            i ? expr_keep(m, half) : body->child[1]));
        }
    if (body->kind == N_MUL && (at->which == SUM || average)) { /* a sum of products */
        Expr first = *at, second = *at;
        first.child[0] = body->child[0];
        second.child[0] = body->child[1];
        put(m, MOVED, at, expr_binary(m, N_MUL, expr_keep(m, first), expr_keep(m, second)));
    }
    if (body->kind == N_POWER || body->kind == N_FUNCTION) { /* the mean of squares */
        Expr inner = *at, outer = *body;
        inner.child[0] = body->child[0];
        outer.child[0] = expr_keep(m, inner);
        put(m, MOVED, at, expr_keep(m, outer));
    }
}

/* ---- places ---- */
Expr *expr_with_place(Maker *m, const Expr *at, int i, const Expr *place)
{
    Expr other = *at;
    other.index[i] = (Expr *)place;
    return expr_keep(m, other);
}

static void change_layout(Maker *m, Expr *at)
{
    for (int i = 0; i + 1 < at->index_count; i++)
        for (int k = i + 1; k < at->index_count; k++) {
            Expr other = *at;
            for (int d = 0; d < at->index_count; d++)
                other.order[d] = (unsigned char)(d == i ? k : d == k ? i : d);
            other.reordered = true;
            put(m, OTHER_LAYOUT, at, expr_keep(m, other));
            other = *at;
            other.index[i] = at->index[k];
            other.index[k] = at->index[i];
            put(m, OTHER_PLACE, at, expr_keep(m, other));
        }
}

/* Rows of another length than they are. */
static void change_stride(Maker *m, Expr *at)
{
    if (at->index_count < 2)
        return;
    for (int p = -1; p < m->f->function->count; p++) {
        Expr other = *at;
        if (p >= 0 && m->f->function->params[p].role != SIZE)
            continue;
        other.child[0] =
            p < 0 ? expr_number(m, 1) : expr_keep(m, (Expr){.kind = N_SIZE, .which = p});
        put(m, OTHER_LAYOUT, at, expr_keep(m, other));
    }
}

static void change_places(Maker *m, Expr *at, unsigned bound)
{
    for (int i = 0; i < at->index_count; i++) {
        const Expr *place = at->index[i];
        if (place->kind != N_NUMBER)
            put(m, OTHER_PLACE, at, expr_with_place(m, at, i, expr_number(m, 0)));
        if (place->kind == N_AXIS) {
            const Expr *length = m->f->axes[place->which].length;
            put(m, OTHER_PLACE, at,
                expr_with_place(m, at, i, expr_binary(m, N_SUB, length, expr_number(m, 1))));
        }
        for (int a = 0; a < m->f->axis_count; a++)
            if ((bound >> a & 1) && !(place->kind == N_AXIS && place->which == a))
                put(m, OTHER_PLACE, at,
                    expr_with_place(m, at, i, expr_keep(m, (Expr){.kind = N_AXIS, .which = a})));
        for (int n = 1; n < 4 && place->kind == N_NUMBER; n++)
            put(m, OTHER_PLACE, at,
                expr_with_place(m, at, i, expr_number(m, ((int)place->number + n) % 4)));
    }
    if (at->kind == N_GIVEN) {
        change_layout(m, at);
        change_stride(m, at);
    }
}

/* h * size + k: h + k, and k * count + h, the blocks interleaved; also i / size: i % count. */
static void change_inside_place(Maker *m, Expr *at)
{
    const Expr *a = at->child[0], *b = at->child[1];
    if (at->kind == N_ADD && a->kind == N_MUL && b->kind == N_AXIS) {
        const Expr *block = a->child[0];
        put(m, OTHER_PLACE, at, expr_binary(m, N_ADD, block, b));
        if (block->kind == N_AXIS)
            put(m, OTHER_LAYOUT, at,
                expr_binary(m, N_ADD, expr_binary(m, N_MUL, b, m->f->axes[block->which].length),
                            block));
        for (int n = 0; n < 6 && block->kind == N_NUMBER; n++)
            if (n != (int)block->number)
                put(m, OTHER_PLACE, at,
                    expr_binary(m, N_ADD, expr_binary(m, N_MUL, expr_number(m, n), a->child[1]),
                                b));
        for (int blocks = 2; blocks <= 6 && block->kind == N_NUMBER; blocks++)
            put(m, OTHER_LAYOUT, at,
                expr_binary(m, N_ADD, expr_binary(m, N_MUL, b, expr_number(m, blocks)), block));
    }
    if (at->kind == N_ADD && b->kind == N_AXIS) /* size + k: k, the first block */
        put(m, OTHER_PLACE, at, expr_copy(m, b));
    if (at->kind == N_ADD && a->kind == N_SIZE && b->kind == N_AXIS)
        for (int n = 2; n < 4; n++)
            put(m, OTHER_PLACE, at,
                expr_binary(m, N_ADD, expr_binary(m, N_MUL, expr_number(m, n), a), b));
    if (at->kind == N_DIV)
        for (int p = 0; p < m->f->function->count; p++)
            if (m->f->function->params[p].role == SIZE) {
                const Expr *size = expr_keep(m, (Expr){.kind = N_SIZE, .which = p});
                put(m, OTHER_PLACE, at, expr_binary(m, N_REST, a, size));
                put(m, OTHER_PLACE, at, expr_binary(m, N_DIV, a, size));
            }
}

/* ---- names and numbers ---- */
/* Another array, read at the place at which this one is; where that stands elsewhere, it is known
 * already. */
static void another_array_there(Maker *m, Expr *at)
{
    for (int i = 0; i < m->occurrence_count && at->index_count; i++) {
        const Expr *other = m->occurrences[i].node;
        bool known = other->index_count != at->index_count;
        Expr there = *other;
        memcpy(there.index, at->index, sizeof there.index);
        for (int k = 0; k < m->occurrence_count && !known; k++) {
            const Expr *seen = m->occurrences[k].node;
            const bool earlier = k < i && seen->kind == other->kind && seen->which == other->which;
            known = earlier || expr_same(seen, &there);
        }
        if (!known && change_may_use(m, &there, ~0u))
            put(m, OTHER_NAME, at, expr_keep(m, there));
    }
}

static void change_name(Maker *m, Expr *at, unsigned bound)
{
    for (int i = 0; i < m->occurrence_count; i++) {
        const Expr *other = m->occurrences[i].node;
        if (!expr_same(other, at) && change_may_use(m, other, bound))
            put(m, OTHER_NAME, at, other);
    }
    another_array_there(m, at);
    put(m, OTHER_NUMBER, at, expr_number(m, 0));
    put(m, OTHER_NUMBER, at, expr_number(m, 1));
    if (at->kind == N_SCALAR) {
        static const double usual[] = {1e-3, 1e-5, 1e-6, 1e-8, 1e-12, 0.1, 0.9};
        for (int i = 0; i < 7; i++)
            put(m, OTHER_NUMBER, at, expr_number(m, usual[i]));
        put(m, OTHER_NUMBER, at, expr_binary(m, N_SUB, expr_number(m, 1), expr_copy(m, at)));
        put(m, OTHER_FUNCTION, at, function(m, SQRT, expr_copy(m, at)));
        put(m, OTHER_FUNCTION, at,
            expr_keep(m, (Expr){.kind = N_POWER, .number = 2, .child = {expr_copy(m, at)}}));
    }
    if (at->kind == N_SIZE) {
        put(m, OTHER_NUMBER, at, expr_binary(m, N_SUB, expr_copy(m, at), expr_number(m, 1)));
        put(m, OTHER_NUMBER, at, expr_binary(m, N_ADD, expr_copy(m, at), expr_number(m, 1)));
    }
    if (at->kind == N_GIVEN || at->kind == N_QUANTITY) {
        put(m, ONE_MORE_FUNCTION, at, function(m, ABS, expr_copy(m, at)));
        put(m, ONE_MORE_FUNCTION, at, function(m, SQRT, expr_copy(m, at)));
        put(m, ONE_MORE_FUNCTION, at,
            expr_keep(m, (Expr){.kind = N_POWER, .number = 2, .child = {expr_copy(m, at)}}));
        put(m, ONE_MORE_FUNCTION, at, expr_binary(m, N_DIV, expr_number(m, 1), expr_copy(m, at)));
    }
}

/* `at` with one factor or term more: told is that; of what is divided by, what stands there then.
 */
static void put_more(Maker *m, ChangeKind kind, Expr *at, const Expr *more, ExprKind how,
                     bool divisor)
{
    const Expr *now = expr_binary(m, how, expr_copy(m, at), more);
    const Expr *told = how == N_DIV ? expr_binary(m, N_DIV, expr_number(m, 1), more) : more;
    Change *change =
        divisor ? change_add(m, kind, expr_copy(m, at), now) : change_add(m, kind, told, NULL);
    change_add_edit(m, change, m->line, at, now);
}

/* What could stand there as well. */
static void add_more(Maker *m, Expr *at, unsigned bound, bool terms, bool divisor)
{
    for (int i = 0; i < m->occurrence_count; i++) {
        const Expr *other = m->occurrences[i].node;
        if (!change_may_use(m, other, bound))
            continue;
        put_more(m, ONE_MORE_FACTOR, at, other, N_MUL, divisor);
        put_more(m, ONE_MORE_FACTOR, at, other, N_DIV, divisor);
        for (int sign = 0; sign < 2 && terms; sign++)
            put_more(m, ONE_MORE_TERM, at, other, sign ? N_SUB : N_ADD, divisor);
    }
}

static void change_whole(Maker *m, Expr *at)
{
    const Expr *old = expr_copy(m, at);
    put(m, ONE_MORE_FUNCTION, at, function(m, SQRT, old));
    put(m, ONE_MORE_FUNCTION, at,
        expr_keep(m, (Expr){.kind = N_POWER, .number = 2, .child = {(Expr *)old}}));
    put(m, ONE_MORE_FUNCTION, at, expr_binary(m, N_DIV, expr_number(m, 1), old));
    put(m, ONE_MORE_FUNCTION, at, function(m, TANH, old));
    put(m, ONE_MORE_FUNCTION, at, function(m, SIGMOID, old));
    put(m, WHOLE_SIGN, at, expr_keep(m, (Expr){.kind = N_NEGATIVE, .child = {(Expr *)old}}));
    put(m, DOUBLED, at, expr_binary(m, N_MUL, expr_number(m, 2), old));
    put(m, DOUBLED, at, expr_binary(m, N_DIV, old, expr_number(m, 2)));
    put(m, ONE_MORE_FUNCTION, at,
        expr_keep(
            m,
            (Expr){.kind = N_FUNCTION, .which = MAX, .child = {expr_number(m, 0), (Expr *)old}}));
    put(m, ONE_MORE_FUNCTION, at, function(m, ABS, old));
    put(m, IS_CONSTANT, at, expr_number(m, 0));
    put(m, IS_CONSTANT, at, expr_number(m, 1));
}

/* Not behind the place that is worked out, and not before it: two axes of one length. */
static void one_more_condition(Maker *m, Expr *at, unsigned bound)
{
    for (int a = 0; a < m->f->axis_count; a++)
        for (int b = 0; b < m->f->axis_count; b++) {
            bool fit = a != b && (bound >> a & 1) && (bound >> b & 1) &&
                       expr_same(m->f->axes[a].length, m->f->axes[b].length);
            for (int how = LESS; fit && how <= LESS_EQUAL; how++) {
                Expr *compare =
                    expr_binary(m, N_COMPARE, expr_keep(m, (Expr){.kind = N_AXIS, .which = a}),
                                expr_keep(m, (Expr){.kind = N_AXIS, .which = b}));
                compare->which = how;
                Change *more = change_add(m, ONE_MORE_CONDITION, compare, NULL);
                change_add_edit(m, more, m->line, at,
                                expr_binary(m, N_AND, expr_copy(m, at), compare));
            }
        }
}

/* The size that a sum is divided by, one less or more. */
static void count_one_off(Maker *m, Expr *at)
{
    for (int more = 0; more < 2 && at->kind == N_SIZE; more++)
        put(m, OTHER_COUNT, at,
            expr_binary(m, more ? N_ADD : N_SUB, expr_copy(m, at), expr_number(m, 1)));
}

/* An eps of one's own: under a root, and in what is divided by. */
static void add_small_numbers(Maker *m, Expr *at)
{
    static const double usual[] = {1e-5, 1e-6, 1e-8, 1e-3, 1e-7, 1e-10, 1e-12};
    for (int i = 0; i < 7; i++) {
        Change *more = change_add(m, ONE_MORE_TERM, expr_number(m, usual[i]), NULL);
        change_add_edit(m, more, m->line, at,
                        expr_binary(m, N_ADD, expr_copy(m, at), expr_number(m, usual[i])));
    }
}

/* ---- a line ---- */
static void walk(Maker *m, Expr *at, unsigned bound, bool in_place)
{
    if (!at)
        return;
    if (in_place)
        change_inside_place(m, at);
    else if (at->kind == N_ADD || at->kind == N_SUB)
        change_sum(m, at);
    else if (at->kind == N_MUL || at->kind == N_DIV) {
        change_product(m, at);
        change_twice_and_moves(m, at);
    } else if (at->kind == N_FUNCTION)
        change_function(m, at);
    else if (at->kind == N_POWER)
        change_power(m, at);
    else if (at->kind == N_NEGATIVE)
        put(m, OTHER_SIGN, at, expr_copy(m, at->child[0]));
    else if (at->kind == N_REDUCE)
        change_reduction(m, at, bound);
    else if (at->kind == N_WHERE) {
        put_told(m, CONDITION_LEFT_OUT, at, expr_copy(m, at->child[0]), expr_copy(m, at->child[1]));
        put_told(m, CONDITION_LEFT_OUT, at, expr_copy(m, at->child[2]), expr_copy(m, at->child[1]));
        one_more_condition(m, at->child[1], bound);
    } else if (at->kind == N_COMPARE) {
        for (int how = LESS; how <= UNEQUAL; how++) {
            Expr other = *at;
            other.which = how;
            if (how != at->which)
                put(m, OTHER_OPERATION, at, expr_keep(m, other));
        }
        if (at->which == UNEQUAL && at->child[1]->kind == N_NUMBER && at->child[1]->number == 0) {
            Expr *one = expr_binary(m, N_COMPARE, at->child[0], expr_number(m, 1));
            one->which = EQUAL; /* a flag that is taken to be 1 */
            put(m, OTHER_OPERATION, at, one);
        }
    }
    if (!in_place && expr_is_name(at)) {
        change_name(m, at, bound);
        change_places(m, at, bound);
    }
    unsigned inside = bound | at->axes;
    if (!in_place && at->kind == N_DIV) {
        count_one_off(m, at->child[1]);
        add_small_numbers(m, at->child[1]);
        add_more(m, at->child[1], bound, true, true);
    }
    if (!in_place && at->kind == N_FUNCTION && at->which == SQRT)
        add_small_numbers(m, at->child[0]);
    if (at->kind == N_REDUCE)
        add_more(m, at->child[0], inside, false, false);
    for (int i = 0; i < 3; i++)
        walk(m, at->child[i], inside, in_place);
    for (int i = 0; i < at->index_count; i++)
        walk(m, at->index[i], inside, true);
}

void change_each(Maker *m, Expr *at, unsigned bound)
{
    walk(m, at, bound, false);
}

/* ---- all of them ---- */
static void note_occurrences(Maker *m, const Expr *node)
{
    if (!node)
        return;
    if (expr_is_name(node) && m->occurrence_count < MOST_OCCURRENCES) {
        bool known = false;
        for (int i = 0; i < m->occurrence_count; i++)
            known = known || expr_same(m->occurrences[i].node, node);
        if (!known)
            m->occurrences[m->occurrence_count++] =
                (Occurrence){expr_copy(m, node), expr_axes(node)};
    }
    for (int i = 0; i < 3; i++)
        note_occurrences(m, node->child[i]);
}

/* A size or a number that no line has can be used all the same. */
static void note_parameters(Maker *m)
{
    for (int p = 0; p < m->f->function->count; p++) {
        Role role = m->f->function->params[p].role;
        if (role == SIZE || role == SCALAR)
            note_occurrences(m, &(Expr){.kind = role == SIZE ? N_SIZE : N_SCALAR, .which = p});
    }
}

/* A quantity that is made and only answered is used nowhere; it can be taken for another all the
 * same. */
static void note_left_sides(Maker *m)
{
    for (int i = 0; i < m->f->line_count; i++) {
        const Line *line = &m->f->lines[i];
        Expr own = {.kind = N_QUANTITY,
                    .which = line->quantity,
                    .index_count = m->f->quantities[line->quantity].rank};
        memcpy(own.index, line->place, sizeof own.index);
        note_occurrences(m, &own);
    }
}

void changes_make(Changes *changes, Formulas *formulas, const Formula *formula)
{
    Maker *m = calloc(1, sizeof *m);
    if (!m)
        author_error("out of memory");
    *m = (Maker){.changes = changes, .formulas = formulas, .f = formula};
    *changes = (Changes){0};
    for (int i = 0; i < formula->line_count; i++)
        note_occurrences(m, formula->lines[i].value);
    note_left_sides(m);
    note_parameters(m);
    for (int i = 0; i < formula->line_count; i++) {
        Expr *value = formula->lines[i].value;
        m->line = i;
        walk(m, value, formula->lines[i].axes, false);
        change_whole(m, value);
        add_more(m, value, formula->lines[i].axes, true, false);
    }
    change_together(m);
    changes->plain = changes->count;
    change_inside(m);
    free(m);
}

void changes_free(Changes *changes)
{
    free(changes->items);
    *changes = (Changes){0};
}

void change_make(const Change *change, Expr saved[MOST_EDITS])
{
    for (int i = 0; i < change->edit_count; i++)
        saved[i] = *change->edits[i].at;
    for (int i = 0; i < change->edit_count; i++)
        *change->edits[i].at = *change->edits[i].by;
}

void change_undo(const Change *change, const Expr saved[MOST_EDITS])
{
    for (int i = change->edit_count - 1; i >= 0; i--)
        *change->edits[i].at = saved[i];
}
