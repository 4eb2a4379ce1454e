/* What the files of checker/labs share; a lesson's own lab needs lab.h only. In the order of a run:
 *
 *   lab.h        what a lab is: the page for who writes one
 *   main.c       the order of things
 *   functions.c  whose functions, and making shared objects of them
 *   watch.c      the process that runs them, seen from outside
 *   child.c      the same process from inside: the only one that runs them
 *   results.c    the numbers: their spread, as a table, and as a file
 *   picture.c    and as a picture
 *   paper.c      what it is drawn on
 *   grid.c       and as small histograms, in the terminal and as a picture
 *   viewer.c     where a picture is opened
 *
 * For labs that train something, each with a header of its name:
 *
 *   products.h, products.c    products of matrices
 *   network.h, network.c      layers, loss, passes
 *   attention.h, attention.c  for transformers: attention, Adam
 *   image.h, image.c          for images: convolution, pooling
 *   digits.h, digits.c        digits to learn from: drawn, or from MNIST's files */
#ifndef LABS_H
#define LABS_H

#include "lab.h"

/* ---- functions.c ---- */
enum { MOST_PARTS = 8 };

typedef struct {
    const char *lesson; /* "01_layer_norm" */
    char *source;       /* exercises/01_layer_norm.c, or the solution */
    char object[80];    /* what the compiler made of it */
    bool passed;        /* the learner's, all its checks */
    bool unchecked;     /* run whether right or wrong */
} Part;

typedef struct {
    Part items[MOST_PARTS];
    int count;
} Parts;

/* The lessons that the lab's functions are from, and where their objects lie or will lie. */
void name_parts(Parts *parts, const char *folder);
/* The learner's file of every lesson that passes its checks now, else the solution. `mine`: the
 * learner's of the lab's own lesson, whatever it is. `from`: a folder that they are all in, or a
 * file for the lab's own lesson; or NULL. Says which. */
bool choose_parts(FILE *out, Parts *parts, const char *folder, bool mine, const char *from);
void free_parts(Parts *parts);
/* Of the one that ended a run, or, below 0, of whichever it was. */
bool passed_its_checks(const Parts *parts, int part);
/* False: the compiler's words are on stderr. */
bool build_parts(const Parts *parts, const char *folder);
/* In the child: sets the lab's function pointers. NULL, or what the dynamic linker says. */
const char *load_parts(const Parts *parts);

/* ---- child.c ---- */
/* Lets the lab load its data: what lies in folder/data, or its own. False: why not is on stderr. */
bool load_data(const char *folder);
/* The program's own second life: lab --measure SEED FOLDER, where the objects are. */
int serve_measuring(char **arguments);

/* ---- watch.c ---- */
/* Prints what the lab introduces itself with, then fills in the results of its experiments. False:
 * why not is on stderr. */
bool watch_measuring(const char *program, uint64_t seed, const Parts *parts, const char *folder,
                     LabResults *results);

/* ---- results.c ---- */
#define LAB_FOLDER ".workbook/lab"
int curve_count(const LabExperiment *experiment);
int value_count(const LabExperiment *experiment);
/* Its name without the blanks that align it in the table. */
void curve_name(const LabExperiment *experiment, int curve, char *name, size_t size);
/* Lies each of a point's values where it can be? */
bool values_fit(const LabExperiment *experiment, const double *values);
double x_of(const LabExperiment *experiment, int point);
/* Ends the program where there is no memory for them. */
void results_make(LabResults *results, const LabExperiment *experiment, uint64_t seed);
/* Writes .workbook/lab/NN_name, a picture's own name and the ending, all of it or nothing. False:
 * errno says why. Caller frees the path. */
typedef void LabWrite(FILE *out, const LabResults *results, const LabPicture *picture);
bool write_whole(const LabResults *results, const LabPicture *picture, const char *ending,
                 LabWrite *write, char **path);
/* Takes the path. */
void keep_first(char **first, bool written, char *path);
/* Writes .workbook/lab/NN_name.csv, and says so. False: it failed. */
bool save_numbers(const LabResults *results);

/* ---- picture.c ---- */
/* Draws .workbook/lab/NN_name.svg, and says so. False: it failed. `first` becomes the path of the
 * first picture of all; caller frees it. */
bool draw_pictures(const LabResults *results, char **first);

/* ---- paper.c ---- */
enum { LOOKS = 6, NOTE_LETTERS = 70 }; /* of curves; in a line of words */
/* Begins a picture: its style, its ground. `title` is for who can't see it. */
void paper_begin(FILE *out, int width, int height, const char *title);

/* ---- grid.c ---- */
void grid_picture(FILE *out, const LabResults *results); /* an SVG */
bool draw_grid(const LabResults *results, char **first); /* as draw_pictures() */

/* ---- viewer.c ---- */
/* In the desktop's own viewer, where the lab runs in a terminal of one; OPEN=no: not even there. */
void show_picture(const char *path);

#endif
