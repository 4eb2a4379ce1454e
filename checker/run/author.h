/* Everything that a lesson.c needs: this page, and real.h with the numbers.
 *
 * A lesson is a header, a solution, and a lesson.c with `const Lesson lesson`: its steps (one for
 * each function of the header, with an oracle that gives the right answer, where its formula in
 * lessons/NN_name.formulas does not: formulas.h), its checks (the lines that a learner reads), and,
 * where an idea is often wrong, its mistakes.
 *
 *   include/NN_name.h    the functions. Types say what a parameter is, and the comment behind an
 *                        array is its shape:
 *
 *       void layer_norm(float *y,           / * rows x features * /
 *                       const float *beta,  / * features, or NULL * /
 *                       const int *length,  / * rows + 1 * /
 *                       int rows, int features, float eps);
 *
 *     `const float *` and `const int *` are inputs, `float *` is an output; ", read and written"
 * makes it both; ", or NULL": a case may leave it out. A shape has up to four dimensions, each a
 * sum of products of numbers and int parameters ("4 * hidden x inputs"; "1" for a single number).
 * What a function returns, a float or an int, is called "return". At most 16 parameters, 8 of them
 * float.
 *
 * A name that the header does not have ends the checker with a sentence: make verify finds it. */
#ifndef AUTHOR_H
#define AUTHOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "real.h"

typedef struct Case Case; /* one call: its inputs, and what it should give */
typedef struct Cases Cases;
typedef struct Rng Rng;
typedef uint64_t Mistakes; /* a set of mistakes */

/* ---- cases.c: an oracle, which is the function once more, in Real ----
 *
 *     static void scale_oracle(Case *c, Mistakes m)
 *     {
 *         const float *x = given(c, "x");
 *         for (int i = 0; i < size_of(c, "n"); i++)
 *             wanted(c, "y")[i] = mul(exact(scalar_of(c, "factor")), exact(x[i]));
 *     }
 *
 * It writes every element of every output (exact(NAN) where every right program gives NaN), and
 * what is NULL in the call is NULL here. `try` calls it with whatever a learner types: an int array
 * may hold anything. */
int size_of(const Case *c, const char *name);     /* an int parameter */
float scalar_of(const Case *c, const char *name); /* a float parameter */
const float *given(const Case *c, const char *name);
const int *given_ints(const Case *c, const char *name);
Real *wanted(Case *c, const char *name); /* an output, or "return" */
/* Room for numbers on the way, to be freed: zeros, and those of an array, whose NULL stays NULL. */
Real *new_reals(int count);
Real *as_reals(const float *values, int count);
/* For sizes that the header rules out, which only `try` brings: it shows `why` in place of numbers.
 */
void rule_out(Case *c, const char *why);
/* A number on the way to the answer ("normalized"), for those who `try` the function. */
void reveal(const Case *c, const char *name, Real value);
/* A line of such numbers ("weights"). Without it they are broken as x is into rows. */
void reveal_row(const Case *c, const char *name, const Real *values, int count);
static inline bool has(Mistakes set, int mistake) /* is it to be made? */
{
    return set >> mistake & 1;
}

/* ---- cases.c: draw functions, for cases of their own at every run ---- */
Case *case_new(Cases *cases, const char *function);
/* First all the sizes, then the arrays. */
void set_size(Case *c, const char *name, int value);
void set_scalar(Case *c, const char *name, float value);
float *fill(Case *c, const char *name); /* the array's values, to be written */
int *fill_ints(Case *c, const char *name);
void set_null(Case *c, const char *name); /* an array with ", or NULL" behind its shape */
/* `count` numbers, `step` apart, with that spread around offset * spread; never all but equal. */
void fill_spread(float *values, int count, int step, Rng *rng, double spread, double offset);
/* Rows (the array's last dimension is a row's length), each of a spread of its own. */
void fill_rows(Case *c, const char *name, Rng *rng, double spread, double offset);
/* Every array of floats that nothing was written to yet: random and all different. gamma away from
 * 0 and 1. */
void fill_rest(Case *c, Rng *rng);
void case_label(Case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool takes(const Case *c, const char *name); /* has its function a parameter of that name? */

double uniform(Rng *rng, double low, double high);
int uniform_int(Rng *rng, int low, int high); /* low to high, both included */
double normal(Rng *rng);

/* 24 shapes and kinds of rows to go through at every run: 1 row, 1 feature, primes; spreads from
 * 0.01 to 100, offsets up to 1000 spreads where the row is short; an eps for each. Some sizes and
 * epsilons are drawn, so that no buffer is known to be enough: up to 300 rows, 6000 features. */
enum { SHAPES = 24 };
typedef struct {
    int rows, features;
    double spread, offset;
    float eps; /* 0 only where neither rows nor columns are of one number */
} Shape;
Shape odd_shape(Rng *rng, int index);

/* The case of shape `index`: its rows, features and eps, as far as the function has them, x with
 * that spread and offset, and the label. What else it takes is still to be set or filled. */
Case *case_of_shape(Cases *cases, Rng *rng, const char *function, int index);

/* ---- a lesson whose interface is a struct with a life ----
 * calls.h in the lesson's folder declares flat functions in the form above; calls.c defines them:
 * each calls the learner's functions in turn and copies out what they left. It is compiled once,
 * linked with the learner's file and run where that is run, so no expected value may stand in it.
 * The checks call these; Step.calls says which of the learner's functions they are about. A step
 * without it calls a function of the header, where that is flat. calls.c may include memory.h
 * (checker/box/): memory that runs out at the nth allocation, and blocks counted. Every case is
 * also called a few times more, to see whether memory grows. */

/* ---- the lesson ---- */
typedef struct {
    const char *id;    /* "n_minus_1": in JSON and in the tests */
    const char *steps; /* the functions in which it can be made: "row_variance layer_norm" */
    const char *when; /* "These are the numbers you get when <the variance is divided by n - 1>." */
    const char
        *instead; /* "Layer norm divides by n" (no full stop: a pointer to the text follows) */
    const char *section; /* its heading in lessons/NN_name.mistakes.md */
} Mistake;

typedef struct {
    const char *function;
    /* NULL: its formula gives the answers. Without a table `mistakes` below it is asked for right
     * ones alone, and the formula for those with mistakes. */
    void (*oracle)(Case *c, Mistakes mistakes);
    const char *result; /* what later steps call its return value: "mean"; NULL: it returns none */
    /* Where `function` is one of the lesson's calls.c: the learner's functions that it calls, in
     * order, "layer_norm_init layer_norm_forward". The check is about the last of them, or about
     * the one that is named here, and waits until the others pass. */
    const char *calls, *about;
    /* The earlier step that its outputs are the slopes of; "": of none, since it holds constant
     * what is not, or is given what comes from elsewhere. NULL: of the first that fits. They are
     * held against numeric ones; where none can be, make verify wants the "". */
    const char *slopes_of;
    /* What of its formula `try` shows, each maybe in other words: "weight weights, x1". NULL: all
     * that has a name of its own, and sums and averages. */
    const char *between;
} Step;

typedef struct {
    const char *step;    /* the function that it calls */
    const char *title;   /* the printed line, after the mark: starts with the function's name */
    const char *vectors; /* the cases of this group in vectors.json, or NULL */
    void (*draw)(Cases *cases, Rng *rng); /* further cases, drawn afresh at every run, or NULL */
    const char *only; /* the outputs that this check looks at, "dgamma dbeta"; NULL: all of them */
} Check;

/* What a dimension is made of: {"4 * hidden", "i f g o", "unit"}, and a number of it is called "o
 * of unit 0" in a verdict. Of as many parts as it has numbers each has its own name. */
typedef struct {
    const char *of, *names, *unit;
} NamedParts;

typedef struct {
    const char *title; /* "Layer Normalization" */
    const Step *steps; /* each of these ends with an entry of NULLs */
    const Check *checks;
    const Mistake *mistakes; /* bit i of Mistakes is mistakes[i], up to 64; NULL: its formulas' */
    const char *defaults;    /* for `try`, what needs not be typed: "gamma=1 beta=0 eps=1e-5" */
    const char *flags; /* for `try`, int parameters that are no size and may be 0: "normalized" */
    const NamedParts *made_of; /* ended by one without `of`; or NULL */
    const char *learned;       /* what whoever passed it knows, a sentence or two; NULL: not said */
    const char *sample; /* for the self-test's gradients, what is not to be drawn: "groups=2" */
    const char *needs;  /* the lessons whose text this one's builds on: "01", "02 07"; NULL: none */
    bool
        core; /* it comes in the order of its number; else it is a choice of those that are ready */
} Lesson;

/* ---- lessons/NN_name/lesson.c ---- */
extern const Lesson lesson;

/* ---- cases.c ---- */
/* Ends the checker: the lesson can't do what it says. */
void author_error(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
