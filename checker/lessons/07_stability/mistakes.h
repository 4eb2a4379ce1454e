/* Lesson 07, stability: the mistakes that can be named, and what is said of each. The oracles in
 * lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_07_MISTAKES_H
#define LESSON_07_MISTAKES_H

#include "author.h"

enum {
    CANCELLATION,
    OLD_DISTANCE_TWICE,
    NEW_DISTANCE_TWICE,
    N_MINUS_1,
    SQUARES_RUN_ON,
    MEAN_RUNS_ON,
    MEANS_NOT_WEIGHED,
    VARIANCES_NOT_WEIGHED,
    DISTANCE_FORGOTTEN,
    DISTANCE_NOT_DIVIDED,
    SQUARES_NOT_SCALED,
    EPSILON_NOT_SCALED,
    TINY_IS_EQUAL,
};

#define WELFORD "welford_statistics"
#define MERGE "merge_statistics"
#define WIDE "layer_norm_wide"

static const Mistake mistakes[] = {
    [CANCELLATION] = {"cancellation", WELFORD " " MERGE,
                      "the variance is the mean of the squares minus the square of the mean",
                      "Far from zero two large numbers cancel; add up squared distances",
                      "The mean of the squares minus the square of the mean"},
    [OLD_DISTANCE_TWICE] = {"old_distance_twice", WELFORD,
                            "the distance from the mean before x came is squared",
                            "It is multiplied by the distance from the mean after",
                            "The old distance squared"},
    [NEW_DISTANCE_TWICE] = {"new_distance_twice", WELFORD,
                            "the distance from the mean after x came is squared",
                            "It is multiplied by the distance from the mean before",
                            "The new distance squared"},
    [N_MINUS_1] = {"n_minus_1", WELFORD, "the sum of squares is divided by n - 1",
                   "The biased variance divides by n", "Dividing by n - 1"},
    [SQUARES_RUN_ON] = {"squares_run_on", WELFORD,
                        "the sum of squares still holds the rows before, where a row begins",
                        "Every row starts it at 0", "Squares that run on"},
    [MEAN_RUNS_ON] = {"mean_runs_on", WELFORD,
                      "the mean still holds that of the row before, where a row begins",
                      "Every row starts it at 0", "A mean that runs on"},
    [MEANS_NOT_WEIGHED] = {"means_not_weighed", MERGE,
                           "the mean is halfway between the two, whatever the counts",
                           "The larger part weighs more", "Means that are not weighed"},
    [VARIANCES_NOT_WEIGHED] = {"variances_not_weighed", MERGE,
                               "half of each variance is taken, whatever the counts",
                               "The larger part weighs more", "Variances that are not weighed"},
    [DISTANCE_FORGOTTEN] = {"distance_forgotten", MERGE,
                            "the variance leaves out how far apart the two means are",
                            "Two narrow parts far apart make a wide row",
                            "The distance of the means left out"},
    [DISTANCE_NOT_DIVIDED] = {"distance_not_divided", MERGE,
                              "what the distance of the means adds is not divided by the count",
                              "That is its share of the sum of squares; a variance is divided by n",
                              "The distance of the means not divided"},
    [SQUARES_NOT_SCALED] = {"squares_not_scaled", WIDE,
                            "x is squared in float as it is: above 1e19 that is infinity, below "
                            "1e-23 it is 0",
                            "Measure the row in a unit of its own before you square",
                            "Squares that float cannot hold"},
    [EPSILON_NOT_SCALED] = {"epsilon_not_scaled", WIDE,
                            "x is measured in a unit near its largest number, and eps is not",
                            "eps is a squared x: divide it by the square of the unit",
                            "An epsilon in the wrong unit"},
    [TINY_IS_EQUAL] = {"tiny_is_equal", WIDE, "rows of small numbers are taken for equal numbers",
                       "With eps 0 a row has no size that is too small", "Tiny taken for equal"},
    {0},
};

#endif
