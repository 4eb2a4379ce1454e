/* A lesson's formulas: what its functions compute, as a mathematician writes it, and what comes of
 * that: the numbers, and the single changes of a formula that give a learner's wrong ones.
 *
 *   formulas.c   lessons/NN_name.formulas  -> a Formula for each function, held against its header
 *   mistakes.c   a Formula and mistakes    -> the Formula of who makes these
 *   evaluate.c   a Formula and a Case      -> its numbers, each with its bound, one at a time;
 *                with reduce.c, which adds up, stretch.c, many at a time, and rows.c, those that
 *                move together; evaluate.h is what these share
 *   changes.c    a Formula                 -> every small change of it that people's slips are;
 *                with changes_together.c, changes_inside.c, and changes.h, what these share
 *   matches.c    wrong numbers             -> the change that gives exactly these
 *   phrases.c    a part of a formula       -> words
 *   formula_tree.c   what all of these ask of a tree
 *
 * What these share is in formula_tree.h.
 *
 * The file. A function's name, and its axes with their lengths; below it, indented, a line for each
 * quantity, in an order in which each is made of those above it and of what the function is given:
 *
 *     layer_norm              r: rows, j: features
 *         mean[r]     = average over j of x[r, j]
 *         variance[r] = average over j of (x[r, j] - mean[r])^2
 *         rstd[r]     = 1 / sqrt(variance[r] + eps)
 *         y[r, j]     = gamma[j] * (x[r, j] - mean[r]) * rstd[r] + beta[j]
 *
 *   + - * / ^ ( )         as everywhere; ^ takes a whole number
 *   sqrt exp log tanh sigmoid abs trunc(a), max min(a, b)
 *   nan                   what was never written, or 0 / 0 for certain
 *   unknown               what a mistake leaves to chance: no number speaks for it, none against
 *   cancelled(a, m)       a - m^2 as floats have it, for the mistake of that name
 *   sum, average, largest, smallest over j [where a < b and ...] of
 *                         reaches as far as products go, up to the next + or -
 *   a where b < c and d = e else f
 *                         b < c with < <= > >= = !=, "given beta" for what may be NULL
 *   x[r, h * size + k]    between the brackets stand axes, sizes and whole numbers; / rounds down
 *   x[j]                  of an array that is read and written: on its own line what it held before
 *   ... , or shifted      behind an average: honest code may take it of the distances from the
 *                         first number, too, and add that number again
 *   ... , or running      the same, and followed more closely, for an answer that is the spread or
 *                         the mean itself; behind the square of a distance also ", or about 0",
 *                         where it is honest to take the squares' mean minus the mean's square
 *   ... , or a * b        honest code may come to the same in this way, too: its bound counts where
 *                         it is the larger one
 *   one_of(a, n)          there: a, as one of n terms of a sum
 *   off_by(a, b)          there: a, but maybe as far from it as b is from 0
 *   ... , as a row        behind a share, e[j] / total with e[j] = exp(score[j] - top), or a number
 *                         that is normalized, (z[j] - mean) * rstd: its bound is that of the row
 *                         together, not of each step (rows.c)
 *   only where channels % groups = 0: channels / groups has to be a whole number
 *                         what the header rules out, of sizes and of arrays of ints at all their
 *                         places, or of a quantity of a line above (variance[j] > 0), for which
 *                         it has to hold for certain; who tries other ones is told so. "only where
 *                         keep[n, s] != 0 for some s" is enough at one place of that axis, the last
 *   n_minus_1: variance[r] = ...
 *                         a mistake that has this line where the right function has another, or
 *                         beside its lines. Two that change different parts of one line are made
 *                         together; "a, b: ..." says what else two make. Below all functions
 *                         stands what is said of it:
 *
 *     mistake n_minus_1
 *         when     the variance is divided by n - 1
 *         instead  Layer norm divides by n
 *         section  Dividing the variance by n - 1
 *
 *   # ...                 a comment
 *
 * A line that is indented further goes on with the one above; a function's axes, behind a comma.
 *
 * An array has the dimensions of the header. What the function returns is called "return". On the
 * left stand axes, each maybe behind an offset (da[b, hidden + k]): such lines share an array. A
 * quantity of the function's own begins with its first line. It may be made of itself, at another
 * place (h[l - 1, j]); an output may be, by way of lines above its own.
 *
 * The invariant: a formula that was read without an error can be evaluated for every case. */
#ifndef FORMULAS_H
#define FORMULAS_H

#include "run.h"

typedef struct Formula Formula;

/* ---- formulas.c ---- */
typedef struct Formulas Formulas;
/* NULL: there is no such file, and `error` is empty; or it is wrong, and `error` says where and
 * what was expected. `contract` must stay. */
Formulas *formulas_read(const char *path, const Contract *contract, char *error, size_t size);
const Formula *formula_find(const Formulas *formulas, const char *function); /* or NULL */
void formulas_free(Formulas *formulas);
/* The mistakes with a name; behind the last one stands one without. */
const Mistake *formulas_mistakes(const Formulas *formulas);

/* ---- lesson.c ---- */
/* Those of lessons/NN_name.formulas; NULL: it has none. Where they are wrong, the checker ends. */
const Formulas *lesson_formulas(void);
const char *lesson_formulas_path(void);

/* ---- evaluate.c ---- */
/* All answers, to the case's wanted(). False: one can't be told. */
bool formula_answer(const Formula *formula, Case *c);
/* The same, with these of the lesson's mistakes. */
bool formula_answer_with(const Formula *formula, Case *c, Mistakes set);
/* Of the file: the one that gives this element of an answer; 0: none does. */
int formula_line(const Formula *formula, const Case *c, int param, size_t index);

/* ---- matches.c ---- */
/* Whom the numbers are asked of once more: cases that nothing was chosen by, in several lists, and
 * what the learner's function answers. */
typedef struct {
    const Cases *const *cases;
    int count; /* lists */
    void (*ask)(void *context, const Case *c, Answer *answer);
    void *context;
} Fresh;

/* In words; all the caller's to free. */
typedef struct {
    char *when;     /* "the term xhat * mean(g * xhat) is left out of dx" */
    char *kind;     /* the same in fewer: "a term is left out" */
    char *quantity; /* "dx" */
} Explanation;

/* The change of the formula that gives the learner's numbers on every one of these cases, and on
 * fresh ones. The cases' wanted() is that of no mistake. `only`: as in Check. False: there is none
 * to be told. Takes no more than `seconds` of processor time. */
bool match_change(Formulas *formulas, const Formula *formula, const char *only, Case *cases,
                  const Answer *answers, int count, const Fresh *fresh, double seconds,
                  Explanation *found);

#endif
