/* What copies.c, ask.c, search.c and choose.c share. */
#ifndef SEARCH_H
#define SEARCH_H

#include "line.h"
#include "runner.h"

enum { MOST_LOOPS = 64, BATCH = 200, MOST_EVIDENCE = 32, MOST_FOUND = 256 };

/* A definition as one line, with its fuel, and where its tokens lie in it. */
typedef struct {
    Buffer text;
    size_t *start, *end;
} Rendered;

typedef struct {
    Program program;
    Buffer whole;          /* the text of the program */
    size_t own_at, own_to; /* where the learner's own lies in it */
    int lines_before;
    const Definition *wrong;
    bool asked[MOST_DEFINITIONS];   /* a case calls it */
    bool reached[MOST_DEFINITIONS]; /* or one of these does */
    Rendered rendered[MOST_DEFINITIONS];
    char *prelude;
    Runner trial;
    Evidence evidence[MOST_EVIDENCE];
    int evidence_count;
    int64_t fuel; /* of all copies together */
} Search;

/* The changes that do. */
typedef struct {
    const Edit *items[MOST_FOUND];
    int count;
} Found;

/* ---- copies.c ---- */
bool render(const Program *program, const Definition *d, Rendered *r);
void rendered_free(Rendered *r);
void append_surroundings(Buffer *out, const Search *s);
void append_copy(Buffer *out, const Search *s, unsigned number, const Edit *edit);

/* ---- ask.c ---- */
bool trial_start(Search *s);
void trial_end(Search *s);
/* False: the trial is gone. `said`: what the compiler had to say, "" if nothing. */
bool trial_compile(Search *s, const Buffer *text, char *said, size_t size);
/* Calls these copies. False: the trial is gone. */
bool trial_call(Search *s, const Evidence *evidence, const uint32_t *copies, int count);
/* What the i-th of them left; it points into the trial's reply. False: it did not return. */
bool trial_answer(const Search *s, const Case *c, int i, Answer *answer, int64_t *burnt);

/* ---- choose.c ---- */
Fix *choose(const Search *s, const Question *q, Found *found); /* NULL: nothing can be said */

#endif
