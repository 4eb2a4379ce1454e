/* Lesson 10, the transformer block: the mistakes that can be named, and what is said of each. The
 * oracles in lesson.c make them. A block is made of the functions above it, and so of their
 * mistakes.
 */
#ifndef LESSON_10_MISTAKES_H
#define LESSON_10_MISTAKES_H

#include "author.h"

enum {
    WEIGHTS_TRANSPOSED,
    BIAS_MISSING,
    MAX_NOT_SUBTRACTED,
    MAX_OF_ALL,
    MAX_FROM_ZERO,
    WRONG_AXIS,
    SCALE_MISSING,
    SCALE_BY_FEATURES,
    SCALE_NOT_ROOTED,
    ONE_HEAD,
    HEADS_INTERLEAVED,
    MASK_IGNORED,
    MASK_IS_ZERO,
    MASK_IS_A_NUMBER,
    MASK_AFTER,
    OUTPUT_MISSING,
    RELU_MISSING,
    RELU_LAST,
    PRE_NORM,
    RESIDUAL_MISSING,
    RESIDUAL_OF_X,
    GAMMAS_FIRST,
};

#define LINEAR "linear"
#define SOFTMAX "softmax"
#define ATTENTION "attention"
#define FEED_FORWARD "feed_forward"
#define BLOCK "encoder_block"
#define ALL_MAPS LINEAR " " ATTENTION " " FEED_FORWARD " " BLOCK
#define ATTENTIONS ATTENTION " " BLOCK

static const Mistake mistakes[] = {
    [WEIGHTS_TRANSPOSED] = {"weights_transposed", ALL_MAPS,
                            "the weights are read as inputs x outputs",
                            "Output o has a row of w to itself: w[o * inputs + i]",
                            "The weights read the wrong way round"},
    [BIAS_MISSING] = {"bias_missing", ALL_MAPS, "the bias is left out",
                      "Every output has a bias of its own, added once", "The bias left out"},
    [MAX_NOT_SUBTRACTED] = {"max_not_subtracted", SOFTMAX " " ATTENTION,
                            "exp is taken of the numbers as they are: above 89 that is infinity",
                            "Subtract the row's largest number first; the weights stay the same",
                            "An exp that overflows"},
    [MAX_OF_ALL] = {"max_of_all", SOFTMAX,
                    "the largest number of all rows is subtracted from every row",
                    "A row far below it becomes 0 / 0: every row has its own largest number",
                    "One largest number for all rows"},
    [MAX_FROM_ZERO] =
        {"max_from_zero", SOFTMAX " " ATTENTION, "the search for the largest number begins at 0",
         "Where all are far below 0 the sum is 0; begin at the row's own first number",
         "A largest number that begins at 0"},
    [WRONG_AXIS] = {"wrong_axis", SOFTMAX " " ATTENTIONS,
                    "the weights add up to 1 down each column, not along each row",
                    "A row is one token that looks: its weights add up to 1",
                    "Softmax down the columns"},
    [SCALE_MISSING] = {"scale_missing", ATTENTIONS, "the scores are not divided by anything",
                       "They are divided by sqrt(features / heads)", "Scores that are not scaled"},
    [SCALE_BY_FEATURES] = {"scale_by_features", ATTENTIONS,
                           "the scores are divided by sqrt(features), whatever the heads",
                           "A head adds up features / heads products: take the root of that",
                           "The scale of all features"},
    [SCALE_NOT_ROOTED] = {"scale_not_rooted", ATTENTIONS,
                          "the scores are divided by features / heads, without the root",
                          "They are divided by sqrt(features / heads)", "A scale without its root"},
    [ONE_HEAD] = {"one_head", ATTENTIONS, "all features are one head, whatever heads is",
                  "Head h has weights of its own, from its own features",
                  "One head in place of several"},
    [HEADS_INTERLEAVED] = {"heads_interleaved", ATTENTIONS,
                           "head h has every feature whose number leaves h when divided by heads",
                           "Head h has features that stand together, from h * features / heads on",
                           "Heads that are interleaved"},
    [MASK_IGNORED] = {"mask_ignored", ATTENTIONS, "keep is not looked at",
                      "No token looks at one whose keep is 0", "Padding that is looked at"},
    [MASK_IS_ZERO] = {"mask_is_zero", ATTENTIONS, "the score of padding is 0",
                      "exp(0) is 1, a weight like any other: the score has to be -INFINITY",
                      "A score of 0 for padding"},
    [MASK_IS_A_NUMBER] = {"mask_is_a_number", ATTENTION,
                          "the score of padding is a negative number such as -1e9",
                          "The other scores may be lower still: only -INFINITY is below them all",
                          "A mask that is only a number"},
    [MASK_AFTER] = {"mask_after", ATTENTIONS,
                    "the weights of padding are set to 0 behind the softmax",
                    "The other weights then add up to less than 1: mask the scores",
                    "Weights masked too late"},
    [OUTPUT_MISSING] = {"output_missing", ATTENTIONS, "the fourth map, the output, is left out",
                        "The heads stand side by side; the output map mixes them",
                        "The output map left out"},
    [RELU_MISSING] = {"relu_missing", FEED_FORWARD " " BLOCK, "nothing is set to 0 in between",
                      "Without ReLU two linear maps are one", "ReLU left out"},
    [RELU_LAST] = {"relu_last", FEED_FORWARD " " BLOCK, "ReLU stands behind the second map",
                   "It stands between the two; what comes out may be negative", "ReLU at the end"},
    [PRE_NORM] = {"pre_norm", BLOCK, "each half is x + f(norm(x))",
                  "This block is post-norm: norm(x + f(x))", "The norm before, not behind"},
    [RESIDUAL_MISSING] = {"residual_missing", BLOCK, "what goes into each half is not added",
                          "It is norm(x + attention(x)), and the same for feed_forward",
                          "The residual left out"},
    [RESIDUAL_OF_X] = {"residual_of_x", BLOCK, "x is added in the second half",
                       "What goes into feed_forward is x1, so x1 is added", "The wrong residual"},
    [GAMMAS_FIRST] = {"gammas_first", BLOCK, "the rows of norms are gamma, gamma, beta, beta",
                      "They are gamma and beta of the first norm, then of the second",
                      "Both gammas first"},
    {0},
};

#endif
