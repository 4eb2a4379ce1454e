/* What a lesson's checker says of the lesson itself. Only selftest.c puts it together; a learner's
 * run needs none of it. */
#ifndef SELFTEST_H
#define SELFTEST_H

#include "run.h"

/* Everything, with its measures. 0, or 1 when a promise is broken. */
int self_test(uint64_t seed);
/* parts.c: header, lesson.c, text and hints speak of the same things. */
int parts_broken(const Contract *contract);
/* parts.c: which parts it could still have. */
void print_missing(int steps_without_vectors);
/* gradient.c: how many gradients there are; in *worst, how far they are from the numeric ones. */
int compare_gradients(const Contract *contract, Rng *rng, double *worst);
/* draws.c: how many promises the drawn cases of `seeds` seeds break, and how many cases there were.
 */
int draws_broken(const Contract *contract, uint64_t seed, int seeds, long *drawn);
/* The same alone, printed, for as many seeds as one has time for. 0 or 1. */
int test_draws(uint64_t seed, int seeds);

#endif
