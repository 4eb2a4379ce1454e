/* Lesson 16, sparse rows: the mistakes that can be named, and what is said of each. The oracles in
 * lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_16_MISTAKES_H
#define LESSON_16_MISTAKES_H

#include "author.h"

enum {
    MEAN_BY_COUNT,
    VARIANCE_BY_COUNT,
    SHARE_LEFT_OUT,
    SHARE_OF_ALL,
    CANCELLATION,
    ZEROS_STAY,
    DELTA_NORMALIZED,
    BASE_LEFT_OUT,
    BASE_TWICE,
    GAMMA_LEFT_OUT,
    COLUMN_BY_PLACE,
    W_TRANSPOSED,
    ZEROS_VISITED,
};

#define STATISTICS "sparse_statistics"
#define NORM "sparse_layer_norm"
#define LINEAR "sparse_norm_linear"

static const Mistake mistakes[] = {
    [MEAN_BY_COUNT] = {"mean_by_count", STATISTICS " " NORM,
                       "the sum is divided by the count of the non-zeros",
                       "The zeros belong to the row: the mean is an average over all features",
                       "Statistics of the non-zeros alone"},
    [VARIANCE_BY_COUNT] = {"variance_by_count", STATISTICS " " NORM,
                           "the squared distances of the non-zeros are divided by their count",
                           "The zeros belong to the row: the variance is an average over all "
                           "features",
                           "Statistics of the non-zeros alone"},
    [SHARE_LEFT_OUT] = {"share_left_out", STATISTICS " " NORM,
                        "the squared distances of the zeros are left out",
                        "Each zero is as far from the mean as the mean is from 0",
                        "The zeros' part left out"},
    [SHARE_OF_ALL] = {"share_of_all", STATISTICS " " NORM,
                      "the square of the mean is added for every feature, not for the zeros only",
                      "A row has features - count zeros", "The zeros' part for every feature"},
    [CANCELLATION] = {"cancellation", STATISTICS " " NORM,
                      "the variance is the mean of the squares minus the square of the mean",
                      "Where few numbers are 0, two large numbers cancel; add up squared distances",
                      "The mean of the squares minus the square of the mean"},
    [ZEROS_STAY] = {"zeros_stay", NORM, "zeros stay zeros: base is 0",
                    "The mean is taken from them, too", "Zeros that stay zeros"},
    [DELTA_NORMALIZED] = {"delta_normalized", NORM,
                          "delta is the normalized number, not what it has beyond base",
                          "base + delta is the normalized number",
                          "Delta as the normalized number"},
    [BASE_LEFT_OUT] = {"base_left_out", LINEAR, "y is made of the non-zeros and beta, without base",
                       "Every column holds base: together they give base * wg[o]",
                       "Base left out of y"},
    [BASE_TWICE] = {"base_twice", LINEAR, "base counts twice in the columns of the non-zeros",
                    "base * wg[o] has it for every column already; add delta alone", "Base twice"},
    [GAMMA_LEFT_OUT] = {"gamma_left_out", LINEAR, "delta is not multiplied by gamma",
                        "wg[o] has gamma for base alone; delta needs its own column's",
                        "Gamma left out"},
    [COLUMN_BY_PLACE] = {"column_by_place", LINEAR,
                         "the first non-zero of a row is put in column 0, the second in column 1",
                         "column[i] says where it belongs", "The place in the list as the column"},
    [W_TRANSPOSED] = {"w_transposed", LINEAR, "w is read as if it were features x outputs",
                      "w[o][j] is at o * features + j", "w the other way round"},
    [ZEROS_VISITED] = {"zeros_visited", LINEAR,
                       "all columns of w or gamma are looked at, where some hold NaN on purpose",
                       "Look up the columns of the non-zeros, and no other: 0 * NaN is NaN",
                       "Every column looked at"},
    {0},
};

#endif
