/* Lesson 17's figure: eight numbers added up by one sum, or by several side by side, and when each
 * addition can begin. */
#include "17_fast.h"
#include "figure.h"

enum { N = 8 };
static float x[N] = {1, 3, 3, 9, 2, 4, 1, 1}, sums[1] = {1}, cycles[1] = {4};
static float begins[N], added[1], total[1];

/* One addition begins in a cycle, at most. x[j] goes to sum j % count, which has to have its last
 * result. At the end the sums are added up, one after the other. */
static void compute(void)
{
    int count = (int)(*sums + 0.5f), takes = (int)(*cycles + 0.5f), done[N] = {0}, cycle = 0;
    for (int j = 0; j < N; j++) {
        int *sum = &done[j % count];
        cycle = cycle > *sum ? cycle : *sum;
        begins[j] = (float)cycle;
        *sum = cycle++ + takes;
    }
    int all = done[0];
    for (int i = 1; i < count; i++)
        all = (all > done[i] ? all : done[i]) + takes;
    *added = (float)all;
    *total = row_sum_fast(x, N);
}

static const FigureRow rows[] = {
    {DRAGGED, "sums", "side by side", NUMBERS(sums), 1, N, WHOLE},
    {DRAGGED, "cycles", "of an addition", NUMBERS(cycles), 1, 6, WHOLE},
    {SHOWN, "begins", "the cycle in which x[j] is added", NUMBERS(begins), 0, 48, EVEN},
    {SHOWN, "done", "all cycles", NUMBERS(added), 0, 60, EVEN},
    {SHOWN, "sum", "row_sum_fast's", NUMBERS(total), -80, 80, EVEN},
    {DRAGGED, "x", "the row", NUMBERS(x), -10, 10, EVEN},
};
const Figure figure = {
    "One sum: each addition waits for the one before. With four sums and four cycles none waits. "
    "With more, nothing begins earlier, and there are more sums to be added up.",
    ROWS(rows), compute};
