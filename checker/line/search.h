/* What sites.c, copies.c, ask.c, search.c and choose.c share. */
#ifndef SEARCH_H
#define SEARCH_H

#include "line.h"
#include "box.h"

enum { MOST_LOOPS = 64, BATCH = 200, MOST_EVIDENCE = 32, MOST_FOUND = 256 };

/* A definition as one line, with its fuel, and where its tokens lie in it. */
typedef struct {
    Buffer text;
    size_t *start, *end;
} Rendered;

typedef struct Site Site; /* sites.c */
typedef struct {
    Site *items;
    int count;
} Sites;

typedef struct {
    const Site *of[2]; /* of each piece; NULL: the change gets a copy */
} Sited;

/* Some changes, by their numbers: places in `edits` and `sited`, from 1. */
typedef struct {
    const Edit *edits;
    const Sited *sited;
    const uint32_t *numbers;
    int count;
} Changes;

typedef struct {
    Program program;
    Buffer whole;          /* the text of the program */
    size_t own_at, own_to; /* where the learner's own lies in it */
    int lines_before;
    const Definition *wrong;
    bool asked[MOST_DEFINITIONS];                   /* a case calls it */
    bool reached[MOST_DEFINITIONS];                 /* or one of these does */
    bool calls[MOST_DEFINITIONS][MOST_DEFINITIONS]; /* the first the second, or through others */
    Rendered rendered[MOST_DEFINITIONS];
    Sites sites[MOST_DEFINITIONS];
    char *prelude;
    Channel trial;
    Evidence evidence[MOST_EVIDENCE];
    int evidence_count;
    int64_t fuel; /* of all calls together */
} Search;

/* The changes that do. */
typedef struct {
    const Edit *items[MOST_FOUND];
    int count;
} Found;

/* ---- copies.c ---- */
void append_text(Buffer *out, const char *text);
bool render(const Program *program, const Definition *d, Rendered *r);
void rendered_free(Rendered *r);
/* A part of its rendered text, with the change that lies there; NULL: as it is. */
void append_changed(Buffer *out, const Search *s, int definition, const Edit *edit, size_t at,
                    size_t end);
/* The whole text: each change at its site, or in a copy. */
void append_program(Buffer *out, const Search *s, const Changes *changes);

/* ---- sites.c ---- */
bool find_sites(const Program *program, const Definition *d, Sites *sites);
/* The change as it is to stand in the text, and where. Its first text is the caller's to free. */
Edit placed(const Search *s, const Edit *edit, Sited *at);
void append_choices(Buffer *out, const Search *s, int definition, const Changes *changes);

/* ---- ask.c ---- */
bool trial_start(Search *s);
void trial_end(Search *s);
/* False: the trial is gone. `said`: what the compiler had to say, "" if nothing. */
bool trial_compile(Search *s, const Buffer *text, char *said, size_t size);
/* Calls it with each of these changes. False: the trial is gone. */
bool trial_call(Search *s, const Evidence *evidence, const uint32_t *copies, int count);
/* What the i-th of them left; it points into the trial's reply. False: it did not return. */
bool trial_answer(const Search *s, const Case *c, int i, Answer *answer, int64_t *burnt);

/* ---- choose.c ---- */
/* The learner's file with the change, as they would write it. NULL: it can't be had. Caller frees.
 */
char *file_with(const Search *s, const Question *q, const Edit *edit);
Fix *choose(const Search *s, const Question *q, Found *found); /* NULL: nothing can be said */

#endif
