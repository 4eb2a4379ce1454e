/* The whole engine on a few screens, in the order of a save's journey:
 *
 *   contract.c  include/NN_name.h            -> which functions there are and what each array means
 *   cases.c     a lesson's draw functions    -> inputs; author.h is what a lesson needs to know
 *   vectors.c   checker/lessons/NN_name/vectors.json -> inputs, and PyTorch's answers
 *   submission.c exercises/NN_name.c         -> its text, read once
 *   build.c     that text                    -> a shared object, compiled behind the sandbox
 *   runner.c    the checker's side of a worker: one call, one Answer; with folder.c, channel.c,
 *               reason.c, locate.c and debug.c, see runner.h
 *   worker*.c   (its own program) the learner's side: loads the object and calls it, see worker.h
 *   sandbox*.c  what the worker and the compiler may not do
 *   judge.c     Answer against expected      -> right, or the worst element
 *   diagnose.c  wrong numbers                -> the mistakes that produce exactly these
 *   stub.c      what the learner has not touched yet
 *   explain.c   a failure                    -> the lines that say so; with neighbours.c,
 *               on_the_way.c and statistic.c
 *   check.c     one lesson from start to end -> a Report
 *   report_*.c  a Report                     -> lines, JSON, TAP, JUnit, a place's own grades
 *
 * The invariant: expected values exist only in the checker's process, the learner's code runs only
 * in the worker's, and only the checker decides. */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdio.h>

#include "author.h"
#include "fix.h"
#include "text.h"

/* ---- contract.c: the header that a lesson's exercise and solution share; its form: author.h ----
 */
enum {
    CALL_PARAMS = 16,
    MAX_PARAMS = CALL_PARAMS + 1, /* and "return" */
    MAX_FUNCTIONS = 20,
    MAX_DIMS = 4,
    MAX_TERMS = 2,
    MAX_FACTORS = 2,
    MAX_SCALARS = 8,
    NAME_SIZE = 48
};

typedef enum { SIZE, SCALAR, INPUT, OUTPUT, IN_OUT, RETURNED } Role;

typedef struct {
    int number;             /* a product's numbers, multiplied, */
    int sizes[MAX_FACTORS]; /* and its SIZE parameters */
    int size_count;
} Term;

typedef struct {
    char text[NAME_SIZE]; /* "features", "4 * hidden" */
    Term terms[MAX_TERMS];
    int term_count;
} Dim;

typedef struct {
    char name[NAME_SIZE];
    Role role;
    bool is_int;        /* holds ints: an INPUT or RETURNED */
    bool may_be_null;   /* an array that a case may leave out */
    Dim dims[MAX_DIMS]; /* outermost first */
    int dim_count;      /* 0 for SIZE, SCALAR and RETURNED */
} Param;

typedef struct {
    char name[NAME_SIZE];
    Param params[MAX_PARAMS]; /* in the order of the C declaration; "return" last */
    int count;
    bool returns; /* a number: its last parameter is "return" */
} Function;

typedef struct {
    Function functions[MAX_FUNCTIONS];
    int count;
} Contract;

/* False: `error` says what was expected, with file and line. */
bool contract_read(Contract *contract, const char *path, char *error, size_t error_size);
/* The functions' names alone, of any header: for one that declares a struct. */
void contract_names(Contract *contract, const char *path);
const Function *contract_find(const Contract *contract, const char *function);
int param_index(const Function *function, const char *name); /* -1: there is none */
static inline bool is_array(Role role)
{
    return role == INPUT || role == OUTPUT || role == IN_OUT;
}
static inline bool is_given(Role role) /* an array that holds values before the call */
{
    return role == INPUT || role == IN_OUT;
}
static inline bool is_answer(Role role) /* something that the function must produce */
{
    return role == OUTPUT || role == IN_OUT || role == RETURNED;
}

/* ---- cases.c: one input, and what it should give ----
 * Everything is looked up by the names in the header. A wrong name is a mistake of the lesson's
 * author: it ends the checker with a message. */
struct Case {
    const Function *function;
    char label[96];            /* "3 x 5", "2 x 7, offset 1000 spreads" */
    int sizes[MAX_PARAMS];     /* by parameter, for SIZE */
    float scalars[MAX_PARAMS]; /* for SCALAR */
    bool null[MAX_PARAMS];     /* that array is NULL, and its length 0 */
    void *given[MAX_PARAMS];   /* for INPUT and IN_OUT: the floats or ints before the call */
    Real *wanted[MAX_PARAMS];  /* for OUTPUT, IN_OUT and RETURNED: filled by the oracle */
    double *truth[MAX_PARAMS]; /* PyTorch's answer, or NULL; takes the place of wanted's v */
    struct Revealed *revealed; /* NULL, or where the oracle's reveal() goes */
    const char *ruled_out;     /* NULL, or why the header rules these sizes out: rule_out() */
};

struct Cases {
    Case *items;
    int count, room;
    const Contract *contract;
};

struct Rng {
    uint64_t state[4];
};
void rng_seed(Rng *rng, uint64_t seed);

size_t case_length(const Case *c, int param); /* elements of that parameter; 1 for "return" */
int dimension(const Case *c, int param, int dim);
int last_dimension(const Case *c, int param);
/* Element i of an array or of "return": of floats or of ints, as the parameter says. */
double value_at(const Param *param, const void *values, size_t i);
void cases_free(Cases *cases);

enum { MOST_MISTAKES = 64 };     /* as many as Mistakes has bits */
extern const char lesson_name[]; /* "01_layer_norm" */

/* ---- lesson.c: the lesson's tables, and where its other parts are ---- */
const Step *lesson_step(const char *function);
int mistake_count(void);
bool is_made_in(const Mistake *mistake, const Step *step); /* can it be? */
/* Whom a check that calls `function` is about: itself, or the last that calls.c calls there. */
const char *learners_function(const char *function);
const char *lesson_header(void); /* include/NN_name.h */
const char *lesson_calls(void);  /* build/NN_name/calls.o; NULL: it has no calls.c */
/* Reads what the checks call: the header's functions, or those of calls.h and of the header those
 * that have a step of their own. */
bool lesson_contract(Contract *contract, char *error, size_t error_size);
bool word_in(const char *words, const char *word); /* "b" in "a b c"; NULL words hold every word */

/* ---- vectors.c ----
 * Adds the cases of `group` from a vectors file to `cases`, with their truth; none where there is
 * no such file. */
typedef struct Vectors Vectors;
Vectors *vectors_open(const char *path, char *error, size_t error_size);
bool vectors_add(const Vectors *vectors, const char *group, Cases *cases, char *error,
                 size_t error_size);
void vectors_close(Vectors *vectors);
/* In lesson.c: the cases of one check that `seed` draws, all of them, in order, behind what is
 * there; and all that a check asks. */
void draw_fresh(const Check *check, uint64_t seed, Cases *cases);
bool check_cases(const Check *check, const Vectors *vectors, uint64_t seed, Cases *cases,
                 char *error, size_t error_size);

/* ---- runner.c and build.c: from a source file to answers ---- */
typedef enum {
    ANSWERED,    /* the function returned; the arrays are what it left in them */
    CRASHED,     /* a signal, a sanitizer's report, a call that the sandbox refuses */
    TIMED_OUT,   /* a limit: time, CPU, memory, output */
    QUIT,        /* exit(), or the channel to the checker was closed or scribbled on */
    OUT_OF_TIME, /* all calls together: runner_budget() */
    NOT_STARTED, /* this machine did not let the worker come to the learner's code */
    NOT_DEFINED  /* the function is not in the learner's file */
} Ending;

typedef struct {
    Ending ending;
    char reason[512];  /* one sentence: "read 4 bytes past the end of x at exercises/..c:23" */
    char ended_by[32]; /* "SIGSEGV", "heap-buffer-overflow", "time limit", ... or "" */
    float *left[MAX_PARAMS]; /* every array, and "return", as it was after the call; NULL if none.
                                Ints where the parameter holds ints: see value_at() */
    char *printed;           /* what the code printed during the call, capped, raw; "" if nothing */
    size_t printed_total;    /* bytes that it printed in all */
    bool kept_memory;        /* it allocated some and did not free it: a leak, or a cache */
} Answer;

/* What every element of an OUTPUT array holds before the call: a signalling NaN, which no
 * arithmetic yields. Arithmetic on it makes it the quiet one: y[j] += v on an element that was
 * never set. */
#define UNTOUCHED_BITS 0x7f85a5a5u
#define ADDED_TO_BITS 0x7fc5a5a5u

typedef struct Runner Runner;

typedef struct {
    const char *source; /* "exercises/01_layer_norm.c", as it is to be shown */
    const char *path;   /* where it lies, its own headers beside it; NULL: as `source` says */
    const char *text;   /* what it holds; stays the caller's, and there until runner_stop() */
    size_t length;
    const char *header;   /* "include/01_layer_norm.h" */
    const char *calls;    /* "build/06_module/calls.o", to be linked with it; or NULL */
    double call_limit;    /* seconds for one call: 2 */
    size_t memory_limit;  /* bytes: 1 GiB */
    size_t printed_limit; /* bytes of output for one call: 1 MiB */
    bool without_lines;   /* where in the file a call ended is not asked, which compiles faster */
} RunnerOptions;

/* Compiles the source and starts a worker beside it. NULL when that failed: `error` then holds what
 * the compiler (or the linker, or a limit) said, the first error in the learner's file first. What
 * the checker adds to that is its end, `advice`; NULL when the error is this machine's. */
Runner *runner_start(const RunnerOptions *options, char *error, size_t error_size,
                     const char **advice);
/* The same in two steps, for a caller that has something to do while the compiler works. False: the
 * runner is stopped. */
Runner *runner_begin(const RunnerOptions *options);
bool runner_ready(Runner *runner, char *error, size_t error_size, const char **advice);
/* What the compiler warned of, "" if nothing. */
const char *runner_warnings(const Runner *runner);
/* Calls the case's function. OUTPUT arrays hold NaN before. A worker that does not survive the call
 * is replaced for the next one. */
void runner_call(Runner *runner, const Case *c, Answer *answer);
/* Calls the case's function a few times more. True: memory grows with every call, and
 * `answer->reason` says where; or a call did not return, and `answer` says how it ended. False:
 * nothing leaks (or the platform cannot tell). */
bool runner_leaks(Runner *runner, const Case *c, Answer *answer);
/* Hands over to gdb, stopped where the case's function is called, compiled anew without being
 * optimized. Ends the runner; comes back only if that fails, having said why on stderr. */
void runner_debug(Runner *runner, const Case *c);
/* All calls from now on may take so long together: one budget for a whole check. Time is taken
 * here, never in the worker. */
void runner_budget(Runner *runner, double seconds);
double runner_time_left(Runner *runner);
void answer_free(Answer *answer);
void runner_stop(Runner *runner);

/* ---- protection.c: what holds the learner's code here ---- */
enum { LANDLOCK = 1, SECCOMP = 2 };
unsigned active_layers(void); /* of the two */
/* What of them and of the sanitizers is missing and what stays open, as one line for the user; NULL
 * when all are active. Caller frees. */
char *missing_protections(void);

/* ---- judge.c ---- */
typedef struct {
    bool right;
    int param; /* the worst element: which parameter, which index */
    size_t index;
    double expected, got, allowed;
    bool unwritten;     /* that element still holds what the checker put there before the call */
    bool added_to;      /* it was never written either, only added to or multiplied */
    bool input_changed; /* `param`, an input, is not what it was: expected was, got is there now */
} Judgement;

/* The case's oracle must have been run with no mistakes. `only`: as in Check. */
Judgement judge(const Case *c, const Answer *answer, const char *only);
bool is_unwritten(float value); /* it is what the checker put there before the call */
/* "y[1][3]", "row_mean(...)" */
void element_name(const Case *c, int param, size_t index, char *text, size_t text_size);

/* ---- diagnose.c ---- */
enum { MAX_NAMED = 3 };
typedef struct {
    int count;      /* 0: no known mistake explains the numbers */
    bool together;  /* all of `mistakes` were made at once; else any one of them, the numbers being
                       equal */
    bool cut_short; /* there was no time to try them all */
    int mistakes[MAX_NAMED];
} Diagnosis;

/* The smallest set of mistakes that produces the answers of all the given calls of one step. Looks
 * at the outputs in `only`, and takes no more than `seconds` of processor time. Afterwards every
 * case's wanted() is again that of no mistake. */
Diagnosis diagnose(const Step *step, const char *only, Case *cases, const Answer *answers,
                   int count, double seconds);

/* ---- check.c: a lesson from start to end, and the reports ---- */
typedef enum { PASSED, FAILED, NOT_REACHED } Status;
enum { MAX_DETAILS = 24 };

typedef struct {
    const char *step, *name;
    Status status;
    char *details[MAX_DETAILS]; /* the lines below the verdict; unused ones are NULL */
    bool has_numbers;
    char where[96]; /* "y[1][3]" */
    double expected, got, allowed;
    char *mistake;       /* ids: "n_minus_1", "a and b", "a or b"; NULL: none */
    char *sections;      /* of lessons/NN_name.mistakes.md, one a line; NULL: none */
    char *when;          /* "the variance is divided by n - 1": the same in words; or NULL */
    char *ended_by;      /* the signal or the limit; NULL: none */
    Fix *fix;            /* NULL: none was found, or none looked for */
    char *to_try;        /* the line for the prompt that makes this call; NULL: there is none */
    const Case *failing; /* while its run is there; NULL: no one case is to blame */
    double seconds;
} CheckResult;

/* ---- explain.c: the lines below a failed check ---- */
void add_detail(CheckResult *result, char *line);   /* frees the line later */
void explain_repeat(CheckResult *result, int call); /* of equal ones, the 2nd or 3rd */
void explain_ending(CheckResult *result, const Case *c, const Answer *answer);
void explain_numbers(CheckResult *result, const Case *c, const Answer *answer,
                     const Judgement *verdict);
/* `named`: what this run has named so far; said again in one line only. */
void explain_mistake(CheckResult *result, const Diagnosis *found, Mistakes *named);

/* What rounding alone has left of 0 is told as 0. */
static inline double without_rounding(double allowed, double value)
{
    return fabs(value) * 1000 < allowed ? 0 : value;
}

/* What is typed where the learner is: in a shell, at the prompt, in watch. NULL: left out. */
typedef struct {
    const char *hint;   /* "make hint LESSON=01", "hint", "h" */
    const char *prompt; /* how to come to the prompt: " make start, then" or "" */
    const char *onward; /* what comes next when all of it passed, as a sentence */
} Words;

typedef struct {
    char lesson[NAME_SIZE]; /* "01_layer_norm" */
    char title[NAME_SIZE];
    char source[512]; /* the file that was graded */
    uint64_t seed;
    CheckResult *results;
    int count, passed, failed, not_reached;
    char *not_graded;     /* why this machine keeps it from being graded; NULL: it does not */
    bool untouched;       /* the stub as it was handed out: nothing was run */
    char *build_error;    /* it does not compile; no check was reached. Ends in `advice` */
    char *advice;         /* which is the checker's own, and not the compiler's words; or NULL */
    char *warnings;       /* what the compiler warned of; "" if nothing */
    char *notice;         /* protections that are missing here, or NULL */
    char *printed;        /* what the learner's code printed, raw and capped, or NULL */
    char printed_by[160]; /* the check whose call printed it */
    size_t printed_total;
    double seconds;
    char *learned;    /* what the lesson has taught whoever passed it; NULL: it does not say */
    bool of_one_step; /* it was asked about one function alone */
    Words words;
    struct Run *run; /* which it comes from, while that is there: check_end() */
    /* Then: looks for the line that a failed check comes from. That takes a moment, so what is
     * known is said before. Else NULL. */
    void (*look_closer)(struct Run *run, CheckResult *result);
    void *document; /* report_parse: what its steps and names point into; else NULL */
} Report;

typedef struct {
    const char *source; /* the file to grade */
    const char *shown;  /* what it is called in the report; NULL: as `source` says */
    const char *step;   /* only this function's checks; NULL: all */
    uint64_t seed;
    double call_limit; /* seconds */
    bool every;        /* run a function's checks though an earlier one of it failed */
} CheckOptions;

/* Makes the cases, for check_lesson() in every process that is forked from this one. */
void check_prepare(const CheckOptions *options);
/* Compiles, runs and judges; everything that happened is in the report. */
void check_lesson(const CheckOptions *options, Report *report);
void check_end(Report *report);
/* Stops gdb where the first failing check (or the first of all) calls the learner's function. */
int debug_lesson(const CheckOptions *options);

/* ---- try.c: the learner's functions on numbers that the learner types; see try.h ---- */
enum { MOST_REVEALED = 256 };
struct Revealed {
    int count;
    bool cut; /* there was more */
    struct {
        char name[NAME_SIZE];
        double value;
        int row; /* how long its line is; 0: as long as a row of x */
    } items[MOST_REVEALED];
};
int try_lesson(const CheckOptions *options, const char *words);

/* ---- formats.c ---- */
typedef enum { HUMAN, JSON, TAP, JUNIT, GRADESCOPE, CLASSROOM50, VPL } Format;
/* False, with a word on stderr: there is none of that name. */
bool format_find(const char *name, Format *format);
bool format_is_grade(Format format); /* a place's own: there is none for what was not graded */
/* In any but HUMAN. */
void report_write(FILE *out, Format format, const Report *reports, int count);

void report_human(FILE *out, const Report *report);
void write_next_step(FILE *out, const Report *report); /* its last lines: next_step.c */
/* Why it was not run, the compiler's words behind bars. */
void write_build_error(FILE *out, const char *build_error, const char *advice);
void report_json(FILE *out, const Report *reports, int count); /* one document */
void report_tap(FILE *out, const Report *reports, int count);
void report_junit(FILE *out, const Report *reports, int count);
void report_gradescope(FILE *out, const Report *reports, int count);
void report_classroom50(FILE *out, const Report *reports, int count);
void report_vpl(FILE *out, const Report *reports, int count);
bool report_parse(Report *report, const char *json, char *error,
                  size_t error_size); /* of one lesson */
void report_free(Report *report);

/* ---- progress.c ---- */
/* Writes one run into .workbook/progress.json. False, with the reason in `error`, if that failed;
 * what was there before is then still there. A damaged file is set aside, with a word on stderr. */
bool progress_record(const Report *report, char *error, size_t error_size);

#endif
