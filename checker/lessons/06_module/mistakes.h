/* Lesson 06, the module: the mistakes that can be named, and what is said of each. The oracles in
 * lesson.c make them. */
#ifndef LESSON_06_MISTAKES_H
#define LESSON_06_MISTAKES_H

#include "author.h"

enum {
    LAST_DIMENSION,
    OWN_EPSILON,
    GAMMA_ZERO,
    N_MINUS_1,
    XHAT_IS_Y,
    FORWARD_ZEROES,
    AVERAGED,
    STATISTICS_CONSTANT,
    GAMMA_LEFT_OUT,
    OVERWRITTEN,
    LAST_ROW,
    UPHILL,
    STEP_ZEROES,
};

static const Mistake mistakes[] = {
    [LAST_DIMENSION] = {"last_dimension", "init_fields", "only the last dimension is counted",
                        "All dimensions of the shape are normalized together: features is their "
                        "product",
                        "Only the last dimension"},
    [OWN_EPSILON] = {"own_epsilon", "init_fields", "eps is 1e-5 whatever the caller passes",
                     "eps is an argument", "An epsilon of its own"},
    [GAMMA_ZERO] = {"gamma_zero", "init_parameters", "gamma starts at 0",
                    "gamma starts at 1: a new layer only normalizes", "Gamma that starts at 0"},
    [N_MINUS_1] = {"n_minus_1", "forward", "the variance is divided by n - 1",
                   "Layer norm divides by n", "Dividing the variance by n - 1"},
    [XHAT_IS_Y] = {"xhat_is_y", "forward", "xhat is saved with gamma and beta in it",
                   "Save the normalized row itself", "Saving y for xhat"},
    [FORWARD_ZEROES] = {"forward_zeroes", "forward_turns", "forward sets the gradients to 0",
                        "Only zero_grad does: gradients may come from several passes",
                        "A forward that zeroes"},
    [AVERAGED] = {"averaged", "backward", "dgamma and dbeta are divided by the number of rows",
                  "They are sums over the rows", "Gradients averaged over the rows"},
    [STATISTICS_CONSTANT] = {"statistics_constant", "backward",
                             "dx is rstd * g, as if mean and rstd were constants",
                             "Moving x moves the row's mean and rstd as well",
                             "Statistics taken for constants"},
    [GAMMA_LEFT_OUT] = {"gamma_left_out", "backward", "dx is that of gamma 1",
                        "dx starts from g = gamma * dy", "Gamma left out of dx"},
    [OVERWRITTEN] = {"overwritten", "backward_again",
                     "backward overwrites the gradients in place of adding to them",
                     "Each backward adds its share; zero_grad begins anew",
                     "Gradients that are overwritten"},
    [LAST_ROW] = {"last_row", "backward", "dgamma and dbeta hold the last row's share alone",
                  "Every row adds its share: += where = stands", "The last row alone"},
    [UPHILL] = {"uphill", "step", "the step is added to the parameters",
                "The gradient points to where the loss grows: subtract", "A step uphill"},
    [STEP_ZEROES] = {"step_zeroes", "step", "step sets the gradients to 0",
                     "Only zero_grad does: the caller may still want to read them",
                     "A step that zeroes"},
    {0},
};

#endif
