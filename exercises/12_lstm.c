/* Lesson 12: The Normalized LSTM. Read lessons/12_lstm.md, then fill in the four functions and
 * save. `make check` tells you how far you are; `make hint` helps. */
#include "12_lstm.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* a: batch x 4 * hidden; x: batch x inputs; w: 4 * hidden x inputs; gamma: 4 * hidden */
void lstm_project(float *a, const float *x, const float *w, const float *gamma, int batch,
                  int inputs, int hidden, float eps)
{
    /* Your code here: in each row the sums of w times x, their mean and spread, then a. */
}

/* dx, x: batch x inputs; dw, w: 4 * hidden x inputs; dgamma, gamma: 4 * hidden;
 * da: batch x 4 * hidden */
void lstm_project_backward(float *dx, float *dw, float *dgamma, const float *da, const float *x,
                           const float *w, const float *gamma, int batch, int inputs, int hidden,
                           float eps)
{
    /* Your code here: the sums again, dgamma and the gradient of each sum, then dx and dw. */
}

/* h_next, c_next, c: batch x hidden; a: batch x 4 * hidden; gamma, beta: hidden */
void lstm_cell(float *h_next, float *c_next, const float *a, const float *c, const float *gamma,
               const float *beta, int batch, int hidden, float eps)
{
    /* Your code here: c_next from the gates and c, then its norm, then h_next. */
}

/* da, a: batch x 4 * hidden; dc, dh_next, dc_next, c: batch x hidden; dgamma, dbeta, gamma, beta:
 * hidden */
void lstm_cell_backward(float *da, float *dc, float *dgamma, float *dbeta, const float *dh_next,
                        const float *dc_next, const float *a, const float *c, const float *gamma,
                        const float *beta, int batch, int hidden, float eps)
{
    /* Your code here: from dh_next back to c_next, add dc_next, then to c and to the four gates. */
}
