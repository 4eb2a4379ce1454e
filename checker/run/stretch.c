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
        out[i] = exact(((const float *)array->values)[at + step * (size_t)i]);
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
    if (known < n && line) {
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

/* Sums of as many terms at each place, over axes of their own. */
static void sum_over(Evaluation *e, const Expr *node, unsigned axes, int axis, int n, Sum *sums)
{
    int own = 0;
    if (!axes) {
        Real terms[STRETCH];
        values_along(e, node->child[0], axis, n, terms);
        for (int i = 0; i < n; i++)
            include(&sums[i], terms[i]);
        return;
    }
    while (!(axes >> own & 1))
        own++;
    int before = e->at[own];
    for (int i = 0; i < e->length[own] && !e->broken; i++) {
        e->at[own] = i;
        sum_over(e, node, axes & ~(1u << own), axis, n, sums);
    }
    e->at[own] = before;
}

/* An average that may be taken about another number, at each place, over one axis. False: it is
 * none that can be told so. */
static bool shifted_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    const Expr *difference = squared_difference(node->child[0]);
    const Expr *about = difference ? difference->child[1] : NULL;
    bool is_running = node->number != SHIFTED, is_alone = !about || is_running;
    int own = 0, from = e->at[axis];
    while (!(node->axes >> own & 1))
        own++;
    if (node->axes != 1u << own || (about && expr_axes(about) & node->axes))
        return false;
    Reduced *all = malloc(sizeof *all * (size_t)n);
    Real terms[STRETCH], x[STRETCH];
    if (!all)
        return false;
    if (about && is_running)
        values_along(e, about, axis, n, x);
    for (int i = 0; i < n; i++)
        all[i] = (Reduced){.is_running = is_running,
                           .is_variance = about,
                           .about = about && is_running ? x[i] : exact(0)};
    int before = e->at[own], outside = e->outside[own];
    e->outside[own] = before;
    for (int i = 0; i < e->length[own] && !e->broken; i++) {
        e->at[own] = i;
        values_along(e, shifted_part(node), axis, n, x);
        if (!is_alone)
            values_along(e, node->child[0], axis, n, terms);
        for (int k = 0; k < n; k++)
            include_term(node, is_alone ? x[k] : terms[k], true, x[k], &all[k]);
    }
    e->at[own] = before;
    e->outside[own] = outside;
    for (int i = 0; i < n && !e->broken; i++) {
        e->at[axis] = from + i;
        out[i] = average(all[i].sum, all[i].sum.terms);
        if (all[i].any)
            out[i] = or_otherwise(e, node, &all[i], out[i]);
    }
    e->broken = e->broken || !all[0].any;
    e->at[axis] = from;
    free(all);
    return true;
}

static void reduced_along(Evaluation *e, const Expr *node, int axis, int n, Real *out)
{
    bool is_whole_sum =
        !node->child[1] && !node->child[2] && node->part == WHOLE && !node->count_off;
    bool plain = is_whole_sum && (node->which == SUM || (node->which == AVERAGE && !node->number));
    Sum sums[STRETCH];
    if (is_whole_sum && node->which == AVERAGE && node->number &&
        shifted_along(e, node, axis, n, out))
        return;
    if (!plain) {
        each_along(e, node, axis, n, out);
        return;
    }
    memset(sums, 0, sizeof *sums * (size_t)n);
    sum_over(e, node, node->axes, axis, n, sums);
    for (int i = 0; i < n; i++)
        out[i] = node->which == SUM ? total(sums[i]) : average(sums[i], sums[i].terms);
    e->broken = e->broken || (node->which == AVERAGE && !sums[0].terms);
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
    combine(node, out, node->child[1] ? second : out, n);
}
