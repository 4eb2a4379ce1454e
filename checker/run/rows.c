/* Numbers of a row that move together ("as a row"): shares of a whole, as softmax has them, and a
 * row that is normalized. Each is one quantity, by way of others; it is found by its lines,
 * whatever these are called, and a row of it is worked out at once.
 *
 *     e[r, j]     = exp(score[r, j] - top[r]) where a[j] != 0 else 0      maybe without a condition
 *     top[r]      = largest over j where a[j] != 0 of score[r, j]         the same one
 *     total[r]    = sum over j of e[r, j]
 *     share[r, j] = e[r, j] / total[r], as a row
 *
 *     mean[r]     = average over j of z[r, j]
 *     variance[r] = average over j of (z[r, j] - mean[r])^2
 *     rstd[r]     = 1 / sqrt(variance[r] + eps)
 *     xhat[r, j]  = (z[r, j] - mean[r]) * rstd[r], as a row
 *
 * The invariant: the bound holds however the row's own numbers were rounded. Step by step a share's
 * would be endless where scores are large and so off by more than 1, and it would be forgotten that
 * mean and spread move along with z.
 *
 * A share is 1 / (1 + exp(-odds)), odds being its score minus the logarithm of what exp of the
 * others adds up to. That logarithm moves by no more than the largest error of a score, so odds
 * move by no more than that and the score's own error, and the share by no more than from 0 to 1.
 * What is done to the scores as they are (the largest subtracted, exp, the sum, the quotient, or
 * exp of a difference of logarithms) is charged as everywhere; the sum is 1 or more, and is no 0 /
 * 0. normalized_row() says how a norm moves. */
#include "evaluate.h"

#include <stdlib.h>
#include <string.h>

/* ---- which lines are rows ---- */
/* The only line of that quantity, where its places are those that it is read at. */
static const Line *line_of(const Formula *f, const Expr *node)
{
    const Line *line = node->kind == N_QUANTITY ? only_line(f, node->which) : NULL;
    for (int i = 0; line && i < node->index_count; i++)
        if (!expr_same(line->place[i], node->index[i]))
            return NULL;
    return line && !line->other ? line : NULL;
}

/* Over all of a single axis; the part that it is made of, or NULL. */
static const Expr *part_of(const Line *line, int which)
{
    const Expr *node = line ? line->value : NULL;
    bool is_one = node && node->kind == N_REDUCE && node->which == which && node->part == WHOLE &&
                  !node->count_off && !node->child[2] && !(node->axes & (node->axes - 1));
    return is_one ? node->child[0] : NULL;
}

static void put_by(Row *row, const Line *line)
{
    row->by |= (uint64_t)1 << line->quantity;
}

static bool is_share(const Formula *f, const Expr *quotient, Row *row)
{
    const Line *own = quotient->kind == N_DIV ? line_of(f, quotient->child[0]) : NULL;
    const Line *whole = own ? line_of(f, quotient->child[1]) : NULL;
    if (!part_of(whole, SUM) || whole->value->child[1] ||
        !expr_same(part_of(whole, SUM), quotient->child[0]))
        return false;
    const Expr *power = own->value;
    if (power->kind == N_WHERE && power->child[2]->kind == N_NUMBER &&
        power->child[2]->number == 0) {
        row->holds = power->child[1];
        power = power->child[0];
    }
    const Expr *below = power->kind == N_FUNCTION && power->which == EXP ? power->child[0] : power;
    const Line *top = below->kind == N_SUB && below != power ? line_of(f, below->child[1]) : NULL;
    if (!part_of(top, LARGEST) || top->value->axes != whole->value->axes ||
        !expr_same(top->value->child[1], row->holds) ||
        !expr_same(part_of(top, LARGEST), below->child[0]))
        return false;
    row->of = below->child[0];
    row->axes = whole->value->axes;
    put_by(row, own);
    put_by(row, whole);
    put_by(row, top);
    return true;
}

static bool is_norm(const Formula *f, const Expr *product, Row *row)
{
    const Expr *distance = product->kind == N_MUL ? product->child[0] : product;
    const Line *rstd = product->kind == N_MUL ? line_of(f, product->child[1]) : NULL;
    const Line *mean = distance->kind == N_SUB ? line_of(f, distance->child[1]) : NULL;
    const Expr *root = rstd && rstd->value->kind == N_DIV ? rstd->value->child[1] : product;
    if (root->kind != N_FUNCTION || root->which != SQRT || root->child[0]->kind != N_ADD ||
        rstd->value->child[0]->kind != N_NUMBER || rstd->value->child[0]->number != 1 ||
        root->child[0]->child[1]->kind != N_SCALAR)
        return false;
    const Line *variance = line_of(f, root->child[0]->child[0]);
    const Expr *square = part_of(variance, AVERAGE), *each = part_of(mean, AVERAGE);
    if (!square || !each || square->kind != N_POWER || square->number != 2 ||
        !expr_same(square->child[0], distance) || !expr_same(each, distance->child[0]) ||
        variance->value->axes != mean->value->axes || variance->value->child[1] ||
        mean->value->child[1])
        return false;
    row->of = each;
    row->eps = root->child[0]->child[1];
    row->axes = mean->value->axes;
    put_by(row, mean);
    put_by(row, variance);
    put_by(row, rstd);
    return true;
}

static Row row_of(const Formula *f, const Line *line)
{
    Row row = {0}, norm = {0};
    bool good = line->as_row && !line->other && only_line(f, line->quantity) == line;
    if (good && !is_share(f, line->value, &row)) {
        row = norm;
        good = is_norm(f, line->value, &row);
    }
    for (int i = 0; good && i < f->quantities[line->quantity].rank; i++)
        if (row.axes == 1u << line->place[i]->which) {
            row.line = line;
            row.dim = i;
        }
    if (row.line)
        put_by(&row, line);
    return row;
}

bool is_row(const Formula *f, const Line *line)
{
    return row_of(f, line).line != NULL;
}

void find_rows(Evaluation *e)
{
    for (int i = 0; i < e->formula->line_count; i++)
        if (e->formula->lines[i].as_row)
            e->row[e->formula->lines[i].quantity] = row_of(e->formula, &e->formula->lines[i]);
}

/* ---- shares ---- */
/* What is not kept has no score, and weighs nothing. */
static const Real not_kept = {-INFINITY, 0};

static bool is_kept(Real score)
{
    return score.v != not_kept.v;
}

/* The logarithm of what exp of all but one adds up to. */
static double log_sum(const Real *score, int n, int but)
{
    double largest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        if (i != but)
            largest = fmax(largest, score[i].v);
    for (int i = 0; i < n && largest > -INFINITY; i++)
        if (i != but)
            sum += exp(score[i].v - largest);
    return largest + log(sum);
}

/* The first of the largest, or -1. */
static int first_of(const Real *score, int n)
{
    int first = -1;
    for (int i = 0; i < n; i++)
        if (is_kept(score[i]) && (first < 0 || score[i].v > score[first].v))
            first = i;
    return first;
}

/* How far rounded scores move a share that without is `right`. */
static double moved(double right, double odds, double swing)
{
    return fmax(1 / (1 + exp(-odds - swing)) - right, right - 1 / (1 + exp(swing - odds)));
}

/* What is 1000 below weighs nothing, in double precision neither. */
static Real below(double score, double largest)
{
    return difference(fmax(score - largest, -1000), 0);
}

static void weigh(Real *weight, const Real *score, int n)
{
    int first = first_of(score, n);
    double most = 0;
    Sum sum = {0};
    for (int i = 0; i < n; i++) {
        weight[i] = exact(0);
        if (!is_kept(score[i]))
            continue;
        weight[i] = exponential(below(score[i].v, score[first].v));
        include(&sum, weight[i]);
        most = fmax(most, score[i].e);
    }
    Real whole = total(sum), of_whole = logarithm(whole);
    for (int i = 0; i < n; i++) {
        if (!is_kept(score[i]))
            continue;
        Real by_logarithm = exponential(sub(below(score[i].v, score[first].v), of_whole));
        weight[i] = larger_bound(divide(weight[i], whole), by_logarithm);
        double odds = i == first ? score[i].v - log_sum(score, n, first)
                                 : score[i].v - score[first].v - of_whole.v - log1p(-weight[i].v);
        if (most > 0)
            weight[i].e += moved(weight[i].v, odds, score[i].e + most);
    }
}

/* ---- a row, and where it is kept ---- */
/* Of what it is made, where the axes are now. False: some is no number, or may be none. */
static bool numbers_of(Evaluation *e, const Row *row, int axis, int n, Real *z)
{
    bool at_once = !e->change && n >= SHORTEST, any = false, good = true;
    for (int i = 0; i < n && at_once; i += STRETCH) {
        e->at[axis] = i;
        values_along(e, row->of, axis, n - i < STRETCH ? n - i : STRETCH, z + i);
    }
    for (int i = 0; i < n && !e->broken; i++) {
        e->at[axis] = i;
        if (row->holds && value(e, row->holds).v == 0) {
            z[i] = not_kept;
            continue;
        }
        if (!at_once)
            z[i] = value(e, row->of);
        any = true;
        good = good && isfinite(z[i].v) && isfinite(z[i].e);
    }
    return any && good && !e->broken;
}

static void keep_row(Evaluation *e, int quantity, const int *place, int n, const Real *values)
{
    Kept *kept = &e->kept[quantity];
    const bool changed = e->affected >> quantity & 1;
    const int dim = e->row[quantity].dim;
    size_t first = 0, step = 1;
    for (int i = 0; i < e->formula->quantities[quantity].rank; i++) {
        first = first * (size_t)kept->size[i] + (size_t)(i == dim ? 0 : place[i]);
        step = i > dim ? step * (size_t)kept->size[i] : step;
    }
    for (int i = 0; i < n; i++) {
        (changed ? kept->changed : kept->values)[first + step * (size_t)i] = values[i];
        (changed ? kept->since : kept->known)[first + step * (size_t)i] = changed ? e->change : 1;
    }
}

bool by_row(Evaluation *e, int quantity, const int *place, Real *result)
{
    const Row *row = &e->row[quantity];
    if (!row->line || e->touched & row->by)
        return false;
    int at[MOST_AXES], outside[MOST_AXES], axis = row->line->place[row->dim]->which;
    int n = e->length[axis];
    Real *z = new_reals(2 * n), *values = z + n;
    memcpy(at, e->at, sizeof at);
    memcpy(outside, e->outside, sizeof outside);
    memset(e->at, -1, sizeof e->at);
    memset(e->outside, -1, sizeof e->outside);
    for (int i = 0; i < e->formula->quantities[quantity].rank; i++)
        e->at[row->line->place[i]->which] = place[i];
    bool good = numbers_of(e, row, axis, n, z);
    if (good && row->eps)
        normalized_row(values, z, n, value(e, row->eps).v);
    else if (good)
        weigh(values, z, n);
    memcpy(e->at, at, sizeof at);
    memcpy(e->outside, outside, sizeof outside);
    if (good) {
        keep_row(e, quantity, place, n, values);
        *result = values[place[row->dim]];
    }
    free(z);
    return good;
}
