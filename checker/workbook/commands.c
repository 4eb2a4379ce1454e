/* The table of commands. Help, completion, hints, prefixes and the nearest name follow from it. */
#include "workbook.h"

#include <stdlib.h>
#include <string.h>

static int check_any(const Lessons *lessons, const WorkbookOptions *options)
{
    WorkbookOptions every = {0};
    return options->words ? check_all_command(lessons, &every) : check_command(lessons, options);
}

static int help_command(Prompt *prompt, const WorkbookOptions *options);

#define SOME_CODE (TAKES_LESSON | TAKES_FUNCTION)

const Command commands[] = {
    {"read", "[LESSON] [WORDS]", "the lesson's text; `read epsilon` a section, of whatever lesson",
     TAKES_LESSON | TAKES_WORDS, read_command, NULL},
    {"/", "WORD", "the sections of all lessons in which the word stands, as in /rstd", TAKES_TEXT,
     search_command, NULL},
    {"book", "", "the lessons in your browser, to read and to write in", 0, NULL, book_command},
    {"edit", "[LESSON or FILE]", "opens your file in $VISUAL or $EDITOR, at the line a check named",
     TAKES_LESSON | TAKES_FILE, edit_command, NULL},
    {"check", "[all, LESSON, FUNCTION or FILE]",
     "grades your file; `check all` every lesson; Enter alone checks again",
     SOME_CODE | TAKES_FILE | TAKES_ALL, check_any, NULL},
    {"hint", "[LESSON or FUNCTION]", "a hint for where you are; again for a plainer one", SOME_CODE,
     hint_command, NULL},
    {"why", "[LESSON, FUNCTION or FILE]", "what is said of the mistake that a check names",
     SOME_CODE | TAKES_FILE, why_command, NULL},
    {"try", "10 50 20 eps=1e-5",
     "your function on its example; `try 10 50 20` on numbers that you type", TAKES_NUMBERS,
     try_command, NULL},
    {"watch", "[LESSON]", "checks whenever you save, until you type q", TAKES_LESSON, watch_command,
     NULL},
    {"next", "[LESSON]", "goes on to the next lesson that is not passed, or the one you name",
     TAKES_LESSON, NULL, next_command},
    {"go", "LESSON", "goes to a lesson: go 03, or go rms", TAKES_LESSON, NULL, go_command},
    {"lessons", "", "the lessons, and how far you are", 0, lessons_command, NULL},
    {"progress", "", "what you have done so far, drawn", 0, progress_command, NULL},
    {"diff", "[LESSON]", "your file against the solution", TAKES_LESSON, NULL, ask_diff},
    {"solution", "[LESSON]", "the solution", TAKES_LESSON, NULL, ask_solution},
    {"lab", "[LESSON] [FOLDER]",
     "an experiment on your functions, or, as `lab 12 solutions`, on others",
     TAKES_LESSON | TAKES_FILE, lab_command, NULL},
    {"race", "[LESSON]", "how fast your functions are, beside the plain ones and a copy",
     TAKES_LESSON, race_command, NULL},
    {"debug", "[LESSON or FUNCTION]",
     "stops gdb or lldb where the first failing check calls your function", SOME_CODE,
     debug_command, NULL},
    {"reset", "[LESSON]", "puts the stub back (a copy of your file is kept)", TAKES_LESSON, NULL,
     ask_reset},
    {"help", "[COMMAND]", "this list, or more about one command", TAKES_COMMAND, NULL,
     help_command},
    {"quit", "", "leaves; so does Ctrl-D", 0, NULL, quit_command},
    {0},
};

const Command *command_find(const char *word, size_t length)
{
    const Command *found = NULL;
    int count = 0;
    for (const Command *c = commands; c->name; c++)
        if (!strncmp(c->name, word, length)) {
            if (!c->name[length])
                return c;
            found = c;
            count++;
        }
    return count == 1 ? found : NULL;
}

static int say_unknown(const char *word)
{
    const char *names[64];
    int count = 0, begun = 0;
    for (const Command *c = commands; c->name; c++)
        names[count++] = c->name;
    for (int i = 0; i < count; i++)
        if (!strncmp(names[i], word, strlen(word)))
            fprintf(stderr, "%s %s", begun++ ? " or" : "That could be", names[i]);
    const char *near = nearest(word, names, count);
    if (begun)
        fputs(".\n", stderr);
    else if (near)
        fprintf(stderr, "There is no command \"%s\". Did you mean %s?\n", word, near);
    else
        fprintf(stderr, "There is no command \"%s\". Type `help` for what there is.\n", word);
    return 2;
}

/* One blank between the words, and none around them; a key that was no letter is a blank. */
static char *tidy(const char *line)
{
    char *text = format_text("%s", line), *to = text;
    for (const char *from = text; *from; from++) {
        bool blank = (unsigned char)*from <= ' ' || *from == 127;
        if (!blank)
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
    return text;
}

static int run_words(Prompt *prompt, const Command *command, char *words)
{
    WorkbookOptions options = {0};
    if (!arguments_parse(prompt, command, words, &options))
        return 2;
    bool named = options.lesson;
    if (!named && command->child != lab_command && command->child != race_command &&
        command->here != next_command)
        options.lesson = prompt->lesson;
    if (command->takes & TAKES_ALL && strcmp(words, "all") != 0)
        options.words = NULL;
    options.place = AT_PROMPT;
    options.here = prompt->lesson;
    int code = command->child ? child_run(prompt, command->child, &options) : 0;
    if (command->child == check_any && !code && !options.impl && !options.step && !options.words)
        say_passed(prompt, options.lesson);
    if (command->child)
        return code;
    if (command->here == go_command && !named) {
        fputs("go where? As in: go 03, or go rms_norm\n", stderr);
        return 2;
    }
    return command->here(prompt, &options);
}

int command_run(Prompt *prompt, const char *line)
{
    char *text = tidy(line);
    size_t length = *text == '/' ? 1 : strcspn(text, " ");
    const Command *command = command_find(text, length);
    int code = 2;
    if (command && command->child == check_any) {
        free(prompt->again);
        prompt->again = format_text("%s", text);
    }
    if (command) {
        code = run_words(prompt, command, text + length + strspn(text + length, " "));
    } else {
        text[length] = '\0';
        say_unknown(text);
    }
    if (command && command->here != ask_diff && command->here != ask_solution)
        prompt->asked = NULL;
    free(text);
    return code;
}

static int help_command(Prompt *prompt, const WorkbookOptions *options)
{
    (void)prompt;
    if (!*options->words) {
        for (const Command *c = commands; c->name; c++) {
            printf("%-9s ", c->name);
            print_wrapped(c->help, 10);
        }
        print_wrapped("Any beginning that fits only one command will do. Tab completes, the arrow "
                      "keys bring back what you typed before, Ctrl-C stops what runs.",
                      0);
        return 0;
    }
    const Command *c = command_find(options->words, strlen(options->words));
    if (!c)
        return say_unknown(options->words);
    printf("%s %s\n          ", c->name, c->arguments);
    print_wrapped(c->help, 10);
    return 0;
}
