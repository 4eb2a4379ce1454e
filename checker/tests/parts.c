/* Lesson 17's solution in parts beside the same in one: test_fast.py compiles it twice, in one as
 * it is, and with -DTHREADS and names of its own. Threads and memory come from here.
 *
 * The numbers are such that all sums are exact, so the order of additions is none, and every bit
 * has to agree; and then such that it is one. Prints what does not hold. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "17_fast.h"

void layer_norm_parts(float *y, const float *x, const float *gamma, const float *beta, int rows,
                      int features, float eps);
void layer_norm_backward_parts(float *dx, float *dgamma, float *dbeta, const float *dy,
                               const float *x, const float *gamma, const float *mean,
                               const float *rstd, int rows, int features);

/* ---- what it asks for ---- */
/* When a part is done: by its thread, before the caller goes on, or when it is waited for. */
typedef enum { BY_A_THREAD, AT_ONCE, WHEN_WAITED_FOR, REFUSED, NO_MEMORY, WAYS } Way;
static Way way;
static int asked, begun, ended, blocks;
static struct {
    void *(*part)(void *);
    void *given;
} waiting[PARTS];

int create_here(pthread_t *thread, const pthread_attr_t *settings, void *(*part)(void *),
                void *given);
int join_here(pthread_t thread, void **left);
void *malloc_here(size_t size);
void free_here(void *block);

int create_here(pthread_t *thread, const pthread_attr_t *settings, void *(*part)(void *),
                void *given)
{
    asked++;
    if (way == REFUSED)
        return EAGAIN;
    begun++;
    if (way == BY_A_THREAD || way == NO_MEMORY)
        return pthread_create(thread, settings, part, given);
    memset(thread, 0, sizeof *thread);
    if (way == AT_ONCE) {
        part(given);
    } else {
        waiting[begun - 1].part = part;
        waiting[begun - 1].given = given;
    }
    return 0;
}

/* Of those that wait, the last begins. */
int join_here(pthread_t thread, void **left)
{
    ended++;
    if (way == BY_A_THREAD || way == NO_MEMORY)
        return pthread_join(thread, left);
    for (int i = begun; way == WHEN_WAITED_FOR && ended == 1 && i-- > 0;)
        waiting[i].part(waiting[i].given);
    return 0;
}

void *malloc_here(size_t size)
{
    void *block = way == NO_MEMORY ? NULL : malloc(size);
    blocks += block != NULL;
    return block;
}

void free_here(void *block)
{
    blocks -= block != NULL;
    free(block);
}

/* ---- the numbers ---- */
typedef struct {
    size_t all, rows, features;
    float *x, *dy, *gamma, *beta, *mean, *rstd;
} Given;

typedef struct {
    float *y, *dx, *dgamma, *dbeta;
} Got;

static unsigned state = 1;

static int below(int n)
{
    return (int)((state = state * 1664525u + 1013904223u) >> 8) % n;
}

static float *numbers(size_t count)
{
    return calloc(count ? count : 1, sizeof(float));
}

/* A row is its mean plus and minus 1, 2 or 4. */
static Given draw(int rows, int features, bool exact)
{
    const size_t r = (size_t)rows, n = (size_t)features;
    Given g = {r * n,      r,          n,          numbers(r * n), numbers(r * n),
               numbers(n), numbers(n), numbers(r), numbers(r)};
    for (size_t j = 0; j < n; j++) {
        g.gamma[j] = (float)(below(7) - 3);
        g.beta[j] = (float)(below(7) - 3);
    }
    for (size_t i = 0; i < r; i++) {
        const float spread = (float)(1 << below(3));
        g.mean[i] = (float)below(9);
        g.rstd[i] = 1 / spread;
        for (size_t j = 0; j < n; j++) {
            g.x[i * n + j] = g.mean[i] + (j % 2 ? spread : -spread);
            g.dy[i * n + j] = (float)(below(7) - 3) * (exact ? 1 : 0.1f);
        }
    }
    return g;
}

static void one(const Given *g, const Got *to)
{
    const int rows = (int)g->rows, n = (int)g->features;
    layer_norm_fast(to->y, g->x, g->gamma, g->beta, rows, n, 3);
    layer_norm_backward_fast(to->dx, to->dgamma, to->dbeta, g->dy, g->x, g->gamma, g->mean, g->rstd,
                             rows, n);
}

/* What is asked for on the way is counted. */
static void parts(const Given *g, const Got *to, const char *what)
{
    const int rows = (int)g->rows, n = (int)g->features;
    const int most = rows > PARTS ? PARTS - 1 : rows > 1 ? rows - 1 : 0;
    for (int backward = 0; backward < 2; backward++) {
        const int wanted = backward && way == NO_MEMORY ? 0 : most;
        asked = begun = ended = 0;
        if (backward)
            layer_norm_backward_parts(to->dx, to->dgamma, to->dbeta, g->dy, g->x, g->gamma, g->mean,
                                      g->rstd, rows, n);
        else
            layer_norm_parts(to->y, g->x, g->gamma, g->beta, rows, n, 3);
        if (asked != wanted || begun != ended || blocks != 0)
            printf("%s, %d x %d, way %d: %d threads asked for, where %d were to be; %d begun, %d "
                   "ended, %d blocks kept\n",
                   what, rows, n, (int)way, asked, wanted, begun, ended, blocks);
    }
}

static Got room(const Given *g)
{
    return (Got){numbers(g->all), numbers(g->all), numbers(g->features), numbers(g->features)};
}

static void compare(const Given *g, const Got *a, const Got *b, const char *what)
{
    const struct {
        const char *name;
        const float *a, *b;
        size_t count;
    } arrays[] = {{"y", a->y, b->y, g->all},
                  {"dx", a->dx, b->dx, g->all},
                  {"dgamma", a->dgamma, b->dgamma, g->features},
                  {"dbeta", a->dbeta, b->dbeta, g->features}};
    for (int i = 0; i < 4; i++)
        for (size_t j = 0, told = 0; j < arrays[i].count && !told; j++)
            if (memcmp(&arrays[i].a[j], &arrays[i].b[j], sizeof(float)) != 0 && ++told)
                printf("%s, %zu x %zu, way %d: %s[%zu] is %.9g, and %.9g in parts\n", what, g->rows,
                       g->features, (int)way, arrays[i].name, j, (double)arrays[i].a[j],
                       (double)arrays[i].b[j]);
}

static void drop(Got *got)
{
    free(got->y);
    free(got->dx);
    free(got->dgamma);
    free(got->dbeta);
}

/* Exact: as in one. Not exact: each way as the first. */
static void look(int rows, int features, bool exact)
{
    Given g = draw(rows, features, exact);
    Got first = room(&g);
    if (exact)
        one(&g, &first);
    for (way = BY_A_THREAD; way < (exact ? WAYS : NO_MEMORY); way++) {
        Got got = room(&g);
        const char *what = exact ? "in one" : "in another order";
        parts(&g, exact || way ? &got : &first, what);
        if (exact || way)
            compare(&g, &first, &got, what);
        drop(&got);
    }
    drop(&first);
    free(g.x);
    free(g.dy);
    free(g.gamma);
    free(g.beta);
    free(g.mean);
    free(g.rstd);
}

int main(void)
{
    const int rows[] = {0, 1, 2, 3, 5, 17, 50}, features[] = {1, 5, 8, 35, 2050};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++) {
            look(rows[i], features[j], true);
            look(rows[i], features[j], false);
        }
    return 0;
}
