/* A formula's numbers, each with its bound.
 *
 * Only what is asked for is worked out, one element at a time, and kept: whoever looks for the
 * change that gives a learner's numbers sees after a few elements that a change does not. What a
 * change has no influence on is worked out once for all changes. Where all is asked for, stretch.c
 * works it out in less time. */
#include "evaluate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4000000, MOST_KEPT = 1 << 22 };
/* Elements that wait for one another, as layers do. A page's stack has room for fewer. */
#ifdef __wasi__
enum { DEEPEST = 100 };
#else
enum { DEEPEST = 2000 };
#endif
/* What `known` and `since` say of an element that waits for another: one that waits for itself has
 * no value. */
#define IN_WORK UINT_MAX

static const Real nothing = {NAN, INFINITY};

/* ---- places: whole numbers ---- */
static int given_place(Evaluation *e, const Expr *node, size_t *index);

int whole_number(Evaluation *e, const Expr *node)
{
    int a = node->child[0] ? whole_number(e, node->child[0]) : 0;
    int b = node->child[1] ? whole_number(e, node->child[1]) : 0;
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
        return given_place(e, node, &i) ? ((const int *)e->given[node->which].values)[i] : 0;
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

/* Nearly all places are axes. */
static inline int place_of(Evaluation *e, const Expr *index)
{
    return index->kind == N_AXIS && e->at[index->which] >= 0 ? e->at[index->which]
                                                             : whole_number(e, index);
}

/* Which element of an array that is. False: it is none. */
static int given_place(Evaluation *e, const Expr *node, size_t *index)
{
    const Array *array = &e->given[node->which];
    size_t at = 0;
    for (int i = 0; i < node->index_count; i++) {
        int from = node->reordered ? node->order[i] : i;
        int size = array->size[from], place = place_of(e, node->index[from]);
        if (place < 0 || place >= size)
            e->broken = true;
        at = at * (size_t)size + (size_t)place;
    }
    if (node->child[0] && !e->broken) { /* of another length are the rows */
        int first = whole_number(e, node->index[0]), rows = array->size[0];
        size_t length = array->length / (size_t)(rows ? rows : 1);
        at += (size_t)first * ((size_t)whole_number(e, node->child[0]) - length);
    }
    *index = at;
    if (e->broken || at >= array->length)
        e->broken = true;
    return !e->broken;
}

static Real given_value(Evaluation *e, const Expr *node)
{
    size_t i;
    if (!given_place(e, node, &i))
        return nothing;
    const Array *array = &e->given[node->which];
    return array->is_int ? exact(((const int *)array->values)[i])
                         : given_float(((const float *)array->values)[i]);
}

/* ---- values ---- */
Real applied(int function, Real a, Real b)
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
    case ONE_OF:
        return (Real){a.v, a.e + b.v * UNIT_ROUNDOFF * fabs(a.v)};
    case OFF_BY:
        return (Real){a.v, a.e + fabs(b.v) + b.e};
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

Real to_the(Real a, int power)
{
    Real result = a;
    for (int i = 1; i < power; i++)
        result = mul(result, a);
    return result;
}

static Real quantity_at(Evaluation *e, const Expr *node)
{
    int place[MOST_INDEXES];
    for (int i = 0; i < node->index_count; i++)
        place[i] = place_of(e, node->index[i]);
    return e->broken ? nothing : quantity_value(e, node->which, place, node->index_count);
}

/* Whole numbers are added as ints, exactly; but they may have more digits than a float. */
static Real counted(double n)
{
    return rounded(n, 0, fabs(n) > 1 << 24 ? UNIT_ROUNDOFF * fabs(n) : 0);
}

Real beside_sum(const Evaluation *e, const Expr *sum, Real a)
{
    double terms = 1;
    if (sum->kind != N_REDUCE || sum->which != SUM || sum->child[1])
        return a;
    for (int i = 0; i < e->formula->axis_count; i++)
        if (sum->axes >> i & 1)
            terms *= e->length[i];
    a.e += terms * UNIT_ROUNDOFF * fabs(a.v);
    return a;
}

static Real sum_of_two(Evaluation *e, const Expr *node)
{
    Real a = beside_sum(e, node->child[1], value(e, node->child[0]));
    Real b = beside_sum(e, node->child[0], value(e, node->child[1]));
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

Real value(Evaluation *e, const Expr *node)
{
    if (e->broken || ++e->steps > e->limit)
        return broken_off(e);
    Expr *const *child = node->child;
    switch (node->kind) {
    case N_NUMBER:
        return isinf(node->number) ? nothing : exact((float)node->number);
    case N_SIZE:
        return counted(e->c->sizes[node->which]);
    case N_SCALAR:
        return exact(e->c->scalars[node->which]);
    case N_AXIS:
        return e->at[node->which] >= 0 ? exact(e->at[node->which]) : broken_off(e);
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
        return broken_off(e);
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
            if (place[i] != whole_number(e, left))
                return false;
            continue;
        }
        int at = place[i] - (left->kind == N_ADD ? whole_number(e, left->child[0]) : 0);
        if (at < 0 || at >= e->length[axis->which])
            return false;
        e->at[axis->which] = at;
    }
    return true;
}

int last_axis(const Line *line, int count)
{
    const Expr *left = count ? line->place[count - 1] : NULL;
    const Expr *axis = !left ? NULL : left->kind == N_ADD ? left->child[1] : left;
    return axis && axis->kind == N_AXIS ? axis->which : -1;
}

/* Of a line that is changed, the other way is not. */
static Real by_line(Evaluation *e, const Line *line)
{
    Real result = value(e, line->value);
    if (line->other && !(e->touched >> line->quantity & 1))
        result = larger_bound(result, value(e, line->other));
    return result;
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
            result = by_line(e, &f->lines[i]);
    }
    memcpy(e->at, at, sizeof at);
    memcpy(e->outside, outside, sizeof outside);
    e->line_last = line_last;
    return found ? result : broken_off(e);
}

Real quantity_value(Evaluation *e, int quantity, const int *place, int count)
{
    Kept *kept = &e->kept[quantity];
    bool changed = e->affected >> quantity & 1;
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        if (place[i] < 0 || place[i] >= kept->size[i])
            return broken_off(e);
        at = at * (size_t)kept->size[i] + (size_t)place[i];
    }
    unsigned *const state = changed ? &kept->since[at] : &kept->known[at];
    const unsigned there = changed ? e->change : 1;
    if (*state == there)
        return changed ? kept->changed[at] : kept->values[at];
    if (*state == IN_WORK || e->depth == DEEPEST)
        return broken_off(e);
    e->depth++;
    *state = IN_WORK;
    Real result;
    if (!by_row(e, quantity, place, &result))
        result = work_out(e, quantity, place, count);
    *state = e->broken ? 0 : there;
    e->depth--;
    if (!e->broken)
        (changed ? kept->changed : kept->values)[at] = result;
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
    kept->values = malloc((kept->length + 1) * sizeof *kept->values); /* read where `known` */
    kept->known = calloc(kept->length + 1, sizeof *kept->known);
    return kept->values && kept->known;
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
    for (int p = 0; p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        e->given[p] = (Array){.values = c->given[p], .is_int = param->is_int};
        e->given[p].length = is_given(param->role) ? case_length(c, p) : 0;
        for (int i = 0; i < param->dim_count; i++)
            e->given[p].size[i] = dimension(c, p, i);
    }
    bool good = true;
    for (int i = 0; i < formula->axis_count; i++) {
        e->length[i] = whole_number(e, formula->axes[i].length);
        good = good && !e->broken && e->length[i] >= 0;
    }
    for (int q = 0; good && q < formula->quantity_count; q++)
        good = make_room(e, q);
    find_rows(e);
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

/* Nobody needs it who asks for answers alone. */
static void make_room_for_changes(Kept *kept)
{
    kept->changed = calloc(kept->length + 1, sizeof *kept->changed);
    kept->since = calloc(kept->length + 1, sizeof *kept->since);
    if (!kept->changed || !kept->since)
        author_error("out of memory");
}

void evaluation_changed(Evaluation *e, uint64_t quantities)
{
    for (int q = 0; q < e->formula->quantity_count; q++)
        if (!e->kept[q].since)
            make_room_for_changes(&e->kept[q]);
    e->affected = e->touched = quantities;
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

static void place_at(const Evaluation *e, int quantity, size_t index, int place[MOST_INDEXES])
{
    for (int i = e->formula->quantities[quantity].rank - 1; i >= 0; i--) {
        place[i] = (int)(index % (size_t)e->kept[quantity].size[i]);
        index /= (size_t)e->kept[quantity].size[i];
    }
}

bool evaluation_element(Evaluation *e, int quantity, size_t index, Real *value)
{
    int place[MOST_INDEXES] = {0};
    if (index >= e->kept[quantity].length)
        return false;
    place_at(e, quantity, index, place);
    e->broken = false;
    *value = quantity_value(e, quantity, place, e->formula->quantities[quantity].rank);
    return !e->broken;
}

/* Not what only a bound is made of; not what an earlier step is asked for. */
static bool is_between(const Formula *f, int quantity)
{
    bool is_made = false;
    for (int q = 0; q < f->quantity_count; q++)
        is_made = is_made || (f->quantities[q].param >= 0 && f->quantities[q].of >> quantity & 1);
    for (const Step *step = lesson.steps; step && step->function; step++)
        if (step->result && !strcmp(step->result, f->quantities[quantity].name))
            return false;
    return is_made && f->quantities[quantity].param < 0;
}

/* "weight[0][1]": rows of more than two dimensions are told apart by the others. Caller frees. */
static char *block_name(const Evaluation *e, int q, size_t index, const char *name)
{
    int place[MOST_INDEXES], rank = e->formula->quantities[q].rank;
    char *whole = format_text("%s", name);
    place_at(e, q, index, place);
    for (int i = 0; i + 2 < rank; i++) {
        char *longer = format_text("%s[%d]", whole, place[i]);
        free(whole);
        whole = longer;
    }
    return whole;
}

/* As the lesson says it: "weights" of "weight weights, x1". NULL: that is not in it. */
static char *said_of(const char *between, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = between; at; at = strchr(at, ',') ? strchr(at, ',') + 2 : NULL)
        if (!strncmp(at, name, length) && strchr(" ,", at[length])) {
            const char *words = at[length] == ' ' ? at + length + 1 : at;
            return format_text("%.*s", (int)strcspn(words, ","), words);
        }
    return NULL;
}

/* What the lesson says is shown to who tries; or those of which its text has the name, and sums and
 * averages. The caller's to free; NULL: not this one. */
static char *shown_as(const Evaluation *e, int q)
{
    const Quantity *quantity = &e->formula->quantities[q];
    const char *between = lesson_step(e->formula->function->name)->between;
    const Line *line = only_line(e->formula, q);
    if (between)
        return said_of(between, quantity->name);
    char *name = quantity_phrase(e->formula, q);
    if (!strcmp(name, quantity->name) || (line && line->value->kind == N_REDUCE))
        return name;
    free(name);
    return NULL;
}

static void reveal_quantity(Evaluation *e, const Case *c, int q)
{
    const Quantity *quantity = &e->formula->quantities[q];
    int width = quantity->rank ? e->kept[q].size[quantity->rank - 1] : 1;
    char *name = shown_as(e, q);
    Real *row = new_reals(width);
    for (size_t i = 0; name && width && i < e->kept[q].length; i++) {
        e->steps = 0;
        evaluation_element(e, q, i, &row[i % (size_t)width]);
        if ((i + 1) % (size_t)width == 0) {
            char *block = block_name(e, q, i, name);
            reveal_row(c, block, row, width);
            free(block);
        }
    }
    free(row);
    free(name);
}

static bool is_given_no_number(const Evaluation *e)
{
    for (int p = 0; p < e->c->function->count; p++)
        for (size_t i = 0; !e->given[p].is_int && i < e->given[p].length; i++)
            if (e->given[p].values && !isfinite(((const float *)e->given[p].values)[i]))
                return true;
    return false;
}

/* The elements first, first + step, ... along a dimension: at once, or where some are not there,
 * one by one. False: of some there is no telling. */
static bool answer_stretch(Evaluation *e, int quantity, int dim, int n, size_t first, size_t step,
                           Real *answer)
{
    int place[MOST_INDEXES];
    Real at_once[STRETCH];
    bool good = true;
    e->steps = 0;
    e->broken = false;
    if (n >= SHORTEST) {
        place_at(e, quantity, first, place);
        elements_along(e, quantity, place, dim, n, first, step, at_once);
    }
    bool is_told = n >= SHORTEST && !e->broken;
    for (int i = 0; i < n; i++) {
        size_t at = first + step * (size_t)i;
        e->steps = 0;
        if (is_told)
            answer[at] = at_once[i];
        else
            good = evaluation_element(e, quantity, at, &answer[at]) && good;
        if (isnan(answer[at].e)) /* made of what is no number, or of what nothing is promised of */
            answer[at].e = isnan(answer[at].v) && is_given_no_number(e) ? 0 : INFINITY;
    }
    return good;
}

/* Along the longest of its dimensions. */
static bool answer_all(Evaluation *e, int quantity, size_t length, Real *answer)
{
    int rank = e->formula->quantities[quantity].rank, dim = rank - 1;
    const int *size = e->kept[quantity].size;
    size_t step = 1;
    bool good = true;
    for (int i = rank - 1; i >= 0; i--)
        dim = size[i] > size[dim] ? i : dim;
    for (int i = dim + 1; i < rank; i++)
        step *= (size_t)size[i];
    int places = rank ? size[dim] : 1;
    if (length > e->kept[quantity].length)
        return false;
    for (size_t block = 0; block < length; block += step * (size_t)places)
        for (size_t i = block; i < block + step; i++)
            for (int at = 0; at < places; at += STRETCH) {
                int n = places - at < STRETCH ? places - at : STRETCH;
                size_t first = i + step * (size_t)at;
                good = answer_stretch(e, quantity, dim, n, first, step, answer) && good;
            }
    return good;
}

/* For certain. */
static bool holds(Evaluation *e, const Expr *node)
{
    if (node->kind == N_AND)
        return holds(e, node->child[0]) && holds(e, node->child[1]);
    if (node->kind == N_IS_GIVEN)
        return !e->c->null[node->which];
    if (expr_quantities(node)) {
        Real x = value(e, node->child[0]), y = value(e, node->child[1]);
        double off = x.e + y.e;
        return compared(node->which, x.v, y.v) && (off == 0 || fabs(x.v - y.v) > off);
    }
    int a = whole_number(e, node->child[0]), b = whole_number(e, node->child[1]);
    return !e->broken && compared(node->which, a, b);
}

static bool holds_over(Evaluation *e, const Rule *rule, int axis)
{
    if (axis == e->formula->axis_count)
        return holds(e, rule->holds);
    if (!(rule->axes >> axis & 1))
        return holds_over(e, rule, axis + 1);
    const bool all = !(rule->some >> axis & 1);
    bool good = all;
    for (int i = 0; i < e->length[axis] && good == all; i++) {
        e->at[axis] = i;
        good = holds_over(e, rule, axis + 1);
    }
    e->at[axis] = -1;
    return good;
}

/* Is there a rule that it breaks, of those about quantities, or of the others? */
static bool breaks_a_rule(Evaluation *e, Case *c, bool of_quantities)
{
    const Formula *f = e->formula;
    const char *why = NULL;
    for (int i = 0; i < f->rule_count && !why; i++)
        if (!expr_quantities(f->rules[i].holds) == !of_quantities)
            why = holds_over(e, &f->rules[i], 0) ? NULL : f->rules[i].words;
    e->broken = false;
    if (why)
        rule_out(c, why);
    return why;
}

/* right: no mistake is in it. What is said of quantities is said of the right ones. */
static bool answer_case(const Formula *formula, Case *c, bool right)
{
    Evaluation *e = evaluation_new(formula, c);
    bool good = e != NULL;
    if (e && breaks_a_rule(e, c, false)) {
        evaluation_free(e);
        return true;
    }
    for (int p = 0; e && p < c->function->count; p++) {
        const Param *param = &c->function->params[p];
        Real *answer = is_answer(param->role) ? wanted(c, param->name) : NULL;
        if (answer)
            good = answer_all(e, answer_quantity(formula, p), case_length(c, p), answer) && good;
    }
    for (int q = 0; good && c->revealed && q < formula->quantity_count; q++)
        if (is_between(formula, q))
            reveal_quantity(e, c, q);
    if (good && right)
        breaks_a_rule(e, c, true);
    evaluation_free(e);
    return good;
}

bool formula_answer(const Formula *formula, Case *c)
{
    return answer_case(formula, c, true);
}

bool formula_answer_with(const Formula *formula, Case *c, Mistakes set)
{
    Formula *wrong = set ? formula_with(formula, set) : NULL;
    bool good = set && !wrong ? false : answer_case(wrong ? wrong : formula, c, !wrong);
    free(wrong);
    return good;
}
