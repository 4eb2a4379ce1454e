/* The network that lesson 15's lab trains, and the norms that may stand in it: a linear layer with
 * the norm in front of it or behind, ReLU, a linear layer. */
#ifndef LESSON_15_LAB_NETWORK_H
#define LESSON_15_LAB_NETWORK_H

#include "lab.h"
#include "network.h"

/* The learner's functions, or the solutions'. */
extern const LabFunction norm_functions[];

enum { BATCH = 32, UNITS = 32, SIDE = 14, MOST_INPUTS = SIDE * SIDE, MOST_CLASSES = 10 };

typedef enum { LAYER, ADA, ADAPTIVE, NONE, ADA_WITHOUT_K } Method;

typedef struct {
    int inputs, classes;
    bool norm_first; /* of the inputs, or else behind the first linear layer */
    void (*draw)(float *x, int class, Rng *rng);
} Task;

/* Numbers that Adam changes: their slopes, and what it remembers of these. */
typedef struct {
    float *values, *slopes, *mean, *square;
    int count;
} Learned;

enum { LEARNED = 5 };

typedef struct {
    Method method;
    const Task *task;
    int width; /* of what is normalized */
    Linear hidden, last;
    float parameters[6 * MOST_INPUTS], slopes[6 * MOST_INPUTS]; /* of the norm */
    Learned learned[LEARNED];
    float mean[BATCH], rstd[BATCH];
    float h[BATCH * UNITS], y[BATCH * MOST_INPUTS], out[BATCH * UNITS]; /* y: behind the norm */
    float scores[BATCH * MOST_CLASSES], dscores[BATCH * MOST_CLASSES];
} Network;

/* The same first weights for every method. */
void network_start(Network *n, const Task *task, Method method, Rng *rng);
void network_free(Network *n);
/* Leaves the scores in n. x: BATCH x inputs */
void network_forward(Network *n, const float *x);
/* Forward, back, and a step of Adam; `step` counts from 1. */
void network_step(Network *n, const float *x, const int *classes, int step);

#endif
