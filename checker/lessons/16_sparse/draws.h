/* Lesson 16: sparse rows drawn afresh. The invariant: `start` goes from 0 to `nonzeros`, and the
 * columns of a row are distinct, in any order. */
#ifndef LESSON_16_DRAWS_H
#define LESSON_16_DRAWS_H

#include "mistakes.h"

#include <stdlib.h>

typedef struct {
    const float *values;
    int count, features;
} Row;

static Row row_at(const Case *c, int r)
{
    const int *start = given_ints(c, "start");
    return (Row){given(c, "value") + start[r], start[r + 1] - start[r], size_of(c, "features")};
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory)
        author_error("out of memory");
    return memory;
}

/* ---- where the non-zeros are ---- */
/* From none to all, by turns. */
static int draw_count(Rng *rng, int features, int kind, int least)
{
    int half = features / 2, few = features < 3 ? features : 3;
    int from[] = {0, 0, half, features}, to[] = {few, half, features, features};
    int count = uniform_int(rng, from[kind % 4], to[kind % 4]);
    return count < least ? least : count;
}

/* Sets start and nonzeros. The rows have as many as draw_count() says, or all of them few. */
enum { FEW = -1 };

static void draw_starts(Case *c, Rng *rng, int kind, int least)
{
    int *start = fill_ints(c, "start");
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    start[0] = 0;
    for (int r = 0; r < rows; r++)
        start[r + 1] = start[r] + draw_count(rng, features, kind == FEW ? 0 : kind + r, least);
    set_size(c, "nonzeros", start[rows]);
}

/* A shuffling that is broken off after as many as are wanted; what it leaves may be shuffled on. */
static void draw_columns(Case *c, Rng *rng)
{
    const int *start = given_ints(c, "start");
    int rows = size_of(c, "rows"), features = size_of(c, "features");
    int *column = fill_ints(c, "column");
    int *order = allocate((size_t)features, sizeof *order);
    for (int j = 0; j < features; j++)
        order[j] = j;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < start[r + 1] - start[r]; k++) {
            int other = uniform_int(rng, k, features - 1), kept = order[k];
            order[k] = column[start[r] + k] = order[other];
            order[other] = kept;
        }
    free(order);
}

/* ---- what they are ---- */
/* In some rows one of the stored numbers is 0. */
static void draw_values(float *values, const Case *c, Rng *rng, double spread, double offset)
{
    const int *start = given_ints(c, "start");
    int rows = size_of(c, "rows");
    for (int r = 0; r < rows; r++) {
        int count = start[r + 1] - start[r];
        fill_spread(values + start[r], count, 1, rng, spread * uniform(rng, 0.6, 1.5), offset);
        if (count > 2 && uniform_int(rng, 0, 3) == 0)
            values[start[r] + uniform_int(rng, 0, count - 1)] = 0;
    }
}

static Case *draw_rows(Cases *cases, Rng *rng, const char *function, int index)
{
    Shape shape = odd_shape(rng, index);
    Case *c = case_new(cases, function);
    set_size(c, "rows", shape.rows);
    set_size(c, "features", shape.features);
    draw_starts(c, rng, index, shape.eps == 0 || shape.rows == 1);
    case_label(c, "%d x %d, %d non-zeros", shape.rows, shape.features, size_of(c, "nonzeros"));
    if (takes(c, "eps"))
        set_scalar(c, "eps", shape.eps);
    if (takes(c, "value"))
        draw_values(fill(c, "value"), c, rng, shape.spread, shape.offset);
    return c;
}

static void draw_statistics(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        draw_rows(cases, rng, STATISTICS, i);
}

static void draw_norm(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++)
        draw_rows(cases, rng, NORM, i);
}

/* ---- rows that nobody can go through: up to all the features that an int can count ---- */
static void draw_wide(Cases *cases, Rng *rng, const char *function)
{
    for (int i = 0; i < 4; i++) {
        Case *c = case_new(cases, function);
        int rows = uniform_int(rng, 20, 60), features = uniform_int(rng, 2000000000, 2147483647);
        set_size(c, "rows", rows);
        set_size(c, "features", i == 0 ? 2000000000 : i == 1 ? 2147483647 : features);
        draw_starts(c, rng, FEW, 1);
        set_scalar(c, "eps", i % 2 ? 1e-9f : 0);
        draw_values(fill(c, "value"), c, rng, i % 2 ? 3 : 0.2, i % 2 ? 2 : 0);
        case_label(c, "%d rows, %d non-zeros", rows, size_of(c, "nonzeros"));
    }
}

static void draw_wide_statistics(Cases *cases, Rng *rng)
{
    draw_wide(cases, rng, STATISTICS);
}

static void draw_wide_norm(Cases *cases, Rng *rng)
{
    draw_wide(cases, rng, NORM);
}

/* ---- sparse_norm_linear ---- */
/* w, gamma, and what they and a beta add up to. */
static void draw_layer(Case *c, Rng *rng)
{
    int features = size_of(c, "features");
    float *beta = allocate((size_t)features, sizeof *beta);
    for (int j = 0; j < features; j++)
        beta[j] = (float)uniform(rng, -2, 2);
    float *wg = fill(c, "wg"), *wb = fill(c, "wb");
    fill_rest(c, rng);
    const float *w = given(c, "w"), *gamma = given(c, "gamma");
    for (int o = 0; o < size_of(c, "outputs"); o++, w += features) {
        double with_gamma = 0, with_beta = 0;
        for (int j = 0; j < features; j++) {
            with_gamma += (double)w[j] * gamma[j];
            with_beta += (double)w[j] * beta[j];
        }
        wg[o] = (float)with_gamma;
        wb[o] = (float)with_beta;
    }
    free(beta);
}

/* base and delta as a sparse_layer_norm gives them. */
static void draw_normalized(Case *c, Rng *rng, double spread, double offset)
{
    const int *start = given_ints(c, "start");
    float *delta = fill(c, "delta"), *base = fill(c, "base");
    int rows = size_of(c, "rows");
    double features = size_of(c, "features");
    draw_values(delta, c, rng, spread, offset);
    for (int r = 0; r < rows; r++) {
        double mean = 0, squares = 0;
        for (int i = start[r]; i < start[r + 1]; i++) {
            mean += delta[i] / features;
            squares += (double)delta[i] * delta[i] / features;
        }
        double rstd = 1 / sqrt(fmax(squares - mean * mean, 0) + 1e-5);
        base[r] = (float)(-mean * rstd);
        for (int i = start[r]; i < start[r + 1]; i++)
            delta[i] = (float)(delta[i] * rstd);
    }
}

static void draw_linear(Cases *cases, Rng *rng)
{
    for (int i = 0; i < SHAPES; i++) {
        Shape shape = odd_shape(rng, i);
        Case *c = draw_rows(cases, rng, LINEAR, i);
        int features = size_of(c, "features"), rows = size_of(c, "rows");
        int outputs = features * rows > 300 ? uniform_int(rng, 1, 3) : uniform_int(rng, 1, 9);
        set_size(c, "outputs", i == 7 ? uniform_int(rng, 300, 400) : outputs); /* 13 x 2 */
        draw_columns(c, rng);
        draw_normalized(c, rng, shape.spread, shape.offset);
        draw_layer(c, rng);
    }
}

/* In the columns that no row has, w and gamma hold what can't be computed with. */
static void draw_nan_columns(Cases *cases, Rng *rng)
{
    for (int i = 0; i < 8; i++) {
        Case *c = case_new(cases, LINEAR);
        int features = uniform_int(rng, 20, 90), outputs = uniform_int(rng, 1, 5);
        set_size(c, "rows", uniform_int(rng, 1, 4));
        set_size(c, "features", features);
        set_size(c, "outputs", outputs);
        draw_starts(c, rng, FEW, i % 2);
        draw_columns(c, rng);
        draw_normalized(c, rng, 1, 2);
        draw_layer(c, rng);
        bool *used = allocate((size_t)features, sizeof *used);
        for (int k = 0; k < size_of(c, "nonzeros"); k++)
            used[given_ints(c, "column")[k]] = true;
        for (int j = 0; j < features; j++)
            for (int o = 0; o < outputs && !used[j]; o++)
                fill(c, "w")[o * features + j] = fill(c, "gamma")[j] = NAN;
        free(used);
        case_label(c, "%d of %d features", size_of(c, "nonzeros"), features);
    }
}

/* Most of the rows have no non-zero: a right answer is there at once, one that goes through the
 * features of each row after 4,294,967,296 steps. */
static void draw_wide_linear(Cases *cases, Rng *rng)
{
    enum { WIDE = 65536 };
    Case *c = case_new(cases, LINEAR);
    set_size(c, "rows", WIDE);
    set_size(c, "features", WIDE);
    set_size(c, "outputs", 1);
    int *start = fill_ints(c, "start");
    for (int r = 0; r < WIDE; r++)
        start[r + 1] = start[r] + (r % 32 ? 0 : uniform_int(rng, 1, 5));
    set_size(c, "nonzeros", start[WIDE]);
    draw_columns(c, rng);
    draw_normalized(c, rng, 1, 2);
    draw_layer(c, rng);
    case_label(c, "%d non-zeros in all", start[WIDE]);
}

#endif
