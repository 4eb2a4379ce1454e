/* The network of lesson 12's lab: an LSTM that reads an image row by row, from top to bottom, and
 * then says which digit it saw. Its cell is the learner's, with the norms, or a plain one. */
#ifndef LESSON_12_LAB_READER_H
#define LESSON_12_LAB_READER_H

#include "../../../include/12_lstm.h"
#include "digits.h"

#ifndef READER_HIDDEN /* the benchmark's reader is larger */
#define READER_HIDDEN 32
#define READER_BATCH 32
#endif
enum { SIDE = 28, HIDDEN = READER_HIDDEN, GATES = 4 * HIDDEN, BATCH = READER_BATCH };
typedef enum { PLAIN, NORMALIZED } Cell;

typedef struct {
    __typeof__(lstm_project) *project;
    __typeof__(lstm_project_backward) *project_backward;
    __typeof__(lstm_cell) *cell;
    __typeof__(lstm_cell_backward) *cell_backward;
} Steps;

/* Nothing but floats: to Adam it is one array. A plain cell leaves gammas and beta alone. */
typedef struct {
    float wx[GATES * SIDE], wh[GATES * HIDDEN], bias[GATES]; /* w: GATES x inputs */
    float gamma_x[GATES], gamma_h[GATES], gamma[HIDDEN], beta[HIDDEN];
    float answer[HIDDEN * DIGITS], answer_bias[DIGITS];
} Weights;

typedef struct {
    const Steps *steps;
    Cell cell;
    Weights w, dw, means, squares;
    int updates;
    float x[SIDE][BATCH * SIDE]; /* row by row; each of them BATCH x SIDE */
    float a[SIDE][BATCH * GATES];
    float h[SIDE + 1][BATCH * HIDDEN], c[SIDE + 1][BATCH * HIDDEN]; /* before each row; the end */
    float scores[BATCH * DIGITS], dscores[BATCH * DIGITS];
    double dh_length[SIDE]; /* of the gradient of h behind each row */
} Reader;

/* The same first weights for both cells. The bias of the gate f is 1, the others 0. */
void reader_start(Reader *r, const Steps *steps, Cell cell, Rng *rng);
/* From x to scores. */
void reader_forward(Reader *r);
/* From dscores to dw. */
void reader_backward(Reader *r);
/* Of the gradient of all the weights. */
double reader_slope(const Reader *r);
void reader_descend(Reader *r, float rate);
void reader_adam(Reader *r, float rate);

#endif
