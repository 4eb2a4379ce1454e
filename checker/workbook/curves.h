/* Curves between two axes, as SVG: a lab's pictures (checker/labs/picture.c) and the book's
 * (checker/book/plot_svg.c). Each has its name at its end. Apart, each has a small picture of its
 * own, with its name above it, in which the others are pale.
 *
 * Colours are classes, line0 to line5 and fill0 to fill5, and the style is who draws it to give.
 * Without colours a curve's marks and dashes tell it from the others.
 *
 * The invariant: a number that can't be shown is a gap, and no name lies on another. */
#ifndef CURVES_H
#define CURVES_H

#include "markup.h"
#include "plot.h"

enum { MOST_DRAWN = 16, LETTER = 7, LINE_HEIGHT = 13 }; /* of text of 11 */

typedef struct {
    double left, top, right, bottom;
} Frame;

typedef struct {
    const char *name;                /* "": none */
    int look;                        /* its colour and its marks, which belong together: 0 to 5 */
    int dashes;                      /* 0: none; 1, 2: dots */
    const double *mean, *low, *high; /* at each point; low NULL: no band */
} Curve;

typedef struct {
    Axis x, y;
    const double *at; /* x of each point */
    int points;
    Curve curves[MOST_DRAWN];
    int count;
    const char *level_name; /* a level to compare with; NULL: none */
    double level;
    int every; /* a mark at every so many points */
    bool apart;
    double top, width, height; /* where it begins; how wide all is, and how high the frame */
} Curves;

/* Where it ends. */
double curves_add(Buffer *out, const Curves *curves);

/* ---- curves.c: for other pictures of numbers ---- */
double svg_across(const Frame *in, double place);
double svg_down(const Frame *in, double place);
void svg_label(Buffer *out, double x, double y, const char *anchor, const char *text);
/* With at most so many numbers. named: they stand beside it. */
void svg_y_axis(Buffer *out, const Axis *y, const Frame *in, int most, bool named);
/* The text in lines of at most so many letters, the first one's foot at y. How many they are. */
int svg_lines(Buffer *out, double x, double y, const char *look, size_t most, const char *text);

#endif
