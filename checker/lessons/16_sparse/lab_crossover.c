/* Lesson 16's lab: how many times as long the dense way takes as the sparse ones, by density, and
 * the density at which it no longer takes longer. The invariant: both are found for each seed
 * alone, and shown with the lowest and the highest of them. */
#include "lab_crossover.h"

static double density_of(const LabResults *r, int point)
{
    return r->experiment->x(point);
}

static double ratio(const LabResults *r, int way, int seed, int point)
{
    return lab_number(r, 0, seed, point, 0) / lab_number(r, way, seed, point, 0);
}

/* Its logarithm, of the repetitions from `seed` up to, but not with, `end` together. */
static double log_ratio(const LabResults *r, int way, int seed, int end, int point)
{
    double sum = 0;
    for (int s = seed; s < end; s++)
        sum += log(ratio(r, way, s, point));
    return sum / (end - seed);
}

/* The lowest density at which that way takes as long as the dense one, between two points by a
 * straight line on logarithmic axes; INFINITY: it takes less to the end. */
static double crossover(const LabResults *r, int way, int seed, int end)
{
    double before = 0;
    for (int point = 0; point < r->experiment->points; point++) {
        double density = density_of(r, point), now = log_ratio(r, way, seed, end, point);
        if (now <= 0 && point == 0)
            return density;
        if (now <= 0)
            return density * pow(density_of(r, point - 1) / density, now / (now - before));
        before = now;
    }
    return INFINITY;
}

static void show_ratios(FILE *out, const LabResults *r, int way)
{
    fprintf(out, "\nDense over %s, time\n", r->experiment->curves[way].name);
    for (int point = 0; point < r->experiment->points; point++) {
        double mean = 0, low = INFINITY, high = 0;
        for (int seed = 0; seed < r->experiment->seeds; seed++) {
            double now = ratio(r, way, seed, point);
            mean += now / r->experiment->seeds;
            low = fmin(low, now);
            high = fmax(high, now);
        }
        fprintf(out, "  density %-6g%9.2f   (%.2f to %.2f)\n", density_of(r, point), mean, low,
                high);
    }
}

static void show_density(FILE *out, const char *before, double density)
{
    if (isinf(density))
        fprintf(out, "%snone", before);
    else
        fprintf(out, "%s%.2g", before, density);
}

static void show_crossover(FILE *out, const LabResults *r, int way)
{
    int seeds = r->experiment->seeds;
    double low = INFINITY, high = 0;
    for (int seed = 0; seed < seeds; seed++) {
        low = fmin(low, crossover(r, way, seed, seed + 1));
        high = fmax(high, crossover(r, way, seed, seed + 1));
    }
    fprintf(out, "Crossover of dense and %s, density: ", r->experiment->curves[way].name);
    show_density(out, "", crossover(r, way, 0, seeds));
    show_density(out, " (", low);
    show_density(out, " to ", high);
    fputs(")\n", out);
}

void show_against_dense(FILE *out, const LabResults *r)
{
    for (int way = 1; r->experiment->curves[way].name; way++)
        show_ratios(out, r, way);
    fputc('\n', out);
    for (int way = 1; r->experiment->curves[way].name; way++)
        show_crossover(out, r, way);
}
