/* What the parts of lesson 05's lab share. The lab loads the functions, the learner's or the
 * solutions', and hands them on as pointers: nothing else here knows whose they are. */
#ifndef LESSON_05_LAB_H
#define LESSON_05_LAB_H

#include <stdio.h>

typedef struct {
    void (*layer_norm)(float *y, const float *x, const float *gamma, const float *beta, int rows,
                       int features, float eps);
    void (*rms_norm)(float *y, const float *x, const float *gamma, int rows, int features,
                     float eps);
    void (*batch_norm_train)(float *y, float *running_mean, float *running_var, const float *x,
                             const float *gamma, const float *beta, int batch, int features,
                             float momentum, float eps);
    void (*batch_norm_eval)(float *y, const float *running_mean, const float *running_var,
                            const float *x, const float *gamma, const float *beta, int batch,
                            int features, float eps);
} Norms;

/* compare.c: what each norm does not notice, and what depends on the batch, as three tables. */
void compare_norms(FILE *out, const Norms *norms);

#endif
