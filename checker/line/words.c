/* What is said of a change. See line.h. */
#include "line.h"

const char *kind_words(Kind kind)
{
    static const char *const words[KINDS] = {
        [OPERATOR] = "another operator is needed",
        [COMPARISON] = "a comparison is not the right one",
        [ACCUMULATE] = "= and += are not the same",
        [OTHER_NAME] = "a name is not the right one",
        [COUNT] = "a count is one off",
        [BOUND] = "a bound is not the right one",
        [START] = "a beginning is not the right one",
        [INDEX] = "an index is not the right one",
        [ROW_BASE] = "an index lacks its row",
        [PARENTHESES] = "parentheses",
        [TERM] = "a term is missing, or one too many",
        [SQUARE] = "a square is missing",
        [ROOT] = "a root is in the wrong place",
        [SIGN] = "a sign is wrong",
        [RECIPROCAL] = "something is upside down",
        [ABSOLUTE] = "an absolute value is not right here",
        [INT_TYPE] = "a type cuts off fractions",
        [SET_BACK] = "something is not set back in time",
        [PLACE] = "a statement is in the wrong place",
        [CONDITION] = "a condition is not right",
        [NUMBER_] = "a number is not the right one",
        [BRACES] = "a statement is outside its loop",
        [EXTRA] = "a statement too many",
        [MISSING] = "something is missing here, or behind it",
        [FUNCTION] = "another function is needed",
    };
    return words[kind];
}
