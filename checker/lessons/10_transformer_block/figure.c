/* Lesson 10's figure: one token among three, whom it listens to, and what it hears. */
#include "10_transformer_block.h"
#include "figure.h"

enum { TIME = 3, N = 2 };
static float token[N] = {1, 1}, second[N] = {2, 0}, third[N] = {-1, 2}, kept[1] = {1};
static float heard[N], score[TIME] = {1, 1, 3}, of_scores[TIME];

static void compute(void)
{
    static const float w[4 * N * N] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1},
                                 b[4 * N] = {0};
    float x[TIME * N] = {token[0], token[1], second[0], second[1], third[0], third[1]};
    float y[TIME * N];
    int keep[TIME] = {1, 1, *kept >= 0.5f};
    attention(y, x, keep, w, b, 1, TIME, N, 1);
    heard[0] = y[0];
    heard[1] = y[1];
    softmax(of_scores, score, 1, TIME);
}

static const FigureRow rows[] = {
    {DRAGGED, "score", "softmax alone: three scores", NUMBERS(score), -5, 5, EVEN},
    {SHOWN, "softmax", "and their weights", NUMBERS(of_scores), 0, 1, EVEN},
    {DRAGGED, "token 0", "it listens", NUMBERS(token), -3, 3, EVEN},
    {DRAGGED, "token 1", NULL, NUMBERS(second), -3, 3, EVEN},
    {DRAGGED, "token 2", NULL, NUMBERS(third), -3, 3, EVEN},
    {DRAGGED, "keep", "token 2, from 0.5 on", NUMBERS(kept), 0, 1, EVEN},
    {SHOWN, "heard", "by token 0: attention, one head", NUMBERS(heard), -3, 3, EVEN},
};
const Figure figure = {
    "A score that is 1 larger gets 2.7 times the weight. Turn token 0 towards another one and "
    "it hears more of that; a token that is not kept is not heard at all.",
    ROWS(rows), compute};
