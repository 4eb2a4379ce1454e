/* Lesson 13: Activations Seen. Read lessons/13_activations.md, then fill in the three functions and
 * save. `make check` tells you how far you are; `make hint` helps. */
#include "13_activations.h"

#include <math.h>
#include <stddef.h>

/* h: layers x rows x features; x: rows x features; w: layers x features x features */
void deep_forward(float *h, const float *x, const float *w, int layers, int rows, int features,
                  int normalized, float eps)
{
    /* Your code here: each layer from the one before it; products, the norm if asked for, tanh. */
}

/* mean, spread: layers; h: layers x rows x features */
void layer_spread(float *mean, float *spread, const float *h, int layers, int rows, int features)
{
    /* Your code here: one mean and one standard deviation for all the numbers of a layer. */
}

/* share: bins; x: count */
void histogram(float *share, const float *x, int count, int bins, float low, float high)
{
    /* Your code here: count the numbers in each part, then divide by how many there are. */
}
