/* A number that stands where a row's mean or spread should: is it another statistic of the same
 * numbers? A learner who sees that 40 is the largest less the smallest knows which idea was wrong.
 *
 * The invariant: all that it could be is said, for one row may have the same number in two ways. */
#include "neighbours.h"

#include <stdlib.h>
#include <string.h>

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

char *statistic_words(double value, const double *x, int count)
{
    enum { MOST_NAMES = 3 };
    double sorted[MOST_COUNTED];
    if (count < 3 || count > MOST_COUNTED)
        return NULL;
    memcpy(sorted, x, (size_t)count * sizeof *x);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    const double smallest = sorted[0], largest = sorted[count - 1];
    const double mean = mean_of(x, count, itself, 0), squares = mean_of(x, count, squared, 0);
    const struct {
        const char *name;
        double value;
    } known[] = {
        {"the smallest", smallest},
        {"the largest", largest},
        {"the first", x[0]},
        {"the last", x[count - 1]},
        {"the one in the middle", x[count / 2]},
        {count % 2 ? "the one in the middle by size"
                   : "half-way between the two in the middle by size",
         (sorted[(count - 1) / 2] + sorted[count / 2]) / 2},
        {"half-way between the smallest and the largest", (smallest + largest) / 2},
        {"the largest less the smallest", largest - smallest},
        {"the largest without its sign", fmax(fabs(smallest), fabs(largest))},
        {"the sum", mean * count},
        {"the mean without signs", mean_of(x, count, distance, 0)},
        {"the mean distance from the mean", mean_of(x, count, distance, mean)},
        {"the sum of the squares", squares * count},
        {"the mean of the squares", squares},
        {"the root of the sum of the squares", sqrt(squares * count)},
        {"the root of the mean of the squares", sqrt(squares)},
    };
    const char *names[MOST_NAMES];
    int found = 0;
    for (size_t k = 0; k < sizeof known / sizeof *known && found < MOST_NAMES; k++) {
        bool again = !strcmp(known[k].name, "the largest without its sign") && largest >= -smallest;
        if (!again && fabs(known[k].value - value) <= 1e-5 * fabs(value))
            names[found++] = known[k].name;
    }
    if (!found || smallest == largest)
        return NULL;
    char *all = joined_names(names, found);
    char *words = format_text("%.6g is %s of these x.", value, all);
    free(all);
    return words;
}
