/* Lesson 10: linear maps, softmax and attention in Real, with the mistakes that can be made in
 * them.
 *
 * The invariant: a weight's bound holds however the scores were rounded. Scores are off by a part
 * of their size, so a weight may be off by much, but never by more than from 0 to 1. */
#ifndef LESSON_10_ATTENTION_H
#define LESSON_10_ATTENTION_H

#include "mistakes.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- linear ---- */
typedef struct {
    const float *w, *b;
    int inputs, outputs;
} Map;

static void map_rows(Real *y, const Real *x, Map map, int rows, Mistakes m)
{
    for (int i = 0; i < rows * map.outputs; i++) {
        const Real *row = x + i / map.outputs * map.inputs;
        int o = i % map.outputs;
        bool nan = false;
        Sum sum = {0};
        for (int k = 0; k < map.inputs; k++) {
            int at = has(m, WEIGHTS_TRANSPOSED) ? k * map.outputs + o : o * map.inputs + k;
            include_product(&sum, row[k], exact(map.w[at]));
            nan = nan || certainly_nan(row[k]);
        }
        if (!has(m, BIAS_MISSING))
            include(&sum, exact(map.b[o]));
        y[i] = nan ? exact(NAN) : total(sum);
    }
}

/* ---- softmax ---- */
/* Numbers `step` apart; those whose keep is 0 are passed over, and weigh nothing. */
typedef struct {
    const Real *x;
    int n, step;
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
            largest = fmax(largest, s.x[j * s.step].v);
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
            largest = fmax(largest, s.x[j * s.step].v);
    for (int j = 0; j < s.n; j++)
        if (is_kept(s, j) && j != but)
            sum += exp(s.x[j * s.step].v - largest);
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
        most = fmax(most, s.x[j * s.step].e);
        if (first < 0 || s.x[j * s.step].v > s.x[first * s.step].v)
            first = j;
    }
    for (int j = 0; j < s.n; j++) {
        Real x = s.x[j * s.step], *own = &weight[j * s.step];
        if (!is_kept(s, j))
            continue;
        double others = j == first ? log_sum(s, first) : all + log1p(-exp(x.v - all));
        double odds = x.v - others, swing = x.e + most;
        own->e += fmax(1 / (1 + exp(-odds - swing)) - own->v, own->v - 1 / (1 + exp(swing - odds)));
    }
}

/* Where exp(x) itself is taken. Float and double overflow at different numbers: between the two
 * there is no telling. */
static Real overflowed(Real x, double largest, Real right)
{
    if (largest > 1000 && (x.v > 1000 || x.v < 50))
        return exact(x.v > 1000 ? NAN : 0); /* inf / inf, and a number / inf */
    if (largest < -1000)
        return exact(NAN); /* 0 / 0 */
    return fabs(largest) > 80 ? (Real){NAN, INFINITY} : right;
}

static void weigh(Real *weight, Scores s, double largest, Mistakes m)
{
    bool moving = false;
    Sum sum = {0};
    for (int j = 0; j < s.n; j++) {
        Real x = s.x[j * s.step], *own = &weight[j * s.step];
        *own = is_kept(s, j) ? exponential(below(x, largest)) : exact(0);
        if (is_kept(s, j))
            include(&sum, *own);
        moving = moving || x.e > 0;
    }
    Real whole = total(sum), logarithm_of_it = logarithm(whole);
    for (int j = 0; j < s.n; j++) {
        Real x = s.x[j * s.step], *own = &weight[j * s.step];
        if (!is_kept(s, j))
            continue;
        Real by_logarithm = exponential(sub(below(x, largest), logarithm_of_it));
        *own = larger_bound(divide(*own, whole), by_logarithm);
    }
    if (moving)
        add_moves(weight, s);
    for (int j = 0; j < s.n; j++) {
        Real *own = &weight[j * s.step];
        if (is_kept(s, j) && (has(m, MAX_NOT_SUBTRACTED) || (has(m, MAX_FROM_ZERO) && largest < 0)))
            *own = overflowed(s.x[j * s.step], largest, *own);
        if (has(m, MAX_OF_ALL) && whole.v == 0)
            *own = exact(NAN);
    }
}

/* ---- attention ---- */
typedef struct {
    const Case *c;
    const float *w, *b;
    const int *keep;
    int batch, time, features, heads;
    Real *query, *key, *value, *heard;
} Attention;

/* The features of a head, as many as there are of them. */
static int feature_of(const Attention *a, int head, int i, Mistakes m)
{
    return has(m, HEADS_INTERLEAVED) ? i * a->heads + head : head * (a->features / a->heads) + i;
}

static Real score_of(const Attention *a, int head, int from, int to, Mistakes m)
{
    int size = a->features / a->heads;
    Sum sum = {0};
    for (int i = 0; i < size; i++) {
        int j = feature_of(a, head, i, m);
        include_product(&sum, a->query[from * a->features + j], a->key[to * a->features + j]);
    }
    Real scale = root(exact(has(m, SCALE_BY_FEATURES) ? a->features : size));
    if (has(m, SCALE_NOT_ROOTED))
        scale = exact(size);
    return has(m, SCALE_MISSING) ? total(sum) : divide(total(sum), scale);
}

/* time x time: a row for each token that looks. */
static void weights_of(Real *weight, const Attention *a, int sequence, int head, Mistakes m)
{
    int time = a->time, first = sequence * time;
    bool scores_masked = has(m, MASK_IS_ZERO) || has(m, MASK_IS_A_NUMBER), padded = false;
    bool all = has(m, MASK_IGNORED) || has(m, MASK_AFTER) || scores_masked;
    Real *score = new_reals(time * time);
    for (int i = 0; i < time * time; i++) {
        bool kept = a->keep[first + i % time];
        padded = padded || !kept;
        score[i] = score_of(a, head, first + i / time, first + i % time, m);
        if (!kept && scores_masked)
            score[i] = exact(has(m, MASK_IS_ZERO) ? 0 : -1e9);
    }
    for (int t = 0; t < time; t++) {
        Scores row = {score + t * time, time, 1, all ? NULL : a->keep + first};
        if (has(m, WRONG_AXIS))
            row = (Scores){score + t, time, time, NULL};
        weigh(weight + (row.x - score), row, largest_of(row), m);
    }
    for (int i = 0; i < time * time; i++) {
        if (has(m, MASK_AFTER) && !has(m, MASK_IGNORED) && !a->keep[first + i % time])
            weight[i] = exact(0);
        if (has(m, WRONG_AXIS) && padded)
            weight[i] = (Real){NAN, INFINITY}; /* columns of nothing */
    }
    free(score);
}

static void hear(const Attention *a, int sequence, int head, Mistakes m)
{
    int time = a->time, first = sequence * time;
    char name[40];
    Real *weight = new_reals(time * time);
    weights_of(weight, a, sequence, head, m);
    snprintf(name, sizeof name, "weights[%d][%d]", sequence, head);
    for (int t = 0; t < time; t++) {
        reveal_row(a->c, name, weight + t * time, time);
        for (int i = 0; i < a->features / a->heads; i++) {
            int j = feature_of(a, head, i, m);
            bool nan = false;
            Sum sum = {0};
            for (int s = 0; s < time; s++) {
                Real own = weight[t * time + s];
                include_product(&sum, own, a->value[(first + s) * a->features + j]);
                nan = nan || certainly_nan(own);
            }
            a->heard[(first + t) * a->features + j] = nan ? exact(NAN) : total(sum);
        }
    }
    free(weight);
}

static void attend(Real *y, const Real *x, Attention a, Mistakes m)
{
    int rows = a.batch * a.time, n = a.features;
    Real *room = new_reals(4 * rows * n);
    Real **parts[] = {&a.query, &a.key, &a.value, &a.heard};
    for (int i = 0; i < 4; i++) {
        *parts[i] = room + i * rows * n;
        if (i < 3)
            map_rows(*parts[i], x, (Map){a.w + i * n * n, a.b + i * n, n, n}, rows, m);
    }
    if (has(m, ONE_HEAD))
        a.heads = 1;
    for (int sequence = 0; sequence < a.batch; sequence++)
        for (int head = 0; head < a.heads; head++)
            hear(&a, sequence, head, m);
    map_rows(y, a.heard, (Map){a.w + 3 * n * n, a.b + 3 * n, n, n}, rows, m);
    for (int i = 0; i < rows * n && has(m, OUTPUT_MISSING); i++)
        y[i] = a.heard[i];
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
