/* The networks of lesson 14's lab: linear layers, norms and ReLUs, with and without residual paths.
 *
 * The invariant: all weights lie in one array and all that is no weight (biases, gamma, beta) in
 * another, so that two calls of momentum_step() move everything, each with a decay of its own. */
#ifndef LESSON_14_NETWORK_H
#define LESSON_14_NETWORK_H

#include "../../../include/02_backward.h"
#include "../../../include/14_initialization.h"
#include "digits.h"
#include "network.h"

/* The learner's functions, or the solutions'. */
typedef struct {
    __typeof__(layer_norm_forward) *forward;
    __typeof__(layer_norm_backward) *backward;
    __typeof__(identity_init) *identity;
    __typeof__(target_init) *target;
    __typeof__(momentum_step) *step;
} Calls;

enum { SIDE = 14, PIXELS = SIDE * SIDE, FEATURES = 64, BATCH = 32, MOST_LAYERS = 8 };

typedef enum {
    PLAIN,   /* each layer: linear, norm, ReLU */
    RESIDUAL /* each layer adds to what it gets: norm, ReLU, linear. One norm more at the end */
} Paths;

/* How the norms start: SAME gives all the same gamma and beta; the others look at the rows that
 * reach a norm with the first batch, IDENTITY at the first of them. The norm at the end, before the
 * scores, may start with ones and zeros in any case. */
typedef enum { SAME, IDENTITY, TARGET } From;
typedef struct {
    From from;
    float gamma, beta;
    bool ones_at_end;
} Start;

typedef struct {
    float *gamma, *beta, *dgamma, *dbeta; /* FEATURES each */
    float mean[BATCH], rstd[BATCH];
    float x[BATCH * FEATURES], y[BATCH * FEATURES];
} Norm;

typedef struct {
    Linear linear;
    Norm norm;
    float out[BATCH * FEATURES]; /* of the ReLU behind the norm */
} Layer;

/* Numbers that momentum_step() moves together. */
typedef struct {
    float *values, *velocity, *slopes;
    int count, placed;
} Moved;

typedef struct {
    const Calls *calls;
    Paths paths;
    int layers;
    Moved weights, others;
    Layer layer[MOST_LAYERS];
    Linear first, last; /* `first` and `end`: with residual paths only */
    Norm end;
    float path[BATCH * FEATURES]; /* what the residual path carries */
    float scores[BATCH * DIGITS], dscores[BATCH * DIGITS];
} Network;

/* images: BATCH x PIXELS */
void network_start(Network *n, const Calls *calls, Paths paths, Start start, const float *images,
                   Rng *rng);
void network_free(Network *n);
/* Leaves the scores in n. */
void network_forward(Network *n, const float *images);
/* From the dscores in n to every slope. */
void network_backward(Network *n, const float *images);

#endif
