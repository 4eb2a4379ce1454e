/* Lesson 10: linear maps, softmax and attention in Real, for right answers: in less time than by
 * their formulas, which give the same numbers, and those of all mistakes.
 *
 * The invariant: a weight's bound holds however the scores were rounded. Scores are off by a part
 * of their size, so a weight may be off by much, but never by more than from 0 to 1. */
#ifndef LESSON_10_ATTENTION_H
#define LESSON_10_ATTENTION_H

#include "author.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- linear ---- */
typedef struct {
    const float *w, *b;
    int inputs, outputs;
} Map;

static void map_rows(Real *y, const Real *x, Map map, int rows)
{
    for (int i = 0; i < rows * map.outputs; i++) {
        const Real *row = x + i / map.outputs * map.inputs;
        int o = i % map.outputs;
        Sum sum = {0};
        for (int k = 0; k < map.inputs; k++)
            include_product(&sum, row[k], exact(map.w[o * map.inputs + k]));
        include(&sum, exact(map.b[o]));
        y[i] = total(sum);
    }
}

/* ---- softmax ---- */
/* Those whose keep is 0 are passed over, and weigh nothing. */
typedef struct {
    const Real *x;
    int n;
    const int *keep; /* NULL: all are kept */
} Scores;

static bool is_kept(Scores s, int j)
{
    return !s.keep || s.keep[j];
}

static double largest_of(Scores s)
{
    double largest = -INFINITY;
    for (int j = 0; j < s.n; j++)
        if (is_kept(s, j))
            largest = fmax(largest, s.x[j].v);
    return largest;
}

/* x - largest. What is 1000 below weighs nothing, in double precision neither. */
static Real below(Real x, double largest)
{
    return difference(fmax(x.v - largest, -1000), 0);
}

/* The logarithm of what exp of all but one of them adds up to; of all, where that one is -1. */
static double log_sum(Scores s, int but)
{
    double largest = -INFINITY, sum = 0;
    for (int j = 0; j < s.n; j++)
        if (is_kept(s, j) && j != but)
            largest = fmax(largest, s.x[j].v);
    for (int j = 0; j < s.n; j++)
        if (is_kept(s, j) && j != but)
            sum += exp(s.x[j].v - largest);
    return sum > 0 ? largest + log(sum) : -INFINITY;
}

/* What rounded scores do to their weights. A weight is 1 / (1 + exp(-odds)), odds being its score
 * minus log_sum() of the others: it moves with its own score, and against the others'. */
static void add_moves(Real *weight, Scores s)
{
    int first = -1;
    double most = 0, all = log_sum(s, -1);
    for (int j = 0; j < s.n; j++) {
        if (!is_kept(s, j))
            continue;
        most = fmax(most, s.x[j].e);
        if (first < 0 || s.x[j].v > s.x[first].v)
            first = j;
    }
    for (int j = 0; j < s.n; j++) {
        Real x = s.x[j], *own = &weight[j];
        if (!is_kept(s, j))
            continue;
        double others = j == first ? log_sum(s, first) : all + log1p(-exp(x.v - all));
        double odds = x.v - others, swing = x.e + most;
        own->e += fmax(1 / (1 + exp(-odds - swing)) - own->v, own->v - 1 / (1 + exp(swing - odds)));
    }
}

static void weigh(Real *weight, Scores s)
{
    double largest = largest_of(s);
    bool moving = false;
    Sum sum = {0};
    for (int j = 0; j < s.n; j++) {
        Real x = s.x[j], *own = &weight[j];
        *own = is_kept(s, j) ? exponential(below(x, largest)) : exact(0);
        if (is_kept(s, j))
            include(&sum, *own);
        moving = moving || x.e > 0;
    }
    Real whole = total(sum), logarithm_of_it = logarithm(whole);
    for (int j = 0; j < s.n; j++) {
        Real x = s.x[j], *own = &weight[j];
        if (!is_kept(s, j))
            continue;
        Real by_logarithm = exponential(sub(below(x, largest), logarithm_of_it));
        *own = larger_bound(divide(*own, whole), by_logarithm);
    }
    if (moving)
        add_moves(weight, s);
}

/* ---- attention ---- */
typedef struct {
    const Case *c;
    const float *w, *b;
    const int *keep;
    int batch, time, features, heads;
    Real *query, *key, *value, *heard;
} Attention;

static Real score_of(const Attention *a, int head, int from, int to)
{
    int size = a->features / a->heads;
    Sum sum = {0};
    for (int j = head * size; j < (head + 1) * size; j++)
        include_product(&sum, a->query[from * a->features + j], a->key[to * a->features + j]);
    return divide(total(sum), root(exact(size)));
}

/* time x time: a row for each token that looks. */
static void weights_of(Real *weight, const Attention *a, int sequence, int head)
{
    int time = a->time, first = sequence * time;
    Real *score = new_reals(time * time);
    for (int i = 0; i < time * time; i++)
        score[i] = score_of(a, head, first + i / time, first + i % time);
    for (int t = 0; t < time; t++)
        weigh(weight + t * time, (Scores){score + t * time, time, a->keep + first});
    free(score);
}

static void hear(const Attention *a, int sequence, int head)
{
    int time = a->time, first = sequence * time, size = a->features / a->heads;
    char name[40];
    Real *weight = new_reals(time * time);
    weights_of(weight, a, sequence, head);
    snprintf(name, sizeof name, "weights[%d][%d]", sequence, head);
    for (int t = 0; t < time; t++) {
        reveal_row(a->c, name, weight + t * time, time);
        for (int j = head * size; j < (head + 1) * size; j++) {
            Sum sum = {0};
            for (int s = 0; s < time; s++)
                include_product(&sum, weight[t * time + s],
                                a->value[(first + s) * a->features + j]);
            a->heard[(first + t) * a->features + j] = total(sum);
        }
    }
    free(weight);
}

static void attend(Real *y, const Real *x, Attention a)
{
    int rows = a.batch * a.time, n = a.features;
    Real *room = new_reals(4 * rows * n);
    Real **parts[] = {&a.query, &a.key, &a.value, &a.heard};
    for (int i = 0; i < 4; i++) {
        *parts[i] = room + i * rows * n;
        if (i < 3)
            map_rows(*parts[i], x, (Map){a.w + i * n * n, a.b + i * n, n, n}, rows);
    }
    for (int sequence = 0; sequence < a.batch; sequence++)
        for (int head = 0; head < a.heads; head++)
            hear(&a, sequence, head);
    map_rows(y, a.heard, (Map){a.w + 3 * n * n, a.b + 3 * n, n, n}, rows);
    free(room);
}

static Attention attention_in(const Case *c, const char *w, const char *b)
{
    return (Attention){.c = c,
                       .w = given(c, w),
                       .b = given(c, b),
                       .keep = given_ints(c, "keep"),
                       .batch = size_of(c, "batch"),
                       .time = size_of(c, "time"),
                       .features = size_of(c, "features"),
                       .heads = size_of(c, "heads")};
}

/* True: it is not what the header asks for. */
static bool cannot_be_attended(Case *c, Attention a)
{
    const char *why = a.features % a.heads ? "features / heads has to be a whole number" : NULL;
    for (int sequence = 0; sequence < a.batch; sequence++) {
        bool any = false;
        for (int t = 0; t < a.time; t++)
            any = any || a.keep[sequence * a.time + t];
        if (!any)
            why = "keep has to keep a token of every sequence";
    }
    if (why)
        rule_out(c, why);
    return why;
}

#endif
