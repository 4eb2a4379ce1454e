/* From the times of a line to its figures, and from these to its marks.
 *
 * A figure is the median of the rounds' ratios. How sure it is follows from the order of the ratios
 * alone, whatever their distribution: of n, the median of all that could be measured lies between
 * the k-th smallest and the k-th largest unless fewer than k of them fell on one side of it, and
 * that is a matter of n coins.
 *
 * What runs beside on other processors takes a share of the memory's bandwidth, which makes what
 * waits for memory slower than what computes. Where all others are busy it can take half of what
 * one program has alone, so a ratio can be off by a factor of 2 either way: an interval is widened
 * by 1 + the share of the others that was busy. What has a share of our own processor, too, leaves
 * one program of a round an emptied cache and another a filled one: that share is added.
 *
 * The invariant: a mark is decided only where its whole interval lies on one side. */
#include "race.h"

#include <stdlib.h>
#include <string.h>

static const double DOUBT = 1e-3;

static int by_size(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* The largest k for which fewer than k of n coins show heads, or fewer than k tails, with no more
 * than that doubt. 0: there is none. */
static int bounds_at(int n)
{
    double term = pow(0.5, n), below = 0;
    int k = 0;
    while (k < n / 2 && 2 * (below + term) <= DOUBT) {
        below += term;
        term *= (double)(n - k) / (k + 1);
        k++;
    }
    return k;
}

double busy_share(double processors, double idle, double own)
{
    double others = fmax(0, processors - idle - own), beside = fmax(1, processors - 1);
    return fmin(1, others / beside) + fmax(0, others - beside);
}

Figure figure_of(const double *ratios, int count, double busy)
{
    Figure figure = {NAN, 0, INFINITY};
    double *sorted = calloc((size_t)count + 1, sizeof *sorted);
    if (!sorted)
        abort();
    memcpy(sorted, ratios, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    int k = bounds_at(count);
    if (count > 0)
        figure.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    if (k > 0) {
        figure.low = sorted[k - 1] / (1 + busy);
        figure.high = sorted[count - k] * (1 + busy);
    }
    free(sorted);
    return figure;
}

/* ---- the marks ---- */
static Mark below(const Figure *figure, double limit)
{
    if (figure->high <= limit)
        return REACHED;
    return figure->low > limit ? MISSED : UNDECIDED;
}

static Mark either(Mark a, Mark b)
{
    if (a == REACHED || b == REACHED)
        return REACHED;
    return a == MISSED && b == MISSED ? MISSED : UNDECIDED;
}

/* "Faster" is faster by a twentieth: the same code is faster or slower by some hundredths with the
 * place in memory that it comes to lie at. In the order in which table.c names them. */
void marks_of(const Figures *figures, SolutionIs solution, Mark marks[MARKS])
{
    const Figure *to_solution =
        solution == PLAIN_VERSION ? &figures->to_plain : &figures->to_solution;
    marks[0] = below(&figures->to_plain, 0.95);
    marks[1] = either(below(&figures->to_plain, 0.5), below(&figures->to_copy, 2));
    marks[2] = solution == NOT_HERE ? NOT_ASKED : below(to_solution, 1.25);
}

/* After 11, the first that say anything, and then each time that there are half as many more: each
 * look is one more chance to be deceived. */
bool is_look(int rounds)
{
    int look = 11;
    while (look < rounds)
        look += look / 2;
    return look == rounds;
}

/* A copy with ordinary stores moves each of its bytes three times: read here, fetched there before
 * it is overwritten, and written. At the least it is moved twice, and several processors move that
 * many times as much. */
bool beyond_belief(const Figures *figures, int processors)
{
    return figures->to_copy.high < 2.0 / 3 / processors;
}
