/* Lesson 14, initialization: the mistakes that can be named, and what is said of each. The oracles
 * in lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_14_MISTAKES_H
#define LESSON_14_MISTAKES_H

#include "author.h"

enum {
    ONES_AND_ZEROS,
    ROW_IN_BETA,
    RSTD_IN_GAMMA,
    EPS_LEFT_OUT,
    N_MINUS_1,
    CANCELLATION,
    TARGET_COPIED,
    COLUMNS_OF_X,
    MIDDLE_FORGOTTEN,
    MIDDLE_NOT_SCALED,
    ROWS_MINUS_1,
    EPS_TWICE,
    VELOCITY_AVERAGED,
    RATE_IN_VELOCITY,
    OLD_VELOCITY,
    VELOCITY_NOT_KEPT,
    DECAY_DECOUPLED,
};

#define IDENTITY "identity_init"
#define TARGET "target_init"
#define STEP "momentum_step"

static const Mistake mistakes[] = {
    [ONES_AND_ZEROS] = {"ones_and_zeros", IDENTITY, "gamma is 1 and beta is 0",
                        "With these layer norm gives the normalized row, not the row",
                        "Ones and zeros"},
    [ROW_IN_BETA] = {"row_in_beta", IDENTITY, "gamma is 0 and beta is the row itself",
                     "That gives this row for every row; gamma is to be the spread, beta the mean",
                     "The row in beta"},
    [RSTD_IN_GAMMA] = {"rstd_in_gamma", IDENTITY, "gamma is one over the root",
                       "Layer norm has divided by the root already: gamma multiplies by it",
                       "Divided twice"},
    [EPS_LEFT_OUT] = {"eps_left_out", IDENTITY " " TARGET, "eps is left out",
                      "The root is that of layer norm, sqrt(variance + eps)", "Epsilon left out"},
    [N_MINUS_1] = {"n_minus_1", IDENTITY " " TARGET, "a row's variance is divided by features - 1",
                   "Layer norm divides by features", "Dividing a row's variance by n - 1"},
    [CANCELLATION] = {"cancellation", IDENTITY " " TARGET,
                      "a row's variance is the mean of the squares minus the square of the mean",
                      "Far from zero two large numbers cancel; add up squared distances",
                      "The mean of the squares minus the square of the mean"},
    [TARGET_COPIED] = {"target_copied", TARGET, "gamma is the target's spread, beta its mean",
                       "Over the rows a normalized feature has a mean and a spread of its own",
                       "The target copied"},
    [COLUMNS_OF_X] = {"columns_of_x", TARGET,
                      "mean and spread over the rows are those of x, not of the normalized rows",
                      "gamma multiplies the normalized number", "The columns of x"},
    [MIDDLE_FORGOTTEN] = {"middle_forgotten", TARGET, "beta is the target's mean",
                          "Over the rows a normalized feature has a mean of its own: take it away",
                          "Beta is the mean"},
    [MIDDLE_NOT_SCALED] = {"middle_not_scaled", TARGET,
                           "the normalized feature's mean is taken away without its gamma",
                           "gamma multiplies it before beta is added",
                           "The mean without its gamma"},
    [ROWS_MINUS_1] = {"rows_minus_1", TARGET, "the spread over the rows is divided by rows - 1",
                      "The spread asked for is the biased one", "Dividing by rows - 1"},
    [EPS_TWICE] = {"eps_twice", TARGET, "eps is under the root of a feature's spread, too",
                   "eps belongs to layer norm; the spread over the rows is exact",
                   "Epsilon a second time"},
    [VELOCITY_AVERAGED] = {"velocity_averaged", STEP,
                           "what is new in the velocity is multiplied by 1 - momentum",
                           "Here velocity is a sum, not an average", "The velocity as an average"},
    [RATE_IN_VELOCITY] = {"rate_in_velocity", STEP, "the rate is in the velocity",
                          "It multiplies the velocity where the parameter moves",
                          "The rate in the velocity"},
    [OLD_VELOCITY] = {"old_velocity", STEP,
                      "the parameter moves by the velocity of the step before",
                      "The velocity comes first, and the parameter moves by the new one",
                      "The velocity of the step before"},
    [VELOCITY_NOT_KEPT] = {"velocity_not_kept", STEP, "the velocity is left as it was",
                           "The next step needs it: write it back", "A velocity that is not kept"},
    [DECAY_DECOUPLED] = {"decay_decoupled", STEP,
                         "the parameter shrinks by rate * decay, beside the velocity",
                         "In SGD decay * parameter is a part of the gradient",
                         "Decay beside the velocity"},
    {0},
};

#endif
