/* A number that stands where a row's mean or spread should: is it another statistic of the same
 * numbers? A learner who sees that 40 is the largest less the smallest knows which idea was wrong.
 * All that it could be is said, for one row may have the same number in two ways. */
#ifndef STATISTIC_H
#define STATISTIC_H

/* A mean is where a row lies, and what divides it how far it reaches: what is none of the two is in
 * its place by chance. */
typedef enum { PLACE_OF_ROW = 1, SIZE_OF_ROW = 2, ANY_STATISTIC = 3 } Meant;

enum { MOST_COUNTED = 64 }; /* numbers of a row */

/* Which of those that are known it is: a bit for each. Of a row of equal numbers none is told. */
unsigned statistics_of(double value, const double *x, int count, Meant meant);
/* "40 is the largest less the smallest of these x."; NULL: it is none of those. Caller frees. */
char *statistic_words(double value, unsigned which, int count);

#endif
