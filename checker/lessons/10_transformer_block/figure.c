/* Lesson 10's figure: one token among three, whom it listens to, and what it hears. */
#include <math.h>

#include "10_transformer_block.h"
#include "figure.h"

enum { TIME = 3, N = 2 };
static float x[TIME * N] = {1, 1, 2, 0, -1, 2}, kept[1] = {1};
static float of_token[TIME * N] = {0, 0, 1, 1, 2, 2};
static float heard[N], score[TIME], weights[TIME];

/* The four maps change nothing: a query, a key and a value are the token itself. */
static void compute(void)
{
    static const float w[4 * N * N] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1},
                                 b[4 * N] = {0};
    float y[TIME * N];
    int keep[TIME] = {1, 1, *kept >= 0.5f};
    attention(y, x, keep, w, b, 1, TIME, N, 1);
    heard[0] = y[0];
    heard[1] = y[1];
    for (int s = 0; s < TIME; s++)
        score[s] = (x[0] * x[N * s] + x[1] * x[N * s + 1]) / sqrtf(N);
    weights[TIME - 1] = 0;
    softmax(weights, score, 1, keep[TIME - 1] ? TIME : TIME - 1);
}

static const FigureRow rows[] = {
    {DRAGGED, "tokens", "0, 1 and 2, of two numbers each", NUMBERS(x), -3, 3, EVEN},
    {TOGETHER, "of tokens", NULL, NUMBERS(of_token), -1, 2, EVEN},
    {LINES, "weights", "how much token 0 hears of each", NUMBERS(weights), 0, 1, EVEN},
    {SHOWN, "score", "of each", NUMBERS(score), -6, 6, EVEN},
    {SHOWN, "heard", "by 0", NUMBERS(heard), -3, 3, EVEN},
    {DRAGGED, "keep", "token 2: 1, or 0", NUMBERS(kept), 0, 1, WHOLE},
};
const Figure figure = {
    "Drag token 0, in the first frame, towards another one: their score grows, and what is heard "
    "comes nearer to that token. A score that is 1 larger gets 2.7 times the weight. A token that "
    "is "
    "not kept is not heard at all.",
    ROWS(rows), compute};
