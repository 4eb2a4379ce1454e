/* The core, which judges: the whole of it on a few screens, in the order of a save's journey.
 *
 *   author.h    what a lesson says of itself, with real.h, the numbers of its answers
 *   contract.c  include/NN_name.h         -> which functions there are and what each array means
 *   cases.c     a lesson's draw functions -> inputs, and room for the answers
 *   vectors.c   lessons/NN_name/vectors.json -> inputs, and PyTorch's answers
 *   lesson.c    the tables of lesson.c    -> the cases of each check
 *   stub.c      what the learner has not touched yet
 *   unwritten.c what of that a function calls
 *   check.c     a text                    -> a Report: verdict, then the line, then what is next.
 *               A runner compiles it and calls its functions ("a runner" below, and box/box.h);
 *               line/line.h finds the place that is wrong
 *   judge.c     an Answer                 -> right, or the worst element
 *   diagnose.c  wrong numbers             -> the mistakes that produce exactly these
 *   explain.c   a failure                 -> the lines that say so; statistic.h, statistic.c: which
 *               statistic of a row a number is
 *   ended.c     how a call ended          -> a sentence (ended.h)
 *   warning.c   what the compiler said    -> a reason, where it names the mistake
 *   around.c    a lesson with a struct    -> what stands around a learner's text that is changed
 *   hints.c     a Report                  -> hints on a step
 *   report.c    a Report                  -> told as it comes, in a format of its own file:
 *               report_human.c, report_json.c, report_tap.c, report_junit.c, report_grades.c
 *
 * Beside it: try.c, the learner's functions on numbers that are typed, with known.c (these
 * numbers), example.c (what was not typed) and gradient.c (numeric gradients), all in try.h;
 * formulas.h, what a lesson's functions compute and which change of that gives a learner's numbers,
 * with formula_tree.h, formula_tree.c, formulas.c, mistakes.c, evaluate.h, evaluate.c, reduce.c,
 * stretch.c, rows.c, changes.h, changes.c, changes_together.c, changes_inside.c, matches.c and
 * phrases.c;
 * text.h with text.c, bar.c and buffer.c, what everything that prints needs; system.h, what the
 * core asks of the machine.
 *
 * The invariants: nothing here is a process, a signal, or a file but by system.h, so it runs
 * wherever C does; expected values exist only here, never where the learner's code runs; and only
 * judge.c decides. */
#ifndef RUN_H
#define RUN_H

#include <stdio.h>

#include "author.h"
#include "system.h"
#include "text.h"

/* ---- contract.c ----
 * The header that a lesson's exercise and solution share; its form: author.h. */
enum {
    CALL_PARAMS = 16,
    MAX_PARAMS = CALL_PARAMS + 1, /* and "return" */
    MAX_FUNCTIONS = 20,
    MAX_DIMS = 4,
    MAX_TERMS = 2,
    MAX_FACTORS = 2,
    MAX_SCALARS = 8,
    NAME_SIZE = 48,
    SYMBOL_SIZE = NAME_SIZE + 8
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

/* In front of every name of a calls.c, where it is linked or compiled with the learner's file: C
 * leaves no learner a name that begins so. checker/build.mk says the same. */
#define CALLS_PREFIX "__calls_"

typedef struct {
    char name[NAME_SIZE];
    char symbol[SYMBOL_SIZE]; /* what it is called in the object */
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

/* ---- cases.c ----
 * One input, and what it should give.
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

/* What reveal() has told, for who tries a function. */
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
size_t case_numbers(const Case *c); /* in all its arrays, and its scalars */
void cases_free(Cases *cases);

enum { MOST_MISTAKES = 64 }; /* as many as Mistakes has bits */

/* ---- vectors.c ----
 * Adds the cases of `group` from a vectors file to `cases`, with their truth; none where there is
 * no such file. */
typedef struct Vectors Vectors;
Vectors *vectors_open(const char *path, char *error, size_t error_size);
bool vectors_add(const Vectors *vectors, const char *group, Cases *cases, char *error,
                 size_t error_size);
void vectors_close(Vectors *vectors);
/* ---- program/name.c ---- */
extern const char lesson_name[]; /* "01_layer_norm": each lesson's program has its own */

/* ---- lesson.c ----
 * The lesson's tables, looked up, and where its other parts are. */
const Step *lesson_step(const char *function);
int mistake_count(void);
const Mistake *lesson_mistakes(void); /* the last one has no id */
/* The step's answers to that case, with these mistakes, to its wanted(): by its oracle or its
 * formula. */
void lesson_answer(const Step *step, Case *c, Mistakes set);
bool is_made_in(const Mistake *mistake, const Step *step); /* can it be? */
/* Whom a check that calls `function` is about: itself, or the last that calls.c calls there. */
const char *learners_function(const char *function);
const char *lesson_header(void); /* include/NN_name.h */
const char *lesson_calls(void);  /* build/NN_name/calls.o; NULL: it has no calls.c */
/* Reads what the checks call: the header's functions, or those of calls.h and of the header those
 * that have a step of their own. */
bool lesson_contract(Contract *contract, char *error, size_t error_size);

/* The cases of one check that `seed` draws, all of them, in order, behind what is there; and all
 * that a check asks. */
void draw_fresh(const Check *check, uint64_t seed, Cases *cases);
bool check_cases(const Check *check, const Vectors *vectors, uint64_t seed, Cases *cases,
                 char *error, size_t error_size);

/* ---- stub.c ----
 * What of the learner's text is still as it was handed out. */
bool is_stub(const char *text, size_t length);           /* the whole file */
bool is_stub_of(const char *text, const char *function); /* that function */

/* ---- unwritten.c ---- */
/* Of the lesson's functions one that it calls and that is still the stub's; NULL: there is none. */
const char *unwritten_callee(const char *text, const char *function);

/* ---- a runner ----
 * Who compiles a learner's file and calls its functions. Processes do it in box/runner.c; whatever
 * else has these functions can. */
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
/* And what memory holds that nobody has written: a lesson's memory.h, the sanitizer's malloc(). */
#define STALE_BITS 0xa5a5a5a5u
#define MALLOC_BITS 0xbebebebeu

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
    bool without_lines;   /* only whether calls are right is asked, which compiles faster */
    bool busy; /* the caller works between begin() and ready(), and the compiler: two processes */
} RunnerOptions;

typedef struct {
    /* Begins to compile; the caller may do something else meanwhile. */
    Runner *(*begin)(const RunnerOptions *options);
    /* False: the runner is stopped, and `error` holds what the compiler (or the linker, or a limit)
     * said, the first error in the learner's file first. What the checker adds to that is its end,
     * `advice`; NULL when the error is this machine's. */
    bool (*ready)(Runner *runner, char *error, size_t error_size, const char **advice);
    /* What the compiler warned of, "" if nothing. */
    const char *(*warnings)(const Runner *runner);
    /* All calls from now on may take so long together: one budget for a whole check. Time is taken
     * here, never where the learner's code runs. */
    void (*budget)(Runner *runner, double seconds);
    double (*time_left)(Runner *runner);
    double beside; /* seconds of such a budget, where no check is run; 0: as for a check */
    /* Calls the case's function. OUTPUT arrays hold UNTOUCHED_BITS before. What it does to the
     * place where it runs does not last to the next call. */
    void (*call)(Runner *runner, const Case *c, Answer *answer);
    /* Calls the case's function a few times more. True: memory grows with every call, and
     * `answer->reason` says where; or a call did not return, and `answer` says how it ended. False:
     * nothing leaks (or there is no telling). */
    bool (*leaks)(Runner *runner, const Case *c, Answer *answer);
    /* Stops a debugger where the case's function is called. Ends the runner; comes back only if
     * that fails, having said why on stderr. */
    void (*debug)(Runner *runner, const Case *c);
    void (*stop)(Runner *runner);
    /* What of the protections is missing here, as one line for the user; NULL: nothing. Caller
     * frees.
     */
    char *(*missing_protections)(void);
} Runners;

/* ---- judge.c ---- */
typedef struct {
    bool right;
    int param; /* the worst element: which parameter, which index */
    size_t index;
    double expected, got, allowed;
    bool unwritten;     /* that element still holds what the checker put there before the call */
    bool added_to;      /* it was made from one that was never written */
    bool stale;         /* it holds what was in memory that nobody has written */
    bool input_changed; /* `param`, an input, is not what it was: expected was, got is there now */
} Judgement;

/* The case's oracle must have been run with no mistakes. `only`: as in Check. */
Judgement judge(const Case *c, const Answer *answer, const char *only);
void answer_free(Answer *answer);
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

/* Is the answer what wanted() holds, wherever that promises anything? `only`: as in Check. */
bool all_agree(const Case *c, const Answer *answer, const char *only);
/* lesson_answer(), or what gives the same. */
typedef void WorkOut(const Step *step, Case *c, Mistakes set);
/* The smallest set of mistakes that produces the answers of all the given calls of one step. Looks
 * at the outputs in `only`, and takes no more than `seconds` of processor time. Afterwards every
 * case's wanted() is again that of no mistake. */
Diagnosis diagnose(const Step *step, const char *only, Case *cases, const Answer *answers,
                   int count, double seconds, WorkOut *work_out);

/* ---- a Report, which everything from here on is about ---- */
/* The place in the learner's file where one change makes a function right: line/ finds it, a report
 * holds it, and hints tell it step by step. */
enum { MOST_CHANGED_LINES = 6 };
typedef struct {
    int number;
    char *before, *after; /* "": it goes away */
} ChangedLine;

typedef struct {
    int line;
    bool behind;     /* that line is right: it belongs behind it */
    char *function;  /* in which it is */
    char *kind;      /* "a count is one off" */
    char *question;  /* what to ask oneself there; it does not give the change away */
    char *code;      /* what stands on that line */
    char *from, *to; /* the change; NULL: several would do */
    ChangedLine lines[MOST_CHANGED_LINES];
    int line_count;  /* of those that the change is in */
    int also_line;   /* 0, or the last line that has to be changed the same way */
    char *also_code; /* what stands on it, or NULL */
    int other_line;  /* 0, or where another change mends it too, hardly less likely */
    bool other_behind;
    char *other_code; /* what stands on it, or NULL */
} Fix;

typedef enum { PASSED, FAILED, NOT_REACHED } Status;
enum { MAX_DETAILS = 24 };

typedef struct {
    const char *step, *name;
    const char *needs; /* another function, which has not passed yet and comes first; or NULL */
    Status status;
    char *details[MAX_DETAILS]; /* the lines below the verdict; unused ones are NULL */
    bool has_numbers;
    char where[96]; /* "y[1][3]" */
    double expected, got, allowed;
    char *mistake;  /* ids: "n_minus_1", "a and b", "a or b"; NULL: none */
    char *sections; /* of lessons/NN_name.mistakes.md, one a line; NULL: none */
    char *when;     /* "the variance is divided by n - 1": the same in words; or NULL */
    char *
        quantity; /* where no mistake with a name was found but a change of the formula: of what, */
    char *slip;   /* and of which kind: "dx", "a term is left out"; or NULL */
    char *ended_by; /* the signal or the limit; NULL: none */
    Fix *fix;       /* NULL: none was found, or none looked for */
    char *to_try;   /* the line for the prompt that makes this call; NULL: there is none */
    int of_verdict; /* how many of the details the verdict has; the others are about its line */
    double seconds;
} CheckResult;

/* What is typed where the learner is: in a shell, at the prompt, in watch. NULL: left out. */
typedef struct {
    const char *hint;   /* "make hint LESSON=01", "hint", "h" */
    const char *prompt; /* how to come to the prompt: " make start, then" or "" */
    const char *onward; /* what comes next when all of it passed, as a sentence */
} Words;

typedef struct {
    enum {
        NOTHING, /* there is nothing to be said */
        COMPILE, /* mend the first error */
        BEGIN,   /* with the stub, as it was handed out */
        MEND,    /* the function `step` */
        WRITE,
        GO_ON /* all of it passed */
    } to;
    const char *step;
} Next;

typedef struct {
    char lesson[NAME_SIZE]; /* "01_layer_norm" */
    char title[NAME_SIZE];
    char source[512]; /* the file that was graded */
    uint64_t seed;
    CheckResult *results;
    int count, passed, failed, not_reached;
    double *points; /* that each check is worth, in a grade; NULL: one. report_free() leaves them */
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
    Next next;
    void *document; /* report_parse: what its steps and names point into; else NULL */
} Report;

/* ---- warning.c ---- */
/* A compiler's warning in the checker's words; NULL: it is one that says little. */
const char *words_of_warning(const char *warning, size_t length);
/* Adds that the compiler warned of it. */
void explain_warning(CheckResult *result, const Report *report, const char *text);

/* ---- explain.c ----
 * The lines below a failed check. */
void explain_repeat(CheckResult *result, int call); /* of equal ones, the 2nd or 3rd */
void explain_ending(CheckResult *result, const Case *c, const Answer *answer);
void explain_numbers(CheckResult *result, const Case *c, const Answer *answer,
                     const Judgement *verdict);
/* `named`: what this run has named so far; said again in one line only. */
void explain_mistake(CheckResult *result, const Diagnosis *found, Mistakes *named);
void explain_line(CheckResult *result, const Fix *fix);
void explain_line_again(CheckResult *result, const Fix *fix);
void explain_nan(CheckResult *result, int line, const char *how, const char *code); /* "0 / 0" */

/* What rounding alone has left of 0 is told as 0. */
static inline double without_rounding(double allowed, double value)
{
    return fabs(value) * 1000 < allowed ? 0 : value;
}

/* ---- around.c ---- */
char *text_before(void); /* the caller's, as the other */
char *text_behind(void);

/* ---- check.c ----
 * A lesson from start to end. */
typedef struct {
    const Runners *runners; /* who runs the learner's code */
    /* Who tries changes of it, see line/line.h; NULL: no line is looked for. */
    const struct Trials *trials;
    const char *source; /* the file to grade, by its path */
    const char *shown;  /* what it is called in the report; NULL: as `source` says */
    const char *text;   /* what it holds; NULL: it is not graded, `refused` says why */
    size_t length;
    const char *refused;
    const char *not_graded; /* why nothing can be graded on this machine; NULL: something can */
    const char *step;       /* only this function's checks; NULL: all */
    uint64_t seed;
    double call_limit; /* seconds */
    bool every;        /* run a function's checks though an earlier one of it failed */
} CheckOptions;

/* A report is told as it comes: the search for a line takes a moment, and what is known is said
 * before. */
typedef enum {
    JUDGED, /* every check has its verdict, and what comes next is known */
    LOOKED, /* for each failed check, in order: its line has been looked for */
    DONE
} Stage;
typedef struct Listener Listener;

typedef struct Questions Questions; /* the cases of every check */
/* Makes them, for check_lesson() in every process that is forked from this one. */
Questions *check_prepare(const CheckOptions *options);
/* Compiles, runs, judges, and looks for the lines; everything that happened is in the report.
 * `prepared`, or NULL, stays the caller's: to free what is shared with a forked process copies it.
 */
void check_lesson(const CheckOptions *options, Questions *prepared, Report *report,
                  const Listener *listener);
/* How its text is to be run; begin and ready in one, NULL where that fails. */
RunnerOptions check_runner(const CheckOptions *options);
Runner *runner_start(const Runners *by, const RunnerOptions *how, char *error, size_t error_size,
                     const char **advice);
/* Stops a debugger where the first failing check (or the first of all) calls the learner's
 * function.
 */
int debug_lesson(const CheckOptions *options);

/* ---- try.c ---- */
/* The learner's functions on numbers that the learner types, beside the reference's. 0: none is
 * wrong, 1: some are, 2: nothing could be tried. A function that is named needs no numbers: what is
 * not typed is its example's. */
int try_lesson(const CheckOptions *options, const char *words);
/* The line for the prompt that makes this call; NULL: it is too long, or none makes it. Caller
 * frees.
 */
char *line_to_try(const Case *c);

/* ---- hints.c ----
 * Those about the learner's own file, in order: the place and the change; without a place, of what
 * is known by the formula alone, the output, the kind, and last the words that say what is missing.
 */
typedef enum { THE_PLACE, THE_CHANGE, THE_QUANTITY, THE_KIND, THE_WORDS } HintKind;
enum { MOST_OWN_HINTS = 3, TIERS = 3 };
const char *hint_step(const Report *report); /* the first that has not passed; NULL: all have */
/* What fails of that step, if something can be said of it. */
const CheckResult *hint_result(const Report *report, const char *step);
int own_hints(const CheckResult *result, HintKind hints[MOST_OWN_HINTS]); /* of NULL: none */
/* why: what opens the section of a mistake, in the words of the place. Caller frees these two. */
char *own_hint(const CheckResult *result, HintKind hint, const char *source, const char *why);
/* The text of hint `tier` (1 to 3) of `step`; NULL when the file has none. */
char *hint_text(const char *lesson, const char *step, int tier);

/* ---- report.c ---- */
void add_detail(CheckResult *result, char *line); /* frees the line later */
int detail_count(const CheckResult *result);
Next next_step(const Report *report);
const char *step_to_do(const CheckResult *result); /* its own, or what it needs */
void fix_free(Fix *fix);                           /* also NULL */
char *own_place(const Fix *fix);                   /* "lines 12 and 15"; caller frees */
char *place_words(int line, bool behind);          /* of a Fix: "after line 12"; caller frees */
/* What they hold, not they. */
void details_free(CheckResult *result);
void result_free(CheckResult *result);
void report_free(Report *report);

typedef enum { HUMAN, JSON, TAP, JUNIT, GRADESCOPE, CLASSROOM50, VPL } Format;
/* False, with a word on stderr: there is none of that name. */
bool format_find(const char *name, Format *format);
bool format_is_grade(Format format); /* a place's own: there is none for what was not graded */
/* In any but HUMAN. */
void report_write(FILE *out, Format format, const Report *reports, int count);
/* Writes a report there in that format: in HUMAN as it comes, in any other when it is whole. */
struct Listener {
    void (*hear)(const Listener *listener, const Report *report, Stage stage, int check);
    FILE *out;
    Format format;
};
void report_hear(const Listener *listener, const Report *report, Stage stage, int check);

/* ---- report_human.c ---- */
void human_hear(FILE *out, const Report *report, Stage stage, int check);
void report_human(FILE *out, const Report *report); /* all of it */
/* Parts of it, for who has no room for all: the first line, one check's line for the prompt, and
 * what follows the count. */
bool human_has_checks(const Report *report);
void human_head(FILE *out, const Report *report);
void human_line_to_try(FILE *out, const Report *report, const CheckResult *result);
void human_remarks(FILE *out, const Report *report);
void human_next_step(FILE *out, const Report *report);
/* Why it was not run, the compiler's words behind bars. */
void write_build_error(FILE *out, const char *build_error, const char *advice);

/* ---- report_json.c ---- */
void report_json(FILE *out, const Report *reports, int count); /* one document */
/* Of one lesson, as report_json() writes it. */
bool report_parse(Report *report, const char *json, char *error, size_t error_size);

/* ---- report_tap.c ---- */
void report_tap(FILE *out, const Report *reports, int count);

/* ---- report_junit.c ---- */
void report_junit(FILE *out, const Report *reports, int count);

/* ---- report_grades.c ---- */
void report_gradescope(FILE *out, const Report *reports, int count);
void report_classroom50(FILE *out, const Report *reports, int count);
void report_vpl(FILE *out, const Report *reports, int count);

#endif
