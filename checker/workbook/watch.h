/* make watch, in three parts:
 *
 *   watch.c          waits, starts the checks, answers the keys
 *   watch_file.c     whether a file was saved
 *   watch_screen.c   what is shown, and what changed since the run before */
#ifndef WATCH_H
#define WATCH_H

#include <sys/stat.h>
#include <time.h>

#include "workbook.h"

double milliseconds_since(struct timespec then);

/* ---- watch_file.c ---- */
typedef struct {
    bool there;
    ino_t inode;
    off_t size;
    struct timespec modified;
    uint64_t content;
    struct timespec seen; /* when this was found */
} Saved;

/* Looks again, and remembers what it saw. */
bool was_saved(Saved *saved, const char *lesson);

/* ---- watch_screen.c ---- */
typedef struct {
    bool known;    /* the lesson was checked since the watch began */
    bool compiled; /* at its last run */
    int count;
    bool *passed; /* by check, when it last compiled */
} Past;

typedef struct {
    bool keys;        /* there is a terminal */
    bool clears;      /* and it understands the sequence for that */
    bool have;        /* `report` is one */
    bool below;       /* something is on the screen that no redraw brings back */
    Words words;      /* for the verdict's last lines */
    Report report;    /* the one that is shown */
    char *changes;    /* since the run before */
    char *remarks;    /* what the checker wrote beside its report */
    const char *next; /* the lesson that comes after the one that is shown; NULL: none does */
    char *others;     /* the numbers of those that are a choice beside it, or "" */
} Screen;

bool all_passed(const Report *report);
/* What changed since the run before, as whole lines, perhaps none; and remembers this one. */
char *changes_since(Past *past, const Report *now);
void screen_draw(Screen *screen);
/* For a few lines below what is shown: first this, then they, then the keys again. */
void screen_begin(Screen *screen);
void screen_keys(const Screen *screen);

#endif
