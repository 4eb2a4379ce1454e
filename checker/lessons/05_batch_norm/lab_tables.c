/* The lab's results, as tables. The invariant: every number is a mean over all seeds, or the lowest
 * and the highest of them. */
#include "lab.h"

#include <math.h>

/* Not all of the way is equally interesting: most happens at the start. */
static const int shown_passes[] = {0, 1, 2, 5, 10, 20, PASSES};
enum { SHOWN = sizeof shown_passes / sizeof *shown_passes };

double test_loss_of(const Point *point)
{
    return point->test_loss;
}

static double training_loss_of(const Point *point)
{
    return point->training_loss;
}

static double accuracy_of(const Point *point)
{
    return point->accuracy;
}

Spread spread_of(Curves curves, int method, int size, int pass, double (*value)(const Point *))
{
    Spread spread = {0, INFINITY, -INFINITY};
    for (int s = 0; s < SEEDS; s++) {
        double v = value(&curves[method][size][s][pass]);
        spread.mean += v / SEEDS;
        spread.low = fmin(spread.low, v);
        spread.high = fmax(spread.high, v);
    }
    return spread;
}

static void print_curves(FILE *out, Curves curves)
{
    fprintf(out, "%-26s", "Loss on the test examples");
    for (int i = 0; i < SHOWN; i++)
        fprintf(out, "%7d", shown_passes[i]);
    fputs("  passes\n", out);
    for (int method = 0; method < METHODS; method++)
        for (int size = 0; size < SIZES; size++) {
            fprintf(out, "  %-10s, batch size %2d", method_names[method], batch_sizes[size]);
            for (int i = 0; i < SHOWN; i++)
                fprintf(out, "%7.3f",
                        spread_of(curves, method, size, shown_passes[i], test_loss_of).mean);
            fputc('\n', out);
        }
}

static void print_ends(FILE *out, Curves curves)
{
    fprintf(out, "%-26s%10s%10s%13s%20s\n", "After the last pass", "loss in", "loss in", "accuracy",
            "lowest and highest");
    fprintf(out, "%-26s%10s%10s%13s%20s\n", "", "training", "the test", "in the test",
            "of the seeds");
    for (int method = 0; method < METHODS; method++)
        for (int size = 0; size < SIZES; size++) {
            Spread trained = spread_of(curves, method, size, PASSES, training_loss_of);
            Spread tested = spread_of(curves, method, size, PASSES, test_loss_of);
            Spread right = spread_of(curves, method, size, PASSES, accuracy_of);
            fprintf(out, "  %-10s, batch size %2d%10.3f%10.3f%11.1f %%%11.1f %% %5.1f %%\n",
                    method_names[method], batch_sizes[size], trained.mean, tested.mean,
                    100 * right.mean, 100 * right.low, 100 * right.high);
        }
}

void print_tables(FILE *out, uint64_t seed, Curves curves)
{
    fprintf(out,
            "\nThe same network, trained with either norm. It tells %d spiral arms apart, has %d\n"
            "examples to learn from and %d for the test. All numbers are means over the seeds\n"
            "%llu to %llu. Guessing has a loss of %.3f and an accuracy of %.1f %%.\n\n",
            ARMS, EXAMPLES, TESTS, (unsigned long long)seed, (unsigned long long)seed + (SEEDS - 1),
            log(ARMS), 100.0 / ARMS);
    print_curves(out, curves);
    fputc('\n', out);
    print_ends(out, curves);
}
