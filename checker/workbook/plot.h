/* A picture of numbers, as the texts hold it: a block behind the code that prints its rows, or
 * behind a command that prints its curves as lines of a table.
 *
 *     ```plot
 *     title: The size of y, by that of the row
 *     x: s (log)
 *     y: y[2]
 *     curves: eps 1e-5, eps 1e-12
 *     0.0001 0.0316 1.2247
 *     0.001 0.3062 1.2247
 *     ```
 *
 * First the head: a title, the names of the axes (x, y), and those of the columns behind the first;
 * without `curves` there is one. " (log)" behind an axis's name: it is logarithmic. With `bars`
 * instead of `curves` each row is a group of bars, one for each column, named by x's name and the
 * row's first number.
 *
 * Then the rows, just what the block `c run` in front of it prints: x and one number for each
 * curve. (Of a command's table they are the columns: the heading has the numbers of x, and each
 * curve's line is its name and its numbers.) What is no finite number, or is not above 0 on a
 * logarithmic axis, is not drawn.
 *
 * plot.c reads it, for the book too, and draws it for the terminal. */
#ifndef PLOT_H
#define PLOT_H

#include "markdown.h"

enum { MOST_CURVES = 6, MOST_ROWS = 400, MOST_TICKS = 12 };

typedef struct {
    const char *name; /* "" where the text gives none */
    bool log;
    double from, to; /* the least and the largest number; of bars 0 is between them, or one */
} Axis;

typedef struct {
    const char *shown; /* as the program printed it */
    double number;
} Cell;

typedef struct {
    const char *title;
    Axis x, y;
    bool bars;
    int curves, rows;
    const char *names[MOST_CURVES]; /* "" where there is one and it has none */
    Cell *cells;                    /* rows x (1 + curves) */
    char *text;                     /* what all the names are in */
} Plot;

/* False: it is none, and nothing is to be freed. */
bool plot_read(Plot *plot, const char *text, size_t length);
void plot_free(Plot *plot);
const Cell *plot_cell(const Plot *plot, int row, int column); /* column 0: x */
/* 0: at `from`, 1: at `to`; NAN: it is not drawn. */
double plot_place(const Axis *axis, double number);
/* Round numbers on the axis, at most so many (2 to MOST_TICKS), rising; how many there are. */
int plot_ticks(const Axis *axis, int most, double ticks[MOST_TICKS]);
/* In characters. */
void plot_add(Buffer *out, const Look *look, const Plot *plot, const char *indent);

#endif
