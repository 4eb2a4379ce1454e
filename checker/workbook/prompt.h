/* The prompt, which `make start` opens.
 *
 *   start.c      the welcome, and line after line
 *   commands.c   the table of commands; from it follow help, completion, hints and prefixes
 *   actions.c    the commands that change where the prompt is
 *   edit.c       the learner's editor
 *   arguments.c  what the words behind a command mean, and what could stand there
 *   complete.c   linenoise's Tab and its grey hints
 *   child.c      a command runs in a process of its own; the terminal survives it
 *   read.c, sections.c, markdown.h, page.c, pager.c, solution.c   what is read page by page
 *
 * The invariant: what may hang, crash or print is run in a child; the prompt only waits for it. */
#ifndef PROMPT_H
#define PROMPT_H

#include "workbook.h"

typedef struct {
    const Lessons *lessons;
    const char *lesson; /* where it is: one of the lessons' names */
    bool terminal;      /* standard input is one; else commands come from a pipe */
    bool leave;
    const char *asked; /* the lesson whose solution was asked for before it was passed, or NULL */
    bool said_passed;  /* by the line that was typed last */
    char *again;       /* what a bare Enter does: the last check */
} Prompt;

/* ---- commands.c ---- */
enum {
    TAKES_LESSON = 1,
    TAKES_FUNCTION = 2,
    TAKES_FILE = 4,
    TAKES_ALL = 8,      /* the word "all" */
    TAKES_NUMBERS = 16, /* whatever `try` takes */
    TAKES_COMMAND = 32,
    TAKES_WORDS = 64 /* behind the lesson */
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
int help_command(Prompt *prompt, const WorkbookOptions *options);

/* ---- actions.c ---- */
/* Where the prompt is, and the one thing to do next. */
void show_place(const Prompt *prompt);
/* That the lesson is passed and, where it is the prompt's own, what comes next. */
void say_passed(Prompt *prompt, const char *lesson);
void show_next(const Prompt *prompt); /* how to go on from it, and the choice where there is one */
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

/* ---- edit.c ---- */
int edit_command(const Lessons *lessons, const WorkbookOptions *options);

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

/* ---- complete.c ---- */
void complete_for(const Prompt *prompt);
/* One question, answered by y or anything else. */
bool confirm(const Prompt *prompt, const char *question);

/* ---- child.c ---- */
/* Makes the terminal survive whatever runs in it; call it once, when standard input is one. */
void terminal_guard(void);
int child_run(const Prompt *prompt,
              int (*run)(const Lessons *lessons, const WorkbookOptions *options),
              const WorkbookOptions *options);
/* Starts a program that nobody waits for, unless the last one is still there. It sees by itself
 * that the prompt has ended, whatever ended it. */
void child_beside(char *const argv[]);

/* ---- page.c ---- */
int window_columns(void); /* 80 where there is no window */
/* Breaks `text` between words, all lines but the first being indented. Starts in column `indent`.
 */
void print_wrapped(const char *text, int indent);
/* Through $PAGER, less or pager.c when a terminal shows it; in ASCII where that is what it shows.
 */
int page(const char *text);
int pager_show(const char *text); /* pager.c */

/* ---- sections.c ---- */
typedef struct {
    const char *from; /* NULL: the next one is the first */
    const char *title, *below, *end;
    int title_length, level;
} Section;
bool next_section(const char *text, Section *section);
bool is_about(const Section *section, const char *words); /* has all of them in its heading */

/* ---- read.c, solution.c ---- */
int read_command(const Lessons *lessons, const WorkbookOptions *options);
int show_markdown(const char *markdown); /* a text, or a part of one */
/* The sections with these headings (one a line) of a text, and with them its second paragraph: the
 * example that all of them use. NULL, said on stderr: one is missing. Caller frees. */
char *sections_of(const char *path, const char *headings);
/* why.c: what the texts say of what is wrong there, as Markdown. NULL: nothing. Caller frees. */
char *explanation(const char *lesson, const CheckResult *result);
int diff_command(const Lessons *lessons, const WorkbookOptions *options);
int solution_command(const Lessons *lessons, const WorkbookOptions *options);

#endif
