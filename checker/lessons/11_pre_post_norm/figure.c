/* Lesson 11's figure: how long the gradient is in each block, with the norm before it and behind
 * it. */
#include <math.h>

#include "11_pre_post_norm.h"
#include "figure.h"

enum { MOST = 24, N = 8 };
static float depth[1] = {24}, size[1] = {1}, back[1] = {0}, pre[MOST], post[MOST], spread[MOST];
static const float one[N] = {1, 1, 1, 1, 1, 1, 1, 1}, zero[N] = {0};

/* A row that has nothing to do with another, of spread 1; the same on every machine. */
static void draw_row(float *row, unsigned *state)
{
    float mean, rstd, drawn[N];
    for (int j = 0; j < N; j++) {
        *state = *state * 1664525u + 1013904223u;
        drawn[j] = (float)(*state >> 8);
    }
    post_norm(row, &mean, &rstd, drawn, zero, one, zero, 1, N, 0);
}

/* What F hands down: a part of what it was given, in another order. */
static void hand_back(float *din, const float *dout, int block)
{
    for (int j = 0; j < N; j++)
        din[(j + block % (N - 1) + 1) % N] = *back * (j % 2 ? dout[j] : -dout[j]);
}

typedef struct {
    float x[N], branch[N], mean, rstd;
} Block;

static void go_forward(Block *blocks, int count, bool norm_behind)
{
    unsigned state = 7;
    float row[N], y[N];
    draw_row(row, &state);
    for (int l = 0; l < count; l++) {
        Block *b = &blocks[l];
        draw_row(b->branch, &state);
        for (int j = 0; j < N; j++) {
            b->x[j] = row[j];
            b->branch[j] *= *size;
        }
        post_norm(y, &b->mean, &b->rstd, row, norm_behind ? b->branch : zero, one, zero, 1, N,
                  1e-5f);
        for (int j = 0; j < N; j++)
            row[j] = norm_behind ? y[j] : row[j] + b->branch[j];
    }
}

static void go_back(const Block *blocks, int count, bool norm_behind, float *length)
{
    float dy[N] = {1}, dx[N], dbranch[N], dgamma[N], dbeta[N], din[N], gradient[MOST * N] = {0};
    for (int l = count - 1; l >= 0; l--) {
        const Block *b = &blocks[l];
        if (norm_behind) {
            post_norm_backward(dx, dbranch, dgamma, dbeta, dy, b->x, b->branch, one, &b->mean,
                               &b->rstd, 1, N);
            hand_back(din, dbranch, l);
        } else {
            hand_back(din, dy, l);
            pre_norm_backward(dx, dgamma, dbeta, dy, din, b->x, one, &b->mean, &b->rstd, 1, N);
        }
        for (int j = 0; j < N; j++)
            gradient[l * N + j] = dy[j] = dx[j] + (norm_behind ? din[j] : 0);
    }
    gradient_norms(length, gradient, count, N);
    for (int l = count; l < MOST; l++)
        length[l] = NAN; /* there is no such block */
}

static void compute(void)
{
    static Block blocks[MOST];
    int count = *depth < 1 ? 1 : (int)*depth;
    go_forward(blocks, count, false);
    go_back(blocks, count, false, pre);
    for (int l = 0; l < MOST; l++)
        spread[l] = l < count ? 1 / blocks[l].rstd : NAN;
    go_forward(blocks, count, true);
    go_back(blocks, count, true, post);
}

static const FigureRow rows[] = {
    {DRAGGED, "back", "what F hands down", NUMBERS(back), 0, 1, EVEN},
    {SHOWN, "pre-norm", "the gradient's length, first block left", NUMBERS(pre), 1e-5f, 10, POWERS},
    {SHOWN, "post-norm", "the same, the norm behind the sum", NUMBERS(post), 1e-5f, 10, POWERS},
    {DRAGGED, "depth", "how many blocks", NUMBERS(depth), 1, MOST, WHOLE},
    {DRAGGED, "F", "its spread", NUMBERS(size), 0, 3, EVEN},
    {SHOWN, "spread", "of the rows in pre-norm", NUMBERS(spread), 0, 10, EVEN},
};
const Figure figure = {
    "Along the shortcuts alone (back is 0) a pre-norm gradient stays as long as it is, "
    "and in post-norm each block takes about a factor of 0.7. Raise back: what the "
    "branches hand down makes up for much of it.",
    ROWS(rows), compute};
