/* How evaluate.c works out one element, reduce.c a sum of many, stretch.c many of one axis, and
 * rows.c a row of numbers that move together. */
#ifndef EVALUATE_H
#define EVALUATE_H

#include "formula_tree.h"

enum { STRETCH = 128, SHORTEST = 6 }; /* places: at most, and from how many on it is worth it */

/* A quantity's numbers. */
typedef struct {
    size_t length;           /* elements; 0: its places are no numbers */
    int size[MOST_INDEXES];  /* of each dimension */
    Real *values, *changed;  /* of the formula as it is, and with the change */
    unsigned *known, *since; /* changed[i] holds where since[i] is this change's number */
} Kept;

/* A parameter's array, as the case has it. */
typedef struct {
    size_t length;
    int size[MOST_INDEXES]; /* of each dimension */
    const void *values;
    bool is_int;
} Array;

/* A sum, an average, a largest or a smallest in the making. */
typedef struct {
    Sum sum;                 /* where `running` is of a variance, of what is squared there */
    Running running;         /* from_first alone where the line says "or shifted" */
    Real first, most, about; /* about: what is subtracted in a square */
    bool any, is_running, is_variance; /* is_running: the line says "or running" */
} Reduced;

/* A quantity whose numbers move together: shares, or a row that is normalized. */
typedef struct {
    const Line *line;       /* NULL: it is none */
    const Expr *of, *holds; /* what it is made of; of shares: where that is kept, or NULL */
    const Expr *eps;        /* NULL: they are shares */
    unsigned axes;          /* the one that the row goes along */
    int dim;                /* where that stands */
    uint64_t by;            /* the quantities whose lines say so */
} Row;

struct Evaluation {
    const Formula *formula;
    const Case *c;
    int length[MOST_AXES], at[MOST_AXES]; /* of the axes, and where each is; -1: nowhere */
    int outside[MOST_AXES]; /* where it was, outside of the reduction that goes over it */
    int line_last;          /* the last axis of the line's left; -1: none */
    Array given[MAX_PARAMS];
    Kept kept[MOST_QUANTITIES];
    Row row[MOST_QUANTITIES];
    uint64_t affected, touched; /* touched: whose own lines are changed */
    uint64_t in_work;           /* of which a stretch is being worked out */
    unsigned change;
    long steps, limit;
    int depth;
    bool broken; /* something was read that is not there */
};

/* An axis, and its places, as far as a part of a reduction goes over them. */
typedef struct {
    int axis, from, to;
} Range;

/* What is no number has NaN for its bound, and so has what is made of it: where that is NaN, every
 * right program has NaN there. */
static inline Real given_float(double x)
{
    return (Real){x, x - x};
}

/* What can't be told. */
static inline Real broken_off(Evaluation *e)
{
    e->broken = true;
    return (Real){NAN, INFINITY};
}

/* ---- evaluate.c ---- */
/* What a node comes to where the axes are now. What can't be told sets `broken`. */
Real value(Evaluation *e, const Expr *node);
Real quantity_value(Evaluation *e, int quantity, const int *place, int count);
int whole_number(Evaluation *e, const Expr *node); /* of a place */
Real to_the(Real a, int power);
Real applied(int function, Real a, Real b);
int last_axis(const Line *line, int count);
/* What is added to a sum may be the first of its terms: it is charged as one of them. */
Real beside_sum(const Evaluation *e, const Expr *sum, Real a);

/* ---- reduce.c ---- */
/* What a reduction comes to where the axes are now. */
Real reduced(Evaluation *e, const Expr *node);
/* Made of whole numbers, and the same wherever those axes are. */
bool is_whole(const Evaluation *e, const Expr *node, unsigned axes);
int outermost(const Evaluation *e, unsigned axes); /* of those a reduction goes over; -1: none */
Range range_of(Evaluation *e, const Expr *reduction, int axis);
/* The places of an axis where a condition may hold, as far as it compares the axis with what is the
 * same wherever `axes` are. Where it says no more than that, it holds at all of them. */
Range range_where(Evaluation *e, const Expr *holds, unsigned axes, int axis);
bool only_narrows(const Evaluation *e, const Expr *holds, unsigned axes, int axis);
/* An average with "or shifted" or "or running"; what is subtracted in a square there, or NULL; and
 * what a term's distance is taken of. */
bool is_shifted(const Expr *node);
const Expr *subtracted(const Expr *node);
const Expr *shifted_part(const Expr *node);
/* about: subtracted()'s number. */
Reduced reduced_begin(const Expr *node, Real about);
/* x: of shifted_part(). */
void include_term(const Expr *node, Real term, bool shifted, Real x, Reduced *r);
Real sum_or_average(Evaluation *e, const Expr *node, const Reduced *r, int terms);

/* ---- stretch.c ---- */
/* What value() gives at n places of `axis`, up to STRETCH, from where it is on. */
void values_along(Evaluation *e, const Expr *node, int axis, int n, Real *out);
/* The only line of a quantity, where axes alone stand on its left; or NULL. */
const Line *only_line(const Formula *formula, int quantity);
/* The elements from `place` on, along dimension `dim`: first, first + step, ... of the quantity. */
void elements_along(Evaluation *e, int quantity, int place[MOST_INDEXES], int dim, int n,
                    size_t first, size_t step, Real *out);

/* ---- rows.c ---- */
void find_rows(Evaluation *e);
/* The element, and with it all of its row. False: there is none, or no telling in this way. */
bool by_row(Evaluation *e, int quantity, const int *place, Real *result);

#endif
