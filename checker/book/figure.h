/* A figure that moves. A lesson that has a figure.c beside its lesson.c has one: it names the
 * numbers that can be dragged and those that are shown, and works out the second from the first
 * with the lesson's own functions, from solutions/. That is built twice: for this machine, where it
 * draws the still picture, and as WebAssembly, which is put into the page. See
 * checker/lessons/01_layer_norm/figure.c.
 *
 *   still.c      the picture, as HTML and SVG; the same numbers for the tests
 *   module.c     what the page calls
 *   figure.js    drags, keys, and bars that follow
 *
 * One number alone lies along its scale, several stand side by side.
 *
 * The invariant: every number that is shown is the C code's; the script only draws it. One that is
 * off its scale is drawn to the scale's end, with a sign. */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    DRAGGED,
    SHOWN,
    BESIDE,   /* shown, each number beside that of the row before */
    LINES,    /* shown, as lines from the first to each of the row above, as thick as the number */
    TOGETHER, /* no numbers: which of the row before belong together. Equal ones do, -1 to none */
    ACROSS,   /* a line through the row before, at this number, and arrows from there to each */
    PART      /* no numbers: from here on another idea, of which these words speak */
} FigureKind;

typedef enum {
    EVEN,
    POWERS, /* of ten */
    WHOLE,  /* even, and nothing between 1 and 2 */
    SIGNED  /* powers of ten on both sides of 0: sign(x) log10(1 + |x|) */
} FigureScale;

typedef struct {
    FigureKind kind;
    const char *name, *words; /* "x", and what it is: a few words, or NULL */
    float *number;
    int count;
    float low, high; /* the ends of its scale */
    FigureScale scale;
} FigureRow;

typedef struct {
    const char *words; /* what there is to see, and to do */
    const FigureRow *rows;
    int count;
    void (*compute)(void); /* from what is dragged, what is shown */
} Figure;

/* ---- checker/lessons/NN_name/figure.c ---- */
extern const Figure figure;

/* An array and how many numbers it has, in a FigureRow. */
#define NUMBERS(array) (array), (int)(sizeof(array) / sizeof *(array))
/* The rows, and how many they are, in the Figure. */
#define ROWS(array) (array), (int)(sizeof(array) / sizeof *(array))

#endif
