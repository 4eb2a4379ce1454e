/* Rows in parts, for those who want to be faster than one thread can be. Compiled with -DTHREADS=2,
 * or with `#define THREADS 2` above everything, layer norm's rows are done by two threads, half of
 * them each; without it by the one that calls. So is what has not ENOUGH numbers for each: to start
 * a thread and to wait for its end takes as long as an eighth of these. All threads have ended
 * before the call does. */
#ifndef PARTS_H
#define PARTS_H

#include "wide.h"

#ifndef THREADS
#define THREADS 1
#endif
#ifndef ENOUGH
#define ENOUGH (1 << 20)
#endif

/* What layer norm is given, or its backward pass. */
typedef struct {
    float *out, *dgamma, *dbeta; /* out: y or dx */
    const float *dy, *x, *gamma, *beta, *mean, *rstd;
    int rows, features;
    float eps;
    bool far; /* does the whole of out go past the cache? See is_far() */
} Rows;

/* The same without the first so many rows. */
ALWAYS_INLINE Rows rows_from(Rows a, int first)
{
    const size_t at = (size_t)first * (size_t)a.features;
    a.rows -= first;
    a.out += at;
    a.x += at;
    if (a.dy) {
        a.dy += at;
        a.mean += first;
        a.rstd += first;
    }
    return a;
}

ALWAYS_INLINE void do_rows(void (*work)(Rows rows), Rows a)
{
    work(a);
    settle(a.far);
}

#if THREADS > 1
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    void (*work)(Rows rows);
    Rows rows;
    pthread_t thread;
    bool started;
} Part;

static inline void *do_part(void *given)
{
    const Part *part = given;
    do_rows(part->work, part->rows);
    return NULL;
}

/* The first part is the caller's, and so is each for which there is no thread. */
static inline void do_parts(Part *parts, int count)
{
    for (int i = 1; i < count; i++)
        parts[i].started = pthread_create(&parts[i].thread, NULL, do_part, &parts[i]) == 0;
    for (int i = 0; i < count; i++)
        if (!parts[i].started)
            do_part(&parts[i]);
    for (int i = 1; i < count; i++)
        if (parts[i].started)
            pthread_join(parts[i].thread, NULL);
}

/* Each part but the first has a dgamma and a dbeta of its own, in `sums`. They are added part by
 * part, whichever was done first: one call's bits are the next one's. False: there is no memory. */
static inline bool do_in_parts(void (*work)(Rows rows), Rows a, int count)
{
    const size_t features = (size_t)a.features;
    float *sums = a.dy ? malloc(2 * (size_t)(count - 1) * features * sizeof *sums) : NULL;
    Part parts[THREADS] = {{0}};
    if (a.dy && !sums)
        return false;
    for (int i = 0, first = 0, end; i < count; i++, first = end) {
        end = (int)((long long)a.rows * (i + 1) / count);
        parts[i].work = work;
        parts[i].rows = rows_from(a, first);
        parts[i].rows.rows = end - first;
        if (sums && i > 0) {
            parts[i].rows.dgamma = sums + 2 * (size_t)(i - 1) * features;
            parts[i].rows.dbeta = parts[i].rows.dgamma + features;
        }
    }
    do_parts(parts, count);
    for (int i = 1; i < count && sums; i++)
        for (size_t j = 0; j < features; j++) {
            a.dgamma[j] += parts[i].rows.dgamma[j];
            a.dbeta[j] += parts[i].rows.dbeta[j];
        }
    free(sums);
    return true;
}

/* How many parts are worth it. */
ALWAYS_INLINE int part_count(Rows a)
{
    const size_t worth = (size_t)a.rows * (size_t)a.features / ENOUGH;
    const int most = a.rows < THREADS ? a.rows : THREADS;
    return worth < (size_t)most ? (int)worth : most;
}

/* Does the work on all rows. */
ALWAYS_INLINE void in_parts(void (*work)(Rows rows), Rows a)
{
    const int count = part_count(a);
    a.far = is_far(a.out, a.rows, a.features);
    if (count < 2 || !do_in_parts(work, a, count))
        do_rows(work, a);
}
#else
ALWAYS_INLINE void in_parts(void (*work)(Rows rows), Rows a)
{
    a.far = is_far(a.out, a.rows, a.features);
    do_rows(work, a);
}
#endif

#endif
