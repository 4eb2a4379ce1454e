/* The workbook program: everything that concerns more than one lesson, or none of its numbers.
 *
 * A command comes from make, or from a line that is typed at the prompt:
 *
 *   workbook.c   build/workbook COMMAND, which make starts: which command does what
 *   given.c      what make was given, and which programs there are
 *   start.c      make start: the welcome, and line after line; Tab
 *   commands.c   the prompt's table of commands; help, completion and prefixes follow from it
 *   arguments.c  what the words behind a command mean, and what could stand there
 *   actions.c    the commands that change where the prompt is, ask first or start other programs
 *   edit.c       the learner's editor, at the line that the last verdict names
 *   child.c      all others run in a process of their own; the terminal survives it
 *
 * It is about a lesson:
 *
 *   lessons.c    which there are, what "1", "01" and "layer_norm" mean, and the learner's file
 *   map.c        how far the learner is in each
 *   needs.c      which builds on which, and what is ready to be begun
 *
 * It grades, or does something with what was found:
 *
 *   check.c      starts the lessons' checkers, one or all side by side, labs and races
 *   watch.c      a save -> a check -> the screen; single keys
 *   brief.c      a verdict as that screen has room for it
 *   hint.c, why.c, reset.c, verify.c, compile_commands.c   the commands of those names
 *   solution.c   the solution and the difference to it; where there are none
 *
 * Or it shows a text:
 *
 *   read.c       the text, or the sections of it that are about something
 *   markdown.h   a text in lines: markdown.c, formula.c, lines.c; plot.h and plot.c, its pictures
 *   curves.h, curves.c       the same as SVG, for the book and for labs
 *   page.c       what a window shows: wrapped, or a page at a time
 *   terminal.h, terminal.c   single keys, for the pager and for watch
 *   markup.h, markup.c       HTML, for the book and for a class's pages
 *
 * The invariant of the prompt and of watch: what may hang, crash or print is run in a child; they
 * only wait for it. */
#ifndef WORKBOOK_H
#define WORKBOOK_H

#include <sys/types.h>

#include "run.h"
#include "program.h"

enum { MAX_LESSONS = 99 };
typedef struct {
    char names[MAX_LESSONS][NAME_SIZE]; /* "01_layer_norm", in order */
    int count;
} Lessons;

/* What a command is asked for. */
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

/* ---- start.c: the prompt ---- */
typedef struct {
    const Lessons *lessons;
    const char *lesson; /* where it is: one of the lessons' names */
    bool terminal;      /* standard input is one; else commands come from a pipe */
    bool leave;
    const char *asked; /* the lesson whose solution was asked for before it was passed, or NULL */
    bool said_passed;  /* by the line that was typed last */
    char *again;       /* what a bare Enter does: the last check */
} Prompt;
int start_command(const Lessons *lessons, const WorkbookOptions *options);
/* One question, answered by y or anything else. */
bool confirm(const Prompt *prompt, const char *question);

/* ---- commands.c ---- */
enum {
    TAKES_LESSON = 1,
    TAKES_FUNCTION = 2,
    TAKES_FILE = 4,
    TAKES_ALL = 8,      /* the word "all" */
    TAKES_NUMBERS = 16, /* whatever `try` takes */
    TAKES_COMMAND = 32,
    TAKES_WORDS = 64, /* behind the lesson */
    TAKES_TEXT = 128  /* whatever follows */
};

typedef struct {
    const char *name, *arguments, *help; /* arguments: "" if it takes none */
    int takes;
    int (*child)(const Lessons *lessons, const WorkbookOptions *options); /* either this */
    int (*here)(Prompt *prompt, const WorkbookOptions *options);          /* or this */
} Command;
extern const Command commands[]; /* ended by a name that is NULL */

/* The one that is called so, or the only one that starts so. NULL: none, or several. */
const Command *command_find(const char *word, size_t length);
/* Runs one line and returns its exit code. */
int command_run(Prompt *prompt, const char *line);

/* ---- arguments.c ---- */
/* Sorts the words behind `command` into options; the strings stay in `words`, which is changed.
 * False, with what was expected on stderr: a word means nothing there. */
bool arguments_parse(const Prompt *prompt, const Command *command, char *words,
                     WorkbookOptions *options);
/* Calls `give` with every whole line that could come of this one, the last word being finished. */
typedef void Give(void *to, const char *line);
void candidates(const Prompt *prompt, const char *line, Give *give, void *to);
/* What could stand behind `try` in that lesson. */
const char *example_for(const char *lesson);
/* Of `count` words the one that `word` was most likely meant to be, or NULL. */
const char *nearest(const char *word, const char *const *words, int count);

/* ---- actions.c ---- */
/* Where the prompt is, and the one thing to do next. */
void show_place(const Prompt *prompt);
/* That the lesson is passed and, where it is the prompt's own, what comes next. */
void say_passed(Prompt *prompt, const char *lesson);
int go_command(Prompt *prompt, const WorkbookOptions *options);
int next_command(Prompt *prompt, const WorkbookOptions *options);
int ask_reset(Prompt *prompt, const WorkbookOptions *options);
int ask_diff(Prompt *prompt, const WorkbookOptions *options);
int ask_solution(Prompt *prompt, const WorkbookOptions *options);
int quit_command(Prompt *prompt, const WorkbookOptions *options);
int book_command(Prompt *prompt, const WorkbookOptions *options);
int try_command(const Lessons *lessons, const WorkbookOptions *options);
/* This process becomes that program. 127, said on stderr: there is none. */
int become_program(char *const argv[]);

/* This program becomes make, as the learner started it. 127, said on stderr: there is none. */
int become_make(const char *target, const char *setting); /* setting: or NULL */

/* ---- edit.c ---- */
int edit_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- child.c ---- */
/* Makes the terminal survive whatever runs in it; call it once, when standard input is one. */
void terminal_guard(void);
int child_run(const Prompt *prompt,
              int (*run)(const Lessons *lessons, const WorkbookOptions *options),
              const WorkbookOptions *options);
/* Starts a program that nobody waits for, unless the last one is still there. It sees by itself
 * that the prompt has ended, whatever ended it. */
void child_beside(char *const argv[]);

/* ---- lessons.c ---- */
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
void lesson_remember(const char *lesson); /* the learner went there */
/* By LESSON, else by the function in STEP, else the current one. NULL: there is none, said so on
 * stderr, or without both options all are passed. */
const char *lesson_wanted(const Lessons *lessons, const WorkbookOptions *options);
/* The file to grade: exercises/NN_name.c, or what IMPL= says. */
char *lesson_source(const char *lesson, const char *impl);

/* ---- map.c ---- */
typedef struct {
    const LessonProgress *last; /* NULL: nothing is remembered */
    bool begun;                 /* a file that is no stub was checked */
    bool passed;                /* all the checks that it has now, at the last run */
    bool broken;                /* all of them at some time, but not at the last run */
    bool changed;               /* it was passed, and then its checks changed */
} Standing;
void progress_open(Progress *progress); /* what can't be read is said, and counts as nothing */
Standing lesson_standing(const Progress *progress, const char *lesson);
bool lesson_passed(const char *lesson);                             /* at its last run */
void standing_words(const Standing *here, char *text, size_t size); /* "4 of 9 checks pass" */
void lesson_title(const char *lesson, char *title, size_t size);
int lessons_command(const Lessons *lessons, const WorkbookOptions *options);
int progress_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- needs.c ---- */
typedef struct {
    const Lessons *lessons;
    bool on[MAX_LESSONS][MAX_LESSONS]; /* lesson i builds on lesson j */
    bool core[MAX_LESSONS], passed[MAX_LESSONS];
    bool known[MAX_LESSONS]; /* passed once, or what one that was passed once builds on */
} Needs;
void needs_read(Needs *needs, const Lessons *lessons);
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
/* What comes next once that one is passed, and lesson_choice() of it then. */
const char *lesson_after_passing(const Lessons *lessons, const char *passed, char **others);
/* What is wrong with what a lesson says that it needs; NULL: nothing. Caller frees. */
char *needs_fault(const Lessons *lessons, const char *lesson);

/* ---- check.c ---- */
/* What judges that lesson's files, by processes or, with BOX, by the emulator. Caller frees. */
char *checker_program(const char *lesson);
/* Runs it with its JSON captured. False: it gave none; *code is then its exit status. */
bool checker_report(const char *lesson, const WorkbookOptions *options, Report *report, int *code);
/* The same in two halves, for who has other things to do in between: what it prints, then the end.
 * Its stderr goes to the descriptor `errors`. */
FILE *checker_start(const char *lesson, const WorkbookOptions *options, int errors, pid_t *child);
bool checker_finish(FILE *from, pid_t child, Report *report, int *code);
/* What is typed where the learner is, for the last lines of that lesson's verdict. Stays allocated.
 */
Words words_for(const Lessons *lessons, const char *lesson, const WorkbookOptions *options);
bool may_be_graded(Format format); /* in that form, on this machine; else said on stderr */
int check_command(const Lessons *lessons, const WorkbookOptions *options);
int check_all_command(const Lessons *lessons, const WorkbookOptions *options);
int debug_command(const Lessons *lessons, const WorkbookOptions *options);
int lab_command(const Lessons *lessons, const WorkbookOptions *options);
int race_command(const Lessons *lessons, const WorkbookOptions *options);
bool has_race(const char *lesson);
/* A lab, a race, the emulator: the first time, or after a change. False: make has said why. */
bool build_first(const char *program, const char *what);

/* ---- watch.c ---- */
int watch_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- brief.c ---- */
/* As many lines as the window has room for above the line of keys. `changes` comes behind the
 * count, `behind` at the end. */
void write_brief(FILE *out, const Report *report, const char *changes, const char *behind);

/* ---- hint.c ---- */
int hint_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- why.c ---- */
int why_command(const Lessons *lessons, const WorkbookOptions *options);
/* What the texts say of what is wrong there, as Markdown. NULL: nothing. Caller frees. */
char *explanation(const char *lesson, const CheckResult *result);

/* ---- reset.c ---- */
int reset_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- verify.c ---- */
int verify_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- compile_commands.c ---- */
int compile_commands_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- solution.c ---- */
/* Is this what `make handout` wrote? */
bool is_handout(void);
#define NO_SOLUTIONS "This is a hand-out: it holds no solutions.\n"
int diff_command(const Lessons *lessons, const WorkbookOptions *options);
int solution_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- read.c ---- */
int read_command(const Lessons *lessons, const WorkbookOptions *options);
int search_command(const Lessons *lessons, const WorkbookOptions *options); /* `/word` */
int show_markdown(const char *markdown); /* a text, or a part of one */
/* The sections with these headings (one a line) of a text, and with them its second paragraph: the
 * example that all of them use. NULL, said on stderr: one is missing. Caller frees. */
char *sections_of(const char *path, const char *headings);

/* ---- page.c ---- */
int window_columns(void); /* 80 where there is no window, */
int window_rows(void);    /* and 24 */
/* Breaks `text` between words, all lines but the first being indented. Starts in column `indent`.
 */
void print_wrapped(const char *text, int indent);
void write_wrapped(FILE *out, const char *text, int indent); /* for a window that gets it later */
/* Through $PAGER, less or our own pager when a terminal shows it; in ASCII where that is what it
 * shows. */
int page(const char *text);

#endif
