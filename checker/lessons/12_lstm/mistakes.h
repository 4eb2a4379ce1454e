/* Lesson 12, the normalized LSTM: the mistakes that can be named, and what is said of each. The
 * oracles make them (oracle.h). No two of them give the same numbers on every check. */
#ifndef LESSON_12_MISTAKES_H
#define LESSON_12_MISTAKES_H

#include "author.h"

enum {
    GATES_APART,
    OVER_BATCH,
    ORDER_IFOG,
    ORDER_IGFO,
    NORM_FORGOTTEN,
    TANH_FIRST,
    N_HANDED_ON,
    LATER_FORGOTTEN,
    H_FORGOTTEN,
    STATISTICS_CONSTANT,
    ACTIVATIONS_FORGOTTEN,
    AVERAGED,
    CANDIDATE_BARE,
    OUTPUT_BARE,
    GAMMA_LEFT_OUT,
    SUMS_FOR_MEANS,
};

#define PROJECT "lstm_project"
#define PROJECT_BACKWARD "lstm_project_backward"
#define CELL "lstm_cell"
#define CELL_BACKWARD "lstm_cell_backward"

static const Mistake mistakes[] = {
    [GATES_APART] = {"gates_apart", PROJECT " " PROJECT_BACKWARD,
                     "each of the four gates is normalized by itself",
                     "One mean and one variance serve all 4 * hidden numbers of a row",
                     "A norm for each gate"},
    [OVER_BATCH] = {"over_batch", PROJECT " " CELL, "mean and variance are taken over the batch",
                    "No example knows of another: they are taken along its own row",
                    "A norm over the batch"},
    [ORDER_IFOG] = {"order_ifog", CELL " " CELL_BACKWARD,
                    "the gates are read in the order i, f, o, g",
                    "Here it is PyTorch's, i, f, g, o", "Gates in another order"},
    [ORDER_IGFO] = {"order_igfo", CELL " " CELL_BACKWARD,
                    "the gates are read in the order i, g, f, o",
                    "Here it is PyTorch's, i, f, g, o", "Gates in another order"},
    [NORM_FORGOTTEN] = {"norm_forgotten", CELL, "h_next is sigmoid(o) * tanh(c_next)",
                        "The cell state is normalized before that tanh",
                        "The cell's norm forgotten"},
    [TANH_FIRST] = {"tanh_first", CELL " " CELL_BACKWARD,
                    "tanh is taken of c_next, and its result is normalized",
                    "The norm comes first, then the tanh", "The tanh before the norm"},
    [N_HANDED_ON] = {"n_handed_on", CELL " " CELL_BACKWARD,
                     "the next step gets the normalized cell state",
                     "It gets c_next as it is; the norm is on the way to h_next alone",
                     "The normalized cell state handed on"},
    [LATER_FORGOTTEN] = {"later_forgotten", CELL_BACKWARD, "dc_next is left out",
                         "The gradient of c_next is what comes through h_next plus dc_next",
                         "The later steps forgotten"},
    [H_FORGOTTEN] = {"h_forgotten", CELL_BACKWARD,
                     "only dc_next reaches c_next, and nothing through h_next",
                     "The gradient of c_next is dc_next plus what comes through h_next",
                     "The way through h forgotten"},
    [STATISTICS_CONSTANT] = {"statistics_constant", PROJECT_BACKWARD " " CELL_BACKWARD,
                             "the norm's mean and spread are taken for constants",
                             "Every number of the row moves both: two means are taken away",
                             "Mean and spread as constants"},
    [ACTIVATIONS_FORGOTTEN] = {"activations_forgotten", CELL_BACKWARD,
                               "da holds the gradients behind sigmoid and tanh, not before them",
                               "Each is still to be multiplied by the slope of its own curve",
                               "The curves' slopes forgotten"},
    [AVERAGED] = {"averaged", PROJECT_BACKWARD " " CELL_BACKWARD,
                  "what is summed over the batch is divided by its size", "These are plain sums",
                  "Averages where sums belong"},
    [CANDIDATE_BARE] = {"candidate_bare", CELL " " CELL_BACKWARD,
                        "g goes into c_next as it is, without its tanh", "The candidate is tanh(g)",
                        "The candidate without its tanh"},
    [OUTPUT_BARE] = {"output_bare", CELL " " CELL_BACKWARD,
                     "h_next is sigmoid(o) times the normalized cell state, without a tanh",
                     "It is sigmoid(o) * tanh(n)", "The output without its tanh"},
    [GAMMA_LEFT_OUT] =
        {"gamma_left_out", PROJECT_BACKWARD " " CELL_BACKWARD,
         "the gradient goes back into the norm without gamma",
         "What goes into both means is gamma times the gradient of the norm's output",
         "Gamma left out on the way back"},
    [SUMS_FOR_MEANS] = {"sums_for_means", PROJECT_BACKWARD " " CELL_BACKWARD,
                        "sums stand where the norm's backward pass has two means",
                        "Divide both by the length of the row", "Sums for the two means"},
    {0},
};

#endif
