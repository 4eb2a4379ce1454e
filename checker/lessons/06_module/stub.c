/* Lesson 06: the module. Read lessons/06_module.md, then fill in the six
 * functions and save. `make check` tells you how far you are; `make hint` helps. */
#include "06_module.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* shape: dims */
int layer_norm_init(struct layer_norm *m, const int *shape, int dims, float eps, int bias)
{
    /* Your code here: work out features, allocate the parameters and their gradients. */
    return 0;
}

/* y, x: rows x features */
int layer_norm_forward(struct layer_norm *m, float *y, const float *x, int rows)
{
    /* Your code here: make room for xhat and rstd, then normalize each row and save both. */
    return 0;
}

/* dx, dy: rows x features */
void layer_norm_backward(struct layer_norm *m, float *dx, const float *dy)
{
    /* Your code here: add to dgamma and dbeta, and write dx, from xhat and rstd. */
}

void layer_norm_zero_grad(struct layer_norm *m)
{
    /* Your code here: set the gradients to 0. */
}

void layer_norm_step(struct layer_norm *m, float rate)
{
    /* Your code here: move the parameters against their gradients. */
}

void layer_norm_free(struct layer_norm *m)
{
    /* Your code here: the second function to write. What init allocates, it frees. */
}
