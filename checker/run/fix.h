/* The place in the learner's file where one change makes a function right: checker/line/line.h
 * finds it, a report holds it, and hints tell it step by step. */
#ifndef FIX_H
#define FIX_H

enum { MOST_CHANGED_LINES = 6 };
typedef struct {
    int number;
    char *before, *after; /* "": it goes away */
} ChangedLine;

typedef struct {
    int line;
    char *function;  /* in which it is */
    char *kind;      /* "a count is one off" */
    char *question;  /* what to ask oneself there; it does not give the change away */
    char *code;      /* what stands on that line */
    char *from, *to; /* the change; NULL: several would do */
    ChangedLine lines[MOST_CHANGED_LINES];
    int line_count; /* of those that the change is in */
} Fix;

void fix_free(Fix *fix); /* also NULL */

#endif
