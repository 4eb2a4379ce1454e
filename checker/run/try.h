/* `try`: known.c keeps the numbers that were typed and makes calls of them, example.c has those
 * for what was not typed, gradient.c the numeric gradients, try.c goes through a lesson's steps and
 * shows them. */
#ifndef TRY_H
#define TRY_H

#include "run.h"

/* ---- known.c ---- */
typedef struct {
    char name[NAME_SIZE];
    double *values;
    int rows, columns; /* one number alone stands for as many as are wanted */
    /* follows from what was typed: a step gave it that had some of that */
    enum { FROM_DEFAULTS, FROM_TYPED, FROM_EXAMPLE, FROM_STEP, FOLLOWS } from;
} Known;
typedef struct {
    Known *items;
    int count, room;
} KnownList;
/* "10 50 20; 1 2 3 eps=0 gamma=1 2 3": numbers belong to the name before them, or else to `first`.
 */
bool known_parse(KnownList *list, const char *words, const char *first, char *error, size_t size);
const Known *known_find(const KnownList *list, const char *name);
void known_add(KnownList *list, const char *name, const double *values, int rows, int columns);
void known_forget(KnownList *list, const char *name); /* if it is there */
void known_free(KnownList *list);

/* What one `try` knows by now. */
typedef struct {
    const CheckOptions *options;
    Contract contract;
    Cases cases;
    Runner *runner;
    KnownList known;
    int typed;       /* how many of these, the first ones; 0 when that has been told */
    bool by_example; /* what was not typed is the example's */
    char error[8192];
    bool lacks;     /* the error is that something was not typed, or is not for this step */
    bool too_large; /* the reference came to a number that no float holds */
    int wrong;
} Try;

/* Fills a new case from what is known; `row` of `rows` for a function over one row. False: t->error
 * says what is missing or doesn't fit. */
bool prepare_call(Try *t, Case *c, int row, int rows);
/* The rows of x that a function over one row is to be called for; 1 when it takes them all. */
int rows_to_go(const Try *t, const Function *function);
/* What a step gives, in the reference's numbers, is known from now on. `calls`: one case for each
 * row that it was called for. */
void learn_results(Try *t, const Step *step, const Cases *calls, int rows);

/* ---- example.c ---- */
/* One of these cases, which the caller frees. NULL: the function has none. */
const Case *example_find(const char *function, Cases *cases);
/* " eps=0.1": what of its function's example was changed, a number or some, to make that case;
 * NULL: more than that. Caller frees. */
char *changed_example(const Case *c);
/* All that is not known yet of what that case's function takes. */
void example_take(Try *t, const Case *c);

/* ---- gradient.c ---- */
/* The gradient that c's output should be, by central differences through the oracle of an earlier
 * step. NULL: that output is no gradient of one. Caller frees. */
double *numeric_gradient(Try *t, const Case *c, int output);

/* An output dX, where X is what an earlier step takes. */
typedef struct {
    const char *function, *output;
    const char *forward; /* the step whose numeric gradient it was held against; NULL: none, */
    char *why;           /* because of this; these three: caller frees */
    char *formula;       /* the line of the formula that gives it; NULL: an oracle does */
    char *numbers;   /* where it is furthest off: "dx[1] is 2, and the slope 3. To see it: ..." */
    double furthest; /* the largest difference from the numeric one, */
    double largest;  /* and the largest element of that */
} Slope;
enum { MOST_SLOPES = MAX_FUNCTIONS * MAX_PARAMS };
void slope_free(Slope *slope); /* what it holds */
/* Feeds each step from the ones before, from ints that the lesson draws, and from random numbers.
 * How many such outputs there are; found: MOST_SLOPES. */
int compare_gradients(const Contract *contract, Rng *rng, Slope *found);

/* ---- try.c ---- */
char *call_to_try(const Case *c); /* "try center 1 2 6 eps=0.1", of any length; caller frees */

#endif
