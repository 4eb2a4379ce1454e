/* The functions that lesson 05's lab runs, the learner's or the solutions': nothing in it knows
 * whose they are. Set before anything is measured. */
#ifndef LESSON_05_NORMS_H
#define LESSON_05_NORMS_H

#include "lab.h"

#include "../../../include/01_layer_norm.h"
#include "../../../include/02_backward.h"
#include "../../../include/03_rms_norm.h"
#include "../../../include/05_batch_norm.h"

typedef struct {
    __typeof__(layer_norm) *layer_norm;
    __typeof__(layer_norm_forward) *layer_norm_forward;
    __typeof__(layer_norm_backward) *layer_norm_backward;
    __typeof__(rms_norm) *rms_norm;
    __typeof__(batch_norm_train) *batch_norm_train;
    __typeof__(batch_norm_eval) *batch_norm_eval;
    __typeof__(batch_norm_backward) *batch_norm_backward;
} Norms;

/* ---- lab.c ---- */
extern Norms norms;

/* ---- lab_compare.c ---- */
/* What each norm does not notice, and what depends on the batch, as three tables. */
void compare_norms(FILE *out);

#endif
