/* Everything that a lesson's lab needs: this page, and network.h for one that trains, with image.h
 * and digits.h.
 *
 * A lab is checker/lessons/NN_name/lab.c with `const Lab lab`: the functions it runs, and its
 * experiments. Files named lab_*.c beside it are linked with it. What all labs share does the rest:
 * it runs the learner's functions where they pass their checks, else the solutions', in a process
 * behind the sandbox; shows how far it is; calls show() for the tables; draws the pictures; and
 * writes every number to a file. `make lab LESSON=NN SEED=7` begins with another seed.
 *
 * The smallest lab, which trains nothing:
 *
 *     #include "lab.h"
 *     #include "../../../include/01_layer_norm.h"
 *
 *     static __typeof__(row_variance) *variance;
 *
 *     static double offset(int point)
 *     {
 *         return pow(10, point);
 *     }
 *
 *     static void measure(int curve, uint64_t seed, LabTell *tell)
 *     {
 *         Rng rng;
 *         rng_seed(&rng, seed);
 *         for (int point = 0; point < 7; point++) {
 *             float x[2] = {(float)offset(point), (float)(offset(point) + uniform(&rng, 1, 2))};
 *             float mean = curve == 0 ? (x[0] + x[1]) / 2 : x[0];
 *             double distance = ((double)x[1] - x[0]) / 2;
 *             tell((double[]){fabs(variance(x, 2, mean) / (distance * distance) - 1)});
 *         }
 *     }
 *
 *     static void show(FILE *out, const LabResults *r)
 *     {
 *         fputs("\nThe error, far from zero:\n\n", out);
 *         lab_table(out, r, &(LabTable){.heading = "Relative error", .width = 9, .decimals = 1,
 *                                       .scientific = true, .unit = "from zero"});
 *     }
 *
 *     static const LabExperiment experiments[] = {
 *         {.curves = (LabCurve[]){{"about the mean"}, {"about one of them", .colour = 1}, {0}},
 *          .values = (LabValue[]){{"error", 0, INFINITY}, {0}},
 *          .x_name = "offset", .points = 7, .x = offset, .seeds = 5,
 *          .measure = measure, .show = show,
 *          .pictures = (LabPicture[]){{.title = "Error against distance", .x_label = "offset",
 *                                      .y_label = "error", .x_log = true, .y_log = true}, {0}}},
 *         {0}};
 *     static const LabFunction functions[] = {{"01_layer_norm", "row_variance", &variance}, {0}};
 *     const Lab lab = {.functions = functions, .experiments = experiments};
 *
 * The numbers must not depend on the machine, but for times, which are processor times and say so.
 * Random ones come from rng_seed(), uniform() and normal(), sums are taken in one order, and labs
 * are compiled without fused multiply-adds. */
#ifndef LAB_H
#define LAB_H

#include <math.h>

#include "run.h" /* rng_seed(), uniform(), normal(): from author.h */

/* One of the functions that the lab runs. */
typedef struct {
    const char *lesson; /* "01_layer_norm" */
    const char *name;   /* "layer_norm" */
    void *place;        /* the address of a function pointer, set before anything is measured */
} LabFunction;

/* A line of the table and of the picture. Colour and points belong together, 0 to 5; dashes are 0
 * (solid), 1, 2 (dots): each of the two is to be enough without the other. */
typedef struct {
    const char *name; /* "batch norm, batch size  2": where no table is, blanks in a row are one */
    int colour, dashes;
} LabCurve;

/* What is measured at every point, and between which limits it can be; it may be NaN, too. What
 * the learner's functions bring about and lies beyond them ends the lab with a sentence. */
typedef struct {
    const char *name; /* "test_loss": a column of the file */
    double low, high;
} LabValue;

/* Hands over one point's values, in the order of the experiment's. At least one point a second, or
 * NULL, which says that there is more to come. */
typedef void LabTell(const double *values);

typedef struct LabResults LabResults;

/* One value of all curves: the mean of the seeds, in a band from the lowest to the highest, with
 * the name at its end. */
typedef struct {
    const char *name; /* of its file, behind the experiment's; NULL: nothing */
    int value;        /* which of the experiment's values */
    const char *title, *x_label, *y_label;
    bool x_log, y_log;      /* what is not above 0 is then left out */
    const char *level_name; /* a level to compare with, "guessing"; NULL: none */
    double level;
    int every;              /* a mark at every so many points; 0: at each */
    double (*x)(int point); /* NULL: the experiment's */
    bool above_first;       /* how much more than the first curve's of the same seed it is */
    bool apart;             /* a small picture for each curve, in which the others are pale */
} LabPicture;

/* Small histograms: a panel for each curve, in rows of `columns`, and in it a histogram for each
 * point, from top to bottom. The shares are `parts` of the experiment's values. As an SVG, and
 * in the terminal: lab_grid(). */
typedef struct {
    const char *title, *note;       /* the note stands below the title, and may be NULL */
    int first, parts, mean, spread; /* values: the first of the parts, and what is written */
    double low, high;               /* what the parts reach from and to */
    double full; /* the share that is as high as the next histogram is away; of several points */
    int columns; /* curve i is in column i % columns */
    const char *const *columns_named; /* "s=0.5": short, for the terminal */
    const char *const *rows_named;    /* "without the norm" */
    const char *point_name;           /* "layer" */
} LabGrid;

typedef struct {
    const char *name;       /* of its files: NN_name_error.csv; NULL: they are NN_name.csv, .svg */
    const LabCurve *curves; /* each list ends with an entry of zeros */
    const LabValue *values;
    const char *x_name;     /* "pass": a column of the file */
    int points, seeds;      /* seeds: 1 where nothing is drawn at random */
    double (*x)(int point); /* NULL: x is the point's number */
    void (*measure)(int curve, uint64_t seed, LabTell *tell); /* tells all points, in order */
    void (*show)(FILE *out, const LabResults *results);       /* its tables */
    const LabPicture *pictures;                               /* NULL: none */
    const LabGrid *grid;                                      /* NULL: none */
} LabExperiment;

typedef struct {
    const LabFunction *functions;
    /* For a lab that learns from files, or NULL. Before anything is measured, and before the
     * sandbox is closed: reads the folder that DATA= names (checker/deps/mnist.sh), or makes its
     * own data where the folder is NULL. False: `error` says what is wrong. */
    bool (*load)(const char *folder, char *error, size_t error_size);
    /* What it has to say before the first experiment, or NULL. Runs where the functions run. */
    void (*introduce)(FILE *out);
    const LabExperiment *experiments;
} Lab;

extern const Lab lab;

/* ---- results.c: for show() ---- */
struct LabResults {
    const LabExperiment *experiment;
    uint64_t seed;   /* the first of them */
    double *numbers; /* curves x seeds x points x values */
};

typedef struct {
    double mean, low, high; /* over the seeds */
} LabSpread;
LabSpread lab_spread(const LabResults *results, int curve, int point, int value);
double lab_number(const LabResults *results, int curve, int seed, int point, int value);

/* A table of means: a line for each curve, a column for each of some points. */
typedef struct {
    const char *heading; /* "Loss on the test examples" */
    int value;
    const int *points; /* which; NULL: all */
    int count;
    int width, decimals; /* of a number */
    bool scientific;     /* 1.5e-06 */
    const char *unit;    /* of x, behind its values: "passes" */
} LabTable;
void lab_table(FILE *out, const LabResults *results, const LabTable *table);
/* The width of the first column: that of the longest name, and 2. */
int lab_names_width(const LabExperiment *experiment);

/* ---- grid.c: for show() ---- */
/* The experiment's grid, row of panels by row of panels, each as high and as wide as the terminal
 * (80 x 24 where there is none); block characters, or ASCII where the locale has no UTF-8. The
 * highest block of a line is its largest part; heights go as the root, so that small ones show. */
void lab_grid(FILE *out, const LabResults *results);

#endif
