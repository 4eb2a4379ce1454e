/* A lesson's own program, build/NN_name/check: run/ with the processes of box/, for one lesson.
 *
 *   main.c      its options, which are the Makefile's variables; one file graded, or many in turn
 *   name.c      the lesson's name, compiled once for each
 *   progress.c  what is remembered about the learner
 *   verdict_line.c  the line that a verdict named, for an editor
 *   selftest.c  what the checker says of the lesson itself, with parts.c, draws.c and remembered.c:
 *               `make verify`
 *
 * The workbook reads progress too. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "run.h"

/* ---- progress.c ----
 * .workbook/progress.json:
 *
 *     {"version": 1,
 *      "lessons": {"01_layer_norm": {
 *          "passed": 9, "failed": 0, "checks": 9,          of the last run
 *          "last_run": "2026-03-01T12:00:00Z", "seconds": 0.09, "attempts": 3,
 *          "signature": "a1b2...",                         of the checks of the last run
 *          "first_pass": "2026-...Z", "last_pass": ...,    there once everything has passed
 *          "passed_signature": "a1b2...",                  of the checks of the last pass
 *          "hints": {"row_mean": 1},                       the highest tier that was shown
 *          "own": {"row_mean": {"about": "a1b2...",        of those about the learner's own file:
 *                               "shown": 2}}}}}            about which mistake, and how many
 *
 * Record only runs of exercises/ that went through all the checks of a lesson. */
enum { SIGNATURE_SIZE = 17, DATE_SIZE = 24, DAY_SIZE = 11 };

/* Which checks a lesson has: changes when a check comes, goes or is renamed. */
void report_signature(const Report *report, char signature[SIGNATURE_SIZE]);
void checks_signature(const Check *checks, char signature[SIGNATURE_SIZE]);

typedef struct {
    char lesson[NAME_SIZE];
    int passed, failed, checks, attempts;
    int hints; /* how many were shown, over all steps */
    double seconds;
    char last_run[DATE_SIZE], first_pass[DATE_SIZE], last_pass[DATE_SIZE]; /* "" is never */
    char signature[SIGNATURE_SIZE], passed_signature[SIGNATURE_SIZE];      /* "" is none */
} LessonProgress;

typedef struct {
    LessonProgress *items; /* by name */
    int count;
} Progress;

/* Writes one run. False, with the reason in `error`, if that failed; what was there before is then
 * still there. A damaged file is set aside, with a word on stderr. */
bool progress_record(const Report *report, char *error, size_t error_size);

/* No file yet is an empty Progress. False, with the reason in `error`, when what is there can't be
 * read; the Progress is empty then, too. */
bool progress_load(Progress *progress, char *error, size_t error_size);
void progress_free(Progress *progress);
const LessonProgress *progress_find(const Progress *progress, const char *lesson); /* or NULL */

/* The days on which everything was first and last passed, as they are said: "2026-03-01", or ""
 * where that is not known. A day that is to come, or a last one before the first, is a wrong
 * clock's: the dates are kept, for the clock that is wrong may be today's. */
void progress_days(const LessonProgress *lesson, char first[DAY_SIZE], char last[DAY_SIZE]);

/* All the checks that the lesson has now were passed at once, at some time. */
bool progress_passed(const Progress *progress, const char *lesson, const char *signature);

/* Records that a hint was shown, and says which tier was the last one: 0 is none yet. */
bool progress_hint(const char *lesson, const char *step, int tier, char *error, size_t error_size);
int progress_hint_tier(const char *lesson, const char *step);
/* The same for hints about the learner's own file. What was shown about another mistake, or can't
 * be understood, counts as none. */
bool progress_own_hint(const char *lesson, const char *step, const char *about, int shown,
                       char *error, size_t error_size);
int progress_own_hints(const char *lesson, const char *step, const char *about);
/* A short name for any texts, the last one followed by NULL. */
void texts_signature(char signature[SIGNATURE_SIZE], const char *const *texts);

/* ---- verdict_line.c ---- */
/* Of the verdict on the learner's own file, of one function or of all. */
void verdict_line_keep(const Report *report);
int verdict_line(const char *lesson); /* the last one's; 0: it names none */

/* ---- selftest.c ---- */
/* Everything, with its measures. 0, or 1 when a promise is broken. */
int self_test(uint64_t seed);

/* ---- parts.c ---- */
/* Do header, lesson.c, text and hints speak of the same things? How often not. */
int parts_broken(const Contract *contract);
/* Which parts it could still have. */
void print_missing(int steps_without_vectors);

/* ---- remembered.c ---- */
/* From here on each of these cases is a remembered_answer()'s, until they are freed. */
void remember(const Cases *cases);
void remember_none(void);
/* As lesson_answer(). */
void remembered_answer(const Step *step, Case *c, Mistakes set);

/* ---- draws.c ---- */
/* How many promises the drawn cases of `seeds` seeds break, and how many cases there were. */
int draws_broken(const Contract *contract, uint64_t seed, int seeds, long *drawn);
/* The same alone, printed, for as many seeds as one has time for. 0 or 1. */
int test_draws(uint64_t seed, int seeds);

#endif
