/* Lesson 13's lab: the deep network that it looks at, forward and backward.
 *
 * With tanh the forward pass is the learner's deep_forward. ReLU is the lab's own, with lesson 02's
 * norm. The invariant: for one seed x is the same in all networks, and so are the weights, but for
 * their size. */
#ifndef LESSON_13_LAB_LAYERS_H
#define LESSON_13_LAB_LAYERS_H

#include "../../../include/02_backward.h"
#include "../../../include/13_activations.h"
#include "run.h"

enum { LAYERS = 20, ROWS = 256, FEATURES = 64, COUNT = ROWS * FEATURES, MAP = FEATURES * FEATURES };

/* The learner's functions, or the solutions'. */
typedef struct {
    __typeof__(deep_forward) *deep_forward;
    __typeof__(layer_spread) *layer_spread;
    __typeof__(histogram) *histogram;
    __typeof__(layer_norm_forward) *norm;
    __typeof__(layer_norm_backward) *norm_backward;
} Paths;

typedef enum { TANH, RELU } Kind;

typedef struct {
    Kind kind;
    bool normalized;
    Rng rng;
    float *x, *w, *h; /* rows x features; layers x features x features; layers x rows x features */
} Network;

/* Weights of spread size / sqrt(features). */
Network network_of(Kind kind, bool normalized, double size, uint64_t seed);
void network_free(Network *n);
void network_forward(Network *n, const Paths *paths);
/* From a slope of its own for every number of the last layer: how long each layer's gradient of its
 * weights is. */
void network_backward(Network *n, const Paths *paths, double *length);
/* Of all pairs of rows. */
double mean_cosine(const float *h);

#endif
