/* What is said of a change. See line.h. */
#include "line.h"

const char *kind_words(EditKind kind)
{
    static const char *const words[KINDS] = {
        [OPERATOR] = "another operator is needed",
        [COMPARISON] = "a comparison is not the right one",
        [ACCUMULATE] = "= and += are not the same",
        [OTHER_NAME] = "a name is not the right one",
        [COUNT] = "a count is one off",
        [INDEX] = "an index is not the right one",
        [ROW_BASE] = "an index lacks its row",
        [PARENTHESES] = "parentheses",
        [TERM] = "a term or a factor is missing, or one too many",
        [SQUARE] = "a square is missing",
        [ROOT] = "a root is in the wrong place",
        [SIGN] = "a sign is wrong",
        [RECIPROCAL] = "something is upside down",
        [ABSOLUTE] = "an absolute value is not right here",
        [INT_TYPE] = "a type cuts off fractions",
        [SET_BACK] = "something is not set back in time",
        [PLACE] = "a statement is in the wrong place",
        [CONDITION] = "a condition is not right",
        [OTHER_NUMBER] = "a number is not the right one",
        [BRACES] = "a statement is outside its loop",
        [EXTRA] = "a statement too many",
        [MISSING] = "something is missing",
        [FUNCTION] = "a function is not the right one",
    };
    return words[kind];
}

const char *kind_question(EditKind kind)
{
    static const char *const questions[KINDS] = {
        [OPERATOR] = "Read the line beside the formula, sign by sign: plus or minus, times or "
                     "divided by, and which side comes first?",
        [COMPARISON] = "For which value does it hold for the last time, and for which no more? "
                       "Count it out with three numbers.",
        [ACCUMULATE] = "One of the two keeps what was there before, the other forgets it. Which of "
                       "them does this line need?",
        [OTHER_NAME] = "Read the line aloud, and say what each name holds. Which of them does the "
                       "formula not have at that place?",
        [COUNT] = "With three numbers, how many does this line count?",
        [INDEX] = "Which element is it at the first step, and which at the second? Write the "
                  "places down for the second row, too.",
        [ROW_BASE] = "Rows lie behind each other in memory. Which row does this line read or write "
                     "when it is the second one's turn?",
        [PARENTHESES] = "What is worked out first here? Do it by hand with small numbers, one "
                        "operation at a time, as C does.",
        [TERM] = "Hold the line against the formula, term by term and factor by factor. What is in "
                 "one of them only?",
        [SQUARE] = "To which power does the formula take each number, and to which does this line?",
        [ROOT] = "What stands under the root in the formula, and what does here?",
        [SIGN] = "Which sign does each term have in the formula?",
        [RECIPROCAL] = "Does the formula have this number, or 1 divided by it?",
        [ABSOLUTE] =
            "What becomes of a negative number here, and what does the formula make of it?",
        [INT_TYPE] = "What is 7 / 2 where both are whole numbers, and what is left of 3.5 in an "
                     "int?",
        [SET_BACK] = "What does each variable hold when the loop comes here for the second time?",
        [PLACE] =
            "How often does each statement run here, and what is known by then? Follow it for "
            "two steps.",
        [CONDITION] = "When is this done, and when is it not? Try both by hand.",
        [OTHER_NUMBER] =
            "Where does each number in this line come from? Which one does the formula not "
            "have, or with which one does the counting begin?",
        [BRACES] = "Which statements does the loop repeat? Without braces it is only the next one.",
        [EXTRA] = "What does each statement here do for the result? One of them spoils it.",
        [MISSING] = "What does the formula do next that no line here does?",
        [FUNCTION] = "What does each function give that is called here? Which of them does the "
                     "formula not have?",
    };
    return questions[kind];
}
