/* What try.c and gradient.c share: one `try`, and how a call is made from what is known. */
#ifndef TRY_H
#define TRY_H

#include "engine.h"

typedef struct {
    const CheckOptions *options;
    Contract contract;
    Cases cases;
    Runner *runner;
    KnownList known;
    char error[8192];
    bool lacks; /* the error is that something was not typed */
    int wrong;
} Trial;

/* Fills a new case from what is known; `row` of `rows` for a function over one row. False: t->error
 * says what is missing or doesn't fit. */
bool prepare_call(Trial *t, Case *c, int row, int rows);
/* The gradient that c's output should be, by central differences through the oracle of an earlier
 * step. NULL: that output is no gradient of one. Caller frees. */
double *numeric_gradient(Trial *t, const Case *c, int output);

#endif
