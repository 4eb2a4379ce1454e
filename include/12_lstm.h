/* Lesson 12: The Normalized LSTM. What exercises/12_lstm.c defines.
 *
 * Arrays are row-major and never overlap. The comment behind an array is its shape. What an output
 * array holds before the call is garbage: write every element, add to none. For any y, dy[i] is how
 * fast the loss grows with y[i], its gradient; dx, dw, dgamma and so on are the same.
 *
 * A row of 4 * hidden numbers holds the four gates of an example one after another, in PyTorch's
 * order: first the `hidden` numbers of i, then those of f, of g, of o.
 *
 * One step of the cell, with x the step's input, and h and c what the step before left:
 *     a = project(x) + project(h) + bias     each project with a w and a gamma of its own
 *     h_next, c_next = cell(a, c)
 * These functions are project and cell, forward and backward; the two plus signs are the caller's.
 */
#ifndef LESSON_12_LSTM_H
#define LESSON_12_LSTM_H

/* z[r][j] = sum over k of w[j][k] * x[r][k], and a is the layer norm of z without a beta:
 *     mean[r] is the mean of row r of z, all its 4 * hidden numbers; the variance is the biased one
 *     a[r][j] = gamma[j] * (z[r][j] - mean[r]) / sqrt(variance[r] + eps) */
void lstm_project(float *a,           /* batch x 4 * hidden */
                  const float *x,     /* batch x inputs */
                  const float *w,     /* 4 * hidden x inputs */
                  const float *gamma, /* 4 * hidden */
                  int batch, int inputs, int hidden, float eps);

/* Its backward pass, given da. dw and dgamma are summed over the batch. Nothing was saved: work z
 * and its mean and variance out again. */
void lstm_project_backward(float *dx,          /* batch x inputs */
                           float *dw,          /* 4 * hidden x inputs */
                           float *dgamma,      /* 4 * hidden */
                           const float *da,    /* batch x 4 * hidden */
                           const float *x,     /* batch x inputs */
                           const float *w,     /* 4 * hidden x inputs */
                           const float *gamma, /* 4 * hidden */
                           int batch, int inputs, int hidden, float eps);

/* With i, f, g, o the four parts of a row of a, and sigmoid(v) = 1 / (1 + exp(-v)):
 *     c_next = sigmoid(f) * c + sigmoid(i) * tanh(g)
 *     n      = layer norm of c_next, over the `hidden` numbers of a row, with gamma and beta
 *     h_next = sigmoid(o) * tanh(n)
 * c_next itself is handed on, not n. */
void lstm_cell(float *h_next,      /* batch x hidden */
               float *c_next,      /* batch x hidden */
               const float *a,     /* batch x 4 * hidden */
               const float *c,     /* batch x hidden */
               const float *gamma, /* hidden */
               const float *beta,  /* hidden */
               int batch, int hidden, float eps);

/* Its backward pass. The loss depends on this step in two ways: dh_next is the gradient with
 * respect to h_next, and dc_next is what reaches c_next from later steps alone (0 at the last one).
 * What reaches c_next through this step's h_next is still to be added to it. da and dc go to a and
 * to c. dgamma and dbeta are summed over the batch. */
void lstm_cell_backward(float *da,            /* batch x 4 * hidden */
                        float *dc,            /* batch x hidden */
                        float *dgamma,        /* hidden */
                        float *dbeta,         /* hidden */
                        const float *dh_next, /* batch x hidden */
                        const float *dc_next, /* batch x hidden */
                        const float *a,       /* batch x 4 * hidden */
                        const float *c,       /* batch x hidden */
                        const float *gamma,   /* hidden */
                        const float *beta,    /* hidden */
                        int batch, int hidden, float eps);

#endif
