/* What the checks of lesson 12 call beside the learner's four functions: calls.c, which makes whole
 * steps of them, one after the other, and goes back through all of them.
 *
 * weights: the columns of x, then those of h. gates: gamma of x, gamma of h, bias. norm: gamma and
 * beta of the cell. start: h and c before the first step. */

/* hs: h behind every step. c_end: c behind the last. at_once: how many examples are in one call,
 * all of the batch or 1. */
void forward_steps(float *hs,            /* steps x batch x hidden */
                   float *c_end,         /* batch x hidden */
                   const float *xs,      /* steps x batch x inputs */
                   const float *start,   /* 2 x batch x hidden */
                   const float *weights, /* 4 * hidden x inputs + hidden */
                   const float *gates,   /* 3 x 4 * hidden */
                   const float *norm,    /* 2 x hidden */
                   int steps, int batch, int inputs, int hidden, int at_once, float eps);

/* dhs: the slope of the loss at every h. Nothing comes to the last c from later steps. */
void backward_steps(float *dxs,           /* steps x batch x inputs */
                    float *dstart,        /* 2 x batch x hidden */
                    float *dweights,      /* 4 * hidden x inputs + hidden */
                    float *dgates,        /* 3 x 4 * hidden */
                    float *dnorm,         /* 2 x hidden */
                    const float *dhs,     /* steps x batch x hidden */
                    const float *xs,      /* steps x batch x inputs */
                    const float *start,   /* 2 x batch x hidden */
                    const float *weights, /* 4 * hidden x inputs + hidden */
                    const float *gates,   /* 3 x 4 * hidden */
                    const float *norm,    /* 2 x hidden */
                    int steps, int batch, int inputs, int hidden, float eps);
