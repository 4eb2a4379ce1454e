/* What explains one wrong element: the elements that are made of the same inputs, and the numbers
 * on the way to them. For explain.c, neighbours.c, on_the_way.c and statistic.c. */
#ifndef NEIGHBOURS_H
#define NEIGHBOURS_H

#include "run.h"

enum { MOST_SHOWN = 8, MOST_LINES = 9, NUMBER_TEXT = 24 };

typedef struct {
    const Case *c;
    const Answer *answer;
    const Judgement *verdict;
    size_t at[MOST_SHOWN]; /* the elements of the output, in order */
    int count;
    struct {
        char label[NAME_SIZE + 16];
        char numbers[MOST_SHOWN][NUMBER_TEXT];
    } lines[MOST_LINES];
    int line_count;
} Table;

/* ---- neighbours.c ---- */
void find_neighbours(Table *table, const Case *c, const Answer *answer, const Judgement *verdict);
/* Adds them as lines, one below the other. Returns which inputs stand there: bit p is params[p]. */
unsigned show_neighbours(CheckResult *result, Table *table);
size_t coordinate(const Table *table, size_t element, int dim);
double expected_at(const Table *table, size_t element);
/* Where in an input the elements' counterparts stand; false: it has none for each of them. */
bool counterparts(const Table *table, int input, size_t *places);

/* ---- on_the_way.c ---- */
/* "mean, rstd and y"; "" for none. Caller frees. */
char *joined_names(const char *const *names, int count);
/* Adds what of it is right: other outputs, and what can be read back from y; and of a NaN, where it
 * comes from. */
void tell_the_way(CheckResult *result, const Table *table);
/* The line for the prompt that makes this call; NULL: it is too long, or none makes it. Caller
 * frees. */
char *line_to_try(const Case *c);

/* ---- statistic.c ---- */
enum { MOST_COUNTED = 64 };
/* "40 is the largest less the smallest of these x."; NULL: it is no statistic that is known. Caller
 * frees. */
char *statistic_words(double value, const double *x, int count);

#endif
