/* Lesson 15, adaptive norms: the mistakes that can be named, and what is said of each. The oracles
 * in lesson.c make them. No two of them give the same numbers on every check. */
#ifndef LESSON_15_MISTAKES_H
#define LESSON_15_MISTAKES_H

#include "author.h"

enum {
    FACTOR_OF_X,
    FACTOR_FOLLOWED,
    FACTOR_FORGOTTEN,
    FACTOR_OUTSIDE,
    STATISTICS_CONSTANT,
    FORMULA_ORDER,
    SIX_PER_FEATURE,
    VARIANCE_FOR_S,
    RSTD_FOR_S,
    S_WITHOUT_EPS,
    M_PATH_MISSING,
    S_PATH_MISSING,
    SHIFT_PATHS_ONLY,
    XHAT_COUNTED_TWICE,
    PATHS_NOT_DIVIDED,
    S_SLOPE_OF_VARIANCE,
    LAST_ROW_ONLY,
};

#define ADA "ada_norm"
#define ADA_BACKWARD "ada_norm_backward"
#define ADAPTIVE "adaptive_norm"
#define ADAPTIVE_BACKWARD "adaptive_norm_backward"

static const Mistake mistakes[] = {
    [FACTOR_OF_X] = {"factor_of_x", ADA " " ADA_BACKWARD, "the factor is scale * (1 - k * x)",
                     "It is made of the normalized number, xhat", "The factor of the raw x"},
    [FACTOR_FOLLOWED] = {"factor_followed", ADA_BACKWARD,
                         "the gradient also goes through the factor: scale * (1 - 2 k xhat) * dy",
                         "The factor is held constant", "A gradient through the factor"},
    [FACTOR_FORGOTTEN] = {"factor_forgotten", ADA_BACKWARD,
                          "dy is multiplied by scale alone, as if k were 0",
                          "A constant factor is still a factor", "The factor left out"},
    [FACTOR_OUTSIDE] = {"factor_outside", ADA_BACKWARD,
                        "the factor multiplies the bracket of dx, after the means",
                        "Each number has its own factor: the means are of factor * dy",
                        "The factor outside the means"},
    [STATISTICS_CONSTANT] = {"statistics_constant", ADA_BACKWARD " " ADAPTIVE_BACKWARD,
                             "xhat is taken to grow with its own x alone, 1 / s times as fast",
                             "Every x moves the m and s in every xhat of its row",
                             "xhat as if m and s were constants"},
    [FORMULA_ORDER] = {"formula_order", ADAPTIVE " " ADAPTIVE_BACKWARD,
                       "the parameters are read in the order g, u, v, b, p, q",
                       "They are stored as g, b, u, v, p, q", "The order of the formula"},
    [SIX_PER_FEATURE] = {"six_per_feature", ADAPTIVE " " ADAPTIVE_BACKWARD,
                         "feature j's six parameters are looked for side by side",
                         "First come all g, then all b, and so on", "Six numbers side by side"},
    [VARIANCE_FOR_S] = {"variance_for_s", ADAPTIVE " " ADAPTIVE_BACKWARD,
                        "scale and shift follow the variance in place of s",
                        "s is sqrt(variance + eps)", "Another number for s"},
    [RSTD_FOR_S] = {"rstd_for_s", ADAPTIVE " " ADAPTIVE_BACKWARD,
                    "scale and shift follow 1 / s in place of s", "s is sqrt(variance + eps)",
                    "Another number for s"},
    [S_WITHOUT_EPS] = {"s_without_eps", ADAPTIVE,
                       "scale and shift follow the root of the variance without eps",
                       "s is the number that xhat was divided by", "Another number for s"},
    [M_PATH_MISSING] = {"m_path_missing", ADAPTIVE_BACKWARD,
                        "dx lacks what x does to y through m in the scale and the shift",
                        "Every x of the row moves m", "A path left out"},
    [S_PATH_MISSING] = {"s_path_missing", ADAPTIVE_BACKWARD,
                        "dx lacks what x does to y through s in the scale and the shift",
                        "Every x of the row moves s", "A path left out"},
    [SHIFT_PATHS_ONLY] = {"shift_paths_only", ADAPTIVE_BACKWARD,
                          "the gradients of m and s come from the shift alone",
                          "m and s stand in the scale, too", "m and s in the shift alone"},
    [XHAT_COUNTED_TWICE] = {"xhat_counted_twice", ADAPTIVE_BACKWARD,
                            "m and s in xhat are counted twice: in the bracket, and in dm and ds",
                            "dm and ds are of m and s in the scale and the shift alone",
                            "m and s of xhat twice"},
    [PATHS_NOT_DIVIDED] = {"paths_not_divided", ADAPTIVE_BACKWARD,
                           "each x gets all of the gradients of m and s, not one n-th",
                           "One x of n moves m by one n-th, and s by xhat / n",
                           "The whole of m for each x"},
    [S_SLOPE_OF_VARIANCE] = {"s_slope_of_variance", ADAPTIVE_BACKWARD,
                             "s is taken to grow with x as the variance does, by 2 (x - m) / n",
                             "s is the root of it, and grows by xhat / n",
                             "s that grows as the variance"},
    [LAST_ROW_ONLY] = {"last_row_only", ADAPTIVE_BACKWARD,
                       "dparameters holds the last row's part only", "It is a sum over all rows",
                       "Only the last row counted"},
    {0},
};

#endif
