/* A formula's sums and averages, largest and smallest: over which places they go, and what honest
 * code that takes them in another way has as its bound. */
#include "evaluate.h"

#include <string.h>

bool is_whole(const Evaluation *e, const Expr *node, unsigned axes)
{
    switch (node->kind) {
    case N_NUMBER:
        return node->number == (int)node->number;
    case N_SIZE:
        return true;
    case N_AXIS:
        return !(axes >> node->which & 1);
    case N_GIVEN: {
        bool is = e->c->function->params[node->which].is_int;
        for (int i = 0; i < node->index_count && is; i++)
            is = is_whole(e, node->index[i], axes);
        return is;
    }
    case N_ADD:
    case N_SUB:
        return is_whole(e, node->child[0], axes) && is_whole(e, node->child[1], axes);
    default:
        return false;
    }
}

/* Where start[r] <= i and i < start[r + 1], no other i need be looked at. */
static void narrow(Evaluation *e, const Expr *holds, unsigned axes, Range *range)
{
    if (holds && holds->kind == N_AND)
        for (int i = 0; i < 2; i++)
            narrow(e, holds->child[i], axes, range);
    for (int i = 0; holds && holds->kind == N_COMPARE && i < 2; i++) {
        const Expr *axis = holds->child[i], *limit = holds->child[!i];
        int how = holds->which;
        if (axis->kind != N_AXIS || axis->which != range->axis || !is_whole(e, limit, axes))
            continue;
        bool less = how == LESS || how == LESS_EQUAL,
             equal = how == LESS_EQUAL || how == GREATER_EQUAL;
        int at = whole_number(e, limit);
        if (how == EQUAL || how == UNEQUAL)
            continue;
        if (less == (i == 0)) /* the axis is below it */
            range->to = at + equal < range->to ? at + equal : range->to;
        else
            range->from = at + !equal > range->from ? at + !equal : range->from;
    }
}

bool only_narrows(const Evaluation *e, const Expr *holds, unsigned axes, int axis)
{
    if (!holds || holds->kind == N_AND)
        return !holds || (only_narrows(e, holds->child[0], axes, axis) &&
                          only_narrows(e, holds->child[1], axes, axis));
    for (int i = 0; i < 2 && holds->kind == N_COMPARE && holds->which <= GREATER_EQUAL; i++)
        if (holds->child[i]->kind == N_AXIS && holds->child[i]->which == axis &&
            is_whole(e, holds->child[!i], axes))
            return true;
    return false;
}

Range range_where(Evaluation *e, const Expr *holds, unsigned axes, int axis)
{
    Range range = {axis, 0, e->length[axis]};
    narrow(e, holds, axes, &range);
    return range;
}

Range range_of(Evaluation *e, const Expr *node, int axis)
{
    Range range = range_where(e, node->child[1], node->axes, axis);
    Part part = node->part_of && !(node->part_of >> axis & 1) ? WHOLE : node->part;
    int last = range.to - 1, outside = e->outside[axis];
    if (part == WITHOUT_LAST)
        range.to = last;
    if (part == WITHOUT_FIRST)
        range.from++;
    if (part == FIRST_ONLY && range.from < last)
        range.to = range.from + 1;
    if (part == LAST_ONLY && range.from < last)
        range.from = last;
    if (part == SO_FAR && outside >= 0 && outside < last)
        range.to = outside + 1;
    return range;
}

/* a - b of (a - b)^2, as a variance has it; or NULL. */
static const Expr *squared_difference(const Expr *body)
{
    const Expr *base = body->kind == N_POWER && body->number == 2 ? body->child[0] : NULL;
    return base && base->kind == N_SUB ? base : NULL;
}

const Expr *shifted_part(const Expr *node)
{
    const Expr *difference = squared_difference(node->child[0]);
    return difference ? difference->child[0] : node->child[0];
}

const Expr *subtracted(const Expr *node)
{
    const Expr *difference = squared_difference(node->child[0]);
    return difference ? difference->child[1] : NULL;
}

/* Where it goes from number to number, what is subtracted in a square has to be one number for all
 * of these. */
bool is_shifted(const Expr *node)
{
    const Expr *about = subtracted(node);
    if (node->which != AVERAGE || node->count_off || node->number == 0)
        return false;
    return node->number == SHIFTED ||
           (node->part != CARRIED && !(about && expr_axes(about) & node->axes));
}

static bool is_running(const Expr *node)
{
    return node->number != SHIFTED && is_shifted(node);
}

Reduced reduced_begin(const Expr *node, Real about)
{
    return (Reduced){
        .is_running = is_running(node), .is_variance = subtracted(node), .about = about};
}

void include_term(const Expr *node, Real term, bool shifted, Real x, Reduced *r)
{
    include(&r->sum, term);
    if (!r->any)
        r->most = term;
    else if (node->which == LARGEST)
        r->most = maximum(r->most, term);
    else if (node->which == SMALLEST) {
        Real most = maximum((Real){-r->most.v, r->most.e}, (Real){-term.v, term.e});
        r->most = (Real){-most.v, most.e};
    }
    if (shifted && r->is_running) {
        include_running(&r->running, x);
        if (r->is_variance)
            include_running_square(&r->running, x, r->about.v);
        if (node->number == RUNNING_ABOUT_0)
            include_from_0(&r->running, x);
    } else if (shifted) {
        if (!r->any)
            r->first = x;
        include_distance(&r->running.from_first, x, r->first);
    }
    r->any = true;
}

static void include_body(Evaluation *e, const Expr *node, bool shifted, Reduced *r)
{
    if (node->child[1]) {
        Real holds = value(e, node->child[1]);
        if (!(holds.v != 0))
            return;
    }
    if (!shifted && node->which <= AVERAGE) { /* as nearly all of them are */
        include(&r->sum, value(e, node->child[0]));
        r->any = true;
        return;
    }
    const Expr *part = shifted ? shifted_part(node) : node->child[0];
    Real x = value(e, part);
    bool is_alone = part == node->child[0] || r->is_running;
    include_term(node, is_alone ? x : value(e, node->child[0]), shifted, x, r);
}

/* The same for all places of a range. */
static void include_stretches(Evaluation *e, const Expr *node, Range range, bool shifted,
                              Reduced *r)
{
    const Expr *part = shifted ? shifted_part(node) : node->child[0];
    bool is_alone = part == node->child[0] || r->is_running;
    Real x[STRETCH], terms[STRETCH];
    for (int i = range.from; i < range.to && !e->broken; i += STRETCH) {
        int n = range.to - i < STRETCH ? range.to - i : STRETCH;
        e->at[range.axis] = i;
        values_along(e, part, range.axis, n, x);
        if (!is_alone)
            values_along(e, node->child[0], range.axis, n, terms);
        bool sum_alone = !shifted && node->which <= AVERAGE;
        for (int k = 0; k < n && sum_alone; k++)
            include(&r->sum, x[k]);
        for (int k = 0; k < n && !sum_alone; k++)
            include_term(node, is_alone ? x[k] : terms[k], shifted, x[k], r);
        r->any = true;
    }
}

/* The longest comes last. */
int outermost(const Evaluation *e, unsigned axes)
{
    int axis = -1;
    for (int a = 0; a < e->formula->axis_count; a++)
        if (axes >> a & 1 && (axis < 0 || e->length[a] < e->length[axis]))
            axis = a;
    return axis;
}

static void reduce_over(Evaluation *e, const Expr *node, unsigned axes, bool shifted, Reduced *r)
{
    int axis = outermost(e, axes);
    if (axis < 0) {
        include_body(e, node, shifted, r);
        return;
    }
    Range range = range_of(e, node, axis);
    axes &= ~(1u << axis);
    if (!e->change && !axes && range.to - range.from >= SHORTEST &&
        only_narrows(e, node->child[1], node->axes, axis)) {
        include_stretches(e, node, range, shifted, r);
        return;
    }
    for (int i = range.from; i < range.to && !e->broken; i++) {
        e->at[axis] = i;
        reduce_over(e, node, axes, shifted, r);
    }
}

/* Never set back to 0: what was added at the earlier places is still in it. */
static void reduce_carried(Evaluation *e, const Expr *node, Reduced *r)
{
    int axis = e->line_last, here = axis >= 0 ? e->at[axis] : 0;
    for (int i = 0; axis >= 0 && i < here && !e->broken; i++) {
        e->at[axis] = i;
        reduce_over(e, node, node->axes, false, r);
    }
    if (axis >= 0)
        e->at[axis] = here;
}

/* What honest code that takes mean or variance about the first number has as its bound. */
static Real or_shifted(Evaluation *e, const Expr *node, const Reduced *r, Real result)
{
    int n = r->sum.terms;
    const Expr *difference = squared_difference(node->child[0]);
    Real own = mean_by(r->running.from_first, r->first, n);
    if (!difference)
        return larger_bound(result, own);
    /* Welford's sum is about the own mean, and (own - mean)^2 is added to it where another is
     * given. */
    result = larger_bound(result, variance_by(r->running.from_first, n));
    if (difference->child[1]->kind != N_QUANTITY)
        result.e += square(sub(own, value(e, difference->child[1]))).e;
    return result;
}

/* The result with the bound of who comes to it in such a way. */
static Real or_otherwise(Evaluation *e, const Expr *node, const Reduced *r, Real result)
{
    if (!r->is_running)
        return or_shifted(e, node, r, result);
    return r->is_variance ? variance_running(r->running, r->about)
                          : mean_running(r->running, result);
}

static Real averaged(Evaluation *e, const Expr *node, const Reduced *r, int terms)
{
    if (node->part == IN_INT)
        return terms == 1 ? total(r->sum) : exact(0);
    if (node->child[2])
        return divide(total(r->sum), value(e, node->child[2]));
    return average(r->sum, terms + node->count_off);
}

Real sum_or_average(Evaluation *e, const Expr *node, const Reduced *r, int terms)
{
    Real result = node->which == SUM ? total(r->sum) : averaged(e, node, r, terms);
    return is_shifted(node) && r->any ? or_otherwise(e, node, r, result) : result;
}

Real reduced(Evaluation *e, const Expr *node)
{
    int at[MOST_AXES], outside[MOST_AXES], terms = 0;
    bool shifted = is_shifted(node);
    Reduced r = reduced_begin(
        node, is_running(node) && subtracted(node) ? value(e, subtracted(node)) : exact(0));
    memcpy(at, e->at, sizeof at);
    memcpy(outside, e->outside, sizeof outside);
    for (int a = 0; a < e->formula->axis_count; a++)
        if (node->axes >> a & 1)
            e->outside[a] = at[a];
    if (node->part == CARRIED)
        reduce_carried(e, node, &r);
    terms = r.sum.terms;
    memcpy(e->at, at, sizeof at);
    reduce_over(e, node, node->axes, shifted, &r);
    terms = r.sum.terms - terms; /* what an average divides by is not carried */
    memcpy(e->at, at, sizeof at);
    bool any =
        r.any || node->which == SUM || (node->which == AVERAGE && terms + node->count_off > 0);
    Real result = node->which <= AVERAGE ? sum_or_average(e, node, &r, terms) : r.most;
    memcpy(e->outside, outside, sizeof outside);
    return any ? result : broken_off(e);
}
