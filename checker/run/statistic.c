/* Statistics of a row, by their values and their names. */
#include "statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

typedef struct {
    const char *name;
    double value;
    Meant is;
} Statistic;

enum { KNOWN_STATISTICS = 16 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_of(const double *x, int count, double (*of)(double x, double around),
                      double around)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += of(x[i], around) / count;
    return sum;
}

static double itself(double x, double around)
{
    return x - around;
}

static double distance(double x, double around)
{
    return fabs(x - around);
}

static double squared(double x, double around)
{
    return (x - around) * (x - around);
}

/* Of numbers in the order of their size, and in their own. */
static void make_all(const double *sorted, const double *x, int count,
                     Statistic known[KNOWN_STATISTICS])
{
    const double smallest = sorted[0], largest = sorted[count - 1];
    const double mean = mean_of(x, count, itself, 0), squares = mean_of(x, count, squared, 0);
    const Statistic all[KNOWN_STATISTICS] = {
        {"the smallest", smallest, PLACE_OF_ROW},
        {"the largest", largest, ANY_STATISTIC},
        {"the first", x[0], PLACE_OF_ROW},
        {"the last", x[count - 1], PLACE_OF_ROW},
        {"the one in the middle", x[count / 2], PLACE_OF_ROW},
        {count % 2 ? "the one in the middle by size"
                   : "half-way between the two in the middle by size",
         (sorted[(count - 1) / 2] + sorted[count / 2]) / 2, PLACE_OF_ROW},
        {"half-way between the smallest and the largest", (smallest + largest) / 2, PLACE_OF_ROW},
        {"the largest less the smallest", largest - smallest, SIZE_OF_ROW},
        /* where none is below 0 it has that name already */
        {"the largest without its sign",
         largest >= -smallest ? NAN : fmax(fabs(smallest), fabs(largest)), ANY_STATISTIC},
        {"the sum", mean * count, ANY_STATISTIC},
        {"the mean without signs", mean_of(x, count, distance, 0), ANY_STATISTIC},
        {"the mean distance from the mean", mean_of(x, count, distance, mean), SIZE_OF_ROW},
        {"the sum of the squares", squares * count, SIZE_OF_ROW},
        {"the mean of the squares", squares, SIZE_OF_ROW},
        {"the root of the sum of the squares", sqrt(squares * count), SIZE_OF_ROW},
        {"the root of the mean of the squares", sqrt(squares), SIZE_OF_ROW},
    };
    memcpy(known, all, sizeof all);
}

unsigned statistics_of(double value, const double *x, int count, Meant meant)
{
    double sorted[MOST_COUNTED];
    Statistic known[KNOWN_STATISTICS];
    unsigned which = 0;
    if (count < 3 || count > MOST_COUNTED)
        return 0;
    memcpy(sorted, x, (size_t)count * sizeof *x);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    make_all(sorted, x, count, known);
    for (int k = 0; k < KNOWN_STATISTICS && sorted[0] != sorted[count - 1]; k++)
        if ((known[k].is & meant) && fabs(known[k].value - value) <= 1e-5 * fabs(value))
            which |= 1u << k;
    return which;
}

char *statistic_words(double value, unsigned which, int count)
{
    enum { MOST_NAMES = 3 };
    const double none[MOST_COUNTED] = {0};
    Statistic known[KNOWN_STATISTICS];
    const char *names[MOST_NAMES];
    int found = 0;
    if (!which)
        return NULL;
    make_all(none, none, count, known);
    for (int k = 0; k < KNOWN_STATISTICS && found < MOST_NAMES; k++)
        if (which >> k & 1)
            names[found++] = known[k].name;
    char *all = joined_names(names, found);
    char *words = format_text("%.6g is %s of these x.", value, all);
    free(all);
    return words;
}
