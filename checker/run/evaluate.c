/* A formula's numbers, each with its bound.
 *
 * Only what is asked for is worked out, one element at a time, and kept: whoever looks for the
 * change that gives a learner's numbers sees after a few elements that a change does not. What a
 * change has no influence on is worked out once for all changes. */
#include "formula_tree.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4000000, DEEPEST = 2000, MOST_KEPT = 1 << 22 };

typedef struct {
    size_t length;           /* elements; 0: its places are no numbers */
    int size[MOST_INDEXES];  /* of each dimension */
    Real *values, *changed;  /* of the formula as it is, and with the change */
    unsigned *known, *since; /* changed[i] holds where since[i] is this change's number */
} Kept;

struct Evaluation {
    const Formula *formula;
    const Case *c;
    int length[MOST_AXES], at[MOST_AXES]; /* of the axes, and where each is; -1: nowhere */
    int outside[MOST_AXES]; /* where it was, outside of the reduction that goes over it */
    int line_last;          /* the last axis of the line's left; -1: none */
    Kept kept[MOST_QUANTITIES];
    uint64_t affected;
    unsigned change;
    long steps, limit;
    int depth;
    bool broken; /* something was read that is not there */
};

static const Real nothing = {NAN, INFINITY};

static Real value(Evaluation *e, const Expr *node);

static Real broken(Evaluation *e)
{
    e->broken = true;
    return nothing;
}

/* ---- places: whole numbers ---- */
static int given_place(Evaluation *e, const Expr *node, size_t *index);

static int whole(Evaluation *e, const Expr *node)
{
    int a = node->child[0] ? whole(e, node->child[0]) : 0;
    int b = node->child[1] ? whole(e, node->child[1]) : 0;
    size_t i;
    switch (node->kind) {
    case N_NUMBER:
        return (int)node->number;
    case N_SIZE:
        return e->c->sizes[node->which];
    case N_AXIS:
        e->broken = e->broken || e->at[node->which] < 0;
        return e->at[node->which];
    case N_GIVEN:
        return given_place(e, node, &i) ? ((const int *)e->c->given[node->which])[i] : 0;
    case N_ADD:
        return (int)((unsigned)a + (unsigned)b);
    case N_SUB:
        return (int)((unsigned)a - (unsigned)b);
    case N_MUL:
        return (int)((unsigned)a * (unsigned)b);
    case N_DIV:
    case N_REST:
        e->broken = e->broken || b <= 0 || a < 0;
        return e->broken ? 0 : node->kind == N_DIV ? a / b : a % b;
    default:
        e->broken = true;
        return 0;
    }
}

/* Which element of an array that is. False: it is none. */
static int given_place(Evaluation *e, const Expr *node, size_t *index)
{
    size_t at = 0;
    for (int i = 0; i < node->index_count; i++) {
        int from = node->reordered ? node->order[i] : i;
        int size = dimension(e->c, node->which, from), place = whole(e, node->index[from]);
        if (place < 0 || place >= size)
            e->broken = true;
        at = at * (size_t)size + (size_t)place;
    }
    if (node->child[0] && !e->broken) { /* of another length are the rows */
        int first = whole(e, node->index[0]), rows = dimension(e->c, node->which, 0);
        size_t length = case_length(e->c, node->which) / (size_t)(rows ? rows : 1);
        at += (size_t)first * ((size_t)whole(e, node->child[0]) - length);
    }
    *index = at;
    if (e->broken || at >= case_length(e->c, node->which))
        e->broken = true;
    return !e->broken;
}

static Real given_value(Evaluation *e, const Expr *node)
{
    size_t i;
    if (!given_place(e, node, &i))
        return nothing;
    return exact(value_at(&e->c->function->params[node->which], e->c->given[node->which], i));
}

/* ---- reductions ---- */
/* The first axis of the set, and its places, as far as this part of the reduction goes over them.
 */
typedef struct {
    int axis, from, to;
} Range;

/* Made of whole numbers, and the same wherever those axes are. */
static bool is_whole(const Evaluation *e, const Expr *node, unsigned axes)
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
        int at = whole(e, limit);
        if (how == EQUAL || how == UNEQUAL)
            continue;
        if (less == (i == 0)) /* the axis is below it */
            range->to = at + equal < range->to ? at + equal : range->to;
        else
            range->from = at + !equal > range->from ? at + !equal : range->from;
    }
}

static Range range_of(Evaluation *e, const Expr *node, int axis)
{
    Range range = {axis, 0, e->length[axis]};
    narrow(e, node->child[1], node->axes, &range);
    Part part = node->part;
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

typedef struct {
    Sum sum, squares; /* squares: of what is squared in it, where the line says "or shifted" */
    Distances distances;
    Real first, most;
    bool any;
} Reduced;

/* (a - b)^2, as a variance has it. */
static const Expr *squared_difference(const Expr *body)
{
    const Expr *base = body->kind == N_POWER && body->number == 2 ? body->child[0] : NULL;
    return base && base->kind == N_SUB ? base : NULL;
}

static void include_body(Evaluation *e, const Expr *node, bool shifted, Reduced *r)
{
    if (node->child[1]) {
        Real holds = value(e, node->child[1]);
        if (!(holds.v != 0))
            return;
    }
    Real term = value(e, node->child[0]);
    bool larger = node->which == LARGEST;
    include(&r->sum, term);
    if (!r->any)
        r->most = term;
    else if (larger)
        r->most = maximum(r->most, term);
    else {
        Real most = maximum((Real){-r->most.v, r->most.e}, (Real){-term.v, term.e});
        r->most = (Real){-most.v, most.e};
    }
    if (shifted) {
        const Expr *difference = squared_difference(node->child[0]);
        Real x = difference ? value(e, difference->child[0]) : term;
        if (!r->any)
            r->first = x;
        include_distance(&r->distances, x, r->first);
    }
    r->any = true;
}

static void reduce_over(Evaluation *e, const Expr *node, unsigned axes, bool shifted, Reduced *r)
{
    if (!axes) {
        include_body(e, node, shifted, r);
        return;
    }
    int axis = 0;
    while (!(axes >> axis & 1))
        axis++;
    Range range = range_of(e, node, axis);
    for (int i = range.from; i < range.to && !e->broken; i++) {
        e->at[axis] = i;
        reduce_over(e, node, axes & ~(1u << axis), shifted, r);
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
    Real own = mean_by(r->distances, r->first, n);
    if (!difference)
        return larger_bound(result, own);
    /* Welford's sum is about the own mean, and (own - mean)^2 is added to it where another is
     * given. */
    result = larger_bound(result, variance_by(r->distances, n));
    result.e += square(sub(own, value(e, difference->child[1]))).e;
    return result;
}

static Real averaged(Evaluation *e, const Expr *node, const Reduced *r, int terms)
{
    if (node->part == IN_INT)
        return terms == 1 ? total(r->sum) : exact(0);
    if (node->child[2])
        return divide(total(r->sum), value(e, node->child[2]));
    return average(r->sum, terms + node->count_off);
}

static Real reduced(Evaluation *e, const Expr *node)
{
    int at[MOST_AXES], outside[MOST_AXES], terms = 0;
    bool shifted = node->which == AVERAGE && node->count_off == 0 && node->number != 0;
    Reduced r = {.any = false};
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
    Real result = node->which == SUM       ? total(r.sum)
                  : node->which == AVERAGE ? averaged(e, node, &r, terms)
                                           : r.most;
    if (shifted && r.any)
        result = or_shifted(e, node, &r, result);
    memcpy(e->outside, outside, sizeof outside);
    return any ? result : broken(e);
}

/* ---- values ---- */
static Real applied(int function, Real a, Real b)
{
    switch (function) {
    case SQRT:
        return root(a);
    case LOG:
        return logarithm(a);
    case TANH:
        return hyperbolic_tangent(a);
    case SIGMOID:
        return sigmoid(a);
    case ABS:
        return (Real){fabs(a.v), a.e};
    case TRUNC: { /* off by 1 where rounding decides which whole number that is */
        double kept = trunc(a.v);
        return (Real){kept, fmax(trunc(a.v + a.e) - kept, kept - trunc(a.v - a.e))};
    }
    case MAX:
        return maximum(a, b);
    case CANCELLED:
        return cancelled(a, b);
    default: { /* MIN */
        Real most = maximum((Real){-a.v, a.e}, (Real){-b.v, b.e});
        return (Real){-most.v, most.e};
    }
    }
}

static bool compared(int how, double a, double b)
{
    switch (how) {
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    case GREATER_EQUAL:
        return a >= b;
    case EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

static Real to_the(Real a, int power)
{
    Real result = a;
    for (int i = 1; i < power; i++)
        result = mul(result, a);
    return result;
}

static Real quantity_value(Evaluation *e, int quantity, const int *place, int count);

static Real quantity_at(Evaluation *e, const Expr *node)
{
    int place[MOST_INDEXES];
    for (int i = 0; i < node->index_count; i++)
        place[i] = whole(e, node->index[i]);
    return e->broken ? nothing : quantity_value(e, node->which, place, node->index_count);
}

/* Whole numbers are added as ints, exactly; but they may have more digits than a float. */
static Real counted(double n)
{
    return rounded(n, 0, fabs(n) > 1 << 24 ? UNIT_ROUNDOFF * fabs(n) : 0);
}

static Real sum_of_two(Evaluation *e, const Expr *node)
{
    Real a = value(e, node->child[0]), b = value(e, node->child[1]);
    if (node->kind == N_SUB)
        b.v = -b.v;
    return is_whole(e, node, 0) ? counted(a.v + b.v) : add(a, b);
}

/* exp(x - largest): nobody can but subtract these two, and what is 1000 below comes to nothing. */
static Real exponent(Evaluation *e, const Expr *node)
{
    if (node->kind != N_SUB)
        return value(e, node);
    Real a = value(e, node->child[0]), b = value(e, node->child[1]);
    double v = a.v - b.v;
    Real between = difference(v < -1000 ? -1000 : v, 0);
    between.e += a.e + b.e;
    return between;
}

static Real value(Evaluation *e, const Expr *node)
{
    if (e->broken || ++e->steps > e->limit)
        return broken(e);
    Expr *const *child = node->child;
    switch (node->kind) {
    case N_NUMBER:
        return exact((float)node->number);
    case N_SIZE:
        return counted(e->c->sizes[node->which]);
    case N_SCALAR:
        return exact(e->c->scalars[node->which]);
    case N_AXIS:
        return e->at[node->which] >= 0 ? exact(e->at[node->which]) : broken(e);
    case N_GIVEN:
        return given_value(e, node);
    case N_QUANTITY:
        return quantity_at(e, node);
    case N_ADD:
    case N_SUB:
        return sum_of_two(e, node);
    case N_MUL:
        return mul(value(e, child[0]), value(e, child[1]));
    case N_DIV:
        return divide(value(e, child[0]), value(e, child[1]));
    case N_NEGATIVE: {
        Real a = value(e, child[0]);
        return (Real){-a.v, a.e};
    }
    case N_POWER:
        return to_the(value(e, child[0]), (int)node->number);
    case N_FUNCTION:
        if (node->which == EXP)
            return exponential(exponent(e, child[0]));
        return applied(node->which, value(e, child[0]), child[1] ? value(e, child[1]) : exact(0));
    case N_REDUCE:
        return reduced(e, node);
    case N_WHERE: {
        Real holds = value(e, child[1]);
        return value(e, holds.v != 0 ? child[0] : child[2]);
    }
    case N_AND: {
        Real first = value(e, child[0]);
        return first.v != 0 ? value(e, child[1]) : first;
    }
    case N_COMPARE: {
        Real a = value(e, child[0]), b = value(e, child[1]);
        return exact(compared(node->which, a.v, b.v));
    }
    case N_IS_GIVEN:
        return exact(!e->c->null[node->which]);
    default:
        return broken(e);
    }
}

/* ---- quantities ---- */
/* Is that place on the line's left? Then its axes are set to it. */
static bool reaches(Evaluation *e, const Line *line, const int *place, int count)
{
    for (int i = 0; i < count; i++) {
        const Expr *left = line->place[i];
        const Expr *axis = left->kind == N_ADD ? left->child[1] : left;
        if (axis->kind != N_AXIS) {
            if (place[i] != whole(e, left))
                return false;
            continue;
        }
        int at = place[i] - (left->kind == N_ADD ? whole(e, left->child[0]) : 0);
        if (at < 0 || at >= e->length[axis->which])
            return false;
        e->at[axis->which] = at;
    }
    return true;
}

static int last_axis(const Line *line, int count)
{
    const Expr *left = count ? line->place[count - 1] : NULL;
    const Expr *axis = !left ? NULL : left->kind == N_ADD ? left->child[1] : left;
    return axis && axis->kind == N_AXIS ? axis->which : -1;
}

/* By the line that has this place on its left. */
static Real work_out(Evaluation *e, int quantity, const int *place, int count)
{
    const Formula *f = e->formula;
    int at[MOST_AXES], outside[MOST_AXES], line_last = e->line_last;
    memcpy(at, e->at, sizeof at);
    memcpy(outside, e->outside, sizeof outside);
    Real result = nothing;
    bool found = false;
    for (int i = 0; i < f->line_count && !found; i++) {
        if (f->lines[i].quantity != quantity)
            continue;
        memset(e->at, -1, sizeof e->at);
        memset(e->outside, -1, sizeof e->outside);
        found = reaches(e, &f->lines[i], place, count);
        e->line_last = last_axis(&f->lines[i], count);
        if (found)
            result = value(e, f->lines[i].value);
    }
    memcpy(e->at, at, sizeof at);
    memcpy(e->outside, outside, sizeof outside);
    e->line_last = line_last;
    return found ? result : broken(e);
}

static Real quantity_value(Evaluation *e, int quantity, const int *place, int count)
{
    Kept *kept = &e->kept[quantity];
    bool changed = e->affected >> quantity & 1;
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        if (place[i] < 0 || place[i] >= kept->size[i])
            return broken(e);
        at = at * (size_t)kept->size[i] + (size_t)place[i];
    }
    if (changed ? kept->since[at] == e->change : kept->known[at])
        return changed ? kept->changed[at] : kept->values[at];
    if (e->depth == DEEPEST)
        return broken(e);
    e->depth++;
    Real result = work_out(e, quantity, place, count);
    e->depth--;
    if (e->broken)
        return result;
    (changed ? kept->changed : kept->values)[at] = result;
    if (changed)
        kept->since[at] = e->change;
    else
        kept->known[at] = 1;
    return result;
}

int formula_line(const Formula *formula, const Case *c, int param, size_t index)
{
    int place[MOST_INDEXES], found = 0, q = answer_quantity(formula, param);
    Evaluation *e = evaluation_new(formula, c);
    if (e && index < e->kept[q].length) {
        int rank = formula->quantities[q].rank;
        for (int i = rank - 1; i >= 0; i--) {
            place[i] = (int)(index % (size_t)e->kept[q].size[i]);
            index /= (size_t)e->kept[q].size[i];
        }
        for (int i = 0; i < formula->line_count && !found; i++)
            if (formula->lines[i].quantity == q && reaches(e, &formula->lines[i], place, rank))
                found = formula->lines[i].line;
    }
    evaluation_free(e);
    return found;
}

/* ---- from outside ---- */
static bool make_room(Evaluation *e, int q)
{
    const Quantity *quantity = &e->formula->quantities[q];
    Kept *kept = &e->kept[q];
    kept->length = 1;
    for (int i = 0; i < quantity->rank; i++) {
        kept->size[i] = quantity->param >= 0 ? dimension(e->c, quantity->param, i)
                                             : e->length[quantity->axis[i]];
        if (kept->size[i] < 0 || kept->length > MOST_KEPT)
            return false;
        kept->length *= (size_t)kept->size[i];
    }
    kept->values = calloc(kept->length + 1, sizeof *kept->values);
    kept->changed = calloc(kept->length + 1, sizeof *kept->changed);
    kept->known = calloc(kept->length + 1, sizeof *kept->known);
    kept->since = calloc(kept->length + 1, sizeof *kept->since);
    return kept->values && kept->changed && kept->known && kept->since;
}

Evaluation *evaluation_new(const Formula *formula, const Case *c)
{
    Evaluation *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->formula = formula;
    e->c = c;
    e->limit = MOST_STEPS;
    memset(e->at, -1, sizeof e->at);
    memset(e->outside, -1, sizeof e->outside);
    bool good = true;
    for (int i = 0; i < formula->axis_count; i++) {
        e->length[i] = whole(e, formula->axes[i].length);
        good = good && !e->broken && e->length[i] >= 0;
    }
    for (int q = 0; good && q < formula->quantity_count; q++)
        good = make_room(e, q);
    if (good)
        return e;
    evaluation_free(e);
    return NULL;
}

void evaluation_free(Evaluation *e)
{
    for (int q = 0; e && q < MOST_QUANTITIES; q++) {
        free(e->kept[q].values);
        free(e->kept[q].changed);
        free(e->kept[q].known);
        free(e->kept[q].since);
    }
    free(e);
}

void evaluation_changed(Evaluation *e, uint64_t quantities)
{
    e->affected = quantities;
    for (int q = 0; q < e->formula->quantity_count; q++)
        if (e->formula->quantities[q].of & quantities)
            e->affected |= (uint64_t)1 << q;
    e->change++;
    e->broken = false;
    e->steps = 0;
}

int answer_quantity(const Formula *formula, int param)
{
    for (int q = 0; q < formula->quantity_count; q++)
        if (formula->quantities[q].param == param)
            return q;
    return -1;
}

bool evaluation_element(Evaluation *e, int quantity, size_t index, Real *value)
{
    int place[MOST_INDEXES] = {0}, rank = e->formula->quantities[quantity].rank;
    if (index >= e->kept[quantity].length)
        return false;
    for (int i = rank - 1; i >= 0; i--) {
        place[i] = (int)(index % (size_t)e->kept[quantity].size[i]);
        index /= (size_t)e->kept[quantity].size[i];
    }
    e->broken = false;
    *value = quantity_value(e, quantity, place, rank);
    return !e->broken;
}

/* Has it a number for each of an output's, as the normalized row has? Those are shown to who tries.
 */
static bool is_shown(const Formula *f, int quantity)
{
    const Line *own = NULL, *output = NULL;
    for (int i = 0; i < f->line_count; i++) {
        const Line *line = &f->lines[i];
        if (line->quantity == quantity)
            own = line;
        if (f->quantities[line->quantity].param >= 0 && (!output || line->axes > output->axes))
            output = line;
    }
    return f->quantities[quantity].param < 0 && own && output && own->axes == output->axes;
}

static void reveal_quantities(Evaluation *e, const Case *c)
{
    for (int q = 0; q < e->formula->quantity_count; q++)
        for (size_t i = 0; is_shown(e->formula, q) && i < e->kept[q].length; i++) {
            Real value;
            e->steps = 0;
            if (evaluation_element(e, q, i, &value))
                reveal(c, e->formula->quantities[q].name, value);
        }
}

bool formula_answer(const Formula *formula, Case *c)
{
    Evaluation *e = evaluation_new(formula, c);
    bool good = e != NULL;
    for (int p = 0; good && p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        Real *answer = is_answer(param->role) ? wanted(c, param->name) : NULL;
        for (size_t i = 0; answer && i < case_length(c, p); i++) {
            e->steps = 0;
            good = evaluation_element(e, answer_quantity(formula, p), i, &answer[i]) && good;
        }
    }
    if (good && c->revealed)
        reveal_quantities(e, c);
    evaluation_free(e);
    return good;
}

/* Is it the same place of the same quantity? */
static bool same_left(const Line *a, const Line *b)
{
    bool same = a->quantity == b->quantity;
    for (int i = 0; i < MOST_INDEXES && same; i++)
        same = expr_same(a->place[i], b->place[i]);
    return same;
}

/* The line stands where the right one stood, or behind all. */
static bool put_line(Formula *wrong, const Line *line)
{
    int at = 0;
    while (at < wrong->line_count && !same_left(&wrong->lines[at], line))
        at++;
    if (at == MOST_LINES)
        return false;
    wrong->lines[at] = *line;
    wrong->line_count += at == wrong->line_count;
    return true;
}

/* The lines of these mistakes; last those that say what several make together. */
static bool make_mistakes(Formula *wrong, Mistakes set)
{
    bool good = true;
    for (int together = 0; together < 2; together++)
        for (int i = 0; i < wrong->named_count && good; i++) {
            const Line *line = &wrong->named[i];
            bool is_made = (line->of & set) == line->of;
            if (is_made && together == ((line->of & (line->of - 1)) != 0))
                good = put_line(wrong, line);
        }
    return good;
}

bool formula_answer_with(const Formula *formula, Case *c, Mistakes set)
{
    Formula *wrong = malloc(sizeof *wrong);
    if (!wrong)
        return false;
    *wrong = *formula;
    bool good = make_mistakes(wrong, set) && formula_answer(wrong, c);
    free(wrong);
    return good;
}
