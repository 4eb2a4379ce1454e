/* Lesson 13's figure: what sixteen layers make of the spread, without a norm and with one. */
#include "13_activations.h"
#include "figure.h"

enum { LAYERS = 16, ROWS_IN = 8, N = 8, BINS = 8 };
static float size[1] = {0.5f}, input[1] = {1}, without[LAYERS], with[LAYERS];
static float last_without[BINS], last_with[BINS];

/* The same numbers on every machine, about as spread as a die's, from -1 to 1. */
static float draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

static void compute(void)
{
    static float w[LAYERS * N * N], x[ROWS_IN * N], h[LAYERS * ROWS_IN * N];
    float mean[LAYERS];
    unsigned state = 5;
    for (int i = 0; i < LAYERS * N * N; i++)
        w[i] = *size * draw(&state);
    for (int i = 0; i < ROWS_IN * N; i++)
        x[i] = *input * draw(&state);
    deep_forward(h, x, w, LAYERS, ROWS_IN, N, 0, 1e-5f);
    layer_spread(mean, without, h, LAYERS, ROWS_IN, N);
    histogram(last_without, h + (LAYERS - 1) * ROWS_IN * N, ROWS_IN * N, BINS, -1, 1);
    deep_forward(h, x, w, LAYERS, ROWS_IN, N, 1, 1e-5f);
    layer_spread(mean, with, h, LAYERS, ROWS_IN, N);
    histogram(last_with, h + (LAYERS - 1) * ROWS_IN * N, ROWS_IN * N, BINS, -1, 1);
}

static const FigureRow rows[] = {
    {SHOWN, "without", "the spread of 16 layers, first layer left", NUMBERS(without), 0, 1, EVEN},
    {SHOWN, "last layer", "without: shares from -1 to 1", NUMBERS(last_without), 0, 1, EVEN},
    {DRAGGED, "weights", "how large they are", NUMBERS(size), 0, 3, EVEN},
    {DRAGGED, "input", "how large x is", NUMBERS(input), 0, 5, EVEN},
    {SHOWN, "with a norm", "the same", NUMBERS(with), 0, 1, EVEN},
    {SHOWN, "last layer", "with a norm", NUMBERS(last_with), 0, 1, EVEN},
};
const Figure figure = {
    "Without a norm the weights must be just right: a little smaller, and the numbers "
    "fade from layer to layer; larger, and nearly all are near -1 or 1. With one it hardly "
    "matters.",
    ROWS(rows), compute};
