/* make start: the welcome, then line after line until the end of the input.
 *
 * From a pipe come commands, one a line; the exit code is that of the last one. With nothing in the
 * pipe there is the map and the next step. */
#include "workbook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linenoise.h"

#define HISTORY ".workbook/history"
enum { HISTORY_LINES = 500 };

/* ---- Tab, and the rest of the line in grey ----
 *
 * linenoise hands nothing on to its callbacks, so where the prompt is has to be kept here. */
static const Prompt *at;

static void give_completion(void *to, const char *line)
{
    linenoiseAddCompletion(to, line);
}

static void complete(const char *line, linenoiseCompletions *all)
{
    candidates(at, line, give_completion, all);
}

typedef struct {
    char *line;
    int count;
} Only;

static void keep(void *to, const char *line)
{
    Only *only = to;
    if (!only->count++)
        only->line = format_text("%s", line);
}

/* The rest of the only word that it can become; behind a finished command, what it takes. */
static char *hint(const char *line, int *colour, int *bold)
{
    Only only = {0};
    const Command *command = command_find(line, strcspn(line, " "));
    const char *space = strchr(line, ' ');
    *colour = colour_wanted() ? 90 : 39; /* grey; without colours the text's own, */
    *bold = colour_wanted() ? 0 : 2;     /* but dim */
    if (!*line)
        return NULL;
    if (command && *command->arguments && (space ? !space[1] : !strcmp(line, command->name)))
        return format_text("%s%s", space ? "" : " ",
                           command->takes & TAKES_NUMBERS ? example_for(at->lesson)
                                                          : command->arguments);
    candidates(at, line, keep, &only);
    char *rest = only.count == 1 ? format_text("%s", only.line + strlen(line)) : NULL;
    free(only.line);
    return rest;
}

static void complete_for(const Prompt *prompt)
{
    at = prompt;
    linenoiseSetCompletionCallback(prompt ? complete : NULL);
    linenoiseSetHintsCallback(prompt ? hint : NULL);
    linenoiseSetFreeHintsCallback(free);
}

bool confirm(const Prompt *prompt, const char *question)
{
    complete_for(NULL);
    char *answer = linenoise(question);
    complete_for(prompt);
    bool yes = answer && (!strcasecmp(answer, "y") || !strcasecmp(answer, "yes"));
    linenoiseFree(answer);
    return yes;
}

/* ---- line after line ---- */
static void welcome(const Prompt *prompt)
{
    if (!access(HISTORY, F_OK)) {
        show_place(prompt);
        return;
    }
    print_wrapped("Welcome to the Layer Normalization Workbook. You will write the norms that "
                  "today's networks use, forward and backward, in C, one short file per lesson. "
                  "Each lesson has a text: `read` shows it. Then you write its functions: `edit` "
                  "opens the file. `check` says what is right, what is wrong and, where it can, "
                  "which mistake it is. Stuck? `hint` helps, and `try 10 50 20` shows your "
                  "functions at work. `help` lists the rest. Nothing you write gets lost.\n",
                  0);
    show_place(prompt);
}

/* "03 rms_norm 4/9> " */
static char *prompt_text(const char *lesson)
{
    Progress progress;
    progress_open(&progress);
    Standing here = lesson_standing(&progress, lesson);
    int digits = (int)strcspn(lesson, "_");
    char *text = here.begun && !here.changed
                     ? format_text("%.*s %s %d/%d> ", digits, lesson, lesson + digits + 1,
                                   here.last->passed, here.last->checks)
                     : format_text("%.*s %s> ", digits, lesson, lesson + digits + 1);
    progress_free(&progress);
    return text;
}

static int run_line(Prompt *prompt, const char *line)
{
    const char *lesson = prompt->lesson;
    bool passed = lesson_passed(lesson);
    if (line[strspn(line, " \t")])
        linenoiseHistoryAdd(line);
    else
        line = prompt->again ? prompt->again : "check";
    mkdir(".workbook", 0777);
    linenoiseHistorySave(HISTORY);
    prompt->said_passed = false;
    char *copy = format_text("%s", line); /* a check replaces prompt->again */
    int code = command_run(prompt, copy);
    free(copy);
    if (lesson == prompt->lesson && !passed && !prompt->said_passed && lesson_passed(lesson))
        say_passed(prompt, lesson);
    return code;
}

static void talk(Prompt *prompt)
{
    terminal_guard();
    linenoiseSetMultiLine(1);
    linenoiseHistorySetMaxLen(HISTORY_LINES);
    linenoiseHistoryLoad(HISTORY);
    complete_for(prompt);
    welcome(prompt);
    while (!prompt->leave) {
        char *text = prompt_text(prompt->lesson);
        fflush(stdout);
        errno = 0;
        char *line = linenoise(text);
        free(text);
        if (line)
            run_line(prompt, line);
        else if (errno != EAGAIN) /* which is Ctrl-C */
            prompt->leave = true;
        linenoiseFree(line);
    }
}

/* For who has no prompt: in terms of make. */
static void print_next_step(const Lessons *lessons)
{
    const char *lesson = lesson_current(lessons);
    if (!lesson)
        puts("Next: make check-all, which checks every lesson once more.");
    else
        printf("Next: read lessons/%s.md, write exercises/%s.c, then type: make check\n", lesson,
               lesson);
    char *others = lesson_choice(lessons, lesson);
    char *words = format_text("Ready as well: %s.", others);
    if (*others) {
        print_wrapped(words, 0);
        printf("To take one of these: make check LESSON=%.*s\n", (int)strspn(others, "0123456789"),
               others);
    }
    free(words);
    free(others);
}

static int follow(Prompt *prompt)
{
    int code = 0, count = 0;
    char *line;
    while (!prompt->leave && (line = linenoise(""))) {
        if (line[strspn(line, " \t\r")]) {
            int last = command_run(prompt, line);
            code = prompt->leave ? code : last; /* quit leaves it as it was */
            count++;
        }
        linenoiseFree(line);
    }
    if (count)
        return delivered(stdout) ? code : 1;
    lessons_command(prompt->lessons, &(WorkbookOptions){0});
    putchar('\n');
    print_next_step(prompt->lessons);
    return delivered(stdout) ? 0 : 1;
}

int start_command(const Lessons *lessons, const WorkbookOptions *options)
{
    if (!lessons->count) {
        fputs("There is no lesson under checker/.\n", stderr);
        return 2;
    }
    const char *current =
        options->lesson ? lesson_resolve(lessons, options->lesson) : lesson_current(lessons);
    if (!current && options->lesson)
        return 2;
    Prompt prompt = {.lessons = lessons,
                     .lesson = current ? current : lessons->names[lessons->count - 1],
                     .terminal = isatty(STDIN_FILENO)};
    int code = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* errors appear where they belong */
    if (prompt.terminal)
        talk(&prompt);
    else
        code = follow(&prompt);
    free(prompt.again);
    return code;
}
