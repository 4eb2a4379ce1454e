/* A formula's numbers in stretches: one operation for many places of an axis, then the next.
 *
 * The numbers are those of value(), to the last bit, and come three times as fast: most of its time
 * goes into finding out what is to be done. What is no plain arithmetic goes its way, place by
 * place. Only for a formula as it is: with a change, few elements are asked for. */
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

static bool hangs_on(const Expr *node, int axis)
{
    if (!node || (node->kind == N_AXIS && node->which != axis) || node->axes >> axis & 1)
        return false;
    bool hangs = node->kind == N_AXIS;
    for (int i = 0; i < 3; i++)
        hangs = hangs || hangs_on(node->child[i], axis);
    for (int i = 0; i < node->index_count; i++)
        hangs = hangs || hangs_on(node->index[i], axis);
    return hangs;
}

static void each_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    int from = e->at[axis];
    for (int i = 0; i < n; i++) {
        e->at[axis] = from + i;
        out[i] = value(e, node);
    }
    e->at[axis] = from;
}

/* Does one place follow the other there? It is the axis, or an offset + the axis. */
static bool follows(const Expr *index, int axis)
{
    if (index->kind == N_ADD && !hangs_on(index->child[0], axis))
        return follows(index->child[1], axis);
    return index->kind == N_AXIS && index->which == axis;
}

/* The first of those n places in an array of these sizes, and how far the next is. False: they are
 * not all there, or not that far from each other. */
static bool places_along(Evaluation *e, const Expr *node, const int *size, int axis, int n,
                         int place[MOST_INDEXES], int *dim, size_t *first, size_t *step)
{
    *first = *step = 0;
    *dim = -1;
    for (int i = 0; i < node->index_count; i++) {
        const Expr *index = node->index[i];
        bool is_axis = follows(index, axis);
        if (!is_axis && hangs_on(index, axis))
            return false;
        place[i] = whole_number(e, index);
        if (place[i] < 0 || place[i] + (is_axis ? n : 1) > size[i] || (is_axis && *dim >= 0))
            return false;
        *dim = is_axis ? i : *dim;
        *first = *first * (size_t)size[i] + (size_t)place[i];
        *step = *step * (size_t)size[i] + is_axis;
    }
    return !e->broken && *dim >= 0;
}

static void given_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    const Array *array = &e->given[node->which];
    int place[MOST_INDEXES], dim;
    size_t at, step;
    if (node->child[0] || node->reordered || array->is_int ||
        !places_along(e, node, array->size, axis, n, place, &dim, &at, &step) ||
        at + step * (size_t)(n - 1) >= array->length) {
        each_along(e, node, axis, n, out);
        return;
    }
    for (int i = 0; i < n; i++)
        out[i] = given_float(((const float *)array->values)[at + step * (size_t)i]);
}

const Line *only_line(const Formula *f, int quantity)
{
    const Line *only = NULL;
    for (int i = 0; i < f->line_count; i++)
        if (f->lines[i].quantity == quantity) {
            if (only)
                return NULL;
            only = &f->lines[i];
        }
    for (int i = 0; only && i < f->quantities[quantity].rank; i++)
        if (only->place[i]->kind != N_AXIS)
            return NULL;
    return only;
}

static void work_out_along(Evaluation *e, const Line *line, const int *place, int dim, int n,
                           Real *out)
{
    int at[MOST_AXES], outside[MOST_AXES], line_last = e->line_last;
    int rank = e->formula->quantities[line->quantity].rank, axis = line->place[dim]->which;
    memcpy(at, e->at, sizeof at);
    memcpy(outside, e->outside, sizeof outside);
    memset(e->at, -1, sizeof e->at);
    memset(e->outside, -1, sizeof e->outside);
    for (int i = 0; i < rank; i++)
        e->at[line->place[i]->which] = place[i];
    e->line_last = last_axis(line, rank);
    e->in_work |= (uint64_t)1 << line->quantity;
    values_along(e, line->value, axis, n, out);
    if (line->other) {
        Real other[STRETCH];
        values_along(e, line->other, axis, n, other);
        for (int i = 0; i < n; i++)
            out[i] = larger_bound(out[i], other[i]);
    }
    e->in_work &= ~((uint64_t)1 << line->quantity);
    memcpy(e->at, at, sizeof at);
    memcpy(e->outside, outside, sizeof outside);
    e->line_last = line_last;
}

/* The elements first, first + step, ... of a quantity: those from `place` on along dimension `dim`.
 */
void elements_along(Evaluation *e, int quantity, int place[MOST_INDEXES], int dim, int n,
                    size_t first, size_t step, Real *out)
{
    Kept *kept = &e->kept[quantity];
    const Line *line = e->in_work >> quantity & 1 ? NULL : only_line(e->formula, quantity);
    int known = 0, from = place[dim];
    while (known < n && kept->known[first + step * (size_t)known] == 1)
        known++;
    if (known < n && line && !e->row[quantity].line) {
        work_out_along(e, line, place, dim, n, out);
        for (int i = 0; i < n && !e->broken; i++) {
            kept->values[first + step * (size_t)i] = out[i];
            kept->known[first + step * (size_t)i] = 1;
        }
        return;
    }
    for (int i = 0; i < n; i++) {
        place[dim] = from + i;
        out[i] = i < known
                     ? kept->values[first + step * (size_t)i]
                     : quantity_value(e, quantity, place, e->formula->quantities[quantity].rank);
    }
}

static void quantity_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    int place[MOST_INDEXES], dim;
    size_t first, step;
    if (places_along(e, node, e->kept[node->which].size, axis, n, place, &dim, &first, &step))
        elements_along(e, node->which, place, dim, n, first, step, out);
    else
        each_along(e, node, axis, n, out);
}

static bool is_in(Range range, int place)
{
    return place >= range.from && place < range.to;
}

/* From the first place of both to their last. */
static Range both(Range a, Range b)
{
    return (Range){a.axis, a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};
}

/* The terms of n places, over axes of their own; where there are ranges, those in them. */
static void reduce_along(Evaluation *e, const Expr *node, unsigned axes, int axis, int n,
                         const Range *ranges, Reduced *reduced)
{
    int own = outermost(e, axes);
    if (own < 0) {
        Real terms[STRETCH], x[STRETCH];
        bool shifted = is_shifted(node);
        const Expr *part = shifted ? shifted_part(node) : node->child[0];
        bool is_alone = part == node->child[0] || reduced->is_running;
        values_along(e, part, axis, n, x);
        if (!is_alone)
            values_along(e, node->child[0], axis, n, terms);
        for (int i = 0; i < n; i++)
            if (!ranges || is_in(ranges[i], e->at[ranges[i].axis])) {
                if (shifted)
                    include_term(node, is_alone ? x[i] : terms[i], true, x[i], &reduced[i]);
                else
                    include(&reduced[i].sum, x[i]);
            }
        return;
    }
    int before = e->at[own];
    Range all = {own, 0, e->length[own]};
    for (int i = 0; i < n && ranges; i++)
        all = i ? both(all, ranges[i]) : ranges[i];
    for (int i = all.from; i < all.to && !e->broken; i++) {
        e->at[own] = i;
        reduce_along(e, node, axes & ~(1u << own), axis, n, ranges, reduced);
    }
    e->at[own] = before;
}

/* A condition has to be one on the single axis that is gone over. */
static bool is_plain(const Evaluation *e, const Expr *node)
{
    int own = outermost(e, node->axes);
    return node->which <= AVERAGE && node->part == WHOLE && !node->child[2] && !node->count_off &&
           (!node->child[1] ||
            (node->axes == 1u << own && only_narrows(e, node->child[1], node->axes, own)));
}

/* Of each place. False: the most of what all of them have would be passed over. */
static bool ranges_along(Evaluation *e, const Expr *node, int axis, int n, Range *ranges)
{
    int from = e->at[axis], own = outermost(e, node->axes);
    long terms = 0;
    Range all = {0};
    for (int i = 0; i < n; i++) {
        e->at[axis] = from + i;
        ranges[i] = range_of(e, node, own);
        all = i ? both(all, ranges[i]) : ranges[i];
        terms += ranges[i].to - ranges[i].from;
    }
    e->at[axis] = from;
    return (all.to - all.from) * (long)n <= 4 * terms;
}

/* Each place begins with what is subtracted there. */
static void begin_along(Evaluation *e, const Expr *node, int axis, int n, Reduced *reduced)
{
    Real about[STRETCH] = {{0}};
    if (is_shifted(node) && subtracted(node) && node->number != SHIFTED)
        values_along(e, subtracted(node), axis, n, about);
    for (int i = 0; i < n; i++)
        reduced[i] = reduced_begin(node, about[i]);
}

static void reduced_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    Reduced reduced[STRETCH];
    Range ranges[STRETCH];
    int from = e->at[axis];
    if (!is_plain(e, node) || (node->child[1] && !ranges_along(e, node, axis, n, ranges))) {
        each_along(e, node, axis, n, out);
        return;
    }
    begin_along(e, node, axis, n, reduced);
    reduce_along(e, node, node->axes, axis, n, node->child[1] ? ranges : NULL, reduced);
    for (int i = 0; i < n && !e->broken; i++) {
        e->at[axis] = from + i;
        out[i] = sum_or_average(e, node, &reduced[i], reduced[i].sum.terms);
        e->broken = e->broken || (node->which == AVERAGE && !reduced[i].sum.terms);
    }
    e->at[axis] = from;
}

/* Up to which place, at most `end`, the condition is the same as at the first. */
static int same_until(Evaluation *e, const Expr *holds, int axis, int end, bool *first)
{
    int at = e->at[axis];
    if (only_narrows(e, holds, 1u << axis, axis)) {
        Range range = range_where(e, holds, 1u << axis, axis);
        *first = is_in(range, at);
        int to = at < range.from ? range.from : *first ? range.to : end;
        return to < end ? to : end;
    }
    *first = value(e, holds).v != 0;
    if (!hangs_on(holds, axis))
        return end;
    while (++e->at[axis] < end && (value(e, holds).v != 0) == *first)
        ;
    int to = e->at[axis];
    e->at[axis] = at;
    return to;
}

/* "a where b else c": as far as it is one of them, all at once. */
static void chosen_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    int from = e->at[axis], end = from + n, to;
    bool holds;
    for (int at = from; at < end && !e->broken; at = to) {
        e->at[axis] = at;
        to = same_until(e, node->child[1], axis, end, &holds);
        values_along(e, node->child[holds ? 0 : 2], axis, to - at, out + (at - from));
    }
    e->at[axis] = from;
}

/* Into a. Who needs no second is not given one. */
static void combine(const Expr *node, Real *a, const Real *b, int n)
{
    switch (node->kind) {
    case N_ADD:
        for (int i = 0; i < n; i++)
            a[i] = add(a[i], b[i]);
        break;
    case N_SUB:
        for (int i = 0; i < n; i++)
            a[i] = sub(a[i], b[i]);
        break;
    case N_MUL:
        for (int i = 0; i < n; i++)
            a[i] = mul(a[i], b[i]);
        break;
    case N_DIV:
        for (int i = 0; i < n; i++)
            a[i] = divide(a[i], b[i]);
        break;
    case N_NEGATIVE:
        for (int i = 0; i < n; i++)
            a[i].v = -a[i].v;
        break;
    case N_POWER:
        for (int i = 0; i < n; i++)
            a[i] = to_the(a[i], (int)node->number);
        break;
    default: /* N_FUNCTION */
        for (int i = 0; i < n; i++)
            a[i] = applied(node->which, a[i], b[i]);
    }
}

void values_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    Real second[STRETCH];
    bool each = false;
    if (e->broken || ++e->steps > e->limit) {
        e->broken = true;
        return;
    }
    if (!hangs_on(node, axis)) {
        Real same = value(e, node);
        for (int i = 0; i < n; i++)
            out[i] = same;
        return;
    }
    switch (node->kind) {
    case N_GIVEN:
        given_along(e, node, axis, n, out);
        return;
    case N_QUANTITY:
        quantity_along(e, node, axis, n, out);
        return;
    case N_REDUCE:
        reduced_along(e, node, axis, n, out);
        return;
    case N_WHERE:
        chosen_along(e, node, axis, n, out);
        return;
    case N_ADD:
    case N_SUB:
        each = is_whole(e, node, 0);
        break;
    case N_FUNCTION:
        each = node->which == EXP;
        break;
    default:
        each = node->kind != N_MUL && node->kind != N_DIV && node->kind != N_NEGATIVE &&
               node->kind != N_POWER;
    }
    if (each) {
        each_along(e, node, axis, n, out);
        return;
    }
    values_along(e, node->child[0], axis, n, out);
    if (node->child[1])
        values_along(e, node->child[1], axis, n, second);
    const bool added = node->kind == N_ADD || node->kind == N_SUB;
    for (int i = 0; added && node->child[1]->kind == N_REDUCE && i < n; i++)
        out[i] = beside_sum(e, node->child[1], out[i]);
    for (int i = 0; added && node->child[0]->kind == N_REDUCE && i < n; i++)
        second[i] = beside_sum(e, node->child[0], second[i]);
    combine(node, out, node->child[1] ? second : out, n);
}
