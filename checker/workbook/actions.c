/* The commands that change where the prompt is, that ask first, or that start other programs. */
#include "workbook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number_length(const char *lesson)
{
    return (int)strcspn(lesson, "_");
}

/* ---- where the prompt is ---- */
static void say_what_it_lacks(const Prompt *prompt)
{
    Needs needs;
    needs_read(&needs, prompt->lessons);
    char *lacks = lesson_lacks(&needs, lesson_index(prompt->lessons, prompt->lesson));
    char *words = format_text("It builds on %s, not passed yet.", lacks);
    if (*lacks)
        print_wrapped(words, 0);
    free(words);
    free(lacks);
}

/* "07, 08 and 09" are a choice, too; the first of them is the example. */
static void say_choice(const char *others)
{
    char *words = format_text("Ready as well: %s (`next %.*s`).", others,
                              (int)strspn(others, "0123456789"), others);
    if (*others)
        print_wrapped(words, 0);
    free(words);
}

/* How to go on from it, and the choice where there is one. */
static void show_next(const Prompt *prompt)
{
    const char *next = lesson_after(prompt->lessons, prompt->lesson);
    char *others = lesson_choice(prompt->lessons, next);
    if (*others)
        printf("Next: type `next`, for %.*s.\n", number_length(next), next);
    else
        puts("Next: type `next`.");
    say_choice(others);
    free(others);
}

void say_passed(Prompt *prompt, const char *lesson)
{
    bool here = lesson == prompt->lesson;
    printf("\n%s Lesson %.*s is passed.%s", mark_pass(), number_length(lesson), lesson,
           here ? " " : "\n");
    if (here)
        show_next(prompt);
    prompt->said_passed = true;
}

void show_place(const Prompt *prompt)
{
    Progress progress;
    progress_open(&progress);
    Standing here = lesson_standing(&progress, prompt->lesson);
    char title[NAME_SIZE * 2], state[64];
    lesson_title(prompt->lesson, title, sizeof title);
    standing_words(&here, state, sizeof state);
    char *place = format_text("Lesson %.*s, %s: %s.", number_length(prompt->lesson), prompt->lesson,
                              title, state);
    print_wrapped(place, 0);
    free(place);
    say_what_it_lacks(prompt);
    if (here.passed)
        show_next(prompt);
    else
        print_wrapped(here.begun ? "Next: type `edit`, and `check` when you have written something."
                                 : "Next: type `read`.",
                      0);
    progress_free(&progress);
}

static void move_to(Prompt *prompt, const char *lesson)
{
    prompt->lesson = lesson;
    free(prompt->again);
    prompt->again = NULL;
    lesson_remember(lesson);
    show_place(prompt);
}

int go_command(Prompt *prompt, const WorkbookOptions *options)
{
    move_to(prompt, options->lesson);
    return 0;
}

/* Nobody is told to be through on the strength of what was so once. */
static int finish(Prompt *prompt)
{
    WorkbookOptions every = {0};
    puts("Every lesson is passed. All of them once more:\n");
    int code = child_run(prompt, check_all_command, &every);
    const char *failing = code ? lesson_current(prompt->lessons) : NULL;
    if (!code)
        puts("\nAll done. You have written every lesson of this workbook.");
    else if (failing)
        move_to(prompt, failing);
    return code;
}

int next_command(Prompt *prompt, const WorkbookOptions *options)
{
    if (options->lesson)
        return go_command(prompt, options);
    const char *next = lesson_after(prompt->lessons, prompt->lesson);
    if (!next && lesson_passed(prompt->lesson))
        return finish(prompt);
    if (!next)
        puts("This is the only lesson left.");
    char *others = lesson_choice(prompt->lessons, next);
    move_to(prompt, next ? next : prompt->lesson);
    say_choice(others);
    free(others);
    return 0;
}

int quit_command(Prompt *prompt, const WorkbookOptions *options)
{
    (void)options;
    prompt->leave = true;
    return 0;
}

/* ---- what is asked for twice ---- */
static int ask_twice(Prompt *prompt, const WorkbookOptions *options, const char *command,
                     int (*show)(const Lessons *lessons, const WorkbookOptions *options))
{
    Progress progress;
    progress_open(&progress);
    bool passed = lesson_standing(&progress, options->lesson).passed;
    progress_free(&progress);
    if (!passed && !is_handout() && prompt->asked != options->lesson) {
        prompt->asked = options->lesson;
        char *text = format_text("You have not passed lesson %.*s yet. A hint may be all you need: "
                                 "type `hint`. To see the solution all the same, type `%s` again.",
                                 number_length(options->lesson), options->lesson, command);
        print_wrapped(text, 0);
        free(text);
        return 1;
    }
    return child_run(prompt, show, options);
}

int ask_diff(Prompt *prompt, const WorkbookOptions *options)
{
    return ask_twice(prompt, options, "diff", diff_command);
}

int ask_solution(Prompt *prompt, const WorkbookOptions *options)
{
    return ask_twice(prompt, options, "solution", solution_command);
}

int ask_reset(Prompt *prompt, const WorkbookOptions *options)
{
    char *question = format_text("Put the stub back as exercises/%s.c? [y/N] ", options->lesson);
    bool yes = !prompt->terminal || confirm(prompt, question);
    free(question);
    if (yes)
        return child_run(prompt, reset_command, options);
    puts("Nothing was changed.");
    return 1;
}

/* ---- other programs ---- */
int become_program(char *const argv[])
{
    fflush(NULL);
    execvp(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    return 127;
}

int become_make(const char *target, const char *setting)
{
    const char *make = given_as("MAKE_COMMAND");
    unsetenv("MAKEFLAGS"); /* those of `make start` */
    unsetenv("MAKELEVEL");
    char *argv[] = {(char *)(make ? make : "make"), "-s", (char *)target, (char *)setting, NULL};
    return become_program(argv);
}

static int write_book(const Lessons *lessons, const WorkbookOptions *options)
{
    (void)lessons;
    (void)options;
    return become_make("book", "OPEN=prompt");
}

/* What follows is there first: the browser may stay in front of the prompt. */
int book_command(Prompt *prompt, const WorkbookOptions *options)
{
    char number[32];
    snprintf(number, sizeof number, "%ld", (long)getpid());
    char *const follow[] = {"sh", "checker/book/book.sh", "follow", number, NULL};
    child_beside(follow);
    return child_run(prompt, write_book, options);
}

/* The function that a check would have the learner work on next, or the last where all pass; NULL:
 * there is no telling. Stays allocated. */
static const char *step_at(const char *lesson)
{
    Report report = {0};
    int code;
    WorkbookOptions quiet = {.impl = "exercises"}; /* as IMPL= it is no run of the learner's */
    if (!checker_report(lesson, &quiet, &report, &code) || !report.count)
        return NULL;
    const char *step = hint_step(&report);
    return step ? step : report.results[report.count - 1].step;
}

/* Without words it is the example of where the learner is. */
int try_command(const Lessons *lessons, const WorkbookOptions *options)
{
    const char *at = *options->words ? NULL : step_at(options->lesson);
    char *path = checker_program(options->lesson);
    char *argv[] = {path, "--try", (char *)(at ? at : options->words), NULL};
    (void)lessons;
    return become_program(argv);
}
