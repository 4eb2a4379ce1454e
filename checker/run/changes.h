/* What changes.c, changes_together.c and changes_inside.c share: the making of changes. */
#ifndef CHANGES_H
#define CHANGES_H

#include "formula_tree.h"

enum { MOST_OCCURRENCES = 64 };

/* What a function is made of: "gamma[j]", "mean[r]", "eps", once each. */
typedef struct {
    const Expr *node;
    unsigned axes; /* that stand in its places */
} Occurrence;

/* The changes in the making, of line `line`. */
typedef struct {
    Changes *changes;
    Formulas *formulas;
    const Formula *f;
    int line;
    Occurrence occurrences[MOST_OCCURRENCES];
    int occurrence_count;
} Maker;

/* ---- changes.c ---- */
/* Nodes, kept with the formulas. */
Expr *expr_keep(Maker *m, Expr node);
Expr *expr_binary(Maker *m, ExprKind kind, const Expr *a, const Expr *b);
Expr *expr_number(Maker *m, double value);
Expr *expr_copy(Maker *m, const Expr *node);
Expr *expr_with_place(Maker *m, const Expr *at, int i, const Expr *place);
bool expr_is_name(const Expr *node); /* an array, a quantity, a size or a number */
Change *change_add(Maker *m, ChangeKind kind, const Expr *old, const Expr *now);
void change_add_edit(Maker *m, Change *change, int line, Expr *at, const Expr *by);
/* May that line be made of it? Not if it is made of that line; `bound`: the axes that have a value.
 */
bool change_may_use(const Maker *m, const Expr *node, unsigned bound);

/* Every change of what stands there, where these axes have a value. */
void change_each(Maker *m, Expr *at, unsigned bound);

/* ---- changes_together.c ---- */
void change_together(Maker *m);

/* ---- changes_inside.c ---- */
void change_inside(Maker *m);

#endif
