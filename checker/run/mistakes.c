/* The formula of who makes these mistakes: each has lines, which stand where the right ones do.
 *
 * Two mistakes may change one line. Each is the right line with one part of it another one. Where
 * the part that the one changes is still there once in the line of the other, it is changed there,
 * too: without gamma and without beta, gamma * hat + beta is hat. Where it is not, the later line
 * stands, unless the file has a line for both. */
#include "formula_tree.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COPIED = 256 };

typedef struct {
    Formula formula; /* first: whoever frees that frees all of it */
    Expr copied[MOST_COPIED];
    int count;
} Mistaken;

/* All but what is below them. */
static bool same_top(Expr a, Expr b)
{
    memset(a.child, 0, sizeof a.child);
    memset(b.child, 0, sizeof b.child);
    return expr_same(&a, &b);
}

/* The smallest part of the right line that is another one in the wrong line, and that one. */
static void find_changed(Expr **right, Expr **wrong)
{
    while (*right && *wrong && same_top(**right, **wrong)) {
        int at = 0, changed = 0;
        for (int i = 0; i < 3; i++)
            if (!expr_same((*right)->child[i], (*wrong)->child[i])) {
                at = i;
                changed++;
            }
        if (changed != 1 || !(*right)->child[at] || !(*wrong)->child[at])
            return;
        *right = (*right)->child[at];
        *wrong = (*wrong)->child[at];
    }
}

static int times_in(const Expr *node, const Expr *part)
{
    if (!node || expr_same(node, part))
        return node != NULL;
    int times = 0;
    for (int i = 0; i < 3; i++)
        times += times_in(node->child[i], part);
    return times;
}

/* The same with `by` where `part` stands, on nodes of its own down to there. NULL: no room. */
static Expr *replaced(Mistaken *m, const Expr *node, const Expr *part, Expr *by)
{
    if (expr_same(node, part))
        return by;
    if (m->count == MOST_COPIED)
        return NULL;
    Expr *copy = &m->copied[m->count++];
    *copy = *node;
    for (int i = 0; i < 3; i++)
        if (node->child[i] && times_in(node->child[i], part) &&
            !(copy->child[i] = replaced(m, node->child[i], part, by)))
            return NULL;
    return copy;
}

/* What both make of the right line. NULL: what one changes is no more in the line of the other. */
static Expr *made_by_both(Mistaken *m, Expr *right, Expr *one, Expr *other)
{
    for (int way = 0; way < 2; way++) {
        Expr *part = right, *by = way ? other : one, *in = way ? one : other;
        find_changed(&part, &by);
        if (times_in(right, part) == 1 && times_in(in, part) == 1)
            return replaced(m, in, part, by);
    }
    return NULL;
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
static bool put_line(Mistaken *m, const Formula *right, const Line *line, bool alone)
{
    Formula *wrong = &m->formula;
    int at = 0;
    while (at < wrong->line_count && !same_left(&wrong->lines[at], line))
        at++;
    if (at == MOST_LINES)
        return false;
    Expr *value = NULL;
    if (alone && at < right->line_count && wrong->lines[at].of)
        value = made_by_both(m, right->lines[at].value, wrong->lines[at].value, line->value);
    wrong->lines[at] = *line;
    if (value)
        wrong->lines[at].value = value;
    wrong->line_count += at == wrong->line_count;
    return true;
}

/* The lines of each mistake; last those that say what several make together. */
Formula *formula_with(const Formula *formula, Mistakes set)
{
    Mistaken *m = malloc(sizeof *m);
    bool good = m != NULL;
    if (m) {
        m->formula = *formula;
        m->count = 0;
    }
    for (int together = 0; together < 2; together++)
        for (int i = 0; i < formula->named_count && good; i++) {
            const Line *line = &formula->named[i];
            bool is_made = (line->of & set) == line->of;
            if (is_made && together == ((line->of & (line->of - 1)) != 0))
                good = put_line(m, formula, line, !together);
        }
    if (!good) {
        free(m);
        return NULL;
    }
    return &m->formula;
}
