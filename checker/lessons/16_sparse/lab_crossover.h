/* Lesson 16's lab: sparse ways against the dense one, in time. */
#ifndef LESSON_16_LAB_CROSSOVER_H
#define LESSON_16_LAB_CROSSOVER_H

#include "lab.h"

/* Of an experiment whose first value is a time, whose first curve is the dense way, and whose x is
 * the density: how many times as long that takes as each other way, and where they meet. */
void show_against_dense(FILE *out, const LabResults *r);

#endif
