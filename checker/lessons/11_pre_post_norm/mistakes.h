/* Lesson 11, pre-norm and post-norm: the mistakes that can be named, and what is said of each. The
 * oracles in lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_11_MISTAKES_H
#define LESSON_11_MISTAKES_H

#include "author.h"

enum {
    BRANCH_ALONE,
    X_ALONE,
    BRANCH_FORGOTTEN,
    SHORTCUT_AROUND,
    SLOPE_HALVED,
    STATISTICS_CONSTANT,
    SHORTCUT_FORGOTTEN,
    SHORTCUT_THROUGH,
    DY_FOR_DINPUT,
    ROOT_MISSING,
    ROOT_OF_MEAN,
    LAYERS_RUN_ON,
};

#define POST "post_norm"
#define POST_BACKWARD "post_norm_backward"
#define PRE_BACKWARD "pre_norm_backward"
#define NORMS "gradient_norms"

static const Mistake mistakes[] = {
    [BRANCH_ALONE] = {"branch_alone", POST,
                      "the branch alone is normalized, and x added afterwards",
                      "Post-norm normalizes the sum of both", "The branch alone normalized"},
    [X_ALONE] = {"x_alone", POST, "x alone is normalized, and the branch added afterwards",
                 "Post-norm normalizes the sum of both", "x alone normalized"},
    [BRANCH_FORGOTTEN] = {"branch_forgotten", POST_BACKWARD,
                          "the normalized row is worked out from x without the branch",
                          "What was normalized is x + branch",
                          "The branch forgotten on the way back"},
    [SHORTCUT_AROUND] = {"shortcut_around", POST_BACKWARD, "dy is added to dx, past the norm",
                         "Post-norm's shortcut ends before the norm: no way leads past it",
                         "A shortcut past post-norm"},
    [SLOPE_HALVED] = {"slope_halved", POST_BACKWARD,
                      "x and the branch share the gradient, half each",
                      "Behind a sum each of the two gets all of it", "The gradient shared out"},
    [STATISTICS_CONSTANT] = {"statistics_constant", POST_BACKWARD " " PRE_BACKWARD,
                             "mean and rstd are taken for constants",
                             "They move with the row: two terms are subtracted",
                             "Mean and rstd as constants"},
    [SHORTCUT_FORGOTTEN] = {"shortcut_forgotten", PRE_BACKWARD,
                            "dx is only what comes through the norm",
                            "dy comes past it and is added", "The shortcut forgotten"},
    [SHORTCUT_THROUGH] = {"shortcut_through", PRE_BACKWARD,
                          "dy is added to dinput before the norm's backward pass",
                          "Pre-norm's shortcut leads past the norm",
                          "The shortcut through the norm"},
    [DY_FOR_DINPUT] = {"dy_for_dinput", PRE_BACKWARD, "dy goes back through the norm",
                       "What goes back through it is dinput; dy has been through F by then",
                       "dy through the norm"},
    [ROOT_MISSING] = {"root_missing", NORMS, "the root of the sum is not taken",
                      "A length is the root of the sum of squares", "The root left out"},
    [ROOT_OF_MEAN] = {"root_of_mean", NORMS, "the sum of squares is divided by count",
                      "A length is not an average", "The root of the mean"},
    [LAYERS_RUN_ON] = {"layers_run_on", NORMS, "the sum still holds the layers before",
                       "Every layer starts it at 0", "Layers that run on"},
    {0},
};

#endif
