/* Lesson 13, activations: the mistakes that can be named, and what is said of each. The oracles in
 * lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_13_MISTAKES_H
#define LESSON_13_MISTAKES_H

#include "author.h"

enum {
    WEIGHTS_TRANSPOSED,
    NORM_BEHIND_TANH,
    NORM_OF_INPUT,
    BATCH_STATISTICS,
    LAYER_STATISTICS,
    N_MINUS_1,
    CANCELLATION,
    ROWS_AVERAGED,
    FROM_ZERO,
    ROOT_LEFT_OUT,
    COUNTS,
    DENSITY,
    OUTSIDE_DROPPED,
    INSIDE_ONLY,
    EDGE_BELOW,
    INT_FIRST,
    INPUT_AGAIN,
    FIRST_WEIGHTS,
    TANH_LEFT_OUT,
    HIGH_DROPPED,
};

#define DEEP "deep_forward"
#define SPREAD "layer_spread"
#define HISTOGRAM "histogram"

static const Mistake mistakes[] = {
    [WEIGHTS_TRANSPOSED] = {"weights_transposed", DEEP, "w[l][k][j] stands where w[l][j][k] should",
                            "The row j of a layer's weights makes number j",
                            "The weights' columns for their rows"},
    [NORM_BEHIND_TANH] = {"norm_behind_tanh", DEEP,
                          "tanh comes first, and its result is normalized",
                          "The norm stands between the product and tanh", "The norm behind tanh"},
    [NORM_OF_INPUT] = {"norm_of_input", DEEP, "what comes into a layer is normalized",
                       "What the weights made of it is, right before tanh",
                       "The norm before the weights"},
    [BATCH_STATISTICS] = {"batch_statistics", DEEP,
                          "each feature is normalized over the rows, as batch norm does",
                          "Each row is, over its features", "Statistics over the rows"},
    [LAYER_STATISTICS] = {"layer_statistics", DEEP,
                          "all numbers of a layer share one mean and one variance",
                          "Each row has its own", "One mean for the whole layer"},
    [N_MINUS_1] = {"n_minus_1", DEEP " " SPREAD, "the variance is divided by n - 1",
                   "Both functions divide by n", "Dividing by n - 1"},
    [CANCELLATION] = {"cancellation", DEEP " " SPREAD,
                      "the variance is the mean of the squares minus the square of the mean",
                      "Far from zero two large numbers cancel; add up squared distances",
                      "The mean of the squares minus the square of the mean"},
    [ROWS_AVERAGED] = {"rows_averaged", SPREAD, "the spread of each row is taken, then their mean",
                       "A layer's spread is that of all its numbers, about one mean",
                       "The mean of the rows' spreads"},
    [FROM_ZERO] = {"from_zero", SPREAD, "the spread is taken about zero, not about the mean",
                   "Take the mean away before you square", "The spread about zero"},
    [ROOT_LEFT_OUT] = {"root_left_out", SPREAD, "the spread is the variance, without its root",
                       "The spread is the root of the variance", "The variance for its root"},
    [COUNTS] = {"counts", HISTOGRAM, "each part holds how many numbers it has",
                "A share is a part of 1: divide by count", "Counts for shares"},
    [DENSITY] = {"density", HISTOGRAM, "each share is divided by the width of its part",
                 "The shares add up to 1, however wide the parts are", "A density for a share"},
    [OUTSIDE_DROPPED] = {"outside_dropped", HISTOGRAM, "what lies outside is not counted at all",
                         "It counts in the first part or in the last",
                         "Dropping what lies outside"},
    [INSIDE_ONLY] = {"inside_only", HISTOGRAM,
                     "what lies outside is dropped, and the rest is all there is",
                     "It counts in the first part or in the last", "Dropping what lies outside"},
    [EDGE_BELOW] = {"edge_below", HISTOGRAM, "a number on an edge goes to the part below it",
                    "It belongs to the part above", "An edge that belongs below"},
    [INT_FIRST] = {"int_first", HISTOGRAM, "a place is made an int before it is known to fit one",
                   "Compare it with 0 and bins first", "An int before its limits are known"},
    [INPUT_AGAIN] = {"input_again", DEEP, "every layer reads x",
                     "Layer l reads what layer l - 1 gave, and the first one x",
                     "The input in every layer"},
    [FIRST_WEIGHTS] = {"first_weights", DEEP, "every layer has the weights of the first",
                       "Those of layer l begin at w[l * features * features]",
                       "The first weights in every layer"},
    [TANH_LEFT_OUT] = {"tanh_left_out", DEEP, "tanh is left out", "Every layer ends with it",
                       "No tanh"},
    [HIGH_DROPPED] = {"high_dropped", HISTOGRAM,
                      "neither what lies outside nor high itself is counted",
                      "It counts in the first part or in the last", "Dropping what lies outside"},
    {0},
};

#endif
