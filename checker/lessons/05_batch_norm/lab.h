/* What the parts of lesson 05's lab share. The lab loads the functions, the learner's or the
 * solutions', and hands them on as pointers: nothing else here knows whose they are.
 *
 *   lab.c            the order of things
 *   lab_parts.c      whose functions, and making shared objects of them
 *   lab_watch.c      the process that runs them, seen from outside, and the progress bar
 *   lab_child.c      the same process from inside: the only one that runs them
 *   lab_train.c      the data, the network, its training
 *   compare.c        what each norm is invariant to
 *   lab_tables.c     the results in the terminal
 *   lab_picture.c    and as a picture */
#ifndef LESSON_05_LAB_H
#define LESSON_05_LAB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    void (*layer_norm)(float *y, const float *x, const float *gamma, const float *beta, int rows,
                       int features, float eps);
    void (*layer_norm_forward)(float *y, float *mean, float *rstd, const float *x,
                               const float *gamma, const float *beta, int rows, int features,
                               float eps);
    void (*layer_norm_backward)(float *dx, float *dgamma, float *dbeta, const float *dy,
                                const float *x, const float *gamma, const float *mean,
                                const float *rstd, int rows, int features);
    void (*rms_norm)(float *y, const float *x, const float *gamma, int rows, int features,
                     float eps);
    void (*batch_norm_train)(float *y, float *running_mean, float *running_var, const float *x,
                             const float *gamma, const float *beta, int batch, int features,
                             float momentum, float eps);
    void (*batch_norm_eval)(float *y, const float *running_mean, const float *running_var,
                            const float *x, const float *gamma, const float *beta, int batch,
                            int features, float eps);
    void (*batch_norm_backward)(float *dx, float *dgamma, float *dbeta, const float *dy,
                                const float *x, const float *gamma, int batch, int features,
                                float eps);
} Norms;

/* ---- compare.c: what each norm does not notice, and what depends on the batch, as three tables.
 */
void compare_norms(FILE *out, const Norms *norms);

/* ---- lab_train.c ---- */
enum { METHODS = 2, SIZES = 3, SEEDS = 5, PASSES = 40, EXAMPLES = 1024, TESTS = 512, ARMS = 3 };
extern const char *const method_names[METHODS]; /* "batch norm" */
extern const int batch_sizes[SIZES];

/* A network after so many passes over the training examples. */
typedef struct {
    double training_loss;       /* over the last pass, as training saw it; before the first: NaN */
    double test_loss, accuracy; /* on the test examples, in evaluation; accuracy from 0 to 1 */
} Point;

typedef Point Curves[METHODS][SIZES][SEEDS][PASSES + 1];

/* Trains a network for each method, batch size and seed, the seeds from `seed` on. Calls tell()
 * with every point of a Curves, in its order. */
void train_networks(const Norms *norms, uint64_t seed, void (*tell)(const Point *point));

/* ---- lab_parts.c ---- */
enum { PARTS = 4 };
extern const char *const part_lessons[PARTS]; /* "01_layer_norm" */

typedef struct {
    char source[64]; /* exercises/01_layer_norm.c, or the solution */
    char object[80]; /* what the compiler made of it */
} Part;

/* Fills in the object of the part of that index. */
void name_object(Part *part, int index, const char *folder);
/* The learner's file of every lesson that passes its checks now, else the solution. Says which. */
void choose_parts(FILE *out, Part parts[PARTS], const char *folder);
/* False: the compiler's words are on stderr. */
bool build_parts(Part parts[PARTS], const char *folder);
/* In the child. NULL, or what the dynamic linker says. */
const char *load_parts(const Part parts[PARTS], Norms *norms);

/* ---- lab_child.c, lab_watch.c ---- */
/* The program's own second life: lab --train SEED FOLDER, where the objects are. */
int serve_training(char **arguments);
/* Prints compare_norms's tables, then fills in the curves. False: why not is on stderr. */
bool watch_training(const char *program, uint64_t seed, const Part parts[PARTS], const char *folder,
                    Curves curves);

/* ---- lab_tables.c, lab_picture.c ---- */
typedef struct {
    double mean, low, high;
} Spread; /* over the seeds */
Spread spread_of(Curves curves, int method, int size, int pass, double (*value)(const Point *));
double test_loss_of(const Point *point);

void print_tables(FILE *out, uint64_t seed, Curves curves);
/* Draws .workbook/lab/05_batch_norm.svg, and says so or what is missing. False: it failed. */
bool draw_picture(uint64_t seed, Curves curves, const char *folder);

#endif
