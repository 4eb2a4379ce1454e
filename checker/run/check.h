/* What the files of a check share: check.c goes through a lesson, check_one.c through one check of
 * it, check_fix.c looks for the line, check_changed.c says whether a change passes. */
#ifndef CHECK_H
#define CHECK_H

#include "run.h"

/* A whole check has the time of five calls at their limit: its own calls, those that look for a
 * leak or a cause, and the search for the cause. Half of it must be left for the search. To look
 * for the line has as long again. */
enum { CALL_LIMITS = 5, KEEPERS = 3 };

typedef struct Changed Changed; /* check_changed.c */

typedef struct Run {
    const CheckOptions *options;
    Report *report;
    char *text; /* what is graded; NULL: it could not be read */
    Contract contract;
    Vectors *vectors;
    Runner *runner;
    Cases *cases;                 /* one for every check of the lesson */
    Mistakes named;               /* so far, in this run */
    const Case *keepers[KEEPERS]; /* the last calls of this step that kept memory, or NULL */
    int kept;                     /* how many there were */
    bool quietly;                 /* whether it passes is all that is asked */
    Changed *changed;             /* the file with the last change that was asked about, or NULL */
} Run;

/* ---- check.c ---- */
int check_count(void); /* of the lesson */
RunnerOptions runner_options(const CheckOptions *options, const char *text, size_t length);

/* ---- check_one.c ---- */
bool run_case(Run *run, const Check *check, const Case *c, Answer *answer, CheckResult *result);
void run_check(Run *run, int index, CheckResult *result);
/* What they hold, not they. */
void details_free(CheckResult *result);
void result_free(CheckResult *result);

/* ---- check_fix.c ---- */
enum { MOST_GATHERED = 32 };
/* For a failed check: its fix, and the lines that say so. */
void look_for_fix(Run *run, CheckResult *result);
/* Those that failed and call another that failed say so, in place of numbers. */
void point_to_causes(Run *run);
size_t numbers_of(const Case *c); /* in all its arrays, and its scalars */
/* NULL: that check was not in this run. */
const CheckResult *result_of(const Run *run, const Check *check);

/* ---- check_changed.c ---- */
typedef struct {
    Run *run;
    const char *step;
} Asked;
/* As a Question's expect and passes, of an Asked. */
void changed_expect(void *asked, const char *text, size_t length);
bool changed_passes(void *asked, const char *text, size_t length);
void changed_free(Changed *changed); /* also NULL */

#endif
