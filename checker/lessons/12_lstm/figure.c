/* Lesson 12's figure: one cell of two units, its gates, and what is remembered over some steps. */
#include "12_lstm.h"
#include "figure.h"

enum { HIDDEN = 2, MOST = 12 };
static float input[HIDDEN] = {1, 1}, forget[HIDDEN] = {3, -1}, candidate[HIDDEN] = {2, -2};
static float output[HIDDEN] = {1, 1}, c[HIDDEN] = {0.5f, -1}, c_next[HIDDEN], h_next[HIDDEN];
static float remembered[MOST], forgotten[MOST];

static void compute(void)
{
    static const float gamma[HIDDEN] = {1, 1}, beta[HIDDEN] = {0};
    float a[4 * HIDDEN], now[HIDDEN] = {c[0], c[1]}, next[HIDDEN], h[HIDDEN];
    for (int k = 0; k < HIDDEN; k++) {
        a[k] = input[k];
        a[HIDDEN + k] = forget[k];
        a[2 * HIDDEN + k] = candidate[k];
        a[3 * HIDDEN + k] = output[k];
    }
    lstm_cell(h_next, c_next, a, c, gamma, beta, 1, HIDDEN, 1e-5f);
    for (int k = 0; k < HIDDEN; k++) {
        a[k] = -20; /* from here on nothing comes in */
        a[2 * HIDDEN + k] = 0;
    }
    for (int t = 0; t < MOST; t++) {
        remembered[t] = now[0];
        forgotten[t] = now[1];
        lstm_cell(h, next, a, now, gamma, beta, 1, HIDDEN, 1e-5f);
        now[0] = next[0];
        now[1] = next[1];
    }
}

static const FigureRow rows[] = {
    {DRAGGED, "i", "lets in", NUMBERS(input), -6, 6, EVEN},
    {DRAGGED, "g", "comes in", NUMBERS(candidate), -3, 3, EVEN},
    {DRAGGED, "o", "lets out", NUMBERS(output), -6, 6, EVEN},
    {DRAGGED, "c", "before", NUMBERS(c), -2, 2, EVEN},
    {SHOWN, "c_next", NULL, NUMBERS(c_next), -3, 3, EVEN},
    {SHOWN, "h_next", NULL, NUMBERS(h_next), -1, 1, EVEN},
    {DRAGGED, "f", "keeps", NUMBERS(forget), -6, 6, EVEN},
    {SHOWN, "unit 0", "and", NUMBERS(remembered), -2, 2, EVEN},
    {BESIDE, "unit 1, over 12 steps without input", NULL, NUMBERS(forgotten), -2, 2, EVEN},
};
const Figure figure = {
    "Make f large, and the memory lasts; make it small, and it is gone in a step or two. "
    "h_next has one size whatever the size of c: that is the norm.",
    ROWS(rows), compute};
