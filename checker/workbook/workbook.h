/* The workbook program: everything that concerns more than one lesson, or none of its numbers.
 *
 *   workbook.c   options, and which command does what
 *   given.c      what make was given, and which programs there are
 *   lessons.c    which lessons there are, and what "1", "01" and "layer_norm" mean
 *   check_all.c  every lesson's checker at once, and the table
 *   needs.c      which lesson builds on which, and what is ready to be begun
 *   map.c        how far the learner is
 *   words.c      what a verdict tells the learner to type
 *   reset.c, hint.c, why.c, verify.c, compile_commands.c   the commands of those names
 *   solution.c   solutions, and where there are none
 *   prompt.h     what belongs to make start */
#ifndef WORKBOOK_H
#define WORKBOOK_H

#include <sys/types.h>

#include "run.h"
#include "program.h"

typedef struct {
    const char *lesson, *step, *impl, *format, *seed, *limit; /* NULL: not given */
    const char *lessons;                                      /* check-all: only these, "01 03" */
    const char *words;    /* at the prompt: all that stands behind the command */
    const Report *report; /* in watch: what is on the screen */
    enum { IN_SHELL, AT_PROMPT } place;
    const char *here; /* the lesson where the prompt is; else NULL */
} WorkbookOptions;

/* ---- given.c ---- */
const char *given_as(const char *name); /* NULL: not given, or nothing */
bool given_yes(const char *name);
bool is_installed(const char *program); /* on the PATH */

enum { MAX_LESSONS = 99 };
typedef struct {
    char names[MAX_LESSONS][NAME_SIZE]; /* "01_layer_norm", in order */
    int count;
} Lessons;

/* The folders checker/lessons/NN_name/ that hold a lesson.c. */
void lessons_find(Lessons *lessons);
/* By number ("1", "01") or name ("layer_norm", "01_layer_norm"). NULL, with a list on stderr: none.
 */
const char *lesson_resolve(const Lessons *lessons, const char *wanted);
/* The same without a word. */
const char *lesson_find(const Lessons *lessons, const char *wanted);
int lesson_index(const Lessons *lessons, const char *lesson); /* which is one of lessons->names */
/* Those in the words ("01 03"), else all. NULL, with a list on stderr: one is none. */
const Lessons *lessons_named(const Lessons *all, const char *words, Lessons *some);
/* Where the learner went last, if that is not passed, else lesson_first(). */
const char *lesson_current(const Lessons *lessons);
/* By LESSON, else by the function in STEP, else the current one. NULL: there is none, said so on
 * stderr, or without both options all are passed. */
const char *lesson_wanted(const Lessons *lessons, const WorkbookOptions *options);
bool lesson_passed(const char *lesson);   /* at its last run */
void lesson_remember(const char *lesson); /* the learner went there */
/* The file to grade: exercises/NN_name.c, or what IMPL= says. */
char *lesson_source(const char *lesson, const char *impl);

/* ---- needs.c ---- */
typedef struct {
    const Lessons *lessons;
    bool on[MAX_LESSONS][MAX_LESSONS]; /* lesson i builds on lesson j */
    bool core[MAX_LESSONS], passed[MAX_LESSONS];
    bool known[MAX_LESSONS]; /* passed once, or what one that was passed once builds on */
} Needs;
void needs_read(Needs *needs, const Lessons *lessons);
bool lesson_ready(const Needs *needs, int i); /* all that it builds on is known */
/* "01 and 02": what it builds on and is not known; what builds on it. Callers free. */
char *lesson_lacks(const Needs *needs, int i);
char *lesson_leads_to(const Needs *needs, int i);
/* The first one that is not passed, one that is ready before one that is not; NULL: all are passed.
 */
const char *lesson_first(const Lessons *lessons);
/* The same behind `from`, past the end from the beginning again; NULL: there is no other. */
const char *lesson_after(const Lessons *lessons, const char *from);
/* The numbers of those that could be begun in place of `next`; "": it is the one that follows, or
 * there is none (NULL). Caller frees. */
char *lesson_choice(const Lessons *lessons, const char *next);
/* What is wrong with what a lesson says that it needs; NULL: nothing. Caller frees. */
char *needs_fault(const Lessons *lessons, const char *lesson);

/* ---- solution.c ---- */
/* Is this what `make handout` wrote? */
bool is_handout(void);
#define NO_SOLUTIONS "This is a hand-out: it holds no solutions.\n"

/* The arguments of that lesson's checker, ended by NULL. format NULL: as in the options. The words
 * are the options' own, but for the first and the source, which stay allocated. */
enum { MAX_ARGUMENTS = 24 };
void checker_command(const char *lesson, const WorkbookOptions *options, const char *format,
                     char *argv[MAX_ARGUMENTS]);
/* What is typed where the learner is, for the last lines of that lesson's verdict. Stays allocated.
 */
Words words_for(const Lessons *lessons, const char *lesson, const WorkbookOptions *options);
/* Runs it with its JSON captured. False: it gave none; *code is then its exit status. */
bool checker_report(const char *lesson, const WorkbookOptions *options, Report *report, int *code);

/* The same in two halves, for who has other things to do in between: what it prints, then the end.
 * Its stderr goes to the descriptor `errors`. */
FILE *checker_start(const char *lesson, const WorkbookOptions *options, int errors, pid_t *child);
bool checker_finish(FILE *from, pid_t child, Report *report, int *code);

/* How far a lesson is. */
typedef struct {
    const LessonProgress *last; /* NULL: nothing is remembered */
    bool begun;                 /* a file that is no stub was checked */
    bool passed;                /* all the checks that it has now, at the last run */
    bool broken;                /* all of them at some time, but not at the last run */
    bool changed;               /* it was passed, and then its checks changed */
} Standing;
void progress_open(Progress *progress); /* what can't be read is said, and counts as nothing */
Standing lesson_standing(const Progress *progress, const char *lesson);
void standing_words(const Standing *here, char *text, size_t size); /* "4 of 9 checks pass" */
void lesson_title(const char *lesson, char *title, size_t size);

/* This program becomes make, as the learner started it. 127, said on stderr: there is none. */
int become_make(const char *target, const char *setting); /* setting: or NULL */

int check_command(const Lessons *lessons, const WorkbookOptions *options);
int debug_command(const Lessons *lessons, const WorkbookOptions *options);
int check_all_command(const Lessons *lessons, const WorkbookOptions *options);
int reset_command(const Lessons *lessons, const WorkbookOptions *options);
int hint_command(const Lessons *lessons, const WorkbookOptions *options);
int why_command(const Lessons *lessons, const WorkbookOptions *options);
int verify_command(const Lessons *lessons, const WorkbookOptions *options);
int lessons_command(const Lessons *lessons, const WorkbookOptions *options);
int progress_command(const Lessons *lessons, const WorkbookOptions *options);
int watch_command(const Lessons *lessons, const WorkbookOptions *options);
int start_command(const Lessons *lessons, const WorkbookOptions *options);
int lab_command(const Lessons *lessons, const WorkbookOptions *options);
int compile_commands_command(const Lessons *lessons, const WorkbookOptions *options);

#endif
